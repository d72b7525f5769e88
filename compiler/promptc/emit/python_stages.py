"""Print the stages of an assembler: each class takes the inputs of one stage and writes what it can."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from promptc.emit.python_literals import bytes_literal
from promptc.emit.python_names import PythonNames
from promptc.emit.python_parts import Item, Step
from promptc.emit.python_text import append_lines


@dataclass
class Plan:
    """What is computed at which stage.

    Attributes:
        own: Variables that each stage starts with: its inputs.
        steps: Computations of each stage, in order; stage -1 is the import of the module.
        items: What is left to write when a request is made.
    """

    own: list[tuple[str, ...]]
    steps: dict[int, list[Step]] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)

    def add(self, step: Step) -> None:
        """Add a computation behind those of its stage so far."""
        self.steps.setdefault(step.stage, []).append(step)


def seal_runs(plan: Plan, items: Sequence[Item], request: int, names: PythonNames) -> None:
    """Join, at each stage, every run of items that is known by then into one sealed part.

    A run is a maximal sequence of neighbours; it is joined again at a later stage together with what has become known
    beside it, so a request copies few large pieces instead of many small ones.
    """
    left = list(items)
    for stage in range(request):
        joined: list[Item] = []
        run: list[Item] = []
        for item in [*left, Item(request, frozenset())]:
            if item.stage <= stage:
                run.append(item)
                continue
            if len(run) > 1 and any(max(one.stage, 0) == stage for one in run):
                joined.append(_sealed(plan, run, stage, names))
            else:
                joined += run
            run = []
            joined.append(item)
        left = joined[:-1]
    plan.items = left


def _sealed(plan: Plan, run: Sequence[Item], stage: int, names: PythonNames) -> Item:
    name = names.module.claim("head")
    uses = frozenset().union(*(item.uses for item in run))
    lines = ["out = Parts()", *write_items(run), f"{name} = seal(out)"]
    plan.add(Step(stage, uses, tuple(lines), name))
    # What the run reads is read here; from now on only the sealed part is.
    return Item(stage, frozenset((name,)), lines=(f"out += {name}",))


def write_items(items: Sequence[Item]) -> list[str]:
    """Statements that write items to `out`, neighbouring pieces in one statement."""
    lines: list[str] = []
    pieces: list[str] = []
    for item in items:
        if item.pieces:
            for piece in item.pieces:
                _add_piece(pieces, piece)
            continue
        lines += append_lines("out", pieces)
        pieces = []
        lines += item.lines
    return lines + append_lines("out", pieces)


def _add_piece(pieces: list[str], piece: str) -> None:
    """Add a piece; two neighbouring literals of the wire format become one."""
    if pieces and all(part.endswith((", 0",)) and part.startswith(("b'", 'b"')) for part in (pieces[-1], piece)):
        both = ast.literal_eval(pieces[-1][:-3]) + ast.literal_eval(piece[:-3])
        pieces[-1] = f"{bytes_literal(both)}, 0"
    else:
        pieces.append(piece)


@dataclass(frozen=True)
class StageClass:
    """One printed class.

    Attributes:
        slots: Attributes that later stages read.
        init: Statements of `__init__`.
        inherited: Variables taken over from the class before.
    """

    slots: tuple[str, ...]
    init: tuple[str, ...]
    inherited: tuple[str, ...]


def stage_class(plan: Plan, stage: int, needed_later: frozenset[str]) -> StageClass:
    """Lay out the class of a stage.

    Args:
        needed_later: Variables that any later stage reads.
    """
    steps = plan.steps.get(stage, [])
    defined = [*plan.own[stage], *(step.defines for step in steps if step.defines is not None)]
    used = frozenset().union(*(step.uses for step in steps))
    foreign = sorted(name for name in (used | needed_later) - set(defined) if not name.startswith("_"))
    slots = tuple(sorted(name for name in [*foreign, *defined] if name in needed_later))
    init = [line for step in steps for line in step.lines]
    return StageClass(slots, tuple(init), tuple(foreign))


def needed_after(plan: Plan, stage: int, request: int, request_uses: frozenset[str]) -> frozenset[str]:
    """Variables that stages after one, or a request, read and do not define themselves."""
    needed = set(request_uses)
    for later in range(request - 1, stage, -1):
        steps = plan.steps.get(later, [])
        needed |= {name for step in steps for name in step.uses}
        needed -= {*plan.own[later], *(step.defines for step in steps if step.defines is not None)}
    return frozenset(name for name in needed if not name.startswith("_"))
