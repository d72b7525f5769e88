"""Lower bodies to text operations: literals merged, constant branches decided, the last newline given to the seam."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from promptc.ir import model as ir
from promptc.lowering.values import ValueLowering
from promptc.semantics.facts import Facts
from promptc.semantics.taint import Taint
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.types import Int


class TextLowering:
    """Lowers the bodies of one prompt.

    Attributes:
        tags: Names of the tags of its envelopes, with blanks between them: untrusted text must not become one.
    """

    def __init__(self, facts: Facts, values: ValueLowering, tags: Sequence[str]) -> None:
        self.facts = facts
        self.values = values
        self._taint = Taint(facts)
        self.tags = " ".join(tags)

    def source(self, source: ast.BodySource | None) -> tuple[ir.TextOp, ...]:
        """The operations of a body; none where there is none."""
        body = self.facts.bodies.get(source) if source is not None else None
        if body is None:
            return ()
        around, self._taint = self._taint, Taint(self.facts, body)
        ops = without_dead_ends(merged(self.parts(body.parts)))
        self._taint = around
        if _last_line_vanished(body) and ops and isinstance(ops[-1], ir.Lit):
            return without_newline_of_literal(ops)
        return without_last_newline(ops)

    def parts(self, parts: Sequence[ast.Part]) -> tuple[ir.TextOp, ...]:
        """The operations of some parts, in order."""
        out: list[ir.TextOp] = []
        for part in parts:
            out.extend(self._part(part))
        return tuple(out)

    def _part(self, part: ast.Part) -> Iterator[ir.TextOp]:
        match part:
            case ast.Literal(text=text):
                yield ir.Lit(text, part.span)
            case ast.Output(value=value):
                yield self._put(part, value)
            case ast.If():
                yield from self._if(part)
            case ast.For():
                yield self._for(part)
            case ast.Set(value=value):
                yield ir.Bind(self.facts.locals[part], self.values.value(value))
            case ast.Include(name=name):
                section = self.facts.symbols.sections[name.name]
                if not isinstance(section.content, nodes.DeltaBody):
                    yield from self.source(section.content)

    def _put(self, part: ast.Output, value: ex.Expr) -> ir.TextOp:
        lowered = self.values.value(value)
        if isinstance(lowered, ir.Const):
            return ir.Lit(str(lowered.value), part.span)
        is_int = isinstance(self.values.type_of(value), Int)
        if self.tags and not is_int and self._taint.of(value):
            lowered = ir.Apply("neutral", (lowered, ir.Const(self.tags)))
        return ir.Put(lowered, is_int, part.span)

    def _if(self, part: ast.If) -> Iterator[ir.TextOp]:
        arms: list[ir.Arm] = []
        orelse = part.orelse
        for branch in part.branches:
            test = self.values.truth(branch.test)
            if isinstance(test, ir.Const):
                if not test.value:
                    continue
                orelse = branch.body
                break
            arms.append(ir.Arm(test, merged(self.parts(branch.body))))
        rest = merged(self.parts(orelse))
        if arms:
            yield ir.Branch(tuple(arms), rest)
        else:
            yield from rest

    def _for(self, part: ast.For) -> ir.TextOp:
        local = self.facts.locals[part]
        items = self.values.value(part.iterable)
        test = self.values.truth(part.test) if part.test is not None else None
        body = merged(self.parts(part.body))
        return ir.Each(local, items, test, body, merged(self.parts(part.orelse)), uses_loop(body, local))


def _last_line_vanished(body: ast.Body) -> bool:
    # Behind the last literal stood what writes nothing and is no block: comments, `set`, the end of `raw`.
    parts = body.parts
    while parts and isinstance(parts[-1], ast.Set):
        parts = parts[:-1]
    return bool(parts) and isinstance(parts[-1], ast.Literal) and parts[-1].span.end < body.span.end


def merged(ops: Sequence[ir.TextOp]) -> tuple[ir.TextOp, ...]:
    """The same operations with neighbouring literals joined and empty ones gone."""
    out: list[ir.TextOp] = []
    for op in ops:
        last = out[-1] if out else None
        if isinstance(op, ir.Lit) and not op.text:
            continue
        if isinstance(op, ir.Lit) and isinstance(last, ir.Lit) and op.span.path == last.span.path:
            out[-1] = ir.Lit(last.text + op.text, last.span.to(op.span))
        else:
            out.append(op)
    return tuple(out)


def without_dead_ends(ops: tuple[ir.TextOp, ...]) -> tuple[ir.TextOp, ...]:
    """The operations without bindings at the very end, which nothing can read."""
    while ops and isinstance(ops[-1], ir.Bind):
        ops = ops[:-1]
    return ops


def uses_loop(ops: Sequence[ir.TextOp], local: str) -> bool:
    """Whether any `loop` property of the loop over `local` occurs."""
    return any(isinstance(v, ir.LoopProperty) and v.loop == local for v in values_in(ops))


def values_in(ops: Sequence[ir.TextOp]) -> Iterator[ir.Value]:
    """Every value, inner ones included, in some operations."""
    for op in ops:
        match op:
            case ir.Put(value=value) | ir.Bind(value=value):
                yield from _inner(value)
            case ir.Branch(arms=arms, orelse=orelse):
                for arm in arms:
                    yield from _inner(arm.test)
                    yield from values_in(arm.body)
                yield from values_in(orelse)
            case ir.Each(items=items, test=test, body=body, orelse=orelse):
                yield from _inner(items)
                if test is not None:
                    yield from _inner(test)
                yield from values_in(body)
                yield from values_in(orelse)
            case ir.Lit():
                continue


def _inner(value: ir.Value) -> Iterator[ir.Value]:
    yield value
    match value:
        case ir.Get(record=record):
            yield from _inner(record)
        case ir.Apply(args=args) | ir.ListOf(items=args):
            for arg in args:
                yield from _inner(arg)
        case ir.Choose(test=test, then=then, orelse=orelse):
            for part in (test, then, orelse):
                yield from _inner(part)
        case _:
            return


def without_newline_of_literal(ops: tuple[ir.TextOp, ...]) -> tuple[ir.TextOp, ...]:
    """The operations, of which the last is a literal, without the newline that may end it."""
    last = ops[-1]
    assert isinstance(last, ir.Lit)
    text = last.text.removesuffix("\n")
    return (*ops[:-1], replace(last, text=text)) if text else ops[:-1]


def without_last_newline(ops: tuple[ir.TextOp, ...]) -> tuple[ir.TextOp, ...]:
    """The operations whose text lacks the newline that a vanished last line leaves behind.

    A body that ends in a line of tags alone ends in whatever stands before that line, newline included. Between two
    sections that newline would become a blank line, so it belongs to the seam. It is taken away without looking at
    run time: the newline that ends each way out is moved to where the text in front of it ends, where one stands
    already. Where that is not possible for every way out, the text stays as it is.
    """
    if not ops or not isinstance(ops[-1], ir.Branch | ir.Each):
        return ops
    *front, last = ops
    before = front[-1] if front else None
    if not isinstance(before, ir.Lit) or not before.text.endswith("\n"):
        return ops
    turned = _turned(last)
    if turned is None:
        return ops
    head = replace(before, text=before.text[:-1])
    return (*front[:-1], *((head,) if head.text else ()), turned)


def _turned(op: ir.TextOp) -> ir.TextOp | None:
    # Every text that the operation writes ends with a newline; the result writes the same with that newline in front.
    match op:
        case ir.Branch(arms=arms, orelse=orelse):
            bodies = [_turned_ops(arm.body) for arm in arms]
            rest = _turned_ops(orelse)
            if rest is None or any(b is None for b in bodies):
                return None
            return ir.Branch(
                tuple(ir.Arm(arm.test, body) for arm, body in zip(arms, bodies, strict=True) if body is not None), rest
            )
        case ir.Each(body=body, orelse=orelse):
            inside, rest = _turned_ops(body), _turned_ops(orelse)
            return None if inside is None or rest is None else replace(op, body=inside, orelse=rest)
        case _:
            return None


def _turned_ops(ops: tuple[ir.TextOp, ...]) -> tuple[ir.TextOp, ...] | None:
    if not ops:
        return ops
    last = ops[-1]
    if isinstance(last, ir.Lit) and last.text.endswith("\n"):
        lead = ir.Lit(
            "\n", replace(last.span, start=last.span.end - 1 if last.span.end > last.span.start else last.span.start)
        )
        return merged((lead, *ops[:-1], replace(last, text=last.text[:-1])))
    if len(ops) == 1:
        turned = _turned(last)
        return None if turned is None else (turned,)
    trimmed = without_last_newline(ops)
    if trimmed is ops or not isinstance(ops[0], ir.Lit):
        return None
    # The inner tags gave their newline away; the text in front of them starts this way out.
    return merged((ir.Lit("\n", ops[0].span), *trimmed))
