"""Real files of the other tools, where they are at hand: each is imported, or it is said why not."""

from pathlib import Path

import pytest

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.emit.target import emit
from promptc.importing.run import Options, import_source
from promptc.source import Source
from support.imports import compiled
from support.shared import shared_folder

_SUFFIXES = (".prompty", ".prompt", ".poml", ".j2", ".jinja", ".yaml")
_FOLDERS = ("prompty", "dotprompt", "poml", "jinja", "promptfoo")
# Nothing else may keep a file of a peer from being imported.
_REASONS = {"PC150", "PC941", "PC942"}


def _files() -> list[Path]:
    root = shared_folder("corpora/peers")
    if root is None:
        return []
    found = [path for folder in _FOLDERS for path in sorted((root / folder).iterdir())]
    return [path for path in found if path.suffix in _SUFFIXES and not path.name.startswith("LICENSE")]


@pytest.mark.skipif(not _files(), reason="the shared corpora are not here")
def test_real_files_are_imported_or_it_is_said_why_not() -> None:
    refused = 0
    for path in _files():
        text = path.read_text(encoding="utf-8").removeprefix("\ufeff").replace("\r\n", "\n")

        def fetch(name: str, folder: Path = path.parent) -> Source | None:
            beside = folder / name
            return Source(name, beside.read_text(encoding="utf-8")) if beside.is_file() else None

        found = import_source(Source(path.name, text), fetch, Options())
        if found.spec is None:
            errors = [d for d in found.diagnostics if severity_of(d) is Severity.ERROR]
            assert errors and all(d.code in _REASONS and d.primary is not None for d in errors), path.name
            refused += 1
            continue
        compilation = compiled(found.spec.dsl)
        for program in compilation.programs.values():
            artifact, faults = emit("python", program, compilation.sources)
            assert artifact is not None and not faults, path.name
    assert refused < len(_files()) // 6
