"""The coding agent: clean, planned as it says, and the bytes of its requests for every construct.

Every request is rendered twice, by the reference interpreter and by the emitted assembler, and both are equal.
"""

import pytest

from promptc.planning.model import BlockPlan
from promptc.runtime.errors import InputError
from support.specs import Prompt, Rendered, compile_spec

SPEC = "coding_agent/agent.promptc"


TOOL = {"name": "notes_find", "server": "notes", "description": "Find notes.", "input_schema": {"type": "object"}}


def shared_blocks(prompt: Prompt) -> list[BlockPlan]:
    """The cached blocks of a plan."""
    return [b for b in prompt.compilation.plans[prompt.name].blocks if b.scope is not None]


# -- the plan ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [SPEC, "coding_agent/sections.promptc", "coding_agent/types.promptc"])
def test_the_spec_is_clean(path: str) -> None:
    """There is neither an error nor a warning nor a hint."""
    compilation = compile_spec(path)
    assert [(d.code, d.message) for d in compilation.diagnostics] == []
    assert not compilation.failed


def test_the_spec_is_of_real_size(agent: Prompt) -> None:
    """The text that all requests share is that of a real agent."""
    text = agent.render("interactive").system[1]
    assert 15_000 < len(text.encode()) < 25_000
    assert sum(line.startswith("# ") for line in text.splitlines()) >= 15


def test_the_static_block_is_global_and_falls_back_to_a_session(agent: Prompt) -> None:
    """covers: A-03. Global mode without connected tools, tool mode with them; the compiler derives which."""
    static, session = shared_blocks(agent)
    assert (static.scope, static.ttl) == ("global", 3600)
    assert (static.fallback, static.fallback_ttl) == ("session", 300)
    assert [c.name for c in static.culprits] == ["connected"]
    assert not static.always
    assert (session.scope, session.fallback, session.ttl) == ("session", None, 300)


def test_on_a_third_party_platform_the_static_block_is_shared_by_an_organisation(third_party: Prompt) -> None:
    """covers: A-03. Default mode: the header is uncached, and nothing is shared beyond the organisation."""
    header, static, session = third_party.compilation.plans["coding_agent_third_party"].blocks
    assert header.scope is None
    assert (static.scope, static.fallback, session.scope) == ("org", "session", "session")
    assert third_party.compilation.plans["coding_agent_third_party"].target == "vertex-claude"


def test_the_number_of_shared_prefixes_is_known(agent: Prompt, third_party: Prompt) -> None:
    """covers: A-10. Counted by hand.

    Three pairs of (provider is first party, web access), three of (small model, sub-agents). A person chooses between
    four texts (two styles, one that drops the coding sections, none of these), a program between two: 6. With the
    preset replaced, tools (3 pairs of first party and web, times sub-agents) and headers (a person or a program) are
    left: 12. On the third party's platform the header does not tell providers apart, so 2 x 3 x 6 + 2 x 2 x 2.
    """
    assert shared_blocks(agent)[0].variants == 3 * 3 * 6 + 3 * 2 * 2
    assert shared_blocks(third_party)[0].variants == 2 * 3 * 6 + 2 * 2 * 2


# -- the system lane -----------------------------------------------------------------------------


def test_the_header_stands_in_a_block_of_its_own_without_a_marker(agent: Prompt) -> None:
    """covers: A-04. Attribution and client prefix; the prefix says who started the client."""
    person, program = agent.render("interactive"), agent.render("headless")
    assert person.system[0] == ("tiller/1; mode=tty\n\nThis is the Tiller command line client, started by a person.")
    assert program.system[0] == ("tiller/1; mode=pipe\n\nThis is the Tiller command line client, started by a program.")
    assert person.markers[0] is None
    assert program.markers[0] is None


def test_the_attribution_is_sent_to_the_first_party_only(agent: Prompt, third_party: Prompt) -> None:
    """covers: A-03, A-04."""
    alone = "This is the Tiller command line client, started by a person."
    assert agent.render("interactive", provider="bedrock").system[0] == alone
    assert third_party.render("third_party").system[0] == alone


