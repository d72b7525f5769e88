"""Check that untrusted text goes only where something keeps it from being taken for the author's (DOMAIN, I)."""

from collections.abc import Iterator, Sequence

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts, PlacedLane
from promptc.semantics.taint import Taint, envelope_texts, tag_names
from promptc.source import Span
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes


def check_trust(facts: Facts, sink: Sink) -> None:
    """Check every lane and every tool that a spec writes.

    Diagnostics:
        PC701 untrusted text in a tool, PC702 untrusted text in a message without an envelope.
    """
    if not _any_untrusted(facts):
        return
    seen: set[Span] = set()
    for layout in facts.layouts.values():
        for tool in layout.tools:
            if isinstance(tool, nodes.ToolDecl):
                _tool(facts, tool, seen, sink)
        for lane in (layout.preamble, layout.tail):
            if lane is not None and not tag_names(envelope_texts(lane)):
                _lane(facts, lane, seen, sink)


def _any_untrusted(facts: Facts) -> bool:
    inputs, records = facts.symbols.inputs.values(), facts.symbols.records.values()
    return any(i.untrusted for i in inputs) or any(f.untrusted for r in records for f in r.fields)


def _tool(facts: Facts, tool: nodes.ToolDecl, seen: set[Span], sink: Sink) -> None:
    for output in _untrusted_outputs(facts, (tool.description,)):
        if output.span not in seen:
            seen.add(output.span)
            message = f"untrusted text goes into the description of the tool `{tool.name.name}`"
            label = Label(output.span, "a model takes this for what the tool does")
            help = "say it in a section of the `tail` or `preamble` lane, in an envelope"
            sink.report(Diagnostic("PC701", message, label, help=help))


def _lane(facts: Facts, lane: PlacedLane, seen: set[Span], sink: Sink) -> None:
    kind = lane.node.kind
    for placed in lane.sections:
        content = placed.decl.content
        bodies: Sequence[ast.BodySource | None]
        bodies = (content.first, content.changed, content.gone) if isinstance(content, nodes.DeltaBody) else (content,)
        for output in _untrusted_outputs(facts, bodies):
            if output.span not in seen:
                seen.add(output.span)
                why = f"the lane `{kind}` puts it into a message of the user, and nothing marks where it ends"
                if any(envelope_texts(lane)):
                    why = f"the envelope of the lane `{kind}` has no tag that could be kept out of it"
                sink.report(
                    Diagnostic(
                        "PC702",
                        f"untrusted text in section `{placed.name}` stands in no envelope that protects it",
                        Label(output.span, "comes from outside"),
                        notes=(why,),
                        help=f"name an envelope whose texts are tags: `{kind} in reminder {{`",
                    )
                )


def _untrusted_outputs(facts: Facts, sources: Sequence[ast.BodySource | None]) -> Iterator[ast.Output]:
    for source in sources:
        body = facts.bodies.get(source) if source is not None else None
        if body is not None:
            yield from _in_parts(facts, Taint(facts, body), body.parts)


def _in_parts(facts: Facts, taint: Taint, parts: Sequence[ast.Part]) -> Iterator[ast.Output]:
    for part in parts:
        match part:
            case ast.Output(value=value):
                if taint.of(value):
                    yield part
            case ast.If(branches=branches, orelse=orelse):
                for branch in branches:
                    yield from _in_parts(facts, taint, branch.body)
                yield from _in_parts(facts, taint, orelse)
            case ast.For(body=body, orelse=orelse):
                yield from _in_parts(facts, taint, body)
                yield from _in_parts(facts, taint, orelse)
            case ast.Include(name=name):
                section = facts.symbols.sections.get(name.name)
                if section is not None and not isinstance(section.content, nodes.DeltaBody):
                    yield from _untrusted_outputs(facts, (section.content,))
            case _:
                continue
