"""How large a section is, as far as a spec can tell: its literal text, with a token estimate."""

from dataclasses import dataclass
from functools import lru_cache

from promptc.providers.tokens import estimate_tokens
from promptc.semantics.facts import Facts
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes


@dataclass(frozen=True, slots=True)
class Size:
    """Literal text of a section: what it holds at least, without the values that it inserts.

    Attributes:
        bytes: UTF-8 bytes of all literal text, every branch counted.
        tokens: Estimated tokens of the same.
    """

    bytes: int
    tokens: int


def literal_text(facts: Facts, section: nodes.SectionDecl) -> str:
    """All literal text of a section, every branch and included section once."""
    content = section.content
    sources = (content.first,) if isinstance(content, nodes.DeltaBody) else (content,)
    out: list[str] = []
    for source in sources:
        body = facts.bodies.get(source) if source is not None else None
        if body is not None:
            _collect(facts, body.parts, out, frozenset())
    return "".join(out)


def _collect(facts: Facts, parts: tuple[ast.Part, ...], out: list[str], seen: frozenset[str]) -> None:
    for part in parts:
        match part:
            case ast.Literal(text=text):
                out.append(text)
            case ast.If(branches=branches, orelse=orelse):
                for branch in branches:
                    _collect(facts, branch.body, out, seen)
                _collect(facts, orelse, out, seen)
            case ast.For(body=body, orelse=orelse):
                _collect(facts, body, out, seen)
                _collect(facts, orelse, out, seen)
            case ast.Include(name=name):
                section = facts.symbols.sections.get(name.name)
                if section is not None and name.name not in seen and not isinstance(section.content, nodes.DeltaBody):
                    inner = facts.bodies.get(section.content)
                    if inner is not None:
                        _collect(facts, inner.parts, out, seen | {name.name})
            case _:
                continue


def size_of(facts: Facts, section: nodes.SectionDecl) -> Size:
    """Size of a section's literal text."""
    return _measured(literal_text(facts, section))


# The same text is asked for by limits, order, markers and reports, and by an editor after each key.
@lru_cache(maxsize=8192)
def _measured(text: str) -> Size:
    return Size(len(text.encode("utf-8", "surrogatepass")), estimate_tokens(text).value)
