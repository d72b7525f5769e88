"""Every rule reports what it says, in the right category, and nothing else."""

from collections.abc import Sequence

import pytest

from promptc.breaking.as_comment import comment
from promptc.breaking.judge import judge
from promptc.breaking.model import Break, Report
from promptc.diagnostics.sink import Sink
from promptc.emit.lock import AcceptedBreak
from promptc.project import Ignore
from promptc.streams.manifest_model import Manifest
from support.manifests import manifest_of

SPEC = """language 1

scope global holds static ttl 1h
scope shop holds org ttl 5m
scope session holds session ttl 5m

input name : text @org
input cwd : text @session
input hint : text @turn
input loud : bool @static

prompt agent {
  target anthropic
  model "claude-sonnet-4-5"

  tools {
    tool finish @static {
      description "End the work."
      schema \"\"\"{"type": "object"}\"\"\"
    }
  }

  system {
    cache global {
      section identity @static "You help."
      section tone @static "Be brief."
    }
    cache shop {
      section shop @org "The shop is {{ name }}."
    }
    cache session {
      section place @session "The folder is {{ cwd }}."
    }
  }

  preamble {
    section memory @session "Remember {{ cwd }}."
  }

  conversation {
    history transcript
    cache last message ttl 5m
  }

  tail {
    section reminder @turn "Mind {{ hint }}."
    section again @static when loud "AGAIN."
  }
}
"""


def judged(old: str, new: str, sink: Sink | None = None, **more: object) -> Report:
    before, after = manifest_of(old), manifest_of(new)
    return judge({before.prompt: before}, {after.prompt: after}, "old", "session", sink=sink, **more)  # type: ignore[arg-type]


def said(breaks: Sequence[Break]) -> list[tuple[str, str, str, str]]:
    return [(b.rule.id, b.category, b.scope, b.section) for b in breaks]


CASES = [
    ("Be brief.", "Be very brief.", ("GLOBAL_PREFIX_CHANGED", "global", "global", "tone")),
    ("The shop is", "This is", ("ORG_PREFIX_CHANGED", "org", "shop", "shop")),
    ("The folder is", "You are in", ("SESSION_PREFIX_CHANGED", "session", "session", "place")),
    ("Remember {{ cwd }}", "Bear {{ cwd }} in mind", ("SESSION_PREFIX_CHANGED", "session", "conversation", "memory")),
    ("Mind {{ hint }}.", "Note {{ hint }}.", ("TAIL_CHANGED", "tail", "", "reminder")),
    ("End the work.", "Ends the work.", ("TOOLS_CHANGED", "global", "global", "finish")),
    ("cache global {", "uncached {", ("MARKER_REMOVED", "global", "global", "tone")),
    ("cache global {", "cache shop {", ("SCOPE_DEMOTED", "global", "global", "tone")),
    ("claude-sonnet-4-5", "claude-opus-4-1", ("MODEL_CHANGED", "global", "", "")),
    ("static ttl 1h", "static ttl 5m", ("TTL_CHANGED", "metadata", "global", "tone")),
    ("input loud : bool", "input loud : bool?", ("INPUT_TYPE_CHANGED", "metadata", "", "loud")),
    ("input loud : bool @static", "input loud : bool @org", ("INPUT_CLASS_CHANGED", "metadata", "", "loud")),
]


@pytest.mark.parametrize(("old", "new", "wanted"), CASES, ids=[f"{c[2][0]}-{c[2][2]}" for c in CASES])
def test_one_edit_is_one_break_of_the_right_rule_and_category(
    old: str, new: str, wanted: tuple[str, str, str, str]
) -> None:
    assert SPEC.count(old) == 1
    edited = SPEC.replace(old, new)
    if wanted[0] == "INPUT_TYPE_CHANGED":
        edited = edited.replace("when loud", "when loud is defined")
    if wanted[0] == "INPUT_CLASS_CHANGED":
        edited = edited.replace("section again @static", "section again @org")
    # An input's own change may show in the bytes behind the cached prefix as well.
    found = [b for b in said(judged(SPEC, edited).breaks) if b[0] != "TAIL_CHANGED" or wanted[0] == b[0]]
    assert found == [wanted]


