"""The type of a filtered or tested value."""

from typing import Protocol

from promptc.diagnostics.suggest import suggest
from promptc.semantics.facts import Facts
from promptc.semantics.filters import (
    FILTERS,
    REFUSED_FILTERS,
    TESTS,
    FilterSpec,
    Parameter,
    expected,
    is_scalar_key,
    is_text,
    takes,
)
from promptc.semantics.scope_env import Env
from promptc.syntax import expressions as ex
from promptc.types import Bool, Enum, Int, List, Optional, Record, Text, Type, describe

_NONDETERMINISTIC_FILTERS = frozenset({"random", "shuffle", "pprint"})


class Typing(Protocol):
    """What the typing of filters needs of the typer."""

    facts: Facts

    def report(self, code: str, node: ex.Node, message: str, label: str = "", **more: str | None) -> None: ...
    def type_of(self, expr: ex.Expr, env: Env) -> Type | None: ...
    def value(self, expr: ex.Expr, env: Env, what: str) -> Type | None: ...


def bind_arguments(
    spec_name: str, parameters: tuple[Parameter, ...], args: tuple[ex.Argument, ...]
) -> dict[str, ex.Argument] | str:
    """Match arguments to parameters; a text says what is wrong."""
    bound: dict[str, ex.Argument] = {}
    positional = [a for a in args if a.name is None]
    if len(positional) > len(parameters):
        return f"`{spec_name}` takes at most {len(parameters)} arguments"
    for parameter, argument in zip(parameters, positional, strict=False):
        bound[parameter.name] = argument
    names = {p.name for p in parameters}
    for argument in args:
        if argument.name is None:
            continue
        if argument.name.name not in names:
            return f"`{spec_name}` has no parameter `{argument.name.name}`"
        if argument.name.name in bound:
            return f"`{argument.name.name}` is given twice"
        bound[argument.name.name] = argument
    for parameter in parameters:
        if parameter.required and parameter.name not in bound:
            return f"`{spec_name}` needs `{parameter.name}`"
    return bound


def filter_type(typer: Typing, expr: ex.Filter, env: Env) -> Type | None:
    """Type of `value | name(args)`."""
    name = expr.name.name
    spec = FILTERS.get(name)
    if spec is None:
        typer.type_of(expr.value, env)
        _read_arguments(typer, expr, env)
        if name in REFUSED_FILTERS:
            code = "PC309" if name in _NONDETERMINISTIC_FILTERS else "PC304"
            typer.report(code, expr.name, f"the filter `{name}` is left out", help=REFUSED_FILTERS[name])
        else:
            near = suggest(name, list(FILTERS))
            hint = f"did you mean `{near}`?" if near else "the filters are: " + ", ".join(sorted(FILTERS))
            typer.report("PC304", expr.name, f"there is no filter `{name}`", help=hint)
        return None
    given = (
        typer.type_of(expr.value, env)
        if spec.takes in ("optional", "any")
        else typer.value(expr.value, env, "filtered")
    )
    bound = bind_arguments(name, spec.parameters, expr.args)
    if isinstance(bound, str):
        _read_arguments(typer, expr, env)
        typer.report("PC306", expr.name, bound)
        return None
    if not _check_arguments(typer, spec, bound, env) or given is None:
        return None
    if name == "default" and not isinstance(given, Optional):
        typer.report(
            "PC306", expr.name, f"`default` has nothing to do: this value is `{describe(given)}`, always there"
        )
        return given
    if not takes(spec, given):
        typer.report("PC301", expr.value, f"`{name}` takes {expected(spec)}, this is `{describe(given)}`")
        return None
    return _result(typer, expr, spec, given, bound, env)


def _read_arguments(typer: Typing, expr: ex.Filter, env: Env) -> None:
    # What the arguments read is read, whatever the filter is: neither a class nor a declaration follows from its name.
    for argument in expr.args:
        typer.type_of(argument.value, env)


