"""Texts of scalars, and where each of their characters stands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.yaml_nodes import YamlMapping, YamlScalar, compose
from promptc.syntax.yaml_scalars import ScalarText, scalar_text


def scalar_of(text: str) -> tuple[Source, ScalarText]:
    """The value of the only key of a mapping."""
    source, sink = Source("a.promptc.yaml", text), Sink()
    root, whole = compose(source, sink)
    assert whole, [d.message for d in sink.sorted()]
    assert isinstance(root, YamlMapping)
    value = root.pairs[0][1]
    assert isinstance(value, YamlScalar)
    return source, scalar_text(source, value)


def pieces(source: Source, found: ScalarText) -> list[str]:
    """The source text of each character."""
    spans = [found.map.span(at, at + 1) for at in range(len(found.text))]
    return [source.text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: |\n  one\n\n  two 😀\n", "one\n\ntwo 😀"),
        ("a: |-\n  one\n", "one"),
        ("a: |+\n  one\n\nb: 1\n", "one\n\n"),
        ("a: |+\n  one\n", "one\n"),
        ("a: |2-\n    x\n   y\n", "  x\n y"),
        ("a: | # a comment\n  one\n    two\n", "one\n  two"),
        ("a: |\n  e\u0301 combining\n  \U0001f469\u200d\U0001f4bb\n", "e\u0301 combining\n\U0001f469\u200d\U0001f4bb"),
        ("a: |\n\n\n  after blank lines\n", "\n\nafter blank lines"),
        ("a: |\n  trailing  \n  \t tab\n", "trailing  \n\t tab"),
        ("a: &x |\n  anchored\n", "anchored"),
        ("a: |\n  no final line end", "no final line end"),
        ("a: 'it''s'\n", "it's"),
        ("a: plain text\n", "plain text"),
    ],
)
def test_a_scalar_is_its_lines_without_the_final_line_end(text: str, value: str) -> None:
    source, found = scalar_of(text)
    assert found.text == value
    for char, piece in zip(value, pieces(source, found), strict=True):
        assert piece == ("''" if char == "'" else char)


def test_a_wide_indentation_costs_one_walk() -> None:
    wide = " " * 200_000
    _, found = scalar_of(f"a: |2\n  {wide}x\n")
    assert found.text == wide + "x"
    assert found.map.span(200_000, 200_001).start == 6 + 2 + 200_000


def test_a_folded_block_maps_each_fold_to_its_line_end() -> None:
    source, found = scalar_of("a: >\n  one\n  two\n\n  three\n    more\n  end\n")
    assert found.text == "one two\nthree\n  more\nend"
    got = pieces(source, found)
    assert got[3] == "\n  "
    assert [p for p in got if p != got[3]] == list(found.text.replace(" ", "", 1))


def test_escapes_of_a_quoted_text_map_to_their_sequences() -> None:
    source, found = scalar_of('a: "x\\u00e9\\n\\U0001F600\\x41 \\"q\\"\\/"\n')
    assert found.text == 'xé\n😀A "q"/'
    assert pieces(source, found) == ["x", "\\u00e9", "\\n", "\\U0001F600", "\\x41", " ", '\\"', "q", '\\"', "\\/"]


def test_folded_lines_of_quoted_and_plain_texts_map_to_their_line_ends() -> None:
    source, found = scalar_of('a: "one\n  two\n\n  three\\\n  four"\n')
    assert found.text == "one two\nthreefour"
    got = pieces(source, found)
    assert got[3] == "\n  "
    assert got[7] == "\n"
    assert "".join(got[8:]) == "threefour"
    source, found = scalar_of("a: one\n  two\n\n  three\nb: 1\n")
    assert found.text == "one two\nthree"
    assert pieces(source, found)[3] == "\n  "


def test_an_empty_text_has_a_place() -> None:
    source, found = scalar_of('a: ""\n')
    assert found.text == ""
    assert found.map.span(0, 0).start == source.text.index('"') + 1


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
def test_a_foreign_line_end_is_refused_and_its_escape_is_read(char: str) -> None:
    sink = Sink()
    compose(Source("a", f"a: x{char}y\n"), sink)
    (found,) = sink.sorted()
    assert found.code == "PC163"
    escape = {"\x85": "\\N", "\u2028": "\\L", "\u2029": "\\P"}[char]
    assert escape in (found.help or "")
    assert scalar_of(f'a: "x{escape}y"\n')[1].text == f"x{char}y"


LINE = st.text(st.sampled_from("ab :#'\"-\\\t😀é{}|>"), max_size=8)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINE, min_size=1, max_size=5), st.sampled_from(["|", ">", "|-", ">+", "|2", ">2-"]))
def test_every_character_of_a_block_scalar_is_where_its_map_says(lines: list[str], header: str) -> None:
    text = f"a: {header}\n" + "".join(f"  {line}".rstrip("\t") + "\n" for line in lines)
    source, sink = Source("a", text), Sink()
    root, whole = compose(source, sink)
    if not whole or not isinstance(root, YamlMapping) or not isinstance(root.pairs[0][1], YamlScalar):
        return
    found = scalar_text(source, root.pairs[0][1])
    if not found.text.strip():
        # A scalar of blanks alone holds nothing that a finding could point into; its map is the scalar as a whole.
        return
    for char, piece in zip(found.text, pieces(source, found), strict=True):
        assert piece == char or (char == " " and piece.startswith("\n"))


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("ab '\\\"n\n😀"), max_size=12), st.sampled_from("'\"p"))
def test_every_character_of_a_flow_scalar_is_where_its_map_says(content: str, quote: str) -> None:
    content = content.replace("\n", "\n  ")
    if quote == "'":
        content = content.replace("'", "''")
    if quote == '"':
        content = content.replace("\\", "\\\\").replace('"', '\\"')
    text = f"a: {content}\n" if quote == "p" else f"a: {quote}{content}{quote}\n"
    source = Source("a", text)
    root, whole = compose(source, Sink())
    if not whole or not isinstance(root, YamlMapping) or not root.pairs or not isinstance(root.pairs[0][1], YamlScalar):
        return
    found = scalar_text(source, root.pairs[0][1])
    for char, piece in zip(found.text, pieces(source, found), strict=True):
        doubled = {"'": "''", "\\": "\\\\", '"': '\\"'}
        assert piece in (char, doubled.get(char)) or (char == " " and "\n" in piece)
