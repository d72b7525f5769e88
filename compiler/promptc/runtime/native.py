"""Messages in the wire's own shape: passed through, but for cache markers, which are the assembler's business."""

from typing import Any

from promptc.runtime.checks import check_json
from promptc.runtime.errors import InputError
from promptc.runtime.escape import quoted
from promptc.runtime.json_text import as_given
from promptc.runtime.request import CALLER, WIRE, Parts
from promptc.runtime.state import Decision, Work
from promptc.runtime.wire import Wire

NativeMessage = dict[str, Any]
_PARTS = ("content", "output")


class Native:
    """A message, or an item, that is in the wire's own shape already.

    It is written as it is: members in their order, `,` and `:` without blanks, texts escaped only where JSON asks for
    it, whole numbers with all their digits. Only cache markers are taken off, since the assembler places its own. It
    counts as one message; neither preamble nor tail is ever put into it.

    Attributes:
        value: The message.
    """

    __slots__ = ("value",)

    def __init__(self, value: NativeMessage) -> None:
        if not isinstance(value, dict):
            raise InputError("native", "expected a mapping")
        check_json(value, "native")
        self.value = value


def bare_native(value: NativeMessage, at: int, work: Work, wire: Wire) -> NativeMessage:
    """The message without cache markers."""
    if not wire.field:
        return value
    kept = {key: item for key, item in value.items() if key != wire.field}
    for name in _PARTS:
        parts = kept.get(name)
        if isinstance(parts, list):
            kept[name] = [_bare(p, wire.field) for p in parts if not (wire.apart and _has(p, wire.field))]
    if kept != value:
        work.decisions.append(Decision("marker-removed", "", f"messages[{at}] carried a cache marker"))
    return kept


def _has(part: object, field: str) -> bool:
    return isinstance(part, dict) and field in part


def _bare(part: Any, field: str) -> Any:
    if not isinstance(part, dict):
        return part
    kept = {key: item for key, item in part.items() if key != field}
    inner = kept.get("content")
    if kept.get("type") == "tool_result" and isinstance(inner, list | tuple):
        kept["content"] = [
            {k: v for k, v in one.items() if k != field} if isinstance(one, dict) else one for one in inner
        ]
    return kept


def last_part(message: NativeMessage, wire: Wire) -> tuple[str, int] | None:
    """The last part that may carry a marker: the member in which it stands, and where."""
    for name in reversed(list(message)):
        parts = message[name]
        if name in _PARTS and isinstance(parts, list):
            for at in range(len(parts) - 1, -1, -1):
                if isinstance(parts[at], dict) and wire.may_carry(parts[at]):
                    return name, at
    return None


def native_parts(message: NativeMessage, place: tuple[str, int] | None, marker: bytes, wire: Wire) -> Parts:
    """The message as pieces of the mark of callers, with a marker on one part."""
    if place is None:
        return [as_given(message).encode(), CALLER]
    out: list[bytes] = []
    pieces: Parts = []
    for name, value in message.items():
        out.append((b"," if out or pieces else b"{") + quoted(name) + b":")
        if name != place[0]:
            out.append(as_given(value).encode())
            continue
        for at, part in enumerate(value):
            out.append((b"," if at else b"[") + as_given(part).encode())
            if at == place[1]:
                end = b"" if wire.apart else b"}"
                pieces += (b"".join(out).removesuffix(end), CALLER, marker + end, WIRE)
                out = []
        out.append(b"]")
    return [*pieces, b"".join(out) + b"}", CALLER]
