"""Compile the grammars, once a thread and only when first used."""

import threading
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from lark import Lark
from lark.lexer import PatternStr

from promptc.assets import asset_dir
from promptc.syntax.build_expressions import ExpressionBuilder
from promptc.syntax.build_prompt import ModuleBuilder

Start: TypeAlias = Literal["expression", "type", "module"]


class _NamesEverywhere:
    """Lets the lexer see whole words in every state.

    A keyword then never matches the head of a longer word, and a word that fits nowhere is one wrong token instead of
    a wrong character.
    """

    always_accept = ("NAME",)

    def process(self, stream: Any) -> Any:
        """The tokens as they come."""
        return stream


@dataclass(frozen=True, slots=True)
class Compiled:
    """A parser with the words of its terminals.

    Attributes:
        lark: The parser.
        literals: Text of every terminal that stands for a fixed text, by terminal name.
    """

    lark: Lark
    literals: dict[str, str]


_LOCAL = threading.local()


def expression_grammar() -> tuple[Compiled, ExpressionBuilder]:
    """The parser of expressions and types, with the builder that it calls."""
    found: tuple[Compiled, ExpressionBuilder] | None = getattr(_LOCAL, "expressions", None)
    if found is None:
        builder = ExpressionBuilder()
        found = (_compile("expressions.lark", ["expression", "type"], builder), builder)
        _LOCAL.expressions = found
    return found


def module_grammar() -> tuple[Compiled, ModuleBuilder]:
    """The parser of modules, with the builder that it calls."""
    found: tuple[Compiled, ModuleBuilder] | None = getattr(_LOCAL, "modules", None)
    if found is None:
        builder = ModuleBuilder()
        found = (_compile("promptc.lark", ["module"], builder), builder)
        _LOCAL.modules = found
    return found


def _compile(file: str, start: list[Start], builder: ExpressionBuilder) -> Compiled:
    lark = Lark.open(
        str(asset_dir("grammar") / file),
        parser="lalr",
        start=start,
        keep_all_tokens=True,  # spans come from the first and the last token
        maybe_placeholders=False,
        postlex=_NamesEverywhere(),
        transformer=builder,
        lexer_callbacks={"COMMENT": builder.comment} if isinstance(builder, ModuleBuilder) else {},
    )
    literals = {t.name: t.pattern.value for t in lark.terminals if isinstance(t.pattern, PatternStr)}
    return Compiled(lark, literals)
