"""The conversation of a request, as the reference interpreter builds it: preamble, replayed and new tail, marker."""

from collections.abc import Mapping, Sequence
from typing import Any

from promptc.ir.interpret_inputs import check_json, check_text
from promptc.ir.interpret_state import Decision, Logged, StateView
from promptc.ir.interpret_system import marker
from promptc.ir.interpret_text import Scope, evaluate, render
from promptc.ir.model import Delta, EnvelopeLane, Program, Section
from promptc.runtime.errors import InputError

UNMARKABLE = ("thinking", "redacted_thinking")


class Lane:
    """What the lanes of one request share while it is built.

    Attributes:
        texts: Name and text of every section written so far.
    """

    def __init__(self, program: Program, scope: Scope, state: StateView) -> None:
        self.program = program
        self.scope = scope
        self.state = state
        self.decisions: list[Decision] = []
        self.texts: list[tuple[str, str]] = []

    def holds(self, section: Section) -> bool:
        """Whether a section's gate holds."""
        return section.when is None or bool(evaluate(section.when, self.scope))

    def frozen_key(self, section: Section) -> tuple[str, str | None]:
        """What identifies the frozen rendering of a section now."""
        return section.name, None if section.key is None else evaluate(section.key, self.scope)

    def text_of(self, section: Section) -> str:
        """The text of a section in place: empty when its gate is false; as first rendered when it is frozen."""
        if not self.holds(section):
            return ""
        if section.deliver == "frozen":
            key = self.frozen_key(section)
            if key not in self.state.frozen:
                self.state.frozen[key] = render(section.body, self.scope)
            text = self.state.frozen[key]
        else:
            text = render(section.body, self.scope)
        if text:
            self.texts.append((section.name, text))
        return text


