"""Reasoning that must come back as it was, and reasoning that the server strips."""

from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.model import model_matches
from promptc.providers.wire.view import as_mapping


def dropped(context: Context) -> Iterator[Diagnostic]:
    """Some assistant turns bring their reasoning back and others do not."""
    name = context.provider.feature("resend_reasoning")
    if name is None:
        return
    spoken = [turn for turn in context.view.turns if turn.role == "assistant"]
    without = [turn for turn in spoken if as_mapping(turn.raw).get(name) is None]
    if without and len(without) < len(spoken):
        yield finding(
            "PC641",
            f"this turn comes without the `{name}` that others have",
            without[0].pointer,
            notes=("the prefix that the server stored has it",),
            help="send every answer back whole",
        )


def stripped(context: Context) -> Iterator[Diagnostic]:
    """Plain user text behind thinking, for models that keep only the last turn's."""
    models = context.provider.feature("last_turn_thinking_models")
    if models is None or not model_matches(context.model, models):
        return
    if not context.view.marks and context.view.request_mark is None:
        return
    thinking: str | None = None
    for turn in context.view.turns:
        for block in turn.blocks:
            if block.kind in ("thinking", "redacted_thinking"):
                thinking = thinking or block.pointer
            elif turn.role == "user" and block.kind != "tool_result" and thinking is not None:
                yield finding(
                    "PC629",
                    f"`{context.model}` drops this thinking, since plain user text follows it",
                    thinking,
                    notes=(f"the text is at `{block.pointer}`", "from here on the stored prefix no longer fits"),
                    help="send reminders inside the last result while a chain of calls is open",
                )
                return


RULES: tuple[Rule, ...] = (dropped, stripped)
