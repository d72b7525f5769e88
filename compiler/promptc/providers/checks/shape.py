"""Whether a body is built as its format asks: members that are missing, of the wrong type, or misspelled.

What a format asks is a table (`providers.shapes`). It is no full schema: APIs grow, so a member or a kind of block that
the table does not know is no fault, and only a likely misspelling is remarked on.
"""

import re
from collections.abc import Iterator, Mapping

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.suggest import suggest
from promptc.providers.checks.context import Context, Rule, dotted, finding
from promptc.providers.shapes import Member, Object, Shape, Value, shape_of
from promptc.providers.wire.view import Json, escaped

_NAMES = {"text": "a text", "whole": "a whole number", "number": "a number", "bool": "true or false"}
_MOST = 20


def structure(context: Context) -> Iterator[Diagnostic]:
    """Every place of the body that is not built as the format asks; the first twenty of them."""
    walk = _Walk(context, shape_of(context.provider.format))
    for index, found in enumerate(walk.members(context.view.body, walk.shape.request, "")):
        if index == _MOST:
            return
        yield found


class _Walk:
    def __init__(self, context: Context, shape: Shape) -> None:
        self.context = context
        self.shape = shape
        self.in_path = bool(context.provider.feature("model_in_path"))

    def members(self, value: Mapping[str, Json], form: Object, pointer: str) -> Iterator[Diagnostic]:
        """Findings on one object and all that is in it."""
        given = {self._known(key, form): key for key in value}
        for name, member in form.members.items():
            key = given.get(name)
            # Clients send null for what they leave out.
            if key is None or value[key] is None:
                if self._needed(member) and not self._misspelled(name, value, form):
                    yield self._missing(name, pointer, member.required == "usually")
            else:
                yield from self.member(value[key], member, f"{pointer}/{escaped(key)}", name)
        yield from self._strangers(value, form, pointer)

    def member(self, value: Json, member: Member, pointer: str, name: str) -> Iterator[Diagnostic]:
        """Findings on the value of a member."""
        fitting = next((v for v in member.values if _fits(value, v, self.shape)), None)
        if fitting is None:
            yield self._wrong(value, member, pointer)
            return
        yield from self._inside(value, fitting, pointer, name)

    def _inside(self, value: Json, form: Value, pointer: str, name: str) -> Iterator[Diagnostic]:
        match form.kind:
            case "list":
                if form.least is not None and len(value) < form.least:
                    yield finding(
                        "PC694",
                        f"`{name}` holds nothing, and at least {form.least:g} is needed",
                        pointer,
                        notes=self._refusal("value-not-taken", pointer),
                    )
                if form.item is not None:
                    for index, item in enumerate(value):
                        yield from self.member(item, Member((form.item,), ""), f"{pointer}/{index}", name)
            case "one" if value not in form.words:
                yield self._unlisted(value, form.words, pointer, name)
            case "whole" | "number":
                yield from self._bounded(value, form, pointer, name)
            case "type":
                yield from self._typed(value, form.name, pointer)

    def _typed(self, value: Mapping[str, Json], name: str, pointer: str) -> Iterator[Diagnostic]:
        form = self.shape.types[name]
        if isinstance(form, Object):
            yield from self.members(value, form, pointer)
            return
        kind = value.get(form.by)
        if kind is None:
            kind = form.default
        at = f"{pointer}/{form.by}"
        if kind is None:
            yield self._missing(form.by, pointer)
        elif not isinstance(kind, str):
            yield self._wrong(kind, Member((Value("text"),), "always"), at)
        elif kind in form.cases:
            yield from self.members(value, form.cases[kind], pointer)
        elif form.closed:
            yield self._unlisted(kind, tuple(form.cases), at, form.by)
        elif not form.open and (near := suggest(kind, list(form.cases))) is not None:
            yield _misspelling(kind, near, at)

    def _needed(self, member: Member) -> bool:
        return member.required in ("always", "usually") or (member.required != "" and not self.in_path)

    def _known(self, key: str, form: Object) -> str:
        if key in form.members or not self.shape.either_case:
            return key
        first, *rest = key.split("_")
        return first + "".join(part.capitalize() for part in rest)

    def _misspelled(self, name: str, value: Mapping[str, Json], form: Object) -> bool:
        """Whether the missing member is there under another name, which is said once."""
        return any(near == name for _, near in self._near(value, form))

    def _near(self, value: Mapping[str, Json], form: Object) -> Iterator[tuple[str, str]]:
        """Unknown members, each with the known one that was probably meant and is not there."""
        absent = [name for name in form.members if name not in {self._known(key, form) for key in value}]
        for key in value:
            if self._known(key, form) not in form.members and (near := suggest(key, absent)) is not None:
                yield key, near

    def _strangers(self, value: Mapping[str, Json], form: Object, pointer: str) -> Iterator[Diagnostic]:
        for key, near in self._near(value, form):
            at = f"{pointer}/{escaped(key)}"
            if self._needed(form.members[near]):
                yield finding(
                    "PC690",
                    f"`{near}` is missing, and the unknown member `{key}` stands here",
                    at,
                    notes=self._refusal("missing-member", f"{pointer}/{near}"),
                    help=f"write `{near}`",
                )
            else:
                yield _misspelling(key, near, at)

    def _missing(self, name: str, pointer: str, only_usually: bool = False) -> Diagnostic:
        return finding(
            "PC690",
            f"`{name}` is missing{'' if pointer else ' from the request'}",
            pointer,
            notes=() if only_usually else self._refusal("missing-member", f"{pointer}/{name}"),
            help=f"add `{name}`, unless no answer is wanted" if only_usually else f"add `{name}`",
            severity=Severity.WARNING if only_usually else None,
        )

    def _wrong(self, value: Json, member: Member, pointer: str) -> Diagnostic:
        wanted = " or ".join(dict.fromkeys(_wanted(v) for v in member.values))
        return finding(
            "PC691",
            f"this is {_given(value)}, and {wanted} is taken here",
            pointer,
            # Where a member can be several things, vendors name a place inside the one that they tried last.
            notes=self._refused_type(value, member.values[0], pointer) if len(member.values) == 1 else (),
        )

    def _refused_type(self, value: Json, wanted: Value, pointer: str) -> tuple[str, ...]:
        words = self.shape.words
        if not words:
            return ()
        kind = "text" if wanted.kind == "one" else wanted.kind
        return self._refusal(
            "wrong-member-type", pointer, kind=words.get(kind, words["object"]), sent=words[_kind(value)]
        )

    def _refusal(self, slug: str, pointer: str, **values: object) -> tuple[str, ...]:
        path = dotted(pointer)
        if self.shape.bracketed:
            path = re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", path)
        return self.context.refusal(slug, path=path, **values)

    def _unlisted(self, value: Json, words: tuple[str, ...], pointer: str, name: str) -> Diagnostic:
        listed = ", ".join(f"`{word}`" for word in words)
        near = suggest(str(value), list(words))
        slug = "unknown-role" if name == "role" else "value-not-taken"
        return finding(
            "PC692" if name == "role" else "PC694",
            f"`{value}` is no {name} of this format",
            pointer,
            notes=self._refusal(slug, pointer, given=value),
            help=f"did you mean `{near}`?" if near else f"choose one of {listed}",
        )

    def _bounded(self, value: float, form: Value, pointer: str, name: str) -> Iterator[Diagnostic]:
        low, high = form.least, form.most
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"from {low:g} to {high:g}" if high is not None else f"{low:g} or more"
            yield finding(
                "PC694",
                f"`{name}` is {value:g}, and {bounds} is taken",
                pointer,
                notes=self._refusal("value-not-taken", pointer),
            )


