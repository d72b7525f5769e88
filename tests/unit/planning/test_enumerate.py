"""Listing variants: what all inputs together reach is exactly what is listed."""

from itertools import product

import pytest

from promptc.ir.interpret import assemble
from promptc.planning.enumerate import variants_of
from promptc.runtime.errors import InputError
from support.specs import compile_text

HEAD = """language 1
scope global holds static ttl 1h
input on    : bool @static
input model : "opus" | "sonnet" | "haiku" @static
input level : int 1..3 @static
input name  : text? @static
gate big = model == "opus" or (model == "sonnet" and level >= 2)
"""
PROMPT = """prompt p {
  target anthropic
  model "m"
  max_tokens 8
  system {
    cache global {
      section a @static when on "A"
      section b @static when big "B{{ '1' if level == 3 else '' }}"
      section c @static \"\"\"
        C
        {% if name == "x" %}
        is x
        {% elif name %}
        is another
        {% endif %}
        {% if on and not big %}
        small
        {% endif %}
        \"\"\"
    }
  }
}
"""
VALUES = {"on": (True, False), "model": ("opus", "sonnet", "haiku"), "level": (1, 2, 3), "name": (None, "", "x", "y")}


@pytest.mark.parametrize(
    "requires",
    [
        "",
        'require on or big "r"\n',
        'require not (model == "haiku" and level > 1) "r"\n',
        'require name is defined "r"\nrequire on == true "r"\n',
    ],
)
def test_all_inputs_together_reach_exactly_the_listed_variants(requires: str) -> None:
    compilation = compile_text(HEAD + requires + PROMPT)
    assert not compilation.failed
    program, plan = compilation.programs["p"], compilation.plans["p"]
    reached: set[str] = set()
    for row in product(*VALUES.values()):
        inputs = {**dict(zip(VALUES, row, strict=True))}
        try:
            made = assemble(program, {k: v for k, v in inputs.items() if k in {i.name for i in program.inputs}})
        except InputError:
            continue
        # The value itself is not part of a variant.
        reached.add(repr(made.request["system"]))
    listed = variants_of(compilation.facts, plan, 64)
    assert listed is not None
    assert len(listed) == plan.variants == len({v.holds for v in listed})
    assert len(reached) == len(listed)


def test_too_many_variants_are_not_listed() -> None:
    compilation = compile_text(HEAD + PROMPT)
    plan = compilation.plans["p"]
    assert variants_of(compilation.facts, plan, plan.variants) is not None
    assert variants_of(compilation.facts, plan, plan.variants - 1) is None