def build_messages(lane: Lane, messages: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
    """The messages as they go over the wire.

    Raises:
        InputError: A message has not the form of one.
    """
    built = [_normalise(lane, message, f"messages[{at}]") for at, message in enumerate(messages)]
    # What the caller's last message is made of decides about the tail, not what is appended to it here.
    only_results = bool(built) and _only_tool_results(built[-1]["content"])
    last_is_user = bool(built) and built[-1]["role"] == "user"
    preamble_at = next((m for m in built if m["role"] == "user" and not _holds_tool_result(m["content"])), None)
    _replay(lane, built)
    if lane.program.preamble is not None:
        _preamble(lane, lane.program.preamble, preamble_at)
    unmarked: list[dict[str, Any]] = []
    if lane.program.tail is not None and lane.program.tail.sections:
        if last_is_user:
            unmarked = _tail(lane, lane.program.tail, built, only_results)
        else:
            lane.decisions.append(Decision("tail-withheld", "", "the last message is not from the user"))
    if lane.program.message_marker is not None:
        _mark(lane, built, lane.program.message_marker.ttl, lane.program.lagging)
    if unmarked:
        built[-1]["content"].extend(unmarked)
    return built


def _normalise(lane: Lane, message: Mapping[str, object], where: str) -> dict[str, Any]:
    if not isinstance(message, dict) or set(message) != {"role", "content"}:
        raise InputError(where, "expected a mapping with exactly `role` and `content`")
    if message["role"] not in ("user", "assistant"):
        raise InputError(f"{where}.role", "must be `user` or `assistant`")
    content = message["content"]
    if isinstance(content, str):
        blocks: list[dict[str, Any]] = [{"type": "text", "text": check_text(content, f"{where}.content")}]
    elif isinstance(content, list | tuple):
        blocks = [_block(lane, block, f"{where}.content[{at}]") for at, block in enumerate(content)]
    else:
        raise InputError(f"{where}.content", "expected a text or a list of blocks")
    return {"role": message["role"], "content": blocks}


def _block(lane: Lane, block: object, where: str) -> dict[str, Any]:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise InputError(where, "expected a mapping with a `type`")
    if block["type"] == "text" and not isinstance(block.get("text"), str):
        raise InputError(where, "a text block needs a `text`")
    check_json(block, where)
    kept = {key: value for key, value in block.items() if key != "cache_control"}
    inner = kept.get("content")
    if block["type"] == "tool_result" and isinstance(inner, list | tuple):
        kept["content"] = [
            {k: v for k, v in part.items() if k != "cache_control"} if isinstance(part, dict) else part
            for part in inner
        ]
    if kept != block:
        lane.decisions.append(Decision("marker-removed", "", f"{where} carried a cache marker"))
    return kept


def _only_tool_results(content: Sequence[Mapping[str, object]]) -> bool:
    return bool(content) and all(block["type"] == "tool_result" for block in content)


def _holds_tool_result(content: Sequence[Mapping[str, object]]) -> bool:
    return any(block["type"] == "tool_result" for block in content)


def _text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _enclose(lane: EnvelopeLane, texts: Sequence[str]) -> str:
    return lane.open + lane.separator.join(texts) + lane.close


def _replay(lane: Lane, built: list[dict[str, Any]]) -> None:
    kept = []
    for entry in lane.state.log:
        if entry.anchor <= len(built) and built[entry.anchor - 1]["role"] == "user":
            built[entry.anchor - 1]["content"].append(_text_block(entry.text))
            kept.append(entry)
        else:
            lane.decisions.append(Decision("log-dropped", ",".join(entry.sections), "its message is gone"))
    lane.state.log = kept


def _preamble(lane: Lane, envelope: EnvelopeLane, target: dict[str, Any] | None) -> None:
    if target is None:
        if envelope.sections:
            lane.decisions.append(Decision("preamble-withheld", "", "no message from the user can hold it"))
        return
    texts = [text for section in envelope.sections if (text := lane.text_of(section))]
    if texts:
        target["content"].insert(0, _text_block(_enclose(envelope, texts)))


def _tail(lane: Lane, envelope: EnvelopeLane, built: list[dict[str, Any]], only_results: bool) -> list[dict[str, Any]]:
    """Append what stays; return the blocks that are in this request only."""
    anchor = len(built)
    written = {name for entry in lane.state.log if entry.anchor == anchor for name in entry.sections}
    names: list[str] = []
    lasting: list[str] = []
    passing: list[str] = []
    for section in envelope.sections:
        if section.deliver == "ephemeral":
            if text := lane.text_of(section):
                passing.append(text)
            continue
        if section.deliver == "delta":
            text = _delta(lane, section)
        elif section.deliver == "frozen":
            used = lane.holds(section) and lane.frozen_key(section) in lane.state.frozen
            text = "" if used else lane.text_of(section)
        else:
            text = "" if only_results or section.name in written else lane.text_of(section)
        if text:
            names.append(section.name)
            lasting.append(text)
    if lasting:
        block = _enclose(envelope, lasting)
        built[-1]["content"].append(_text_block(block))
        lane.state.log.append(Logged(anchor, tuple(names), block))
    return [_text_block(_enclose(envelope, passing))] if passing else []


def _delta(lane: Lane, section: Section) -> str:
    delta = section.delta
    assert isinstance(delta, Delta)
    present = lane.holds(section) and (delta.first_when is None or evaluate(delta.first_when, lane.scope))
    known = lane.state.sent.get(section.name)
    text = ""
    if present:
        first = render(delta.first, lane.scope)
        if known is None:
            text = first
        elif known != first:
            text = render(delta.changed, lane.scope)
        lane.state.sent[section.name] = first
    elif known is not None:
        del lane.state.sent[section.name]
        text = render(delta.gone, lane.scope)
    if text:
        lane.texts.append((section.name, text))
    return text


def _mark(lane: Lane, built: list[dict[str, Any]], ttl: int | None, lagging: bool) -> None:
    last = _last_markable(built)
    if last is None:
        lane.decisions.append(Decision("marker-withheld", "", "no block may carry the cache marker"))
        return
    last["cache_control"] = marker(ttl)
    answered = next((at for at in range(len(built) - 1, -1, -1) if built[at]["role"] == "assistant"), 0)
    # What the model answered to ended the request before, and carried its marker.
    before = _last_markable(built[:answered]) if lagging else None
    if before is not None:
        before["cache_control"] = marker(ttl)


def _last_markable(built: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    for message in reversed(built):
        for block in reversed(message["content"]):
            if block["type"] in UNMARKABLE or (block["type"] == "text" and block["text"] == ""):
                continue
            found: dict[str, Any] = block
            return found
    return None
