"""Type every expression: gates, requires, bodies, tool groups, samples."""

import json

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.semantics.body_typing import BodyTyper
from promptc.semantics.constants import MisfitError, constant
from promptc.semantics.facts import Facts
from promptc.semantics.passes.resolve_types import check_class
from promptc.semantics.scope_env import Env, LocalVar
from promptc.semantics.typing import Typer
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.elements import Element, elements_in
from promptc.types import Enum, Int, Json, List, Optional, Record, Text, Type, describe

# The fields that a tool on the wire is made of.
TOOL_FIELDS: dict[str, Type] = {"name": Text(), "description": Text(), "input_schema": Json()}
# What a tool group's `defer when` calls the element.
TOOL_LOCAL = "tool"


def check_types(facts: Facts, sink: Sink) -> None:
    """Fill `facts.types`, `facts.names`, `facts.locals`.

    Diagnostics:
        PC2xx for names, PC3xx for types.
    """
    checker = _Checker(facts, sink)
    symbols = facts.symbols
    for gate in symbols.gates.values():
        checker.typer.condition(gate.condition, Env({}))
    for require in symbols.requires:
        checker.typer.condition(require.condition, Env({}))
    for section in symbols.sections.values():
        checker.section(section)
    for element in elements_in(symbols.prompts.values()):
        checker.element(element)
    for layout in facts.layouts.values():
        if layout.model is not None:
            checker.text(layout.model.value, "the model")
        if layout.key is not None:
            checker.text(layout.key.value, "the key")
    for sample in symbols.samples.values():
        checker.sample(sample)


