"""Expressions of Handlebars: paths, literals and the helpers that compare."""

import re
from typing import Literal

from promptc.importing.scope import MAX_STEPS, Scope, UnsupportedError, attribute, identifier, name
from promptc.source import Span
from promptc.syntax import expressions as ex

_TOKEN = re.compile(
    r"\s*(?:(?P<text>\"[^\"]*\"|'[^']*')|(?P<open>\()|(?P<close>\))|(?P<key>[\w-]+)=|(?P<as>\bas\s*\|[^|]*\|)"
    r"|(?P<word>[^\s()=|\"']+))"
)
_COMPARE = {"eq": "==", "ne": "!=", "neq": "!=", "lt": "<", "gt": ">", "lte": "<=", "gte": ">=", "ifEquals": "=="}
_LOOP = {"index": "index0", "first": "first", "last": "last", "key": None}
MAX_DEPTH = 20


class Words:
    """The parts of a tag: positional ones, named ones, and block parameters."""

    def __init__(self, text: str) -> None:
        self.tokens = [(m.lastgroup or "", (m[m.lastgroup] if m.lastgroup else "")) for m in _TOKEN.finditer(text)]
        self.at = 0
        self.positional: list[object] = []
        self.named: dict[str, object] = {}
        self.block: list[str] = []
        self.read(self.positional, self.named, 0)

    def read(self, positional: list[object], named: dict[str, object], depth: int) -> None:
        """Take words up to a closing parenthesis; a nested call is a list."""
        if depth > MAX_DEPTH:
            raise UnsupportedError(f"helpers nest deeper than {MAX_DEPTH} levels")
        key: str | None = None
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            self.at += 1
            if kind == "close":
                return
            if kind == "key":
                key = text
                continue
            if kind == "as":
                self.block = re.findall(r"[A-Za-z_]\w*", text[2:])
                continue
            value: object = text
            if kind == "open":
                inner: list[object] = []
                self.read(inner, {}, depth + 1)
                value = inner
            if key is not None:
                named[key] = value
            else:
                positional.append(value)
            key = None


def expression(word: object, span: Span, scope: Scope) -> ex.Expr:
    """The expression of one word or nested call.

    Raises:
        UnsupportedError: A spec cannot say it.
    """
    if isinstance(word, list):
        return call(word, span, scope)
    text = str(word)
    if text[0] in "\"'":
        return ex.TextLiteral(span=span, value=text[1:-1])
    if re.fullmatch(r"[0-9]+", text) and len(text) < 16:
        return ex.IntLiteral(span=span, value=int(text))
    if text in ("true", "false"):
        return ex.BoolLiteral(span=span, value=text == "true")
    return path(text, span, scope)


def call(words: list[object], span: Span, scope: Scope) -> ex.Expr:
    """A helper that compares or joins conditions.

    Raises:
        UnsupportedError: Any other helper.
    """
    helper, args = (str(words[0]), words[1:]) if words else ("", [])
    if helper in _COMPARE and len(args) == 2:
        left, right = (expression(arg, span, scope) for arg in args)
        op: ex.CompareOp = _COMPARE[helper]  # type: ignore[assignment]  # the table holds operators only
        return ex.Compare(span=span, op=op, left=left, right=right)
    if helper in ("and", "or") and len(args) > 1:
        node = expression(args[0], span, scope)
        for arg in args[1:]:
            joined: Literal["and", "or"] = "and" if helper == "and" else "or"
            node = ex.Logical(span=span, op=joined, left=node, right=expression(arg, span, scope))
        return node
    if helper == "not" and len(args) == 1:
        return ex.Not(span=span, operand=expression(args[0], span, scope))
    if helper == "lookup" and len(args) == 2 and isinstance(args[1], str) and args[1][0] in "\"'":
        return attribute(expression(args[0], span, scope), identifier(args[1][1:-1]), span)
    raise UnsupportedError(f"a body has no helper `{helper}`")


def path(text: str, span: Span, scope: Scope) -> ex.Expr:
    """A path such as `user.name`, `this`, `../name`, `@index`.

    Raises:
        UnsupportedError: It names nothing that a spec can.
    """
    context, parents = scope.context, scope.parents
    up = 0
    while text.startswith("../"):
        text, up = text[3:], up + 1
    if up:
        if up > len(parents):
            raise UnsupportedError("it looks beyond the inputs")
        context = parents[-up]
    if text.startswith("@root"):
        text, context = text[5:].lstrip("./"), None
    elif text.startswith("@"):
        return _private(text[1:], span, scope)
    steps = [step.strip("[]") for step in re.split(r"[./]", text) if step not in ("", "this")]
    node = context
    if steps and node is None:
        first = steps.pop(0)
        node = scope.names.get(first) or name(identifier(first), span)
    elif steps and not text.startswith((".", "this")) and steps[0] in scope.names:
        node = scope.names[steps.pop(0)]
    if node is None:
        raise UnsupportedError("all inputs together are no value")
    if len(steps) > MAX_STEPS:
        raise UnsupportedError(f"a path has at most {MAX_STEPS} steps")
    for step in steps:
        if step == "length":
            return ex.Filter(span=span, value=node, name=ex.Ident(span=span, name="length"), args=())
        node = attribute(node, identifier(step), span)
    return node


def _private(text: str, span: Span, scope: Scope) -> ex.Expr:
    if text in _LOOP:
        if not scope.loops or _LOOP[text] is None:
            raise UnsupportedError(f"`@{text}` has no meaning here")
        return attribute(name("loop", span), str(_LOOP[text]), span)
    steps = [identifier(step) for step in text.split(".")][:MAX_STEPS]
    node: ex.Expr = name(steps[0], span)
    for step in steps[1:]:
        node = attribute(node, step, span)
    return node
