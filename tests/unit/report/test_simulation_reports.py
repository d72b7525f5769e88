"""A simulation as text, JSON and a page: the same numbers, and hostile text that stays text."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from promptc.providers.cache_model.values import Counts
from promptc.providers.tokens import TokenCount
from promptc.report.simulation import Loss, Played, Simulation
from promptc.report.simulation_contrast import contrast, verdict
from promptc.report.simulation_html import simulation_html
from promptc.report.simulation_json import simulation_json
from promptc.report.simulation_text import bounds, clock, grouped, percent, simulation_text
from promptc.traffic.summarise import summarised

_HOSTILE = "</title></style><script>alert(1)</script>\x1b[2J\u202e\"'<img src=x onerror=alert(2)>"


def _played(turn: int, read: int, written: int, rest: int = 0, loss: Loss | None = None) -> Played:
    best = Counts(read, {"5m": written} if written else {}, rest)
    cost = read * 0.1 + written * 1.25 + rest
    return Played(turn, 0, False, (turn - 1) * 90, "m", (), best, best, cost, cost, read, loss)


def _simulation(*played: Played, name: str = "a.promptc a", promised: bool = True) -> Simulation:
    return summarised(played, name, "A provider", TokenCount(0, "estimate/1 x", False, 0.061), promised)


_STEADY = _simulation(_played(1, 0, 1_000), _played(2, 1_000, 200), _played(3, 1_200, 100, 50))


def test_text_has_the_numbers_of_every_turn_and_of_all() -> None:
    rows = [line.split() for line in simulation_text([_STEADY]).splitlines()]
    assert ["turn", "after", "input", "written", "5m", "read", "hit", "kept", "cost"] in rows
    assert ["1", "0:00:00", "0", "1,000", "0", "0.0%", "-", "1,250"] in rows
    assert ["2", "0:01:30", "0", "200", "1,000", "83.3%", "100.0%", "350"] in rows
    assert ["3", "0:03:00", "50", "100", "1,200", "88.9%", "100.0%", "295"] in rows
    # 2,200 of 3,550 tokens; 1,895 of what 3,550 would cost.
    assert ["all", "50", "1,300", "2,200", "62.0%", "100.0%", "1,895"] in rows
    assert "46.6% of the price without a cache saved" in simulation_text([_STEADY])
    assert "tokens are estimates (estimate/1 x, mean error 6%)" in simulation_text([_STEADY])


def test_cache_that_costs_more_than_it_gives_is_said_to_lose() -> None:
    text = simulation_text([_simulation(_played(1, 0, 1_000), _played(2, 0, 1_000))])
    assert "25.0% of the price without a cache lost" in text


def test_two_simulations_stand_beside_each_other() -> None:
    other = _simulation(*(_played(turn, 0, 1_000 + turn) for turn in (1, 2, 3)), name="b.promptc b")
    lines = simulation_text([_STEADY, other]).splitlines()
    assert lines[:2] == ["A: a.promptc a", "B: b.promptc b"]
    assert lines[4].split() == ["2", "1,000", "83.3%", "100.0%", "350", "0", "0.0%", "-", "1,252", "+902"]


def test_the_second_is_said_to_save_or_to_lose_since_when_and_why() -> None:
    loss = Loss("changed", "`clock` <changed>", 900, "clock", "s.promptc:3:1", "was 1", "was 2")
    bad = _simulation(*(_played(turn, 0, 1_000, loss=loss if turn > 1 else None) for turn in (1, 2, 3)), name="b")
    found = contrast(bad, _STEADY)
    assert (found.read, found.apart) == (2_200, 2)
    assert round(found.cost) == round(_STEADY.best.cost - bad.best.cost)
    assert [(r.reason, r.tokens) for r in found.only_a] == [("`clock` <changed>", 1_800)]
    assert found.only_b == ()
    assert verdict(found) == (
        f"B costs {bad.best.cost - _STEADY.best.cost:,.0f} less than A ({-(found.share or 0):.1%}) and reads 2,200 more "
        "cached tokens; they part in turn 2"
    )
    text = simulation_text([bad, _STEADY])
    assert "only A: `clock` <changed>: 1,800 cached tokens not read (s.promptc:3:1)" in text
    page = simulation_html([bad, _STEADY])
    assert "Only A: `clock` &lt;changed&gt;: 1,800 cached tokens not read" in page and "<changed>" not in page
    told = json.loads(simulation_json([bad, _STEADY]))["comparison"]
    assert (told["read"], told["apart"], told["only_a"][0]["tokens"]) == (2_200, 2, 1_800)
    assert [turn["turn"] for turn in told["turns"]] == [1, 2, 3]
    assert "comparison" not in json.loads(simulation_json([bad]))


def test_two_that_fare_alike_are_said_to() -> None:
    found = contrast(_STEADY, _STEADY)
    assert verdict(found) == "B costs as much as A and reads as many cached tokens; no turn loses what the other keeps"


def test_losses_with_one_reason_are_one_line_with_their_turns() -> None:
    same = Loss("changed", "`clock` changed", 100, "clock", "s.promptc:3:1", "was 1", "was 2")
    requests = [_played(turn, 0, 500, loss=same if turn in (2, 3, 4, 7) else None) for turn in range(1, 9)]
    (group,) = grouped(requests)
    assert (group.turns, group.tokens) == ("turns 2-4, 7", 400)
    assert "turns 2-4, 7: `clock` changed: 400 cached tokens not read" in simulation_text([_simulation(*requests)])


def test_both_bounds_are_named_where_they_differ() -> None:
    best = _played(2, 900, 0, 100)
    unsure = replace(best, certain=Counts(0, {}, 1_000), certain_cost=1_000.0)
    assert bounds(_simulation(unsure, promised=False)) == "hit rate at best 90.0%, promised 0.0%"
    assert bounds(_simulation(best)) == "hit rate 90.0%, which the provider promises"


@pytest.mark.parametrize(
    ("share", "shown"), [(None, "-"), (0.0, "0.0%"), (1.0, "100.0%"), (0.9999, "99.9%"), (0.5, "50.0%")]
)
def test_share_reads_as_all_only_where_it_is(share: float | None, shown: str) -> None:
    assert percent(share) == shown


def test_clock_counts_hours() -> None:
    assert [clock(s) for s in (0, 59, 61, 3_600, 90_061)] == ["0:00:00", "0:00:59", "0:01:01", "1:00:00", "25:01:01"]


def test_json_says_what_the_text_says() -> None:
    document = json.loads(simulation_json([_STEADY]))
    assert document["format"] == "promptc.simulation/1"
    (found,) = document["simulations"]
    assert found["total"]["best"] == {
        "input": 50, "written": {"5m": 1_300}, "read": 2_200, "hit_rate": 0.619718, "cost": 1_895.0
    }  # fmt: skip
    assert [turn["kept"] for turn in found["turns"]] == [None, 1.0, 1.0]
    assert [request["best"]["read"] for request in found["requests"]] == [0, 1_000, 1_200]


def _hostile() -> Simulation:
    loss = Loss("changed", _HOSTILE, 7, _HOSTILE, _HOSTILE, _HOSTILE, _HOSTILE)
    played = replace(_played(2, 5, 5, loss=loss), events=(_HOSTILE,), best=Counts(5, {_HOSTILE: 5}, 0), model=_HOSTILE)
    return summarised(
        (_played(1, 0, 10), played), _HOSTILE, _HOSTILE, TokenCount(0, _HOSTILE, False, 0.1), True, (_HOSTILE,)
    )


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def test_hostile_text_runs_nowhere_on_the_page() -> None:
    page = simulation_html([_hostile(), _hostile()])
    parser = _Tags()
    parser.feed(page)
    assert parser.tags.isdisjoint({"script", "img", "iframe", "object", "form", "link", "base", "a", "foreignobject"})
    assert [name for name, _ in parser.attributes if name.startswith("on") or name in ("href", "src", "style")] == []
    assert "&lt;script&gt;alert(1)" in page
    assert "\x1b" not in page and "\u202e" not in page


def test_page_fetches_nothing_and_its_policy_admits_only_its_own_style() -> None:
    page = simulation_html([_STEADY])
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert "http://" not in page and "https://" not in page and "url(" not in page and "@import" not in page
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_page_fits_a_phone_and_both_colour_schemes() -> None:
    page = simulation_html([_STEADY])
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert "prefers-color-scheme: dark" in page
    assert re.search(r"<svg(?![^>]* width=)", page)


def test_hostile_text_controls_no_terminal() -> None:
    text = simulation_text([_hostile()])
    assert not {"\x1b", "\u202e"} & set(text)
    assert "<script>" in text


def test_chart_has_a_bar_for_every_request_with_its_parts_to_scale() -> None:
    page = simulation_html([_STEADY])
    bars = re.findall(r'<rect class="(\w+)" x="(\d+)" width="\d+" y="[\d.]+" height="([\d.]+)"/>', page)
    assert [(kind, x) for kind, x, _ in bars] == [
        ("written", "58"), ("read", "86"), ("written", "86"), ("read", "114"), ("written", "114"), ("plain", "114")
    ]  # fmt: skip
    heights = [float(height) for _, _, height in bars]
    assert heights[1] == pytest.approx(heights[0], abs=0.1)
    assert heights[3] / heights[0] == pytest.approx(1.2, abs=0.01)
    assert heights[2] / heights[4] == pytest.approx(2, abs=0.05)


def test_long_conversation_still_has_a_chart() -> None:
    page = simulation_html([_simulation(*(_played(turn, turn, 1) for turn in range(1, 1_001)))])
    assert len(re.findall(r"<rect", page)) == 2_000
    width = re.search(r'viewBox="0 0 (\d+)', page)
    assert width is not None and int(width[1]) < 2_200