def _check_arguments(typer: Typing, spec: FilterSpec, bound: dict[str, ex.Argument], env: Env) -> bool:
    good = True
    for parameter in spec.parameters:
        argument = bound.get(parameter.name)
        if argument is None or parameter.kind == "any":
            continue
        if parameter.kind == "name":
            if not isinstance(argument.value, ex.TextLiteral):
                typer.report(
                    "PC306", argument.value, f"`{parameter.name}` of `{spec.name}` is the quoted name of a field"
                )
                good = False
            continue
        kind = typer.value(argument.value, env, "passed")
        if kind is None:
            good = False
        elif not _fits(parameter, kind):
            message = f"`{parameter.name}` of `{spec.name}` is {_article(parameter.kind)}, this is `{describe(kind)}`"
            typer.report("PC306", argument.value, message)
            good = False
    return good


def _fits(parameter: Parameter, kind: Type) -> bool:
    match parameter.kind:
        case "text":
            return is_text(kind)
        case "int":
            return isinstance(kind, Int)
        case "bool":
            return isinstance(kind, Bool)
        case _:
            return True


def _article(kind: str) -> str:
    return f"an {kind}" if kind == "int" else f"a {kind}"


def _result(
    typer: Typing, expr: ex.Filter, spec: FilterSpec, given: Type, bound: dict[str, ex.Argument], env: Env
) -> Type | None:
    match spec.name:
        case "length" | "count":
            return Int()
        case "first" | "last":
            item = given.item if isinstance(given, List) else given
            return item if isinstance(item, Optional) else Optional(item)
        case "reverse":
            return given
        case "default":
            return _default(typer, expr, given, bound["default_value"], env)
        case "sort" | "unique" | "join" | "map":
            return _over_list(typer, expr, spec, given, bound.get("attribute"))
        case _:
            return Text()


def _default(typer: Typing, expr: ex.Filter, given: Type, argument: ex.Argument, env: Env) -> Type | None:
    kind = typer.value(argument.value, env, "the default")
    inner = given.item if isinstance(given, Optional) else given
    if kind is None or kind == inner or (is_text(kind) and isinstance(inner, Text)):
        return inner
    if is_text(kind) and isinstance(inner, Enum):
        return Text()
    if isinstance(kind, Int) and isinstance(inner, Int):
        return Int()
    if isinstance(kind, List) and isinstance(inner, List) and isinstance(argument.value, ex.ListLiteral):
        return inner
    typer.report("PC306", argument.value, f"the default is `{describe(kind)}`, the value `{describe(inner)}`")
    return None


def _over_list(
    typer: Typing, expr: ex.Filter, spec: FilterSpec, given: Type, attribute: ex.Argument | None
) -> Type | None:
    assert isinstance(given, List)
    item: Type = given.item
    if attribute is not None and isinstance(attribute.value, ex.TextLiteral):
        field = attribute.value.value
        if not isinstance(item, Record):
            typer.report("PC306", attribute.value, f"the elements are `{describe(item)}` and have no fields")
            return None
        fields = typer.facts.symbols.field_types.get(item.name, {})
        if field not in fields:
            near = suggest(field, list(fields))
            hint = f"did you mean `{near}`?" if near else None
            typer.report("PC307", attribute.value, f"`{item.name}` has no field `{field}`", help=hint)
            return None
        item = fields[field]
    if spec.name == "map":
        return List(item)
    if (spec.name == "join" and not is_text(item)) or (spec.name != "join" and not is_scalar_key(item)):
        verb = {"join": "joined", "sort": "sorted", "unique": "compared"}[spec.name]
        hint = 'name a field: `attribute="..."`' if isinstance(item, Record) else None
        typer.report("PC301", expr.value, f"a list of `{describe(item)}` cannot be {verb}", help=hint)
        return None
    return Text() if spec.name == "join" else given


def test_type(typer: Typing, expr: ex.Test, env: Env) -> Type | None:
    """Type of `value is [not] name`: bool."""
    name = expr.name.name
    given = typer.type_of(expr.value, env)
    if name not in TESTS:
        near = suggest(name, list(TESTS))
        hint = f"did you mean `{near}`?" if near else "the tests are: " + ", ".join(TESTS)
        typer.report("PC305", expr.name, f"there is no test `{name}`", help=hint)
        return Bool()
    if expr.args:
        typer.report("PC306", expr.name, f"`{name}` takes no argument")
    if given is not None and name == "empty" and not isinstance(given, Text | List):
        typer.report("PC301", expr.value, f"`empty` takes a text or a list, this is `{describe(given)}`")
    return Bool()