def test_the_markers_follow_the_scopes(agent: Prompt) -> None:
    """covers: A-02, A-03. One hour where everybody shares, five minutes where connected tools stand in front."""
    hour, minutes = {"type": "ephemeral", "ttl": "1h"}, {"type": "ephemeral", "ttl": "5m"}
    assert agent.render("interactive").markers == [None, hour, minutes]
    assert agent.render("interactive", connected_tools=[TOOL]).markers == [None, minutes, minutes]
    assert agent.render("connected").markers == [None, minutes, minutes]


def test_the_shared_text_is_the_same_for_all_sessions(agent: Prompt) -> None:
    """covers: A-01, A-02. What differs between two sessions stands behind the boundary."""
    one = agent.render("interactive")
    other = agent.render("interactive", cwd="/elsewhere", today="2027-01-01", language_name="French", repository=None)
    assert one.system[:2] == other.system[:2]
    assert one.request["tools"] == other.request["tools"]
    assert one.system[2] != other.system[2]


def test_a_section_that_is_off_leaves_no_residue(agent: Prompt) -> None:
    """covers: A-01. Without sub-agents the text is the same but for that section and one separator."""
    whole, without = agent.render("interactive"), agent.render("interactive", subagents=False)
    section = whole.texts["delegation"]
    assert whole.system[1].count(section + "\n\n") == 1
    assert without.system[1] == whole.system[1].replace(section + "\n\n", "")
    assert "delegation" not in without.texts


@pytest.mark.parametrize(
    "sample",
    ["interactive", "headless", "connected", "learning_style", "custom_style", "override", "excluded"],
)
def test_no_seam_is_wider_than_one_blank_line(agent: Prompt, sample: str) -> None:
    """covers: A-01."""
    rendered = agent.render(sample)
    user = [text for at, _ in enumerate(rendered.request["messages"]) for text in rendered.message(at)]
    for text in [*rendered.system, *user]:
        assert "\n\n\n" not in text
        assert text == text.strip("\n")


def test_a_person_and_a_program_get_different_rules(agent: Prompt) -> None:
    """covers: A-01. Exactly one of the two sections is there."""
    person, program = agent.render("interactive"), agent.render("headless")
    assert "interactive_rules" in person.texts and "headless_rules" not in person.texts
    assert "headless_rules" in program.texts and "interactive_rules" not in program.texts


def test_the_model_and_the_features_decide_about_sections(agent: Prompt) -> None:
    """covers: A-01. Model family and feature flags."""
    rendered = agent.render("learning_style")
    assert rendered.request["model"] == "claude-haiku-5-5"
    assert {"careful", "web", "learning"} <= set(rendered.texts)
    assert not {"delegation", "explanatory"} & set(rendered.texts)
    assert not {"careful", "web", "learning"} & set(agent.render("interactive").texts)


def test_a_style_may_drop_the_coding_sections(agent: Prompt) -> None:
    """covers: A-10. The text of the style is bound in the session; only its switch is in the shared block."""
    coding = {"tasks", "conventions", "verification"}
    dropped = agent.render("custom_style")
    assert not coding & set(dropped.texts)
    assert dropped.system[2].startswith("# Style\n\nYou review texts, not code.")
    kept = agent.render("custom_style", custom_style_codes=True)
    assert coding < set(kept.texts)
    assert kept.system[1] == agent.render("interactive").system[1]


def test_the_language_of_answers_is_told_to_this_user_only(agent: Prompt) -> None:
    """covers: A-01."""
    assert agent.render("connected").system[2].startswith("# Language\n\nAnswer in German. ")
    assert "# Language" not in agent.render("interactive").system[2]


def test_the_preset_can_be_replaced(agent: Prompt) -> None:
    """covers: A-05. No section of the preset is left; the added text and the system context still come."""
    rendered = agent.render("override")
    assert len(rendered.system) == 2
    assert rendered.system[1] == (
        "You rename files. Propose names, and rename after a yes.\n\n"
        "Names are in lower case.\n\n"
        "# Repository at the start of this session\n\nBranch: main\nMain branch: main\n\nStatus:\n(clean)"
    )
    assert rendered.markers == [None, {"type": "ephemeral", "ttl": "5m"}]


