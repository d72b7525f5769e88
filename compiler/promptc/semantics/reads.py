"""Which inputs something depends on, and by which path."""

from collections.abc import Iterator
from dataclasses import replace

from promptc.semantics.facts import Facts, Read, Step
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes


def names_in(expr: ex.Expr) -> Iterator[ex.Name]:
    """All names in an expression, in source order."""
    match expr:
        case ex.Name():
            yield expr
        case ex.Attribute(value=value):
            yield from names_in(value)
        case ex.ListLiteral(items=items):
            for item in items:
                yield from names_in(item)
        case ex.RecordLiteral(fields=fields):
            for field in fields:
                yield from names_in(field.value)
        case ex.Not(operand=operand) | ex.Negate(operand=operand):
            yield from names_in(operand)
        case (
            ex.Binary(left=left, right=right) | ex.Logical(left=left, right=right) | ex.Compare(left=left, right=right)
        ):
            yield from names_in(left)
            yield from names_in(right)
        case ex.Conditional(test=test, then=then, orelse=orelse):
            for part in (then, test, orelse):
                yield from names_in(part)
        case ex.Filter(value=value, args=args) | ex.Test(value=value, args=args):
            yield from names_in(value)
            for argument in args:
                yield from names_in(argument.value)
        case ex.Call(function=function, args=args):
            yield from names_in(function)
            for argument in args:
                yield from names_in(argument.value)
        case _:
            # Literals name nothing.
            return


class Reader:
    """Computes reads; one read per input is kept, the first in source order."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._gates: dict[str, tuple[Read, ...]] = {}
        self._open: set[str] = set()
        self._sections: dict[str, tuple[Read, ...]] = {}

    def expr(self, expr: ex.Expr) -> tuple[Read, ...]:
        """Inputs that an expression depends on, gates followed to their own inputs."""
        out: dict[str, Read] = {}
        for name in names_in(expr):
            resolution = self.facts.names.get(name)
            if resolution is None:
                continue
            if resolution.kind == "input":
                out.setdefault(resolution.name, Read(resolution.name, name.span))
            elif resolution.kind == "gate":
                for read in self.gate(resolution.name):
                    step = Step(name.span, f"reads the gate `{resolution.name}`", True)
                    out.setdefault(read.input, replace(read, via=(step, *read.via)))
        return tuple(out.values())

    def gate(self, name: str) -> tuple[Read, ...]:
        """Inputs of a gate; nothing for a gate in a circle, which another pass reports."""
        if name not in self._gates:
            if name in self._open:
                return ()
            self._open.add(name)
            self._gates[name] = self.expr(self.facts.symbols.gates[name].condition)
            self._open.discard(name)
        return self._gates[name]

    def content(self, section: nodes.SectionDecl) -> tuple[Read, ...]:
        """Inputs that a section's text depends on, without its gate."""
        content = section.content
        out: dict[str, Read] = {}
        if isinstance(content, nodes.DeltaBody):
            if content.first_when is not None:
                _merge(out, self.expr(content.first_when), ())
            for part in (content.first, content.changed, content.gone):
                _merge(out, self.source(part), ())
        else:
            _merge(out, self.source(content), ())
        return tuple(out.values())

    def source(self, source: ast.BodySource | None) -> tuple[Read, ...]:
        """Inputs that one body depends on."""
        body = self.facts.bodies.get(source) if source is not None else None
        if body is None:
            return ()
        out: dict[str, Read] = {}
        self._parts(body.parts, (), out)
        return tuple(out.values())

    def _parts(self, parts: tuple[ast.Part, ...], via: tuple[Step, ...], out: dict[str, Read]) -> None:
        for part in parts:
            match part:
                case ast.Output(value=value) | ast.Set(value=value):
                    _merge(out, self.expr(value), via)
                case ast.If(branches=branches, orelse=orelse):
                    for branch in branches:
                        _merge(out, self.expr(branch.test), (*via, Step(branch.span, "in a condition", False)))
                        self._parts(branch.body, via, out)
                    self._parts(orelse, via, out)
                case ast.For(iterable=iterable, test=test, body=body, orelse=orelse):
                    inside = (*via, Step(part.span, "in a loop", False))
                    _merge(out, self.expr(iterable), inside)
                    if test is not None:
                        _merge(out, self.expr(test), inside)
                    self._parts(body, inside, out)
                    self._parts(orelse, via, out)
                case ast.Include(name=name):
                    step = Step(part.span, f"includes the section `{name.name}`", True)
                    _merge(out, self._included(name.name), (*via, step))
                case ast.Literal():
                    pass

    def _included(self, name: str) -> tuple[Read, ...]:
        section = self.facts.symbols.sections.get(name)
        if section is None:
            return ()
        if name not in self._sections:
            key = f"section {name}"
            if key in self._open:
                return ()
            self._open.add(key)
            self._sections[name] = self.content(section)
            self._open.discard(key)
        return self._sections[name]


def _merge(out: dict[str, Read], reads: tuple[Read, ...], via: tuple[Step, ...]) -> None:
    for read in reads:
        out.setdefault(read.input, replace(read, via=(*via, *read.via)) if via else read)
