"""The preview of a request: every byte once, in order, and nothing that a reader cannot see."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptc.emit.python import emit_python
from promptc.report.preview import preview_json, preview_text, stretches_of
from promptc.runtime.request import Range
from promptc.source import Span
from support.emitted import load
from support.manifests import GOLDEN
from support.specs import compile_text

INPUTS = {
    "interactive": False,
    "model": "opus",
    "tools": [{"name": "search", "description": "Finds.\u200b", "input_schema": {}}],
    "cwd": "/a\tb\u202e",
    "branch": "main  ",
    "plan_mode": True,
}


@pytest.fixture(scope="module")
def request_of_agent() -> tuple[bytes, tuple[Range, ...]]:
    compilation = compile_text((GOLDEN / "agent.promptc").read_text(encoding="utf-8"))

    def locate(span: Span) -> tuple[int, int]:
        line, column = compilation.sources.by_path[span.path].line_column(span.start)
        return line + 1, column + 1

    module = load(emit_python(compilation.programs["agent"], locate).data)
    made = module.assemble(module.inputs_from_json(INPUTS), [{"role": "user", "content": "hello"}], module.State())
    return made.body, made.prefix_map()


def test_preview_of_a_request_is_as_recorded(request_of_agent: tuple[bytes, tuple[Range, ...]], update: bool) -> None:
    golden = GOLDEN / "agent.preview.txt"
    text = preview_text(*request_of_agent)
    if update:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_every_byte_is_in_one_stretch(request_of_agent: tuple[bytes, tuple[Range, ...]]) -> None:
    body, ranges = request_of_agent
    at = 0
    for stretch in stretches_of(body, ranges):
        assert stretch.start == at < stretch.end
        at = stretch.end
    assert at == len(body)


def test_texts_of_sections_are_those_of_the_request(request_of_agent: tuple[bytes, tuple[Range, ...]]) -> None:
    body, ranges = request_of_agent
    plain = json.loads(body)
    texts = {s.what: s.text for s in stretches_of(body, ranges) if s.kind == "section"}
    assert plain["system"][0]["text"] == f"{texts['identity']}\n\n{texts['rules']}"
    assert plain["system"][1]["text"] == texts["environment"]
    inserted = [text for s in stretches_of(body, ranges) for text, is_value in s.parts if is_value]
    assert inserted == ["pipe", "/a\tb\u202e", "main  ", "1", "search"]


def test_markers_and_seams_are_named(request_of_agent: tuple[bytes, tuple[Range, ...]]) -> None:
    body, ranges = request_of_agent
    found = tuple(stretches_of(body, ranges))
    assert sum(s.marker for s in found) == body.count(b'"cache_control":') == 3
    assert [s.text for s in found if s.kind == "seam"] == ["\n\n", "<system-reminder>\n", "\n</system-reminder>"]


def test_a_marker_in_the_conversation_is_text_and_no_marker() -> None:
    body = b'{"cache_control":1}'
    (stretch,) = stretches_of(body, (Range(0, len(body), "", "conversation", ""),))
    assert not stretch.marker
    assert "no cache marker" in preview_text(body, (Range(0, len(body), "", "conversation", ""),))


def test_what_the_map_leaves_out_is_shown_as_wire() -> None:
    found = tuple(stretches_of(b"abcdef", (Range(2, 4, "s", "literal", "a:1:1"),)))
    assert [(s.what, s.text) for s in found] == [("wire", "ab"), ("s", "cd"), ("wire", "ef")]


def test_trailing_blanks_and_line_ends_are_seen() -> None:
    body = json.dumps("a  \n\tb\r\n")[1:-1].encode()
    text = preview_text(body, (Range(0, len(body), "s", "literal", "a:1:1"),))
    assert "    a··␊\n    ␉b␍␊\n" in text


@given(st.lists(st.text(max_size=30), min_size=1, max_size=4))
def test_nothing_invisible_is_left(texts: list[str]) -> None:
    body = b""
    ranges: list[Range] = []
    for index, text in enumerate(texts):
        data = json.dumps(text)[1:-1].encode()
        ranges.append(Range(len(body), len(body) + len(data), f"s{index}", "interpolated", ""))
        body += data
    found = tuple(stretches_of(body, [r for r in ranges if r.end > r.start]))
    assert "".join(s.text for s in found) == "".join(texts)
    assert all(line.isprintable() for line in preview_text(body, ranges).split("\n"))
    assert json.loads(json.dumps(preview_json(body, ranges)))["bytes"] == len(body)
