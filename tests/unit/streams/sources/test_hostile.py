"""Whatever a recording holds, what can be read is read, and the rest is counted and said once."""

import codecs
import gzip
import io
import json
import sys
import zlib

import pytest
import zstandard

from promptc.streams.json_value import member
from promptc.streams.sources.content import decoded
from promptc.streams.sources.model import Capture
from promptc.streams.sources.read import Recording, open_recording
from promptc.streams.sources.records import Limits
from support.recorded import ALL, body, har, lines, mitmproxy, tnetstring

GOOD = lines({"body": body(1)})


def taken(data: bytes, limits: Limits | None = None) -> tuple[Recording, list[Capture]]:
    recording, found = open_recording(io.BytesIO(data), "r.jsonl", limits=limits)
    assert recording is not None, found
    return recording, list(recording)


def said(recording: Recording) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {found.code: (found.message, found.notes) for found in recording.diagnostics()}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (GOOD[:40] + b"\n", "not JSON"),
        (b"\x00\xff\xfe garbage\n", "not UTF-8"),
        ('{"body": "Größe"}\n'.encode("latin-1"), "not UTF-8: byte 12"),
        (b"[" * 100_000 + b"\n", "nested deeper than 200 levels"),
        (b'{"a":' * 300 + b"1" + b"}" * 300 + b"\n", "nested deeper than 200 levels"),
        (b'{"body": NaN}\n', "`NaN` is not a number of JSON"),
        (b"null\n", "it is `null`"),
        (b"\xef\xbb\xbf{\n", "not JSON"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_damaged_line_is_counted_and_the_others_are_read(line: bytes, reason: str, first: bool) -> None:
    data = line + GOOD * 3 if first else GOOD + line + GOOD * 2
    recording, captures = taken(data)
    assert len(captures) == 3
    message, notes = said(recording)["PC850"]
    assert message == "1 record of `r.jsonl` cannot be read"
    assert notes[0].startswith(f"line {1 if first else 2}: ") and reason in notes[0]


def test_many_damaged_lines_are_one_finding_with_the_first_places() -> None:
    recording, captures = taken(GOOD + b"{broken\n" * 500 + GOOD)
    message, notes = said(recording)["PC850"]
    assert len(captures) == 2 and message.startswith("500 records") and notes[3] == "and 497 more"


def test_a_line_without_an_end_is_passed_over_in_bounded_memory() -> None:
    endless = b'{"body": "' + b"x" * 3_000_000 + b'"}\n'
    recording, captures = taken(GOOD + endless + GOOD, Limits(record=100_000))
    assert len(captures) == 2 and "longer than 100,000 bytes" in said(recording)["PC850"][1][0]


@pytest.mark.parametrize("end", [b"\r\n", b"\n\n\n", b"\n \t \n"])
def test_line_ends_of_any_kind_and_blank_lines_do_not_count(end: bytes) -> None:
    recording, captures = taken(GOOD.rstrip() + end + GOOD.rstrip() + end)
    assert len(captures) == 2 and said(recording) == {}


def test_keys_that_stand_twice_and_half_pairs_are_counted() -> None:
    twice = b'{"body": {"model": "a", "model": "b", "messages": [{"role": "user", "content": "x"}]}}\n'
    half = b'{"body": {"messages": [{"role": "user", "content": "\\ud800"}]}}\n'
    recording, captures = taken(twice + half + GOOD)
    assert len(captures) == 3
    message, notes = said(recording)["PC857"]
    assert message.startswith("2 requests") and "a key twice" in notes[0] and "half a surrogate pair" in notes[1]
    assert "line 2" in notes[1] and "/body/messages/0/content" in notes[1]


@pytest.mark.parametrize("number", ["9223372036854775808", "1e999", "-0.0", "9" * 5000, "1" + "0" * 400 + ".5"])
def test_numbers_of_any_size_are_kept_as_they_are_written(number: str) -> None:
    line = b'{"body": {"max_tokens": %s, "messages": [{"role": "user", "content": "x"}]}}\n' % number.encode()
    _, captures = taken(line * 2)
    assert member(captures[0].body, "max_tokens") == number.encode()


def test_records_of_another_kind_are_counted() -> None:
    recording, captures = taken(GOOD + b'{"note": "a lamp"}\n[1, 2]\n"text"\n17\n' + GOOD)
    assert len(captures) == 2
    assert said(recording)["PC854"][0].startswith("4 records")


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("format", ALL)
def test_packed_recordings_are_read_like_others(pack: object, format: str) -> None:
    assert callable(pack)
    recording, captures = taken(pack(ALL[format]()))
    assert recording.format.name == format and len(captures) == 2 and len(recording.packing) == 1


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_packed_data_that_is_cut_off_gives_what_it_has(pack: object) -> None:
    assert callable(pack)
    many = b"".join(
        lines({"body": body(1, f"You look after lighthouse {zlib.crc32(bytes([n % 251, n // 251]))}.")})
        for n in range(20_000)
    )
    packed = pack(many)
    recording, captures = taken(packed[: len(packed) // 2])
    assert 100 < len(captures) < 20_000
    if recording.packing == ("gzip",):
        assert "PC851" in said(recording)


def test_damaged_packed_data_is_reported_and_never_fatal() -> None:
    packed = bytearray(gzip.compress(GOOD * 2000))
    packed[len(packed) // 2] ^= 0xFF
    packed[-8:] = b"\x00" * 8
    recording, _ = taken(bytes(packed))
    assert "PC851" in said(recording)


def test_two_packed_members_one_behind_the_other_are_one_recording() -> None:
    for pack in (gzip.compress, zstandard.compress):
        assert len(taken(pack(GOOD) + pack(GOOD))[1]) == 2


def test_zstd_without_its_reader_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    recording, found = open_recording(io.BytesIO(zstandard.compress(GOOD)), "r.zst")
    assert recording is None and [d.code for d in found] == ["PC855"]
    assert found[0].help is not None and "promptc-lang[captures]" in found[0].help


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_its_mark_is_read(encoding: str) -> None:
    mark = codecs.BOM_UTF16_LE if encoding.endswith("le") else codecs.BOM_UTF16_BE
    recording, captures = taken(mark + (GOOD * 2).decode().encode(encoding))
    assert len(captures) == 2 and recording.packing == ("UTF-16",)


def test_a_byte_order_mark_does_not_count() -> None:
    assert len(taken(codecs.BOM_UTF8 + GOOD * 2)[1]) == 2


@pytest.mark.parametrize("data", [b"", b"\n\n", b"Dear diary,\n", b'{"lamp": 1}\n{"lamp": 2}\n', b"[]", b"7"])
def test_a_file_of_no_known_format_is_refused(data: bytes) -> None:
    recording, found = open_recording(io.BytesIO(data), "r")
    assert recording is None and [d.code for d in found] == ["PC852"]


def test_a_recording_without_a_request_is_an_error() -> None:
    recording, captures = taken(json.dumps({"log": {"entries": []}}).encode())
    assert captures == [] and [d.code for d in recording.diagnostics()] == ["PC853"]


def test_a_large_file_of_one_value_is_read_item_by_item() -> None:
    limits = Limits(whole=1000)
    for name in ("har", "langfuse"):
        whole, sliced = taken(ALL[name]())[1], taken(ALL[name](), limits)[1]
        assert [c.body for c in whole] == [c.body for c in sliced] and len(sliced) == 2
    envelope = json.dumps({"shape": '{["', "endpoint": {"a": [1]}, "requests": [body(1), body(2)]}).encode()
    recording, captures = taken(envelope + b"  ", limits)
    assert [str(c.where) for c in captures] == ["/requests/0", "/requests/1"] and said(recording) == {}
    assert len(taken(json.dumps([{"body": body(n)} for n in (1, 2, 3)]).encode(), limits)[1]) == 3


def test_a_large_file_that_is_cut_off_gives_the_items_before() -> None:
    data = json.dumps([{"body": body(n)} for n in range(1, 9)]).encode()
    recording, captures = taken(data[: len(data) * 2 // 3], Limits(whole=500))
    assert 2 < len(captures) < 8 and "PC851" in said(recording)


def test_a_damaged_dump_gives_the_flows_before_the_damage() -> None:
    dump = mitmproxy()
    recording, captures = taken(dump[:-100])
    assert len(captures) == 1 and "PC851" in said(recording)
    recording, captures = taken(dump + b"garbage that is no length")
    assert len(captures) == 2 and "PC851" in said(recording)
    inner = tnetstring({"version": 1, "request": {"content": b"x"}})
    spoilt = inner.replace(b"1:x,", b"9:x,")
    recording, captures = taken(dump + spoilt + dump)
    assert len(captures) == 4 and "PC850" in said(recording)
    nested: object = []
    for _ in range(100):
        nested = [nested]
    recording, captures = taken(dump + tnetstring({"version": 1, "x": nested}) + dump)
    assert len(captures) == 4 and "nested" in said(recording)["PC850"][1][0]


def test_content_encodings_are_undone_and_damage_is_no_fault_of_the_rest() -> None:
    text = b'{"a": 1}'
    raw = zlib.compressobj(wbits=-15)
    packed = [(gzip.compress(text), "gzip"), (zstandard.compress(text), "zstd"), (zlib.compress(text), "deflate")]
    packed += [(raw.compress(text) + raw.flush(), "deflate"), (text, "gzip"), (text, "br")]
    assert [decoded(data, encoding) for data, encoding in packed] == [text.decode()] * len(packed)
    assert (
        decoded(b"\x1f\x8bnonsense") is None
        and decoded(b"\x28\xb5\x2f\xfdnonsense") is None
        and decoded(b"\xff") is None
    )
    damaged = har().replace(b"H4sI", b"!!!!")
    recording, captures = taken(damaged)
    assert len(captures) == 1 and recording.tally.without > 0
