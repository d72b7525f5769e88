"""Bound what a spec can make the compiler and the assembler do: nesting of loops, and the size of expanded text."""

from dataclasses import dataclass

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts
from promptc.semantics.passes.find_cycles import includes_in
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes

# Four nested loops walk servers, their tools, parameters and values; nothing real was found that needs more.
MAX_LOOPS = 4
# Tags in tags, includes counted. Python refuses more than a hundred levels of indentation.
MAX_TAGS = 40
# Parts and bytes after includes are expanded and loops over literal lists are counted out.
MAX_PARTS = 200_000
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Weight:
    """What a body expands to.

    Attributes:
        loops: Deepest nesting of loops.
        tags: Deepest nesting of loops and conditions.
        parts: Parts that are written at most, a loop over an input counted once.
        bytes: UTF-8 bytes of literal text, likewise.
    """

    loops: int = 0
    tags: int = 0
    parts: int = 0
    bytes: int = 0


def check_expansion(facts: Facts, sink: Sink) -> bool:
    """Whether every body stays within the bounds.

    Diagnostics:
        PC322 loops or tags nested too deeply, PC323 text multiplied beyond all use.
    """
    scale = _Scale(facts)
    good = True
    for source, body in facts.bodies.items():
        weight = scale.body(body)
        if weight.loops > MAX_LOOPS:
            good = False
            sink.report(
                Diagnostic(
                    "PC322",
                    f"loops are nested {weight.loops} deep here, includes counted; the limit is {MAX_LOOPS}",
                    Label(source.span),
                    help="flatten the data in the host, and pass one list",
                )
            )
        elif weight.tags > MAX_TAGS:
            good = False
            sink.report(
                Diagnostic(
                    "PC322",
                    f"tags are nested {weight.tags} deep here, includes counted; the limit is {MAX_TAGS}",
                    Label(source.span),
                    help="compute the condition in the host, and pass it as one input",
                )
            )
        # Everything that includes a section too large is too large as well; the first one is the cause.
        if _exceeds(weight) and not any(_exceeds(scale.section(name)) for name, _ in includes_in(body.parts)):
            good = False
            sink.report(
                Diagnostic(
                    "PC323",
                    f"this text expands to {weight.parts:,} parts and {weight.bytes:,} bytes",
                    Label(source.span),
                    notes=(f"the limits are {MAX_PARTS:,} parts and {MAX_BYTES:,} bytes",),
                    help="sections that include each other again and again multiply; include each once",
                )
            )
    return good


def _exceeds(weight: Weight) -> bool:
    return weight.parts > MAX_PARTS or weight.bytes > MAX_BYTES


class _Scale:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._sections: dict[str, Weight] = {}

    def body(self, body: ast.Body) -> Weight:
        return self._parts(body.parts)

    def _parts(self, parts: tuple[ast.Part, ...]) -> Weight:
        loops = tags = count = size = 0
        for part in parts:
            weight = self._part(part)
            loops = max(loops, weight.loops)
            tags = max(tags, weight.tags)
            count += 1 + weight.parts
            size += weight.bytes
        return Weight(loops, tags, count, size)

    def _part(self, part: ast.Part) -> Weight:
        match part:
            case ast.Literal(text=text):
                return Weight(bytes=len(text.encode("utf-8", "surrogatepass")))
            case ast.If(branches=branches, orelse=orelse):
                arms = [self._parts(b.body) for b in branches] + [self._parts(orelse)]
                return Weight(
                    max(a.loops for a in arms),
                    max(a.tags for a in arms) + 1,
                    sum(a.parts for a in arms),
                    sum(a.bytes for a in arms),
                )
            case ast.For(iterable=iterable, body=body, orelse=orelse):
                inside, rest = self._parts(body), self._parts(orelse)
                times = max(len(iterable.items), 1) if isinstance(iterable, ex.ListLiteral) else 1
                return Weight(
                    max(inside.loops + 1, rest.loops),
                    max(inside.tags, rest.tags) + 1,
                    times * inside.parts + rest.parts,
                    times * inside.bytes + rest.bytes,
                )
            case ast.Include(name=name):
                return self.section(name.name)
            case _:
                return Weight()

    def section(self, name: str) -> Weight:
        if name not in self._sections:
            # A circle is reported elsewhere; here it weighs nothing.
            self._sections[name] = Weight()
            section = self.facts.symbols.sections.get(name)
            if section is not None and not isinstance(section.content, nodes.DeltaBody):
                body = self.facts.bodies.get(section.content)
                if body is not None:
                    self._sections[name] = self._parts(body.parts)
        return self._sections[name]
