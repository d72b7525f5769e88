"""Recognise common slips in an expression, so that the message names the slip and not the grammar."""

import re

from promptc.diagnostics.model import Diagnostic, Edit, Fix, Label
from promptc.syntax.explain import Failure, SpanOf, describe, expectation

_COMPARISON = re.compile(r"==|!=|<=|>=|<|>|(?:not[ \t\n]+)?in\b")
_IF = re.compile(r"\bif\b")
_TEST = re.compile(r"\bis[ \t\n]+(?:not[ \t\n]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t\n]*\Z")
_FOREIGN = {
    "&&": ("`and`", "and"),
    "||": ("`or`", "or"),
    "!": ("`not`", "not "),
    "**": (None, None),
    "/": ("`//`, which divides whole numbers", "//"),
    "?": ("`value if condition else other`", None),
    "[": ("a field, as in `value.name`, or a `for` loop; there are no subscripts", None),
}


def expression_mistake(failure: Failure, span: SpanOf, what: str, end_of: str) -> Diagnostic:
    """Explain a syntax error in an expression.

    Args:
        failure: Where parsing stopped.
        span: From a range of the parsed text to the source.
        what: What the text is, for the message: "expression", "type".
        end_of: What ends where the text ends.

    Returns:
        PC100, PC108, PC109, PC111, PC102, PC103, PC115 or PC117.
    """
    return (
        unclosed_quote(failure, span)
        or _chained(failure, span)
        or _equals(failure, span)
        or _bare_argument(failure, span)
        or _foreign(failure, span)
        or _missing_else(failure, span)
        or _unclosed_bracket(failure, span, end_of)
        or unexpected(failure, span, what, end_of)
    )


def unexpected(failure: Failure, span: SpanOf, what: str, end_of: str) -> Diagnostic:
    """PC100 with what was found and what is expected."""
    place = Label(failure.place(span))
    if not failure.text.strip():
        return Diagnostic("PC100", f"this {what} is empty", place)
    wanted = expectation(failure.expected, end_of)
    message = f"found {describe(failure.found, end_of)}" + (f", expected {wanted}" if wanted else "")
    return Diagnostic("PC100", message, place)


def unclosed_quote(failure: Failure, span: SpanOf) -> Diagnostic | None:
    """PC103 for a quote that opens a text and has no partner on its line."""
    found = failure.found
    if not found or found[0] not in "\"'" or (len(found) > 1 and found[-1] == found[0] and found[-2:-1] != "\\"):
        return None
    opening = Label(span(failure.start, failure.start + 1), "opened here")
    help_text = f"close it with `{found[0]}` on the same line; a line break inside is written `\\n`"
    return Diagnostic("PC103", "a text is not closed on its line", opening, help=help_text)


def _chained(failure: Failure, span: SpanOf) -> Diagnostic | None:
    # Behind a finished comparison everything but another comparison fits.
    if "and" not in failure.expected or "==" in failure.expected:
        return None
    match = _COMPARISON.match(failure.text, failure.start)
    if match is None:
        return None
    return Diagnostic(
        "PC108",
        f"`{match[0]}` compares a comparison",
        Label(span(match.start(), match.end()), "second comparison"),
        help="compare twice and join with `and`: `a < b and b < c`",
    )


def _bare_argument(failure: Failure, span: SpanOf) -> Diagnostic | None:
    test = _TEST.search(failure.text, max(failure.start - 80, 0), failure.start)
    if test is None or not (failure.found[:1].isalnum() or failure.found[:1] in ("'", '"', "[")):
        return None
    place = span(failure.start, failure.end)
    gap = span(test.end(1), failure.start)
    fix = Fix("add parentheses", (Edit(gap, "("), Edit(span(failure.end, failure.end), ")")))
    return Diagnostic(
        "PC100",
        f"the argument of the test `{test[1]}` stands without parentheses",
        Label(place),
        help=f"write `is {test[1]}(...)`",
        fix=None if failure.found[0] == "[" else fix,
    )


def _equals(failure: Failure, span: SpanOf) -> Diagnostic | None:
    if failure.found != "=" or "==" not in failure.expected:
        return None
    place = span(failure.start, failure.end)
    return Diagnostic(
        "PC115",
        "`=` does not compare",
        Label(place),
        help="`==` compares",
        fix=Fix("write `==`", (Edit(place, "=="),)),
    )


def _foreign(failure: Failure, span: SpanOf) -> Diagnostic | None:
    text, start = failure.text, failure.start
    if start > 0 and text[start - 1 : start + 1] in ("||", "**"):
        start -= 1
    operator = next((o for o in _FOREIGN if text.startswith(o, start)), None)
    if operator is None:
        return _fraction(failure, span)
    if operator == "[" and "|" not in failure.expected:
        return None
    instead, replacement = _FOREIGN[operator]
    place = span(start, start + len(operator))
    return Diagnostic(
        "PC117",
        f"`{operator}` is not an operator here",
        Label(place),
        help=f"write {instead}" if instead else "there are no powers; compute the value outside and make it an input",
        fix=Fix(f"write `{replacement.strip()}`", (Edit(place, replacement),)) if replacement else None,
    )


def _fraction(failure: Failure, span: SpanOf) -> Diagnostic | None:
    if not failure.found[:1].isdigit() or failure.text[failure.start - 1 : failure.start] != ".":
        return None
    return Diagnostic(
        "PC117",
        "numbers are whole; a fraction stands here",
        Label(span(failure.start - 1, failure.end)),
        help="write a text where the digits only have to appear",
    )


def _missing_else(failure: Failure, span: SpanOf) -> Diagnostic | None:
    if "else" not in failure.expected:
        return None
    opening = [match.start() for match in _IF.finditer(failure.text, 0, failure.start)]
    return Diagnostic(
        "PC109",
        "an inline `if` has no `else`",
        Label(span(opening[-1], opening[-1] + 2) if opening else failure.place(span)),
        help='say what stands there otherwise: `a if condition else ""`',
    )


def _unclosed_bracket(failure: Failure, span: SpanOf, end_of: str) -> Diagnostic | None:
    closing = next((c for c in ")]}" if c in failure.expected), None)
    if closing is None or failure.found:
        return None
    at = _opening(failure.text, failure.start, closing)
    if at is None:
        return None
    opening = failure.text[at]
    return Diagnostic(
        "PC102",
        f"`{opening}` is not closed before the end of the {end_of}",
        Label(span(at, at + 1), "opened here"),
        help=f"close it with `{closing}`",
    )


_QUOTED_OR_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[()\[\]{}]')


def _opening(text: str, end: int, closing: str) -> int | None:
    """The last bracket before `end` that is still open and that `closing` closes."""
    open_at: list[int] = []
    for match in _QUOTED_OR_BRACKET.finditer(text, 0, end):
        if match[0] in "([{":
            open_at.append(match.start())
        elif match[0] in ")]}" and open_at:
            open_at.pop()
    wanted = {")": "(", "]": "[", "}": "{"}[closing]
    return next((at for at in reversed(open_at) if text[at] == wanted), None)
