"""How a target spells its format, from its facts and from the model that a prompt names."""

import pytest

from promptc.ir.form import PLAIN_FORM, MarkerForm
from promptc.ir.model import Program
from promptc.lowering.wire_form import wire_form
from promptc.providers.registry import provider, provider_ids
from support.specs import codes, compile_text


def lowered(target: str, more: str = "", system: str = "cache all") -> Program:
    """The program of a small prompt."""
    found = compile_text(
        f"""language 1
scope all holds static
prompt p {{
  target {target}
  {more}
  system {{ {system} {{ section one @static "One." }} }}
  conversation {{ history talk cache last message }}
}}
"""
    )
    assert not found.failed, codes(found)
    return found.programs["p"]


def test_the_plain_form_is_that_of_the_format_itself() -> None:
    assert lowered("anthropic").form == PLAIN_FORM


@pytest.mark.parametrize(
    ("target", "model", "resolved"),
    [
        ("openai_chat", "gpt-5.1", "openai-chat"),
        ("openai_chat", "gpt-5.6", "openai-chat-5.6"),
        ("openai_responses", "gpt-6", "openai-responses-5.6"),
        ("bedrock_claude", "amazon.nova-pro-v1:0", "bedrock-nova-converse"),
        # Another platform is never meant by the name of this one.
        ("openai_chat", "anthropic/claude-opus-4.8", "openai-chat"),
    ],
)
def test_the_model_of_a_prompt_tells_the_generation(target: str, model: str, resolved: str) -> None:
    assert lowered(target, f'model "{model}"').target == resolved


def test_markers_are_lowered_only_where_the_target_takes_them() -> None:
    silent, marked = lowered("openai_chat"), lowered("openai_chat_5_6")
    assert (silent.form.marker, silent.message_marker, silent.system[0].marked) == (None, None, False)
    assert silent.system[0].scopes[0].scope == "all"
    assert marked.form.marker == MarkerForm(
        "prompt_cache_breakpoint", False, "mode", "explicit", ("text", "image_url", "input_audio", "file")
    )
    assert marked.message_marker is not None and marked.system[0].marked


def test_the_service_is_told_not_to_mark_only_where_the_prompt_marks() -> None:
    unmarked = wire_form(provider("openai-chat-5.6"), None, marked=False)
    assert unmarked.constants == ()
    assert lowered("openai_chat_5_6").form.constants == (("prompt_cache_options", '{"mode":"explicit"}'),)


def test_the_end_of_the_request_before_is_marked_again_where_nothing_but_markers_is_looked_up() -> None:
    assert [lowered(t).lagging for t in ("openai_chat_5_6", "openai_responses_5_6")] == [True, True]
    assert not any(lowered(t).lagging for t in ("anthropic", "openrouter", "bedrock_claude", "openai_chat"))


def test_a_named_model_decides_about_system_messages_where_the_facts_do() -> None:
    assert lowered("anthropic", 'model "claude-opus-4-8"').form.turns == "mid"
    assert lowered("anthropic", 'model "claude-sonnet-4-5"').form.turns == "never"
    assert lowered("bedrock_claude").form.turns == "never"


def test_every_shipped_target_has_a_form() -> None:
    forms = {name: wire_form(provider(name), None, marked=True) for name in provider_ids()}
    assert {form.limit_field for form in forms.values()} == {"max_tokens", "max_completion_tokens"}
    assert {name for name, form in forms.items() if not form.model_in_body} == {
        name for name in forms if name.startswith(("bedrock", "vertex", "gemini"))
    }
