"""The lock: what is written is read back, what people accepted is never lost, faults are findings."""

import hashlib
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptc.emit.lock import (
    FORMAT,
    AcceptedBreak,
    Lock,
    LockedPrompt,
    emit_lock,
    make_lock,
    read_lock,
    with_break,
    write_lock,
)
from support.manifests import GOLDEN, manifest_of

MANIFEST = manifest_of((GOLDEN / "agent.promptc").read_text(encoding="utf-8"))
DATA = b"the bytes of a manifest"
BREAK = AcceptedBreak(prompt="agent", scope="global", was="a" * 64, now="b" * 64, reason="new rules for release 2")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


def test_lock_names_every_source_with_the_digest_of_its_raw_bytes() -> None:
    lock = make_lock(
        {"b.promptc": b"\xef\xbb\xbfx\r\n", "a.md": b""}, [("b.promptc", MANIFEST, DATA)], {"manifest": "1"}
    )
    plain = tomllib.loads(write_lock(lock).decode())
    assert list(plain["sources"]) == ["a.md", "b.promptc"]
    assert plain["sources"]["b.promptc"] == hashlib.sha256(b"\xef\xbb\xbfx\r\n").hexdigest()
    assert plain["prompts"][0]["digest"] == MANIFEST.digest
    assert plain["format"] == FORMAT


def test_accepted_breaks_live_through_a_rebuild() -> None:
    first = with_break(make_lock({}, [("a", MANIFEST, DATA)], {}), BREAK)
    read, found = read_lock(emit_lock(first).data)
    assert found == ()
    again = make_lock({"new.md": b"x"}, [("a", MANIFEST, DATA)], {}, read)
    assert again.breaks == [BREAK]


def test_a_break_is_accepted_for_its_scope_and_digests_only() -> None:
    lock = with_break(make_lock({}, [], {}), BREAK)
    assert lock.accepts("agent", "global", BREAK.was, BREAK.now) == BREAK
    assert lock.accepts("agent", "session", BREAK.was, BREAK.now) is None
    assert lock.accepts("agent", "global", BREAK.was, "c" * 64) is None
    assert lock.accepts("other", "global", BREAK.was, BREAK.now) is None
    whole = with_break(make_lock({}, [], {}), BREAK.model_copy(update={"scope": ""}))
    assert whole.accepts("agent", "session", BREAK.was, BREAK.now) is not None


def test_accepting_again_replaces_the_reason() -> None:
    lock = with_break(with_break(make_lock({}, [], {}), BREAK), BREAK.model_copy(update={"reason": "better"}))
    assert [b.reason for b in lock.breaks] == ["better"]


def test_order_of_the_inputs_does_not_matter() -> None:
    one = make_lock({"a": b"1", "b": b"2"}, [("x", MANIFEST, DATA), ("y", MANIFEST, DATA)], {"m": "1", "l": "2"})
    other = make_lock({"b": b"2", "a": b"1"}, [("y", MANIFEST, DATA), ("x", MANIFEST, DATA)], {"l": "2", "m": "1"})
    assert write_lock(one) == write_lock(other)


@given(st.dictionaries(TEXTS, TEXTS, max_size=3), TEXTS.filter(bool), TEXTS)
def test_what_is_written_is_read_back(sources: dict[str, str], reason: str, name: str) -> None:
    lock = Lock(
        format=FORMAT,
        compiler="1",
        sources=sources,
        prompts=[LockedPrompt(name=name, root=reason, manifest="m", digest="d")],
        breaks=[AcceptedBreak(prompt=name, scope=name, was="w", now="n", reason=reason)],
    )
    data = write_lock(lock)
    again, found = read_lock(data)
    assert found == ()
    assert again == lock
    assert all(line.isprintable() for line in data.decode().split("\n"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"format = 'promptc.lock/1'\n<<<<<<< ours\n",
        b'format = "promptc.lock/2"\ncompiler = "9"\n',
        b'format = "promptc.lock/1"\ncompiler = "1"\nextra = 1\n',
        b'format = "promptc.lock/1"\ncompiler = 1\n',
        b'format = "promptc.lock/1"\ncompiler = "1"\n[[breaks]]\nprompt = "p"\nwas = "a"\nnow = "b"\nreason = ""\n',
        b"a = " + b"[" * 100_000,
    ],
)
def test_what_is_no_lock_is_one_finding(data: bytes) -> None:
    lock, found = read_lock(data)
    assert lock is None
    assert [d.code for d in found] == ["PC931"]
