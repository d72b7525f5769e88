"""One cause gives one finding: what was not read, or not understood, is not reported as missing or unused."""

import pytest

from support.code_pages import Example, findings


def _codes(text: str) -> list[str]:
    return [d.code for d in findings(Example("case", 1, None, "promptc", None, text, {}))]


def _prompt(sections: str, decls: str = "") -> str:
    return f"language 1\n{decls}\nprompt p {{\n  target anthropic\n  system {{\n{sections}\n  }}\n}}\n"


def test_a_name_whose_declaration_was_not_read_is_not_reported_as_unknown() -> None:
    assert _codes(_prompt('section a @session "{{ who }}"', "input who text @session")) == ["PC114"]


def test_a_name_that_nothing_seems_to_declare_is_reported_beside_a_syntax_error() -> None:
    found = _codes(_prompt('section a @session "{{ who }} {{ whom }}"', "input who text @session"))
    assert found == ["PC114", "PC201"]


def test_a_name_that_a_broken_tag_would_have_set_is_not_reported_as_unknown() -> None:
    assert _codes(_prompt('section a @static "{% set x %}{{ x }}"')) == ["PC140"]


def test_a_misspelt_name_does_not_leave_the_right_one_unused() -> None:
    found = _codes(_prompt('section a @session "{{ usr }}"', "input user : text @session"))
    assert found == ["PC201"]


def test_an_unused_input_is_reported_beside_a_fault_of_stability() -> None:
    decls = "input who : text @session\ninput other : text @session"
    assert _codes(_prompt('section a @static "{{ who }}"', decls)) == ["PC220", "PC402"]


def test_a_circle_of_prompts_is_reported_once_however_long_it_is() -> None:
    text = "language 1\n" + "".join(f"prompt {a} extends {b} {{ }}\n" for a, b in ("cb", "ba", "ac", "da"))
    assert _codes(text) == ["PC213"]


def test_an_empty_range_is_reported_by_the_parser_alone() -> None:
    assert _codes(_prompt('section a @session "{{ n }}"', "input n : int 5..1 @session")) == ["PC118"]


_DECLS = """
input mode  : "a" | "b"        @static
input count : int              @static
input note  : text?            @static
input names : list[text] = []  @static
input deep  : bool = true      @static
gate both = deep and mode == "b"
"""


@pytest.mark.parametrize(
    ("require", "holds"),
    [
        ('mode == "a"', True),
        ('mode != "a"', False),
        ('mode in ["b"]', False),
        ('mode not in ["b"]', True),
        ("count > 3", False),
        ("count >= 3", True),
        ("count < 3", False),
        ("count <= 3", True),
        ("both", False),
        ("not both", True),
        ("deep", True),
        ("note is defined", False),
        ("note is not defined", True),
        ("names is empty", True),
        ("names is not empty", False),
        ("not names", True),
        ('note == "x" or deep', True),
        ('note == "x" and deep', False),
        ("(count > 3) if both else deep", True),
        # What cannot be told from constants alone is not held against a sample.
        ("names | length > 3", True),
    ],
)
def test_samples_are_held_to_requires(require: str, holds: bool) -> None:
    body = '{{ mode }}{{ count }}{{ note | default("") }}{{ names | join }}{% if both %}x{% endif %}'
    sections = f'uncached {{\n section a @static """\n  {body}\n  """\n}}'
    text = _prompt(sections, f'{_DECLS}require {require} "why"\n')
    text += 'sample s for p {\n  mode = "a"\n  count = 3\n}\n'
    found = [c for c in _codes(text) if c == "PC321"]
    assert found == ([] if holds else ["PC321"])
