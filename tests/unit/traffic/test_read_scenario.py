"""Scenario files: what is read, and what is said about everything that does not fit."""

import pytest

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.yaml_plain import place_of
from promptc.traffic.read_scenario import read_scenario
from promptc.traffic.scenario import MAX_REQUESTS, MAX_TURNS, Words, plain_scenario


def _faults(text: str) -> tuple[Diagnostic, ...]:
    sink = Sink()
    found, _ = read_scenario(Source("s.yaml", text), sink)
    assert found is None
    return sink.sorted()


def _shown(text: str, fault: Diagnostic) -> str:
    assert fault.primary is not None
    return text[fault.primary.span.start : fault.primary.span.end]


@pytest.mark.parametrize(
    ("text", "message", "shown"),
    [
        ("turns: [{usr: hi}]", "`usr` is no key of this mapping", "usr"),
        ("turn: []\nturns: [{}]", "`turn` is no key of this mapping", "turn"),
        ("gap: 90s", "`turns` is missing", "gap: 90s"),
        ("turns: []", "`turns` is empty", "[]"),
        ("turns: {}", "`turns` is not a list", "{}"),
        ("turns: [hello]", "this entry is not a mapping", "hello"),
        ("turns: [{gap: 4 minutes}]", "`gap`: expected a time of at most a year", "4 minutes"),
        ("turns: [{gap: -1}]", "`gap`: expected a time of at most a year", "-1"),
        ("turns: [{gap: true}]", "`gap`: expected a time of at most a year", "true"),
        ("turns: [{gap: 367d}]", "`gap`: expected a time of at most a year", "367d"),
        ("turns: [{user: 5}]", "`user`: expected a text, or `words` and a number", "5"),
        ('turns: [{user: " "}]', "`user`: the text is empty", '" "'),
        ("turns: [{user: {words: 0}}]", "`user`: a text is made up of 1 to 50,000 words", "{words: 0}"),
        ("turns: [{user: {words: 4, more: 1}}]", "`user`: expected a text", "{words: 4, more: 1}"),
        ("turns: [{before: [{}]}]", "this entry: an event is exactly one of set, toggle", "{}"),
        ("turns: [{before: [{resume: true, toggle: a}]}]", "this entry: an event is exactly one of", "{resume: true, toggle: a}"),
        ("turns: [{before: [{toggle: }]}]", "this entry: `toggle` has no value", "{toggle: }"),
        ("turns: [{before: [{resume: false}]}]", "`resume` has a value that it cannot have", "false"),
        ("turns: [{before: [{set: [a]}]}]", "`set` is not a mapping", "[a]"),
        ("turns: [{before: [{connect: {input: a, items: []}}]}]", "`items` is empty", "[]"),
        ("turns: [{before: [{disconnect: {input: a, where: {}}}]}]", "`where` is empty", "{}"),
        ("turns: [{tools: [{calls: many}]}]", "`calls` is not a whole number", "many"),
        ("clock: {start: noon}\nturns: [{}]", "`start`: expected a date and a time", "noon"),
        ('clock: {start: "2026-01-01T00:00+01:00"}\nturns: [{}]', "`start`: expected a date and a time", '"2026-01-01T00:00+01:00"'),
        ("format: promptc.scenario/2\nturns: [{}]", "`format` has a value that it cannot have", "promptc.scenario/2"),
        ("- a", "the scenario is not a mapping with `turns`", "- a"),
        ("", "the scenario is not a mapping with `turns`", ""),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_at_its_place(text: str, message: str, shown: str) -> None:
    (fault,) = _faults(text)
    assert fault.code == "PC840"
    assert fault.message.startswith(message)
    assert _shown(text, fault) == shown


def test_misspelt_key_comes_with_the_key_that_was_meant() -> None:
    (fault,) = _faults("turns: [{before: [{togle: a}]}]")[:1]
    assert fault.help == "did you mean `toggle`?"


def test_yaml_that_is_none_is_said_with_the_codes_of_yaml() -> None:
    assert [fault.code for fault in _faults("turns: [")] == ["PC150"]
    assert all(fault.code.startswith("PC1") for fault in _faults("turns: [{}]\nturns: [{}]"))


def test_more_turns_and_requests_than_are_played_are_refused() -> None:
    assert len(_faults(f"turns: [{{repeat: {MAX_TURNS + 1}}}]")) == 1
    (fault,) = _faults(f"turns: [{{repeat: {MAX_TURNS}, tools: [{{}}, {{}}]}}]")
    assert fault.message == f"the scenario has {3 * MAX_TURNS:,} requests, at most {MAX_REQUESTS:,} are played"


@pytest.mark.parametrize(
    ("said", "seconds"), [("45s", 45), ("4m", 240), ("2h", 7_200), ("1d", 86_400), ("17", 17), ("0s", 0)]
)
def test_times_are_read_in_seconds(said: str, seconds: int) -> None:
    found, _ = read_scenario(Source("s.yaml", f"gap: {said}\nturns: [{{}}]"), Sink())
    assert found is not None and found.gap == seconds


def test_place_of_a_value_is_its_own_or_the_nearest_around_it() -> None:
    text = "turns:\n- before:\n  - set: {cwd: /tmp}\n"
    _, spans = read_scenario(Source("s.yaml", text), Sink())
    exact = place_of(("turns", 0, "before", 0, "set", "cwd"), spans)
    around = place_of(("turns", 0, "before", 0, "set", "other"), spans)
    assert exact is not None and text[exact.start : exact.end] == "/tmp"
    assert around is not None and text[around.start : around.end] == "{cwd: /tmp}"


def test_plain_scenario_has_questions_and_answers_at_an_even_pace() -> None:
    plain = plain_scenario(3, 60, ("now",))
    assert (plain.gap, plain.vary, [turn.repeat for turn in plain.turns]) == (60, ("now",), [3])
    assert plain.turns[0].user == Words(words=40)
