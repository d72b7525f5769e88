"""Scenarios that are well-formed and that a prompt cannot take: said with the place in the scenario."""

import pytest

from promptc.traffic.happen import Misfit
from promptc.traffic.run import play
from support.layouts import AGENT, OPEN_MODEL, layout, scenario


@pytest.mark.parametrize(
    ("text", "reason", "loc"),
    [
        ("turns: [{}, {before: [{set: {cwdd: x}}]}]", "`cwdd` is no input", ("turns", 1, "before", 0, "set", "cwdd")),
        ("turns: [{}, {before: [{set: {cwd: 1}}]}]", "the inputs do not fit: cwd", ("turns", 1, "before", 0)),
        ("turns: [{}, {before: [{toggle: mode}]}]", "`mode` is no input", ("turns", 1, "before", 0, "toggle")),
        ("turns: [{}, {before: [{toggle: cwd}]}]", "`cwd` is no bool", ("turns", 1, "before", 0, "toggle")),
        (
            "turns: [{}, {before: [{connect: {input: cwd, items: [{a: 1}]}}]}]",
            "`cwd` is no list",
            ("turns", 1, "before", 0, "connect", "input"),
        ),
        (
            "turns: [{}, {before: [{connect: {input: tools, items: [{server: a}]}}]}]",
            "the inputs do not fit: tools.name: is missing",
            ("turns", 1, "before", 0),
        ),
        (
            "turns: [{}, {before: [{disconnect: {input: tools, where: {server: a}}}]}]",
            "nothing in `tools` is like that",
            ("turns", 1, "before", 0, "disconnect", "where"),
        ),
        ("turns: [{}, {before: [{midnight: true}]}]", "no midnight without a `clock`", ("turns", 1, "before", 0)),
        ("turns: [{before: [{fork: {}}]}]", "nothing to fork from", ("turns", 0, "before", 0)),
        ("turns: [{}, {before: [{model: x}]}]", "names its model itself", ("turns", 1, "before", 0)),
        ("model: x\nturns: [{}]", "names its model itself", ("model",)),
        ("inputs: {cwdd: x}\nturns: [{}]", "`cwdd` is no input", ("inputs", "cwdd")),
        ("vary: [level, tools]\nturns: [{}, {}]", "`tools` is no text", ("vary", 1)),
        ("vary: [depth]\nturns: [{}]", "`depth` is no input", ("vary", 0)),
        ('clock: {start: "2026-01-01T00:00", date: level}\nturns: [{}]', "cannot hold a date", ("clock", "date")),
        ('clock: {start: "2026-01-01T00:00", time: now}\nturns: [{}]', "`now` is no input", ("clock", "time")),
    ],
)
def test_what_a_prompt_cannot_take_is_said_at_its_place(text: str, reason: str, loc: tuple[str | int, ...]) -> None:
    with pytest.raises(Misfit) as misfit:
        play(scenario(text), layout(AGENT))
    assert reason in misfit.value.reason
    assert misfit.value.loc == loc


def test_inputs_that_the_sample_lacks_are_said_before_anything_is_played() -> None:
    with pytest.raises(Misfit, match="`who` is no input that `open` reads"):
        play(scenario("inputs: {who: x}\nturns: [{}]"), layout(OPEN_MODEL))
