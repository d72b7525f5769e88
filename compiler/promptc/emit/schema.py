"""JSON Schema (2020-12) of the inputs of a program."""

import json

from promptc.ir.interpret_inputs import SAFE_INT
from promptc.ir.model import Field, Input, Program, RecordType
from promptc.types import Bool, Enum, Int, Json, List, Nothing, Optional, Record, Text, Type

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def input_schema(program: Program) -> bytes:
    """The schema of all inputs at once; below `$defs`, one for the inputs of each stage and one for each record.

    The inputs of a stage have the name of their class with `@` in front, which no record can have.
    """
    everything = _object(program.inputs)
    definitions: dict[str, object] = {}
    for stage in program.stages:
        definitions[f"@{stage}"] = _object([given for given in program.inputs if given.cls == stage])
    for record in program.records:
        definitions[record.name] = _record(record)
    schema = {"$schema": DRAFT, "title": f"Inputs of {program.name}", **everything, "$defs": definitions}
    return (json.dumps(schema, ensure_ascii=False, indent=2) + "\n").encode()


def _record(record: RecordType) -> dict[str, object]:
    # The interpreter ignores members that it does not know; a schema that others validate with should not.
    return _object(record.fields)


def _object(members: tuple[Field, ...] | tuple[Input, ...] | list[Input]) -> dict[str, object]:
    properties = {member.name: _member(member) for member in members}
    required = [m.name for m in members if not m.has_default and not isinstance(m.type, Optional)]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _member(member: Field | Input) -> dict[str, object]:
    schema = _type(member.type)
    if isinstance(member, Input) and member.max_chars is not None and member.cut is None:
        schema = _limited(schema, member.max_chars)
    return {**schema, "default": member.default} if member.has_default else schema


def _limited(schema: dict[str, object], limit: int) -> dict[str, object]:
    # JSON Schema counts a string's length in code points, as the language does (RFC 8259 characters).
    return {**schema, "maxLength": limit}


def _type(kind: Type) -> dict[str, object]:
    match kind:
        case Text():
            return {"type": "string"}
        case Bool():
            return {"type": "boolean"}
        case Int(low=low, high=high):
            low, high = (-SAFE_INT if low is None else low), (SAFE_INT if high is None else high)
            return {"type": "integer", "minimum": low, "maximum": high}
        case Enum(members=members):
            return {"enum": list(members)}
        case Json():
            return {}
        case Nothing():
            return {"type": "null"}
        case Record(name=name):
            return {"$ref": f"#/$defs/{name}"}
        case List(item=item):
            return {"type": "array", "items": _type(item)}
        case Optional(item=Json()):
            return {}
        case Optional(item=Text() | Bool() | Int() as item):
            inner = _type(item)
            return {**inner, "type": [str(inner["type"]), "null"]}
        case Optional(item=item):
            return {"anyOf": [_type(item), {"type": "null"}]}