def test_the_same_prompt_has_no_break() -> None:
    report = judged(SPEC, SPEC)
    assert report.breaks == () and {row.verdict for row in report.rows} == {"same"}
    assert all(row.before == row.after for row in report.rows)
    assert [row.category for row in report.rows] == ["global", "org", "session", "session"]


def test_a_break_names_the_prefixes_that_go_with_it_and_keeps_those_in_front() -> None:
    report = judged(SPEC, SPEC.replace("The shop is", "This is"))
    assert report.breaks[0].also == ("session", "conversation")
    assert report.breaks[0].chain[-1] == "with it go the `session`, `conversation` prefixes, which stand behind"
    assert [row.verdict for row in report.rows] == ["same", "break", "break", "break"]
    whole = len("This is {{ name }}.")
    assert report.rows[1].rewrite.bytes == whole
    assert report.rows[2].rewrite.bytes == whole + len("The folder is {{ cwd }}.")


def test_a_section_added_or_removed_is_blamed_by_its_own_name() -> None:
    more = SPEC.replace("      section tone", '      section manner @static "Be kind."\n      section tone')
    added, removed = judged(SPEC, more).breaks[0], judged(more, SPEC).breaks[0]
    assert (added.section, removed.section) == ("manner", "manner")
    assert "`manner` is added" in added.message and "`manner` is removed" in removed.message
    assert added.place is not None and added.place.line == SPEC[: SPEC.index("section tone")].count("\n") + 1


def test_a_gate_breaks_the_variant_that_it_makes_and_adds_variants() -> None:
    gated = SPEC.replace('section tone @static "', 'section tone @static when loud "')
    found = judged(SPEC, gated).breaks
    assert [b.rule.id for b in found] == ["GLOBAL_PREFIX_CHANGED", "VARIANTS_ADDED"]
    assert any("in 1 of 2 variants" in note for note in found[0].notes)
    assert judged(SPEC, gated).rows[0].broken == 1


def test_the_line_is_that_of_the_sections_own_text() -> None:
    long = SPEC.replace('"Be brief."', '"One.\\nTwo.\\nThree."')
    found = judged(long, long.replace("Three", "Four")).breaks[0]
    assert "section `tone` is edited in line 3 of its text" in found.message


def test_inputs_that_come_and_go_are_metadata() -> None:
    more = SPEC.replace("input loud", "input shell : text @session\ninput loud")
    more = more.replace("Remember {{ cwd }}", "Remember {{ cwd }} and {{ shell }}")
    assert "INPUT_ADDED" in {b.rule.id for b in judged(SPEC, more).breaks}
    gone = [b for b in judged(more, SPEC).breaks if b.rule.id == "INPUT_REMOVED"]
    assert [(b.section, b.category) for b in gone] == [("shell", "metadata")]


def test_a_prompt_that_is_gone_is_a_break_of_its_widest_prefix() -> None:
    one, two = manifest_of(SPEC), manifest_of(SPEC.replace("prompt agent", "prompt other"))
    report = judge({"agent": one, "other": two}, {"agent": one}, "old", "session")
    assert said(report.breaks) == [("PROMPT_REMOVED", "global", "", "")]
    assert judge({"agent": one}, {"agent": one, "other": two}, "old", "session").added == ("other",)


def test_another_target_breaks_everything_at_once() -> None:
    old, new = manifest_of(SPEC), manifest_of(SPEC)
    moved = new.model_copy(update={"target": "bedrock", "wire": "bedrock_converse"})
    assert said(judge({"agent": old}, {"agent": moved}, "old", "session").breaks)[0] == (
        "TARGET_CHANGED",
        "global",
        "",
        "",
    )


