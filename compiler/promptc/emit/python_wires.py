"""What an emitted Python module says for each request format: which runtime it takes, and the bytes around its parts."""

from collections.abc import Mapping
from dataclasses import dataclass

from promptc.emit.python_literals import bytes_literal, text_literal
from promptc.ir.form import PLAIN_FORM, TTL_TEXT, WireForm
from promptc.ir.model import Program
from promptc.ir.wires.dialect import name_of_target


@dataclass(frozen=True, slots=True)
class PythonWire:
    """One format.

    Attributes:
        module: Its runtime module; None for the format that the conversation is written for by itself.
        conversation: The class that writes messages.
        tool: Constant that says how a tool is written; None for the default.
        tools: In front of the first tool and behind the last one.
        system: In front of the first system block and behind the last one.
        system_is_message: Whether the system text stands among the messages, and has no member of its own.
        text: In front of the text of a system block.
        messages: In front of the first message, and behind the last one.
        limit: In front of the bound of an answer and behind it; `%b` is the name of the member.
    """

    module: str | None
    conversation: str
    tool: str | None
    tools: tuple[bytes, bytes]
    system: tuple[bytes, bytes]
    system_is_message: bool
    text: bytes
    messages: tuple[bytes, bytes]
    limit: tuple[bytes, bytes]


_TOOLS = (b',"tools":[', b"]")
_SYSTEM = (b',"system":[', b"]")
_MESSAGES = (b',"messages":[', b"]}")
# The role is filled in from the form of the target.
_SYSTEM_MESSAGE = (b'{"role":"%b","content":[', b"]}")

WIRES: Mapping[str, PythonWire] = {
    "anthropic-messages": PythonWire(
        module=None,
        conversation="Conversation",
        tool=None,
        tools=_TOOLS,
        system=_SYSTEM,
        system_is_message=False,
        text=b'{"type":"text","text":"',
        messages=_MESSAGES,
        limit=(b'"max_tokens":', b""),
    ),
    "bedrock-converse": PythonWire(
        module="wire_bedrock_converse",
        conversation="ConverseConversation",
        tool="CONVERSE_TOOL",
        tools=(b',"toolConfig":{"tools":[', b"]}"),
        system=_SYSTEM,
        system_is_message=False,
        text=b'{"text":"',
        messages=_MESSAGES,
        limit=(b'"inferenceConfig":{"maxTokens":', b"}"),
    ),
    "openai-chat": PythonWire(
        module="wire_openai_chat",
        conversation="ChatConversation",
        tool="CHAT_TOOL",
        tools=_TOOLS,
        system=_SYSTEM_MESSAGE,
        system_is_message=True,
        text=b'{"type":"text","text":"',
        messages=_MESSAGES,
        limit=(b'"%b":', b""),
    ),
    "openai-responses": PythonWire(
        module="wire_openai_responses",
        conversation="ResponsesConversation",
        tool="RESPONSES_TOOL",
        tools=_TOOLS,
        system=_SYSTEM_MESSAGE,
        system_is_message=True,
        text=b'{"type":"input_text","text":"',
        messages=(b',"input":[', b"]}"),
        limit=(b'"max_output_tokens":', b""),
    ),
    "gemini-generate": PythonWire(
        module="wire_gemini_generate",
        conversation="GeminiConversation",
        tool="GEMINI_TOOL",
        tools=(b',"tools":[{"functionDeclarations":[', b"]}]"),
        system=(b',"systemInstruction":{"parts":[', b"]}"),
        system_is_message=False,
        text=b'{"text":"',
        messages=(b',"contents":[', b"]}"),
        limit=(b'"generationConfig":{"maxOutputTokens":', b"}"),
    ),
}


def wire_of(program: Program) -> PythonWire:
    """The format of a program."""
    return WIRES[program.wire]


def system_ends(program: Program) -> tuple[bytes, bytes]:
    """In front of the first system block and behind the last one."""
    wire = wire_of(program)
    opening, closing = wire.system
    return (opening % program.form.role.encode() if wire.system_is_message else opening), closing


def limit_member(program: Program) -> bytes:
    """The member that bounds the answer."""
    opening, closing = wire_of(program).limit
    if b"%b" in opening:
        opening %= program.form.limit_field.encode()
    return b"%b%d%b" % (opening, program.max_tokens, closing)


def marker_bytes(form: WireForm, ttl: int | None) -> bytes:
    """A cache marker with the comma in front of it; empty where the target takes none."""
    marker = form.marker
    if marker is None:
        return b""
    life = "" if ttl is None else f',"ttl":"{TTL_TEXT[ttl]}"'
    value = f'"{marker.field}":{{"{marker.key}":"{marker.kind}"{life}}}'
    return (f",{{{value}}}" if marker.apart else f",{value}").encode()


def wire_literal(program: Program) -> str:
    """The runtime's description of the target as an expression; empty for the plain one."""
    form = program.form
    if form == PLAIN_FORM and wire_of(program).module is None:
        return ""
    marker = form.marker
    carriers = marker.carriers if marker is not None else ()
    listed = f"({', '.join(map(text_literal, carriers))}{',' if len(carriers) == 1 else ''})"
    field, apart = (marker.field, marker.apart) if marker is not None else ("", False)
    values = [*map(text_literal, (name_of_target(program), form.turns, form.role, field)), str(apart), listed]
    return f"Wire({', '.join(values)})"


def tool_argument(program: Program) -> str:
    """The last argument of a call that writes a tool."""
    tool = wire_of(program).tool
    return "" if tool is None else f", {tool}"


def join_arguments(program: Program) -> list[str]:
    """What a call that joins tools says besides the tools and the marker."""
    wire = wire_of(program)
    marker = program.form.marker
    if wire.module is None:
        return []
    return [bytes_literal(wire.tools[0]), bytes_literal(wire.tools[1]), str(marker is not None and marker.apart)]
