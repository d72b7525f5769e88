"""What a name means at a place of a foreign template, and inputs for what a spec cannot compute."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from promptc.diagnostics.sink import Sink
from promptc.importing import lost
from promptc.importing.model import Declared, Type
from promptc.source import Source, Span
from promptc.syntax import expressions as ex
from promptc.syntax.tag_headers import NOT_BINDABLE

MAX_PARTS = 50
MAX_STEPS = 40
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


class UnsupportedError(Exception):
    """An expression that has no form in a spec; the message is the reason."""


@dataclass(slots=True)
class Findings:
    """What one file gives besides its text.

    Attributes:
        fetch: Reads a file that stands beside the imported one.
        holes: Inputs that stand for expressions which the host computes, with their types.
        sources: The files that were taken in.
        open: Paths of those that are being read.
    """

    sink: Sink
    fetch: Callable[[str], Source | None]
    holes: dict[str, Declared] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def part(self, path: str, at: Span) -> Source | None:
        """Another file that the imported one names; None after a fault, which is reported.

        The caller takes the path off `open` when it is done with the file.
        """
        if path in self.open:
            self.sink.report(lost.missing_part(at, path, "it takes in itself"))
        elif len(self.open) >= MAX_PARTS or len(self.sources) >= MAX_PARTS:
            self.sink.report(lost.too_large(at, f"more than {MAX_PARTS} files are taken in", "one too many"))
        elif (source := self.fetch(path)) is None:
            self.sink.report(lost.missing_part(at, path, "there is no such text below the folder of the imported file"))
        else:
            self.sources.append(source)
            self.open.append(path)
            return source
        return None


@dataclass(frozen=True, slots=True)
class Scope:
    """Names that a template binds, each with the expression that stands for it in the spec.

    Attributes:
        depth: Loops around this place.
        context: What a bare name is a field of (Handlebars); None for the inputs.
    """

    names: dict[str, ex.Expr] = field(default_factory=dict)
    loops: frozenset[str] = frozenset()
    context: ex.Expr | None = None
    parents: tuple[ex.Expr | None, ...] = ()

    def bind(self, name: str, value: ex.Expr) -> "Scope":
        """This scope with one more name."""
        return Scope({**self.names, name: value}, self.loops, self.context, self.parents)

    def loop(self, target: str, span: Span, names: dict[str, ex.Expr] | None = None) -> "Scope":
        """The scope inside a loop."""
        own = {target: name(target, span)} if names is None else names
        return Scope({**self.names, **own}, self.loops | {target}, self.context, self.parents)

    def within(self, context: ex.Expr | None) -> "Scope":
        """The scope in which bare names are fields of a value."""
        return Scope(self.names, self.loops, context, (*self.parents, self.context))


def name(text: str, span: Span) -> ex.Name:
    """A use of a name."""
    return ex.Name(span=span, name=text)


def attribute(value: ex.Expr, field_name: str, span: Span) -> ex.Attribute:
    """A field of a value."""
    return ex.Attribute(span=span, value=value, name=ex.Ident(span=span, name=field_name))


def text_literal(text: str, span: Span) -> ex.TextLiteral:
    """A text as an expression."""
    return ex.TextLiteral(span=span, value=text)


def present(value: ex.Expr) -> ex.Test:
    """`value is defined`."""
    return ex.Test(span=value.span, value=value, name=ex.Ident(span=value.span, name="defined"), args=(), negated=False)


def default(value: ex.Expr, other: ex.Expr) -> ex.Filter:
    """`value | default(other)`."""
    args = (ex.Argument(span=other.span, name=None, value=other),)
    return ex.Filter(span=value.span, value=value, name=ex.Ident(span=value.span, name="default"), args=args)


def path_of(node: ex.Expr) -> tuple[str, ...] | None:
    """The names of `a.b.c`; None for anything else."""
    names: list[str] = []
    while isinstance(node, ex.Attribute):
        names.append(node.name.name)
        node = node.value
    return (node.name, *reversed(names)) if isinstance(node, ex.Name) else None


def identifier(text: str) -> str:
    """A name of a spec that resembles a text."""
    slug = re.sub(r"[^A-Za-z0-9]+", "_", re.sub(r"(?<=[A-Za-z0-9])['’]", "", text)).strip("_")[:60].strip("_")
    if not slug:
        slug = "value"
    if slug[0].isdigit():
        slug = f"n{slug}"
    return f"{slug}_value" if slug in NOT_BINDABLE else slug


def hole(raw: str, span: Span, reason: str, type: Type | None, scope: Scope, found: Findings) -> ex.Expr | None:
    """A new input, or a new field of a loop's element, for an expression that the host has to compute.

    Returns:
        None where the value depends on more than one element, or on the loop itself: reported as left out.
    """
    words = dict.fromkeys(_WORD.findall(_QUOTED.sub("", raw)))
    bound = [word for word in words if word in scope.names]
    loops = {path[0] for word in bound if (path := path_of(scope.names[word])) is not None}
    if len(loops) > 1 or "loop" in words or (bound and not loops):
        found.sink.report(lost.construct(span, f"`{lost.short(raw)}`", reason))
        return None
    slug = identifier(raw)
    if not loops and scope.context is not None and (around := path_of(scope.context)) is not None:
        found.sink.report(lost.computed(span, raw, ".".join((*around, slug)), reason))
        return attribute(scope.context, slug, span)
    if loops:
        element = loops.pop()
        rest = identifier(re.sub(rf"^{re.escape(bound[0])}\W+", "", raw)) if element == bound[0] else slug
        found.sink.report(lost.computed(span, raw, f"{element}.{rest}", reason))
        return attribute(name(element, span), rest, span)
    found.holes.setdefault(slug, Declared(type, False, None, span))
    found.sink.report(lost.computed(span, raw, slug, reason))
    return name(slug, span)
