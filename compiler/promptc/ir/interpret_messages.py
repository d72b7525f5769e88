"""The conversation of a request, as the reference interpreter builds it: preamble, replayed and new tail, marker.

It is put together in promptc's own form, the same for every target, and lowered to the wire at the end.
"""

from collections.abc import Mapping, Sequence

from promptc.ir.form import MarkerForm
from promptc.ir.interpret_state import Decision, Logged, StateView
from promptc.ir.interpret_text import Scope, evaluate, render
from promptc.ir.interpret_turns import check_turns, read_turn
from promptc.ir.model import Delta, EnvelopeLane, Program, Section
from promptc.ir.wires.dialect import Part, Talk, Turn, mark, name_of_target
from promptc.ir.wires.registry import DIALECTS
from promptc.runtime.native import Native


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


def build_messages(lane: Lane, messages: Sequence[Mapping[str, object] | Native]) -> list[Part]:
    """The messages as they go over the wire.

    Raises:
        InputError: A message has not the form of one, or the wire cannot say it.
    """
    program = lane.program
    talk = Talk(name_of_target(program), program.form, lane.decisions)
    built = [read_turn(talk, message, f"messages[{at}]") for at, message in enumerate(messages)]
    check_turns(talk, built)
    # What the caller's last message is made of decides about the tail, not what is appended to it here.
    only_results = bool(built) and _only_tool_results(built[-1].blocks)
    preamble_at = next((t for t in built if t.role == "user" and not _holds_tool_result(t.blocks)), None)
    _replay(lane, built)
    if program.preamble is not None:
        _preamble(lane, program.preamble, preamble_at)
    if program.tail is not None and program.tail.sections:
        if built and built[-1].role == "user":
            _tail(lane, program.tail, built, only_results)
        else:
            what = "is native" if built and built[-1].role == "native" else "is not from the user"
            lane.decisions.append(Decision("tail-withheld", "", f"the last message {what}"))
    lowered: list[Part] = []
    for talk.number, turn in enumerate(built):
        lowered += DIALECTS[program.wire].lower(turn, talk)
    if program.message_marker is not None and program.form.marker is not None:
        _mark(lane, talk, built, program.message_marker.ttl, program.form.marker)
    return lowered


def _mark(lane: Lane, talk: Talk, built: Sequence[Turn], ttl: int | None, form: MarkerForm) -> None:
    if not talk.slots:
        lane.decisions.append(Decision("marker-withheld", "", "no block may carry the cache marker"))
        return
    *others, last = talk.slots
    mark(last[0], last[1], form, ttl)
    answered = next((at for at in range(len(built) - 1, -1, -1) if built[at].is_answer), 0)
    # What the model answered to ended the request before, and carried its marker.
    before = next((slot for slot in reversed(others) if slot[2] < answered), None)
    if lane.program.lagging and before is not None and last[2] >= answered:
        mark(before[0], before[1], form, ttl)


def _only_tool_results(content: Sequence[Mapping[str, object]]) -> bool:
    return bool(content) and all(block["type"] == "tool_result" for block in content)


def _holds_tool_result(content: Sequence[Mapping[str, object]]) -> bool:
    return any(block["type"] == "tool_result" for block in content)


def _append(turn: Turn, text: str, at: int | None = None) -> None:
    where = len(turn.blocks) if at is None else at
    turn.blocks.insert(where, {"type": "text", "text": text})
    turn.places.insert(where, "")


def _enclose(lane: EnvelopeLane, texts: Sequence[str]) -> str:
    return lane.open + lane.separator.join(texts) + lane.close


def _replay(lane: Lane, built: list[Turn]) -> None:
    kept = []
    for entry in lane.state.log:
        if entry.anchor <= len(built) and built[entry.anchor - 1].role == "user":
            _append(built[entry.anchor - 1], entry.text)
            kept.append(entry)
        else:
            lane.decisions.append(Decision("log-dropped", ",".join(entry.sections), "its message is gone"))
    lane.state.log = kept


def _preamble(lane: Lane, envelope: EnvelopeLane, target: Turn | None) -> None:
    if target is None:
        if envelope.sections:
            lane.decisions.append(Decision("preamble-withheld", "", "no message from the user can hold it"))
        return
    texts = [text for section in envelope.sections if (text := lane.text_of(section))]
    if texts:
        _append(target, _enclose(envelope, texts), 0)


def _tail(lane: Lane, envelope: EnvelopeLane, built: list[Turn], only_results: bool) -> None:
    """Append what stays to the last message, and behind it what is in this request only."""
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
        _append(built[-1], block)
        lane.state.log.append(Logged(anchor, tuple(names), block))
    if passing:
        built[-1].passing.append({"type": "text", "text": _enclose(envelope, passing)})


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