def test_moving_the_dynamic_sections_is_ignored_where_the_preset_was_replaced(agent: Prompt) -> None:
    """covers: A-05."""
    assert agent.render("override").body == agent.render("override", exclude_dynamic=False).body


def test_a_text_can_be_added_to_the_preset(agent: Prompt) -> None:
    """covers: A-05. It stands behind the preset and in front of the system context; nothing else changes."""
    plain = agent.render("interactive")
    added = agent.render("interactive", system_append="Speak of modules, not of files.")
    assert added.system[:2] == plain.system[:2]
    snapshot = plain.texts["git_snapshot"]
    assert added.system[2] == plain.system[2].replace(snapshot, f"Speak of modules, not of files.\n\n{snapshot}")


def test_excluded_dynamic_sections_move_to_the_first_user_message(agent: Prompt) -> None:
    """covers: A-05, A-06. They are moved, not deleted, and the system context goes with them."""
    here, moved = agent.render("excluded", exclude_dynamic=False), agent.render("excluded")
    names = ["environment", "scratch", "git_snapshot"]
    texts = [here.texts[name] for name in names]
    assert here.system[2] == "\n\n".join([texts[0], texts[1], here.texts["append"], texts[2]])
    assert moved.system[2] == here.texts["append"]
    assert moved.message(0)[0] == (
        "<system-reminder>\n" + "\n\n".join([*texts, moved.texts["date"]]) + "\n</system-reminder>"
    )
    assert here.message(0)[0] == f"<system-reminder>\n{here.texts['date']}\n</system-reminder>"
    # Two machines now have the same system text.
    assert agent.render("excluded", cwd="/builds/8/checkout").system == moved.system


# -- user and system context ---------------------------------------------------------------------


def note(level: str, path: str, content: str) -> dict[str, str]:
    return {"level": level, "path": path, "content": content}


def test_memory_files_are_joined_by_level(agent: Prompt) -> None:
    """covers: A-06, A-07. User, project, hidden, directory; within a level as the host passes them."""
    files = [
        note("directory", "api/TILLER.md", "d"),
        note("hidden", "TILLER.local.md", "h"),
        note("project", "TILLER.md", "p1"),
        note("user", "~/TILLER.md", "u"),
        note("project", "docs/TILLER.md", "p2"),
    ]
    rendered = agent.render("interactive", memory=files)
    order = ["u", "p1", "p2", "h", "d"]
    places = [rendered.message(0)[0].index(f"\n{content}\n</note>") for content in order]
    assert places == sorted(places)
    assert '<note level="hidden" path="TILLER.local.md">\nh\n</note>' in rendered.message(0)[0]
    assert all("</note>" not in text for text in rendered.system)


def test_the_date_is_a_day(agent: Prompt) -> None:
    """covers: A-06. A time of day does not fit, so no request can differ by the second."""
    assert (
        agent.render("interactive")
        .message(0)[0]
        .endswith("\n\nDate at the start of this session: 2026-03-14\n</system-reminder>")
    )
    with pytest.raises(InputError, match="today"):
        agent.render("interactive", today="2026-03-14T09:30")


def test_the_repository_is_described_at_the_end_of_the_system_lane(agent: Prompt) -> None:
    """covers: A-06, A-08."""
    assert (
        agent.render("interactive")
        .system[2]
        .endswith(
            "\n\n# Repository at the start of this session\n\n"
            "Branch: fix/rounding\nMain branch: main\nUser: Ada Okafor\n\n"
            "Last commits:\n9c1d2e7 Round totals once, at the end\n41fa003 Add the test that fails\n\n"
            "Status:\n M shop/totals.py"
        )
    )


def test_the_status_is_cut_at_2_000_characters(agent: Prompt) -> None:
    """covers: A-08. With a marker; one of exactly that length is whole."""
    marker = "\n(cut here: the status is longer than 2,000 characters)"
    assert agent.render("interactive", git_status="é" * 2000).system[2].endswith("Status:\n" + "é" * 2000)
    cut = agent.render("interactive", git_status="é" * 2001)
    assert cut.system[2].endswith("Status:\n" + "é" * 2000 + marker)


