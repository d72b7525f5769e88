"""Codes PC130 to PC149: the syntax of template bodies."""

from promptc.diagnostics.codes import Code, error

BODY_CODES: tuple[Code, ...] = (
    error(
        "PC130",
        "unclosed-tag",
        "Reported when `{{`, `{%` or `{#` opens a tag of a body and its closing delimiter is missing.",
    ),
    error(
        "PC131",
        "unclosed-block",
        "Reported when an `if`, `for` or `raw` block of a body is not closed before the body ends.",
    ),
    error(
        "PC132",
        "stray-block-tag",
        "Reported when `elif`, `else` or the end of a block stands in a body where no such block is open.",
    ),
    error(
        "PC133",
        "mismatched-block-end",
        "Reported when the end of one kind of block stands where another kind of block has to be closed first.",
    ),
    error(
        "PC134",
        "misplaced-branch",
        "Reported when `elif` or `else` stands in a block that cannot have it there.",
    ),
    error("PC135", "unknown-tag", "Reported when a body has a tag that neither promptc nor Jinja2 knows."),
    error("PC136", "unsupported-tag", "Reported when a body has a tag of Jinja2 that promptc does not accept."),
    error("PC137", "malformed-tag", "Reported when the content of a tag does not have the form that the tag needs."),
    error("PC138", "unpacking-target", "Reported when `for` or `set` in a body binds several names at once."),
    error("PC139", "attribute-target", "Reported when `for` or `set` in a body assigns to a part of a value."),
    error("PC140", "block-set", "Reported when `set` in a body captures a stretch of template instead of a value."),
    error("PC141", "recursive-loop", "Reported when a `for` loop in a body is marked `recursive`."),
    error(
        "PC142",
        "include-form",
        "Reported when `include` in a body does not name exactly one section with a plain quoted name.",
    ),
    error("PC143", "deep-nesting", "Reported when blocks of a body are nested more than 100 deep."),
    error("PC144", "reserved-target", "Reported when `for` or `set` in a body binds a word of the language."),
)
