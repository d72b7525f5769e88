"""Lower a planned prompt to its residual program."""

import json
from collections.abc import Sequence

from promptc.ir import model as ir
from promptc.ir.form import WireForm
from promptc.lowering.texts import TextLowering
from promptc.lowering.values import FALSE, TRUE, ValueLowering, conjunction, disjunction
from promptc.lowering.wire_form import wire_form
from promptc.planning.model import BlockPlan, Culprit, PromptPlan
from promptc.semantics.constants import constant
from promptc.semantics.facts import Facts, Placed, PlacedLane, Read
from promptc.semantics.passes.check_types import TOOL_LOCAL, schema_text
from promptc.semantics.reads import Reader, names_in
from promptc.semantics.taint import envelope_tags, envelope_texts
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.types import List, Optional, Record, Type


def lower(facts: Facts, plan: PromptPlan) -> ir.Program:
    """Return the residual program of a prompt.

    The compilation must have no errors: every name is resolved and every expression typed.
    """
    return _Lowering(facts, plan).program()


class _Lowering:
    def __init__(self, facts: Facts, plan: PromptPlan) -> None:
        self.facts = facts
        self.plan = plan
        self.chain = facts.symbols.chain
        self.reader = Reader(facts)
        self.values = ValueLowering(facts)
        self.texts = TextLowering(facts, self.values, envelope_tags(plan.layout))
        self._inputs: dict[str, None] = {}

    def program(self) -> ir.Program:
        layout = self.plan.layout
        tools = tuple(self._tool(t) for t in layout.tools)
        marked = self.plan.provider.marker is not None
        system = tuple(self._block(b, marked) for b in self.plan.blocks)
        preamble, tail = self._lane(layout.preamble), self._lane(layout.tail)
        model = None
        if layout.model is not None:
            self._note(self.reader.expr(layout.model.value))
            model = self.values.value(layout.model.value)
        key = None
        if layout.key is not None:
            self._note(self.reader.expr(layout.key.value))
            key = self.values.value(layout.key.value)
        requires = self._requires()
        inputs = tuple(self._input(n, d) for n, d in self.facts.symbols.inputs.items() if n in self._inputs)
        used = {i.cls for i in inputs}
        form = self._form(model)
        return ir.Program(
            name=layout.prompt.name.name,
            target=self.plan.target,
            wire=self.plan.wire,
            classes=self.chain.names,
            stages=tuple(c for c in self.chain.names if c in used),
            records=self._records(inputs),
            inputs=inputs,
            gates=self._gates(),
            requires=requires,
            model=model,
            max_tokens=layout.max_tokens,
            tools=tools,
            tools_marker=_marker(layout.tools_mark) if marked else None,
            separator=layout.separator,
            system=system,
            preamble=preamble,
            tail=tail,
            message_marker=_marker(layout.message_mark) if marked else None,
            lagging=marked and layout.message_mark is not None and (layout.lagging or self.plan.provider.forgets_ends),
            form=form,
            cache_key=key,
        )

    def _form(self, model: ir.Value | None) -> WireForm:
        layout = self.plan.layout
        marks = (layout.tools_mark, layout.message_mark, *(b.scope for b in self.plan.blocks))
        name = str(model.value) if isinstance(model, ir.Const) else None
        return wire_form(self.plan.provider, name, marked=any(mark is not None for mark in marks))

    # -- classes ---------------------------------------------------------------------------------

    def _note(self, reads: Sequence[Read]) -> str:
        for read in reads:
            self._inputs.setdefault(read.input)
        return self.chain.join(self._class(r.input) for r in reads)

    def _class(self, name: str) -> str:
        cls = self.facts.symbols.inputs[name].cls
        assert cls is not None
        return cls.name

    def _gate(self, conditions: Sequence[ex.Expr]) -> tuple[ir.Value | None, str]:
        found: ir.Value = TRUE
        cls = self.chain.bottom
        for condition in conditions:
            cls = self.chain.join((cls, self._note(self.reader.expr(condition))))
            found = conjunction(found, self.values.truth(condition))
        return (None if found == TRUE else found), cls

    # -- declarations ----------------------------------------------------------------------------

    def _input(self, name: str, decl: nodes.InputDecl) -> ir.Input:
        kind = self.facts.symbols.input_types[name]
        has_default = decl.default is not None or isinstance(kind, Optional)
        default = constant(decl.default, kind, self.facts.symbols) if decl.default is not None else None
        return ir.Input(
            name=name,
            type=kind,
            cls=self._class(name),
            max_chars=decl.max.chars if decl.max is not None else None,
            cut=decl.max.cut.value if decl.max is not None and decl.max.cut is not None else None,
            has_default=has_default,
            default=default,
            span=decl.name.span,
        )

    def _records(self, inputs: Sequence[ir.Input]) -> tuple[ir.RecordType, ...]:
        wanted: dict[str, None] = {}
        for item in inputs:
            self._collect_records(item.type, wanted)
        symbols = self.facts.symbols
        return tuple(
            ir.RecordType(
                name,
                tuple(
                    ir.Field(
                        f.name.name,
                        symbols.field_types[name][f.name.name],
                        f.default is not None or isinstance(symbols.field_types[name][f.name.name], Optional),
                        constant(f.default, symbols.field_types[name][f.name.name], symbols)
                        if f.default is not None
                        else None,
                    )
                    for f in record.fields
                ),
            )
            for name, record in symbols.records.items()
            if name in wanted
        )

    def _collect_records(self, kind: Type, wanted: dict[str, None]) -> None:
        match kind:
            case Record(name=name) if name not in wanted:
                wanted[name] = None
                for field in self.facts.symbols.field_types[name].values():
                    self._collect_records(field, wanted)
            case List(item=item) | Optional(item=item):
                self._collect_records(item, wanted)
            case _:
                return

    def _gates(self) -> tuple[ir.Gate, ...]:
        out: list[ir.Gate] = []
        for name, decl in self._sorted_gates():
            reads = self.reader.gate(name)
            if all(r.input in self._inputs for r in reads):
                cls = self.chain.join(self._class(r.input) for r in reads)
                out.append(ir.Gate(name, self.values.truth(decl.condition), cls))
        return tuple(out)

    def _sorted_gates(self) -> list[tuple[str, nodes.GateDecl]]:
        # A gate may read a gate declared later; the assembler computes them in an order that works.
        gates = self.facts.symbols.gates
        done: dict[str, nodes.GateDecl] = {}

        def visit(name: str) -> None:
            if name in done:
                return
            for used in self._gates_in(gates[name].condition):
                visit(used)
            done[name] = gates[name]

        for name in gates:
            visit(name)
        return list(done.items())

    def _gates_in(self, expr: ex.Expr) -> list[str]:
        return [r.name for n in names_in(expr) if (r := self.facts.names.get(n)) is not None and r.kind == "gate"]

    def _requires(self) -> tuple[ir.Require, ...]:
        out: list[ir.Require] = []
        for decl in self.facts.symbols.requires:
            reads = self.reader.expr(decl.condition)
            if any(r.input in self._inputs for r in reads):
                cls = self._note(reads)
                out.append(ir.Require(self.values.truth(decl.condition), decl.reason.value, cls))
        return tuple(out)

    # -- lanes -----------------------------------------------------------------------------------

    def _tool(self, tool: nodes.ToolGroup | nodes.ToolDecl) -> ir.ToolGroup | ir.ToolLiteral:
        when, when_cls = self._gate(() if tool.when is None else (tool.when,))
        if isinstance(tool, nodes.ToolDecl):
            assert tool.schema is not None
            cls = self._note(self.reader.source(tool.description))
            text = schema_text(self.facts.bodies[tool.schema])
            schema = json.dumps(json.loads(text or "{}"), ensure_ascii=False, separators=(",", ":"))
            description = self.texts.source(tool.description)
            return ir.ToolLiteral(tool.name.name, cls, when, when_cls, description, schema, tool.name.span)
        cls = self._note(self.reader.expr(tool.source))
        defer = None
        if tool.defer is not None:
            cls = self.chain.join((cls, self._note(self.reader.expr(tool.defer))))
            defer = self.values.truth(tool.defer)
        return ir.ToolGroup(
            name=tool.name.name,
            cls=cls,
            source=self.values.value(tool.source),
            order=tuple(f.name for f in tool.order),
            when=when,
            when_cls=when_cls,
            element=TOOL_LOCAL,
            defer=defer,
            span=tool.name.span,
        )

    def _block(self, plan: BlockPlan, marked: bool) -> ir.SystemBlock:
        sections = tuple(self._section(s) for s in plan.block.sections)
        if plan.scope is None:
            return ir.SystemBlock(False, (ir.ScopeChoice(None, None, None),), sections)
        declared = ir.ScopeChoice(None, plan.scope, plan.ttl)
        if plan.fallback is None:
            return ir.SystemBlock(marked, (declared,), sections)
        demoted: ir.Value = FALSE
        for culprit in plan.culprits:
            demoted = disjunction(demoted, self._presence(culprit))
        fallback = ir.ScopeChoice(None, plan.fallback, plan.fallback_ttl)
        if demoted == TRUE:
            return ir.SystemBlock(marked, (fallback,), sections)
        return ir.SystemBlock(marked, (ir.ScopeChoice(demoted, plan.fallback, plan.fallback_ttl), declared), sections)

    def _presence(self, culprit: Culprit) -> ir.Value:
        found, _ = self._gate(culprit.conditions)
        value: ir.Value = TRUE if found is None else found
        if culprit.presence is not None:
            value = conjunction(value, self.values.truth(culprit.presence))
        return value

    def _lane(self, lane: PlacedLane | None) -> ir.EnvelopeLane | None:
        if lane is None:
            return None
        opening, closing = envelope_texts(lane)
        return ir.EnvelopeLane(opening, closing, lane.separator, tuple(self._section(s) for s in lane.sections))

    def _section(self, placed: Placed) -> ir.Section:
        decl = placed.decl
        when, when_cls = self._gate(placed.conditions)
        cls = self._note(self.reader.content(decl))
        key = None
        if decl.deliver is not None and decl.deliver.key is not None:
            cls = self.chain.join((cls, self._note(self.reader.expr(decl.deliver.key))))
            key = self.values.text(decl.deliver.key)
        content = decl.content
        delta = None
        if isinstance(content, nodes.DeltaBody):
            delta = ir.Delta(
                self.values.truth(content.first_when) if content.first_when is not None else None,
                self.texts.source(content.first),
                self.texts.source(content.changed),
                self.texts.source(content.gone),
            )
        return ir.Section(
            name=placed.name,
            cls=cls,
            declared=decl.cls.name if decl.cls is not None else self.chain.bottom,
            when=when,
            when_cls=when_cls,
            deliver="delta" if delta is not None else (decl.deliver.mode if decl.deliver is not None else "inline"),
            key=key,
            body=() if isinstance(content, nodes.DeltaBody) else self.texts.source(content),
            delta=delta,
            span=decl.name.span,
        )


def _marker(mark: nodes.CacheMark | None) -> ir.Marker | None:
    return None if mark is None else ir.Marker(mark.ttl.seconds if mark.ttl is not None else None)
