"""What is visible at a point in a body: locals, the loop, and which optionals were tested."""

from dataclasses import dataclass, replace

from promptc.syntax import expressions as ex
from promptc.types import Type


@dataclass(frozen=True, slots=True)
class LocalVar:
    """A loop or `set` variable.

    Attributes:
        unique: Its name, made unique within the section.
        type: Its type; None where it could not be told (uses of it are then not checked).
    """

    unique: str
    type: Type | None


@dataclass(frozen=True, slots=True)
class Env:
    """Immutable; each construct derives a new one.

    Attributes:
        locals: By name as written.
        loop: Unique name of the innermost loop's element; None outside loops.
        narrowed: Paths (`git_status`, `tool.server`) of optionals that were tested.
        half_set: Variables that only some paths have set.
        broken: Whether the body has a syntax error: what introduces a name may stand in what was not read.
    """

    locals: dict[str, LocalVar]
    loop: str | None = None
    narrowed: frozenset[str] = frozenset()
    half_set: frozenset[str] = frozenset()
    broken: bool = False

    def with_local(self, name: str, variable: LocalVar) -> "Env":
        """This environment with one more variable; what was known about paths through the name is forgotten."""
        kept = frozenset(p for p in self.narrowed if p != name and not p.startswith(name + "."))
        return replace(self, locals={**self.locals, name: variable}, narrowed=kept, half_set=self.half_set - {name})

    def with_narrowed(self, paths: frozenset[str]) -> "Env":
        """This environment where some optionals are known to be there."""
        return replace(self, narrowed=self.narrowed | paths) if paths - self.narrowed else self


def path_of(expr: ex.Expr) -> str | None:
    """The dotted path of a name or attribute chain; None for anything else."""
    match expr:
        case ex.Name(name=name):
            return name
        case ex.Attribute(value=value, name=ident):
            base = path_of(value)
            return None if base is None else f"{base}.{ident.name}"
        case _:
            return None


def proved(expr: ex.Expr, outcome: bool) -> frozenset[str]:
    """Paths that are known to be there when `expr` came out as `outcome`."""
    match expr:
        case ex.Name() | ex.Attribute():
            path = path_of(expr)
            return frozenset((path,)) if outcome and path is not None else frozenset()
        case ex.Not(operand=operand):
            return proved(operand, not outcome)
        case ex.Logical(op="and", left=left, right=right):
            return proved(left, True) | proved(right, True) if outcome else frozenset()
        case ex.Logical(op="or", left=left, right=right):
            return frozenset() if outcome else proved(left, False) | proved(right, False)
        case ex.Test(value=value, name=ident, negated=negated):
            path = path_of(value)
            present = {"defined": True, "undefined": False, "none": False}.get(ident.name)
            if path is None or present is None:
                return frozenset()
            holds = outcome != negated
            return frozenset((path,)) if holds == present else frozenset()
        case ex.Compare(op="==", left=left, right=right) if outcome:
            # Equality with a value that is there proves that the other side is there.
            for side, other in ((left, right), (right, left)):
                path = path_of(side)
                if path is not None and isinstance(other, ex.TextLiteral | ex.IntLiteral | ex.BoolLiteral):
                    return frozenset((path,))
            return frozenset()
        case _:
            return frozenset()
