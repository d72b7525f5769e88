"""A section that ends in lines of tags does not leave their newline in front of the next section."""

import pytest

from support.specs import Prompt, compile_text

SPEC = '''
input names  : list[text] @static = []
input levels : list[text] @static = []
input loud   : bool @static = false

prompt p {{
  target anthropic
  model "m"
  system {{
    section first @static """
      {first}
      """
    section second @static "end"
  }}
}}

sample s for p {{ user "hi" }}
'''


def joined(first: str, **inputs: object) -> str:
    compilation = compile_text(SPEC.format(first=first.replace("\n", "\n      ")))
    assert not compilation.failed, [d.message for d in compilation.diagnostics]
    return Prompt(compilation, "p").render("s", **inputs).system[0]


NESTED = """Notes
{% for level in levels %}
{% for name in names if name == level %}
- {{ name }}
{% endfor %}
{% endfor %}"""

INSIDE_IF = """Notes
{% if loud %}
{% for name in names %}
- {{ name }}
{% endfor %}
{% endif %}"""


@pytest.mark.parametrize(
    ("body", "inputs", "text"),
    [
        (NESTED, {"levels": ["b", "a"], "names": ["a", "b"]}, "Notes\n- b\n- a\n\nend"),
        (NESTED, {"levels": ["a"], "names": []}, "Notes\n\nend"),
        (NESTED, {}, "Notes\n\nend"),
        (INSIDE_IF, {"loud": True, "names": ["a", "b"]}, "Notes\n- a\n- b\n\nend"),
        (INSIDE_IF, {"loud": False, "names": ["a"]}, "Notes\n\nend"),
    ],
)
def test_nested_blocks_at_the_end_leave_no_blank_line(body: str, inputs: dict[str, object], text: str) -> None:
    assert joined(body, **inputs) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Notes\n{# the end #}", "Notes\n\nend"),
        ("Notes\n  {# the #} {# end #}  ", "Notes\n\nend"),
        ("Notes\n{% set done = 1 %}", "Notes\n\nend"),
        ("Notes\n{% set done = 1 %}\n{# the end #}", "Notes\n\nend"),
        ("{% raw %}\n{{ x }}\n{% endraw %}", "{{ x }}\n\nend"),
        ("{% if not loud %}\nNotes\n{% endif %}\nMore\n{# the end #}", "Notes\nMore\n\nend"),
        # What was not a line of its own took no newline along.
        ("Notes\n\n{# the end #}", "Notes\n\n\nend"),
        ("Notes {# the end #}", "Notes \n\nend"),
        ("Notes\n", "Notes\n\n\nend"),
    ],
)
def test_a_last_line_of_comments_set_or_raw_leaves_no_newline(body: str, text: str) -> None:
    assert joined(body) == text
