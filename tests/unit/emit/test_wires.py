"""What assemblers write and refuse on each wire, case by case; both the interpreter and the emitted module are asked."""

import ast
import json
from collections import Counter
from typing import Any

import pytest

from promptc.emit.python import emit_python
from promptc.ir.form import WireForm
from promptc.ir.interpret import assemble
from promptc.ir.interpret_json import compact
from promptc.ir.model import Const, EnvelopeLane, Marker, Program, ToolLiteral
from promptc.ir.verify import verify
from promptc.runtime.errors import InputError
from promptc.runtime.messages import Native, Written
from support.emitted import load
from support.ir_programs import SPAN, block, lit, program, section
from support.ir_targets import ir_target

CALL = {"type": "tool_use", "id": "t1", "name": "n", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
LINK = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
THINKING = {"type": "thinking", "thinking": "so", "signature": "s"}
WIRES = ("anthropic", "bedrock-claude", "openai-chat", "openai-responses", "gemini-implicit")


def made(target: str, **more: object) -> Program:
    """A program for a target, with a marker on messages where it takes one."""
    chosen = ir_target(target)
    marker = Marker(None) if chosen.form.marker is not None else None
    settings: dict[str, object] = {"form": chosen.form, "message_marker": marker, **more}
    return program(target=chosen.name, wire=chosen.wire, **settings)


def request(of: Program, *messages: Any) -> Any:
    """The request of a conversation, the same from both; `decisions` are those of the assembler."""
    module = load(emit_python(of, lambda span: (1, 1)).data)
    plain = [{"role": m.role, "content": m.content} if isinstance(m, Written) else m for m in messages]
    expected = assemble(of, {}, plain)
    found = module.assemble(module.inputs_from_json({}), messages)
    assert found.body == expected.body
    assert [tuple(d) for d in found.decisions] == [tuple(d) for d in expected.decisions]
    return found


def body(of: Program, *messages: Any) -> dict[str, Any]:
    """The body of a request, parsed."""
    value: dict[str, Any] = json.loads(request(of, *messages).body)
    return value


def refusal(target: str, *messages: Any) -> str:
    """What both say about a conversation that the wire cannot say."""
    of = made(target)
    with pytest.raises(InputError) as expected:
        assemble(of, {}, messages)
    module = load(emit_python(of, lambda span: (1, 1)).data)
    with pytest.raises(InputError) as found:
        module.assemble(module.inputs_from_json({}), messages)
    assert str(found.value) == str(expected.value)
    return str(found.value)


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


# -- the head ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "head"),
    [
        ("anthropic", b'{"model":"a-model","max_tokens":1024,"messages":[]}'),
        ("bedrock-claude-invoke", b'{"anthropic_version":"bedrock-2023-05-31","max_tokens":1024,"messages":[]}'),
        ("vertex-claude", b'{"anthropic_version":"vertex-2023-10-16","max_tokens":1024,"messages":[]}'),
        ("bedrock-claude", b'{"inferenceConfig":{"maxTokens":1024},"messages":[]}'),
        ("openai-chat", b'{"model":"a-model","max_completion_tokens":1024,"messages":[]}'),
        ("azure-openai", b'{"model":"a-model","max_completion_tokens":1024,"messages":[]}'),
        ("deepseek", b'{"model":"a-model","max_tokens":1024,"messages":[]}'),
        ("llama-cpp", b'{"model":"a-model","max_tokens":1024,"messages":[]}'),
        ("openai-responses", b'{"model":"a-model","max_output_tokens":1024,"input":[]}'),
        ("gemini-implicit", b'{"generationConfig":{"maxOutputTokens":1024},"contents":[]}'),
    ],
)
def test_a_request_of_nothing_is_its_required_members(target: str, head: bytes) -> None:
    assert request(made(target, message_marker=None)).body == head


def test_a_key_stands_behind_the_model() -> None:
    chat = made("openai-chat", cache_key=Const("“k”"), message_marker=None)
    assert request(chat).body.startswith(
        '{"model":"a-model","prompt_cache_key":"“k”","max_completion_tokens":'.encode()
    )
    assert body(made("openrouter", cache_key=Const("k")), user(text("a")))["session_id"] == "k"
    assert verify(made("anthropic", cache_key=Const("k"))) == ("a cache key has no member to stand in",)


