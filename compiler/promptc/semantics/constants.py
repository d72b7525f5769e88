"""The plain value of a constant expression, checked against a type: defaults and samples."""

from promptc.semantics.symbols import Symbols
from promptc.source import Span
from promptc.syntax import expressions as ex
from promptc.types import Bool, Enum, Int, Json, List, Nothing, Optional, Record, Text, Type, describe

MAX_EXACT = 2**53 - 1


class MisfitError(Exception):
    """A constant does not fit the type that it is given for.

    Attributes:
        span: The smallest part that does not fit.
        why: What is wrong, to stand after a colon.
    """

    def __init__(self, span: Span, why: str) -> None:
        super().__init__(why)
        self.span = span
        self.why = why


def constant(expr: ex.Expr, kind: Type, symbols: Symbols) -> object:
    """The JSON-like value of a constant expression of a type.

    Returns:
        str, int, bool, None, list, or dict of such values; records are complete, defaults filled in.

    Raises:
        MisfitError: It is not constant, or does not fit.
    """
    match kind, expr:
        case Optional(), ex.NoneLiteral():
            return None
        case Optional(item=item), _:
            return constant(expr, item, symbols)
        case Text(), ex.TextLiteral(value=value):
            return value
        case Bool(), ex.BoolLiteral(value=flag):
            return flag
        case Int(), ex.IntLiteral() | ex.Negate(operand=ex.IntLiteral()):
            return _int(expr, kind)
        case Enum(members=members), ex.TextLiteral(value=value):
            if value not in members:
                raise MisfitError(expr.span, f'`"{value}"` is not a member of `{describe(kind)}`')
            return value
        case List(item=item), ex.ListLiteral(items=items):
            return [constant(i, item, symbols) for i in items]
        case Record(name=name), ex.RecordLiteral():
            return _record(expr, name, symbols)
        case Json(), _:
            return _json(expr)
        case Nothing(), ex.NoneLiteral():
            return None
    raise MisfitError(expr.span, f"`{describe(kind)}` is expected here")


def _int(expr: ex.Expr, kind: Int) -> int:
    value = -expr.operand.value if isinstance(expr, ex.Negate) and isinstance(expr.operand, ex.IntLiteral) else None
    if isinstance(expr, ex.IntLiteral):
        value = expr.value
    assert value is not None
    low = -MAX_EXACT if kind.low is None else kind.low
    high = MAX_EXACT if kind.high is None else kind.high
    if not low <= value <= high:
        raise MisfitError(expr.span, f"{value} is outside {low}..{high}")
    return value


def _record(expr: ex.RecordLiteral, name: str, symbols: Symbols) -> dict[str, object]:
    fields = symbols.field_types.get(name, {})
    given: dict[str, ex.RecordField] = {}
    for field in expr.fields:
        if field.name.name not in fields:
            raise MisfitError(field.name.span, f"`{name}` has no field `{field.name.name}`")
        if field.name.name in given:
            raise MisfitError(field.name.span, f"`{field.name.name}` is given twice")
        given[field.name.name] = field
    out: dict[str, object] = {}
    decls = {f.name.name: f for f in symbols.records[name].fields}
    for field_name, kind in fields.items():
        decl = decls[field_name]
        if field_name in given:
            out[field_name] = constant(given[field_name].value, kind, symbols)
        elif decl.default is not None:
            out[field_name] = constant(decl.default, kind, symbols)
        elif isinstance(kind, Optional):
            out[field_name] = None
        else:
            raise MisfitError(expr.span, f"the field `{field_name}` of `{name}` is missing")
    return out


def _json(expr: ex.Expr) -> object:
    match expr:
        case ex.TextLiteral(value=text):
            return text
        case ex.IntLiteral(value=number):
            return number
        case ex.Negate(operand=ex.IntLiteral(value=number)):
            return -number
        case ex.BoolLiteral(value=flag):
            return flag
        case ex.NoneLiteral():
            return None
        case ex.ListLiteral(items=items):
            return [_json(i) for i in items]
        case ex.RecordLiteral(fields=fields):
            return {f.name.name: _json(f.value) for f in fields}
    raise MisfitError(expr.span, "a constant is expected here")
