"""The whitespace rule, on rendered text. See docs/decisions/0003-whitespace-rule.md."""

import jinja2
import pytest

from support.body_cases import clean, rendered
from support.jinja_twin import jinja_source, twin_environment

# What the four settings make of a template when `x` holds: Jinja2 as it comes, with `trim_blocks`, with both, promptc.
TABLE = [
    ("A\n{% if x %}\nB\n{% endif %}\nC", "A\n\nB\n\nC", "A\nB\nC", "A\nB\nC", "A\nB\nC"),
    ("A\n  {% if x %}\nB\n  {% endif %}\nC", "A\n  \nB\n  \nC", "A\n  B\n  C", "A\nB\nC", "A\nB\nC"),
    (
        "mode: {% if x %}fast{% endif %}\nnext",
        "mode: fast\nnext",
        "mode: fastnext",
        "mode: fastnext",
        "mode: fast\nnext",
    ),
    ("a\n  {% if x %}b{% endif %} c", "a\n  b c", "a\n  b c", "a\nb c", "a\n  b c"),
    ("A\n{# why #}\nB", "A\n\nB", "A\nB", "A\nB", "A\nB"),
]


@pytest.mark.parametrize(("text", "default", "trim", "both", "ours"), TABLE)
def test_table_of_the_decision_record_holds(text: str, default: str, trim: str, both: str, ours: str) -> None:
    def jinja(**settings: bool) -> str:
        return jinja2.Environment(keep_trailing_newline=True, **settings).from_string(text).render(x=True)  # type: ignore[arg-type]

    assert jinja() == default
    assert jinja(trim_blocks=True) == trim
    assert jinja(trim_blocks=True, lstrip_blocks=True) == both
    assert rendered(text, x=True) == ours


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A line of tags vanishes, wherever it stands.
        ("{% if x %}\nA\n{% endif %}\n", "A\n"),
        ("\n{% if x %}\n\nA\n{% endif %}\n\n", "\n\nA\n\n"),
        ("A\n{% if x %}\nB\n{% endif %}", "A\nB\n"),
        ("{% if x %}", None),
        ("  {# only #}  ", ""),
        # Blanks on both sides, several tags, tags and comments.
        ("A\n \t{% if x %} \t\nB\n{% endif %}{# c #} {# d #}\nC", "A\nB\nC"),
        ("{% for i in [1, 2] %}{% if x %}\n- {{ i }}\n{% endif %}{% endfor %}\n.", "- 1\n- 2\n."),
        ("A\n{% if x %}{% endif %}\nB", "A\nB"),
        # Tags that span lines.
        ("A\n  {# one\n  two #}  \nB", "A\nB"),
        ("A\n{% if x\n   and x %}\nB\n{% endif %}\nC", "A\nB\nC"),
        ("A {# one\n two #}\nB", "A \nB"),
        ("A\n{# one\n two #} B", "A\n B"),
        # Anything else on the line keeps all of it.
        ("  {% if x %} a {% endif %}  \nb", "   a   \nb"),
        ("{% if x %}.\n{% endif %}", ".\n"),
        ("a {% set y = 1 %}\nb", "a \nb"),
        ("{{ x }} {# c #}\nb", "True \nb"),
        ("{# c #} {{ x }}\nb", " True\nb"),
        # Only spaces and tabs are blanks.
        ("A\n\u00a0{# c #}\nB", "A\n\u00a0\nB"),
        ("A\n{# c #}\r\nB", "A\n\r\nB"),
        # An output is text, even an empty one.
        ('A\n{{ "" }}\nB', "A\n\nB"),
        # Markers.
        ("A \n\n {{- 1 -}} \n\n B", "A1B"),
        ("A\n{%- if x %}\nB\n{%- endif %}\nC", "ABC"),
        ("A\n{% if x -%}\n\n  B\n{%- endif %}\nC", "A\nBC"),
        ("A \u00a0{#- c -#}\u2003\nB", "AB"),
        ("a {%+ if x +%} b {%+ endif +%} c", "a  b  c"),
        ("A\n  {%+ if x +%}\nB\n{% endif %}", "A\nB\n"),
        # Raw stretches.
        ("A\n{% raw %}\n  {{ b }}\n{% endraw %}\nC", "A\n  {{ b }}\nC"),
        ("A {% raw %} {% endraw %} C", "A   C"),
        ("A\n {% raw %} {% endraw %}\nC", "A\nC"),
        ("A {% raw -%}  b  {%- endraw %} C", "A b C"),
    ],
)
def test_rule(text: str, expected: str | None) -> None:
    if expected is None:
        text, expected = text + "{% endif %}", ""
    assert rendered(text, x=True) == expected


def test_branch_not_taken_leaves_no_residue() -> None:
    text = "A\n{% if x %}\nB\n{% else %}\nC\n{% endif %}\n{% for i in [] %}\nD\n{% endfor %}\nE"
    assert rendered(text, x=False) == "A\nC\nE"


def test_include_keeps_its_line() -> None:
    source = jinja_source(clean('A\n  {% include "s" %}\nB\n{% include "s" %}'))
    assert twin_environment({"s": "S"}).from_string(source).render() == "A\n  S\nB\nS"
