"""Hypothesis strategies for modules: valid declarations, roughly well typed, built as trees without a source."""

from typing import Any

from hypothesis import strategies as st

from promptc.source import Segment, Span, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax import traffic_nodes as parts
from promptc.syntax.bodies_ast import BodySource, FileRef, Template

PATH = "generated.promptc"
NOWHERE = Span(PATH, 0, 0)
CLASSES = ("static", "org", "user", "session", "turn")
# Declaration keywords are names too; expression keywords are not.
NAMES = ("a", "b", "cwd", "model", "tools", "cache", "user", "plan_mode", "first", "Kind", "x_1", "untrusted_value")

texts = st.text(st.characters(codec="utf-8"), max_size=12)
_line = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12)
block_texts = st.lists(
    st.one_of(_line, st.sampled_from(["", "  ", '"""', '""""', "# no comment", "section a @static", "}", "\ttab"])),
    max_size=4,
).map("\n".join)


def ident(name: str) -> ex.Ident:
    """A name without a place."""
    return ex.Ident(span=NOWHERE, name=name)


def text(value: str) -> ex.TextLiteral:
    """A text literal without a place."""
    return ex.TextLiteral(span=NOWHERE, value=value)


def template(value: str, *, block: bool) -> Template:
    """A body without a place."""
    size = len(value)
    segments = (Segment(0, 0, size, size),) if size else ()
    return Template(span=NOWHERE, text=value, map=TextMap(PATH, segments), block=block)


names = st.sampled_from(NAMES)
idents = names.map(ident)
classes = st.sampled_from(CLASSES).map(ident)


# -- expressions of any type, for syntax ---------------------------------------------------------

_literals = st.one_of(
    names.map(lambda name: ex.Name(span=NOWHERE, name=name)),
    texts.map(text),
    st.integers(0, 2**53 - 1).map(lambda n: ex.IntLiteral(span=NOWHERE, value=n)),
    st.booleans().map(lambda b: ex.BoolLiteral(span=NOWHERE, value=b)),
    st.just(ex.NoneLiteral(span=NOWHERE)),
)


def _arguments(inner: st.SearchStrategy[ex.Expr]) -> st.SearchStrategy[tuple[ex.Argument, ...]]:
    one = st.builds(ex.Argument, span=st.just(NOWHERE), name=st.none() | idents, value=inner)
    return st.lists(one, max_size=2).map(tuple)


def _compound(inner: st.SearchStrategy[ex.Expr]) -> st.SearchStrategy[ex.Expr]:
    at = st.just(NOWHERE)
    field = st.builds(ex.RecordField, span=at, name=st.one_of(idents, texts.map(ident)), value=inner)
    args = _arguments(inner)
    return st.one_of(
        st.builds(ex.Attribute, span=at, value=inner, name=idents),
        st.builds(ex.ListLiteral, span=at, items=st.lists(inner, max_size=3).map(tuple)),
        st.builds(ex.RecordLiteral, span=at, fields=st.lists(field, max_size=2).map(tuple)),
        st.builds(ex.Not, span=at, operand=inner),
        st.builds(ex.Negate, span=at, operand=inner),
        st.builds(ex.Binary, span=at, op=st.sampled_from(("+", "-", "*", "//", "%", "~")), left=inner, right=inner),
        st.builds(ex.Logical, span=at, op=st.sampled_from(("and", "or")), left=inner, right=inner),
        st.builds(
            ex.Compare,
            span=at,
            op=st.sampled_from(("==", "!=", "<", "<=", ">", ">=", "in", "not in")),
            left=inner,
            right=inner,
        ),
        st.builds(ex.Conditional, span=at, test=inner, then=inner, orelse=inner),
        st.builds(ex.Filter, span=at, value=inner, name=idents, args=args),
        st.builds(
            ex.Test,
            span=at,
            value=inner,
            name=st.one_of(idents, st.sampled_from(("none", "true")).map(ident)),
            args=args,
            negated=st.booleans(),
        ),
        st.builds(ex.Call, span=at, function=inner, args=args),
    )


expressions: st.SearchStrategy[ex.Expr] = st.recursive(_literals, _compound, max_leaves=8)


# -- types and values of them --------------------------------------------------------------------


def named(name: str) -> nodes.NamedType:
    """A type by name."""
    return nodes.NamedType(span=NOWHERE, name=name)


