"""Random well-typed residual programs, and inputs for them."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from promptc.ir.model import (
    Apply,
    Const,
    Delta,
    EnvelopeLane,
    Gate,
    Get,
    Input,
    InputRef,
    Local,
    Marker,
    Program,
    Require,
    ScopeChoice,
    Section,
    SystemBlock,
    ToolGroup,
    ToolLiteral,
)
from promptc.ir.stages import Stages
from promptc.types import Bool, Enum, Int, Json, List, Optional, Record, Text, Type
from support.ir_expressions import (
    CLASSES,
    INPUT_TYPES,
    JSON,
    PERSON,
    RECORDS,
    SHOWN,
    SPANS,
    TEXTS,
    TOOL,
    Draw,
    Env,
    text_ops,
    value,
)
from support.ir_targets import ANTHROPIC, IrTarget


@st.composite
def programs(draw: Draw, target: IrTarget = ANTHROPIC) -> Program:
    """A program for a target."""
    stages = tuple(name for name in CLASSES if draw(st.booleans()))
    inputs: list[Input] = []
    for stage in stages:
        for _ in range(draw(st.integers(1, 3))):
            inputs.append(_input(draw, f"in_{len(inputs)}", stage))
    tools_at = draw(st.sampled_from(stages)) if stages and draw(st.booleans()) else None
    if tools_at is not None:
        inputs.append(Input("tools", List(Record("Tool")), tools_at, None, None, False, None, draw(SPANS)))
        inputs.sort(key=lambda given: CLASSES.index(given.cls))
    env = Env({given.name: given.type for given in inputs}, ())
    gates: list[Gate] = []
    for number in range(draw(st.integers(0, 2))):
        gates.append(Gate(f"gate-{number}", value(draw, env, Bool()), CLASSES[-1]))
        env = replace(env, gates=tuple(gate.name for gate in gates))
    sections = _Sections(draw, env)
    message_marker = draw(st.sampled_from((None, Marker(None), Marker(300))))
    program = Program(
        name="random-program",
        target=target.name,
        wire=target.wire,
        form=target.form,
        classes=CLASSES,
        stages=stages,
        records=(PERSON, TOOL),
        inputs=tuple(inputs),
        gates=tuple(gates),
        requires=(Require(Apply("or", (value(draw, env, Bool(), 1), Const(True))), "never", CLASSES[-1]),),
        model=draw(st.sampled_from((None, Const("m“odel"), value(draw, env, Text(), 1)))),
        max_tokens=512,
        tools=_tools(draw, env, tools_at is not None),
        tools_marker=draw(st.sampled_from((None, Marker(None), Marker(3600)))),
        separator=draw(st.sampled_from(("\n\n", "", "“"))),
        system=tuple(_block(draw, env, sections) for _ in range(draw(st.integers(0, 3)))),
        preamble=_lane(draw, sections, ("inline", "frozen")) if draw(st.booleans()) else None,
        tail=_lane(draw, sections, ("inline", "frozen", "delta", "delta", "ephemeral"))
        if draw(st.booleans())
        else None,
        message_marker=message_marker,
        lagging=message_marker is not None and draw(st.booleans()),
        cache_key=value(draw, env, Text(), 1) if target.form.key_field and draw(st.booleans()) else None,
    )
    return _with_classes(program)


def _with_classes(program: Program) -> Program:
    """The classes of sections as lowering would infer them."""
    stages = Stages(program)

    def cls(*nodes: object) -> str:
        at = stages.of(*nodes)
        return program.classes[0] if at < 0 else program.stages[at]

    def section(one: Section) -> Section:
        own = cls(one.body, one.when, one.key, one.delta)
        return replace(one, cls=own, declared=own, when_cls=cls(one.when))

    def lane(one: EnvelopeLane | None) -> EnvelopeLane | None:
        return None if one is None else replace(one, sections=tuple(map(section, one.sections)))

    return replace(
        program,
        gates=tuple(replace(gate, cls=cls(gate.value)) for gate in program.gates),
        requires=tuple(replace(require, cls=cls(require.value)) for require in program.requires),
        system=tuple(replace(block, sections=tuple(map(section, block.sections))) for block in program.system),
        preamble=lane(program.preamble),
        tail=lane(program.tail),
    )


def _input(draw: Draw, name: str, stage: str) -> Input:
    kind = draw(st.sampled_from(INPUT_TYPES))
    limit = draw(st.sampled_from((None, 3))) if kind in (Text(), Optional(Text())) else None
    cut = draw(SHOWN) if limit is not None else None
    has_default = draw(st.booleans())
    default = draw(values_of(kind)) if has_default and not isinstance(kind, Optional) else None
    return Input(name, kind, stage, limit, cut, has_default, default, draw(SPANS))


class _Sections:
    def __init__(self, draw: Draw, env: Env) -> None:
        self.draw, self.env, self.count = draw, env, 0

    def one(self, deliver: str) -> Section:
        draw, env = self.draw, self.env
        self.count += 1
        when = value(draw, env, Bool(), 1) if draw(st.integers(0, 2)) == 0 else None
        delta, body = None, text_ops(draw, env)
        if deliver == "delta":
            first_when = value(draw, env, Bool(), 1) if draw(st.booleans()) else None
            delta = Delta(first_when, body, text_ops(draw, env, 1), text_ops(draw, env, 1))
            body = ()
        key = value(draw, env, Text(), 1) if deliver == "frozen" and draw(st.booleans()) else None
        return Section(
            f"section-{self.count}",
            "",
            "",
            when,
            "",
            deliver,
            key,
            body,
            delta,
            draw(SPANS),  # type: ignore[arg-type]
        )


def _block(draw: Draw, env: Env, sections: _Sections) -> SystemBlock:
    marked = draw(st.booleans())
    choices = [ScopeChoice(None, draw(st.sampled_from(("wide", None))), draw(st.sampled_from((None, 300, 3600))))]
    if draw(st.booleans()):
        choices.insert(0, ScopeChoice(value(draw, env, Bool(), 1), "narrow", 300))
    if not marked:
        choices = [ScopeChoice(None, None, None)]
    deliveries = [
        draw(st.sampled_from(("inline", "inline", "inline", "frozen"))) for _ in range(draw(st.integers(0, 4)))
    ]
    return SystemBlock(marked, tuple(choices), tuple(sections.one(deliver) for deliver in deliveries))


def _lane(draw: Draw, sections: _Sections, deliveries: tuple[str, ...]) -> EnvelopeLane:
    chosen = [draw(st.sampled_from(deliveries)) for _ in range(draw(st.integers(0, 3)))]
    ends = draw(st.sampled_from((("<r>\n", "\n</r>"), ("", ""))))
    return EnvelopeLane(ends[0], ends[1], draw(st.sampled_from(("\n", ""))), tuple(map(sections.one, chosen)))


def _tools(draw: Draw, env: Env, given: bool) -> tuple[ToolGroup | ToolLiteral, ...]:
    tools: list[ToolGroup | ToolLiteral] = []
    if given:
        defer = draw(st.sampled_from((None, Get(Local("tool"), "late"))))
        order = draw(st.sampled_from(((), ("name",), ("rank", "name"))))
        when = value(draw, env, Bool(), 1) if draw(st.booleans()) else None
        tools.append(ToolGroup("group", "", InputRef("tools"), order, when, "", "tool", defer, draw(SPANS)))
    if draw(st.booleans()):
        when = value(draw, env, Bool(), 1) if draw(st.booleans()) else None
        literal = ToolLiteral("finish", "", when, "", text_ops(draw, env, 1), '{"type":"obj“ect"}', draw(SPANS))
        tools.insert(draw(st.integers(0, len(tools))), literal)
    return tuple(tools)


def values_of(kind: Type) -> st.SearchStrategy[Any]:
    """Plain values of a type."""
    match kind:
        case Text():
            return TEXTS
        case Bool():
            return st.booleans()
        case Int(low=low, high=high):
            return st.integers(-9 if low is None else low, 9 if high is None else high)
        case Enum(members=members):
            return st.sampled_from(members)
        case Json():
            return JSON
        case Optional(item=item):
            return st.none() | values_of(item)
        case List(item=item):
            return st.lists(values_of(item), max_size=3)
        case Record(name=name):
            fields = RECORDS[name].fields
            required = {f.name: values_of(f.type) for f in fields if not f.has_default}
            return st.fixed_dictionaries(
                required, optional={f.name: values_of(f.type) for f in fields if f.has_default}
            )
        case _:
            raise AssertionError(kind)


@st.composite
def inputs_for(draw: Draw, program: Program) -> dict[str, Any]:
    """Inputs that a program takes."""
    given = {}
    for declared in program.inputs:
        if declared.name == "tools":
            tools = draw(st.lists(values_of(Record("Tool")), max_size=3, unique_by=lambda tool: tool["name"]))
            given["tools"] = [tool for tool in tools if tool["name"] != "finish"]
        elif not ((declared.has_default or isinstance(declared.type, Optional)) and draw(st.booleans())):
            given[declared.name] = draw(values_of(declared.type))
    return given
