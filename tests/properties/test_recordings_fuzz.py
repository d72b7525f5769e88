"""Whatever bytes a recording holds, reading it ends, raises nothing, and keeps to its counts."""

import gzip
import io
import os

import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.streams.sources.read import open_recording
from promptc.streams.sources.records import Limits
from support.recorded import ALL, body, lines

_EXAMPLES = 3000 if os.environ.get("PROMPTC_NIGHTLY") else 60
_RECORDINGS = [make() for make in ALL.values()]
_PACKS = [lambda data: data, gzip.compress, zstandard.compress]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A recording with a few spans of it replaced by other bytes, packed or not."""
    data = draw(st.sampled_from(_RECORDINGS))
    packed = draw(st.sampled_from(_PACKS))(data)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(packed)))
        end = min(len(packed), at + draw(st.integers(0, 20)))
        packed = (
            packed[:at]
            + draw(st.binary(max_size=12) | st.sampled_from([b"\n", b'"', b"{", b"}", b"\\ud800"]))
            + packed[end:]
        )
    return packed


@given(damaged() | st.binary(max_size=200), st.sampled_from([None, Limits(record=400, whole=200)]))
@settings(max_examples=_EXAMPLES, deadline=None, derandomize="PROMPTC_NIGHTLY" not in os.environ)
def test_reading_never_raises_and_never_hangs(data: bytes, limits: Limits | None) -> None:
    recording, found = open_recording(io.BytesIO(data), "r", limits=limits)
    if recording is None:
        assert found and all(d.code in ("PC852", "PC855") for d in found)
        return
    captures = list(recording)
    assert [c.index for c in captures] == list(range(1, len(captures) + 1))
    assert recording.tally.requests == len(captures)
    assert bool(captures) != any(d.code == "PC853" for d in recording.diagnostics())


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.binary(min_size=1, max_size=40))
@settings(max_examples=_EXAMPLES, deadline=None, derandomize="PROMPTC_NIGHTLY" not in os.environ)
def test_good_lines_are_read_whatever_stands_between_them(pattern: list[bool], garbage: bytes) -> None:
    good = lines({"at": "1", "body": body(2)})
    bad = garbage.replace(b"\n", b"").replace(b"\r", b"")
    data = good + b"".join(good if is_good else b"!" + bad + b"\n" for is_good in pattern)
    recording, _ = open_recording(io.BytesIO(data), "r")
    assert recording is not None
    assert len(list(recording)) == 1 + sum(pattern)
    assert recording.tally.unreadable.number == len(pattern) - sum(pattern)
