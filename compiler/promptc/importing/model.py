"""What the readers of foreign formats give, and the writer of specs takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from promptc.source import Span
from promptc.syntax.expressions import Expr

# -- templates -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Literal text, exactly as the other tool would write it; its white space is settled."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Out:
    """A value that is written."""

    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Arm:
    """One condition of an `If` with what it writes."""

    test: Expr
    body: "Parts"


@dataclass(frozen=True, slots=True)
class If:
    """The first arm that holds, else `orelse`."""

    arms: tuple[Arm, ...]
    orelse: "Parts"
    span: Span


@dataclass(frozen=True, slots=True)
class For:
    """`body` for each element of `source` for which `test` holds; `orelse` where there is none."""

    target: str
    source: Expr
    test: Expr | None
    body: "Parts"
    orelse: "Parts"
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    """A name for a value, to the end of the enclosing block."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Role:
    """From here on the text belongs to a message of this role; `history` stands for the messages so far."""

    role: "RoleName"
    span: Span


Part: TypeAlias = Text | Out | If | For | Let | Role
Parts: TypeAlias = tuple[Part, ...]


def merged(parts: Sequence[Part]) -> Parts:
    """The parts with neighbouring texts as one."""
    out: list[Part] = []
    for is_text, group in groupby(parts, key=lambda part: isinstance(part, Text)):
        run = list(group)
        if is_text and len(run) > 1:
            texts = [part for part in run if isinstance(part, Text)]
            run = [Text("".join(part.text for part in texts), texts[0].span)]
        out.extend(run)
    return tuple(out)


RoleName: TypeAlias = Literal["system", "user", "assistant", "history"]

ROLES: dict[str, RoleName] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "ai": "assistant",
}
"""Words of the formats for the roles of messages."""

# -- types ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scalar:
    """`text`, `int`, `bool` or `json`."""

    name: Literal["text", "int", "bool", "json"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a closed set of texts."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    item: "Type"


@dataclass(frozen=True, slots=True)
class Fields:
    """A record. Each field with its type, and what it is where it is not given."""

    fields: tuple[tuple[str, "Type", "Presence"], ...]


Presence: TypeAlias = Literal["given", "absent", "empty"]
"""Whether a value is always given, may be absent, or is empty where it is not given."""

Type: TypeAlias = Scalar | Choice | ListOf | Fields

TEXT, INT, BOOL, JSON = Scalar("text"), Scalar("int"), Scalar("bool"), Scalar("json")

Data: TypeAlias = "bool | int | float | str | list[Data] | dict[str, Data] | None"
"""Values as YAML or JSON has them."""

# -- what a file gives ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declared:
    """What a file says of an input.

    Attributes:
        type: None where only the name is known, or a type without a portable form.
        optional: Whether a caller may leave it out.
        default: What it is then; None for nothing in particular.
        span: Where it is said.
    """

    type: Type | None
    optional: bool
    default: Data
    span: Span


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: RoleName
    parts: Parts
    span: Span


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool with its JSON Schema."""

    name: str
    description: str
    schema: dict[str, Data]
    span: Span


@dataclass(frozen=True, slots=True)
class Sample:
    """Values for a prompt, as the file has them, and messages behind those of the prompt."""

    name: str
    values: dict[str, Data]
    span: Span


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt of a file.

    Attributes:
        declared: Inputs that the file declares, by their names in the template.
        provider, model: As the file has them, None where it is silent.
    """

    name: str
    messages: tuple[Message, ...]
    declared: dict[str, Declared]
    provider: str | None
    model: str | None
    max_tokens: int | None
    tools: tuple[Tool, ...]
    samples: tuple[Sample, ...]
    span: Span