def test_five_commits_are_shown(agent: Prompt) -> None:
    """covers: A-08."""
    commits = [{"id": f"c{n}", "subject": f"Change {n}"} for n in range(7)]
    text = agent.render("interactive", repository={"branch": "b", "main_branch": "m", "commits": commits}).system[2]
    assert "Last commits:\nc0 Change 0\nc1 Change 1\nc2 Change 2\nc3 Change 3\nc4 Change 4\n\nStatus:" in text


def test_a_repository_that_cannot_be_asked_leaves_nothing(agent: Prompt) -> None:
    """covers: A-08. A failure is an empty context, not a failed request."""
    rendered = agent.render("interactive", repository=None, git_status="")
    assert rendered.system[2].endswith(rendered.texts["scratch"])
    assert "git_snapshot" not in rendered.texts


# -- tools ---------------------------------------------------------------------------------------


def names(rendered: Rendered) -> list[str]:
    return [tool["name"] for tool in rendered.request["tools"]]


def test_the_three_sources_of_tools_stand_by_their_stability(agent: Prompt) -> None:
    """covers: B-01, B-04. Built in by name, then the conditional ones, then the connected ones by server and name."""
    built_in = ["edit_file", "read_file", "run_command", "search_text", "task_list", "write_file"]
    assert names(agent.render("interactive")) == [*built_in, "delegate"]
    assert names(agent.render("headless")) == built_in
    assert names(agent.render("learning_style")) == [*built_in, "fetch_page"]
    assert names(agent.render("connected"))[7:9] == ["database_query", "tracker_search"]


def test_the_order_in_which_the_host_passes_tools_does_not_matter(agent: Prompt) -> None:
    """covers: B-01. Neither does the order of keys in a schema."""
    inputs, _ = agent.samples["connected"]
    tools = inputs["connected_tools"]
    assert isinstance(tools, list)
    turned = [dict(reversed(t.items())) for t in reversed(tools)]
    for tool in turned:
        tool["input_schema"] = dict(reversed(tool["input_schema"].items()))
    assert agent.render("connected", connected_tools=turned).body == agent.render("connected").body


def test_deferred_tools_stand_last_and_are_announced_by_name(agent: Prompt) -> None:
    """covers: B-02. The prefix in front of them is the one without them."""
    rendered = agent.render("connected")
    assert [(t["name"], t.get("defer_loading", False)) for t in rendered.request["tools"]][-3:] == [
        ("database_query", False),
        ("tracker_search", False),
        ("tracker_comment", True),
    ]
    inputs, _ = agent.samples["connected"]
    tools = inputs["connected_tools"]
    assert isinstance(tools, list)
    without = agent.render("connected", connected_tools=[t for t in tools if not t.get("deferred")])
    assert rendered.request["tools"][:-1] == without.request["tools"]
    assert (
        "announced by name only. Load a tool's description before you call it:\n- tracker_comment"
        in (rendered.message(2)[1])
    )


def test_a_tool_that_may_not_be_used_stays_listed(agent: Prompt) -> None:
    """covers: B-03. Masked by a reminder at the tail; tools and system keep their bytes."""
    masked, free = agent.render("connected"), agent.render("connected", masked_tools=[])
    assert masked.request["tools"] == free.request["tools"]
    assert masked.request["system"] == free.request["system"]
    assert "Do not call these tools for now, although they are listed: database_query." in masked.message(2)[1]
    assert "database_query" not in free.message(2)[1]


def test_the_instructions_of_connected_servers_are_sorted(agent: Prompt) -> None:
    """covers: A-01, B-04. In the session's block, by name of the server."""
    text = agent.render("connected").system[2]
    assert "## database\nQueries longer than 30 seconds are ended.\n\n## tracker\nSearch before" in text
    servers = [{"name": n, "instructions": n.upper()} for n in ("b", "a")]
    assert "## a\nA\n\n## b\nB" in agent.render("connected", servers=servers).system[2]
    assert "Connected servers" not in agent.render("connected", servers=[]).system[2]
