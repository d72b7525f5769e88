"""Two versions of a prompt file: the common prefix in bytes is exactly the published one, for every row."""

import json
from pathlib import Path
from typing import Any

import pytest

from promptc.compare.diff import compare_streams
from promptc.streams.model import PrefixStream
from promptc.streams.read import read_stream
from support.shared import shared_folder

CORPORA = shared_folder("corpora")
if CORPORA is None:
    pytest.skip("the shared corpora are not at hand (PROMPTC_SHARED)", allow_module_level=True)
ROWS: list[dict[str, Any]] = json.loads((CORPORA / "prompt-history-divergence.json").read_text("utf-8"))["rows"]


def _file(row: dict[str, Any], version: str) -> Path:
    assert CORPORA is not None
    found = list((CORPORA / row["project"]).rglob(f"{version}/{row['file']}"))
    assert len(found) == 1, found
    return found[0]


def _stream(row: dict[str, Any], version: str) -> PrefixStream:
    stream, found = read_stream(_file(row, version).read_bytes(), f"{version}/{row['file']}")
    # Some rows are lists of tools: JSON, but no request, so their bytes are compared as text, and that is said.
    assert [entry.code for entry in found] == (["PC806"] if row["file"].endswith(".json") else [])
    assert stream is not None
    assert stream.format == "text"
    return stream


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['project']}-{row['file']}-{row['frm']}-{row['to']}")
def test_common_prefix_of_two_versions_is_exact(row: dict[str, Any]) -> None:
    result = compare_streams(_stream(row, row["frm"]), _stream(row, row["to"]))
    assert result.prefix.bytes.kept == row["common_prefix_bytes"]
    assert result.prefix.bytes.kept + result.prefix.bytes.lost == row["bytes_from"]
    assert (result.relation == "identical") == row["identical"]
    if not row["identical"]:
        first = result.findings[0]
        assert first.byte_offset == row["common_prefix_bytes"]
        assert first.line == row["prefix_line"]