def test_a_caller_names_the_model_only_where_the_body_does() -> None:
    named = load(emit_python(made("openai-chat", model=None), lambda span: (1, 1)).data)
    silent = load(emit_python(made("bedrock-claude", model=None), lambda span: (1, 1)).data)

    assert b'"model":"m"' in named.assemble(named.inputs_from_json({}), [], model="m").body
    assert b"model" not in silent.assemble(silent.inputs_from_json({}), []).body


def test_a_system_text_that_is_empty_is_no_message() -> None:
    of = made("openai-chat", system=(block(section("one", "static"), marked=False),))
    assert body(of, user(text("a")))["messages"] == [user(text("a"))]


def test_system_blocks_are_parts_of_one_message() -> None:
    system = (block(section("one", "static", lit("1"))), block(section("two", "static", lit("2")), marked=False))
    found = body(made("openai-responses-5.6", system=system), user(text("a")))
    assert found["prompt_cache_options"] == {"mode": "explicit"}
    assert found["input"][0] == {
        "role": "developer",
        "content": [
            {"type": "input_text", "text": "1", "prompt_cache_breakpoint": {"mode": "explicit"}},
            {"type": "input_text", "text": "2"},
        ],
    }


@pytest.mark.parametrize("target", ["bedrock-claude", "gemini-implicit", "openai-chat", "openai-responses"])
def test_a_standalone_module_carries_its_own_wire(target: str) -> None:
    of = made(target)
    code = emit_python(of, lambda span: (1, 1), standalone=True).data
    alone = load(code)
    assert b"promptc.runtime" not in code
    assert alone.assemble(alone.inputs_from_json({}), [user(PNG)]).body == request(of, user(PNG)).body
    assert alone.Native({"a": 1}).value == {"a": 1}


@pytest.mark.parametrize("target", WIRES)
def test_no_two_modules_of_the_runtime_define_one_name(target: str) -> None:
    """Inlined into one file, the later one would take the place of the other."""
    tree = ast.parse(emit_python(made(target), lambda span: (1, 1), standalone=True).data)
    defined = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    defined += [
        t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets if isinstance(t, ast.Name)
    ]
    assert [name for name, many in Counter(defined).items() if many > 1] == []


# -- the conversation ---------------------------------------------------------------------------------


def test_a_tool_without_a_description_has_none_where_it_must_not_be_empty() -> None:
    tool = ToolLiteral("t", "static", None, "static", (), "{}", SPAN)
    converse = body(made("bedrock-claude", tools=(tool,)), user(text("a")))
    chat = body(made("openai-chat", tools=(tool,)), user(text("a")))
    assert converse["toolConfig"]["tools"] == [{"toolSpec": {"name": "t", "inputSchema": {"json": {}}}}]
    assert chat["tools"][0]["function"]["description"] == ""


def test_an_address_names_the_model_that_the_body_does_not() -> None:
    assert request(made("bedrock-claude")).model == "a-model"
    assert request(made("openai-chat")).model == ""


