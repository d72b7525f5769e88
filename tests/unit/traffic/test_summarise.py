"""Sums: checked by hand."""

import pytest

from promptc.providers.cache_model.values import Counts
from promptc.providers.tokens import TokenCount
from promptc.report.simulation import Played
from promptc.traffic.summarise import kept, summarised, sums


def _played(turn: int, read: int, written: dict[str, int], rest: int, left: int) -> Played:
    best, certain = Counts(read, written, rest), Counts(0, {}, read + sum(written.values()) + rest)
    return Played(turn, 0, False, turn * 10, "m", (), best, certain, 7.5, float(certain.total), left, None)


_PLAYED = (
    _played(1, 0, {"1h": 600, "5m": 300}, 100, 0),
    _played(2, 900, {"5m": 50}, 50, 900),
    _played(2, 300, {"5m": 700}, 0, 1_000),
)


def test_sums_add_up_and_the_hit_rate_is_the_share_that_was_read() -> None:
    total = sums(_PLAYED)
    assert (total.requests, total.read, total.written, total.input) == (3, 1_200, {"1h": 600, "5m": 1_050}, 150)
    assert total.total == 3_000
    assert total.hit_rate == pytest.approx(1_200 / 3_000)
    assert total.cost == pytest.approx(22.5)
    assert total.saved == pytest.approx(1 - 22.5 / 3_000)


def test_bound_that_promises_nothing_reads_nothing() -> None:
    total = sums(_PLAYED, certain=True)
    assert (total.read, total.written, total.input, total.hit_rate) == (0, {}, 3_000, 0)


def test_kept_is_the_share_of_what_was_there() -> None:
    assert kept(_PLAYED) == pytest.approx(1_200 / 1_900)
    assert kept(_PLAYED[:1]) is None


def test_turns_are_summed_apart() -> None:
    found = summarised(_PLAYED, "n", "t", TokenCount(0, "method", False, 0.1), True)
    assert [(turn.turn, turn.at, turn.best.requests, turn.left) for turn in found.turns] == [
        (1, 10, 1, 0),
        (2, 20, 2, 1_900),
    ]
    assert found.lifetimes == ("1h", "5m")
    assert found.turns[0].kept is None


def test_no_tokens_are_no_hits() -> None:
    assert sums(()).hit_rate == 0.0
    assert sums(()).saved == 0.0
