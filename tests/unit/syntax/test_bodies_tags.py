"""Tags become nodes."""

import pytest

from promptc.syntax.bodies_ast import For, If, Include, Literal, Output, Set
from promptc.syntax.expressions import Attribute, Compare, Filter, Name, TextLiteral
from support.body_cases import clean, rendered


def test_text_without_tags_is_one_literal() -> None:
    (part,) = clean("it's 50% of { that }\n").parts
    assert isinstance(part, Literal)
    assert part.text == "it's 50% of { that }\n"


def test_empty_body_has_no_parts() -> None:
    assert clean("").parts == ()


def test_output_holds_its_expression_and_covers_its_braces() -> None:
    before, output, after = clean("a {{- item.name | upper -}} b").parts
    assert isinstance(before, Literal) and before.text == "a"
    assert isinstance(after, Literal) and after.text == "b"
    assert isinstance(output, Output)
    assert (output.span.start, output.span.end) == (2, 27)
    assert isinstance(output.value, Filter)
    assert isinstance(output.value.value, Attribute)


def test_if_keeps_its_arms_in_order() -> None:
    (block,) = clean("{% if a %}1{% elif b == 2 %}2{% else %}3{% endif %}").parts
    assert isinstance(block, If)
    assert [type(arm.test) for arm in block.branches] == [Name, Compare]
    assert [[p.text for p in arm.body if isinstance(p, Literal)] for arm in block.branches] == [["1"], ["2"]]
    assert [p.text for p in block.orelse if isinstance(p, Literal)] == ["3"]


def test_block_covers_both_its_tags_and_an_arm_its_own() -> None:
    text = "x{% if a %}1{% elif b %}2{% endif %}y"
    block = clean(text).parts[1]
    assert isinstance(block, If)
    assert text[block.span.start : block.span.end] == "{% if a %}1{% elif b %}2{% endif %}"
    assert [text[arm.span.start : arm.span.end] for arm in block.branches] == ["{% if a %}", "{% elif b %}"]


def test_for_splits_target_list_and_filter() -> None:
    (loop,) = clean("{% for item in items | sort(attribute='a if b') if item.live %}x{% else %}none{% endfor %}").parts
    assert isinstance(loop, For)
    assert loop.target.name == "item"
    assert isinstance(loop.iterable, Filter)
    assert isinstance(loop.test, Attribute)
    assert len(loop.body) == len(loop.orelse) == 1


def test_for_takes_a_conditional_list_in_parentheses() -> None:
    (loop,) = clean("{% for x in (a if flag else b) %}{% endfor %}").parts
    assert isinstance(loop, For)
    assert loop.test is None


def test_for_needs_no_blank_before_a_bracket() -> None:
    (loop,) = clean("{%for x in[1, 2]if(flag)%}{%endfor%}").parts
    assert isinstance(loop, For)
    assert loop.test is not None


def test_set_binds_a_value_that_holds_an_equals_sign() -> None:
    (bound,) = clean("{% set same = a == b %}").parts
    assert isinstance(bound, Set)
    assert bound.name.name == "same"
    assert isinstance(bound.value, Compare)


@pytest.mark.parametrize("tag", ['{% include "rules" %}', "{%- include 'rules' -%}"])
def test_include_names_a_section(tag: str) -> None:
    (part,) = clean(tag).parts
    assert isinstance(part, Include)
    assert part.name.name == "rules"
    assert tag[part.name.span.start : part.name.span.end] == "rules"


@pytest.mark.parametrize("text", ["a }} b", "%} #}", "{", "{ { x } }", "{ %", "100 {}"])
def test_what_only_looks_like_a_delimiter_is_text(text: str) -> None:
    (part,) = clean(text).parts
    assert isinstance(part, Literal)
    assert part.text == text


@pytest.mark.parametrize("value", ["}}", "%}", "{{", "{% endif %}", "#}", "{#", "it's"])
def test_delimiters_in_a_quoted_text_do_not_end_a_tag(value: str) -> None:
    output, middle, bound = clean(f'{{{{ "{value}" }}}} {{% set x = "{value}" %}}').parts
    assert isinstance(output, Output) and isinstance(output.value, TextLiteral)
    assert output.value.value == value
    assert isinstance(middle, Literal)
    assert isinstance(bound, Set) and isinstance(bound.value, TextLiteral)
    assert bound.value.value == value


def test_comments_leave_nothing() -> None:
    assert rendered("a {# {{ x }} {% if %} #}b") == "a b"


def test_comment_ends_at_its_first_end() -> None:
    assert rendered('{# "#}" #}') == '" #}'


def test_raw_is_literal() -> None:
    assert rendered("a {% raw %}{{ x }} {% if %} {# c #}{% endraw %} b") == "a {{ x }} {% if %} {# c #} b"


def test_raw_ends_at_the_first_end() -> None:
    assert rendered("{% raw %}{% raw %}{%- endraw -%} b") == "{% raw %}b"


def test_tag_may_span_lines() -> None:
    (block,) = clean("{% if a\n   and b\n%}x{%\nendif\n%}").parts
    assert isinstance(block, If)


def test_a_minus_inside_is_an_operator() -> None:
    assert rendered("{{ -1 }}{{ 3 - 1 -}} x {{- 4 -1 }}") == "-12x3"


def test_blocks_nest_a_hundred_deep() -> None:
    parts = clean("{% if a %}" * 100 + "x" + "{% endif %}" * 100).parts
    for _ in range(100):
        (block,) = parts
        assert isinstance(block, If)
        parts = block.branches[0].body
    assert [p.text for p in parts if isinstance(p, Literal)] == ["x"]
