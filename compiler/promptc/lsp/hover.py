"""What a name is: shown when the pointer rests on it. Text of a spec is hostile and stands in code spans."""

import re

from lsprotocol import types as lsp

from promptc.diagnostics.registry import find_code
from promptc.lsp.costs import Cost, costs_of, inferred
from promptc.lsp.index import Index, Symbol
from promptc.lsp.session import ProjectView
from promptc.lsp.workspace import real_span
from promptc.pipeline import Compilation
from promptc.report.visible import visible
from promptc.semantics.filters import FILTERS
from promptc.source import Span
from promptc.syntax import nodes
from promptc.types import describe

_CODE = re.compile(r"PC\d{3}|[a-z]+(?:-[a-z0-9]+)+")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def hover(view: ProjectView, path: str, offset: int) -> lsp.Hover | None:
    """The hover at a place; None where nothing is known."""
    for compilation in view.compilations(path):
        index = view.index(compilation)
        found = index.at(path, offset)
        if found is not None:
            text = _describe(view, compilation, index, found.symbol, found.span)
            return _hover(view, path, found.span, text)
    return _word(view, path, offset)


def code(text: str) -> str:
    """A code span that no text can leave."""
    text = visible(text).replace("\n", " ")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _hover(view: ProjectView, path: str, span: Span, lines: list[str]) -> lsp.Hover:
    value = "\n\n".join(lines)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, value), view.lines(path).span_range(span))


def _describe(view: ProjectView, compilation: Compilation, index: Index, symbol: Symbol, at: Span) -> list[str]:
    facts = compilation.facts
    node = index.nodes.get(symbol)
    name = code(symbol.name)
    match node:
        case nodes.SectionDecl() | nodes.ToolGroup() | nodes.ToolDecl():
            return _element(compilation, node, at)
        case nodes.InputDecl():
            kind = facts.symbols.input_types.get(symbol.name)
            parts = [f"input {name}"]
            if kind is not None:
                parts.append(f": {code(describe(kind))}")
            if node.cls is not None:
                parts.append(code("@" + node.cls.name))
            lines = [" ".join(parts) + (" untrusted" if node.untrusted else "")]
            uses = len(index.of(symbol)) - 1
            return [*lines, f"used at {uses} {'place' if uses == 1 else 'places'}"]
        case nodes.GateDecl():
            source = compilation.sources.get(node.condition.span.path)
            shown = source.slice(node.condition.span) if source is not None else ""
            return [f"gate {name} = {code(' '.join(shown.split()))}"]
        case nodes.ScopeDecl():
            ttl = f", ttl {node.ttl.seconds} s" if node.ttl is not None else ""
            return [f"scope {name} holds {code('@' + node.holds.name)}{ttl}"]
        case nodes.FieldDecl():
            kind = facts.symbols.field_types.get(symbol.owner, {}).get(symbol.name)
            return [f"field {name} of {code(symbol.owner)}" + (f": {code(describe(kind))}" if kind is not None else "")]
        case nodes.RecordDecl():
            return [f"record {name}", ", ".join(code(f.name.name) for f in node.fields)]
        case nodes.PromptDecl():
            return _prompt(compilation, symbol.name)
        case None if symbol.kind == "class":
            chain = " < ".join(facts.symbols.chain.names)
            return [f"stability class {name}", f"bound in the order {code(chain)}"]
        case _:
            return [f"{symbol.kind} {name}"]


def _prompt(compilation: Compilation, name: str) -> list[str]:
    lines = [f"prompt {code(name)}"]
    for costs in costs_of(compilation):
        if costs.plan.layout.prompt.name.name == name:
            size = sum(c.size.bytes for c in costs.elements)
            tokens = sum(c.size.tokens for c in costs.elements)
            lines.append(f"{size:,} bytes, about {tokens:,} tokens in front of the conversation, literal text alone")
            lines.append(f"{_count(costs.plan.variants, 'variant')}, target {code(costs.plan.target)}")
    return lines


def _element(
    compilation: Compilation, node: nodes.SectionDecl | nodes.ToolGroup | nodes.ToolDecl, at: Span
) -> list[str]:
    facts = compilation.facts
    what = {nodes.ToolGroup: "tool group", nodes.ToolDecl: "tool"}.get(type(node), "section")
    declared = code("@" + node.cls.name) if node.cls is not None else "no class"
    effective = inferred(facts, node)
    lines = [f"{what} {code(node.name.name)}", f"declared {declared}, effective {code('@' + effective)}"]
    for read in facts.reads.get(node, ()):
        decl = facts.symbols.inputs.get(read.input)
        cls = "@" + decl.cls.name if decl is not None and decl.cls is not None else "?"
        steps = [f"{step.text.replace('`', '')} ({_place(compilation, step.span)})" for step in read.via]
        steps.append(f"reads {read.input} {cls} ({_place(compilation, read.at)})")
        lines.append("- " + code(", ".join(steps)))
    found = [cost for costs in costs_of(compilation) for cost in costs.elements if cost.node is node]
    # On an include, its own place; on the declaration of a library section, all of them.
    here = [cost for cost in found if real_span(cost.element.at, compilation.sources) == at]
    for cost in here or found:
        lines.extend(_cost(cost))
    return lines


def _place(compilation: Compilation, span: Span) -> str:
    source = compilation.sources.get(span.path)
    return f"{span.path}:{source.line_column(span.start)[0] + 1}" if source is not None else span.path


def _cost(cost: Cost) -> list[str]:
    lines = []
    if cost.size.bytes:
        after = cost.tokens_before + cost.size.tokens
        lines.append(
            f"{cost.size.bytes:,} bytes, about {cost.size.tokens:,} tokens of literal text; "
            f"{after:,} tokens from the start to its end"
        )
    position = f"element {cost.index} of {cost.total} in the prefix, lane {code(cost.element.lane)}"
    if cost.breakpoint is not None:
        position += f", covered by breakpoint {cost.breakpoint} of {cost.breakpoints}"
    elif cost.breakpoints:
        position += ", behind every breakpoint"
    lines.append(position)
    if cost.before is not None and cost.after is not None:
        what = "its gate" if cost.element.conditions else "a list that may be empty"
        lines.append(f"{what} takes the variants from {cost.before:,} to {cost.after:,}")
    if cost.stranded_by is not None:
        lines.append(f"stranded behind {code(cost.stranded_by)}, which changes more often")
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _word(view: ProjectView, path: str, offset: int) -> lsp.Hover | None:
    """Codes of `allow` clauses, and filters."""
    text = view.text(path)
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    for match in _WORD.finditer(line):
        if not match.start() <= offset - start <= match.end():
            continue
        span = Span(path, start + match.start(), start + match.end())
        before = line[: match.start()].rstrip()
        if before.endswith("allow") and _CODE.fullmatch(match[0]) and (entry := find_code(match[0])) is not None:
            return _hover(
                view, path, span, [f"{code(entry.code)} {code(entry.slug)}, {entry.severity.value}", entry.summary]
            )
        if before.endswith("|") and match[0] in FILTERS:
            spec = FILTERS[match[0]]
            parameters = ", ".join(p.name if p.required else f"{p.name}={p.default!r}" for p in spec.parameters)
            takes = spec.takes.replace("_", " ")
            return _hover(
                view,
                path,
                span,
                [f"filter {code(f'{spec.name}({parameters})' if parameters else spec.name)}", f"takes {takes}"],
            )
    return None
