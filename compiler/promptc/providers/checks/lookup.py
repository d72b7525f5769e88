"""Whether markers will be looked up, and whether the server's own edits spare the prefix."""

from collections.abc import Iterator, Mapping

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.wire.view import as_list, as_mapping


def outside_lookup_set(context: Context) -> Iterator[Diagnostic]:
    """Markers between the first and the latest that the provider looks up."""
    first, last = context.provider.cache.first_markers, context.provider.cache.last_markers
    marks = context.view.marks
    if first is None or last is None or len(marks) <= first.value + last.value:
        return
    unread = marks[first.value : len(marks) - last.value]
    yield finding(
        "PC624",
        f"{len(unread)} markers, this one first, are not looked up: only the first {first.value} "
        f"and the latest {last.value} are",
        unread[0].pointer,
        notes=(f"these numbers are {last.certainty} ({last.source}, {last.dated})",),
        help="keep the markers that later requests will share, and drop the others",
    )


def explicit_without_marker(context: Context) -> Iterator[Diagnostic]:
    """Caching is set to explicit, and nothing is marked."""
    name = context.provider.feature("options_field")
    options = as_mapping(context.view.body.get(name)) if name else {}
    supported = context.provider.feature("options_supported")
    if supported and options.get("mode") == "explicit" and not context.view.marks:
        yield finding(
            "PC625",
            "caching is set to `explicit` and no block is marked, so nothing is cached",
            f"/{name}/mode",
            help="mark the end of the shared prefix, or leave the mode out",
        )


def editing_without_floor(context: Context) -> Iterator[Diagnostic]:
    """Clearing of old results that may break the prefix for a few tokens at a time."""
    editing = context.provider.feature("editing_types") or ()
    for index, edit in enumerate(as_list(as_mapping(context.view.body.get("context_management")).get("edits"))):
        kind = as_mapping(edit).get("type")
        if kind in editing and "tool_uses" in str(kind) and as_mapping(edit).get("clear_at_least") is None:
            yield finding(
                "PC627",
                "old results are cleared as soon as there are any, and each time the prefix is lost from there on",
                f"/context_management/edits/{index}",
                help="set `clear_at_least`, so that what is cleared is worth the new write",
            )


def compaction_without_system_marker(context: Context) -> Iterator[Diagnostic]:
    """Compaction rewrites the messages; only a marker of its own keeps the system text."""
    kinds = context.provider.feature("compaction_types") or ()
    body = context.view.body
    if not kinds:
        return
    pointer = "/compaction" if isinstance(body.get("compaction"), Mapping) else None
    for index, edit in enumerate(as_list(as_mapping(body.get("context_management")).get("edits"))):
        if as_mapping(edit).get("type") in kinds:
            pointer = f"/context_management/edits/{index}"
    marked = any(mark.lane in ("tools", "system") for mark in context.view.marks)
    if pointer is not None and not marked and (context.view.marks or context.view.request_mark):
        yield finding(
            "PC628",
            "compaction will rewrite the messages, and no marker ends the part before them",
            pointer,
            help="mark the last system block too",
        )


RULES: tuple[Rule, ...] = (
    outside_lookup_set,
    explicit_without_marker,
    editing_without_floor,
    compaction_without_system_marker,
)
