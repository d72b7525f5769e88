"""`cache auto` on whole specs: where markers stand, what a request then carries, and what the plan says of it."""

from typing import Any

import pytest

from promptc.emit.manifest_json import manifest_text
from promptc.ir.dump import dump
from promptc.ir.interpret import assemble
from promptc.ir.model import Program
from promptc.pipeline import Compilation
from promptc.report.auto_lines import auto_lines
from promptc.report.graph_dot import graph_dot
from promptc.report.graph_mermaid import graph_mermaid
from promptc.report.graph_svg import graph_svg
from promptc.report.listing import listing_json, listing_text
from promptc.streams.manifest_model import Manifest
from support.manifests import GOLDEN, manifest_of
from support.specs import compile_text

TRAFFIC = {
    "sessions": "sessions 600 per hour",
    "turns": "turns 12 per session",
    "gaps": "gaps 90% within 1m, 10% within 5m",
    "blocks": "blocks 100% within 6 per turn",
    "tokens": "tokens 900 per turn",
}
BODY = """
  system {
    section role @static "You are brief."
    section rules @org "{{ house }}"
    section place @session "In {{ cwd }}."
  }
  conversation { history transcript }
"""


def spec(body: str = BODY, target: str = "anthropic", more: str = "", **changed: str) -> str:
    """A module with one prompt that caches automatically."""
    clauses = {**TRAFFIC, "role": "tokens 2_000 in role", "rules": "tokens 700 in rules", **changed}
    listed = "\n".join(f"  {clause}" for clause in clauses.values() if clause)
    return f"""language 1
traffic {{
{listed}
}}
{more}
input house : text @org
input cwd : text @session
prompt p {{
  target {target}
  model "claude-opus-5-5"
  cache auto
{body}}}
"""


def compiled(text: str) -> Compilation:
    found = compile_text(text)
    assert not found.failed, [(d.code, d.message) for d in found.diagnostics]
    return found


def program_of(text: str) -> Program:
    return compiled(text).programs["p"]


