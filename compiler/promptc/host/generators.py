"""Run what makes attachments: side by side, under one deadline, and none can fail a request (D-03, D-04)."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")


class Signal:
    """Told to a generator: whether its time is over. Code that does not ask is not stopped, and not waited for."""

    def __init__(self) -> None:
        self._over = threading.Event()

    def over(self) -> bool:
        """Whether the time is over."""
        return self._over.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep, but not beyond the end; whether the time is over."""
        return self._over.wait(seconds)

    def end(self) -> None:
        """End the time of everyone who asks."""
        self._over.set()


Make: TypeAlias = Callable[[Signal], Sequence[T]]


@dataclass(frozen=True, slots=True)
class Generator(Generic[T]):
    """One source of attachments.

    Attributes:
        name: What it is called in reports.
        make: Makes attachments; it may raise, hang or return late.
        blocking: Whether its failure means that the submission is not sent at all, as that of a blocking hook does.
    """

    name: str
    make: Make[T]
    blocking: bool = False


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What became of one generator.

    Attributes:
        made: What it made; empty unless it ended in time and did not raise.
        fault: Why nothing was made: `timeout`, or the name of what it raised and its text; empty for none.
        seconds: How long it took, or how long was waited for it.
    """

    name: str
    made: tuple[T, ...]
    fault: str
    seconds: float
    blocking: bool = False


def run_all(generators: Sequence[Generator[T]], timeout: float) -> tuple[Outcome[T], ...]:
    """Run all generators at the same time and give their outcomes in the order of the generators.

    Args:
        timeout: Seconds after which those that are not ready count as having made nothing.
    """
    signal = Signal()
    ready: Queue[tuple[int, Outcome[T]]] = Queue()
    started = time.monotonic()
    for at, generator in enumerate(generators):
        # A daemon: one that hangs must not keep the program from ending.
        threading.Thread(target=_run, args=(at, generator, signal, ready), daemon=True, name=generator.name).start()
    found: dict[int, Outcome[T]] = {}
    while len(found) < len(generators):
        left = started + timeout - time.monotonic()
        try:
            at, outcome = ready.get(timeout=max(left, 0)) if left > 0 else ready.get_nowait()
        except Empty:
            break
        found[at] = outcome
    signal.end()
    return tuple(
        found.get(at) or Outcome(g.name, (), "timeout", time.monotonic() - started, g.blocking)
        for at, g in enumerate(generators)
    )


def _run(at: int, generator: Generator[T], signal: Signal, ready: "Queue[tuple[int, Outcome[T]]]") -> None:
    started = time.monotonic()
    made: tuple[T, ...] = ()
    fault = ""
    try:
        made = tuple(generator.make(signal))
    except BaseException as raised:  # whatever it is, it belongs to this generator alone
        fault = f"{type(raised).__name__}: {raised}".rstrip(": ")
    ready.put((at, Outcome(generator.name, made, fault, time.monotonic() - started, generator.blocking)))


def withheld_by(outcomes: Sequence[Outcome[T]]) -> tuple[str, ...]:
    """Names of the blocking generators that failed: the submission is not to be sent."""
    return tuple(outcome.name for outcome in outcomes if outcome.blocking and outcome.fault)
