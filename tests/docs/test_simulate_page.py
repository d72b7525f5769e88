"""The page about `promptc simulate`: what it prints is what the commands print, and what it says of it is true."""

import json
import re
from pathlib import Path

import pytest
import yaml

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.traffic.read_scenario import read_scenario
from promptc.traffic.scenario import Event
from support.checkout import ROOT, promptc

_PAGE = ROOT / "docs" / "simulate.md"
_CONSOLE = re.compile(r"```console\n\$ promptc (simulate [^\n]*)\n(.*?)```", re.DOTALL)


def _blocks() -> list[tuple[str, str]]:
    return _CONSOLE.findall(_PAGE.read_text(encoding="utf-8"))


def test_page_shows_both_examples() -> None:
    assert len(_blocks()) == 2


@pytest.mark.parametrize("command", [command for command, _ in _blocks()])
def test_numbers_on_the_page_are_what_the_command_prints(command: str, update: bool) -> None:
    done = promptc(command.split(), ROOT)
    assert done.code == 0, done.stderr
    printed = done.stdout.decode()
    if update:
        text = _PAGE.read_text(encoding="utf-8")
        shown = next(shown for known, shown in _blocks() if known == command)
        head = f"```console\n$ promptc {command}\n"
        _PAGE.write_text(text.replace(f"{head}{shown}```", f"{head}{printed}```"), encoding="utf-8")
    assert dict(_blocks())[command] == printed


def test_everything_behind_the_volatile_value_goes_from_never_read_to_always_read() -> None:
    command = next(command for command, _ in _blocks() if "exercise" in command)
    done = promptc([*command.split(), "--format", "json"], ROOT)
    head, tail = json.loads(done.stdout)["simulations"]
    assert len(head["turns"]) == len(tail["turns"]) == 10
    assert [turn["kept"] for turn in head["turns"][1:]] == [0] * 9
    assert [turn["kept"] for turn in tail["turns"][1:]] == [1] * 9
    assert all(turn["best"]["hit_rate"] == 0 for turn in head["turns"])
    rates = [turn["best"]["hit_rate"] for turn in tail["turns"]]
    assert rates == sorted(rates) and rates[1] > 0.8
    # The same texts in both: within the few tokens that the frame of a block is worth.
    for left, right in zip(head["turns"], tail["turns"], strict=True):
        sizes = [sum(t["best"]["written"].values()) + t["best"]["read"] + t["best"]["input"] for t in (left, right)]
        assert abs(sizes[0] - sizes[1]) < 0.06 * sizes[0]


def test_scenario_on_the_page_is_one_and_every_event_is_listed() -> None:
    text = _PAGE.read_text(encoding="utf-8")
    (shown,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    sink = Sink()
    scenario, _ = read_scenario(Source("page.yaml", shown), sink)
    assert scenario is not None, [d.message for d in sink.sorted()]
    listed = [next(iter(yaml.safe_load(cell))) for cell in re.findall(r"^\| `([^`]*: [^`]*)` \|", text, re.MULTILINE)]
    assert sorted(listed) == sorted(Event.model_fields)


def test_limits_on_the_page_are_those_of_the_reader() -> None:
    from promptc.traffic import scenario

    said = f"at most {scenario.MAX_TURNS:,} turns and {scenario.MAX_REQUESTS:,} requests"
    assert said in " ".join(_PAGE.read_text(encoding="utf-8").split())


def test_every_scenario_in_the_specs_can_be_read() -> None:
    found = sorted(Path(ROOT / "specs").rglob("*.scenario.yaml"))
    assert found
    for path in found:
        sink = Sink()
        scenario, _ = read_scenario(Source(path.name, path.read_text(encoding="utf-8")), sink)
        assert scenario is not None and not sink.sorted(), path
