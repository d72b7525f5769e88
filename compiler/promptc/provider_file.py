"""Reads a project's own provider facts: a YAML file of overrides, every fault at its place."""

import re

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.providers.overrides import load_overrides
from promptc.providers.registry import Registry
from promptc.source import Source, Span
from promptc.syntax.yaml_nodes import YamlMapping, YamlScalar, compose
from promptc.syntax.yaml_plain import KEY, Loc, Spans, place_of, plain_data
from promptc.syntax.yaml_values import core_value

_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]+")


def read_provider_file(source: Source, sink: Sink) -> Registry:
    """The registry that a file of overrides gives; what cannot be used is reported and left out.

    Diagnostics:
        PC677, and what any YAML can have wrong (PC150 and following).
    """
    found = Sink()
    root, whole = compose(source, found)
    sink.extend(found.sorted())
    if not whole or found.has_errors or root is None:
        return Registry(source=source)
    if not isinstance(root, YamlMapping):
        message = "the file of provider facts is not a mapping of provider ids"
        sink.report(Diagnostic("PC677", message, Label(root.span)))
        return Registry(source=source)
    spans: Spans = {}
    data = plain_data(root, spans, scalar=_scalar)

    def place(loc: Loc, key: bool) -> Span | None:
        return place_of((*loc, KEY) if key else loc, spans)

    registry = load_overrides(data if isinstance(data, dict) else {}, place=place, source=source)
    sink.extend(registry.diagnostics)
    return registry


def _scalar(node: YamlScalar) -> object:
    # Specs have no fractions, prices have.
    if node.style == "plain" and _DECIMAL.fullmatch(node.value):
        return float(node.value)
    return core_value(node)
