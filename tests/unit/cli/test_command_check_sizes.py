"""`promptc check` on a request body: prefixes too short to be cached are warnings, and counted by estimate."""

import json
from pathlib import Path

import pytest

from support.checkout import promptc


def _request(folder: Path, words: int) -> None:
    body = {
        "model": "claude-opus-5-5",
        "max_tokens": 10,
        "system": [{"type": "text", "text": "look " * words, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "Hello."}],
    }
    (folder / "request.json").write_text(json.dumps(body))


def test_short_prefix_is_a_warning_that_says_it_is_an_estimate(tmp_path: Path) -> None:
    _request(tmp_path, 20)
    done = promptc(["check", "request.json", "--target", "anthropic"], tmp_path)
    assert done.code == 0
    assert done.stdout.startswith(b"warning[PC615]")
    assert "token counts are estimates" in done.stderr


@pytest.mark.parametrize(("words", "options"), [(20, ["--no-sizes"]), (2_000, [])])
def test_nothing_is_said_about_long_prefixes_or_where_sizes_are_off(
    words: int, options: list[str], tmp_path: Path
) -> None:
    _request(tmp_path, words)
    done = promptc(["check", "request.json", "--target", "anthropic", *options], tmp_path)
    assert (done.code, done.stdout) == (0, b"")
    assert "estimates" not in done.stderr
