"""Codes PC150 to PC169: the YAML surface."""

from promptc.diagnostics.codes import Code, error, warning

YAML_CODES: tuple[Code, ...] = (
    error("PC150", "yaml-syntax", "Reported when a text is not YAML."),
    error("PC151", "yaml-wrong-kind", "Reported when a value is of another kind than its key takes."),
    error("PC152", "yaml-unknown-key", "Reported when a mapping has a key that its construct does not have."),
    error("PC153", "yaml-missing-key", "Reported when a key that a construct needs is missing or has no value."),
    error("PC154", "yaml-repeated-key", "Reported when a key stands twice in one mapping."),
    error("PC155", "yaml-merge-key", "Reported when a mapping has the merge key `<<`."),
    error("PC156", "yaml-tag", "Reported when a value carries a YAML tag that has no meaning in its place."),
    error("PC157", "yaml-several-documents", "Reported when a file holds more than one YAML document."),
    error("PC158", "yaml-too-large", "Reported when a file nests too deep or has too many values, aliases expanded."),
    error("PC159", "yaml-endless-alias", "Reported when an alias stands inside the value that it repeats."),
    warning("PC160", "yaml-disputed-scalar", "Reported when YAML readers disagree on a value whose type is unknown."),
    error("PC161", "yaml-old-bool", "Reported when `on`, `yes`, `off` or `no` stands where a bool belongs."),
    error("PC162", "yaml-conflicting-keys", "Reported when two keys of one mapping exclude each other."),
    error("PC163", "yaml-foreign-line-end", "Reported when a file has a line end that only some YAML readers know."),
    error("PC164", "yaml-odd-number", "Reported when a number is spelled in a way that YAML readers dispute."),
    error("PC165", "yaml-not-a-name", "Reported when a declared or used name is not a name of the language."),
    error("PC166", "yaml-not-a-duration", "Reported when a time is not a whole number with its unit."),
    error("PC168", "yaml-unknown-alias", "Reported when an alias has no anchor before it."),
)