def marked(program: Program, turns: int = 1) -> list[str]:
    """Every marker of a request after some turns, as place and lifetime."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "one"}]
    for _ in range(turns - 1):
        messages += [{"role": "assistant", "content": "yes"}, {"role": "user", "content": "more"}]
    request: Any = assemble(program, {"house": "no smoking", "cwd": "/srv"}, messages).request
    blocks = [(f"system {i}", block) for i, block in enumerate(request["system"])]
    blocks += [(f"message {i}", block) for i, m in enumerate(request["messages"]) for block in m["content"]]
    return [f"{place} {block['cache_control'].get('ttl')}" for place, block in blocks if "cache_control" in block]


def test_markers_stand_where_sharing_ends_and_at_the_end_of_the_conversation() -> None:
    assert marked(program_of(spec(org="sessions 20 per hour per org")), 2) == [
        "system 0 1h",
        "system 1 1h",
        "message 2 5m",
    ]


def test_a_planned_prompt_is_the_program_of_the_same_layout_written_by_hand() -> None:
    planned = spec(org="sessions 20 per hour per org")
    by_hand = (
        planned.replace("  cache auto\n", "")
        .replace("prompt p", "scope static holds static\nscope org holds org\nprompt p")
        .replace("    section role", "    cache static ttl 1h {\n    section role")
        .replace("    section rules", "    }\n    cache org ttl 1h {\n    section rules")
        .replace("    section place", "    }\n    section place")
        .replace("history transcript", "history transcript\n cache last message ttl 5m")
    )
    assert dump(program_of(planned)) == dump(program_of(by_hand))


@pytest.mark.parametrize(("most", "lagging"), [(19, False), (20, True), (60, True)])
def test_a_turn_that_can_outrun_the_lookback_gets_a_second_marker_in_the_messages(most: int, lagging: bool) -> None:
    program = program_of(spec(blocks=f"blocks 99% within 6, 1% within {most} per turn"))
    in_messages = [place for place in marked(program, 3) if place.startswith("message")]
    assert in_messages == (["message 2 5m", "message 4 5m"] if lagging else ["message 4 5m"])


def test_a_turn_that_never_has_so_many_blocks_does_not_outrun_anything() -> None:
    assert not program_of(spec(blocks="blocks 100% within 6, 0% within 60 per turn")).lagging


def test_one_slot_is_kept_for_the_conversation_even_where_it_is_not_used() -> None:
    sections = "".join(f'    section s{i} @{c} "{{{{ {n} }}}}"\n' for i, (c, n) in enumerate(CLASSES))
    more = "".join(f"input {name} : text @{cls}\n" for cls, name in CLASSES)
    chain = (
        "stability static < " + " < ".join(cls for cls, _ in CLASSES if cls != "static") + " < org < session < turn\n"
    )
    sizes = {f"s{i}": f"tokens 900 in s{i}" for i in range(5)}
    rates = {cls: f"sessions {60 - 10 * i} per hour per {cls}" for i, (cls, _) in enumerate(CLASSES) if i}
    body = f"  system {{\n{sections}  }}\n  conversation {{ history transcript }}\n"
    text = spec(body, more=chain + more, turns="turns 1 per session", role="", rules="", **sizes, **rates)
    program = program_of(text.replace("input house : text @org\ninput cwd : text @session\n", ""))

    assert program.message_marker is None
    assert sum(block.marked for block in program.system) == 3


CLASSES = (("static", "a"), ("region", "b"), ("firm", "c"), ("team", "d"), ("person", "e"))


@pytest.mark.parametrize(("within", "lifetime"), [("5m", 300), ("1h", 3600)])
def test_lifetime_of_the_conversation_follows_the_gaps(within: str, lifetime: int) -> None:
    marker = program_of(spec(gaps=f"gaps 100% within {within}")).message_marker
    assert marker is not None and marker.ttl == lifetime


def test_gaps_that_outlive_every_lifetime_leave_the_conversation_without_a_marker() -> None:
    program = program_of(spec(gaps="gaps 100% within 24h"))
    assert program.message_marker is None
    assert [block.marked for block in program.system] == [True, False]


def test_below_the_minimum_no_marker_stands_and_the_reason_is_said() -> None:
    manifest = manifest_of(spec(role="", rules=""))
    assert [b.lane for b in manifest.breakpoints] == ["conversation"]
    assert any("the target caches 512 and more" in line for line in auto_lines(manifest))


def test_a_class_without_a_rate_counts_the_next_higher_one_and_the_plan_says_so() -> None:
    told = auto_lines(manifest_of(spec(more="", user="sessions 4 per hour per user")))
    assert any("no rate of sessions per `org` is told: counted are those of one `user`" in line for line in told)
    untold = auto_lines(manifest_of(spec()))
    assert any("no rate of sessions per `org` is told: counted are none but" in line for line in untold)


TOOLS = """record Tool {
  name : text
  description : text
  input_schema : json
}
input connected : list[Tool] @session
"""
WITH_TOOLS = "  tools { group late @session from connected order by name }\n" + BODY


def test_tools_that_may_be_missing_decide_by_how_often_they_are_there() -> None:
    def planned(percent: int) -> Program:
        return program_of(
            spec(
                WITH_TOOLS,
                more=TOOLS,
                late="tokens 4_000 in late",
                there=f"present {percent}% late",
                turns="turns 3 per session",
            )
        )

    rare, certain = planned(5), planned(100)
    assert rare.system[0].marked
    # With the tools there, no two sessions share anything: what the conversation's marker reads is all that there is.
    assert not any(block.marked for block in certain.system)
    scopes = rare.system[0].scopes
    assert [choice.scope for choice in scopes] == ["session", "static"]


def test_a_marker_keeps_its_lifetime_when_tools_take_its_scope_away() -> None:
    text = spec(
        WITH_TOOLS, more=TOOLS, late="tokens 4_000 in late", there="present 5% late", gaps="gaps 100% within 1h"
    )
    program = program_of(text)
    assert program.message_marker is not None and program.message_marker.ttl == 3600
    assert [(c.scope, c.ttl) for c in program.system[0].scopes] == [("session", 3600), ("static", 3600)]


def test_tools_of_which_one_is_always_there_leave_no_wider_scope() -> None:
    tools = """  tools {
    tool t @session when flag { description "{{ cwd }}" schema "{}" }
    tool x @session when not flag { description "In {{ cwd }}" schema "{}" }
  }
