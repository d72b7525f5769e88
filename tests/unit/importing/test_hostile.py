"""Files that want to be read for ever, or to be more than text: each ends soon, in a finding or a spec."""

import time

import pytest

from support.imports import codes, compiled, imported, messages

_MANY = 100_000
_LAUGHS = '<!DOCTYPE poml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><poml><p>&b;</p></poml>'

_TEXTS = {
    "billion-laughs.poml": _LAUGHS,
    "external.poml": '<!DOCTYPE poml SYSTEM "file:///etc/passwd"><poml><p>x</p></poml>',
    "deep.poml": "<poml>" + "<p>" * 5_000 + "x" + "</p>" * 5_000 + "</poml>",
    "wide.poml": "<poml>" + "<b/>" * _MANY + "</poml>",
    "braces.poml": "<poml><p>" + "{{" * _MANY + "</p></poml>",
    "deep.j2": "{% if a %}" * 5_000 + "x" + "{% endif %}" * 5_000,
    "open.j2": "{% for a in b %}" * 500,
    "braces.j2": "{{" * _MANY,
    "blanks.j2": "{{ a" + " " * _MANY + "b }}x",
    "dots.j2": "x{{ " + "a." * 20_000 + "a }}",
    "operators.j2": "x{{ " + "not " * 20_000 + "a }}",
    "brackets.j2": "x{{ " + "(" * 20_000 + " }}",
    "comments.j2": "a{##}" * 20_000,
    "deep.prompt": "{{#if a}}" * 5_000 + "x" + "{{/if}}" * 5_000,
    "calls.prompt": "{{x " + "(" * 20_000 + "}} y",
    "up.prompt": "{{" + "../" * 20_000 + "a}} y",
    "braces.prompt": "{{" * _MANY,
    "dashes.prompt": "---\n" * 20_000,
    "roles.prompty": " " * _MANY + "x\n" + "\t" * _MANY,
    "unclosed.prompty": "---\nname: x\n",
    "bomb.json": "[" * 50_000,
    "numbers.json": '[{"role": "user", "content": ' + "9" * 50_000 + "}]",
    "braces.txt": "{" * _MANY + "a" + "}" * _MANY,
    "large.txt": "a" * 2_000_001,
}


@pytest.mark.parametrize("name", sorted(_TEXTS))
def test_hostile_text_ends_soon_and_is_said_or_compiles(name: str) -> None:
    begun = time.process_time()
    found = imported(name, _TEXTS[name])
    assert time.process_time() - begun < 5
    if found.spec is None:
        assert {"PC941", "PC942"} & set(codes(found)) or any(code.startswith("PC15") for code in codes(found))
    else:
        assert len(found.spec.dsl) < 5 * len(_TEXTS[name]) + 5_000


@pytest.mark.parametrize("name", ["billion-laughs.poml", "external.poml"])
def test_document_types_are_refused_before_anything_is_expanded(name: str) -> None:
    found = imported(name, _TEXTS[name])
    assert codes(found) == ["PC942"]
    assert "document type" in found.diagnostics[0].message


def test_aliases_that_multiply_are_refused() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    found = imported("bomb.yaml", "\n".join(rows))
    assert codes(found) == ["PC158"]


def test_schemas_that_nest_deep_give_a_type_in_time() -> None:
    schema = "".join("  " * n + f"a{n}:\n" for n in range(3, 40)) + "  " * 40 + "z: string\n"
    begun = time.process_time()
    found = imported("deep.prompt", f"---\ninput:\n  schema:\n    root:\n{schema}---\nHello {{{{root.x}}}}\n")
    assert time.process_time() - begun < 5
    assert found.spec is not None or "PC158" in codes(found)


def test_names_of_a_file_never_end_the_first_line_of_the_spec() -> None:
    found = imported("a\nprompt x { }\n.j2", "Hello.")
    assert found.spec is not None
    assert found.spec.dsl.splitlines()[0] == "# Imported from a?prompt x { }?.j2 (Jinja2 template)."
    compiled(found.spec.dsl)


def test_text_that_looks_like_tags_stays_text() -> None:
    found = imported("a.poml", "<poml><p>Write {% if x %} and {# y #} as they stand, and a lone {</p></poml>")
    assert found.spec is not None
    (program,) = compiled(found.spec.dsl).programs.values()
    assert program.inputs == ()


def test_files_that_take_in_each_other_end() -> None:
    files = {"b.j2": 'b{% include "a.j2" %}', "a.j2": 'a{% include "b.j2" %}'}
    found = imported("main.j2", 'x{% include "a.j2" %}', files=files)
    assert messages(found, "PC950") == ["`a.j2` is not carried over: it takes in itself"]


def test_files_that_multiply_by_taking_in_are_refused() -> None:
    files = {f"{n}.j2": f'{{% include "{n + 1}.j2" %}}' * 2 for n in range(40)} | {"40.j2": "x"}
    assert "PC942" in codes(imported("main.j2", '{% include "0.j2" %}', files=files))
