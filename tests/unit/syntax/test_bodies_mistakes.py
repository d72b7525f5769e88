"""Mistakes in bodies: one finding each, at the smallest place, and reading goes on."""

import pytest

from promptc.syntax.bodies_ast import For, If, Literal, Output
from promptc.syntax.body_reports import TAG_WORDS
from promptc.syntax.refused_tags import REFUSED_TAGS
from support.body_cases import findings, parsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a {{ x", [("PC130", "{{")]),
        ("a {{ x } b {{ y }}", [("PC130", "{{")]),
        ("{{ x %} {{ y }}", [("PC130", "{{")]),
        ("{{ {{ x }} }}", [("PC130", "{{")]),
        ("{% if x }}\na\n{% endif %}", [("PC130", "{%")]),
        ("{% if x\na\n{% endif %}", [("PC130", "{%")]),
        ("{% for x in xs }\na\n{% endfor %}", [("PC130", "{%")]),
        ("{% if x %}{% endif }", [("PC130", "{%")]),
        ("a {# b", [("PC130", "{#")]),
        ("{% if x %}a", [("PC131", "{% if x %}")]),
        ("{% if x %}{% for y in z %}a", [("PC131", "{% if x %}"), ("PC131", "{% for y in z %}")]),
        ("{% raw %}{{ {% if %}", [("PC131", "{% raw %}")]),
        ("{% if x %}a{% else %}b", [("PC131", "{% if x %}")]),
        ("a{% endif %}b{% else %}", [("PC132", "{% endif %}"), ("PC132", "{% else %}")]),
        ("{% else if x %}", [("PC132", "{% else if x %}")]),
        ("{% endraw %}{% elif x %}", [("PC132", "{% endraw %}"), ("PC132", "{% elif x %}")]),
        ("{% if a %}{% for b in c %}{% endif %}{% endfor %}", [("PC133", "{% endif %}")]),
        ("{% if a %}{% endfor %}{% endif %}", [("PC133", "{% endfor %}")]),
        ("{% if a %}{% endfor %}", [("PC133", "{% endfor %}")]),
        ("{% if a %}{% else %}{% elif b %}{% endif %}", [("PC134", "{% elif b %}")]),
        ("{% if a %}{% else %}{% else %}{% endif %}", [("PC134", "{% else %}")]),
        ("{% for a in b %}{% elif c %}{% endfor %}", [("PC134", "{% elif c %}")]),
        ("{% iff a %}{% endif %}", [("PC135", "iff")]),
        ("{% if a %}{% elseif b %}{% endif %}", [("PC135", "elseif")]),
        ("{% frobnicate %}", [("PC135", "frobnicate")]),
        ("{% chat %}a{% endchat %}{% endtalk %}", [("PC135", "chat"), ("PC135", "endtalk")]),
        ("{% with a = 1 %}{% if b %}{% endif %}{% endwith %}", [("PC136", "with")]),
        ("{% if %}{% endif %}", [("PC137", "{% if %}")]),
        ("{{ }}{{}}", [("PC137", "{{ }}"), ("PC137", "{{}}")]),
        ("{% %}", [("PC137", "{% %}")]),
        ("{% set %}", [("PC137", "{% set %}")]),
        ("{% set a = %}", [("PC137", "{% set a = %}")]),
        ("{% set 1 = a %}", [("PC137", "1")]),
        ("{% for a %}{% endfor %}", [("PC137", "{% for a %}")]),
        ("{% for a in %}{% endfor %}", [("PC137", "{% for a in %}")]),
        ("{% for a in b if %}{% endfor %}", [("PC137", "{% for a in b if %}")]),
        ("{% if a %}{% else if b %}{% endif %}", [("PC137", "if b")]),
        ("{% if a %}{% endif a %}", [("PC137", "a")]),
        ("{% for a, b in c %}{% endfor %}", [("PC138", "a, b")]),
        ("{% for (a, b) in c %}{% endfor %}", [("PC138", "(a, b)")]),
        ("{% set a, b = 1, 2 %}", [("PC138", "a, b")]),
        ("{% set a, b = c %}", [("PC138", "a, b")]),
        ("{% set a.b = c %}", [("PC139", "a.b")]),
        ("{% set a['b'] = c %}", [("PC139", "a['b']")]),
        ("{% set a %}b{% endset %}", [("PC140", "{% set a %}")]),
        ("{% for a in b recursive %}{% endfor %}", [("PC141", "recursive")]),
        ('{% include "a" ignore missing %}', [("PC142", '"a" ignore missing')]),
        ('{% include "a" with context %}', [("PC142", '"a" with context')]),
        ('{% include ["a", "b"] %}', [("PC142", '["a", "b"]')]),
        ("{% include a %}", [("PC142", "a")]),
        ('{% include "a" ~ b %}', [("PC142", '"a" ~ b')]),
        ('{% include "text/a.md" %}', [("PC142", "text/a.md")]),
        ('{% include "" %}', [("PC142", "")]),
        ("{% set loop = 1 %}", [("PC144", "loop")]),
        ("{% for not in a %}{% endfor %}", [("PC144", "not")]),
    ],
)
def test_finding(text: str, expected: list[tuple[str, str]]) -> None:
    assert findings(text) == expected
    assert parsed(text)[0].broken


def test_deep_nesting_is_reported_once_and_at_the_first_block_too_deep() -> None:
    text = "{% if a %}" * 150 + "{% endif %}" * 150
    body, found = parsed(text)
    assert [(f.code, f.primary.span.start if f.primary else None) for f in found] == [("PC143", 1000)]
    depth = 0
    parts = body.parts
    while parts:
        (block,) = parts
        assert isinstance(block, If)
        depth += 1
        parts = block.branches[0].body
    assert depth == 100


@pytest.mark.parametrize("word", sorted(REFUSED_TAGS))
def test_every_refused_tag_says_why_and_what_to_do(word: str) -> None:
    end = f"{{% end{word} %}}" if REFUSED_TAGS[word].paired else ""
    _, found = parsed(f"a {{% {word} x %}} b {end} c")
    (finding,) = found
    assert finding.code == "PC136"
    assert finding.notes and finding.help


def test_what_stands_in_a_refused_tag_is_read_and_left_out() -> None:
    body, found = parsed("a{% macro m() %}{{ }}b{% endmacro %}c")
    assert [f.code for f in found] == ["PC136", "PC137"]
    assert [p.text for p in body.parts if isinstance(p, Literal)] == ["a", "c"]


def test_every_mistake_of_a_body_is_found() -> None:
    text = "{{ a b }}\n{% if %}\n{{ c | }}\n{% endif %}\n{% brek %}\n{% for x y %}{% endfor %}\n{{ last }}"
    codes = [code for code, _ in findings(text)]
    assert len(codes) == 5
    assert codes[1] == "PC137"
    assert codes[3:] == ["PC135", "PC137"]


def test_what_could_be_read_is_kept() -> None:
    body, _ = parsed("{{ a }}{{ + }}{% if + %}b{% elif c %}d{% endif %}{% for e in + %}{% endfor %}{{ f }}")
    assert [type(part) for part in body.parts] == [Output, If, Output]
    block = body.parts[1]
    assert isinstance(block, If)
    assert len(block.branches) == 1


def test_unclosed_block_is_kept_to_the_end() -> None:
    body, _ = parsed("{% for a in b %}c")
    (loop,) = body.parts
    assert isinstance(loop, For)
    assert len(loop.body) == 1


def test_expression_finding_lies_inside_its_tag() -> None:
    assert [underlined for _, underlined in findings("line one )\n{% if a ) b %}x{% endif %}")] == [")"]
    (finding,) = parsed("line one )\n{% if a ) b %}x{% endif %}")[1]
    assert finding.primary is not None
    assert finding.primary.span.start == 19


def test_near_miss_proposes_an_edit_that_repairs_it() -> None:
    text = "{% fro x in xs %}{{ x }}{% endfor %}"
    (finding,) = parsed(text)[1]
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert findings(text[: edit.span.start] + edit.replacement + text[edit.span.end :]) == []


def test_wrong_delimiter_proposes_an_edit_that_repairs_it() -> None:
    text = "{{ x %} and {{ y }}"
    (finding,) = parsed(text)[1]
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert findings(text[: edit.span.start] + edit.replacement + text[edit.span.end :]) == []


def test_accepted_and_refused_tags_are_disjoint() -> None:
    assert not set(TAG_WORDS) & set(REFUSED_TAGS)
