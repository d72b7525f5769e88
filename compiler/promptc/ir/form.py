"""How one target spells the format of its requests: what a program says beside its lanes."""

from dataclasses import dataclass
from typing import Literal

TTL_TEXT = {300: "5m", 1800: "30m", 3600: "1h", 43200: "12h"}
"""How a lifetime in seconds is written in a marker, on every wire that takes one."""


@dataclass(frozen=True, slots=True)
class MarkerForm:
    """How a target spells a cache marker.

    Attributes:
        field: Name of the key or of the block.
        apart: Whether it is a block of its own behind what it marks, and not a key on it.
        key, kind: What the marker says besides its lifetime: `type` and `ephemeral`, say.
        carriers: Kinds of parts of a conversation that take one, in the wire's own names. Empty for a format whose
            parts all take one but those that it is known to refuse on.
    """

    field: str
    apart: bool
    key: str
    kind: str
    carriers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WireForm:
    """What targets of one format differ in.

    Attributes:
        constants: Members that every body has, with their JSON text.
        model_in_body: Whether the body names the model; else the address of the request does.
        limit_field: Member that bounds the answer; only for formats of which there are several dialects.
        marker: None for a target that takes no markers: what is cached there is cached by itself.
        turns: Where a message of the role `system` may stand in a conversation: anywhere, in the `mid`dle of it behind a
            message from the user, or nowhere.
        key_field: Member that holds the cache key; empty for a target that takes none.
        role: The role that such a message has on the wire, and the system text where that is a message.
    """

    constants: tuple[tuple[str, str], ...] = ()
    model_in_body: bool = True
    limit_field: str = "max_tokens"
    marker: MarkerForm | None = MarkerForm("cache_control", False, "type", "ephemeral")
    turns: Literal["any", "mid", "never"] = "mid"
    role: str = "system"
    key_field: str = ""


PLAIN_FORM = WireForm()
