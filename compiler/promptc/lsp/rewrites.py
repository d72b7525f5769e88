"""Rewrites of a spec: move an element behind what it strands, accept a finding, give a condition a name."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from promptc.diagnostics.model import Diagnostic
from promptc.lsp.costs import Cost, costs_of
from promptc.lsp.session import ProjectView
from promptc.lsp.workspace import real_span
from promptc.pipeline import Compilation
from promptc.source import Span
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.dump import dump
from promptc.syntax.elements import Element, body_sources, elements_in

REASON = "say why"
_ELEMENTS = (nodes.SectionDecl, nodes.IncludeItem, nodes.ToolGroup, nodes.ToolDecl)
_HOLDERS = (nodes.PromptDecl, nodes.Lane, nodes.Block, nodes.Edit, *_ELEMENTS)


@dataclass(frozen=True, slots=True)
class TextChange:
    """A rewrite: what it does, and replacements of spans in the texts themselves, which do not overlap."""

    title: str
    edits: tuple[tuple[Span, str], ...]


# -- move behind -----------------------------------------------------------------------------------


def move_behind(view: ProjectView, diagnostic: Diagnostic) -> TextChange | None:
    """Move the element of a fall behind the last one that it strands, into a block that may hold it.

    None where that is more than moving whole lines of one DSL file.
    """
    assert diagnostic.primary is not None, "a fall stands somewhere"
    high_at = diagnostic.primary.span
    if not high_at.path.endswith(".promptc"):
        return None
    for compilation in view.compilations(high_at.path):
        for costs in costs_of(compilation):
            rows = {real_span(c.element.at, compilation.sources): c for c in costs.elements}
            high = rows.get(high_at)
            if high is not None:
                return _moved(view, compilation, high, tuple(costs.elements))
    return None


def _moved(view: ProjectView, compilation: Compilation, high: Cost, costs: tuple[Cost, ...]) -> TextChange | None:
    chain = compilation.facts.symbols.chain
    behind = [c for c in costs if c.index > high.index and c.element.lane == high.element.lane]
    stranded = [c for c in behind if chain.is_above(high.element.cls, c.element.cls)]
    if not stranded:
        return None
    last = stranded[-1]
    item = _item_at(compilation, high.element.at)
    after = _item_at(compilation, last.element.at)
    if item is None or after is None:
        return None
    goal: ex.Node = after
    holder = _block_of(compilation, after)
    title = f"move `{high.element.name}` behind `{last.element.name}`"
    if holder is not None and not _holds(compilation, holder, high.element.cls):
        # A text above the scope of a block stands behind it, and is cached by the next that may hold it.
        goal = holder
    source, target = (real_span(node.span, compilation.sources) for node in (item, goal))
    if source.path != target.path:
        return None
    lines = _whole_lines(view.text(source.path), source)
    rest = _whole_lines(view.text(target.path), target)
    if lines is None or rest is None:
        return None
    text = view.text(source.path)
    indent = _indent(text, target.start)
    moved = _indented(text[lines.start : lines.end], _indent(text, source.start), indent)
    return TextChange(title, ((lines, ""), (Span(source.path, rest.end, rest.end), moved)))


def _item_at(compilation: Compilation, at: Span) -> Element | None:
    """The item of a prompt whose name stands at a span; the item of an edit is none, since it has no lane there."""
    for prompt in compilation.facts.symbols.prompts.values():
        lanes = (item for item in prompt.items if isinstance(item, nodes.Lane))
        found = next((e for e in elements_in(lanes) if e.name.span == at), None)
        if found is not None:
            return found
    return None


def _block_of(compilation: Compilation, item: ex.Node) -> nodes.Block | None:
    for prompt in compilation.facts.symbols.prompts.values():
        for lane in prompt.items:
            for block in lane.items if isinstance(lane, nodes.Lane) else ():
                if isinstance(block, nodes.Block) and any(i is item for i in block.items):
                    return block
    return None


def _holds(compilation: Compilation, block: nodes.Block, cls: str) -> bool:
    if block.scope is None:
        return True
    symbols = compilation.facts.symbols
    scope = symbols.scopes.get(block.scope.name)
    return (
        scope is None
        or scope.holds.name not in symbols.chain.names
        or not symbols.chain.is_above(cls, scope.holds.name)
    )


def _whole_lines(text: str, span: Span) -> Span | None:
    """The lines of a span, line end included; None where something else stands on them."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    end = end if end >= 0 else len(text)
    if text[start : span.start].strip() or text[span.end : end].strip():
        return None
    return Span(span.path, start, min(end + 1, len(text)))


