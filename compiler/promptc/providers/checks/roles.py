"""Who may speak when: the first turn, the last turn, system text among the messages."""

from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, dotted, finding
from promptc.providers.model import model_matches
from promptc.providers.wire.view import Turn


def opens_with_user(context: Context) -> Iterator[Diagnostic]:
    """The conversation must begin with the user."""
    turns = context.view.turns
    if context.provider.feature("opens_with_user") and turns and turns[0].role == "assistant":
        yield finding(
            "PC668",
            "the conversation opens with the assistant, and the first turn must be the user's",
            turns[0].pointer,
            notes=context.refusal("history-must-open-with-user"),
            help="keep the first user turn when cutting, or put one with fixed text in its place",
        )


def prefill_ends_bare(context: Context) -> Iterator[Diagnostic]:
    """The beginning of an answer must not end in white space."""
    turns = context.view.turns
    if not context.provider.feature("final_text_trimmed") or not turns or turns[-1].role != "assistant":
        return
    last = turns[-1].blocks[-1] if turns[-1].blocks else None
    if last is not None and last.kind == "text" and last.text and last.text != last.text.rstrip() and last.text.strip():
        yield finding(
            "PC669",
            "the beginning of the answer ends in white space",
            last.text_pointer,
            notes=context.refusal("final-assistant-trailing-space"),
            help="trim it",
        )


def system_turns(context: Context) -> Iterator[Diagnostic]:
    """Turns with system authority among the messages: whether they may be there, and where."""
    rules = context.provider.system_role
    turns = context.view.turns
    leading = True
    for index, turn in enumerate(turns):
        if turn.role not in rules.roles:
            leading = False
            continue
        allowed = rules.in_messages.value
        if allowed == "never" or (allowed == "leading" and not leading):
            yield _unsupported(context, turn, f"{context.provider.title} takes it in `{rules.field}` only")
        elif allowed == "mid":
            if rules.models is not None and not model_matches(context.model, rules.models.value):
                yield _unsupported(context, turn, f"`{context.model}` does not take it")
            else:
                problem = _misplaced(turns, index, rules.roles)
                if problem is not None:
                    yield _placement(context, turn, problem)
        elif not leading and rules.refusing_models and model_matches(context.model, rules.refusing_models.value):
            fact = rules.refusing_models
            yield _unsupported(
                context,
                turn,
                f"the chat template of `{context.model}` takes one only in front ({fact.certainty}, {fact.dated})",
            )


def _misplaced(turns: tuple[Turn, ...], index: int, roles: tuple[str, ...]) -> str | None:
    before = next((turn for turn in reversed(turns[:index]) if turn.role not in roles), None)
    after = next((turn for turn in turns[index + 1 :] if turn.role not in roles), None)
    if before is None:
        return "it stands first"
    if before.calls:
        return "it stands between a call and its result"
    served = bool(before.blocks) and before.blocks[-1].kind.endswith("_tool_result")
    if before.role != "user" and not served:
        return "it does not follow a user turn"
    if after is not None and after.role != "assistant":
        return f"it is followed by a `{after.role}` turn"
    return None


def _unsupported(context: Context, turn: Turn, why: str) -> Diagnostic:
    return finding(
        "PC671",
        f"a `{turn.role}` turn stands among the messages, where this target does not take one",
        turn.pointer,
        notes=(why, *context.refusal("mid-system-unsupported")),
        help="send the text in an envelope inside the next user turn",
    )


def _placement(context: Context, turn: Turn, problem: str) -> Diagnostic:
    return finding(
        "PC672",
        f"this `{turn.role}` turn is misplaced: {problem}",
        turn.pointer,
        notes=(
            "it must follow a user turn, and be last or followed by the assistant",
            *context.refusal("mid-system-placement", path=dotted(turn.pointer)),
        ),
        help="move it behind the user turn, or into the system field",
    )


RULES: tuple[Rule, ...] = (opens_with_user, prefill_ends_bare, system_turns)
