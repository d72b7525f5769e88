"""The problem that is read off a prompt: sizes, places, who shares what, and the facts of the target."""

from fractions import Fraction

from promptc.planning.auto.model import Problem
from promptc.planning.auto.problem import rules_of
from promptc.providers.registry import provider
from promptc.providers.tokens import estimate_tokens
from support.specs import compile_text

HOURLY = Fraction(1, 3600)
TOOLS = """record Tool {
  name : text
  description : text
  input_schema : json
}
input connected : list[Tool] @session
"""


def problem_of(
    body: str, traffic: str = "", declared: str = "", target: str = "anthropic", model: str = "m"
) -> Problem:
    """The problem of a prompt of 100 sessions an hour."""
    found = compile_text(f"""language 1
traffic {{
  sessions 100 per hour
  turns 3 per session
  gaps 60% within 5m, 40% within 1h
  blocks 100% within 6 per turn
  tokens 900 per turn
{traffic}
}}
{declared}
prompt p {{
  target {target}
  model "{model}"
  cache auto
{body}
}}
""")
    assert not found.failed, [d.message for d in found.diagnostics]
    auto = found.plans["p"].auto
    assert auto is not None and auto.problem is not None
    return auto.problem


def shared(problem: Problem) -> dict[tuple[Fraction | None, ...], Fraction]:
    """Weight of each row of rates, these told per hour."""
    return {
        tuple(None if rate is None else rate / HOURLY for rate in sharing.rates): sharing.weight
        for sharing in problem.sharings
    }


CLASSES = """input a : text @org
input b : text @session
"""


def test_each_class_is_shared_by_the_sessions_that_the_traffic_tells() -> None:
    body = 'system { section s @static "S" section o @org "{{ a }}" section u @session "{{ b }}" }'
    assert shared(problem_of(body, "sessions 48 per day per org", CLASSES)) == {(100, 2, 0): 1}


def test_nothing_behind_a_value_of_the_turn_is_read_again() -> None:
    body = 'system { section n @turn pin "short" "{{ now }}" section s @static "S" }\n conversation { history h }'
    assert shared(problem_of(body, declared="input now : text @turn")) == {(None, None): 1}


def test_a_gate_above_the_class_divides_its_sessions() -> None:
    body = 'system { section s @static "S" section e @static when flag "E" section u @session "{{ b }}" }'
    found = problem_of(body, "present 30% e", "input flag : bool @session\n" + CLASSES.splitlines()[1])
    assert shared(found) == {(100, 30, 0): Fraction(3, 10), (100, 70, 0): Fraction(7, 10)}


def test_a_gate_does_not_divide_the_sessions_of_a_class_that_it_is_fixed_in() -> None:
    body = 'system { section e @static when flag "E" section o @org "{{ a }}" }'
    told = "present 40% e\n sessions 20 per hour per org"
    found = problem_of(body, told, "input flag : bool @org\n" + CLASSES.splitlines()[0])
    assert shared(found) == {(40, 20): Fraction(2, 5), (60, 20): Fraction(3, 5)}


def test_whoever_shares_more_of_the_prefix_shares_the_less_of_it() -> None:
    # Of a hundred sessions forty have the gate open, and those of the organisation at hand are all among them.
    body = 'system { section e @static when flag "E" section o @org "{{ a }}" }'
    told = "present 40% e\n sessions 50 per hour per org"
    found = problem_of(body, told, "input flag : bool @org\n" + CLASSES.splitlines()[0])
    assert shared(found) == {(50, 50): Fraction(2, 5), (60, 50): Fraction(3, 5)}


def test_a_condition_and_its_opposite_are_one_gate() -> None:
    body = 'system { section e @static when flag "E" section f @static when not flag "F" }'
    found = problem_of(body, "present 90% f", "input flag : bool @session")
    assert shared(found) == {(10, 10): Fraction(1, 10), (90, 90): Fraction(9, 10)}


def test_what_stands_under_the_opposite_is_there_when_the_condition_fails() -> None:
    body = """tools {
    tool t @static when flag { description "T" schema "{}" }
    tool x @session when not flag { description "{{ b }}" schema "{}" }
  }
  system { section s @static "S" }"""
    found = problem_of(body, "present 90% t", "input flag : bool @session\n" + CLASSES.splitlines()[1])
    assert shared(found) == {(90, 90, 90): Fraction(9, 10), (10, 0, 0): Fraction(1, 10)}


def test_a_gate_that_is_bound_once_a_deployment_divides_nothing() -> None:
    body = 'system { section e @static when flag "E" section s @static "S" }'
    assert shared(problem_of(body, declared="input flag : bool @static")) == {(100, 100): 1}


