"""Rules of the target that are decided on a plan."""

import pytest

from promptc.pipeline import compile_root
from support.code_pages import Files

_LONG = "Weigh the flour, write it down, and put the dough into the basket. " * 60
_HEAD = """language 1
scope shared holds static
input interactive : bool @static
"""


def _codes(text: str) -> list[tuple[str, str]]:
    found = compile_root("spec.promptc", Files({"spec.promptc": text})).diagnostics
    return [(d.code, text[d.primary.span.start : d.primary.span.end] if d.primary else "") for d in found]


def _prompt(*sections: str, head: str = 'target anthropic\n  model "claude-opus-5"') -> str:
    inner = "\n".join(sections)
    return f"{_HEAD}prompt p {{\n  {head}\n  system {{\n cache shared {{\n{inner}\n}}\n}}\n}}\n"


_GATED = 'section greeting @static when interactive "Greet first."'
_SHARED = f'section handbook @static "{_LONG}"'


def test_a_gated_section_in_front_of_much_shared_text_is_a_hint() -> None:
    assert _codes(_prompt(_GATED, _SHARED)) == [("PC699", "greeting")]


@pytest.mark.parametrize(
    "sections",
    [
        (_SHARED, _GATED),
        (_GATED, _SHARED.replace(_LONG, "Short.")),
        (_GATED, _SHARED.replace("@static", "@static when not interactive")),
    ],
)
def test_elsewhere_there_is_nothing_to_gain(sections: tuple[str, str]) -> None:
    assert _codes(_prompt(*sections)) == []


def test_a_model_that_moves_is_shown_in_the_spec() -> None:
    spec = _prompt(
        _SHARED, 'section end @static when interactive "x"', head='target anthropic\n  model "claude-haiku-4-5-latest"'
    )
    assert _codes(spec) == [("PC696", '"claude-haiku-4-5-latest"')]


def test_a_marker_that_writes_nothing_is_shown_in_the_spec() -> None:
    blocks = "\n".join(f'cache shared {{ section s{n} @static when interactive "Text {n}." }}' for n in range(5))
    spec = f"{_HEAD}prompt p {{\n target openai_chat_5_6\n system {{\n{blocks}\n}}\n}}\n"
    found = [(code, text) for code, text in _codes(spec) if code != "PC699"]
    assert found == [("PC601", "shared")]


@pytest.mark.parametrize(("cls", "codes"), [("turn", ["PC652"]), ("session", []), ("static", [])])
def test_a_model_that_may_change_with_every_turn_loses_every_prefix(cls: str, codes: list[str]) -> None:
    head = f'input model_id : "claude-opus-5" | "claude-sonnet-5" @{cls}\n'
    spec = head + _prompt(_SHARED, head="target anthropic\n  model model_id").replace("language 1\n", "")
    found = [code for code, _ in _codes("language 1\n" + spec)]
    assert [code for code in found if code.startswith("PC6")] == codes
