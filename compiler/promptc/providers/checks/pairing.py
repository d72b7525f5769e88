"""Every call has its result where the API looks for it, and every result its call."""

from collections.abc import Iterator
from itertools import dropwhile, takewhile

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.model import WireFormat
from promptc.providers.wire.view import Result, Turn

# Roles of the turns behind a call that may hold its results; None where results may come anywhere later.
_WINDOW: dict[WireFormat, tuple[str, ...] | None] = {
    "anthropic-messages": ("user", "system"),
    "bedrock-converse": ("user",),
    "bedrock-nova-invoke": ("user",),
    "openai-chat": ("tool",),
    "openai-responses": None,
    "gemini-generate": ("user", "function"),
}
# Formats whose results may do without an id.
_NAMELESS: frozenset[WireFormat] = frozenset({"gemini-generate"})
# Fields that continue a conversation which the server holds: its calls and results are not in the body.
_CONTINUES = ("previous_response_id", "conversation", "thread")


def pairs(context: Context) -> Iterator[Diagnostic]:
    """Calls without results, results without calls, results without an id."""
    if any(context.view.body.get(name) is not None for name in _CONTINUES):
        return
    turns = context.view.turns
    answered: set[str] = set()
    for index, turn in enumerate(turns):
        if not turn.calls:
            continue
        window = _window(context.provider.format, turns, index)
        given = [result for later in window for result in later.results]
        nameless = sum(1 for result in given if result.id is None)
        named = {result.id for result in given}
        for call in turn.calls:
            if call.id is None or call.id in named:
                continue
            if nameless:
                # The result is there and has lost its id: that is one fault, reported at the result.
                nameless -= 1
                continue
            yield finding(
                "PC664",
                f"the call `{call.id}` has no result in the turn behind it",
                call.pointer,
                notes=context.refusal("unanswered-tool-use"),
                help="close it with a result that says that it was interrupted, or drop the call",
            )
        ids = {call.id for call in turn.calls}
        answered.update(result.pointer for result in _first_of_each(window) if result.id in ids)
    for turn in turns:
        for result in turn.results:
            if result.id is None:
                if context.provider.format not in _NAMELESS:
                    yield finding(
                        "PC667",
                        "this result names no call",
                        result.pointer,
                        notes=context.refusal("tool-message-without-id"),
                        help="cut the text inside a result, never the message around it",
                    )
            elif result.pointer not in answered:
                yield finding(
                    "PC665",
                    f"this result answers `{result.id}`, and no open call before it has that id",
                    result.pointer,
                    notes=context.refusal("orphan-tool-result"),
                    help="drop the result together with its call, or keep both",
                )


def _window(format: WireFormat, turns: tuple[Turn, ...], index: int) -> tuple[Turn, ...]:
    roles = _WINDOW[format]
    rest = turns[index + 1 :]
    if roles is None:
        return rest
    if "tool" not in roles:
        # Turns of one role that follow each other are one turn there.
        rest = tuple(dropwhile(lambda turn: turn.role == turns[index].role, rest))
    return tuple(takewhile(lambda turn: turn.role in roles, rest))


def _first_of_each(window: tuple[Turn, ...]) -> Iterator[Result]:
    seen: set[str | None] = set()
    for turn in window:
        for result in turn.results:
            if result.id not in seen:
                seen.add(result.id)
                yield result


def duplicates(context: Context) -> Iterator[Diagnostic]:
    """Two calls with one id: whoever pairs by id loses one of the results."""
    seen: dict[str, str] = {}
    refused = "duplicate-tool-use-id" in context.provider.refusals
    for turn in context.view.turns:
        for call in turn.calls:
            if call.id is None:
                continue
            if call.id in seen:
                yield finding(
                    "PC666",
                    f"the id `{call.id}` was already given to another call",
                    call.id_pointer,
                    notes=(f"the first one is at `{seen[call.id]}`", *context.refusal("duplicate-tool-use-id")),
                    help="number calls by turn and position where the server does not",
                    severity=Severity.ERROR if refused else None,
                )
            seen.setdefault(call.id, call.id_pointer)


RULES: tuple[Rule, ...] = (pairs, duplicates)