def _misspelling(given: str, near: str, pointer: str) -> Diagnostic:
    return finding("PC693", f"`{given}` is unknown in this format", pointer, help=f"did you mean `{near}`?")


def _fits(value: Json, form: Value, shape: Shape) -> bool:
    match form.kind:
        case "any":
            return True
        case "text" | "one":
            return isinstance(value, str)
        case "bool":
            return isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "whole":
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return whole and not isinstance(value, bool)
        case "list":
            return isinstance(value, list)
        case _:
            return isinstance(value, Mapping)


def _wanted(form: Value) -> str:
    if form.kind == "one":
        return "one of " + ", ".join(f"`{word}`" for word in form.words)
    return _NAMES.get(form.kind, "a list" if form.kind == "list" else "an object")


def _given(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    kind = _kind(value)
    return {"null": "null", "list": "a list", "object": "an object", "number": "a fraction"}.get(kind) or _NAMES[kind]


def _kind(value: Json) -> str:
    """The name of a JSON value's type, as in the tables."""
    match value:
        case None:
            return "null"
        case bool():
            return "bool"
        case int() | float():
            return "whole" if isinstance(value, int) or value.is_integer() else "number"
        case str():
            return "text"
    return "list" if isinstance(value, list) else "object"


def speaks_of(context: Context) -> bool:
    """Whether a body has any member that the format knows."""
    form = shape_of(context.provider.format).request
    return any(context.view.body.get(name) is not None for name in form.members)


RULES: tuple[Rule, ...] = (structure,)
