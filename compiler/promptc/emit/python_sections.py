"""Print the sections of a program: one function per dynamic text, named after its section."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from promptc.emit.names import Names, snake
from promptc.emit.python_literals import comment_text
from promptc.emit.python_names import RESERVED, PythonNames
from promptc.emit.python_parts import Part
from promptc.emit.python_text import Constants, Marks, Writer, indented
from promptc.emit.python_values import Frame, expression
from promptc.ir.infer import Types
from promptc.ir.model import Branch, Lit, Program, Put, Section, TextOp, Value
from promptc.ir.stages import Stages, reads


@dataclass
class SectionCode:
    """Prints texts and conditions of one program.

    Attributes:
        request: Stage of what depends on the conversation or its state.
        functions: Functions printed so far.
        runtime: Names needed from the runtime.
        plain_needed: Records that are turned into dicts.
        build_gates: Constant of every gate that reads no input.
        request_names: Names of variables in the function that makes a request.
    """

    program: Program
    names: PythonNames
    marks: Marks
    constants: Constants
    stages: Stages
    types: Types
    request: int
    functions: list[list[str]] = field(default_factory=list)
    runtime: set[str] = field(default_factory=set)
    plain_needed: set[str] = field(default_factory=set)
    build_gates: dict[str, str] = field(default_factory=dict)
    request_names: Names = field(default_factory=lambda: Names(RESERVED))

    def frame(self) -> Frame:
        """A frame for one function."""
        inputs = {}
        for given in self.program.inputs:
            variable = self.names.stage_variables[self.stages.of_input(given.name)]
            inputs[given.name] = f"{variable}.{self.names.inputs[given.name]}"
        return Frame(
            types=self.types,
            inputs=inputs,
            gates={**self.names.gates, **self.build_gates},
            fields=self.names.fields,
            plain=self.names.plain,
            runtime=self.runtime,
            plain_needed=self.plain_needed,
        )

    def uses(self, *nodes: object) -> tuple[str, ...]:
        """Variables that some nodes read: inputs of stages in order, then gates."""
        inputs, gates = reads(nodes)
        numbers = sorted({self.stages.of_input(name) for name in inputs})
        variables = [self.names.stage_variables[number] for number in numbers]
        return (*variables, *(self.names.gates[name] for name in sorted(gates) if name not in self.build_gates))

    def condition(self, value: Value) -> str:
        """A condition as an expression."""
        return expression(value, self.frame())

    def function(self, name: str, label: str, ops: Sequence[TextOp], note: str, as_bytes: bool) -> tuple[str, str]:
        """Print a function for some operations.

        Returns:
            Its name, and the arguments of a call after the first one.
        """
        uses = self.uses(ops)
        frame = self.frame()
        self.types.locals_of(ops, frame.local_types)
        writer = Writer(
            frame, Names([*RESERVED, *uses]), label, as_bytes, self.marks, self.constants, self.names.records
        )
        body = writer.lines(ops)
        function = self.names.module.claim(name)
        hints = [f"{use}: {self._hint(use)}" for use in uses]
        self.runtime.add("Parts")
        if as_bytes:
            lines = [f"def {function}({', '.join(['out: Parts', *hints])}) -> None:", *indented([note, *body])]
        else:
            body = [note, "out: list[str] = []", *body, 'return "".join(out)']
            lines = [f"def {function}({', '.join(hints)}) -> str:", *indented(body)]
        self.functions.append(lines)
        return function, ", ".join(uses)

    def _hint(self, variable: str) -> str:
        if variable in self.names.stage_variables:
            return self.names.stage_inputs[self.names.stage_variables.index(variable)]
        return "bool"

    def text_call(self, section: Section, ops: Sequence[TextOp], suffix: str) -> str:
        """An expression for a text of a section as it is; prints the function unless the text is known."""
        if all(isinstance(op, Lit) for op in ops):
            return self.constants.plain("".join(op.text for op in ops if isinstance(op, Lit)), section.name + suffix)
        name = f"_text_{snake(section.name)}{suffix}"
        function, args = self.function(name, section.name, ops, self.note(section), as_bytes=False)
        return f"{function}({args})"

    def note(self, section: Section) -> str:
        """The comment that says where a section is declared and what holds for it."""
        gated = ", gated" if section.when is not None else ""
        return f"# {comment_text(self.marks.place(section.span))} @{section.declared}, {section.deliver}{gated}"

    def part(self, section: Section) -> Part:
        """Code that writes a section in place."""
        gate = None if section.when is None else self.condition(section.when)
        if section.deliver == "frozen":
            return self._frozen(section, gate)
        stage = self.stages.of(section.body, section.when)
        uses = frozenset(self.uses(section.body, section.when))
        if section.body and all(isinstance(op, Lit) for op in section.body):
            pieces = [self._literal(section, op) for op in section.body if isinstance(op, Lit)]
            return Part(stage, uses, gate, pieces=tuple(pieces))
        name = f"_write_{snake(section.name)}"
        function, args = self.function(name, section.name, section.body, self.note(section), as_bytes=True)
        call = f"{function}({', '.join(['{target}', *([args] if args else [])])})"
        if never_empty(section.body):
            return Part(stage, uses, gate, call=call)
        prepare = ("part = Parts()", call.replace("{target}", "part"))
        return Part(stage, uses, gate, prepare, "any(part[::2])", call="{target} += part")

    def _literal(self, section: Section, op: Lit) -> str:
        mark = self.marks.of(section.name, "literal", op.span)
        return f"{self.constants.piece(op.text, section.name)}, {mark}"

    def _frozen(self, section: Section, gate: str | None) -> Part:
        self.runtime.add("escape")
        key = "None" if section.key is None else expression(section.key, self.frame())
        name = self.constants.plain(section.name, f"{section.name}_name")
        prepare = (
            f"frozen = work.frozen.get(({name}, {key}))",
            "if frozen is None:",
            f"    frozen = work.freeze({name}, {key}, {self.text_call(section, section.body, '')})",
        )
        pieces = (f"escape(frozen), {self.marks.of(section.name, 'section', section.span)}",)
        uses = frozenset(self.uses(section.body, section.when, section.key))
        return Part(self.request, uses, gate, prepare, "frozen", pieces)

    def seam(self, text: str, label: str) -> tuple[str, ...]:
        """Pieces of a separator or of one end of an envelope."""
        return (f"{self.constants.piece(text, label)}, 2",) if text else ()


def never_empty(ops: Sequence[TextOp]) -> bool:
    """Whether some operations write at least one character whatever the inputs are."""
    for op in ops:
        match op:
            case Lit():
                return True
            case Put(is_int=True):
                return True
            case Branch(arms=arms, orelse=orelse):
                if never_empty(orelse) and all(never_empty(arm.body) for arm in arms):
                    return True
            case _:
                pass
    return False
