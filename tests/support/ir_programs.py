"""Small residual programs that tests of the back end share."""

from promptc.ir.model import (
    Apply,
    Arm,
    Branch,
    Const,
    Delta,
    Each,
    EnvelopeLane,
    Field,
    Get,
    Input,
    InputRef,
    Lit,
    Local,
    Marker,
    Program,
    Put,
    RecordType,
    ScopeChoice,
    Section,
    SystemBlock,
    TextOp,
    ToolGroup,
    ToolLiteral,
    Value,
)
from promptc.source import Span
from promptc.types import Bool, Enum, Json, List, Optional, Record, Text, Type

SPAN = Span("agent.promptc", 0, 5)


def lit(text: str) -> Lit:
    return Lit(text, SPAN)


def put(value: Value) -> Put:
    return Put(value, False, SPAN)


def text_input(name: str, cls: str, kind: Type | None = None, **more: object) -> Input:
    settings: dict[str, object] = {"max_chars": None, "cut": None, "has_default": False, "default": None, **more}
    return Input(name, kind or Text(), cls, span=SPAN, **settings)  # type: ignore[arg-type]


def section(
    name: str, cls: str, *body: TextOp, when: Value | None = None, deliver: str = "inline", **more: object
) -> Section:
    settings: dict[str, object] = {"key": None, "delta": None, **more}
    return Section(
        name=name,
        cls=cls,
        declared=cls,
        when=when,
        when_cls=cls,
        deliver=deliver,
        body=body,
        span=SPAN,
        **settings,  # type: ignore[arg-type]
    )


def block(*sections: Section, marked: bool = True, ttl: int | None = None) -> SystemBlock:
    return SystemBlock(marked, (ScopeChoice(None, "global" if marked else None, ttl),), sections)


def program(**more: object) -> Program:
    """A program with nothing in it but what is given."""
    settings: dict[str, object] = {
        "name": "agent",
        "target": "anthropic",
        "wire": "anthropic-messages",
        "classes": ("static", "org", "user", "session", "turn"),
        "stages": (),
        "records": (),
        "inputs": (),
        "gates": (),
        "requires": (),
        "model": Const("a-model"),
        "max_tokens": 1024,
        "tools": (),
        "tools_marker": None,
        "separator": "\n\n",
        "system": (),
        "preamble": None,
        "tail": None,
        "message_marker": None,
    }
    return Program(**{**settings, **more})  # type: ignore[arg-type]


TOOL = RecordType(
    "Tool",
    (
        Field("name", Text(), False, None),
        Field("description", Text(), False, None),
        Field("input_schema", Json(), False, None),
        Field("deferred", Bool(), True, False),
    ),
)

AGENT = program(
    stages=("static", "session", "turn"),
    records=(TOOL,),
    inputs=(
        text_input("mode", "static", Enum(("tty", "pipe"))),
        text_input("tools", "static", List(Record("Tool"))),
        text_input("cwd", "session"),
        text_input("git_status", "session", Optional(Text()), max_chars=20, cut=" [cut]"),
        text_input("plan_mode", "turn", Bool()),
        text_input("note", "turn", Optional(Text())),
    ),
    tools=(
        ToolGroup(
            "given",
            "static",
            InputRef("tools"),
            ("name",),
            None,
            "static",
            "tool",
            Get(Local("tool"), "deferred"),
            SPAN,
        ),
        ToolLiteral(
            "finish", "static", None, "static", (lit("Say that the work is done."),), '{"type":"object"}', SPAN
        ),
    ),
    tools_marker=Marker(None),
    system=(
        block(section("header", "static", lit("client=cli; mode="), put(InputRef("mode"))), marked=False),
        block(
            section("identity", "static", lit("You work in a “terminal”.")),
            section("tty_only", "static", lit("Be brief."), when=Apply("eq", (InputRef("mode"), Const("tty")))),
            section(
                "toolbox",
                "static",
                Each(
                    "each_tool",
                    InputRef("tools"),
                    None,
                    (lit("- "), put(Get(Local("each_tool"), "name")), lit("\n")),
                    (),
                    False,
                ),
            ),
            ttl=3600,
        ),
        block(
            section(
                "environment",
                "session",
                lit("Working directory: "),
                put(InputRef("cwd")),
                Branch(
                    (Arm(Apply("defined", (InputRef("git_status"),)), (lit("\nGit: "), put(InputRef("git_status")))),),
                    (),
                ),
            ),
            ttl=300,
        ),
    ),
    preamble=EnvelopeLane(
        "<reminder>\n",
        "\n</reminder>",
        "\n",
        (section("memory", "session", lit("cwd was "), put(InputRef("cwd")), deliver="frozen"),),
    ),
    tail=EnvelopeLane(
        "<reminder>\n",
        "\n</reminder>",
        "\n",
        (
            section(
                "plan",
                "turn",
                deliver="delta",
                delta=Delta(
                    InputRef("plan_mode"),
                    (lit("Plan mode is on."),),
                    (lit("Plan mode changed."),),
                    (lit("Plan mode is off."),),
                ),
            ),
            section("note", "turn", put(Apply("default", (InputRef("note"), Const("")))), deliver="ephemeral"),
        ),
    ),
    message_marker=Marker(300),
)

AGENT_INPUTS: dict[str, object] = {
    "mode": "tty",
    "tools": [
        {"name": "write", "description": "Writes.", "input_schema": {"type": "object", "b": 1.0, "a": 1e21}},
        {"name": "read", "description": 'Reads "files".', "input_schema": {}, "deferred": True},
    ],
    "cwd": "/srv/app",
    "git_status": "M a.txt and much more of it",
    "plan_mode": True,
}