"""
    system = '  system { section role @static "You are brief." section rules @org "{{ house }}" }\n'
    found = compiled(spec(tools + system, more="input flag : bool @session\n"))
    assert [d.code for d in found.diagnostics] == []
    assert [c.scope for block in found.programs["p"].system for c in block.scopes if block.marked] == ["session"]


def test_presence_that_is_not_told_is_noted() -> None:
    lines = auto_lines(manifest_of(spec(WITH_TOOLS, more=TOOLS, late="tokens 4_000 in late")))
    assert any("`late` counts as there in 50% of the sessions" in line for line in lines)


def test_elements_under_one_condition_and_under_its_opposite_are_one_gate() -> None:
    def cost(body: str, more: str = "input careful : bool @session\n", **clauses: str) -> int:
        found = manifest_of(spec(f"  system {{\n{body}  }}\n  conversation {{ history transcript }}\n",
                                 more=more + "input x : text @session\n", rules="", **clauses)
                            .replace("input house : text @org\ninput cwd : text @session\n", "")).auto  # fmt: skip
        assert found is not None
        return found.cost

    role, rest = '    section role @static "You are brief."\n', '    section place @session "{{ x }}"\n'
    one = '    section a @static when careful "A"\n'
    same = '    section b @static when careful "A"\n'
    other = '    section b @static when not careful "A"\n'
    sizes = {"s": "sessions 2 per hour", "sessions": "", "p": "present 30% a"}

    with_one = cost(one + role + rest, **sizes)
    assert abs(cost(one + same + role + rest, **sizes) - with_one) <= 5
    assert abs(cost(one + other + role + rest, **sizes) - with_one) <= 5
    two = '    section b @static when bold "A"\n'
    bold = "input careful : bool @session\ninput bold : bool @session\n"
    assert cost(one + two + role + rest, bold, **sizes) > with_one + 20


def test_a_declared_scope_that_holds_exactly_the_class_gives_its_name() -> None:
    program = program_of(spec(more="scope everybody holds static\n"))
    assert program.system[0].scopes[-1].scope == "everybody"


def test_a_target_without_markers_gets_none_and_the_plan_says_why() -> None:
    text = spec(target="deepseek")
    manifest = manifest_of(text)
    assert manifest.breakpoints == ()
    assert any("takes no markers: it caches by itself" in line for line in auto_lines(manifest))


def test_an_end_that_is_found_only_where_it_is_marked_again_is_marked_again() -> None:
    text = spec(target="openai_responses").replace("claude-opus-5-5", "gpt-5.6-sol")
    manifest = manifest_of(text)
    assert manifest.auto is not None
    assert any("looks up nothing but markers" in r.why for r in manifest.auto.reasons)
    assert [b.lagging for b in manifest.breakpoints if b.lane == "conversation"] == [True, False]


def test_sections_keep_their_order_whatever_the_traffic() -> None:
    orders = {
        tuple(e.name for e in manifest_of(spec(gaps=f"gaps 100% within {gap}", org=org)).elements)
        for gap in ("30s", "20m", "2h")
        for org in ("", "sessions 500 per hour per org")
    }
    assert orders == {("role", "rules", "place", "transcript")}


# -- what is said of it --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return manifest_of((GOLDEN / "auto.promptc").read_text(encoding="utf-8"), "base")


def test_listing_of_a_planned_prompt_is_as_recorded(manifest: Manifest, update: bool) -> None:
    golden = GOLDEN / "auto.ls.txt"
    text = listing_text(manifest)
    if update:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_manifest_names_every_marker_with_its_reason(manifest: Manifest) -> None:
    assert manifest.auto is not None
    placed = [(r.lane, r.after, r.lagging) for r in manifest.auto.reasons if r.lifetime is not None]
    assert sorted(placed) == sorted((b.lane, b.after, b.lagging) for b in manifest.breakpoints)
    assert len(placed) == 4
    assert manifest.auto.cost < manifest.auto.uncached
    assert all(r.why for r in manifest.auto.reasons)
    assert Manifest.model_validate_json(manifest_text(manifest)) == manifest
    assert listing_json(manifest)["auto"]["reasons"][0]["why"] == manifest.auto.reasons[0].why


@pytest.mark.parametrize("write", [graph_svg, graph_dot, graph_mermaid])
def test_drawings_say_at_each_marker_why_it_stands_there(manifest: Manifest, write: Any) -> None:
    drawn = write(manifest).replace("#37;", "%")
    assert manifest.auto is not None
    for reason in manifest.auto.reasons:
        if reason.lifetime is not None and not reason.lagging:
            assert reason.why.split(";")[0] in drawn
    assert "where the request before had it" in drawn