def test_results_become_messages_in_front_of_what_else_is_said() -> None:
    found = body(made("openai-chat"), assistant(text("a"), CALL), user(RESULT, text("b"), LINK))
    assert found["messages"] == [
        {
            "role": "assistant",
            "content": [text("a")],
            "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "n", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "t1", "content": [text("ok")]},
        {
            "role": "user",
            "content": [text("b"), {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}],
        },
    ]


def test_a_tail_behind_results_is_a_message_of_the_user() -> None:
    tail = EnvelopeLane("<", ">", "", (section("now", "static", lit("t"), deliver="ephemeral"),))
    found = body(made("openai-chat", tail=tail), assistant(CALL), user(RESULT))
    assert [m["role"] for m in found["messages"]] == ["assistant", "tool", "user"]
    assert found["messages"][2]["content"] == [text("<t>")]


def test_what_passes_never_carries_the_marker() -> None:
    tail = EnvelopeLane("", "", "", (section("now", "static", lit("t"), deliver="ephemeral"),))
    found = body(made("openai-chat-5.6", tail=tail), user(text("a")))
    assert [sorted(part) for part in found["messages"][0]["content"]] == [
        ["prompt_cache_breakpoint", "text", "type"],
        ["text", "type"],
    ]


def test_the_marker_walks_back_to_a_part_that_takes_one() -> None:
    found = body(made("openai-responses-5.6"), user(text("a")), assistant(text("b"), CALL), user(text("")))
    assert "prompt_cache_breakpoint" in found["input"][0]["content"][0]
    assert json.dumps(found).count("prompt_cache_breakpoint") == 1


def test_a_failed_call_is_said_where_there_is_a_word_for_it() -> None:
    failed = {**RESULT, "is_error": True}
    converse = body(made("bedrock-claude"), assistant(CALL), user(failed))
    gemini = body(made("gemini-implicit"), assistant(CALL), user(failed))
    chat = request(made("openai-chat"), assistant(CALL), user(failed))

    assert converse["messages"][1]["content"][0]["toolResult"]["status"] == "error"
    assert gemini["contents"][1]["parts"][0]["functionResponse"]["response"] == {"error": "ok"}
    assert [tuple(d)[:2] for d in chat.decisions] == [("error-flag-not-sent", "")]


def test_thinking_stays_with_the_vendor_that_signed_it() -> None:
    found = body(made("bedrock-claude"), user(text("a")), assistant(THINKING, text("b")))
    reasoning = {"reasoningText": {"text": "so", "signature": "s"}}
    assert found["messages"][1]["content"][0] == {"reasoningContent": reasoning}
    for target in ("openai-chat", "openai-responses", "gemini-implicit"):
        assert refusal(target, assistant(THINKING)).startswith("messages[0].content[0]: `thinking` cannot be said to `")


@pytest.mark.parametrize(
    ("target", "message", "said"),
    [
        (
            "openai-chat",
            user({**RESULT, "content": [PNG]}),
            "messages[0].content[0].content[0]: `image` cannot be said",
        ),
        ("openai-chat", user(text("a"), RESULT), "messages[0].content[1]: a tool result must stand in front"),
        ("openai-responses", user(PNG, RESULT), "messages[0].content[1]: a tool result must stand in front"),
        ("openai-chat", assistant(CALL, text("a")), "messages[0].content[1]: `openai-chat` has no place for a text"),
        ("openai-chat", assistant(PNG), "messages[0].content[0]: `image` cannot be said"),
        ("openai-chat", user({**text("a"), "citations": []}), "messages[0].content[0].citations: has no place"),
        ("gemini-implicit", user(RESULT), "messages[0].content[0]: answers a call that is not in the conversation"),
        ("gemini-implicit", user(LINK), "messages[0].content[0].source: `gemini-implicit` takes the data of an image"),
        ("bedrock-claude", user(LINK), "messages[0].content[0].source: `bedrock-claude` takes the data of a png"),
        ("openai-chat", assistant({**CALL, "caller": {}}), "messages[0].content[0].caller: has no place"),
        ("openai-chat", user({**RESULT, "tool_use_id": 3}), "messages[0].content[0].tool_use_id: expected a text"),
    ],
)
def test_what_cannot_be_said_is_refused_at_its_place(target: str, message: dict[str, Any], said: str) -> None:
    assert refusal(target, message).startswith(said)


def test_written_messages_serve_every_wire() -> None:
    for target in WIRES:
        of = made(target)
        assert request(of, Written("user", "a\n“é”")).body == request(of, {"role": "user", "content": "a\n“é”"}).body


# -- messages of the system ----------------------------------------------------------------------------

TOLD = {"role": "system", "content": "Be brief."}


@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("anthropic", {"role": "system", "content": [text("Be brief.")]}),
        ("openai-chat", {"role": "system", "content": [text("Be brief.")]}),
        ("openai-responses", {"role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}),
    ],
)
def test_a_system_message_in_the_middle_is_lowered(target: str, written: dict[str, Any]) -> None:
    found = body(made(target, message_marker=None), user(text("a")), TOLD)
    assert (found.get("messages") or found["input"])[1] == written


@pytest.mark.parametrize("target", ["bedrock-claude", "gemini-implicit"])
def test_a_target_without_system_messages_says_so(target: str) -> None:
    assert refusal(target, user(text("a")), TOLD) == (
        f"messages[1].role: must be `user` or `assistant`: `{target}` takes no system message in a conversation"
    )


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ((TOLD, user(text("a"))), "`anthropic-messages` takes no system message in front of a conversation"),
        ((user(text("a")), assistant(text("b")), TOLD), "takes a system message only behind one from the user"),
        ((user(text("a")), TOLD, user(text("b"))), "only in front of one from the assistant"),
        ((user(text("a")), assistant(CALL), TOLD, user(RESULT)), "cannot stand between a call and its result"),
    ],
)
def test_a_system_message_out_of_its_place_is_refused(messages: tuple[dict[str, Any], ...], said: str) -> None:
    assert said in refusal("anthropic", *messages)


