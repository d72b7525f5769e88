"""Put a syntax error into words: what was found, what is expected, and the likely slip behind it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from promptc.source import Span
from promptc.syntax.grammar import Compiled

SpanOf: TypeAlias = Callable[[int, int], Span]

_TOKEN = re.compile(
    r'"{3,}|"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'?|[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9_]*[A-Za-z]*'
    r"|==|!=|<=|>=|//|\*\*|&&|\|\||\.\."
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A place where parsing stopped.

    Attributes:
        text: The text that was parsed.
        start: First code point of the token that does not fit; the length of the text at its end.
        end: One past its last code point.
        expected: What would have fitted: fixed texts as themselves, other terminals by name (`NAME`, `$END`).
    """

    text: str
    start: int
    end: int
    expected: frozenset[str]

    @property
    def found(self) -> str:
        """The token that does not fit; empty at the end of the text."""
        return self.text[self.start : self.end]

    def place(self, span: SpanOf) -> Span:
        """Where the token stands; at the end of the text, the place behind the last character that is no blank."""
        if self.found:
            return span(self.start, self.end)
        end = len(self.text.rstrip())
        return span(end, end)


def failure_of(error: UnexpectedInput, text: str, grammar: Compiled) -> Failure:
    """Where and why Lark stopped."""
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        start = error.token.start_pos or 0
    elif isinstance(error, UnexpectedCharacters):
        start = error.pos_in_stream
    else:
        start = len(text)
    parser: Any = error.interactive_parser
    accepts: set[str] = parser.accepts() if parser is not None else set()
    words = frozenset(grammar.literals.get(name, name) for name in accepts)
    return Failure(text, start, token_end(text, start), words)


def token_end(text: str, start: int) -> int:
    """One past the token that begins at `start`, as a person would see it."""
    if start >= len(text):
        return len(text)
    match = _TOKEN.match(text, start)
    return match.end() if match is not None else start + 1


def describe(token: str, end_of: str) -> str:
    """A token in words; `end_of` names the text that has ended when there is no token."""
    if not token:
        return f"the end of the {end_of}"
    if token[0] in "\"'" and len(token) > 1 and token.strip('"'):
        return "a text"
    if len(token) == 1 and not token.isprintable():
        return f"the character U+{ord(token):04X}"
    if len(token) > 40:
        token = token[:39] + "…"
    return f"`{token}`"


_OPERATORS = frozenset(
    [
        "or",
        "and",
        "not",
        "in",
        "is",
        "if",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "~",
        "*",
        "//",
        "%",
        "|",
        ".",
        "(",
    ]
)
_VALUE = frozenset(
    ["NAME", "INT", "STRING", "QUOTED", "(", "[", "{", "-", "not", "none", "None", "true", "True", "false", "False"]
)
_CLASSES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in double quotes",
    "QUOTED": "a text",
    "BLOCK": 'a text in `"""`',
    "DURATION": "a duration such as `5m`",
    "CODE": "a code such as `PC431`",
}


def expectation(expected: frozenset[str], end_of: str) -> str:
    """What would have fitted, in words; empty when that would be too much to say."""
    words: list[str] = []
    rest = set(expected)
    if {"NAME", "INT", "(", "["} <= rest:
        words.append("an expression")
        rest -= _VALUE
    elif "or" in rest:
        words.append("an operator")
        rest -= _OPERATORS
    if {"input", "gate", "prompt"} <= rest:
        words.append("a declaration")
        rest = set()
    if {"STRING", "BLOCK"} <= rest:
        words.append("a text")
        rest -= {"STRING", "BLOCK"}
    words.extend(text for name, text in _CLASSES.items() if name in rest)
    literals = sorted(rest - _CLASSES.keys() - {"$END"}, key=lambda word: (word[0].isalpha(), word))
    if len(literals) > 8:
        literals = []
    words.extend(f"`{word}`" for word in literals)
    if "$END" in rest:
        words.append(f"the end of the {end_of}")
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"
