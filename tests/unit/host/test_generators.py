"""Generators side by side, under one deadline (D-03, D-04, J)."""

import threading
import time

from promptc.host.generators import Generator, Signal, run_all, withheld_by


def gives(*values: str) -> Generator[str]:
    return Generator("gives", lambda signal: values)


def test_outcomes_stand_in_the_order_of_the_generators_whatever_is_ready_first() -> None:
    """covers: D-03."""

    def late(signal: Signal) -> list[str]:
        signal.wait(0.05)
        return ["late"]

    outcomes = run_all([Generator("late", late), gives("early")], timeout=5)
    assert [(o.name, o.made, o.fault) for o in outcomes] == [("late", ("late",), ""), ("gives", ("early",), "")]


def test_they_run_at_the_same_time() -> None:
    """covers: D-03. Each waits for the other."""
    meet = threading.Barrier(2)

    def waits(signal: Signal) -> list[int]:
        return [meet.wait(5)]

    outcomes = run_all([Generator("a", waits), Generator("b", waits)], timeout=10)
    assert [o.fault for o in outcomes] == ["", ""]


def test_one_that_raises_makes_nothing_and_the_others_go_on() -> None:
    """covers: D-03, J: an attachment generator fails."""

    def raises(signal: Signal) -> list[str]:
        raise ValueError("no server")

    def leaves(signal: Signal) -> list[str]:
        raise SystemExit

    outcomes = run_all([Generator("a", raises), Generator("b", leaves), gives("x")], timeout=5)
    assert [(o.made, o.fault) for o in outcomes] == [((), "ValueError: no server"), ((), "SystemExit"), (("x",), "")]


def test_one_that_ignores_the_end_is_not_waited_for() -> None:
    """covers: D-03, J: a generator times out."""
    over = threading.Event()

    def hangs(signal: Signal) -> list[str]:
        over.wait(20)
        return ["too late"]

    started = time.monotonic()
    outcomes = run_all([Generator("hangs", hangs), gives("x")], timeout=0.05)
    assert time.monotonic() - started < 5
    assert [(o.made, o.fault) for o in outcomes] == [((), "timeout"), (("x",), "")]
    over.set()


def test_the_end_is_told_to_those_who_ask() -> None:
    """covers: D-03."""
    told = threading.Event()

    def asks(signal: Signal) -> list[str]:
        if signal.wait(20) and signal.over():
            told.set()
        return []

    run_all([Generator("asks", asks)], timeout=0.01)
    assert told.wait(5)


def test_a_generator_that_fails_half_way_gives_nothing() -> None:
    """covers: D-03. What it had made so far is not shown as if it were all."""

    def half(signal: Signal) -> list[str]:
        made = ["one"]
        made.append([][0])
        return made

    assert run_all([Generator("half", half)], timeout=5)[0].made == ()


def test_a_blocking_hook_that_fails_withholds_the_submission() -> None:
    """covers: D-04."""

    def refuses(signal: Signal) -> list[str]:
        raise PermissionError("not today")

    outcomes = run_all([Generator("policy", refuses, blocking=True), gives("x")], timeout=5)
    assert withheld_by(outcomes) == ("policy",)
    assert withheld_by(outcomes[1:]) == ()


def test_no_generators_are_no_fault() -> None:
    """There may be nothing to attach."""
    assert run_all([], timeout=0.01) == ()
