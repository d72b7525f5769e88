"""The page about `cache auto`: its numbers are those of the planner, its listings what the commands print."""

import json
import re
from fractions import Fraction

import pytest

from promptc.diagnostics.sink import Sink
from promptc.planning.auto.expect import alone, cost, mean_reads, within
from promptc.planning.auto.model import Lifetime, Load, Mark, Problem, Rules, Segment, Share, Sharing
from promptc.planning.auto.optimise import solve
from promptc.source import Source
from promptc.syntax.parser import parse_module
from support.checkout import ROOT, promptc

_PAGE = ROOT / "docs" / "planning.md"
_CONSOLE = re.compile(r"```console\n\$ promptc ([^\n]*)\n(.*?)```", re.DOTALL)
_EXAMPLE = Problem(
    (Segment("shared", 1000, True),),
    (Sharing(Fraction(1), (Fraction(12, 3600),)),),
    Load(2, (Share(50, 300), Share(50, 3600)), (Share(100, 4),), 0),
    Rules(
        4, 0, 20, (Lifetime("1h", 3600, Fraction(2)), Lifetime("5m", 300, Fraction("1.25"))), Fraction("0.1"), "nobody"
    ),
)


def _blocks() -> list[tuple[str, str]]:
    return _CONSOLE.findall(_PAGE.read_text(encoding="utf-8"))


def test_page_shows_the_plan_and_a_conversation() -> None:
    assert [command.split()[0] for command, _ in _blocks()] == ["ls", "simulate"]


@pytest.mark.parametrize("command", [command for command, _ in _blocks()])
def test_what_the_page_shows_is_what_the_command_prints(command: str, update: bool) -> None:
    done = promptc(command.split(), ROOT)
    assert done.code == 0, done.stderr
    printed = done.stdout.decode()
    if update:
        text = _PAGE.read_text(encoding="utf-8")
        head = f"```console\n$ promptc {command}\n"
        _PAGE.write_text(text.replace(f"{head}{dict(_blocks())[command]}```", f"{head}{printed}```"), encoding="utf-8")
    assert dict(_blocks())[command] == printed


def test_numbers_of_the_small_example_are_those_of_the_planner() -> None:
    rows = re.findall(r"^\| (5m|1h) \| (.*) \| (.*) \| (.*) \| (.*) \|$", _PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 2
    load = _EXAMPLE.load
    for name, own, others, found, price in rows:
        index = next(i for i, lifetime in enumerate(_EXAMPLE.rules.lifetimes) if lifetime.name == name)
        seconds = _EXAMPLE.rules.lifetimes[index].seconds
        assert float(within(load.gaps, seconds)) == float(own)
        assert others.endswith(f" = {float(1 - alone(load, Fraction(12, 3600), seconds)):.3f}")
        assert found.endswith(f" = {float(mean_reads(_EXAMPLE, 0, index)):.3f}")
        assert price.endswith(f" = {float(cost(_EXAMPLE, (Mark(0, index),), None, False)):.0f}")
    assert cost(_EXAMPLE, (), None, False) == 2000
    assert solve(_EXAMPLE).marks == (Mark(0, 0),)


def test_the_planned_layout_costs_less_than_the_one_by_hand_and_loses_nothing() -> None:
    command = dict(_blocks()) and next(command for command, _ in _blocks() if command.startswith("simulate"))
    done = promptc([*command.split(), "--format", "json"], ROOT)
    planned, by_hand = json.loads(done.stdout)["simulations"]
    costs = [sum(turn["best"]["cost"] for turn in played["turns"]) for played in (planned, by_hand)]
    assert costs[0] < 0.8 * costs[1]
    assert [turn["kept"] for turn in planned["turns"][1:]] == [1] * (len(planned["turns"]) - 1)


def test_the_traffic_on_the_page_can_be_read() -> None:
    (shown,) = re.findall(r"```promptc\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    sink = Sink()
    module = parse_module(Source("page.promptc", shown), sink)
    assert len(module.items) == 1 and not sink.sorted()
