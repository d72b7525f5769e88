"""The page about editors: its tables name what the server really has."""

import re
import tomllib

from promptc.lsp.hints import PREVIEW
from promptc.lsp.preview import FORMAT
from support.checkout import ROOT

_PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def test_snippets_start_the_server_by_its_command() -> None:
    helix = tomllib.loads(next(iter(re.findall(r"```toml\n(.*?)```", _PAGE, re.DOTALL))))
    server = helix["language-server"]["promptc"]
    assert [server["command"], *server["args"]] == ["promptc", "lsp"]
    assert all(language["language-servers"] == ["promptc"] for language in helix["language"])
    assert 'cmd = { "promptc", "lsp" }' in _PAGE
    assert '("promptc" "lsp")' in _PAGE


def test_page_names_the_preview_and_its_format() -> None:
    assert f"`{PREVIEW}`" in _PAGE
    assert f"`{FORMAT}`" in _PAGE


def test_page_names_every_key_of_a_section_of_a_preview() -> None:
    row = next(line for line in _PAGE.splitlines() if line.startswith("| `sections[]`"))
    keys = ("section", "kind", "class", "text", "start", "end", "breakpoint", "marker", "tokens", "place")
    assert [key for key in keys if f"`{key}`" not in row] == []
