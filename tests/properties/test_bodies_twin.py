"""Random bodies against Jinja2: the text as written, and the text printed from its tree, render alike."""

import os
from typing import Any

import jinja2
from hypothesis import given, settings

from support.body_cases import clean
from support.body_strategies import bodies, line_bodies, values
from support.jinja_twin import jinja_source, original_is_comparable, twin_environment

_EXAMPLES = 20_000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 150
_TWIN = twin_environment()
_PLAIN = twin_environment()
_PLAIN.trim_blocks = _PLAIN.lstrip_blocks = False


def _render(environment: jinja2.Environment, source: str, inputs: dict[str, Any]) -> str:
    return environment.from_string(source).render(inputs)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(line_bodies(), values())
def test_tags_on_lines_of_their_own_equal_trim_and_lstrip(text: str, inputs: dict[str, Any]) -> None:
    assert original_is_comparable(text)
    assert _render(_TWIN, jinja_source(clean(text)), inputs) == _render(_TWIN, text, inputs)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(bodies(), values())
def test_tags_inside_lines_equal_the_default_of_jinja(text: str, inputs: dict[str, Any]) -> None:
    inline = "x" + text.replace("\n", " ") + "x"  # one line, which holds more than tags
    assert _render(_TWIN, jinja_source(clean(inline)), inputs) == _render(_PLAIN, inline, inputs)
