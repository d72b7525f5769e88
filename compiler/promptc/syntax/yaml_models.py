"""The YAML surface as pydantic models: a module, and its published JSON Schema."""

import json
from typing import Any

from pydantic import Field

from promptc.syntax.yaml_prompt_models import (
    Accepted,
    Count,
    Data,
    Duration,
    Expression,
    LibrarySection,
    Prompt,
    Shape,
    TypeText,
)
from promptc.syntax.yaml_traffic_models import Traffic


class RecordFieldShape(Shape):
    type: TypeText
    untrusted: bool = False
    """Whether its text comes from outside."""
    default: Data = None
    """Value where none is given."""


class Scope(Shape):
    holds: str
    """The highest class that the shared prefix may hold."""
    ttl: Duration | None = None
    """How long it lives."""


class Envelope(Shape):
    open: str
    """The text in front."""
    close: str
    """The text behind."""


class Max(Shape):
    chars: Count
    """The most characters."""
    cut: str | None = None
    """A longer value is cut and ends with this; without it, a longer value is refused."""


class Input(Shape):
    type: TypeText
    cls: str | None = Field(None, alias="class")
    """Its stability class."""
    untrusted: bool = False
    """Whether its text comes from outside."""
    max: Max | None = None
    """A bound on its length."""
    default: Data = None
    """Value where none is given."""


class Requirement(Shape):
    that: Expression
    """What holds in every variant."""
    because: str
    """Why."""


class UserMessage(Shape):
    user: str
    """What the user says."""


class AssistantMessage(Shape):
    assistant: str
    """What the assistant says."""


MESSAGE_SHAPES: dict[str, type[Shape]] = {"user": UserMessage, "assistant": AssistantMessage}


class Sample(Shape):
    sample: str
    """Its name."""
    prompt: str = Field(alias="for")
    """The prompt that it belongs to."""
    set: dict[str, Data] | None = None
    """Values of inputs."""
    messages: list[UserMessage | AssistantMessage] | None = None
    """The conversation so far."""


class VariantsLimit(Shape):
    variants: str
    """A scope."""
    max: Count
    """The most variants it may have."""


class TokensLimit(Shape):
    tokens: str
    """A lane or a section."""
    max: Count
    """The most tokens."""


class BytesLimit(Shape):
    bytes: str
    """A lane or a section."""
    max: Count
    """The most bytes."""


LIMIT_SHAPES: dict[str, type[Shape]] = {"variants": VariantsLimit, "tokens": TokensLimit, "bytes": BytesLimit}


class Surface(Shape):
    """A promptc module in YAML."""

    language: Count | None = None
    """Version of the language."""
    use: list[str] | None = None
    """Modules whose declarations become visible here."""
    stability: list[str] | None = None
    """The chain of classes, from the most stable one on."""
    scopes: dict[str, Scope] | None = None
    """Who shares a cached prefix."""
    records: dict[str, dict[str, TypeText | RecordFieldShape]] | None = None
    """Record types by name; each maps a field to its type."""
    envelopes: dict[str, Envelope] | None = None
    """What stands around text that is not the user's."""
    inputs: dict[str, Input] | None = None
    """What a caller hands in."""
    gates: dict[str, Expression] | None = None
    """Named conditions."""
    require: list[Requirement] | None = None
    """Combinations of inputs that exist."""
    sections: dict[str, LibrarySection] | None = None
    """Sections to be placed by `include`."""
    prompts: dict[str, Prompt] | None = None
    """Prompts by name."""
    samples: list[Sample] | None = None
    """Values to render and check with."""
    limits: list[VariantsLimit | TokensLimit | BytesLimit] | None = None
    """Bounds that a build must keep."""
    traffic: Traffic | None = None
    """What `cache auto` plans for."""
    allow: list[Accepted] | None = None
    """Findings that are accepted in the whole module."""


SCHEMA_ID = "urn:promptc:surface:1"
"""Name of the schema; a name and no address, since a spec is read without a network."""


def surface_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a `*.promptc.yaml` file; closed: a key that is not described is not allowed."""
    schema = Surface.model_json_schema(by_alias=True)
    data = schema["$defs"].pop("Data")
    closed = _without_null(schema)
    closed["$defs"]["Data"] = {"description": "A value of an input, written as YAML.", **data}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, "title": "promptc spec"}
    return {**head, **closed}


def surface_schema_text() -> str:
    """The schema as the file that editors read: `editors/schema/promptc.schema.json`."""
    return json.dumps(surface_schema(), indent=2, ensure_ascii=False) + "\n"


def _without_null(schema: Any) -> Any:
    """The schema without `null` as a value and as a default: a key is there with a value, or it is not there."""
    if isinstance(schema, list):
        return [_without_null(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: _without_null(value)
        for key, value in schema.items()
        if not (key == "default" and value is None) and key != "title"
    }
    alternatives = kept.get("anyOf")
    if isinstance(alternatives, list):
        alternatives = [item for item in alternatives if item != {"type": "null"}]
        if len(alternatives) == 1:
            del kept["anyOf"]
            kept = {**alternatives[0], **kept}
        else:
            kept["anyOf"] = alternatives
    return kept
