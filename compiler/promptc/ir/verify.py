"""Check that a residual program is well formed, so that a fault of lowering shows where it was made."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import is_dataclass

from promptc.ir.form import TTL_TEXT
from promptc.ir.interpret_state import placed_sections
from promptc.ir.model import (
    Apply,
    Bind,
    Branch,
    Const,
    Each,
    Lit,
    Local,
    LoopProperty,
    Program,
    Section,
    TextOp,
    ToolGroup,
)
from promptc.ir.ops import OPS
from promptc.ir.stages import Stages, reads
from promptc.ir.walk import child_names

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def verify(program: Program) -> tuple[str, ...]:
    """Everything that is wrong with a program, one sentence each; empty for a program that emitters can take.

    A finding is a fault of promptc (PC901), never of a spec.
    """
    return tuple(_problems(program))


def _problems(program: Program) -> Iterator[str]:
    yield from _declarations(program)
    yield from _values(program)
    yield from _lanes(program)
    for section in placed_sections(program):
        yield from _section(program, section)
    for tool in program.tools:
        if isinstance(tool, ToolGroup):
            yield from _scoped((), f"tool group `{tool.name}`", {tool.element}, (tool.defer,))
        else:
            yield from _scoped(tool.description, f"tool `{tool.name}`", set(), ())


def _declarations(program: Program) -> Iterator[str]:
    with_inputs = {given.cls for given in program.inputs}
    if program.stages != tuple(name for name in program.classes if name in with_inputs):
        yield "the stages are not the classes that have inputs, lowest first"
    # A target is an id of the facts, and ids count generations: `openai-chat-5.6`.
    names = [
        program.name,
        program.target.replace(".", "-"),
        *program.classes,
        *(given.name for given in program.inputs),
    ]
    for record in program.records:
        names += [record.name, *(field.name for field in record.fields)]
    # These become names, docstrings and messages in emitted code.
    yield from (f"{name!a} is not a name" for name in names if not _NAME.fullmatch(name))
    named = {
        "input": [given.name for given in program.inputs],
        "gate": [gate.name for gate in program.gates],
        "record": [record.name for record in program.records],
        "section": [section.name for section in placed_sections(program)],
    }
    for what, names in named.items():
        yield from (f"the {what} `{name}` occurs twice" for name, many in sorted(Counter(names).items()) if many > 1)


def _values(program: Program) -> Iterator[str]:
    inputs, gates = reads(program)
    yield from (f"`{name}` is not an input" for name in sorted(inputs - {given.name for given in program.inputs}))
    known: set[str] = set()
    for gate in program.gates:
        yield from (f"gate `{gate.name}` reads `{name}` before it is known" for name in sorted(reads(gate)[1] - known))
        known.add(gate.name)
    yield from (f"`{name}` is not a gate" for name in sorted(gates - known))
    for node in _nodes(program):
        if isinstance(node, Apply):
            operation = OPS.get(node.op)
            if operation is None:
                yield f"`{node.op}` is not an operation"
            elif operation.arity not in (None, len(node.args)):
                yield f"`{node.op}` takes {operation.arity} arguments, not {len(node.args)}"
            elif node.op in ("floordiv", "mod") and not (isinstance(node.args[1], Const) and node.args[1].value):
                yield f"`{node.op}` divides by something other than a literal that is not 0"
        elif isinstance(node, Lit) and not node.text:
            yield "a literal text is empty"


def _nodes(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        for item in node:
            yield from _nodes(item)
    elif is_dataclass(node):
        yield node
        for name in child_names(node):
            yield from _nodes(getattr(node, name))


def _lanes(program: Program) -> Iterator[str]:
    if program.cache_key is not None and not program.form.key_field:
        yield "a cache key has no member to stand in"
    markers = [marker for marker in (program.tools_marker, program.message_marker) if marker is not None]
    if program.lagging and program.message_marker is None:
        yield "a lagging marker stands without the message marker that it follows"
    lifetimes = [marker.ttl for marker in markers]
    for block in program.system:
        lifetimes += [choice.ttl for choice in block.scopes]
        if not block.scopes or block.scopes[-1].when is not None:
            yield "the last scope of a block has a condition"
    yield from (f"no marker can live {ttl} seconds" for ttl in lifetimes if ttl is not None and ttl not in TTL_TEXT)
    allowed = {"system": ("inline", "frozen"), "preamble": ("inline", "frozen")}
    lanes = [("system", block.sections) for block in program.system]
    if program.preamble is not None:
        lanes.append(("preamble", program.preamble.sections))
    for lane, sections in lanes:
        for section in sections:
            if section.deliver not in allowed[lane]:
                yield f"section `{section.name}` cannot be delivered {section.deliver} in the {lane} lane"


def _section(program: Program, section: Section) -> Iterator[str]:
    where = f"section `{section.name}`"
    if (section.deliver == "delta") != (section.delta is not None):
        yield f"{where} has renderers for differences exactly when it is not delivered so"
    delta = section.delta
    bodies = (section.body,) if delta is None else (delta.first, delta.changed, delta.gone)
    for body in bodies:
        yield from _scoped(body, where, set(), (section.when, section.key))
    if _known_inputs(program, section):
        # A gate may be known later than the text that it lets through: it forks the prefix, and has its own class.
        yield from _held(program, where, section.cls, (section.body, section.key, section.delta))
        yield from _held(program, f"the gate of {where}", section.when_cls, (section.when,))


def _held(program: Program, where: str, cls: str, nodes: tuple[object, ...]) -> Iterator[str]:
    rank = Stages(program).of(*nodes)
    if rank >= 0 and program.classes.index(program.stages[rank]) > program.classes.index(cls):
        yield f"{where} is of class `{cls}` and reads an input of class `{program.stages[rank]}`"


def _known_inputs(program: Program, section: Section) -> bool:
    inputs, gates = reads(section)
    return inputs <= {given.name for given in program.inputs} and gates <= {gate.name for gate in program.gates}


def _scoped(ops: tuple[TextOp, ...], where: str, known: set[str], more: tuple[object, ...]) -> Iterator[str]:
    """Locals that are read where they may have no value."""
    for node in _nodes(more):
        if isinstance(node, Local) and node.name not in known:
            yield f"{where} reads the local `{node.name}` where it has no value"
    known = set(known)
    for op in ops:
        match op:
            case Bind(local=local, value=value):
                yield from _scoped((), where, known, (value,))
                known.add(local)
            case Branch(arms=arms, orelse=orelse):
                for arm in arms:
                    yield from _scoped(arm.body, where, known, (arm.test,))
                yield from _scoped(orelse, where, known, ())
            case Each(local=local, items=items, test=test, body=body, orelse=orelse):
                yield from _scoped((), where, known, (items,))
                yield from _scoped(body, where, known | {local}, (test,))
                yield from _scoped(orelse, where, known, ())
                if not op.uses_loop and any(isinstance(n, LoopProperty) and n.loop == local for n in _nodes(body)):
                    yield f"{where} reads a property of the loop over `{local}` that is not declared to be read"
            case _:
                yield from _scoped((), where, known, (op,))
