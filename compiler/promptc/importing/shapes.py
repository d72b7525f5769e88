"""What a template does with its inputs, and the types that follow from it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from promptc.importing.model import (
    BOOL,
    INT,
    JSON,
    TEXT,
    Choice,
    Declared,
    Fields,
    For,
    If,
    Let,
    ListOf,
    Out,
    Parts,
    Presence,
    Scalar,
    Type,
)
from promptc.importing.scope import path_of
from promptc.syntax import expressions as ex

Path = tuple[str, ...]


@dataclass(slots=True, eq=False)
class Shape:
    """Everything that is known about one value.

    Attributes:
        uses: Ways in which it is used: `print`, `test`, `int`, `json`, `length`, `defined`, `bare` (used where nothing
            proves that it is there).
        declared: What the file says.
        compared: Literal texts that it is compared with.
    """

    uses: set[str] = field(default_factory=set)
    fields: dict[str, "Shape"] = field(default_factory=dict)
    item: "Shape | None" = None
    declared: Type | None = None
    optional: bool = False
    compared: set[str] = field(default_factory=set)

    def element(self) -> "Shape":
        """The shape of its elements."""
        if self.item is None:
            self.item = Shape(declared=self.declared.item if isinstance(self.declared, ListOf) else None)
            if isinstance(self.item.declared, Fields):
                self.item.adopt(self.item.declared)
        return self.item

    def adopt(self, declared: Type | None) -> None:
        """Take what the file says."""
        self.declared = declared
        if isinstance(declared, Fields):
            for key, type, presence in declared.fields:
                inner = self.fields.setdefault(key, Shape())
                inner.adopt(type)
                inner.optional = presence != "given"
        elif isinstance(declared, ListOf):
            self.element().adopt(declared.item)

    @property
    def may_be_absent(self) -> bool:
        """Whether its type is optional."""
        form = self.form()
        if form == "fields":
            return ("test" in self.uses or "defined" in self.uses or self.optional) and "bare" not in self.uses
        if form == "list":
            return False
        return "defined" in self.uses or (self.optional and form not in (TEXT, BOOL))

    @property
    def presence(self) -> Presence:
        """What it is where it is not given."""
        if self.may_be_absent:
            return "absent"
        return "empty" if self.optional and self.form() in (TEXT, BOOL, "list") else "given"

    def kind(self) -> Type:
        """The type without `?`."""
        form = self.form()
        if form == "fields":
            return Fields(tuple((key, shape.kind(), shape.presence) for key, shape in self.fields.items()))
        return ListOf(self.element().kind()) if form == "list" else form

    def form(self) -> Literal["fields", "list"] | Scalar | Choice:
        """What kind of type it has; what it is made of is not looked at."""
        if self.fields:
            return "fields"
        if self.item is not None or "list" in self.uses:
            return "list"
        if self.declared is not None and not isinstance(self.declared, Fields | ListOf):
            return self._declared(self.declared)
        if "int" in self.uses:
            return INT
        if "length" in self.uses and not self.uses & {"print", "text"}:
            return "list"
        if "json" in self.uses and "print" not in self.uses:
            return JSON
        if "test" in self.uses and not self.uses & {"print", "text", "length"}:
            return BOOL
        return TEXT

    def _declared(self, declared: Scalar | Choice) -> Scalar | Choice:
        if declared == JSON and self.uses & {"print", "test", "text", "length"}:
            return TEXT
        if isinstance(declared, Choice) and not self.compared <= set(declared.members):
            return TEXT
        return TEXT if declared == BOOL and "text" in self.uses else declared


def shapes_of(declared: dict[str, Declared], bodies: Iterable[Parts], order: dict[str, Declared]) -> dict[str, Shape]:
    """The shape of every input that some bodies read, in order of use; those in `order` are typed by the importer."""
    found = _Collector({})
    for key, told in {**declared, **order}.items():
        shape = Shape(optional=told.optional)
        shape.adopt(told.type)
        if isinstance(told.type, ListOf):
            shape.element()
        found.known[key] = shape
    for body in bodies:
        found.parts(body, {}, frozenset())
    return {key: found.known[key] for key in found.read}


class _Collector:
    """Walks bodies; `read` keeps the order in which inputs are met."""

    def __init__(self, known: dict[str, Shape]) -> None:
        self.known = known
        self.read: dict[str, None] = {}

    def parts(self, parts: Parts, local: dict[str, Shape], proven: frozenset[Path]) -> None:
        local = dict(local)
        for part in parts:
            match part:
                case Out(value=value):
                    self.use(value, "print", local, proven)
                case Let(name=name, value=value):
                    self.use(value, "text", local, proven)
                    local[name] = self.shape(value, local, proven) or Shape()
                case If(arms=arms, orelse=orelse):
                    failed = proven
                    for arm in arms:
                        self.test(arm.test, local, failed)
                        self.parts(arm.body, local, failed | proves(arm.test))
                        failed = failed | proves(arm.test, False)
                    self.parts(orelse, local, failed)
                case For(target=target, source=source, test=test, body=body, orelse=orelse):
                    self.use(source, "list", local, proven)
                    shape = self.shape(source, local, proven)
                    inner = {**local, target: shape.element() if shape is not None else Shape(), "loop": Shape()}
                    kept = frozenset(p for p in proven if p[0] != target)
                    if test is not None:
                        self.test(test, inner, kept)
                        kept |= proves(test)
                    self.parts(body, inner, kept)
                    self.parts(orelse, local, proven)

    def shape(self, node: ex.Expr, local: dict[str, Shape], proven: frozenset[Path]) -> Shape | None:
        """The shape that a path names; None for other expressions."""
        if isinstance(node, ex.Filter) and node.name.name == "reverse":
            return self.shape(node.value, local, proven)
        path = path_of(node)
        if path is None or path[0] == "loop":
            return None
        if path[0] in local:
            current = local[path[0]]
        else:
            current = self.known.setdefault(path[0], Shape())
            self.read.setdefault(path[0])
        for number, key in enumerate(path[1:], start=1):
            if path[:number] not in proven:
                current.uses.add("bare")
            current = current.fields.setdefault(key, Shape())
        return current

    def use(self, node: ex.Expr, how: str, local: dict[str, Shape], proven: frozenset[Path]) -> None:
        """Note how an expression uses what it reads."""
        shape = self.shape(node, local, proven)
        path = path_of(node)
        if shape is not None and path is not None:
            shape.uses.add(how)
            if how != "test" and path not in proven:
                shape.uses.add("bare")
            return
        match node:
            case ex.Filter():
                self._filter(node, how, local, proven)
            case ex.Conditional():
                self.test(node.test, local, proven)
                self.use(node.then, how, local, proven | proves(node.test))
                self.use(node.orelse, how, local, proven | proves(node.test, False))
            case ex.Binary(op=op, left=left, right=right):
                for side in (left, right):
                    self.use(side, "text" if op == "~" else "int", local, proven)
            case ex.Negate(operand=operand):
                self.use(operand, "int", local, proven)
            case ex.ListLiteral(items=items):
                for item in items:
                    self.use(item, "text", local, proven)
            case ex.Compare() | ex.Test() | ex.Logical() | ex.Not():
                self.test(node, local, proven)
            case _:
                return

    def _filter(self, node: ex.Filter, how: str, local: dict[str, Shape], proven: frozenset[Path]) -> None:
        name = node.name.name
        inner = {"length": "length", "count": "length", "join": "list", "reverse": "list", "json": "json"}
        if name == "default":
            shape = self.shape(node.value, local, proven)
            if shape is not None:
                shape.uses |= {how, "defined"}
        else:
            self.use(node.value, inner.get(name, "text"), local, proven)
        if name == "join" and (shape := self.shape(node.value, local, proven)) is not None:
            element = shape.element()
            for arg in node.args:
                if arg.name is not None and arg.name.name == "attribute" and isinstance(arg.value, ex.TextLiteral):
                    element.fields.setdefault(arg.value.value, Shape()).uses.add("print")
        for arg in node.args:
            self.use(arg.value, "text", local, proven)

    def test(self, node: ex.Expr, local: dict[str, Shape], proven: frozenset[Path]) -> None:
        """Note what a condition uses."""
        match node:
            case ex.Logical(op=op, left=left, right=right):
                self.test(left, local, proven)
                self.test(right, local, proven | proves(left, op == "and"))
            case ex.Not(operand=operand):
                self.test(operand, local, proven)
            case ex.Test(value=value):
                shape = self.shape(value, local, proven)
                if shape is not None:
                    shape.uses.add("defined")
            case ex.Compare(op=op, left=left, right=right):
                self._compare(op, left, right, local, proven)
            case _:
                self.use(node, "test", local, proven)

    def _compare(
        self, op: str, left: ex.Expr, right: ex.Expr, local: dict[str, Shape], proven: frozenset[Path]
    ) -> None:
        if op in ("in", "not in"):
            self.use(left, "text", local, proven)
            self.use(right, "text" if isinstance(left, ex.TextLiteral) else "list", local, proven)
            return
        for one, other in ((left, right), (right, left)):
            match other:
                case ex.IntLiteral() | ex.Negate() | ex.Filter(name=ex.Ident(name="length")):
                    how = "int"
                case ex.BoolLiteral():
                    how = "test"
                case ex.TextLiteral(value=text):
                    how = "text"
                    if (shape := self.shape(one, local, proven)) is not None:
                        shape.compared.add(text)
                case _:
                    how = "text" if op in ("==", "!=") else "int"
            self.use(one, how, local, proven)


def proves(test: ex.Expr, holds: bool = True) -> frozenset[Path]:
    """Paths that are there where a condition holds, or where it fails."""
    match test:
        case ex.Not(operand=operand):
            return proves(operand, not holds)
        case ex.Logical(op=op, left=left, right=right):
            if (op == "and") == holds:
                return proves(left, holds) | proves(right, holds)
            return frozenset()
        case ex.Test(value=value, name=name, negated=negated):
            positive = (name.name == "defined") != negated
            path = path_of(value)
            return frozenset({path}) if path is not None and positive == holds else frozenset()
        case _:
            path = path_of(test)
            return frozenset({path}) if path is not None and holds else frozenset()
