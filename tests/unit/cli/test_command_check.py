"""`promptc check`: what its arguments may be."""

import json
from pathlib import Path

import pytest

from promptc.cli import exits
from support.checkout import promptc

_BODY = json.dumps({"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "Hello."}]})
_SPEC = 'prompt p { target anthropic  model "m"  system { section s @static "S" } }'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "promptc.toml").write_text("")
    (tmp_path / "request.json").write_text(_BODY)
    (tmp_path / "p.promptc").write_text(_SPEC)
    return tmp_path


def test_a_dash_is_a_request_body_on_stdin(folder: Path) -> None:
    assert promptc(["check", "-", "--target", "anthropic"], folder, stdin=_BODY.encode()).code == exits.CLEAN
    block = {"type": "text", "text": "Look.", "cache_control": {"type": "ephemeral"}}
    marked = {**json.loads(_BODY), "system": [block] * 5}
    done = promptc(["check", "-", "--target", "anthropic", "--no-sizes"], folder, stdin=json.dumps(marked).encode())
    assert done.code == exits.FINDINGS and b"error[PC6" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["p.promptc", "--target", "anthropic"], "`--target` is for request bodies"),
        (["--target", "anthropic"], "`--target` is for request bodies"),
        (["p.promptc", "request.json"], "one kind at a time"),
    ],
)
def test_arguments_that_would_have_no_effect_are_refused(folder: Path, arguments: list[str], said: str) -> None:
    done = promptc(["check", *arguments], folder)
    assert done.code == exits.USAGE and said in done.stderr and done.stdout == b""
