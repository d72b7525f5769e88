"""The type of every value in a residual program, for emitters of typed languages."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from promptc.ir.model import (
    Apply,
    Bind,
    Branch,
    Choose,
    Const,
    Each,
    GateRef,
    Get,
    InputRef,
    ListOf,
    Local,
    LoopProperty,
    Program,
    TextOp,
    Value,
)
from promptc.types import Bool, Enum, Int, List, Nothing, Optional, Record, Text, Type

_INTS = {"add", "sub", "mul", "floordiv", "mod", "neg", "length_text", "length_list"}
_TEXTS = {"int_text", "concat", "upper", "lower", "trim", "replace", "indent", "cut", "neutral", "join", "json"}


class Types:
    """Types by name in one program.

    Attributes:
        inputs: Of every input.
        fields: Of every record field, by record and field name.
    """

    def __init__(self, program: Program) -> None:
        self.inputs: dict[str, Type] = {}
        for declared in program.inputs:
            self.inputs[declared.name] = declared.type
        self.fields = {record.name: {field.name: field.type for field in record.fields} for record in program.records}

    def of(self, value: Value, local_types: Mapping[str, Type]) -> Type:
        """The type of a value, given those of the locals that it can refer to."""
        match value:
            case Const(value=known):
                return _of_constant(known)
            case InputRef(name=name):
                return self.inputs[name]
            case GateRef():
                return Bool()
            case Local(name=name):
                return local_types[name]
            case LoopProperty(property=name):
                return Bool() if name in ("first", "last") else Int()
            case Get(record=record, field=name):
                owner = self.of(record, local_types)
                if isinstance(owner, Optional):
                    owner = owner.item
                assert isinstance(owner, Record), "a field is read from something that is not a record"
                return self.fields[owner.name][name]
            case Choose(then=then, orelse=orelse):
                return join((self.of(then, local_types), self.of(orelse, local_types)))
            case ListOf(items=items):
                return List(join(self.of(item, local_types) for item in items))
            case Apply(op=op, args=args):
                return self._of_operation(op, args, local_types)
            case _:
                assert_never(value)

    def _of_operation(self, op: str, args: tuple[Value, ...], local_types: Mapping[str, Type]) -> Type:
        if op in _INTS:
            return Int()
        if op in _TEXTS:
            return Text()
        if op in ("sort", "sort_by", "unique", "reverse_list"):
            return self.of(args[0], local_types)
        if op in ("first", "last"):
            return optional(item_type(self.of(args[0], local_types)))
        if op == "pluck":
            record, name = item_type(self.of(args[0], local_types)), args[1]
            assert isinstance(record, Record) and isinstance(name, Const)
            return List(self.fields[record.name][str(name.value)])
        if op == "default":
            value = self.of(args[0], local_types)
            return join((value.item if isinstance(value, Optional) else value, self.of(args[1], local_types)))
        return Bool()

    def locals_of(self, ops: Iterable[TextOp], local_types: dict[str, Type]) -> dict[str, Type]:
        """Add the types of all locals that some operations bind, in any branch, and return the mapping."""
        for op in ops:
            match op:
                case Bind(local=local, value=value):
                    found = self.of(value, local_types)
                    known = local_types.get(local)
                    local_types[local] = found if known is None else join((known, found))
                case Branch(arms=arms, orelse=orelse):
                    for arm in arms:
                        self.locals_of(arm.body, local_types)
                    self.locals_of(orelse, local_types)
                case Each(local=local, items=items, body=body, orelse=orelse):
                    local_types[local] = item_type(self.of(items, local_types))
                    self.locals_of(body, local_types)
                    self.locals_of(orelse, local_types)
                case _:
                    pass
        return local_types


def optional(kind: Type) -> Type:
    """The optional of a type; of an optional, itself."""
    return kind if isinstance(kind, Optional | Nothing) else Optional(kind)


def item_type(kind: Type) -> Type:
    """The element type of a list type."""
    assert isinstance(kind, List), "a list operation on something that is not a list"
    return kind.item


def join(kinds: Iterable[Type]) -> Type:
    """The least type that holds all of some types; Nothing for none."""
    result: Type | None = None
    for kind in kinds:
        result = kind if result is None else _join(result, kind)
    return Nothing() if result is None else result


def _join(left: Type, right: Type) -> Type:
    if left == right:
        return left
    if isinstance(left, Nothing):
        return optional(right)
    if isinstance(right, Nothing):
        return optional(left)
    if isinstance(left, Optional) or isinstance(right, Optional):
        inner = (
            left.item if isinstance(left, Optional) else left,
            right.item if isinstance(right, Optional) else right,
        )
        return optional(_join(*inner))
    if isinstance(left, Int) and isinstance(right, Int):
        return Int()
    if isinstance(left, Text | Enum) and isinstance(right, Text | Enum):
        return Text()
    assert isinstance(left, List) and isinstance(right, List), "two branches of one value have different types"
    return List(_join(left.item, right.item))


def _of_constant(value: str | int | bool | None) -> Type:
    if value is None:
        return Nothing()
    if isinstance(value, bool):
        return Bool()
    return Int() if isinstance(value, int) else Text()
