"""Tool definitions: what is deferred, and what can load it."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.frames import is_deferred
from promptc.providers.wire.view import Block, as_mapping

_LOADER = re.compile(r"\b(search|load|find|discover|activate)\w*\b.{0,40}\b(tool|capabilit|skill|function)")


def marker_on_deferred(context: Context) -> Iterator[Diagnostic]:
    """A marker on a tool that is no part of the prefix."""
    for tool in context.view.tools:
        if tool.mark is not None and is_deferred(context.provider, tool):
            name = as_mapping(tool.raw).get("name", "")
            yield finding(
                "PC610",
                f"the marked tool `{name}` is deferred, so it is no part of the prefix",
                tool.pointer,
                notes=context.refusal("breakpoint-on-deferred-tool", name=name),
                help="mark the last tool that is loaded",
            )


def deferred_without_search(context: Context) -> Iterator[Diagnostic]:
    """Deferred tools that nothing in the request can load."""
    rules = context.provider.deferred_tools
    if rules is None:
        return
    deferred = [tool for tool in context.view.tools if is_deferred(context.provider, tool)]
    patterns = rules.search_types.value
    searchable = any(fnmatchcase(tool.kind, pattern) for tool in context.view.tools for pattern in patterns)
    # A search of the application's own answers with references; before the first answer only its name tells.
    if not deferred or searchable or _has_references(context) or any(map(_may_load, context.view.tools)):
        return
    yield finding(
        "PC673",
        f"the tool `{as_mapping(deferred[0].raw).get('name', '')}` is deferred, and no tool here can load it",
        deferred[0].pointer,
        notes=context.refusal("deferred-without-search-tool"),
        help="add the search tool, or load the tool from the start",
    )


def _may_load(tool: Block) -> bool:
    raw = as_mapping(tool.raw)
    said = f"{raw.get('name', '')} {raw.get('description', '')}".replace("_", " ").lower()
    return raw.get("defer_loading") is not True and _LOADER.search(said) is not None


def _has_references(context: Context) -> bool:
    def holds(raw: object) -> bool:
        if isinstance(raw, dict):
            return raw.get("type") in ("tool_reference", "tool_addition") or any(holds(v) for v in raw.values())
        return isinstance(raw, list) and any(holds(item) for item in raw)

    return any(holds(turn.raw) for turn in context.view.turns)


RULES: tuple[Rule, ...] = (marker_on_deferred, deferred_without_search)
