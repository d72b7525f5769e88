"""One suggestion, near enough, always the same."""

import pytest

from promptc.diagnostics.suggest import suggest


@pytest.mark.parametrize(
    ("written", "candidates", "meant"),
    [
        ("sesion", ["session", "static"], "session"),
        ("inptu", ["input", "include"], "input"),
        ("Session", ["session"], "session"),
        ("cache", ["cache", "cached"], "cached"),
        ("falback", ["fallback", "ttl"], "fallback"),
        ("xyz", ["session"], None),
        ("ab", ["ac"], None),
        ("", ["a"], None),
        ("a" * 5_000, ["b" * 5_000], None),
        ("bat", ["cat", "rat", "bar"], "bar"),
    ],
)
def test_the_nearest_name_is_suggested(written: str, candidates: list[str], meant: str | None) -> None:
    assert suggest(written, candidates) == meant
    assert suggest(written, reversed(candidates)) == meant
