"""Random well-typed values and texts of residual programs."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

from promptc.ir.model import (
    Apply,
    Arm,
    Bind,
    Branch,
    Choose,
    Const,
    Each,
    Field,
    GateRef,
    Get,
    InputRef,
    ListOf,
    Lit,
    Local,
    LoopProperty,
    Put,
    RecordType,
    TextOp,
    Value,
)
from promptc.source import Span
from promptc.types import Bool, Enum, Int, Json, List, Optional, Record, Text, Type

CLASSES = ("static", "org", "user", "session", "turn")
# Letters, everything that JSON escapes, blanks that languages disagree about, and code points beyond 16 bits.
CHARACTERS = "abXY z\"'\\\n\t\r\x00\x0b\x1c\x1f\x7f\x85\ufeff\u2028é“–😀\ufb33<>{}%$"
TEXTS = st.text(st.sampled_from(CHARACTERS), max_size=6) | st.text(st.sampled_from("ab\n "), max_size=6)
SHOWN = TEXTS.filter(bool)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
PERSON = RecordType(
    "Person",
    (
        Field("name", Text(), False, None),
        Field("class", Int(), True, 3),
        Field("note", Optional(Text()), False, None),
        Field("facts", Json(), True, {"k": [1.0]}),
        Field("tags", List(Text()), True, ["a"]),
    ),
)
TOOL = RecordType(
    "Tool",
    (
        Field("name", Text(), False, None),
        Field("description", Text(), False, None),
        Field("input_schema", Json(), False, None),
        Field("rank", Int(), True, 0),
        Field("late", Bool(), True, False),
    ),
)
RECORDS = {"Person": PERSON, "Tool": TOOL}
INPUT_TYPES: tuple[Type, ...] = (
    Text(),
    Text(),
    Bool(),
    Int(),
    Int(1, 5),
    Enum(("a", "b", "“c”")),
    Json(),
    Optional(Text()),
    Optional(Int()),
    Optional(Record("Person")),
    Record("Person"),
    List(Text()),
    List(Int()),
    List(Record("Person")),
    Optional(List(Text())),
)

Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass
class Env:
    """What an expression may refer to."""

    inputs: dict[str, Type]
    gates: tuple[str, ...]
    locals: dict[str, Type] = field(default_factory=dict)
    loops: tuple[str, ...] = ()
    counter: list[int] = field(default_factory=lambda: [0])

    def sources(self, wanted: Type) -> list[Value]:
        """Names and fields of a type."""
        roots: list[tuple[Value, Type]] = [(InputRef(name), kind) for name, kind in self.inputs.items()]
        roots += [(Local(name), kind) for name, kind in self.locals.items()]
        roots += [
            (Get(value, f.name), f.type)
            for value, kind in list(roots)
            if isinstance(kind, Record)
            for f in RECORDS[kind.name].fields
        ]
        return [value for value, kind in roots if _fits(kind, wanted)]

    def fresh(self, stem: str) -> str:
        self.counter[0] += 1
        return f"{stem}{self.counter[0]}"


def _fits(kind: Type, wanted: Type) -> bool:
    if isinstance(wanted, Text):
        return isinstance(kind, Text | Enum)
    if isinstance(wanted, Int):
        return isinstance(kind, Int)
    return kind == wanted


SPANS = st.builds(lambda a, n: Span("spec.promptc", a, a + n), st.integers(0, 90), st.integers(1, 5))


def value(draw: Draw, env: Env, wanted: Type, depth: int = 2) -> Value:
    """An expression of a type."""
    sources = env.sources(wanted)
    choice = draw(st.integers(0, 3))
    if sources and (choice == 0 or depth <= 0):
        return draw(st.sampled_from(sources))
    if depth > 0 and choice in (1, 2):
        return _compound(draw, env, wanted, depth - 1)
    if depth > 0 and choice == 3:
        test, inner = _test(draw, env, depth - 1)
        return Choose(test, inner(wanted), value(draw, env, wanted, depth - 1))
    return _constant(draw, wanted)


def _constant(draw: Draw, wanted: Type) -> Value:
    match wanted:
        case Text():
            return Const(draw(TEXTS))
        case Int():
            return Const(draw(st.integers(-9, 9)))
        case Bool():
            return Const(draw(st.booleans()))
        case List(item=item):
            return ListOf(tuple(_constant(draw, item) for _ in range(draw(st.integers(1, 2)))))
        case _:
            raise AssertionError(wanted)


def _test(draw: Draw, env: Env, depth: int) -> tuple[Value, Callable[[Type], Value]]:
    """A condition, and a way to build values that may rely on it."""
    absent = [v for kind in (Text(), Int()) for v in env.sources(Optional(kind))]
    if absent and draw(st.booleans()):
        chosen = draw(st.sampled_from(absent))
        kind = Text() if chosen in env.sources(Optional(Text())) else Int()

        def relying(wanted: Type) -> Value:
            if wanted == kind:
                return chosen
            if wanted == Text():
                return Apply("int_text", (chosen,))
            return value(draw, env, wanted, depth)

        return Apply("defined", (chosen,)), relying
    return value(draw, env, Bool(), depth), lambda wanted: value(draw, env, wanted, depth)


def _compound(draw: Draw, env: Env, wanted: Type, depth: int) -> Value:
    def some(kind: Type) -> Value:
        return value(draw, env, kind, depth)

    match wanted:
        case Bool():
            return _bool(draw, env, some)
        case Text():
            return _text(draw, env, some)
        case Int():
            return _int(draw, some)
        case List(item=Text() | Int() as item):
            op = draw(st.sampled_from(("sort", "unique", "reverse_list", "of", "pluck")))
            if op == "of":
                return ListOf((some(item), some(item)))
            people = env.sources(List(Record("Person")))
            if op == "pluck":
                if not people:
                    return ListOf((some(item),))
                name = "name" if item == Text() else "class"
                return Apply("pluck", (Apply("sort_by", (draw(st.sampled_from(people)), Const(name))), Const(name)))
            return Apply(op, (some(wanted),))
        case _:
            raise AssertionError(wanted)


def _bool(draw: Draw, env: Env, some: Callable[[Type], Value]) -> Value:
    op = draw(st.sampled_from(("not", "and", "or", "eq", "ne", "lt", "in", "filled", "guard", "gate", "loop", "none")))
    kind = draw(st.sampled_from((Text(), Int())))
    suffix = "text" if kind == Text() else "int"
    if op == "not":
        return Apply("not", (some(Bool()),))
    if op in ("and", "or"):
        return Apply(op, (some(Bool()), some(Bool())))
    if op in ("eq", "ne"):
        return Apply(op, (some(kind), some(kind)))
    if op == "lt":
        return Apply(draw(st.sampled_from(("lt_", "le_"))) + suffix, (some(kind), some(kind)))
    if op == "in":
        if draw(st.booleans()):
            return Apply("in_list", (some(kind), some(List(kind))))
        return Apply("in_text", (some(Text()), some(Text())))
    if op == "gate" and env.gates:
        return GateRef(draw(st.sampled_from(env.gates)))
    if op == "loop" and env.loops:
        return LoopProperty(draw(st.sampled_from(env.loops)), draw(st.sampled_from(("first", "last"))))
    absent = env.sources(Optional(Text()))
    if op == "none" and absent:
        return Apply("eq", (draw(st.sampled_from(absent)), Const(None)))
    if op == "guard" and absent:
        chosen = draw(st.sampled_from(absent))
        if draw(st.booleans()):
            return Apply("and", (Apply("defined", (chosen,)), Apply("filled_text", (chosen,))))
        return Apply("or", (Apply("not", (Apply("defined", (chosen,)),)), Apply("lt_text", (chosen, some(Text())))))
    by_kind = {"text": Apply("filled_text", (some(Text()),)), "int": Apply("nonzero", (some(Int()),))}
    return draw(st.sampled_from((by_kind[suffix], Apply("filled_list", (some(List(kind)),)))))


def _text(draw: Draw, env: Env, some: Callable[[Type], Value]) -> Value:
    op = draw(
        st.sampled_from(
            (
                "int_text",
                "concat",
                "upper",
                "lower",
                "trim",
                "replace",
                "indent",
                "cut",
                "join",
                "first",
                "default",
                "json",
            )
        )
    )
    if op == "int_text":
        return Apply(op, (some(Int()),))
    if op == "concat":
        return Apply(op, tuple(some(Text()) for _ in range(draw(st.integers(0, 3)))))
    if op == "replace":
        return Apply(op, (some(Text()), some(Text()), some(Text())))
    if op == "indent":
        return Apply(op, (some(Text()), Const(draw(st.integers(0, 4))), Const(draw(st.booleans()))))
    if op == "cut":
        return Apply(op, (some(Text()), Const(draw(st.integers(0, 4))), some(Text())))
    if op == "join":
        return Apply(op, (some(List(Text())), some(Text())))
    if op == "first":
        return Apply("default", (Apply(draw(st.sampled_from(("first", "last"))), (some(List(Text())),)), some(Text())))
    absent = env.sources(Optional(Text()))
    if op == "default" and absent:
        return Apply("default", (draw(st.sampled_from(absent)), some(Text())))
    if op == "json":
        kinds = (Json(), Record("Person"), List(Record("Person")), Optional(Record("Person")), List(Text()))
        found = [v for kind in kinds for v in env.sources(kind)]
        return Apply("json", (draw(st.sampled_from(found)) if found else some(Int()),))
    return Apply(op if op in ("upper", "lower", "trim") else "trim", (some(Text()),))


def _int(draw: Draw, some: Callable[[Type], Value]) -> Value:
    op = draw(st.sampled_from(("add", "sub", "mul", "floordiv", "mod", "neg", "length_text", "length_list")))
    if op in ("floordiv", "mod"):
        return Apply(op, (some(Int()), Const(draw(st.sampled_from((-3, 2, 7))))))
    if op == "neg":
        return Apply(op, (some(Int()),))
    if op == "length_text":
        return Apply(op, (some(Text()),))
    if op == "length_list":
        return Apply(op, (some(List(Text())),))
    return Apply(op, (some(Int()), some(Int())))


def text_ops(draw: Draw, env: Env, depth: int = 2, size: int = 3) -> tuple[TextOp, ...]:
    """A body; locals bound in it are visible in the rest of it."""
    env = replace(env, locals=dict(env.locals))
    return tuple(_text_op(draw, env, depth) for _ in range(draw(st.integers(0, size))))


def _text_op(draw: Draw, env: Env, depth: int) -> TextOp:
    kind = draw(st.sampled_from(("lit", "lit", "put", "put", "int", "branch", "each", "bind")))
    if kind == "lit" or (depth <= 0 and kind in ("branch", "each")):
        return Lit(draw(SHOWN), draw(SPANS))
    if kind == "put":
        return Put(value(draw, env, Text()), False, draw(SPANS))
    if kind == "int":
        if env.loops and draw(st.booleans()):
            name = draw(st.sampled_from(("index", "index0", "revindex", "revindex0", "length")))
            return Put(LoopProperty(draw(st.sampled_from(env.loops)), name), True, draw(SPANS))
        return Put(value(draw, env, Int()), True, draw(SPANS))
    if kind == "bind":
        return _bind(draw, env)
    if kind == "branch":
        arms = []
        for _ in range(draw(st.integers(1, 2))):
            test, relying = _test(draw, env, 1)
            body = (*text_ops(draw, env, depth - 1, 2), Put(relying(Text()), False, draw(SPANS)))
            arms.append(Arm(test, body))
        return Branch(tuple(arms), text_ops(draw, env, depth - 1, 2))
    item = draw(st.sampled_from((Text(), Int(), Record("Person"))))
    sources = env.sources(List(item))
    if item == Record("Person") and not sources:
        item = Text()
    items = draw(st.sampled_from(sources)) if item == Record("Person") else value(draw, env, List(item))
    name = env.fresh("item")
    inner = replace(env, locals={**env.locals, name: item})
    test = value(draw, inner, Bool(), 1) if draw(st.booleans()) else None
    body = text_ops(draw, replace(inner, loops=(*env.loops, name)), depth - 1)
    orelse = text_ops(draw, env, depth - 1, 1)
    return Each(name, items, test, body, orelse, _occurs(body, name))


def _bind(draw: Draw, env: Env) -> Bind:
    kind = draw(st.sampled_from((Text(), Int())))
    known = [name for name, own in env.locals.items() if own == kind and name.startswith("var")]
    name = draw(st.sampled_from(known)) if known and draw(st.booleans()) else env.fresh("var")
    bound = Bind(name, value(draw, env, kind))
    env.locals[name] = kind
    return bound


def _occurs(node: object, loop: str) -> bool:
    return f"loop={loop!r}" in repr(node)