def _indent(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    return text[start : start + len(text[start:offset]) - len(text[start:offset].lstrip(" \t"))]


def _indented(lines: str, old: str, new: str) -> str:
    """Lines with another indentation; a text in quotes moves with its closing quotes and stays the same."""
    moved = [new + line[len(old) :] if line.startswith(old) and line.strip() else line for line in lines.split("\n")]
    text = "\n".join(moved)
    return text if text.endswith("\n") else text + "\n"


# -- accept ----------------------------------------------------------------------------------------


def suppress(view: ProjectView, diagnostic: Diagnostic) -> TextChange | None:
    """An `allow` clause with room for the reason: on the section that the finding is in, else for the module."""
    assert diagnostic.primary is not None, "only findings with a place are offered"
    at = diagnostic.primary.span
    compilation = next(iter(view.compilations(at.path)), None)
    if compilation is None:
        return None
    title = f"accept `{diagnostic.code}` here, with a reason"
    section = _section_around(compilation, at)
    if section is not None:
        place = real_span(section.cls.span if section.cls is not None else section.name.span, compilation.sources)
        if place.path.endswith(".promptc"):
            clause = f' allow {diagnostic.code} "{REASON}"'
            return TextChange(title, ((Span(place.path, place.end, place.end), clause),))
    if at.path.endswith(".promptc"):
        return TextChange(title, (_module_allow(view.text(at.path), compilation, at.path, diagnostic.code),))
    if at.path.endswith((".yaml", ".yml")):
        return TextChange(title, (_yaml_allow(view.text(at.path), at.path, diagnostic.code),))
    return None


def _section_around(compilation: Compilation, at: Span) -> nodes.SectionDecl | None:
    """The section that a place belongs to, in its own text or in the file of its body."""
    for module in compilation.modules:
        for element in elements_in(module.items):
            if isinstance(element, nodes.SectionDecl):
                areas = [real_span(element.span, compilation.sources)]
                bodies = (compilation.facts.bodies.get(source) for source in body_sources((element,)))
                areas += [real_span(body.span, compilation.sources) for body in bodies if body is not None]
                if any(a.path == at.path and a.start <= at.start and at.end <= a.end for a in areas):
                    return element
    return None


def _module_allow(text: str, compilation: Compilation, path: str, code: str) -> tuple[Span, str]:
    place = 0
    for module in compilation.modules:
        if module.path == path:
            heads = [i for i in module.items if isinstance(i, nodes.Language | nodes.Use | nodes.Allow)]
            ends = [real_span(i.span, compilation.sources).end for i in heads]
            if ends:
                line_end = text.find("\n", max(ends))
                place = line_end + 1 if line_end >= 0 else len(text)
    clause = f'allow {code} "{REASON}"\n'
    return Span(path, place, place), clause if place == 0 or text[place - 1] == "\n" else "\n" + clause


def _yaml_allow(text: str, path: str, code: str) -> tuple[Span, str]:
    entry = f"  - code: {code}\n    because: {REASON}\n"
    found = re.search(r"^allow:[ \t]*\n", text, re.MULTILINE)
    if found is not None:
        return Span(path, found.end(), found.end()), entry
    end = "" if not text or text.endswith("\n") else "\n"
    return Span(path, len(text), len(text)), f"{end}allow:\n{entry}"


# -- extract a gate --------------------------------------------------------------------------------


def extract_gate(view: ProjectView, path: str, offset: int) -> TextChange | None:
    """Give the condition at a place a name; the same condition elsewhere in the file takes it too."""
    if not path.endswith(".promptc"):
        return None
    for compilation in view.compilations(path):
        for module in compilation.modules:
            if module.path != path:
                continue
            for item in module.items:
                for owner, condition in _conditions(item):
                    span = real_span(condition.span, compilation.sources)
                    if span.start <= offset <= span.end and not isinstance(condition, ex.Name):
                        return _extracted(view, compilation, module, owner, condition)
    return None


def _extracted(
    view: ProjectView, compilation: Compilation, module: nodes.Module, owner: str, condition: ex.Expr
) -> TextChange:
    taken = {*compilation.facts.symbols.values, *compilation.facts.locals.values()}
    name = f"{owner}_on"
    number = 2
    while name in taken:
        name = f"{owner}_on_{number}"
        number += 1
    wanted = dump(condition)
    alike = [
        (item, real_span(found.span, compilation.sources))
        for item in module.items
        for _, found in _conditions(item)
        if dump(found) == wanted
    ]
    text = view.text(module.path)
    span = real_span(condition.span, compilation.sources)
    first = min(real_span(item.span, compilation.sources).start for item, _ in alike)
    line = text.rfind("\n", 0, first) + 1
    declared = f"gate {name} = {' '.join(text[span.start : span.end].split())}\n\n"
    edits = [(Span(module.path, line, line), declared), *((place, name) for _, place in alike)]
    return TextChange(f"extract the gate `{name}`", tuple(edits))


def _conditions(node: ex.Node, owner: str = "") -> Iterator[tuple[str, ex.Expr]]:
    """The gates of elements below a node, with the name of the element."""
    if isinstance(node, _ELEMENTS):
        owner = node.name.name
        if node.when is not None:
            yield owner, node.when
    for part in fields(node):
        value = getattr(node, part.name)
        children: Iterable[object] = value if isinstance(value, tuple) else (value,)
        for child in children:
            if isinstance(child, _HOLDERS):
                yield from _conditions(child, owner)
