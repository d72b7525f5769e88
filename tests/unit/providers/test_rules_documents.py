"""What a file with requests may hold, and how long it takes to check it."""

import time

import pytest

from promptc.providers.checks.run import check_bytes, check_document
from promptc.providers.registry import provider
from support.request_bodies import MARK, answered, body, called, check, said, text, tokens


def test_an_envelope_hands_its_options_to_the_rules() -> None:
    document = {"gap_seconds": 400, "requests": [body(said("user", text("a", cache_control=MARK)))]}
    found = check_document(document, provider("anthropic"))
    assert [(d.code, d.pointer) for d in found] == [("PC630", "/requests/0/messages/0/content/0/cache_control")]


@pytest.mark.parametrize(
    ("key", "value", "help"),
    [
        ("relatoin", "fork", "did you mean `relation`?"),
        ("relation", "forked", "write `session` or `fork`"),
        ("gap_seconds", -400, "write a number, zero or more"),
        ("gap_seconds", True, "write a number, zero or more"),
        ("parallel", 0, "write a whole number, one or more"),
        ("tokens", "guess", "write `estimate`, or how many tokens every block has"),
        ("batch", "yes", "write `true` or `false`"),
    ],
)
def test_what_an_envelope_says_to_nobody_is_a_finding(key: str, value: object, help: str) -> None:
    document = {key: value, "requests": [body(said("user", text("a")))]}
    found = check_document(document, provider("anthropic"))
    assert [(d.code, d.pointer, d.help) for d in found] == [("PC679", f"/{key}", help)]


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        (b"{", "expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b"[" * 100_000, None),
        (b'"\xff"', None),
        (b"3", None),
    ],
)
def test_a_file_that_holds_no_request_is_a_finding(raw: bytes, note: str | None) -> None:
    found = check_bytes(raw, "anthropic")
    assert [d.code for d in found] == ["PC679"]
    assert note is None or found[0].notes == (note,)


def test_a_body_nested_too_deeply_is_a_finding_and_no_crash() -> None:
    for depth in (199, 500, 900):
        raw = b'{"messages": [{"role": "user", "content": ' + b"[" * depth + b"]" * depth + b"}]}"
        assert [d.code for d in check_bytes(raw, "anthropic")] == ["PC679"]
        assert [d.code for d in check_bytes(b"[" + raw + b"," + raw + b"]", "anthropic")] == ["PC679"] * 2
    shallow = b'{"messages": [{"role": "user", "content": ' + b"[" * 150 + b"]" * 150 + b"}]}"
    assert "PC679" not in [d.code for d in check_bytes(shallow, "anthropic")]


def test_the_model_in_the_file_chooses_the_generation() -> None:
    body = b'{"model": "%s", "messages": [{"role": "user", "content": "a"}], "prompt_cache_options": {}}'
    assert [d.code for d in check_bytes(body % b"gpt-5.5", "openai")] == ["PC636"]
    assert check_bytes(body % b"gpt-5.6", "openai") == ()


def test_an_unknown_target_is_the_callers_mistake() -> None:
    with pytest.raises(KeyError):
        check_bytes(b"{}", "nobody")


def test_a_long_session_is_checked_in_a_blink() -> None:
    turns = [said("user", "a")]
    for n in range(2000):
        turns += [said("assistant", text(f"say {n}"), called(f"t{n}")), said("user", answered(f"t{n}"))]
    started = time.perf_counter()
    assert check(body(*turns), count=tokens(10)) == []
    assert time.perf_counter() - started < 3.0
