"""What is wrong in a YAML module, found at its smallest place, once."""

import pytest

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.nodes import Module
from promptc.syntax.yaml_reader import parse_yaml_module


def read(text: str) -> tuple[Module, tuple[Diagnostic, ...]]:
    """A module and its findings."""
    sink = Sink()
    module = parse_yaml_module(Source("a.promptc.yaml", text), sink)
    return module, sink.sorted()


def shown(text: str) -> list[tuple[str, str]]:
    """The code of each finding and the text at its place."""
    found = []
    for diagnostic in read(text)[1]:
        assert diagnostic.primary is not None
        span = diagnostic.primary.span
        found.append((diagnostic.code, text[span.start : span.end]))
    return found


BILLION = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)

CASES = [
    # the text as YAML
    ("inputs:\n\tcwd: 1\n", "PC150", "\t"),
    ("language: 1: 2\n", "PC150", ":"),
    ("use: [a\n", "PC150", ""),
    ("use: ['a]\n", "PC150", ""),
    ("inputs:\n  cwd: {type: text, class: @session}\n", "PC150", "@"),
    ('use: ["\\q"]\n', "PC150", "\\"),
    ("use: [\x01]\n", "PC150", "\x01"),
    ("records:\n  A:\n    a: text\n   b: text\n", "PC150", "b"),
    ("language: 1\n---\nlanguage: 1\n", "PC157", "---"),
    ("language: 1\nlanguage: 2\n", "PC154", "language"),
    ("samples:\n  - {sample: a, for: b, set: {x: {y: 1, y: 2}}}\n", "PC154", "y"),
    ("x: &x {}\nsections:\n  a: {<<: *x, class: static, text: b}\n", "PC155", "<<"),
    ("use: !!python/object/apply:os.system [echo]\n", "PC156", "!!python/object/apply:os.system"),
    ("language: !!int 1\n", "PC156", "!!int"),
    ("language: !expr 1\n", "PC156", "1"),
    ("use: &a [*a]\n", "PC159", "*a"),
    ("use: [*a]\n", "PC168", "*a"),
    ("use: [\u2028]\n", "PC163", "\u2028"),
    ("? [a]\n: 1\n", "PC151", "["),
    # kinds
    ("- language: 1\n", "PC151", "-"),
    ("just a text\n", "PC151", "just a text"),
    ("language: one\n", "PC151", "one"),
    ("language: -1\n", "PC151", "-1"),
    ("use: ./a.promptc\n", "PC151", "./a.promptc"),
    ("use: [1]\n", "PC151", "1"),
    ("use: [true]\n", "PC151", "true"),
    ("gates: {g: [a]}\n", "PC151", "["),
    ("inputs: {a: {type: text, class: static, untrusted: maybe}}\n", "PC151", "maybe"),
    ("prompts: {p: {system: [{cache: s, items: x}]}}\n", "PC151", "x"),
    ("prompts: {p: {tools: [{cache: first}]}}\n", "PC151", "first"),
    ("sections: {s: {class: static, deliver: frozem, text: a}}\n", "PC151", "frozem"),
    # keys
    ("inputs: {a: {typ: text, class: static}}\n", "PC152", "typ"),
    ("colour: red\n", "PC152", "colour"),
    ("prompts: {p: {system: [{sektion: a, text: b}]}}\n", "PC152", "sektion"),
    ("inputs: {a: {class: static}}\n", "PC153", "class"),
    ("inputs:\n  a:\n", "PC153", "a"),
    ("gates: {g: }\n", "PC153", "g"),
    ("require: [{that: a, because: }]\n", "PC153", "because"),
    ("require: [{that: a}]\n", "PC153", "that"),
    ("limits: [{max: 1}]\n", "PC153", "max"),
    ("use:\n  -\n", "PC153", ""),
    ("sections: {s: {class: static}}\n", "PC116", "class"),
    ("sections: {s: {class: static, deliver: delta, first: {when: a}}}\n", "PC116", "when"),
    ("sections: {s: {class: static, text: a, file: b}}\n", "PC162", "file"),
    ("sections: {s: {class: static, text: a, deliver: delta}}\n", "PC162", "text"),
    ("sections: {s: {class: static, changed: a}}\n", "PC162", "changed"),
    ("sections: {s: {class: static, text: a, deliver: inline, key: b}}\n", "PC162", "key"),
    ("prompts: {p: {system: [{section: a, include: b}]}}\n", "PC162", "include"),
    ("prompts: {p: {system: [{group: a, class: static, from: b}]}}\n", "PC119", "group"),
    # scalars
    ("inputs: {a: {type: bool, class: static, default: on}}\n", "PC161", "on"),
    ("inputs: {a: {type: text, class: static, untrusted: yes}}\n", "PC161", "yes"),
    ("inputs: {a: {type: int, class: static, default: 010}}\n", "PC164", "010"),
    ("inputs: {a: {type: int 1..9, class: static, default: 1:30}}\n", "PC164", "1:30"),
    ("prompts: {p: {max_tokens: 8_192}}\n", "PC164", "8_192"),
    ("prompts: {p: {max_tokens: 9007199254740992}}\n", "PC111", "9007199254740992"),
    ("samples: [{sample: a, for: b, set: {x: no}}]\n", "PC160", "no"),
    ("samples: [{sample: a, for: b, set: {x: 2026-01-31}}]\n", "PC160", "2026-01-31"),
    ("samples: [{sample: a, for: b, set: {x: [1.10]}}]\n", "PC160", "1.10"),
    ("inputs: {my input: {type: text, class: static}}\n", "PC165", "my input"),
    ("prompts: {p: {extends: 'a b'}}\n", "PC165", "'a b'"),
    ("scopes: {s: {holds: static, ttl: 300}}\n", "PC166", "300"),
    ("scopes: {s: {holds: static, ttl: 5 min}}\n", "PC166", "5 min"),
    # inside expressions and types
    ("gates:\n  g: a ==\n", "PC100", ""),
    ("gates:\n  g: \"a == '\\u00e9' &&\\n b\"\n", "PC117", "&&"),
    ("inputs: {a: {type: text 1..2, class: static}}\n", "PC118", "text"),
]


