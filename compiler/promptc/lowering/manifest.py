"""Build the manifest of a prompt from its plan and its residual program."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from promptc.ir import model as ir
from promptc.lowering.manifest_auto import auto_part
from promptc.lowering.manifest_pieces import PieceBuilder
from promptc.lowering.manifest_variants import list_variants
from promptc.lowering.value_text import value_text
from promptc.lowering.values import ValueLowering, conjunction
from promptc.planning.model import BlockPlan, Fork, PromptPlan
from promptc.providers.tokens import TokenCount, estimate_tokens
from promptc.semantics.facts import Facts, Placed
from promptc.semantics.passes.check_order import placement_class
from promptc.source import SourceSet, Span
from promptc.streams.manifest_model import (
    FORMAT,
    HolePiece,
    LaneName,
    Manifest,
    ManifestBlock,
    ManifestBreakpoint,
    ManifestElement,
    ManifestFork,
    ManifestGate,
    ManifestInput,
    ManifestRequire,
    ManifestScope,
    Piece,
    Place,
    Seams,
    Tokens,
)
from promptc.streams.manifest_pieces import element_digest, literal, measured
from promptc.streams.manifest_variants import prompt_digest
from promptc.syntax import nodes
from promptc.types import describe

Counter: TypeAlias = Callable[[str], TokenCount]

CONVERSATION = "conversation"


def build_manifest(
    facts: Facts, plan: PromptPlan, program: ir.Program, sources: SourceSet, count: Counter | None = None
) -> Manifest:
    """The manifest of one prompt of a compilation without errors.

    Args:
        sources: Where spans are told as line and column.
        count: Counts the tokens of a text; None for the estimate, which is the same on every machine.
    """
    return _Builder(facts, plan, program, sources, count).manifest()


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a section stands: its lane, its block, and the scopes of that block."""

    lane: LaneName
    block: int | None = None
    scope: str | None = None
    fallback: str | None = None


