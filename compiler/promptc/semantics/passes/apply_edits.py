"""Apply the edits of an extending prompt to the items that it inherits."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.syntax import nodes

ItemT = TypeVar("ItemT", bound=nodes.LaneItem)


def apply_edits(
    items: Sequence[nodes.PromptItem], edits: Iterable[nodes.Edit], base: str, sink: Sink
) -> tuple[nodes.PromptItem, ...]:
    """Return the items with every edit applied, in order.

    Diagnostics:
        PC214 for an edit whose target is not there, PC217 for an item that cannot stand where it is put.
    """
    current = tuple(items)
    for edit in edits:
        names = [n for lane in current if isinstance(lane, nodes.Lane) for n in _names(lane.items)]
        if edit.target.name not in names:
            near = suggest(edit.target.name, names)
            sink.report(
                Diagnostic(
                    "PC214",
                    f"`{base}` has no element `{edit.target.name}`",
                    Label(edit.target.span),
                    help=f"did you mean `{near}`?" if near else None,
                )
            )
            continue
        current = tuple(replace(i, items=_edited(i.items, edit)) if isinstance(i, nodes.Lane) else i for i in current)
    return current


def _name_of(item: nodes.LaneItem) -> str | None:
    if isinstance(item, nodes.SectionDecl | nodes.IncludeItem | nodes.ToolGroup | nodes.ToolDecl):
        return item.name.name
    return None


def _names(items: Iterable[nodes.LaneItem]) -> list[str]:
    out: list[str] = []
    for item in items:
        if isinstance(item, nodes.Block):
            out.extend(_names(item.items))
        elif (name := _name_of(item)) is not None:
            out.append(name)
    return out


def _edited(items: tuple[nodes.LaneItem, ...], edit: nodes.Edit) -> tuple[nodes.LaneItem, ...]:
    out: list[nodes.LaneItem] = []
    for item in items:
        if isinstance(item, nodes.Block):
            inner = _edit_list(item.items, edit, _section_only)
            out.append(replace(item, items=inner))
        else:
            out.extend(_edit_list((item,), edit, _any_item))
    return tuple(out)


def _section_only(item: nodes.LaneItem | None) -> nodes.LaneSection | None:
    return item if isinstance(item, nodes.SectionDecl | nodes.IncludeItem) else None


def _any_item(item: nodes.LaneItem | None) -> nodes.LaneItem | None:
    return item


def _edit_list(
    items: Iterable[ItemT], edit: nodes.Edit, accept: Callable[[nodes.LaneItem | None], ItemT | None]
) -> tuple[ItemT, ...]:
    out: list[ItemT] = []
    new = accept(edit.item)
    for item in items:
        if _name_of(item) != edit.target.name:
            out.append(item)
            continue
        if edit.kind == "before" and new is not None:
            out.append(new)
        if edit.kind in ("before", "after"):
            out.append(item)
        if edit.kind in ("after", "replace") and new is not None:
            out.append(new)
    return tuple(out)
