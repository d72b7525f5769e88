"""Real files of the other tools, where they are at hand: each is imported, or it is said why not."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.emit.target import emit
from promptc.importing.run import Options, import_source
from promptc.ir.interpret import assemble
from promptc.source import Source
from support.imports import compiled, fit, imported
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


def _said(name: str, text: str, files: dict[str, str], values: dict[str, Any]) -> dict[str, str]:
    """What the only prompt of a file says in its system lane and behind the conversation."""
    found = imported(name, text, files)
    if found.spec is None:
        return {"system": "", "user": ""}
    (program,) = compiled(found.spec.dsl).programs.values()
    inputs = fit(program, values)
    messages = [{"role": "user", "content": "Hello."}]
    body = json.loads(assemble(program, inputs, messages, model=None if program.model else "model").body)
    blocks = {"system": body.get("system", []), "user": body["messages"][-1]["content"][1:]}
    return {role: "".join(block["text"] for block in own).strip() for role, own in blocks.items()}


_DOTPROMPT = shared_folder("corpora/peers/dotprompt-spec")


@pytest.mark.skipif(_DOTPROMPT is None, reason="the shared corpora are not here")
@pytest.mark.parametrize("name", ["whitespace", "partials"])
def test_published_vectors_of_dotprompt_hold_but_for_the_ends_of_messages(name: str) -> None:
    assert _DOTPROMPT is not None
    for case in yaml.safe_load((_DOTPROMPT / f"spec__{name}.yaml").read_text(encoding="utf-8")):
        partials = {**(case.get("partials") or {}), **(case.get("resolverPartials") or {})}
        files = {f"_{key}.prompt": text for key, text in partials.items()}
        for test in case["tests"]:
            values = {**(case.get("data") or {}).get("input", {}), **((test.get("data") or {}).get("input") or {})}
            wanted = {"system": "", "user": ""}
            for message in test["expect"]["messages"]:
                wanted[message["role"]] += "".join(block["text"] for block in message["content"])
            said = _said("a.prompt", case["template"], files, values)
            assert said == {role: text.strip() for role, text in wanted.items()}, case["name"]


_POML = shared_folder("corpora/peers/poml-expects")


@pytest.mark.skipif(_POML is None, reason="the shared corpora are not here")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("105_write_blog_post", {}),
        ("106_research", {}),
        ("109_math_verifier", {"question": "What is 15% of 200?", "answer": "35"}),
    ],
)
def test_published_outputs_of_poml_hold_but_for_blanks_at_the_ends_of_lines(name: str, values: dict[str, str]) -> None:
    assert _POML is not None
    text = (_POML.parent / "poml" / f"examples__{name}.poml").read_text(encoding="utf-8")
    expected = (_POML / f"{name}.txt").read_text(encoding="utf-8")
    wanted = {"system": "", "user": ""}
    for part in expected.split("===== ")[1:]:
        role, _, own = part.partition(" =====\n")
        # The last message of each role: those in front are examples, which the caller passes.
        wanted["user" if role == "human" else role] = own
    said = _said("a.poml", text, {}, values)
    for role in said:
        assert _lines(said[role]) == _lines(wanted[role])


def _lines(text: str) -> list[str]:
    return [line.rstrip() if line.startswith("  ") else line.strip() for line in text.strip().splitlines()]
