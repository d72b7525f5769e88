"""How many steps rendering a sample can take: an upper bound, known before anything is rendered."""

from collections.abc import Mapping, Sequence

from promptc.ir import model as ir

# Rendering takes a few hundred nanoseconds a step, so this is some seconds at the most.
MAX_STEPS = 20_000_000


def steps(program: ir.Program, inputs: Mapping[str, object]) -> int:
    """Upper bound of the text operations that one request takes: every list as long as the longest one passed."""
    longest = max((_longest(v) for v in inputs.values()), default=0)
    total = 0
    for section in _sections(program):
        total += _ops(section.body, longest)
        if section.delta is not None:
            for body in (section.delta.first, section.delta.changed, section.delta.gone):
                total += _ops(body, longest)
    return total


def _sections(program: ir.Program) -> Sequence[ir.Section]:
    out = [s for block in program.system for s in block.sections]
    for lane in (program.preamble, program.tail):
        out.extend(lane.sections if lane is not None else ())
    return out


def _longest(value: object) -> int:
    if isinstance(value, Mapping):
        return max((_longest(v) for v in value.values()), default=0)
    if isinstance(value, list | tuple):
        return max([len(value), *(_longest(v) for v in value)])
    return 0


def _ops(ops: Sequence[ir.TextOp], longest: int) -> int:
    total = 0
    for op in ops:
        match op:
            case ir.Each(items=ir.ListOf(items=items), body=body, orelse=orelse):
                total += len(items) * _ops(body, longest) + _ops(orelse, longest)
            case ir.Each(body=body, orelse=orelse):
                total += longest * _ops(body, longest) + _ops(orelse, longest)
            case ir.Branch(arms=arms, orelse=orelse):
                total += sum(_ops(arm.body, longest) for arm in arms) + _ops(orelse, longest)
            case _:
                total += 1
    return total + 1
