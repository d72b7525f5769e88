"""How one target spells a request, as far as a conversation depends on it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

_UNMARKABLE = ("thinking", "redacted_thinking")


class Wire(NamedTuple):
    """What targets of one format differ in.

    Attributes:
        target: Its name, for errors; that of the format where all targets of it are meant.
        turns: Where a message of the role `system` may stand: `any` place, `mid` in a conversation, `never`.
        role: The role that it has on the wire.
        field: Name of the cache marker; empty for a target that takes none.
        apart: Whether the marker is a block of its own.
        carriers: Kinds of parts that take a marker; empty where all do but those that are known not to.
    """

    target: str
    turns: str
    role: str
    field: str
    apart: bool
    carriers: tuple[str, ...]

    def may_carry(self, part: Mapping[str, Any]) -> bool:
        """Whether a marker may stand on a part."""
        if not self.field or part.get("text") == "":
            return False
        kind = part.get("type")
        if not isinstance(kind, str):
            kind = next(iter(part), "")
        return kind in self.carriers if self.carriers else kind not in _UNMARKABLE


PLAIN = Wire("anthropic-messages", "mid", "system", "cache_control", False, ())
