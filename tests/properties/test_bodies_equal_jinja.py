"""A body, compiled and rendered, gives what Jinja2 gives: through the interpreter and through the emitted assembler.

The twin of a body in Jinja2 keeps the whitespace that promptc's rule keeps, so what is compared is the meaning of every
tag, expression and filter after typing, lowering and folding. The rule itself is compared in `test_bodies_twin`.
"""

import json
import os
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.emit.python import emit_python
from promptc.ir.interpret import assemble
from promptc.pipeline import Compilation, compile_root
from promptc.source import Span
from promptc.syntax.strings import escape
from support.body_cases import clean
from support.body_strategies import DECLARATIONS, bodies, line_bodies, values
from support.code_pages import Files
from support.emitted import load
from support.jinja_twin import jinja_source, twin_environment

_EXAMPLES = 5_000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 150
_TWIN = twin_environment()
_MESSAGES = [{"role": "user", "content": "Hello."}]
# What is read besides the body, so that no input is left over, whatever was drawn.
_READS_ALL = "{{ name }}{{ count }}{{ flag | json }}{{ mode }}{{ note | json }}{{ hint | json }}{{ items | json }}"
_NOWHERE = (1, 1)


def compile_body(body: str) -> Compilation:
    """A module whose section `drawn` has the body; `rest` stands behind it, so that there is always a request."""
    text = f"""language 1
{DECLARATIONS}
prompt p {{
  target anthropic
  model "claude-sonnet-4-5"
  system {{
    uncached {{
      section drawn @session "{escape(body)}"
      section rest @session "{escape(_READS_ALL)}"
    }}
  }}
}}
"""
    compilation = compile_root("spec.promptc", Files({"spec.promptc": text}))
    errors = [d.message for d in compilation.diagnostics if severity_of(d) is Severity.ERROR]
    assert errors == [], body
    return compilation


def locate(span: Span) -> tuple[int, int]:
    """Places play no part here."""
    return _NOWHERE


def rendered(compilation: Compilation, inputs: dict[str, Any]) -> str:
    """The text of the drawn section; the emitted assembler must give the same request."""
    program = compilation.programs["p"]
    result = assemble(program, inputs, _MESSAGES)
    module = load(emit_python(program, locate).data)
    request = module.assemble(module.inputs_from_json(json.loads(json.dumps(inputs))), _MESSAGES)
    assert request.body == result.body
    return dict(result.texts).get("drawn", "")


def expected(body: str, inputs: dict[str, Any]) -> set[str]:
    """What Jinja2 gives; with and without the last newline, which may belong to the seam."""
    text = _TWIN.from_string(jinja_source(clean(body))).render(inputs)
    return {text, text.removesuffix("\n")}


_VALUES = {"name": "n", "count": 3, "flag": True, "mode": "fast", "note": None, "hint": "h", "items": []}
_ITEM = {"name": "b", "size": 2, "tags": ["t", "u"], "live": True, "server": None}


@settings(
    max_examples=_EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.one_of(bodies(), line_bodies()), values())
@example("{% for i in items %}{{ loop.index }}{{ i.name }}{% else %}none{% endfor %}", _VALUES)
@example("{% for i in items if i.live %}{{ loop.length }}{% endfor %}", {**_VALUES, "items": [_ITEM, _ITEM]})
@example(
    "{% set v = 1 %}{% for i in items %}{% set v = v + 1 %}{{ v }}{% endfor %}{{ v }}", {**_VALUES, "items": [_ITEM]}
)
@example("{% if flag %}{% set v = 1 %}{% else %}{% set v = 2 %}{% endif %}{{ v }}", _VALUES)
@example('{% if note %}{{ note }}{% elif not flag %}a{% else %}{{ hint | default("x") }}{% endif %}', _VALUES)
@example("{{ -7 // 2 }} {{ -7 % 3 }} {{ count - 1 - 1 }} {{ -count // 2 * 2 }}", _VALUES)
def test_a_rendered_body_equals_jinja(body: str, inputs: dict[str, Any]) -> None:
    assert rendered(compile_body(body), inputs) in expected(body, inputs)


@settings(max_examples=_EXAMPLES // 2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(line_bodies(), st.lists(values(), min_size=2, max_size=4))
def test_the_last_newline_goes_in_every_variant_or_in_none(body: str, several: list[dict[str, Any]]) -> None:
    """The newline that the seam takes is decided when the spec is built, not by the values."""
    compilation = compile_body(body)
    source = _TWIN.from_string(jinja_source(clean(body)))
    taken: set[bool] = set()
    for inputs in several:
        text = source.render(inputs)
        got = rendered(compilation, inputs)
        if text.endswith("\n") and text != "\n":
            taken.add(got != text)
        else:
            assert got in (text, "")
    assert len(taken) < 2
