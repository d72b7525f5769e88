"""Langfuse exports of observations: rows in either spelling, an answer of the API, a downloaded trace."""

from collections.abc import Iterator

from promptc.streams.json_value import JsonObject, JsonValue, has_member, member
from promptc.streams.sources.members import first_of, is_messages, made, unpacked
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each

_KINDS = ("GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EMBEDDING", "EVALUATOR", "GUARDRAIL")


def _matches(value: JsonValue) -> bool:
    return any(_is_row(row) for row, _ in _rows(value))


def _is_row(value: JsonValue) -> bool:
    named = has_member(value, "traceId") or has_member(value, "trace_id")
    return named and member(value, "type") in _KINDS


def _rows(value: JsonValue) -> Iterator[tuple[JsonValue, str]]:
    for name in ("observations", "data"):
        rows = member(value, name)
        if isinstance(rows, list):
            yield from ((row, f"/{name}/{index}") for index, row in enumerate(rows))
            return
    yield value, ""


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    for row, pointer in _rows(value):
        if member(row, "type") != "GENERATION":
            continue
        body = _body(row)
        if body is None:
            continue
        yield Part(
            body=body,
            where=below(where, f"{pointer}/input"),
            at=first_of(row, "startTime", "start_time"),
            usage=unpacked(first_of(row, "usageDetails", "usage_details", "usage")),
            session=first_of(row, "sessionId", "session_id") or first_of(value, "sessionId", "session_id"),
        )


def _body(row: JsonValue) -> JsonValue:
    given = unpacked(member(row, "input"))
    model = first_of(row, "model", "provided_model_name", "providedModelName")
    if is_messages(given):
        settings = unpacked(first_of(row, "modelParameters", "model_parameters"))
        return made(("model", model), *_settings(settings), ("messages", given))
    if isinstance(given, tuple) and not has_member(given, "model"):
        return (*given, ("model", model)) if model is not None else given
    return given


def _settings(value: JsonValue) -> JsonObject:
    # Parameters of the same names as the two members that are written here would be read in their place.
    return tuple(pair for pair in value if pair[0] not in ("model", "messages")) if isinstance(value, tuple) else ()


FORMAT = SourceFormat(
    "langfuse",
    "Langfuse export",
    _matches,
    each(_read),
    "`input` is what an SDK chose to log: tools, system text and cache markers are there only if it logged them",
)
