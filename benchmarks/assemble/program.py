"""The residual program of the assembly workload: 40 sections, 30 tools, 50 messages, 16 contexts."""

from typing import Any

from promptc.ir.model import (
    Apply,
    Arm,
    Branch,
    Const,
    Each,
    Field,
    Get,
    Input,
    InputRef,
    Lit,
    Local,
    Program,
    Put,
    RecordType,
    ScopeChoice,
    Section,
    SystemBlock,
    TextOp,
    ToolGroup,
    Value,
)
from promptc.source import Span
from promptc.types import Bool, Int, Json, List, Record, Text, Type

SPAN = Span("workload.promptc", 0, 0)
TOOL = RecordType(
    "Tool",
    tuple(
        Field(name, kind, False, None)
        for name, kind in (
            ("name", Text()),
            ("group", Text()),
            ("description", Text()),
            ("destructive", Bool()),
            ("input_schema", Json()),
        )
    ),
)
# Which variables change within a conversation is not part of the workload; this is what an agent would declare.
TURN = {"budget_used", "budget_left", "turn"}


def build(workload: dict[str, Any]) -> Program:
    """The program; every section holds its own separator, as in the workload, so that the bytes are the same."""
    variables = workload["contexts"][0]["vars"]
    inputs = [
        given("model", Text(), "session"),
        given("model_family", Text(), "session"),
        given("provider", Text(), "session"),
        given("tools", List(Record("Tool")), "session"),
        *(given(f"flag_{name}", Bool(), "session") for name in workload["contexts"][0]["flags"]),
        *(
            given(f"var_{n}", Int() if isinstance(v, int) else Text(), "turn" if n in TURN else "session")
            for n, v in variables.items()
        ),
    ]
    inputs.sort(key=lambda one: one.cls != "session")
    kinds = {one.name: one.type for one in inputs}
    group = ToolGroup("tools", "session", InputRef("tools"), (), None, "static", "tool", None, SPAN)
    sections = tuple(section(one, kinds) for one in workload["sections"])
    return Program(
        name="workload",
        target="anthropic",
        wire="anthropic-messages",
        classes=("static", "session", "turn"),
        stages=("session", "turn"),
        records=(TOOL,),
        inputs=tuple(inputs),
        gates=(),
        requires=(),
        model=InputRef("model"),
        max_tokens=8192,
        tools=(group,),
        tools_marker=None,
        separator="",
        system=(SystemBlock(True, (ScopeChoice(None, "session", None),), sections),),
        preamble=None,
        tail=None,
        message_marker=None,
    )


def given(name: str, kind: Type, cls: str) -> Input:
    """A plain input."""
    return Input(name, kind, cls, None, None, False, None, SPAN)


def section(one: dict[str, Any], kinds: dict[str, Type]) -> Section:
    """A section of the workload."""
    when = condition(one["cond"]) if one["kind"] == "cond" else None
    ops: list[TextOp] = []
    if "text" in one:
        ops.append(Lit(one["text"] + one["sep"], SPAN))
    for part in one.get("parts", ()):
        ops.append(piece(part, kinds))
    if one["kind"] == "tools":
        ops.append(Each("tool", InputRef("tools"), None, tuple(loop_piece(part) for part in one["loop"]), (), False))
        ops.append(Lit(one["tail"], SPAN))
    if "parts" in one and one["sep"]:
        ops.append(Lit(one["sep"], SPAN))
    return Section(one["id"], "turn", "turn", when, "session", "inline", None, tuple(ops), None, SPAN)


def piece(part: dict[str, str], kinds: dict[str, Type]) -> TextOp:
    """A literal or a variable."""
    if "t" in part:
        return Lit(part["t"], SPAN)
    name = f"var_{part['v']}"
    return Put(InputRef(name), isinstance(kinds[name], Int), SPAN)


def loop_piece(part: dict[str, str]) -> TextOp:
    """A literal, a conditional literal or a field."""
    if "iff" in part:
        return Branch((Arm(Get(Local("tool"), part["iff"]), (Lit(part["t"], SPAN),)),), ())
    return Lit(part["t"], SPAN) if "t" in part else Put(Get(Local("tool"), part["f"]), False, SPAN)


def condition(atoms: list[list[str]]) -> Value:
    """A conjunction."""
    values: list[Value] = []
    for kind, name, *rest in atoms:
        if kind in ("flag", "not"):
            flag = InputRef(f"flag_{name}")
            values.append(flag if kind == "flag" else Apply("not", (flag,)))
        else:
            values.append(Apply("eq" if kind == "eq" else "ne", (InputRef(name), Const(rest[0]))))
    result = values[0]
    for value in values[1:]:
        result = Apply("and", (result, value))
    return result
