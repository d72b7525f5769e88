"""Codes PC100 to PC129: the DSL, its texts and its expressions."""

from promptc.diagnostics.codes import Code, error

DSL_CODES: tuple[Code, ...] = (
    error("PC100", "unexpected-token", "Reported when something stands where the grammar does not allow it."),
    error("PC101", "unknown-keyword", "Reported when a word stands where a keyword is expected and is none."),
    error("PC102", "unclosed-bracket", "Reported when a `{`, `(` or `[` is never closed."),
    error("PC103", "unclosed-text", "Reported when the closing quotes of a text are missing."),
    error("PC104", "unknown-escape", "Reported when a backslash in a short text is not followed by a known escape."),
    error("PC105", "text-beside-quotes", "Reported when a text of several lines starts beside its opening quotes."),
    error("PC106", "shallow-line", "Reported when a line of a text is indented less than its closing quotes."),
    error("PC107", "mixed-indentation", "Reported when a line and the closing quotes mix tabs and spaces."),
    error("PC108", "chained-comparison", "Reported when a comparison is compared again without `and`."),
    error("PC109", "missing-else", "Reported when an inline `if` has no `else`."),
    error("PC110", "nested-too-deeply", "Reported when an expression or type nests deeper than 100 levels."),
    error("PC111", "number-out-of-range", "Reported when a number is beyond 2^53 - 1 or starts with a zero."),
    error("PC112", "repeated-clause", "Reported when a declaration has the same clause twice."),
    error("PC113", "class-without-at", "Reported when a stability class is written without its `@`."),
    error("PC114", "missing-colon", "Reported when the `:` between a name and its type is missing."),
    error("PC115", "mistaken-equals", "Reported when `=` and `==` are taken for each other."),
    error("PC116", "missing-body", "Reported when a section has no text and no `from`."),
    error("PC117", "foreign-operator", "Reported when an operator of another language stands in an expression."),
    error("PC118", "range-of-other-type", "Reported when a range follows a type that is not `int`, or is empty."),
    error("PC119", "misplaced-keyword", "Reported when a declaration stands in a block where it does not belong."),
    error("PC120", "needless-separator", "Reported when a comma or semicolon separates declarations."),
)
