"""Compares one pair of requests of a log: here, or in a process of its own while the log is read on."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from promptc.audit.bodies import Bodies, body_reader
from promptc.audit.captured import Knowledge
from promptc.audit.facts import Facts, Place
from promptc.audit.words import kind_of_cause, lane_of, place_of, redacted_pointer
from promptc.compare.amounts import BYTES_PER_TOKEN, Measures
from promptc.compare.diff import compare_streams
from promptc.providers.model import Provider
from promptc.providers.registry import Registry
from promptc.streams.attribution.index import AttributionIndex
from promptc.streams.json_value import member
from promptc.streams.model import PrefixStream
from promptc.streams.result import Comparison
from promptc.streams.rules import UNKNOWN_TARGET, cache_rules


@dataclass(frozen=True, slots=True)
class Pair:
    """Two requests that are to be compared.

    Attributes:
        parent: Number of the earlier one.
        number: Number of the later one.
        old: Where the earlier one is.
        new: Where the later one is.
    """

    parent: int
    number: int
    old: Place | None
    new: Place


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison said.

    Attributes:
        relation: None where an earlier request was no longer at hand.
        kept: Bytes of the earlier prefix that are still there.
        broken: The row of a break; None where nothing broke.
    """

    relation: str | None
    verdict: str | None
    kept: int | None
    broken: tuple[object, ...] | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What all comparisons of an audit have in common.

    Attributes:
        target: Provider that the user names; None to detect it.
        sections: Names the sections that wrote a request; None where no manifest is at hand.
        redact: Whether nothing of the text is kept.
    """

    registry: Registry
    target: str | None
    sections: AttributionIndex | None
    redact: bool


class Comparer:
    """Compares pairs.

    Attributes:
        bodies: The requests.
    """

    def __init__(self, setting: Setting, known: Knowledge, bodies: Bodies) -> None:
        self._setting = setting
        self._known = known
        self.bodies = bodies

    def compare(self, pair: Pair, facts: Facts) -> Verdict:
        """Compare two requests.

        Args:
            pair: The two.
            facts: What is known of the later one.
        """
        old = self.bodies.stream(pair.parent, pair.old)
        new = self.bodies.stream(pair.number, pair.new)
        if old is None or new is None:
            return Verdict(None, None, None)
        sections = self._setting.sections
        if sections is not None:
            old, new = sections.attribute(old).stream, sections.attribute(new).stream
        provider = self._known.provider(facts.target, facts.trail.model)
        rules = cache_rules(provider, facts.trail.model) if provider is not None else UNKNOWN_TARGET
        found = compare_streams(old, new, rules, _weighed(old))
        broken = None
        if found.verdict == "break":
            broken = _break_row(pair, facts, found, provider, self._setting.redact)
        return Verdict(found.relation, found.verdict, found.prefix.bytes.kept, broken)


class Beside:
    """Compares pairs in another process, whose results are waited for only when they are needed."""

    def __init__(self, setting: Setting, logs: Sequence[tuple[int, Path, str]]) -> None:
        self._pool = ProcessPoolExecutor(1, initializer=_start, initargs=(setting, tuple(logs)))

    def compare(self, pair: Pair, facts: Facts) -> "Future[Verdict]":
        """Begin to compare two requests."""
        return self._pool.submit(_compare, pair, facts)

    def close(self) -> None:
        """End the process."""
        self._pool.shutdown(cancel_futures=True)


_COMPARE: list[Callable[[Pair, Facts], Verdict]] = []


def _start(setting: Setting, logs: Sequence[tuple[int, Path, str]]) -> None:
    # A stop of the user's is the business of the process that reads.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    known = Knowledge(setting.registry, setting.target)
    bodies = Bodies(known)
    for input, path, format in logs:
        bodies.open_log(input, path, body_reader(format))
    _COMPARE[:] = [Comparer(setting, known, bodies).compare]


def _compare(pair: Pair, facts: Facts) -> Verdict:
    return _COMPARE[0](pair, facts)


def _break_row(
    asked: Pair, facts: Facts, found: Comparison, provider: Provider | None, redact: bool
) -> tuple[object, ...]:
    first = found.findings[0] if found.findings else None
    param = found.param_changes[0] if found.param_changes else None
    pointer, byte, change, text, was, now = None, None, None, None, None, None
    cause = "the prefix is another one"
    section, spec, line = None, None, None
    if first is not None:
        pointer, byte = first.pointer_a or first.pointer_b, first.byte_offset
        change, text, cause, was, now = (
            first.change_class,
            first.text_class,
            first.cause,
            first.rest_a,
            first.rest_b,
        )
        section = first.section
        spec, line = (first.span.path, first.span.line) if first.span is not None else (None, None)
    elif param is not None:
        pointer, was, now = param.pointer, param.was, param.now
        cause = f"the parameter `{param.name}` changed: {param.was} became {param.now}"
    lane = lane_of(pointer)
    kind = kind_of_cause(cause)
    if redact:
        pointer, cause, was, now = redacted_pointer(pointer), kind, None, None
    lost = found.prefix.bytes.lost
    tokens, counted = _tokens(lost, facts)
    return (
        asked.number, asked.parent, lane, pointer, byte, place_of(pointer, first.line if first is not None else None), kind, change, text, cause, was, now,
        section, spec, line, len(found.findings) + found.findings_left_out + len(found.param_changes), lost, tokens,
        tokens * _price(provider, facts.trail.model), int(counted),
    )  # fmt: skip


def _weighed(stream: PrefixStream) -> Measures:
    """Bytes exactly; tokens by the rule of thumb, since usage tells them better where there is some."""
    sizes = tuple(element.size for element in stream.elements)
    named = member(stream.attributes, "model")
    tokens = tuple(-(-size // BYTES_PER_TOKEN) for size in sizes)
    return Measures(sizes, tokens, "bytes/4", named if isinstance(named, str) else None)


def _tokens(lost: int, facts: Facts) -> tuple[int, bool]:
    """Tokens of lost bytes, and whether the provider's own count of the request says how many tokens its bytes are."""
    counts, size = facts.counts, facts.trail.size
    total = counts.read + sum(counts.written.values()) + counts.input if counts is not None else 0
    if total and size:
        return round(lost * total / size), True
    return -(-lost // BYTES_PER_TOKEN), False


def _price(provider: Provider | None, model: str | None) -> float:
    """What a lost token costs more than one that is read, in input tokens; 1 where no prices are known."""
    if provider is None:
        return 1.0
    lifetime, read = provider.lifetime(None), provider.read_price(model)
    written = lifetime.write.value if lifetime is not None else 1.0
    return max(written, 1.0) - (read.value if read is not None else 0.0)