_members = st.lists(texts, min_size=1, max_size=3, unique=True).map(lambda ts: tuple(text(t) for t in ts))
_bounds = st.tuples(st.integers(-9, 9), st.integers(0, 2_000))
plain_types: st.SearchStrategy[nodes.TypeExpr] = st.one_of(
    st.sampled_from(("text", "bool", "int")).map(named),
    _bounds.map(lambda b: nodes.RangeType(span=NOWHERE, low=b[0], high=b[0] + b[1])),
    _members.map(lambda m: nodes.EnumType(span=NOWHERE, members=m)),
)


def wrapped(inner: st.SearchStrategy[nodes.TypeExpr]) -> st.SearchStrategy[nodes.TypeExpr]:
    """`inner`, or an optional or a list of it."""
    return st.one_of(
        inner,
        inner.map(lambda t: nodes.OptionalType(span=NOWHERE, item=t)),
        inner.map(lambda t: nodes.ListType(span=NOWHERE, item=t)),
    )


def value_of(type_: nodes.TypeExpr) -> st.SearchStrategy[ex.Expr]:
    """A literal of a type; records have no literal here."""
    match type_:
        case nodes.EnumType():
            return st.sampled_from(type_.members)
        case nodes.RangeType():
            return st.integers(max(type_.low, 0), max(type_.high, 0)).map(
                lambda n: ex.IntLiteral(span=NOWHERE, value=n)
            )
        case nodes.ListType():
            return st.lists(value_of(type_.item), max_size=2).map(
                lambda xs: ex.ListLiteral(span=NOWHERE, items=tuple(xs))
            )
        case nodes.OptionalType():
            return st.one_of(st.just(ex.NoneLiteral(span=NOWHERE)), value_of(type_.item))
        case nodes.NamedType(name="bool"):
            return st.booleans().map(lambda b: ex.BoolLiteral(span=NOWHERE, value=b))
        case nodes.NamedType(name="int"):
            return st.integers(0, 10_000).map(lambda n: ex.IntLiteral(span=NOWHERE, value=n))
        case _:
            return texts.map(text)


# -- bodies --------------------------------------------------------------------------------------


@st.composite
def bodies(draw: st.DrawFn, inputs: list[nodes.InputDecl]) -> BodySource:
    """A body that reads some inputs: output, `if`, `for` and `set` around plain text."""
    if draw(st.integers(0, 9)) == 0:
        return FileRef(span=NOWHERE, path=f"text/{draw(names)}.md")
    lines = [draw(st.sampled_from(["Be brief.", "Work in steps.", '"Quoted" text', "", "  indented"]))]
    for declared in draw(st.lists(st.sampled_from(inputs), max_size=2)) if inputs else ():
        lines += _reading(declared)
    block = draw(st.booleans())
    return template("\n".join(lines), block=block)


def _reading(declared: nodes.InputDecl) -> list[str]:
    name = declared.name.name
    match declared.type:
        case nodes.NamedType(name="bool"):
            return [f"{{% if {name} %}}", "It is on.", "{% else %}", "It is off.", "{% endif %}"]
        case nodes.ListType():
            return [f"{{% for item in {name} %}}", "- one", "{% endfor %}"]
        case nodes.OptionalType():
            return [f"{{% if {name} is not none %}}", "It is known.", "{% endif %}"]
        case nodes.NamedType(name="text") | nodes.EnumType():
            return [f"{{% set shown = {name} %}}", "{{ shown }} stands here."]
        case _:
            return [f"Value: {{{{ {name} }}}}"]


# -- declarations --------------------------------------------------------------------------------


@st.composite
def input_decls(draw: st.DrawFn, name: str) -> nodes.InputDecl:
    """An input of any type, sometimes with a bound and a default."""
    type_ = draw(wrapped(plain_types))
    is_text = isinstance(type_, nodes.NamedType) and type_.name == "text"
    cut = draw(st.none() | texts.map(text))
    bound = nodes.MaxClause(span=NOWHERE, chars=draw(st.integers(1, 20_000)), cut=cut)
    return nodes.InputDecl(
        span=NOWHERE,
        name=ident(name),
        type=type_,
        cls=draw(classes),
        untrusted=is_text and draw(st.booleans()),
        max=bound if is_text and draw(st.booleans()) else None,
        default=draw(st.none() | value_of(type_)),
    )


