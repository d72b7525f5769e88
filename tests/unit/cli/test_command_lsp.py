"""`promptc lsp` without the package that it needs."""

import importlib.util
from importlib.machinery import ModuleSpec

import pytest
from typer.testing import CliRunner

from promptc.cli.app import make_app


def test_missing_package_is_named_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str, package: str | None = None) -> ModuleSpec | None:
        return None

    monkeypatch.setattr("promptc.cli.commands.lsp.find_spec", without)
    assert importlib.util.find_spec("pygls") is not None
    done = CliRunner().invoke(make_app(("lsp", "check")), ["lsp"])
    assert done.exit_code == 2
    assert "error[PC890]" in done.output
    assert "promptc-lang[lsp]" in done.output