@pytest.mark.parametrize(("text", "code", "place"), CASES)
def test_a_mistake_is_found_at_its_place_and_once(text: str, code: str, place: str) -> None:
    assert shown(text) == [(code, place)]


@pytest.mark.parametrize("text", [BILLION, "a: " + "[" * 101 + "]" * 101 + "\n", "[" * 5000, "a: &x [" + "*x, " * 9])
def test_hostile_sizes_are_refused_before_they_cost(text: str) -> None:
    assert shown(text)[0][0] in ("PC158", "PC159", "PC150")


def test_many_values_are_refused_where_they_get_too_many() -> None:
    assert [code for code, _ in shown("use: [" + "a, " * 200_001 + "]\n")] == ["PC158"]


def test_five_mistakes_give_five_findings() -> None:
    text = (
        "language: 1\n"
        "colour: red\n"
        "inputs:\n"
        "  a: {type: text, clas: static}\n"
        "  b: {class: static}\n"
        "  c: {type: bool, class: static, default: on}\n"
        "gates: [1]\n"
    )
    assert [code for code, _ in shown(text)] == ["PC152", "PC152", "PC153", "PC161", "PC151"]


def test_both_places_of_a_repeated_key_are_named() -> None:
    text = "gates:\n  open: a\n  shut: b\n  open: c\n"
    (found,) = read(text)[1]
    assert found.primary is not None
    assert [found.primary.span.start, found.secondary[0].span.start] == [text.rindex("open"), text.index("open")]


def test_a_misspelt_required_key_is_not_missing_as_well() -> None:
    (found,) = read("scopes: {s: {hold: static}}\n")[1]
    assert found.help == "did you mean `holds`?"
    assert found.fix is not None
    assert found.fix.edits[0].replacement == "holds"


def test_an_old_bool_recovers_to_what_was_meant() -> None:
    module, _ = read("inputs: {a: {type: bool?, class: static, default: Off}}\n")
    assert module.broken
    assert "BoolLiteral" in repr(module.items[0])


@pytest.mark.parametrize("word", ["on", "no", "y", "1.10", "010", "1:30", "2026-01-31", "0x1F"])
def test_disputed_spellings_stay_texts_where_a_text_is_declared(word: str) -> None:
    declared = "inputs: {a: {type: text, class: static}, b: {type: 'list[text?]', class: static}}\n"
    module, found = read(declared + f"samples: [{{sample: s, for: p, set: {{a: {word}, b: [{word}]}}}}]\n")
    assert found == ()
    assert repr(module.items[-1]).count("TextLiteral(span=Span(path='a.promptc.yaml'") == 2
    assert repr(module.items[-1]).count(f"value='{word}'") == 2


@pytest.mark.parametrize("word", ["on", "no", "yes", "off"])
def test_old_bools_are_names_where_names_are_read(word: str) -> None:
    module, found = read(f"gates:\n  {word}: a\nsections:\n  x: {{class: {word}, text: {word}}}\n")
    assert found == ()
    assert f"name='{word}'" in repr(module.items[0])


def test_what_stands_before_a_syntax_error_is_kept() -> None:
    module, found = read("language: 1\ninputs:\n  a: {type: text, class: static}\n  b: {type: [\n")
    assert [d.code for d in found] == ["PC150"]
    assert [type(item).__name__ for item in module.items] == ["Language", "InputDecl"]
    assert module.broken


def test_an_alias_repeats_a_value() -> None:
    module, found = read("sections:\n  a: &a {class: static, text: hi}\n  b: *a\n")
    assert found == ()
    assert len(module.items) == 2


def test_an_empty_file_is_an_empty_module() -> None:
    for text in ("", "# only a comment\n", "---\n"):
        module, found = read(text)
        assert (module.items, found, module.broken) == ((), (), False)
