"""Drawings of a prompt: complete, well formed, free of anything from outside, and deaf to hostile names."""

import re
import xml.etree.ElementTree as ET

import pytest

from promptc.report.graph_dot import graph_dot
from promptc.report.graph_mermaid import graph_mermaid
from promptc.report.graph_svg import graph_svg
from promptc.streams.manifest_model import Manifest
from support.manifests import GOLDEN, manifest_of

GRAPHS = GOLDEN.parent / "graph"
SPEC = (GOLDEN / "agent.promptc").read_text(encoding="utf-8")
HOSTILE = """language 1
scope global holds static
input m : "</text><script>alert(1)</script>" | "a\\u{1b}[31m\\u{202e}b" | "c" @static
prompt p {
  target anthropic
  model "m"
  max_tokens 8
  system {
    cache global {
      section markup @static when m == "</text><script>alert(1)</script>" "x"
      section control @static when m == "a\\u{1b}[31m\\u{202e}b" "z"
    }
  }
}
"""
WRITERS = {"svg": graph_svg, "dot": graph_dot, "mmd": graph_mermaid}


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return manifest_of(SPEC)


@pytest.mark.parametrize("kind", WRITERS)
def test_graph_of_an_agent_is_as_recorded(manifest: Manifest, kind: str, update: bool) -> None:
    golden = GRAPHS / f"agent.{kind}"
    text = WRITERS[kind](manifest)
    if update:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", WRITERS)
def test_every_element_is_drawn_in_cache_order(manifest: Manifest, kind: str) -> None:
    text = WRITERS[kind](manifest)
    places = [re.search(rf'[>"]{e.name}\b', text) for e in manifest.elements]
    assert all(places)
    starts = [place.start() for place in places if place is not None]
    assert starts == sorted(starts)


def _texts(svg: str) -> list[str]:
    return [t.text or "" for t in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_svg_shows_scopes_markers_gates_and_classes(manifest: Manifest) -> None:
    texts = _texts(graph_svg(manifest))
    assert "cache global 1h, session when tools" in texts
    assert texts.count("cache marker, 5m") == 2
    assert "when big" in texts
    assert set(manifest.chain) <= set(texts)


def test_svg_takes_nothing_from_outside(manifest: Manifest) -> None:
    svg = graph_svg(manifest)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"href|url\(|@import|<script|<foreignObject|\son\w+=", svg)


def test_hostile_names_stay_text() -> None:
    manifest = manifest_of(HOSTILE)
    svg = graph_svg(manifest)
    tags = {element.tag.rsplit("}", 1)[1] for element in ET.fromstring(svg).iter()}
    assert tags == {"svg", "style", "rect", "text", "g", "title"}
    for text in (svg, graph_dot(manifest), graph_mermaid(manifest)):
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "<script" not in graph_mermaid(manifest)
    # Quotes of a label are closed by the writer only: an even number that is not escaped on each line.
    for line in graph_dot(manifest).split("\n"):
        assert len(re.findall(r'(?<!\\)"', line)) % 2 == 0


def test_boxes_stay_inside_the_drawing() -> None:
    sections = "".join(f'section s{i} @static "Part {i}." ' for i in range(11))
    svg = graph_svg(
        manifest_of(
            "language 1\nscope global holds static\n"
            f'prompt p {{ target anthropic model "m" max_tokens 8 system {{ cache global {{ {sections} }} }} }}\n'
        )
    )
    root = ET.fromstring(svg)
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    boxes = [
        tuple(int(rect.attrib[k]) for k in ("x", "y", "width", "height"))
        for rect in root.iter("{http://www.w3.org/2000/svg}rect")
        if rect.attrib["class"].startswith("box") and rect.attrib["height"] != "16"
    ]
    assert len(boxes) == 12
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes)
    for i, (x, y, w, h) in enumerate(boxes):
        for x2, y2, w2, h2 in boxes[i + 1 :]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