@st.composite
def _conditions(draw: st.DrawFn, inputs: list[nodes.InputDecl]) -> ex.Expr:
    """A condition over inputs with a finite domain; `true` when there are none."""
    flags = [i for i in inputs if isinstance(i.type, nodes.NamedType) and i.type.name == "bool"]
    enums = [i for i in inputs if isinstance(i.type, nodes.EnumType)]
    choices: list[ex.Expr] = [ex.Name(span=NOWHERE, name=i.name.name) for i in flags]
    for declared in enums:
        member = draw(value_of(declared.type))
        left = ex.Name(span=NOWHERE, name=declared.name.name)
        choices.append(ex.Compare(span=NOWHERE, op="==", left=left, right=member))
    if not choices:
        return ex.BoolLiteral(span=NOWHERE, value=True)
    first = draw(st.sampled_from(choices))
    if draw(st.booleans()):
        return ex.Not(span=NOWHERE, operand=first)
    return ex.Logical(span=NOWHERE, op="and", left=first, right=draw(st.sampled_from(choices)))


@st.composite
def sections(
    draw: st.DrawFn, name: str, cls: str, inputs: list[nodes.InputDecl], *, delta: bool = False
) -> nodes.SectionDecl:
    """A section of a class; `delta` allows the delta delivery of a tail."""
    content: Any = draw(bodies(inputs))
    if delta and draw(st.booleans()):
        content = nodes.DeltaBody(
            span=NOWHERE,
            first_when=draw(st.none() | _conditions(inputs)),
            first=draw(bodies(inputs)),
            changed=draw(bodies(inputs)),
            gone=draw(bodies([])),
        )
    pin = nodes.Pin(span=NOWHERE, reason=text("measured")) if draw(st.integers(0, 9)) == 0 else None
    return nodes.SectionDecl(
        span=NOWHERE,
        name=ident(name),
        cls=ident(cls),
        when=draw(st.none() | _conditions(inputs)),
        deliver=None,
        pin=pin,
        allows=(),
        content=content,
    )


_durations = st.none() | st.sampled_from((30, 300, 3600, 86400)).map(lambda s: nodes.Duration(span=NOWHERE, seconds=s))


@st.composite
def prompts(draw: st.DrawFn, name: str, inputs: list[nodes.InputDecl]) -> nodes.PromptDecl:
    """A prompt with every lane; sections stand in the order of their classes."""
    by_class = {cls: [i for i in inputs if CLASSES.index(_class_name(i)) <= n] for n, cls in enumerate(CLASSES)}
    blocks: list[Any] = []
    for scope in ("static", "session"):
        inside = tuple(draw(sections(f"{scope}_{n}", scope, by_class[scope])) for n in range(draw(st.integers(1, 2))))
        blocks.append(nodes.Block(span=NOWHERE, scope=ident(scope), ttl=draw(_durations), fallback=None, items=inside))
    if draw(st.booleans()):
        separator = nodes.Separator(span=NOWHERE, text=draw(texts.map(text)))
        blocks.insert(0, separator)
    tool = nodes.ToolDecl(
        span=NOWHERE,
        name=ident("lookup"),
        cls=ident("static"),
        when=None,
        description=template("Look something up.", block=False),
        schema=template('{"type": "object"}', block=draw(st.booleans())),
        pin=None,
    )
    preamble = (draw(sections("memory", "session", by_class["session"])),)
    history: tuple[Any, ...] = (nodes.History(span=NOWHERE, name=ident("transcript")),)
    if draw(st.booleans()):
        history += (nodes.CacheMark(span=NOWHERE, ttl=draw(_durations)),)
    tail = (draw(sections("mode", "turn", by_class["turn"], delta=True)),)
    lanes = (
        _lane("tools", (tool,)),
        _lane("system", tuple(blocks)),
        _lane("preamble", preamble, envelope="reminder"),
        _lane("conversation", history),
        _lane("tail", tail, envelope="reminder"),
    )
    target = nodes.Target(span=NOWHERE, name=ident("anthropic"))
    auto: tuple[nodes.PromptItem, ...] = (nodes.CacheAuto(span=NOWHERE),) if draw(st.booleans()) else ()
    if draw(st.booleans()):
        auto += (nodes.CacheKey(span=NOWHERE, value=ex.TextLiteral(span=NOWHERE, value="one key")),)
    return nodes.PromptDecl(span=NOWHERE, name=ident(name), extends=None, items=(target, *auto, *lanes))


def _class_name(declared: nodes.InputDecl) -> str:
    return declared.cls.name if declared.cls is not None else CLASSES[-1]


