"""The mistakes that the coding agent is protected from: each is made in its real text, in memory."""

import re

from promptc.diagnostics.model import Diagnostic
from promptc.pipeline import Compilation
from support.specs import codes, compile_spec, spec_text, text_at, the_only

AGENT = "coding_agent/agent.promptc"
ENVIRONMENT = "      include environment when in_place\n"
IDENTITY = "      include identity when preset\n"


def edited(path: str, *edits: tuple[str, str]) -> Compilation:
    """Compile with the first occurrence of each old text replaced in one file."""
    text = spec_text(path)
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    return compile_spec(AGENT, {path: text})


def shown(compilation: Compilation, found: Diagnostic) -> list[str]:
    """The texts at all places that a finding names, its primary place first."""
    assert found.primary is not None
    return [text_at(compilation, label.span) for label in (found.primary, *found.secondary)]


def test_the_environment_cannot_stand_before_the_static_text() -> None:
    """covers: A-02. One finding names both sections, the tokens that are stranded, and where to move it."""
    compilation = edited(AGENT, (ENVIRONMENT, ""), (IDENTITY, ENVIRONMENT + IDENTITY))
    found = the_only(compilation, "PC401")
    assert found.message == "section `environment` is `@session` and stands before `identity`, which is `@static`"
    assert shown(compilation, found) == ["environment", "identity"]
    stranded = re.search(r"stranded behind `environment`: about ([\d,]+) tokens", found.notes[0])
    assert stranded is not None
    assert 4_000 < int(stranded[1].replace(",", "")) < 7_000
    assert found.help is not None
    assert found.help.startswith("move `environment` behind `answer_language`")


def test_the_repair_that_is_proposed_repairs_it() -> None:
    behind = "      include answer_language when preset\n"
    compilation = edited(AGENT, (ENVIRONMENT, ""), (behind, behind + ENVIRONMENT))
    assert codes(compilation) == []


def test_a_header_cannot_vary_in_front_of_a_shared_block() -> None:
    """covers: A-04. On a public prefix cache a header is in the key of everything behind it."""
    compilation = edited(
        AGENT, (ENVIRONMENT, ""), ("      include client_prefix\n", "      include client_prefix\n" + ENVIRONMENT)
    )
    found = the_only(compilation, "PC401")
    assert shown(compilation, found) == ["environment", "identity"]


def test_a_static_section_cannot_read_the_working_directory() -> None:
    """covers: A-02. The finding shows the path from the promise to the input, inside the body's own file."""
    path = "coding_agent/text/tone.md"
    text = spec_text(path) + "\n{% for name in ['a', 'b'] %}\n- {{ name }} below {{ cwd }}\n{% endfor %}\n"
    compilation = compile_spec(AGENT, {path: text})
    found = the_only(compilation, "PC402")
    assert found.message == "section `tone` is declared `@static` but depends on `cwd`, which is `@session`"
    assert found.notes == ("the path: `tone` @static -> in a loop -> `cwd` @session",)
    assert found.primary is not None
    assert (found.primary.span.path, text_at(compilation, found.primary.span)) == (path, "cwd")
    assert [label.span.path for label in found.secondary] == [
        "coding_agent/sections.promptc",
        path,
        "coding_agent/types.promptc",
    ]
    assert text_at(compilation, found.secondary[-1].span) == "session"


def test_the_path_goes_through_gates() -> None:
    """The static section reads a gate that reads a session's input; the gate is on the path."""
    path = "coding_agent/sections.promptc"
    compilation = edited(
        path, ('first_party "tiller/{{ release }}', "first_party \"tiller/{{ 'm' if moved else release }}")
    )
    found = the_only(compilation, "PC402")
    assert found.notes == (
        "the path: `attribution` @static -> reads the gate `moved` -> reads the gate `preset` -> `system_override` @session",
    )


def test_a_gate_that_changes_each_turn_cannot_stand_in_the_cached_prefix() -> None:
    """covers: A-10."""
    compilation = edited(AGENT, ("include planning when preset", "include planning when preset and not plan_mode"))
    found = the_only(compilation, "PC501")
    assert found.message == (
        "the gate of `planning` reads `plan_mode`, which is `@turn`, inside the cached block `global`"
    )
    assert shown(compilation, found)[0] == "preset and not plan_mode"
    assert found.help is not None
    assert "`tail`" in found.help


def test_a_turn_gate_is_found_behind_a_name() -> None:
    text = spec_text(AGENT).replace("include planning when preset", "include planning when quiet", 1)
    compilation = compile_spec(AGENT, {AGENT: text + "\ngate quiet = preset and not plan_mode\n"})
    found = the_only(compilation, "PC501")
    assert [label.text for label in found.secondary] == ["reads the gate `quiet`", "`plan_mode` is `@turn`"]


def test_without_a_fallback_the_global_scope_cannot_be_had() -> None:
    """covers: A-03. The finding says what stands in front, why that counts, and what would be had instead."""
    compilation = edited(AGENT, ("cache global fallback session", "cache global"))
    found = the_only(compilation, "PC404")
    assert found.message == "this block cannot have the scope `global`: `@session` bytes stand in front of it"
    assert shown(compilation, found) == ["global", "connected"]
    assert found.notes == (
        "anthropic caches in the order tools -> system -> messages: "
        "whatever stands in front of a block is part of its prefix",
        "while `connected` is there, these bytes are shared only within one `session`",
    )
    assert found.help == "declare what it gets then: `cache global fallback session`"


def test_without_connected_tools_no_fallback_is_needed() -> None:
    """covers: A-03. The need follows from the tools, it is not a rule about the block."""
    text = spec_text(AGENT)
    group = next(line for line in text.splitlines(keepends=True) if "group connected" in line)
    text = text.replace(group, "").replace("fallback session ", "")
    assert "PC404" not in codes(compile_spec(AGENT, {AGENT: text}))


def test_one_more_switch_in_front_of_the_boundary_breaks_the_limit() -> None:
    """covers: A-10. The limit names the switches that cost most, and only those in front of the boundary."""
    compilation = edited(AGENT, ("include tone when preset", "include tone when preset and exclude_dynamic"))
    found = [d for d in compilation.diagnostics if d.code == "PC505"]
    assert [d.message for d in found] == ["`variants(global)` is 120 in prompt `coding_agent`, the limit is 66"]
    assert found[0].secondary[0].text == "`tasks` takes the count from 72 to 120"
    behind = ("answer_language", "append", "git_snapshot", "memory_files")
    assert not any(name in label.text for label in found[0].secondary for name in behind)
    assert codes(compilation) == ["PC505"]
