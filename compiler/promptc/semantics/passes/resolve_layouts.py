"""Resolve each prompt to its layout: `extends` edits applied, includes placed, lanes in order."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.semantics.facts import Layout, Placed, PlacedBlock, PlacedLane
from promptc.semantics.passes.apply_edits import apply_edits
from promptc.semantics.passes.collect_declarations import BUILTIN_ENVELOPES
from promptc.semantics.symbols import Symbols
from promptc.source import Span
from promptc.syntax import nodes
from promptc.syntax.expressions import Ident, Node

LastItem = TypeVar("LastItem", bound=nodes.LaneItem)

DEFAULT_SEPARATOR = "\n\n"
DEFAULT_MAX_TOKENS = 8192

_ALLOWED: dict[str, tuple[type[Node], ...]] = {
    "tools": (nodes.ToolGroup, nodes.ToolDecl, nodes.CacheMark),
    "system": (nodes.SectionDecl, nodes.IncludeItem, nodes.Block, nodes.Separator),
    "preamble": (nodes.SectionDecl, nodes.IncludeItem, nodes.Separator),
    "conversation": (nodes.History, nodes.CacheMark),
    "tail": (nodes.SectionDecl, nodes.IncludeItem, nodes.Separator),
}


def resolve_layouts(symbols: Symbols, sink: Sink) -> dict[str, Layout]:
    """Return the layout of every prompt that has a target.

    Diagnostics:
        PC205, PC206, PC207, PC209, PC211, PC212, PC213, PC214, PC217, PC687.
    """
    out: dict[str, Layout] = {}
    for name, decl in symbols.prompts.items():
        items = _flatten(decl, symbols, sink, ())
        if items is None:
            continue
        builder = _Builder(symbols, sink, decl)
        layout = builder.build(items)
        if layout is not None:
            out[name] = layout
    return out


def _flatten(
    decl: nodes.PromptDecl, symbols: Symbols, sink: Sink, seen: tuple[str, ...]
) -> tuple[nodes.PromptItem, ...] | None:
    if decl.extends is None:
        for item in decl.items:
            if isinstance(item, nodes.Edit):
                sink.report(
                    Diagnostic(
                        "PC214", f"`{item.target.name}` cannot be edited: this prompt extends nothing", Label(item.span)
                    )
                )
        return tuple(i for i in decl.items if not isinstance(i, nodes.Edit))
    base_name = decl.extends.name
    if base_name == decl.name.name or base_name in seen:
        walk = (*seen, decl.name.name)
        # Every walk that meets the circle gets here; the one that starts at its first name reports it.
        if base_name == walk[0] == min(walk):
            chain = " -> ".join((*walk, base_name))
            sink.report(
                Diagnostic("PC213", f"prompts extend each other in a circle: {chain}", Label(decl.extends.span))
            )
        return None
    base = symbols.prompts.get(base_name)
    if base is None:
        near = suggest(base_name, list(symbols.prompts))
        sink.report(
            Diagnostic(
                "PC207",
                f"there is no prompt `{base_name}` to extend",
                Label(decl.extends.span),
                help=f"did you mean `{near}`?" if near else None,
            )
        )
        return None
    # Faults of the base are reported where the base itself is resolved.
    inherited = _flatten(base, symbols, Sink(), (*seen, decl.name.name))
    if inherited is None:
        if any(base_name == s for s in seen):
            return None
        _flatten(base, symbols, sink, (*seen, decl.name.name))
        return None
    own_lanes = {item.kind for item in decl.items if isinstance(item, nodes.Lane)}
    own_kinds = {type(item) for item in decl.items if not isinstance(item, nodes.Lane | nodes.Edit)}
    kept = [
        i for i in inherited if not (isinstance(i, nodes.Lane) and i.kind in own_lanes) and type(i) not in own_kinds
    ]
    own = [i for i in decl.items if not isinstance(i, nodes.Edit)]
    edits = [i for i in decl.items if isinstance(i, nodes.Edit)]
    return apply_edits((*kept, *own), edits, base_name, sink)


@dataclass
class _Builder:
    symbols: Symbols
    sink: Sink
    prompt: nodes.PromptDecl
    taken: dict[str, Span] = field(default_factory=dict)

    def build(self, items: tuple[nodes.PromptItem, ...]) -> Layout | None:
        lanes: dict[str, nodes.Lane] = {}
        target: nodes.Target | None = None
        model: nodes.Model | None = None
        auto: nodes.CacheAuto | None = None
        key: nodes.CacheKey | None = None
        max_tokens = DEFAULT_MAX_TOKENS
        for item in items:
            match item:
                case nodes.Lane(kind=kind):
                    if kind in lanes:
                        self.report("PC202", item, f"the lane `{kind}` stands twice", lanes[kind])
                    lanes.setdefault(kind, item)
                    self._check_items(item)
                case nodes.Target():
                    target = item
                case nodes.Model():
                    model = item
                case nodes.MaxTokens(value=value):
                    max_tokens = value
                case nodes.CacheAuto():
                    auto = item
                case nodes.CacheKey():
                    key = item
                case nodes.Edit():
                    continue
        if target is None:
            self.sink.report(
                Diagnostic(
                    "PC211",
                    f"prompt `{self.prompt.name.name}` has no target",
                    Label(self.prompt.name.span),
                    help="say whose cache rules hold: `target anthropic`",
                )
            )
            return None
        if auto is not None:
            self._check_auto(auto, lanes.values())
        tools = lanes.get("tools")
        conversation = lanes.get("conversation")
        tool_items = tuple(i for i in tools.items if isinstance(i, nodes.ToolGroup | nodes.ToolDecl)) if tools else ()
        for tool in tool_items:
            self._take(tool.name, tool.name.span)
        system = lanes.get("system")
        return Layout(
            prompt=self.prompt,
            target=target,
            model=model,
            max_tokens=max_tokens,
            tools=tool_items,
            tools_mark=_last(tools, nodes.CacheMark),
            separator=self._separator(system),
            system=self._system(system),
            preamble=self._lane(lanes.get("preamble")),
            tail=self._lane(lanes.get("tail")),
            history=_last(conversation, nodes.History),
            message_mark=_last(conversation, nodes.CacheMark),
            auto=auto,
            key=key,
        )

    def _check_auto(self, auto: nodes.CacheAuto, lanes: Iterable[nodes.Lane]) -> None:
        """Refuse markers of the author's beside `cache auto`, and give every class a scope that the planner can name."""
        for lane in lanes:
            for item in lane.items:
                marked = isinstance(item, nodes.CacheMark) or (isinstance(item, nodes.Block) and item.scope is not None)
                if not marked:
                    continue
                at = item.scope.span if isinstance(item, nodes.Block) and item.scope is not None else item.span
                self.sink.report(
                    Diagnostic(
                        "PC687",
                        "a marker of your own stands in a prompt whose markers `cache auto` places",
                        Label(at, "places a marker here"),
                        (Label(auto.span, "places all of them"),),
                        help="remove the marker and keep its sections, or remove `cache auto`",
                    )
                )
        declared = {scope.holds.name for scope in self.symbols.scopes.values()}
        for cls in self.symbols.chain.names:
            if cls not in declared:
                name = cls if cls not in self.symbols.scopes else f"auto_{cls}"
                own = Ident(span=auto.span, name=name)
                holds = Ident(span=auto.span, name=cls)
                self.symbols.scopes[name] = nodes.ScopeDecl(span=auto.span, name=own, holds=holds, ttl=None)

    def report(self, code: str, node: Node, message: str, earlier: Node | None = None, help: str | None = None) -> None:
        secondary = (Label(earlier.span, "first here"),) if earlier is not None else ()
        self.sink.report(Diagnostic(code, message, Label(node.span), secondary, help=help))

    def _check_items(self, lane: nodes.Lane) -> None:
        for item in lane.items:
            if not isinstance(item, _ALLOWED[lane.kind]):
                what = {nodes.Block: "a block", nodes.ToolGroup: "a tool group", nodes.ToolDecl: "a tool"}.get(
                    type(item), "this item"
                )
                self.report("PC217", item, f"{what} cannot stand in the lane `{lane.kind}`")
        if lane.envelope is not None and lane.kind not in ("preamble", "tail"):
            self.report("PC217", lane.envelope, f"the lane `{lane.kind}` has no envelope")

    def _take(self, name: Ident, at: Span) -> bool:
        earlier = self.taken.get(name.name)
        if earlier is not None:
            self.sink.report(
                Diagnostic(
                    "PC212",
                    f"`{name.name}` is placed twice in prompt `{self.prompt.name.name}`",
                    Label(at, "placed again here"),
                    (Label(earlier, "first placed here"),),
                )
            )
            return False
        self.taken[name.name] = at
        return True

    def _system(self, lane: nodes.Lane | None) -> tuple[PlacedBlock, ...]:
        blocks: list[PlacedBlock] = []
        loose: list[Placed] = []
        for item in lane.items if lane is not None else ():
            if isinstance(item, nodes.Block):
                if loose:
                    blocks.append(PlacedBlock(None, tuple(loose)))
                    loose = []
                self._check_scope(item.scope)
                self._check_scope(item.fallback)
                blocks.append(PlacedBlock(item, tuple(p for i in item.items for p in self._place(i))))
            elif isinstance(item, nodes.SectionDecl | nodes.IncludeItem):
                loose.extend(self._place(item))
        if loose:
            blocks.append(PlacedBlock(None, tuple(loose)))
        return tuple(blocks)

    def _check_scope(self, scope: Ident | None) -> None:
        if scope is None or scope.name in self.symbols.scopes:
            return
        near = suggest(scope.name, list(self.symbols.scopes))
        hint = f"did you mean `{near}`?" if near else f"declare it: `scope {scope.name} holds CLASS`"
        self.report("PC205", scope, f"there is no scope `{scope.name}`", help=hint)

    def _place(self, item: nodes.LaneSection) -> tuple[Placed, ...]:
        if isinstance(item, nodes.SectionDecl):
            if not self._take(item.name, item.name.span):
                return ()
            own = tuple(c for c in (item.when,) if c is not None)
            return (Placed(item.name.name, item, own, item.pin, item.name.span),)
        decl = self.symbols.sections.get(item.name.name)
        if decl is None:
            near = suggest(item.name.name, list(self.symbols.sections))
            self.report(
                "PC206",
                item.name,
                f"there is no library section `{item.name.name}`",
                help=f"did you mean `{near}`?" if near else "declare it at top level: `section NAME @CLASS ...`",
            )
            return ()
        # The same library section may stand in two places when at most one of them is there at a time; the second
        # gets a name of its own so that manifests and maps can tell them apart.
        name = item.name.name
        count = 2
        while name in self.taken:
            name = f"{item.name.name}_{count}"
            count += 1
        self.taken[name] = item.name.span
        conditions = tuple(c for c in (item.when, decl.when) if c is not None)
        return (Placed(name, decl, conditions, item.pin or decl.pin, item.name.span),)

    def _lane(self, lane: nodes.Lane | None) -> PlacedLane | None:
        if lane is None:
            return None
        sections = tuple(
            p for i in lane.items if isinstance(i, nodes.SectionDecl | nodes.IncludeItem) for p in self._place(i)
        )
        envelope = None
        if lane.envelope is not None:
            envelope = self.symbols.envelopes.get(lane.envelope.name)
            if envelope is None and lane.envelope.name not in BUILTIN_ENVELOPES:
                near = suggest(lane.envelope.name, [*self.symbols.envelopes, *BUILTIN_ENVELOPES])
                hint = f"did you mean `{near}`?" if near else 'declare it: `envelope NAME { open "..." close "..." }`'
                self.report("PC209", lane.envelope, f"there is no envelope `{lane.envelope.name}`", help=hint)
        return PlacedLane(lane, envelope, self._separator(lane), sections)

    @staticmethod
    def _separator(lane: nodes.Lane | None) -> str:
        found = _last(lane, nodes.Separator)
        return DEFAULT_SEPARATOR if found is None else found.text.value


def _last(lane: nodes.Lane | None, kind: type[LastItem]) -> LastItem | None:
    found = [i for i in lane.items if isinstance(i, kind)] if lane is not None else []
    return found[-1] if found else None