def _lane(kind: nodes.LaneKind, items: tuple[Any, ...], envelope: str | None = None) -> nodes.Lane:
    name = ident(envelope) if envelope is not None else None
    return nodes.Lane(span=NOWHERE, kind=kind, envelope=name, items=items)


_percents = st.integers(0, 100)
_gap_shares = st.builds(
    parts.Share, span=st.just(NOWHERE), percent=_percents, within=st.sampled_from((30, 60, 300, 7200))
)
_block_shares = st.builds(parts.Share, span=st.just(NOWHERE), percent=_percents, within=st.integers(0, 40))


@st.composite
def traffic_blocks(draw: st.DrawFn) -> parts.TrafficDecl:
    """A block with some of its clauses, those of names each for other names."""
    at = NOWHERE
    items: list[parts.TrafficItem] = [
        parts.Sessions(span=at, count=draw(st.integers(0, 9_000)), per=per, cls=draw(st.none() | classes))
        for per in draw(st.lists(st.sampled_from(("hour", "day")), max_size=3))
    ]
    counts = st.integers(0, 20_000)
    clauses: list[parts.TrafficItem] = [
        parts.Turns(span=at, count=draw(counts)),
        parts.Gaps(span=at, shares=tuple(draw(st.lists(_gap_shares, min_size=1, max_size=3)))),
        parts.Blocks(span=at, shares=tuple(draw(st.lists(_block_shares, min_size=1, max_size=3)))),
        parts.TurnTokens(span=at, count=draw(counts)),
    ]
    items += draw(st.lists(st.sampled_from(clauses), max_size=4, unique_by=type))
    for kind in draw(st.lists(st.sampled_from((parts.SizeOf, parts.Present)), max_size=2, unique=True)):
        for name in draw(st.lists(names, min_size=1, max_size=2, unique=True)):
            number = draw(_percents)
            items.append(
                parts.SizeOf(span=at, tokens=number, name=ident(name))
                if kind is parts.SizeOf
                else parts.Present(span=at, percent=number, name=ident(name))
            )
    return parts.TrafficDecl(span=at, items=tuple(items))


@st.composite
def modules(draw: st.DrawFn) -> nodes.Module:
    """A whole module: scopes, an envelope, a record, inputs, gates, a prompt with every lane, a sample, a limit."""
    inputs = [draw(input_decls(name)) for name in draw(st.lists(names, min_size=1, max_size=4, unique=True))]
    gates = [
        nodes.GateDecl(span=NOWHERE, name=ident(f"gate_{n}"), condition=draw(_conditions(inputs)))
        for n in range(draw(st.integers(0, 2)))
    ]
    fields = tuple(
        nodes.FieldDecl(span=NOWHERE, name=ident(name), type=draw(plain_types), untrusted=False, default=None)
        for name in draw(st.lists(names, min_size=1, max_size=3, unique=True))
    )
    bindings = tuple(
        nodes.Binding(span=NOWHERE, name=declared.name, value=draw(value_of(declared.type))) for declared in inputs
    )
    messages = tuple(
        nodes.SampleMessage(span=NOWHERE, role=role, text=draw(texts.map(text)))
        for role in draw(st.lists(st.sampled_from(("user", "assistant")), max_size=2))
    )
    items: list[nodes.Item] = [
        nodes.Language(span=NOWHERE, version=1),
        *(
            nodes.ScopeDecl(span=NOWHERE, name=ident(name), holds=ident(name), ttl=draw(_durations))
            for name in ("static", "session")
        ),
        nodes.EnvelopeDecl(
            span=NOWHERE,
            name=ident("reminder"),
            open=template("<reminder>\n", block=False),
            close=template("\n</reminder>", block=draw(st.booleans())),
        ),
        nodes.RecordDecl(span=NOWHERE, name=ident("Entry"), fields=fields),
        *inputs,
        *gates,
        draw(prompts("agent", inputs)),
        nodes.SampleDecl(
            span=NOWHERE, name=ident("default"), prompt=ident("agent"), bindings=bindings, messages=messages
        ),
        nodes.LimitDecl(span=NOWHERE, metric="variants", subject=ident("static"), bound=draw(st.integers(1, 64))),
    ]
    if draw(st.booleans()):
        items.append(draw(traffic_blocks()))
    return nodes.Module(span=NOWHERE, path=PATH, items=tuple(items), comments=())
