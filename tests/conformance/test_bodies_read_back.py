"""What an assembler writes for any target is what promptc reads: order, breakpoints, and nothing for the checks to find."""

import json
from itertools import pairwise

import pytest

from promptc.ir.interpret_json import compact
from promptc.lowering.manifest import build_manifest
from promptc.providers.checks.run import check_request, check_sequence
from promptc.providers.registry import resolve
from promptc.streams.json_value import encode
from promptc.streams.read import read_stream
from support.many_targets import INPUTS, PROMPTS, TURNS, prompt, refused, requests

MARKED = ("desk", "desk_vertex", "desk_bedrock", "desk_converse", "desk_nova", "desk_chat_marked", "desk_openrouter")


@pytest.mark.parametrize("name", PROMPTS)
def test_sections_come_back_in_the_order_of_the_spec(name: str) -> None:
    found = prompt(name)
    for rendered in requests(name):
        stream, problems = read_stream(rendered.body, "request.json", found.program.target)
        assert stream is not None
        assert problems == ()
        assert stream.format == found.program.wire
        whole = "".join(encode(element.value) for element in stream.elements)
        at = -1
        for section, text in rendered.texts.items():
            place = whole.find(compact(text)[1:-1], at + 1)
            # What the frozen and the changing sections wrote stands where the conversation was when they wrote it.
            assert place > at or section in ("guest", "orders", "pace"), section
            at = max(at, place)


@pytest.mark.parametrize("name", PROMPTS)
def test_breakpoints_are_those_of_the_manifest(name: str) -> None:
    found = prompt(name)
    done = found.compilation
    manifest = build_manifest(done.facts, done.plans[name], found.program, done.sources)
    first, second = requests(name)[:2]
    closed = [_marked(rendered.body, found.program.target) for rendered in (first, second)]
    # Where nothing but markers is looked up, the end of the request before is marked again.
    twice = name in ("desk_chat_marked", "desk_responses_marked")

    assert len(manifest.breakpoints) == (3 if name in (*MARKED, "desk_responses_marked") else 0) + twice
    assert len(closed[1]) == len(manifest.breakpoints)
    for text, mark in zip(closed[1], manifest.breakpoints, strict=True):
        if mark.lagging:
            assert text == closed[0][-1]
            continue
        # The conversation ends in what its tail added to it.
        wanted = second.texts["orders" if mark.after == "transcript" else mark.after]
        assert compact(wanted)[1:-1] in text


def _marked(body: bytes, target: str) -> list[str]:
    """The text of every block with a marker."""
    stream, _ = read_stream(body, "request.json", target)
    assert stream is not None
    return [encode(stream.elements[b.index].value) for b in stream.breakpoints]


@pytest.mark.parametrize("name", PROMPTS)
def test_the_checks_of_requests_find_nothing(name: str) -> None:
    program = prompt(name).program
    model = getattr(program.model, "value", None)
    facts = resolve(program.target, model)
    # A text that is in one request only is a change of history to whoever compares two of them.
    bodies = [json.loads(rendered.body) for rendered in requests(name, hurry=False)]
    if not program.form.model_in_body:
        bodies = [{**body, "modelId" if "inferenceConfig" in body else "model": model} for body in bodies]

    found = [*(f for body in bodies for f in check_request(body, facts)), *check_sequence(bodies, facts)]

    # The prompt of the example is shorter than anything that a provider caches.
    assert [(f.code, f.message) for f in found if f.code != "PC615"] == []


@pytest.mark.parametrize("name", PROMPTS)
def test_every_request_continues_the_one_before_up_to_what_passes(name: str) -> None:
    elements = []
    for rendered in requests(name):
        stream, _ = read_stream(rendered.body, "request.json", prompt(name).program.target)
        assert stream is not None
        elements.append([e.key for e in stream.elements if "Many customers" not in encode(e.value)])
    for shorter, longer in pairwise(elements):
        assert longer[: len(shorter)] == shorter


def test_a_state_moves_from_one_wire_to_another() -> None:
    here, there = prompt("desk"), prompt("desk_responses")
    first = here.render("all", TURNS[0], None, open_orders=2)
    second = there.render("all", TURNS[1], first.state, open_orders=2)
    told = "<system-reminder>\nOpen orders: 2.\n</system-reminder>"

    assert second.body.count(compact(told).encode()) == 1
    assert second.state["log"] == first.state["log"]
    assert second.state["frozen"] == first.state["frozen"]


@pytest.mark.parametrize("name", [n for n in PROMPTS if prompt(n).program.wire != "anthropic-messages"])
def test_what_a_wire_cannot_say_is_refused_and_never_left_out(name: str) -> None:
    said = refused(name, [{"role": "user", "content": [{"type": "document", "source": {"type": "text", "data": "x"}}]}])
    target = prompt(name).program.target
    assert said == (
        f"messages[0].content[0]: `document` cannot be said to `{target}`; leave it out, or pass a `Native` message"
    )
    assert "citations" in refused(name, [{"role": "user", "content": [{"type": "text", "text": "x", "citations": []}]}])


def test_the_inputs_are_those_of_the_first_prompt() -> None:
    assert set(INPUTS) == {declared.name for declared in prompt("desk").program.inputs}