def test_a_manifest_that_does_not_name_its_scopes_is_judged_by_the_classes_of_its_sections() -> None:
    def stripped(text: str) -> Manifest:
        return manifest_of(text).model_copy(update={"scopes": ()})

    report = judge(
        {"agent": stripped(SPEC)}, {"agent": stripped(SPEC.replace("The shop", "Our shop"))}, "old", "session"
    )
    assert said(report.breaks) == [("ORG_PREFIX_CHANGED", "org", "shop", "shop")]


def test_more_variants_than_a_manifest_lists_are_judged_at_once() -> None:
    flags = "".join(f"input f{i} : bool @static\n" for i in range(7))
    gated = "".join(f'      section s{i} @static when f{i} "{i}"\n' for i in range(7))
    big = SPEC.replace("input loud", f"{flags}input loud").replace("      section tone", f"{gated}      section tone")
    assert manifest_of(big).variants.listed == ()
    report = judged(big, big.replace("Be brief.", "Be very brief."))
    assert said(report.breaks) == [("GLOBAL_PREFIX_CHANGED", "global", "global", "tone")]
    assert report.rows[0].before != report.rows[0].after
    assert any("more than a manifest lists" in note for note in report.breaks[0].notes)


def _record(found: Break, **changes: str) -> AcceptedBreak:
    fields = {"prompt": found.prompt, "scope": found.scope, "was": found.was, "now": found.now, "reason": "meant"}
    return AcceptedBreak(**{**fields, **changes})


def test_acceptance_fits_one_step_of_one_scope() -> None:
    edited = SPEC.replace("Be brief.", "Be very brief.")
    found = judged(SPEC, edited).breaks[0]

    def standing(record: AcceptedBreak) -> tuple[str, list[str]]:
        sink = Sink()
        report = judged(SPEC, edited, sink, accepted=[record])
        return report.breaks[0].standing, [d.code for d in sink.sorted()]

    assert standing(_record(found)) == ("accepted", [])
    assert standing(_record(found, scope="")) == ("accepted", [])
    assert standing(_record(found, scope="session")) == ("open", ["PC835"])
    assert standing(_record(found, now="0" * 64)) == ("open", ["PC835"])
    assert standing(_record(found, was="0" * 64)) == ("open", [])
    assert standing(_record(found, prompt="other")) == ("open", ["PC835"])


def test_a_change_of_the_model_can_be_accepted_although_no_byte_differs() -> None:
    edited = SPEC.replace("claude-sonnet-4-5", "claude-opus-4-1")
    found = judged(SPEC, edited).breaks[0]
    assert found.was != found.now
    assert judged(SPEC, edited, accepted=[_record(found)]).breaks[0].standing == "accepted"


def test_an_ignore_is_held_to_prompt_and_section() -> None:
    edited = SPEC.replace("Be brief.", "Be very brief.")

    def standing(**where: str) -> tuple[str, list[str]]:
        sink = Sink()
        ignore = Ignore(**{"rule": "GLOBAL_PREFIX_CHANGED", "reason": "meant", **where})
        report = judged(SPEC, edited, sink, ignores=[ignore])
        return report.breaks[0].standing, [d.code for d in sink.sorted()]

    assert standing() == ("ignored", [])
    assert standing(prompt="agent", section="tone") == ("ignored", [])
    assert standing(section="identity") == ("open", ["PC834"])
    assert standing(prompt="other") == ("open", ["PC834"])
    assert standing(rule="ORG_PREFIX_CHANGED") == ("open", ["PC834"])
    assert standing(rule="GLOBAL_PREFIX_CHANGE") == ("open", ["PC836"])


def test_a_comment_stays_below_the_size_that_a_server_takes() -> None:
    report = judged(SPEC, SPEC.replace("Be brief.", "Be very brief."))
    many = Report(report.against, report.fail_on, report.prompts, (), report.rows, report.breaks * 500)
    text = comment(many, "promptc breaking")
    assert len(text) < 65_536 and "more." in text and text.count("<details>") == text.count("</details>")