def test_between_a_call_and_its_result_nothing_stands_on_any_wire() -> None:
    assert "between a call and its result" in refusal("openai-chat", assistant(CALL), TOLD, user(RESULT))


def test_a_system_message_holds_texts_only() -> None:
    assert refusal("anthropic", user(text("a")), {"role": "system", "content": [PNG]}) == (
        "messages[1].content[0]: a system message holds nothing but texts"
    )


def test_a_model_that_is_known_not_to_take_system_messages_refuses_them() -> None:
    of = made("anthropic", form=WireForm(turns="never"), model=Const("claude-haiku-4-5"))
    module = load(emit_python(of, lambda span: (1, 1)).data)
    with pytest.raises(InputError, match="takes no system message"):
        module.assemble(module.inputs_from_json({}), [user(text("a")), TOLD])


# -- native messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["openai-chat", "openai-responses", "gemini-implicit"])
def test_a_native_message_is_written_as_it_is(target: str) -> None:
    value = {"b": [1, 2**60, 1.0], "a": "“é”\x01\n", "role": "user", "content": [{"type": "text", "text": ""}]}
    assert compact(value).encode() in request(made(target), Native(value)).body


def test_markers_of_a_native_message_are_taken_off_and_the_own_one_is_placed() -> None:
    marked = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    found = request(made("anthropic"), Native({"role": "user", "content": [marked, text("")], "id": 1}))
    assert b'{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}},' in found.body
    assert [d.kind for d in found.decisions] == ["marker-removed"]


def test_a_marker_that_is_a_block_is_taken_off_a_native_message_too() -> None:
    value = {"role": "user", "content": [{"text": "x"}, {"cachePoint": {"type": "default"}}, {"text": "y"}]}
    found = json.loads(request(made("bedrock-claude"), Native(value)).body)
    assert found["messages"][0]["content"] == [{"text": "x"}, {"text": "y"}, {"cachePoint": {"type": "default"}}]


def test_nothing_is_put_into_a_native_message() -> None:
    preamble = EnvelopeLane("", "", "", (section("p", "static", lit("p")),))
    tail = EnvelopeLane("", "", "", (section("t", "static", lit("t")),))
    found = request(made("openai-chat", preamble=preamble, tail=tail), Native({"role": "user", "content": "a"}))
    assert json.loads(found.body)["messages"] == [{"role": "user", "content": "a"}]
    assert [tuple(d) for d in found.decisions] == [
        ("preamble-withheld", "", "no message from the user can hold it"),
        ("tail-withheld", "", "the last message is native"),
    ]


def test_a_native_call_gives_its_name_to_the_result() -> None:
    native = Native(
        {"role": "model", "parts": [{"functionCall": {"id": "t1", "name": "own"}, "thoughtSignature": "s"}]}
    )
    found = body(made("gemini-implicit"), native, user(RESULT))
    assert found["contents"][1]["parts"][0]["functionResponse"]["name"] == "own"


def test_a_native_message_must_be_a_json_object() -> None:
    with pytest.raises(InputError, match="expected a mapping"):
        Native([])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is not a JSON value"):
        Native({"a": object()})