class _Builder:
    def __init__(
        self, facts: Facts, plan: PromptPlan, program: ir.Program, sources: SourceSet, count: Counter | None
    ) -> None:
        self.facts = facts
        self.plan = plan
        self.layout = plan.layout
        self.program = program
        self.sources = sources
        self.pieces = PieceBuilder(program)
        self.model = str(program.model.value) if isinstance(program.model, ir.Const) else None
        self.count = count or partial(estimate_tokens, model=self.model)
        self.order = plan.provider.prefix_order.value
        self._section_lanes: dict[str, LaneName] = {s.name: "system" for b in program.system for s in b.sections}
        if program.preamble is not None:
            self._section_lanes.update((s.name, "preamble") for s in program.preamble.sections)

    def manifest(self) -> Manifest:
        program = self.program
        elements = tuple(self._elements())
        blocks = tuple(self._block(i, b) for i, b in enumerate(self.plan.blocks))
        seams = self._seams()
        forks = tuple(self._fork(f) for f in self.plan.forks)
        count = self.count("")
        return Manifest(
            format=FORMAT,
            prompt=program.name,
            target=program.target,
            wire=program.wire,
            chain=program.classes,
            order=self.order,
            model=value_text(program.model) if program.model is not None else None,
            max_tokens=program.max_tokens,
            tokens=Tokens(method=count.method, error=count.error),
            digest=prompt_digest(elements, blocks, seams),
            inputs=tuple(
                ManifestInput(name=i.name, type=describe(i.type), cls=i.cls, max_chars=i.max_chars, cut=i.cut)
                for i in program.inputs
            ),
            gates=tuple(ManifestGate(name=g.name, condition=value_text(g.value), cls=g.cls) for g in program.gates),
            requires=tuple(ManifestRequire(condition=value_text(r.value), reason=r.reason) for r in program.requires),
            seams=seams,
            scopes=tuple(self._scopes()),
            blocks=blocks,
            elements=elements,
            breakpoints=tuple(self._breakpoints(elements)),
            auto=auto_part(self.facts, self.plan, elements),
            forks=forks,
            variants=list_variants(self.facts, self.plan, self.order, seams, elements, forks),
        )

    # -- elements --------------------------------------------------------------------------------

    def _elements(self) -> Iterator[ManifestElement]:
        lanes = {
            "tools": [self._tool(n, t) for n, t in zip(self.layout.tools, self.program.tools, strict=True)],
            "system": list(self._system()),
            "messages": [*self._lane("preamble"), self._conversation()],
        }
        for lane in self.order:
            yield from lanes.pop(lane)
        yield from self._lane("tail")
        # What is left is sent, and the provider does not cache it.
        for elements in lanes.values():
            yield from elements

    def _tool(self, node: nodes.ToolGroup | nodes.ToolDecl, tool: ir.ToolGroup | ir.ToolLiteral) -> ManifestElement:
        bottom = self.program.classes[0]
        group = isinstance(tool, ir.ToolGroup)
        pieces: tuple[Piece, ...] = (
            (HolePiece(hole=value_text(tool.source), cls=self.pieces.class_of(tool.source)),)
            if isinstance(tool, ir.ToolGroup)
            else self.pieces.pieces(tool.description)
        )
        return self._element(
            name=tool.name,
            kind="group" if group else "tool",
            home=_Home("tools"),
            declared=node.cls.name if node.cls is not None else bottom,
            cls=self.facts.effective.get(node, bottom),
            when=tool.when,
            pin=node.pin,
            span=tool.span,
            pieces=pieces,
            order=tool.order if isinstance(tool, ir.ToolGroup) else (),
            defer=_text(tool.defer) if isinstance(tool, ir.ToolGroup) else None,
            schema=tool.schema if isinstance(tool, ir.ToolLiteral) else None,
        )

    def _system(self) -> Iterator[ManifestElement]:
        for index, (plan, block) in enumerate(zip(self.plan.blocks, self.program.system, strict=True)):
            home = _Home("system", index, plan.scope, plan.fallback)
            for placed, section in zip(plan.block.sections, block.sections, strict=True):
                yield self._section(home, placed, section)

    def _lane(self, lane: LaneName) -> Iterator[ManifestElement]:
        placed = self.layout.preamble if lane == "preamble" else self.layout.tail
        lowered = self.program.preamble if lane == "preamble" else self.program.tail
        if placed is not None and lowered is not None:
            for decl, section in zip(placed.sections, lowered.sections, strict=True):
                yield self._section(_Home(lane), decl, section)

    def _section(self, home: _Home, placed: Placed, section: ir.Section) -> ManifestElement:
        return self._element(
            name=section.name,
            kind="section",
            home=home,
            declared=section.declared,
            cls=placement_class(self.facts, placed),
            when=section.when,
            pin=placed.pin,
            span=section.span,
            pieces=self.pieces.section(section),
            deliver=section.deliver,
            key=_text(section.key),
        )

    def _conversation(self) -> ManifestElement:
        history = self.layout.history
        top = self.program.classes[-1]
        name = history.name if history is not None else None
        return self._element(
            name=name.name if name is not None else CONVERSATION,
            kind="conversation",
            home=_Home("conversation"),
            declared=top,
            cls=top,
            when=None,
            pin=None,
            span=name.span if name is not None else self.layout.prompt.name.span,
            pieces=(HolePiece(hole=CONVERSATION, cls=top),),
        )

    def _element(
        self,
        *,
        name: str,
        kind: str,
        home: _Home,
        declared: str,
        cls: str,
        when: ir.Value | None,
        pin: nodes.Pin | None,
        span: Span,
        pieces: tuple[Piece, ...],
        deliver: str = "inline",
        key: str | None = None,
        order: tuple[str, ...] = (),
        defer: str | None = None,
        schema: str | None = None,
    ) -> ManifestElement:
        size = measured(pieces)
        text = literal(pieces)
        if schema is not None:
            # The schema is literal text of the tool as much as its description.
            more = len(schema.encode())
            size = size.model_copy(
                update={
                    "literal": size.literal + more,
                    "least": size.least + more,
                    "most": size.most + more if size.most is not None else None,
                }
            )
            text += schema
        found = ManifestElement.model_validate(
            {
                "name": name,
                "kind": kind,
                "lane": home.lane,
                "block": home.block,
                "declared": declared,
                "cls": cls,
                "scope": home.scope,
                "fallback": home.fallback,
                "gate": _text(when),
                "gate_class": self.pieces.class_of(when) if when is not None else None,
                "deliver": deliver,
                "key": key,
                "order": order,
                "defer": defer,
                "pin": pin.reason.value if pin is not None else None,
                "span": self._place(span),
                "bytes": size,
                "tokens": self.count(text).value,
                "digest": "",
                "schema_text": schema,
                "pieces": pieces,
            }
        )
        return found.model_copy(update={"digest": element_digest(found)})

    def _place(self, span: Span) -> Place:
        source = self.sources.get(span.path)
        line, column = source.line_column(span.start) if source is not None else (0, 0)
        return Place(path=span.path, line=line + 1, column=column + 1)

    # -- the rest --------------------------------------------------------------------------------

    def _block(self, index: int, plan: BlockPlan) -> ManifestBlock:
        choices = self.program.system[index].scopes
        # Of several choices the first is the fallback with its condition; a single fallback always counts.
        when = (_text(choices[0].when) or "true") if plan.fallback is not None else None
        return ManifestBlock(
            index=index,
            scope=plan.scope,
            ttl=plan.ttl,
            fallback=plan.fallback,
            fallback_ttl=plan.fallback_ttl,
            fallback_when=when,
            variants=plan.variants,
            elements=tuple(s.name for s in plan.block.sections),
        )

    def _scopes(self) -> Iterator[ManifestScope]:
        declared = self.facts.symbols.scopes
        named = dict.fromkeys(name for b in self.plan.blocks for name in (b.scope, b.fallback) if name is not None)
        for name in named:
            yield ManifestScope(name=name, holds=declared[name].holds.name)

    def _seams(self) -> dict[LaneName, Seams]:
        program = self.program
        out: dict[LaneName, Seams] = {}
        if program.system:
            out["system"] = Seams(separator=program.separator)
        lanes: tuple[tuple[LaneName, ir.EnvelopeLane | None], ...] = (
            ("preamble", program.preamble),
            ("tail", program.tail),
        )
        for name, lane in lanes:
            if lane is not None:
                out[name] = Seams(separator=lane.separator, open=lane.open, close=lane.close)
        return out

    def _breakpoints(self, elements: Sequence[ManifestElement]) -> Iterator[ManifestBreakpoint]:
        last = {(e.lane, e.block): e.name for e in elements}
        tools, messages = self.program.tools_marker, self.program.message_marker
        if tools is not None and ("tools", None) in last:
            yield ManifestBreakpoint(lane="tools", after=last["tools", None], ttl=tools.ttl)
        for index, plan in enumerate(self.plan.blocks):
            if self.program.system[index].marked and ("system", index) in last:
                yield ManifestBreakpoint(
                    lane="system",
                    block=index,
                    after=last["system", index],
                    scope=plan.scope,
                    fallback=plan.fallback,
                    ttl=plan.ttl,
                )
        if messages is not None and self.program.lagging:
            after = last["conversation", None]
            yield ManifestBreakpoint(lane="conversation", after=after, ttl=messages.ttl, lagging=True)
        if messages is not None:
            yield ManifestBreakpoint(lane="conversation", after=last["conversation", None], ttl=messages.ttl)

    def _fork(self, fork: Fork) -> ManifestFork:
        values = ValueLowering(self.facts)
        found: ir.Value = ir.Const(True)
        for condition in fork.condition:
            found = conjunction(found, values.truth(condition))
        if not fork.condition:
            found = self._source_of(fork)
        return ManifestFork(
            element=fork.element,
            lane=self._lane_of(fork),
            condition=value_text(found),
            inside=fork.inside,
            least=fork.least_bytes,
            most=fork.most_bytes,
            before=fork.before,
            after=fork.after,
            span=self._place(fork.at),
        )

    def _source_of(self, fork: Fork) -> ir.Value:
        # A list of tools that may be empty forks by itself.
        return next(t.source for t in self.program.tools if isinstance(t, ir.ToolGroup) and t.name == fork.element)

    def _lane_of(self, fork: Fork) -> LaneName:
        return self._section_lanes.get(fork.element, "tools")


def _text(value: ir.Value | None) -> str | None:
    return value_text(value) if value is not None else None
