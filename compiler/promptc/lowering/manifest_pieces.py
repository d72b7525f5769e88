"""Residual text as pieces of a manifest, every hole and branch with the class of what it reads."""

from collections.abc import Sequence

from promptc.ir import model as ir
from promptc.lowering.value_text import leaves, local_text, value_text
from promptc.streams.manifest_model import (
    ArmPiece,
    BranchPiece,
    HolePiece,
    LetPiece,
    LoopPiece,
    PhasePiece,
    Piece,
    TextPiece,
)
from promptc.streams.manifest_pieces import merged


class PieceBuilder:
    """Builds the pieces of one program."""

    def __init__(self, program: ir.Program) -> None:
        self.chain = program.classes
        self._inputs = {i.name: i.cls for i in program.inputs}
        self._gates = {g.name: g.cls for g in program.gates}
        self._locals: dict[str, str] = {}

    def class_of(self, *values: ir.Value | None) -> str:
        """The highest class among everything that some values read."""
        ranks = [0]
        for leaf in leaves(values):
            match leaf:
                case ir.InputRef(name=name):
                    ranks.append(self.chain.index(self._inputs[name]))
                case ir.GateRef(name=name):
                    ranks.append(self.chain.index(self._gates[name]))
                case ir.Local(name=name) | ir.LoopProperty(loop=name):
                    ranks.append(self.chain.index(self._locals.get(name, self.chain[0])))
        return self.chain[max(ranks)]

    def section(self, section: ir.Section) -> tuple[Piece, ...]:
        """What a section writes; for one delivered as differences its three texts."""
        delta = section.delta
        if delta is None:
            return self.pieces(section.body)
        when = value_text(delta.first_when) if delta.first_when is not None else None
        return (
            PhasePiece(phase="first", when=when, pieces=self.pieces(delta.first)),
            PhasePiece(phase="changed", pieces=self.pieces(delta.changed)),
            PhasePiece(phase="gone", pieces=self.pieces(delta.gone)),
        )

    def pieces(self, ops: Sequence[ir.TextOp]) -> tuple[Piece, ...]:
        """The pieces of some operations, in order."""
        out: list[Piece] = []
        for op in ops:
            match op:
                case ir.Lit(text=text):
                    out.append(TextPiece(text=text))
                case ir.Put(value=value):
                    out.extend(self.value(value))
                case ir.Branch(arms=arms, orelse=orelse):
                    out.append(
                        BranchPiece(arms=tuple(self._arm(a.test, a.body) for a in arms), orelse=self.pieces(orelse))
                    )
                case ir.Each():
                    out.append(self._loop(op))
                case ir.Bind(local=name, value=value):
                    cls = self._locals[name] = self.class_of(value)
                    out.append(LetPiece(let=local_text(name), be=value_text(value), cls=cls))
        return merged(out)

    def value(self, value: ir.Value) -> tuple[Piece, ...]:
        """An inserted value: choices in it are branches of text, so that a variant can decide them."""
        match value:
            case ir.Const(value=constant):
                return (TextPiece(text=str(constant)),)
            case ir.Choose(test=test, then=then, orelse=orelse):
                arm = ArmPiece(when=value_text(test), cls=self.class_of(test), then=self.value(then))
                return (BranchPiece(arms=(arm,), orelse=self.value(orelse)),)
            case ir.Apply(op="concat", args=args):
                return tuple(piece for arg in args for piece in self.value(arg))
            case _:
                return (HolePiece(hole=value_text(value), cls=self.class_of(value)),)

    def _arm(self, test: ir.Value, body: Sequence[ir.TextOp]) -> ArmPiece:
        return ArmPiece(when=value_text(test), cls=self.class_of(test), then=self.pieces(body))

    def _loop(self, op: ir.Each) -> LoopPiece:
        self._locals[op.local] = self.class_of(op.items)
        return LoopPiece(
            each=value_text(op.items),
            name=local_text(op.local),
            cls=self.class_of(op.items, op.test),
            when=value_text(op.test) if op.test is not None else None,
            body=self.pieces(op.body),
            orelse=self.pieces(op.orelse),
        )
