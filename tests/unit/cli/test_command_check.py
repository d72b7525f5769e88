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


@pytest.mark.parametrize("document", ["[]", '{"requests": []}', "{}", "null"])
def test_a_file_without_a_request_is_not_clean(folder: Path, document: str) -> None:
    (folder / "request.json").write_text(document)
    done = promptc(["check", "request.json", "--target", "anthropic"], folder)
    assert done.code == exits.FINDINGS and done.stdout.startswith(b"error[PC679]")


@pytest.mark.parametrize("order", ["tool,system,messages", "system,system", "", "tools,,messages"])
def test_an_order_of_lanes_that_do_not_exist_is_refused(folder: Path, order: str) -> None:
    (folder / "later.json").write_text(_BODY.replace("Hello", "Bye"))
    done = promptc(["diff", "request.json", "later.json", "--order", order], folder)
    assert done.code == exits.USAGE and done.stdout == b"" and "lane" in done.stderr
