"""Codes PC3xx: types, templates, determinism."""

from promptc.diagnostics.codes import Code, error, warning

TYPES: tuple[Code, ...] = (
    error("PC301", "type-mismatch", "Reported when an operand has a type that the operation does not take."),
    error("PC302", "optional-not-tested", "Reported when a value that may be absent is used before it is tested."),
    error("PC303", "not-printable", "Reported when a body prints a value that has no single text form."),
    error("PC304", "unknown-filter", "Reported when a filter does not exist."),
    error("PC305", "unknown-test", "Reported when a test does not exist."),
    error("PC306", "wrong-arguments", "Reported when a filter or test gets arguments it does not take."),
    error("PC307", "unknown-field", "Reported when a record has no such field."),
    error("PC308", "call-not-allowed", "Reported when an expression calls a function."),
    error("PC309", "nondeterministic-construct", "Reported when a construct could differ between two runs."),
    error("PC310", "sample-mismatch", "Reported when a sample's value does not fit its input."),
    error("PC311", "sample-incomplete", "Reported when a sample leaves out an input that has no default."),
    error("PC312", "not-iterable", "Reported when a loop runs over something that is not a list."),
    error("PC313", "set-on-one-path", "Reported when a variable is used that only some paths have set."),
    error("PC314", "default-mismatch", "Reported when a default value does not fit its type."),
    error("PC315", "set-changes-type", "Reported when a variable is set again with another type."),
    error("PC316", "not-a-tool-record", "Reported when a tool group's elements lack a field that a tool needs."),
    error("PC317", "schema-not-json", "Reported when a tool's schema is not a JSON object."),
    error("PC318", "divisor-not-literal", "Reported when a division's right side is not a number other than 0."),
    error("PC319", "unsupported-type", "Reported when a type cannot be carried the same way to every target."),
    error("PC320", "literal-not-allowed", "Reported when a record literal stands outside samples and defaults."),
    error("PC321", "sample-breaks-require", "Reported when a sample is a combination that a require rules out."),
    error("PC322", "nested-too-deep", "Reported when loops, or tags, are nested deeper than any prompt needs."),
    error("PC323", "text-too-large", "Reported when includes or literal loops multiply a text beyond all use."),
    error("PC324", "sample-too-large", "Reported when rendering a sample could take more steps than a build spends."),
    warning("PC330", "text-not-normalised", "Reported when a text is not in Unicode normal form C."),
    warning(
        "PC331", "looks-volatile", "Reported when literal text holds what looks like a date, a time or a random id."
    ),
)