class _Checker:
    def __init__(self, facts: Facts, sink: Sink) -> None:
        self.facts = facts
        self.sink = sink
        self.typer = Typer(facts, sink)

    def element(self, element: Element) -> None:
        match element:
            case nodes.SectionDecl():
                self.section(element)
            case nodes.IncludeItem(when=when):
                if when is not None:
                    self.typer.condition(when, Env({}))
            case nodes.ToolGroup():
                self.group(element)
            case nodes.ToolDecl():
                self.tool(element)

    def section(self, section: nodes.SectionDecl) -> None:
        check_class(self.facts.symbols, section.cls, section.name, "section", self.sink)
        if section.when is not None:
            self.typer.condition(section.when, Env({}))
        if section.deliver is not None and section.deliver.key is not None:
            self.typer.printable(section.deliver.key, Env({}))
        body_typer = BodyTyper(self.typer)
        content = section.content
        if isinstance(content, nodes.DeltaBody):
            if content.first_when is not None:
                self.typer.condition(content.first_when, Env({}))
            for part in (content.first, content.changed, content.gone):
                self.body(part, body_typer)
        else:
            self.body(content, body_typer)

    def body(self, source: ast.BodySource | None, body_typer: BodyTyper) -> None:
        body = self.facts.bodies.get(source) if source is not None else None
        if body is not None:
            body_typer.check(body)

    def group(self, group: nodes.ToolGroup) -> None:
        check_class(self.facts.symbols, group.cls, group.name, "tool group", self.sink)
        if group.when is not None:
            self.typer.condition(group.when, Env({}))
        kind = self.typer.value(group.source, Env({}), "taken from")
        if kind is None:
            return
        if not isinstance(kind, List) or not isinstance(kind.item, Record):
            self._report("PC316", group.source, f"a tool group takes a list of records, this is `{describe(kind)}`")
            return
        fields = self.facts.symbols.field_types.get(kind.item.name, {})
        for name, wanted in TOOL_FIELDS.items():
            have = fields.get(name)
            if have is None or not (have == wanted or (isinstance(wanted, Text) and isinstance(have, Enum))):
                is_what = "is missing" if have is None else f"is `{describe(have)}`"
                self._report(
                    "PC316",
                    group.source,
                    f"a tool needs the field `{name}: {describe(wanted)}`; in `{kind.item.name}` it {is_what}",
                )
        for field in group.order:
            have = fields.get(field.name)
            if have is None:
                near = suggest(field.name, list(fields))
                hint = f"did you mean `{near}`?" if near else None
                self._report("PC307", field, f"`{kind.item.name}` has no field `{field.name}`", hint)
                continue
            inner = have.item if isinstance(have, Optional) else have
            if not isinstance(inner, Text | Enum | Int):
                self._report("PC301", field, f"tools cannot be ordered by `{describe(have)}`")
        if group.defer is not None:
            self.typer.condition(group.defer, Env({TOOL_LOCAL: LocalVar(TOOL_LOCAL, kind.item)}))

    def tool(self, tool: nodes.ToolDecl) -> None:
        check_class(self.facts.symbols, tool.cls, tool.name, "tool", self.sink)
        if tool.when is not None:
            self.typer.condition(tool.when, Env({}))
        self.body(tool.description, BodyTyper(self.typer))
        if tool.schema is None:
            self._report("PC317", tool.name, f"tool `{tool.name.name}` has no schema")
            return
        body = self.facts.bodies.get(tool.schema)
        if body is None:
            return
        text = schema_text(body)
        if text is None:
            self._report("PC317", tool.schema, "a schema is literal JSON, without tags")
            return
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            self._report("PC317", tool.schema, f"the schema of `{tool.name.name}` is not JSON")
            return
        if not isinstance(parsed, dict):
            self._report("PC317", tool.schema, f"the schema of `{tool.name.name}` is not a JSON object")

    def text(self, value: ex.Expr, what: str) -> None:
        kind = self.typer.value(value, Env({}), what)
        if kind is not None and not isinstance(kind, Text | Enum):
            self._report("PC301", value, f"{what} is a text, this is `{describe(kind)}`")

    def sample(self, sample: nodes.SampleDecl) -> None:
        symbols = self.facts.symbols
        if sample.prompt.name not in symbols.prompts:
            near = suggest(sample.prompt.name, list(symbols.prompts))
            hint = f"did you mean `{near}`?" if near else None
            self._report("PC207", sample.prompt, f"there is no prompt `{sample.prompt.name}`", hint)
        given: set[str] = set()
        for binding in sample.bindings:
            name = binding.name.name
            if name in given:
                self._report("PC202", binding.name, f"`{name}` is given twice")
            given.add(name)
            if name not in symbols.inputs:
                near = suggest(name, list(symbols.inputs))
                hint = f"did you mean `{near}`?" if near else None
                self._report("PC201", binding.name, f"there is no input `{name}`", hint)
                continue
            kind = symbols.input_types.get(name)
            if kind is None:
                continue
            try:
                constant(binding.value, kind, symbols)
            except MisfitError as fault:
                self.sink.report(
                    Diagnostic(
                        "PC310",
                        f"this value does not fit `{name}`: {fault.why}",
                        Label(fault.span),
                        (Label(symbols.inputs[name].name.span, f"declared `{describe(kind)}` here"),),
                    )
                )
        for name, decl in symbols.inputs.items():
            kind = symbols.input_types.get(name)
            if name not in given and decl.default is None and kind is not None and not isinstance(kind, Optional):
                self.sink.report(
                    Diagnostic(
                        "PC311",
                        f"sample `{sample.name.name}` leaves out `{name}`",
                        Label(sample.name.span),
                        (Label(decl.name.span, "has no default"),),
                    )
                )

    def _report(self, code: str, node: ex.Node, message: str, help: str | None = None) -> None:
        self.sink.report(Diagnostic(code, message, Label(node.span), help=help))


def schema_text(body: ast.Body) -> str | None:
    """The literal text of a schema body; None when it holds tags."""
    if any(not isinstance(p, ast.Literal) for p in body.parts):
        return None
    return "".join(p.text for p in body.parts if isinstance(p, ast.Literal))
