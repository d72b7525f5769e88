"""Reading again after an edit reads little, keeps what it can, and survives what it cannot."""

from promptc.source import AnchoredSource, Span
from promptc.syntax import incremental, nodes
from promptc.syntax.incremental import IncrementalModule
from promptc.syntax.parser import parse_text


def spec(sections: int) -> str:
    body = "".join(f'    section part_{i} @static """\n      Text number {i}.\n      """\n' for i in range(sections))
    return f"language 1\nscope all holds static\nprompt p {{\n  target anthropic\n  system {{\n{body}  }}\n}}\n"


def sections(module: nodes.Module) -> list[nodes.SectionDecl]:
    (prompt,) = (item for item in module.items if isinstance(item, nodes.PromptDecl))
    (lane,) = (item for item in prompt.items if isinstance(item, nodes.Lane))
    return [item for item in lane.items if isinstance(item, nodes.SectionDecl)]


def test_an_edit_of_one_section_keeps_the_nodes_of_the_others() -> None:
    text = spec(50)
    module = IncrementalModule("a.promptc", text)
    before = sections(module.module)
    module.update(text.replace("Text number 25.", "Other words."))
    after = sections(module.module)
    assert len(after) == 50
    assert [i for i in range(50) if after[i] is not before[i]] == [24, 25, 26]
    assert module.reads == 1


def test_typing_a_section_letter_by_letter_never_reads_everything(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    longest = 0

    def counted(text, text_map, sink):  # type: ignore[no-untyped-def]
        nonlocal longest
        longest = max(longest, len(text))
        return parse_text(text, text_map, sink)

    text = spec(200)
    module = IncrementalModule("a.promptc", text)
    monkeypatch.setattr(incremental, "parse_text", counted)
    at = text.index("    section part_100")
    for char in '    section typed @static when a """\n      Words.\n      """\n':
        text = text[:at] + char + text[at:]
        at += 1
        module.update(text)
    assert module.reads == 1
    assert longest < len(text) / 10
    assert len(sections(module.module)) == 201
    assert not module.found


def test_a_text_with_mistakes_keeps_its_sound_sections() -> None:
    text = spec(50).replace("section part_10 @static", "section part_10 @", 1)
    module = IncrementalModule("a.promptc", text)
    assert [d.code for d in module.found]
    module.update(text.replace("Text number 40.", "Other words."))
    assert module.reads == 1
    module.update(spec(50))
    assert not module.found
    assert not module.module.broken


def test_anchored_offsets_lead_back_to_the_text() -> None:
    source = AnchoredSource("a", "abc\ndef\n", (0, 4), (0, 1004))
    assert source.slice(Span("a", 1004, 1007)) == "def"
    assert source.real(500) == 4
    assert source.anchored(5) == 1005
    assert source.line_column(1006) == (1, 2)
    assert source.byte_offset(1005) == 5
    assert source.utf16_column(1006) == 2
