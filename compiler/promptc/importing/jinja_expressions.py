"""Jinja2's expressions as those of a spec: the same tree where both mean the same, else the reason why not."""

from promptc.importing.scope import Scope, UnsupportedError, default
from promptc.syntax import expressions as ex

# Filters that give the same text on both sides, with the most arguments that they may have.
_SAME = {"upper": 0, "lower": 0, "trim": 0, "replace": 2, "indent": 2, "length": 0, "count": 0, "join": 2, "reverse": 0}
_TESTS = frozenset({"defined", "undefined", "none"})
_LOOP = frozenset({"index", "index0", "revindex", "revindex0", "length", "first", "last"})


def lower(node: ex.Expr, scope: Scope) -> ex.Expr:
    """The expression for a place that prints, loops or compares.

    Raises:
        UnsupportedError: A spec cannot say it.
    """
    match node:
        case ex.Name(name="loop") | ex.Attribute(value=ex.Name(name="loop")) if not scope.loops:
            raise UnsupportedError("there is no loop around it")
        case ex.Name():
            return scope.names.get(node.name, node)
        case ex.Attribute(value=ex.Name(name="loop")):
            if node.name.name not in _LOOP:
                raise UnsupportedError(f"a loop has no `{node.name.name}` here")
            return node
        case ex.Attribute():
            return ex.Attribute(span=node.span, value=lower(node.value, scope), name=node.name)
        case ex.TextLiteral() | ex.IntLiteral() | ex.BoolLiteral() | ex.NoneLiteral():
            return node
        case ex.ListLiteral():
            return ex.ListLiteral(span=node.span, items=tuple(lower(item, scope) for item in node.items))
        case ex.Negate():
            return ex.Negate(span=node.span, operand=lower(node.operand, scope))
        case ex.Not():
            return ex.Not(span=node.span, operand=condition(node.operand, scope))
        case ex.Binary():
            return _binary(node, scope)
        case ex.Logical():
            return _chosen(node, scope)
        case ex.Compare() | ex.Test():
            return condition(node, scope)
        case ex.Conditional():
            test = condition(node.test, scope)
            then, orelse = lower(node.then, scope), lower(node.orelse, scope)
            return ex.Conditional(span=node.span, test=test, then=then, orelse=orelse)
        case ex.Filter():
            return _filtered(node, scope)
        case ex.Call():
            raise UnsupportedError("a body calls nothing")
        case _:
            raise UnsupportedError("a body has no record literals")


def condition(node: ex.Expr, scope: Scope) -> ex.Expr:
    """The expression for a place that decides.

    Raises:
        UnsupportedError: A spec cannot say it.
    """
    match node:
        case ex.Logical():
            left, right = condition(node.left, scope), condition(node.right, scope)
            return ex.Logical(span=node.span, op=node.op, left=left, right=right)
        case ex.Compare():
            return _compared(node, scope)
        case ex.Test():
            if node.name.name not in _TESTS or node.args:
                raise UnsupportedError(f"there is no test `{node.name.name}`")
            value = lower(node.value, scope)
            return ex.Test(span=node.span, value=value, name=node.name, args=(), negated=node.negated)
        case _:
            return lower(node, scope)


def _compared(node: ex.Compare, scope: Scope) -> ex.Expr:
    absent = {"==": False, "!=": True}
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(one, ex.NoneLiteral) and node.op in absent:
            name = ex.Ident(span=node.span, name="none")
            return ex.Test(span=node.span, value=lower(other, scope), name=name, args=(), negated=absent[node.op])
    return ex.Compare(span=node.span, op=node.op, left=lower(node.left, scope), right=lower(node.right, scope))


def _binary(node: ex.Binary, scope: Scope) -> ex.Expr:
    left, right = lower(node.left, scope), lower(node.right, scope)
    op = node.op
    if op in ("//", "%") and not isinstance(node.right, ex.IntLiteral):
        raise UnsupportedError("a divisor is a number that is written out")
    if op == "+" and (_is_text(node.left) or _is_text(node.right)):
        op = "~"
    return ex.Binary(span=node.span, op=op, left=left, right=right)


def _is_text(node: ex.Expr) -> bool:
    return isinstance(node, ex.TextLiteral) or (isinstance(node, ex.Binary) and _is_text(node.left))


def _chosen(node: ex.Logical, scope: Scope) -> ex.Expr:
    """`a or b` hands one of its sides on; here an inline `if` does that."""
    if node.op == "and":
        raise UnsupportedError("`and` gives a bool, and not one of its sides")
    left = lower(node.left, scope)
    return ex.Conditional(span=node.span, test=left, then=left, orelse=lower(node.right, scope))


def _filtered(node: ex.Filter, scope: Scope) -> ex.Expr:
    name, args = node.name.name, node.args
    value = lower(node.value, scope)
    if name == "safe" and not args:
        return value
    if name in ("default", "d") and args:
        return _defaulted(node, value, scope)
    if name not in _SAME:
        raise UnsupportedError(f"there is no filter `{name}` that gives the same text")
    if len(args) > _SAME[name]:
        raise UnsupportedError(f"the filter `{name}` does not take these arguments")
    if name == "replace" and len(args) == 2 and isinstance(args[0].value, ex.TextLiteral) and not args[0].value.value:
        raise UnsupportedError("an empty text occurs nowhere")
    if name == "indent" and not all(isinstance(a.value, ex.IntLiteral | ex.BoolLiteral) for a in args):
        raise UnsupportedError("the filter `indent` does not take these arguments")
    lowered = tuple(ex.Argument(span=a.span, name=a.name, value=lower(a.value, scope)) for a in args)
    return ex.Filter(span=node.span, value=value, name=node.name, args=lowered)


def _defaulted(node: ex.Filter, value: ex.Expr, scope: Scope) -> ex.Expr:
    other = lower(node.args[0].value, scope)
    if len(node.args) == 1:
        return default(value, other)
    if isinstance(node.args[1].value, ex.BoolLiteral) and node.args[1].value.value:
        return ex.Conditional(span=node.span, test=value, then=value, orelse=other)
    return default(value, other)
