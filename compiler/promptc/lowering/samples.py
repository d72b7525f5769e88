"""The samples of a spec as plain values: inputs, and the conversation so far."""

from dataclasses import dataclass

from promptc.ir.model import Program
from promptc.semantics.constants import constant
from promptc.semantics.facts import Facts

DEFAULT_MESSAGE = "Hello."


@dataclass(frozen=True, slots=True)
class SampleValues:
    """One sample.

    Attributes:
        inputs: JSON-like values by input name; inputs that the prompt does not read are left out.
        messages: The effective view; one short user message where the sample says nothing.
    """

    name: str
    inputs: dict[str, object]
    messages: tuple[dict[str, object], ...]


def samples_of(facts: Facts, program: Program) -> tuple[SampleValues, ...]:
    """The samples of one prompt, in order of declaration. The compilation must have no errors."""
    wanted = {i.name for i in program.inputs}
    out: list[SampleValues] = []
    for name, decl in facts.symbols.samples.items():
        if decl.prompt.name != program.name:
            continue
        inputs = {
            b.name.name: constant(b.value, facts.symbols.input_types[b.name.name], facts.symbols)
            for b in decl.bindings
            if b.name.name in wanted
        }
        messages: tuple[dict[str, object], ...] = tuple(
            {"role": m.role, "content": m.text.value} for m in decl.messages
        )
        out.append(SampleValues(name, inputs, messages or ({"role": "user", "content": DEFAULT_MESSAGE},)))
    return tuple(out)
