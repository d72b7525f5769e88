"""The effective view of a stored conversation: one pass behind the other, each repair a recorded decision."""

from collections.abc import Mapping

from promptc.runtime.state import Decision
from promptc.runtime.transcript.chain import after_boundary, chosen_chain, spoken
from promptc.runtime.transcript.grouping import Group, grouped, merged, results_in_order
from promptc.runtime.transcript.model import Abilities, Transcript, View
from promptc.runtime.transcript.pairing import paired, without_repeated_calls
from promptc.runtime.transcript.projection import Projection, projected
from promptc.runtime.transcript.stripping import stripped, without_idle_thinking


def effective_view(
    transcript: Transcript,
    settled: Mapping[str, str] | None = None,
    abilities: Abilities | None = None,
    projection: Projection | None = None,
) -> View:
    """What of a conversation counts now, as messages that every provider takes.

    Views of a growing conversation extend each other: what was in one stands unchanged at the head of the next, unless
    the conversation was compacted or records were taken back between them.

    Args:
        settled: The `settled` of the view before.
        abilities: What the model and the provider take; None: everything.
        projection: What is hidden or shown as a summary.

    Raises:
        InputError: The leaf is not in the transcript.
    """
    able = abilities or Abilities()
    decisions: list[Decision] = []
    chain = chosen_chain(transcript, decisions)
    boundary, behind = after_boundary(chain, transcript, decisions)
    shown, hidden = projected(behind, projection or Projection(), decisions)
    groups = grouped(boundary, spoken(shown))
    stripped(groups, able, decisions)
    without_repeated_calls(groups, decisions)
    groups, now = paired(merged(groups), settled or {}, able.missing_result, decisions)
    # Behind the pairing, since an answer that loses its calls may be left with thinking at its end.
    without_idle_thinking(groups, decisions)
    groups = _opened(merged(groups), decisions)
    results_in_order(groups)
    return View(tuple(group.finish() for group in groups), now, boundary, hidden, tuple(decisions))


def _opened(groups: list[Group], decisions: list[Decision]) -> list[Group]:
    """Begin with the user: an answer in front of every question is dropped, and results that lost their call with it."""
    while groups and groups[0].role == "assistant":
        decisions.append(Decision("opening-dropped", "", f"`{groups[0].ids[0]}` answers nothing"))
        groups = groups[1:]
        if groups:
            groups[0].content = [b for b in groups[0].content if b.get("type") != "tool_result"]
            if not groups[0].content:
                groups = groups[1:]
    return groups
