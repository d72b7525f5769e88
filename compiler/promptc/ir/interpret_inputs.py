"""Check the inputs of a program and bring them to the form that the interpreter computes with."""

import math
from collections.abc import Mapping
from typing import Any, assert_never

from promptc.ir.model import Field, Input, Program, RecordType
from promptc.runtime.errors import InputError
from promptc.types import Bool, Enum, Int, Json, List, Nothing, Optional, Record, Text, Type

SAFE_INT = 2**53 - 1
MAX_JSON_DEPTH = 100


def check_input(program: Program, declared: Input, inputs: Mapping[str, object]) -> Any:
    """The value that counts for one input: given or default, checked, cut.

    Raises:
        InputError: The value is missing or does not fit the declaration.
    """
    records = {record.name: record for record in program.records}
    if declared.name in inputs:
        value = inputs[declared.name]
    elif declared.has_default:
        value = declared.default
    elif isinstance(declared.type, Optional):
        value = None
    else:
        raise InputError(declared.name, "is missing")
    checked = _check(value, declared.type, declared.name, records)
    if declared.max_chars is None or checked is None or len(checked) <= declared.max_chars:
        return checked
    if declared.cut is None:
        raise InputError(declared.name, f"has {len(checked)} characters, at most {declared.max_chars} are allowed")
    return checked[: declared.max_chars] + declared.cut


def check_text(value: object, where: str) -> str:
    """A text without lone surrogates.

    Raises:
        InputError: It is something else.
    """
    if not isinstance(value, str):
        raise InputError(where, "expected a text")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise InputError(where, "contains a lone surrogate")
    return value


def _check(value: object, kind: Type, where: str, records: Mapping[str, RecordType]) -> Any:
    match kind:
        case Text():
            return check_text(value, where)
        case Bool():
            if not isinstance(value, bool):
                raise InputError(where, "expected a bool")
            return value
        case Int(low=low, high=high):
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError(where, "expected an int")
            low, high = (-SAFE_INT if low is None else low), (SAFE_INT if high is None else high)
            if not low <= value <= high:
                raise InputError(where, f"must be between {low} and {high}")
            return value
        case Enum(members=members):
            if not isinstance(value, str):
                raise InputError(where, "expected a text")
            if value not in members:
                raise InputError(where, "must be one of " + ", ".join(f"`{m}`" for m in members))
            return value
        case Json():
            check_json(value, where)
            return value
        case Nothing():
            if value is not None:
                raise InputError(where, "expected none")
            return None
        case Optional(item=item):
            return None if value is None else _check(value, item, where, records)
        case List(item=item):
            if not isinstance(value, list | tuple):
                raise InputError(where, "expected a list")
            return [_check(one, item, f"{where}[{at}]", records) for at, one in enumerate(value)]
        case Record(name=name):
            return _record(value, records[name], where, records)
        case _:
            assert_never(kind)


def _record(value: object, kind: RecordType, where: str, records: Mapping[str, RecordType]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(where, f"expected a record {kind.name}")
    names = {field.name for field in kind.fields}
    for name in value:
        if name not in names:
            raise InputError(where, f"has the member `{name}`, which `{kind.name}` does not declare")
    return {field.name: _field(value, field, where, records) for field in kind.fields}


def _field(record: Mapping[str, object], field: Field, where: str, records: Mapping[str, RecordType]) -> Any:
    place = f"{where}.{field.name}"
    if field.name in record:
        return _check(record[field.name], field.type, place, records)
    if field.has_default:
        return _check(field.default, field.type, place, records)
    if isinstance(field.type, Optional):
        return None
    raise InputError(place, "is missing")


def check_json(value: object, where: str, depth: int = 0) -> None:
    """Check that a value has a JSON form and is not nested too deeply.

    Raises:
        InputError: It has none.
    """
    if depth > MAX_JSON_DEPTH:
        raise InputError(where, f"is nested more than {MAX_JSON_DEPTH} levels deep")
    if value is None or isinstance(value, bool | int):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(where, "contains a number that JSON cannot write")
    elif isinstance(value, str):
        check_text(value, where)
    elif isinstance(value, list | tuple):
        for item in value:
            check_json(item, where, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise InputError(where, "has a key that is not a text")
            check_text(key, where)
            check_json(item, where, depth + 1)
    else:
        raise InputError(where, "is not a JSON value")
