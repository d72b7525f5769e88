"""At which stage a value is known: the latest stage among all inputs that it reads."""

from collections.abc import Iterable

from promptc.ir.model import Gate, GateRef, InputRef, Program, Require
from promptc.ir.walk import child_names

BUILD = -1
"""The stage of what reads no input."""


def reads(node: object) -> tuple[frozenset[str], frozenset[str]]:
    """Names of the inputs and of the gates that occur anywhere in a node, or in the nodes of a tuple."""
    inputs: set[str] = set()
    gates: set[str] = set()
    _collect(node, inputs, gates)
    return frozenset(inputs), frozenset(gates)


def _collect(node: object, inputs: set[str], gates: set[str]) -> None:
    if isinstance(node, InputRef):
        inputs.add(node.name)
    elif isinstance(node, GateRef):
        gates.add(node.name)
    elif isinstance(node, tuple):
        for item in node:
            _collect(item, inputs, gates)
    else:
        for name in child_names(node):
            _collect(getattr(node, name), inputs, gates)


class Stages:
    """The stages of one program.

    Attributes:
        names: Classes that have inputs, lowest first.
    """

    def __init__(self, program: Program) -> None:
        self.names = program.stages
        self._of_input = {declared.name: program.stages.index(declared.cls) for declared in program.inputs}
        self._gates = {gate.name: gate for gate in program.gates}
        self._of_gate: dict[str, int] = {}

    def of_input(self, name: str) -> int:
        """Stage of an input, 0 for the first."""
        return self._of_input[name]

    def of_gate(self, gate: Gate) -> int:
        """Stage at which a gate is known; `BUILD` when it reads nothing."""
        if gate.name not in self._of_gate:
            self._of_gate[gate.name] = self.of(gate.value)
        return self._of_gate[gate.name]

    def of(self, *nodes: object) -> int:
        """Stage at which everything that some nodes read is known; `BUILD` when they read nothing."""
        return max((self._of(node) for node in nodes), default=BUILD)

    def _of(self, node: object) -> int:
        inputs, gates = reads(node)
        known: Iterable[int] = [self._of_input[name] for name in inputs]
        return max([BUILD, *known, *(self.of_gate(self._gates[name]) for name in gates)])

    def of_require(self, require: Require) -> int:
        """Stage at which a requirement is checked; the first one for a requirement that reads nothing."""
        return max(0, self.of(require.value))
