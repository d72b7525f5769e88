"""Read a scenario from YAML; everything that does not fit is reported at its place in the file."""

from pydantic import BaseModel, ValidationError

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.source import Source, Span
from promptc.syntax.yaml_nodes import YamlMapping, compose
from promptc.syntax.yaml_plain import KEY, Loc, Spans, place_of, plain_data
from promptc.traffic.scenario import (
    Clock,
    Compact,
    Connect,
    Disconnect,
    Event,
    Fork,
    Scenario,
    ToolRound,
    Turn,
)

# What is allowed below a key, for the help of a key that is not.
_MODELS: dict[str, type[BaseModel]] = {
    "turns": Turn, "tools": ToolRound, "before": Event, "clock": Clock, "connect": Connect, "disconnect": Disconnect,
    "compact": Compact, "fork": Fork,
}  # fmt: skip
# pydantic's own wording of the commonest faults, said with the words of the file.
_WORDINGS = {
    "string_type": "is not a text",
    "int_type": "is not a whole number",
    "dict_type": "is not a mapping",
    "tuple_type": "is not a list",
    "model_type": "is not a mapping",
    "too_short": "is empty",
    "literal_error": "has a value that it cannot have",
}


def read_scenario(source: Source, sink: Sink) -> tuple[Scenario | None, Spans]:
    """The scenario of a source, None after an error; and the place of every value, by its path of keys and indices.

    Diagnostics:
        PC840, and what any YAML can have wrong (PC150 and following).
    """
    spans: Spans = {}
    found = Sink()
    root, whole = compose(source, found)
    sink.extend(found.sorted())
    if found.has_errors or not whole:
        return None, spans
    if not isinstance(root, YamlMapping):
        at = root.span if root is not None else Span(source.path, 0, 0)
        sink.report(Diagnostic("PC840", "the scenario is not a mapping with `turns`", Label(at)))
        return None, spans
    data = plain_data(root, spans)
    try:
        return Scenario.model_validate(data), spans
    except ValidationError as failure:
        problems = failure.errors(include_url=False, include_input=False)
        for problem in problems:
            # A list with a faulty item is also said to be too short; that is no second fault.
            loc = problem["loc"]
            if not any(len(other["loc"]) > len(loc) and other["loc"][: len(loc)] == loc for other in problems):
                sink.report(_problem(problem["type"], loc, problem["msg"], problem.get("ctx", {}), spans))
        return None, spans


def _problem(kind: str, loc: Loc, said: str, context: dict[str, object], spans: Spans) -> Diagnostic:
    name = f"`{loc[-1]}`" if loc and isinstance(loc[-1], str) else "this entry" if loc else "the scenario"
    shown = (*loc, KEY) if kind == "extra_forbidden" else loc
    label = Label(place_of(shown, spans) or Span("", 0, 0))
    if kind == "extra_forbidden":
        model = next((_MODELS[k] for k in reversed(loc[:-1]) if isinstance(k, str) and k in _MODELS), Scenario)
        known = tuple(model.model_fields)
        near = suggest(str(loc[-1]), list(known))
        help = f"did you mean `{near}`?" if near else "the keys here are " + ", ".join(f"`{k}`" for k in known)
        return Diagnostic("PC840", f"{name} is no key of this mapping", label, help=help)
    if kind == "missing":
        # What is missing is nowhere; the mapping that lacks it is shown.
        return Diagnostic("PC840", f"{name} is missing", Label(label.span, "in this mapping"))
    if kind == "value_error":
        reason = str(context.get("error", said))
        message = f"{name}: {reason}" if loc else reason
    else:
        message = f"{name} {_WORDINGS[kind]}" if kind in _WORDINGS else f"{name}: {said[:1].lower()}{said[1:]}"
    return Diagnostic("PC840", message, label)
