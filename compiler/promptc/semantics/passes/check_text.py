"""Look at literal text for what spoils a prefix by accident: guesses, so warnings."""

import re
import unicodedata

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts
from promptc.source import Span
from promptc.syntax import bodies_ast as ast

_DIGIT = re.compile(r"\d")
_UUID = re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}\b")
_TIMESTAMP = re.compile(r"\b(?:19|20)\d\d-[01]\d-[0-3]\d[T ][0-2]\d:[0-5]\d(?::[0-5]\d)?")
_CURRENT_DATE = re.compile(
    r"(?i)\b(?:today(?:'s date)? is|current date(?: is)?:?|as of today,?)\s+\W{0,3}\d\w*(?:[ ./-]\w+){0,2}"
)


def check_text(facts: Facts, sink: Sink) -> None:
    """Check the literal text of every body.

    Diagnostics:
        PC330 text not in normal form C, PC331 text that looks like a clock or a random id.
    """
    for body in facts.bodies.values():
        for literal in _literals(body.parts):
            _normal_form(literal, sink)
            _volatile(literal, sink)


def _literals(parts: tuple[ast.Part, ...]) -> list[ast.Literal]:
    out: list[ast.Literal] = []
    for part in parts:
        match part:
            case ast.Literal():
                out.append(part)
            case ast.If(branches=branches, orelse=orelse):
                for branch in branches:
                    out.extend(_literals(branch.body))
                out.extend(_literals(orelse))
            case ast.For(body=body, orelse=orelse):
                out.extend(_literals(body))
                out.extend(_literals(orelse))
            case _:
                continue
    return out


def _normal_form(literal: ast.Literal, sink: Sink) -> None:
    if literal.text.isascii() or unicodedata.is_normalized("NFC", literal.text):
        return
    sink.report(
        Diagnostic(
            "PC330",
            "this text is not in Unicode normal form C: an editor may change its bytes without a visible change",
            Label(literal.span),
            help='normalise it once, or accept it with `allow PC330 "reason"`',
        )
    )


def _volatile(literal: ast.Literal, sink: Sink) -> None:
    # All that is looked for holds digits, and most prose holds none.
    if _DIGIT.search(literal.text) is None:
        return
    for pattern, what in ((_UUID, "a random id"), (_TIMESTAMP, "a time stamp"), (_CURRENT_DATE, "the current date")):
        found = pattern.search(literal.text)
        if found is not None:
            sink.report(
                Diagnostic(
                    "PC331",
                    f"this literal text holds what looks like {what}: `{found.group()}`",
                    Label(_inside(literal.span, literal.text, found.start(), found.end())),
                    help="if it changes, make it an input with a class; if it never does, "
                    'accept it with `allow PC331 "reason"`',
                )
            )


def _inside(span: Span, text: str, start: int, end: int) -> Span:
    # Dedent removes blanks at line starts, so offsets hold only where nothing was removed before the match.
    if span.end - span.start == len(text):
        return Span(span.path, span.start + start, span.start + end)
    return span
