"""Import texts in tests, compile what comes out, and render it."""

import json
from collections.abc import Mapping
from typing import Any

from promptc.diagnostics.model import Severity
from promptc.diagnostics.render.dispatch import render_diagnostics
from promptc.diagnostics.sink import severity_of
from promptc.importing.run import Imported, Options, import_source
from promptc.ir.interpret import assemble
from promptc.ir.model import Program
from promptc.pipeline import Compilation
from promptc.source import Source, SourceSet
from support.specs import compile_text


def imported(name: str, text: str, files: Mapping[str, str] | None = None, options: Options | None = None) -> Imported:
    """What becomes of a text under a name, with other texts beside it."""
    beside = dict(files or {})

    def fetch(path: str) -> Source | None:
        return Source(path, beside[path]) if path in beside else None

    return import_source(Source(name, text), fetch, options or Options())


def spec_of(name: str, text: str, **more: Any) -> str:
    """The spec of a text that can be imported."""
    found = imported(name, text, **more)
    assert found.spec is not None, found.diagnostics
    return found.spec.dsl


def report(found: Imported) -> str:
    """The findings, one a line."""
    sources = SourceSet()
    for source in (found.source, *found.parts):
        sources.add(source)
    return render_diagnostics("concise", found.diagnostics, sources, False)


def codes(found: Imported) -> list[str]:
    """The codes of the findings, each once."""
    return sorted({d.code for d in found.diagnostics})


def messages(found: Imported, code: str) -> list[str]:
    """The messages of the findings with a code."""
    return [d.message for d in found.diagnostics if d.code == code]


def compiled(spec: str) -> Compilation:
    """A spec without errors, compiled."""
    compilation = compile_text(spec)
    assert [d for d in compilation.diagnostics if severity_of(d) is Severity.ERROR] == [], spec
    return compilation


def system_text(spec: str, values: Mapping[str, Any]) -> str:
    """What the system lane of the only prompt says for some inputs; those that the spec does not declare are let go."""
    (program,) = compiled(spec).programs.values()
    inputs = fit(program, values)
    messages = [{"role": "user", "content": "Hello."}]
    body = json.loads(assemble(program, inputs, messages, model=None if program.model is not None else "model").body)
    return "".join(block["text"] for block in body.get("system", []))


def fit(program: Program, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values for the inputs of a program, as it declares them; an absent one is left out."""
    records = {record.name: record for record in program.records}
    given = {key: value for key, value in values.items() if value is not None}
    return {field.name: _fit(given[field.name], field.type, records) for field in program.inputs if field.name in given}


def _fit(value: Any, kind: Any, records: Mapping[str, Any]) -> Any:
    """A value as a spec that uses little of it declares it: fewer members, and only the truth of what is only tested."""
    match type(kind).__name__:
        case "Bool":
            return bool(value)
        case "List":
            return [_fit(item, kind.item, records) for item in value]
        case "Optional":
            return _fit(value, kind.item, records)
        case "Record":
            fields = records[kind.name].fields
            return {field.name: _fit(value[field.name], field.type, records) for field in fields if field.name in value}
        case _:
            return str(value) if type(kind).__name__ == "Text" else value
