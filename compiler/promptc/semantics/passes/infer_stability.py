"""Infer the effective class of every section and tool, and hold each to the class that it declares."""

from promptc.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.domains import unbounded_part
from promptc.semantics.facts import Facts, Read
from promptc.semantics.reads import Reader
from promptc.source import Span
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.elements import Element, elements_in
from promptc.syntax.expressions import Ident


def infer_stability(facts: Facts, reader: Reader, sink: Sink) -> None:
    """Fill `facts.effective` and `facts.reads`.

    What a body reads counts in full. A gate over a finite domain forks the prefix instead of spoiling it, so only an
    unbounded gate raises the class (and `check_gates` looks at where either may stand).

    Diagnostics:
        PC402 effective above declared, PC406 effective below declared.
    """
    inference = _Inference(facts, reader, sink)
    for section in facts.symbols.sections.values():
        inference.section(section)
    for element in elements_in(facts.symbols.prompts.values()):
        inference.element(element)


class _Inference:
    def __init__(self, facts: Facts, reader: Reader, sink: Sink) -> None:
        self.facts = facts
        self.reader = reader
        self.sink = sink
        self._reported: set[Span] = set()

    def element(self, element: Element) -> None:
        match element:
            case nodes.SectionDecl():
                self.section(element)
            case nodes.ToolGroup():
                reads = self.reader.expr(element.source) + self._gate_reads(element.when)
                self._settle(element, element.name, element.cls, reads, "tool group")
            case nodes.ToolDecl():
                reads = self.reader.source(element.description) + self._gate_reads(element.when)
                self._settle(element, element.name, element.cls, reads, "tool")
            case nodes.IncludeItem():
                # What it places is a library section, which is settled where it is declared.
                return

    def section(self, section: nodes.SectionDecl) -> None:
        reads = self.reader.content(section)
        if section.deliver is not None and section.deliver.key is not None:
            reads += self.reader.expr(section.deliver.key)
        self._settle(section, section.name, section.cls, reads + self._gate_reads(section.when), "section")

    def _gate_reads(self, when: ex.Expr | None) -> tuple[Read, ...]:
        if when is None or unbounded_part(when, self.facts) is None:
            return ()
        return self.reader.expr(when)

    def _settle(
        self,
        node: nodes.SectionDecl | nodes.ToolGroup | nodes.ToolDecl,
        name: Ident,
        cls: Ident | None,
        reads: tuple[Read, ...],
        what: str,
    ) -> None:
        chain = self.facts.symbols.chain
        self.facts.reads[node] = reads
        classes = {r.input: self._input_class(r.input) for r in reads}
        known = [c for c in classes.values() if c is not None]
        effective = chain.join(known)
        declared = cls.name if cls is not None and cls.name in chain.names else None
        self.facts.effective[node] = effective
        if declared is None or cls is None:
            return
        if chain.is_above(effective, declared):
            culprit = next(r for r in reads if classes[r.input] == effective)
            self._exceeded(name, cls, declared, effective, culprit, what)
            # The broken promise is the one cause; order and scopes are checked as if it were kept.
            self.facts.effective[node] = declared
        elif chain.is_above(declared, effective) and self._whole(node):
            # A promise may be weaker than the truth; the author is told what could be shared more widely.
            self.sink.report(
                Diagnostic(
                    "PC406",
                    f"{what} `{name.name}` is declared `@{declared}` and depends on nothing above `@{effective}`",
                    Label(cls.span, f"`@{effective}` would hold"),
                    help=f"write `@{effective}` and place it in front of what changes more often: then more requests share its bytes",
                    fix=Fix(f"write `@{effective}`", (Edit(cls.span, effective),), Applicability.UNSAFE),
                )
            )
            self.facts.effective[node] = declared
        else:
            self.facts.effective[node] = declared

    def _whole(self, node: nodes.SectionDecl | nodes.ToolGroup | nodes.ToolDecl) -> bool:
        # A body with a syntax error was not read to its end: nothing can be said about what it does not depend on.
        match node:
            case nodes.SectionDecl(content=nodes.DeltaBody()):
                # A delta is written when its value changes, which its class says, whatever its texts read.
                return False
            case nodes.SectionDecl(content=ast.Template() | ast.FileRef() as content):
                body = self.facts.bodies.get(content)
                return body is not None and not body.broken
            case _:
                return True

    def _input_class(self, name: str) -> str | None:
        decl = self.facts.symbols.inputs.get(name)
        if decl is None or decl.cls is None or decl.cls.name not in self.facts.symbols.chain.names:
            return None
        return decl.cls.name

    def _exceeded(self, name: Ident, cls: Ident, declared: str, effective: str, culprit: Read, what: str) -> None:
        if culprit.at in self._reported:
            # An included section that breaks its own promise is the one cause.
            return
        self._reported.add(culprit.at)
        self.facts.misplaced.add(name.span)
        decl = self.facts.symbols.inputs[culprit.input]
        # The finding stands where the section's own text begins to depend on it; what follows are the steps from there.
        first = next((i for i, s in enumerate(culprit.via) if s.leaves), None)
        here = culprit.via[first].span if first is not None else culprit.at
        steps = [Label(s.span, s.text) for i, s in enumerate(culprit.via) if i != first]
        if first is not None:
            steps.append(Label(culprit.at, f"reads `{culprit.input}`"))
        origin = Label(
            decl.cls.span if decl.cls is not None else decl.name.span, f"`{culprit.input}` is `@{effective}`"
        )
        path = " -> ".join(
            (f"`{name.name}` @{declared}", *(s.text for s in culprit.via), f"`{culprit.input}` @{effective}")
        )
        what_here = (
            culprit.via[first].text if first is not None else f"reads `{culprit.input}`, which is `@{effective}`"
        )
        self.sink.report(
            Diagnostic(
                "PC402",
                f"{what} `{name.name}` is declared `@{declared}` but depends on `{culprit.input}`, which is `@{effective}`",
                Label(here, what_here),
                (Label(cls.span, f"promised `@{declared}` here"), *steps, origin),
                notes=(f"the path: {path}",),
                help=f"declare `{name.name}` as `@{effective}` and place it behind what is more stable, "
                f"or move the text that reads `{culprit.input}` to a section of its own",
                fix=Fix(f"write `@{effective}`", (Edit(cls.span, effective),), Applicability.UNSAFE),
            )
        )
