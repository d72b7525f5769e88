"""The declarations of one compilation, by kind and name."""

from dataclasses import dataclass, field

from promptc.semantics.lattice import Chain
from promptc.syntax import nodes
from promptc.syntax.traffic_nodes import TrafficDecl
from promptc.types import Type


@dataclass(slots=True)
class Symbols:
    """What was declared in the root module and everything it uses: one flat namespace a kind.

    Attributes:
        values: Inputs and gates share one namespace, since expressions name both.
        inputs, gates: The same, each kind by itself, in order of declaration.
        input_types, field_types: Resolved types; a name is missing where its type could not be resolved.
    """

    chain: Chain = field(default_factory=Chain)
    records: dict[str, nodes.RecordDecl] = field(default_factory=dict)
    scopes: dict[str, nodes.ScopeDecl] = field(default_factory=dict)
    envelopes: dict[str, nodes.EnvelopeDecl] = field(default_factory=dict)
    values: dict[str, nodes.InputDecl | nodes.GateDecl] = field(default_factory=dict)
    inputs: dict[str, nodes.InputDecl] = field(default_factory=dict)
    gates: dict[str, nodes.GateDecl] = field(default_factory=dict)
    sections: dict[str, nodes.SectionDecl] = field(default_factory=dict)
    prompts: dict[str, nodes.PromptDecl] = field(default_factory=dict)
    samples: dict[str, nodes.SampleDecl] = field(default_factory=dict)
    requires: list[nodes.RequireDecl] = field(default_factory=list)
    limits: list[nodes.LimitDecl] = field(default_factory=list)
    traffic: TrafficDecl | None = None
    allows: list[nodes.Allow] = field(default_factory=list)
    input_types: dict[str, Type] = field(default_factory=dict)
    field_types: dict[str, dict[str, Type]] = field(default_factory=dict)