def test_tools_of_a_session_leave_the_text_behind_them_to_those_who_have_none() -> None:
    body = 'tools { group late @session from connected order by name }\n system { section s @static "S" }'
    found = problem_of(body, "tokens 500 in late\n present 20% late", TOOLS)
    assert shared(found) == {(0, 0): Fraction(1, 5), (80, 80): Fraction(4, 5)}


def test_of_many_gates_the_first_six_are_weighed_and_the_rest_is_told() -> None:
    flags = "".join(f"input f{i} : bool @session\n" for i in range(8))
    sections = "".join(f'section s{i} @static when f{i} "S"\n' for i in range(8))
    found = compile_text(
        f"""language 1
traffic {{
  sessions 9 per hour
  turns 3 per session
  gaps 100% within 5m
  blocks 100% within 6 per turn
  tokens 900 per turn
}}
{flags}
prompt p {{ target anthropic cache auto system {{ {sections} }} conversation {{ history h }} }}
"""
    )
    auto = found.plans["p"].auto
    assert auto is not None and auto.problem is not None
    # All gates are even here, so that rates depend only on how many have been met.
    assert sum(sharing.weight for sharing in auto.problem.sharings) == 1
    assert shared(auto.problem) == {tuple(Fraction(9, 2 ** min(i + 1, 6)) for i in range(8)): 1}
    assert any(note.startswith("2 more gates count as open") for note in auto.notes)


def test_a_size_is_the_literal_text_and_what_the_traffic_adds() -> None:
    body = """tools { tool look @static { description "Looks it up." schema "{}" } }
    system { section s @static "Some words of text, {{ b }}." }"""
    found = problem_of(body.replace('@static "Some', '@session "Some'), "tokens 40 in s", CLASSES.splitlines()[1])
    tool, section = found.segments
    assert tool.tokens == estimate_tokens("Looks it up.{}", "m").value
    assert section.tokens == estimate_tokens("Some words of text, .", "m").value + 40


def test_markers_stand_behind_the_last_tool_and_behind_sections_that_no_block_holds() -> None:
    body = """tools {
    tool a @static { description "A" schema "{}" }
    tool b @static { description "B" schema "{}" }
  }
  system { uncached { section head @static "H" } section s @static "S" }
  preamble in reminder { section hint @static "P" }"""
    found = problem_of(body)
    assert [(s.name, s.markable) for s in found.segments] == [
        ("a", False),
        ("b", True),
        ("head", False),
        ("s", True),
        ("hint", False),
    ]


def test_rules_are_the_facts_of_the_target_for_the_model() -> None:
    body = 'system { section s @static "S" }\n conversation { history h }'
    rules = problem_of(body, model="claude-opus-5-5").rules
    assert (rules.limit, rules.minimum, rules.lookback, rules.tail) == (4, 512, 20, "marker")
    assert [(e.name, e.seconds, e.write) for e in rules.lifetimes] == [("1h", 3600, 2), ("5m", 300, Fraction(5, 4))]
    assert rules.read == Fraction(1, 20)
    assert problem_of(body, model="claude-haiku-4-5").rules.minimum == 4096


def test_without_a_conversation_no_slot_is_kept_for_it() -> None:
    assert problem_of('system { section s @static "S" }').rules.tail == "nobody"


def test_a_target_that_caches_nothing_but_what_is_marked_looks_back_no_further_than_a_marker() -> None:
    body = 'system { section s @static "S" }\n conversation { history h }'
    # It would mark ends itself, and is told not to by every request with a marker of ours.
    rules = problem_of(body, target="openai_responses", model="gpt-5.6-sol").rules
    assert (rules.tail, rules.limit, rules.lookback) == ("marker", 4, 1)
    # One that caches by itself too, and looks back from markers, does not say that it marks the end.
    rules = problem_of(body, target="openrouter", model="claude-opus-5-5").rules
    assert (rules.tail, rules.limit, rules.lookback) == ("marker", 4, 20)


def test_a_target_that_marks_ends_itself_and_cannot_be_told_not_to_has_the_other_slots_for_the_prefix() -> None:
    layout = (
        compile_text(
            'language 1\nprompt p {\n target openai_responses_5_6\n system { section s @static "S" }\n'
            " conversation { history h }\n}\n"
        )
        .plans["p"]
        .layout
    )
    found = provider("openai-responses-5.6")
    features = {name: fact for name, fact in found.features.items() if name != "options_supported"}
    rules = rules_of(found.model_copy(update={"features": features}), None, layout)
    assert (rules.tail, rules.limit, rules.lookback) == ("provider", 3, None)
