"""Random bodies with matching input values, over one small schema, for comparisons with Jinja2.

Everything drawn here is well typed, tests optionals before it uses them, and stays where promptc and Jinja2 agree on
purpose: case and trimming touch ASCII only, `indent` sees line feeds only, a divisor is a literal other than 0, and a
`set` name is bound once.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from hypothesis import strategies as st

MODES = ("fast", "slow", "off")

DECLARATIONS = """\
record Item {
  name   : text
  size   : int
  tags   : list[text]
  live   : bool
  server : text?
}

input name  : text                      @session
input count : int                       @session
input flag  : bool                      @session
input mode  : "fast" | "slow" | "off"   @session
input note  : text?                     @session
input hint  : text?                     @session
input items : list[Item]                @session
"""
"""The schema in the DSL; a body drawn here can stand in any `@session` section below these declarations."""

Draw: TypeAlias = st.DrawFn
Kind: TypeAlias = Literal["text", "int", "bool", "texts", "item"]

_ASCII = "abcXYZ 09-_.,:;!?'\"(){}[]<>%#|\\/\n\t"
_ANY = _ASCII + "äßÉñλЖ中日한🙂👩\u200d\u0301\u00a0"

# -- values --------------------------------------------------------------------------------------

_texts = st.text(_ANY, max_size=8)
_ascii_texts = st.text(_ASCII, max_size=8)


def values() -> st.SearchStrategy[dict[str, Any]]:
    """Values of all inputs of the schema; an absent optional is None."""
    item = st.fixed_dictionaries(
        {
            # Distinct enough to be sorted, and ASCII because bodies take their upper case.
            "name": _ascii_texts,
            "size": st.integers(-5, 40),
            "tags": st.lists(_texts, max_size=3),
            "live": st.booleans(),
            "server": st.none() | _texts,
        }
    )
    return st.fixed_dictionaries(
        {
            "name": _ascii_texts,
            "count": st.integers(-3, 12),
            "flag": st.booleans(),
            "mode": st.sampled_from(MODES),
            "note": st.none() | _texts,
            "hint": st.none() | _texts,
            "items": st.lists(item, max_size=4),
        }
    )


# -- expressions ---------------------------------------------------------------------------------


@dataclass
class Names:
    """What can be named where an expression stands.

    Attributes:
        plain: Names or paths of texts that hold ASCII only, so that `upper` means the same everywhere.
        wide: Names or paths of texts that may hold anything.
        ints, bools, lists: Names or paths of ints, bools, lists of texts.
        item: Loop variables that hold a record.
        in_loop: Whether `loop` exists.
        fresh: Counter for new names, shared by the whole body.
    """

    plain: tuple[str, ...] = ("name", "mode")
    wide: tuple[str, ...] = ()
    ints: tuple[str, ...] = ("count",)
    bools: tuple[str, ...] = ("flag",)
    lists: tuple[str, ...] = ()
    item: tuple[str, ...] = ()
    in_loop: bool = False
    fresh: list[int] = field(default_factory=lambda: [0])

    def extended(self, **more: Any) -> "Names":
        """A copy in which some names are added, for an inner block."""
        merged = {key: getattr(self, key) for key in ("plain", "wide", "ints", "bools", "lists", "item", "in_loop")}
        for key, value in more.items():
            merged[key] = value if key == "in_loop" else merged[key] + value
        return Names(**merged, fresh=self.fresh)

    def new(self, stem: str) -> str:
        """A name that nothing else in the body has."""
        self.fresh[0] += 1
        return f"{stem}{self.fresh[0]}"


def quote(draw: Draw, text: str) -> str:
    """A text literal, in either kind of quotes."""
    mark = draw(st.sampled_from("\"'"))
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace(mark, "\\" + mark)
    return f"{mark}{escaped}{mark}"


def _ascii_text(draw: Draw, names: Names, depth: int) -> str:
    choice = draw(st.integers(0, 9 if depth else 2))
    if choice == 0:
        return quote(draw, draw(_ascii_texts))
    if choice <= 2:
        return draw(st.sampled_from(names.plain))
    inner = _ascii_text(draw, names, depth - 1)
    if choice == 3:
        return f"({inner}) | {draw(st.sampled_from(['upper', 'lower', 'trim']))}"
    if choice == 4:
        old = quote(draw, draw(st.text("abXY .", min_size=1, max_size=2)))
        return f"({inner}) | replace({old}, {quote(draw, draw(_ascii_texts))})"
    if choice == 5:
        return f"({inner}) | indent({draw(st.integers(0, 5))})"
    if choice == 6:
        marker = draw(st.sampled_from(["", ', "..."']))
        return f"({inner}) | cut({draw(st.integers(0, 6))}{marker})"
    if choice == 7:
        return f"({inner}) ~ ({_ascii_text(draw, names, depth - 1)})"
    if choice == 8:
        return f"({inner}) if {boolean(draw, names, depth - 1)} else ({_ascii_text(draw, names, depth - 1)})"
    return f"({inner}) ~ ({integer(draw, names, depth - 1)})"


def text(draw: Draw, names: Names, depth: int) -> str:
    """An expression of type text, over any characters."""
    choice = draw(st.integers(0, 8 if depth else 2))
    if choice == 0 and names.wide:
        return draw(st.sampled_from(names.wide))
    if choice <= 1:
        return quote(draw, draw(_texts))
    if choice == 2:
        return 'hint | default("none")'  # never tested, so that `default` has something to do everywhere
    if choice == 3:
        return f"({text(draw, names, depth - 1)}) ~ ({text(draw, names, depth - 1)})"
    if choice == 4:
        separator = quote(draw, draw(st.sampled_from([", ", "", "\n- "])))
        return f"({texts(draw, names, depth - 1)}) | join({separator})"
    if choice == 5:
        pick = draw(st.sampled_from(["first", "last"]))
        return f"({texts(draw, names, depth - 1)}) | {pick} | default({quote(draw, draw(_texts))})"
    if choice == 6:
        source = draw(
            st.sampled_from(["items", "name", "count", "flag", "note", "hint", "mode", *names.item, *names.wide])
        )
        return f"{source} | json"
    if choice == 7:
        return (
            f"({text(draw, names, depth - 1)}) if {boolean(draw, names, depth - 1)} else {_ascii_text(draw, names, 0)}"
        )
    return _ascii_text(draw, names, depth)


def texts(draw: Draw, names: Names, depth: int) -> str:
    """An expression of type list of texts."""
    choice = draw(st.integers(0, 5 if depth else 2))
    if choice == 0 and names.lists:
        return draw(st.sampled_from(names.lists))
    if choice <= 1:
        return 'items | map(attribute="name")'
    if choice == 2:
        key = draw(st.sampled_from(["name", "size"]))
        return f'items | sort(attribute="{key}") | map(attribute="name")'
    inner = texts(draw, names, depth - 1)
    return f"({inner}) | {draw(st.sampled_from(['sort', 'unique', 'reverse']))}"


def integer(draw: Draw, names: Names, depth: int) -> str:
    """An expression of type int."""
    choice = draw(st.integers(0, 7 if depth else 2))
    if choice == 0:
        return str(draw(st.integers(0, 20)))
    if choice == 1 and names.in_loop:
        return "loop." + draw(st.sampled_from(["index", "index0", "length", "revindex", "revindex0"]))
    if choice <= 2:
        return draw(st.sampled_from(names.ints))
    if choice == 3:
        return f"({text(draw, names, depth - 1)}) | length"
    if choice == 4:
        return draw(st.sampled_from(["items | length", "items | count", f"({texts(draw, names, depth - 1)}) | length"]))
    if choice == 5:
        return f"({integer(draw, names, depth - 1)}) {draw(st.sampled_from(['//', '%']))} {draw(st.integers(1, 7))}"
    if choice == 6:
        return f"-({integer(draw, names, depth - 1)})"
    operator = draw(st.sampled_from("+-*"))
    return f"({integer(draw, names, depth - 1)}) {operator} ({integer(draw, names, depth - 1)})"


def boolean(draw: Draw, names: Names, depth: int) -> str:
    """An expression of type bool, in parentheses where it is more than a name."""
    choice = draw(st.integers(0, 9 if depth else 2))
    if choice == 0 and names.in_loop:
        return draw(st.sampled_from(["loop.first", "loop.last"]))
    if choice <= 1:
        return draw(st.sampled_from([*names.bools, "true", "false"]))
    if choice == 2:
        return f'(mode {draw(st.sampled_from(["==", "!="]))} "{draw(st.sampled_from(MODES))}")'
    if choice == 3:
        operator = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
        return f"(({integer(draw, names, depth - 1)}) {operator} ({integer(draw, names, depth - 1)}))"
    if choice == 4:
        word = draw(st.sampled_from(["in", "not in"]))
        return f"(({_ascii_text(draw, names, depth - 1)}) {word} ({text(draw, names, depth - 1)}))"
    if choice == 5:
        word = draw(st.sampled_from(["in", "not in"]))
        return f'(mode {word} ["fast", "{draw(st.sampled_from(MODES))}"])'
    if choice == 6:
        return f"(not {boolean(draw, names, depth - 1)})"
    if choice == 7:
        return draw(
            st.sampled_from(["(note is defined)", "(note is not defined)", "(note is none)", "(note is not none)"])
        )
    if choice == 8:
        return f"(({texts(draw, names, depth - 1)}) {draw(st.sampled_from(['is empty', 'is not empty']))})"
    return (
        f"({boolean(draw, names, depth - 1)} {draw(st.sampled_from(['and', 'or']))} {boolean(draw, names, depth - 1)})"
    )


# -- templates -----------------------------------------------------------------------------------

_BLANKS = st.sampled_from(["", " ", "  ", "\t"])
_PIECES = (
    *("plain words", "- ", " ", "\n", "\n\n", "  indented\n", "it's", '"quoted"', "\\n", "\t", "50% of", "# heading\n"),
    *("{", "}", "}}", "%}", "#}", "{ {", "{x}", "{-", "-", "+", "<b>&amp;</b>", "äöü λ 中 🙂", "a\u00a0b"),
)
_LITERALS = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=4).map("".join)
_RAW = st.sampled_from(["{{ name }}", "{% if %}", "{# no #}", "{{", "\n", " ", "plain", "%}", "{% raw %}"])


def _literal(draw: Draw) -> str:
    # A brace must not join with what stands behind it to a delimiter.
    return re.sub(r"\{(?=[{%#]|$)", "{ ", draw(_LITERALS))


class _Writer:
    """Draws templates. `lines`: every block tag and comment has its line to itself."""

    def __init__(self, draw: Draw, lines: bool) -> None:
        self.draw = draw
        self.lines = lines

    def tag(self, content: str) -> str:
        """A block tag."""
        draw = self.draw
        left = draw(st.sampled_from(["", "", "", "-"]))
        right = draw(st.sampled_from(["", "", "", "-"]))
        written = f"{{%{left} {content} {right}%}}"
        if self.lines:
            return f"{draw(_BLANKS)}{written}\n"
        return draw(st.sampled_from(["{}", "{}", "{}\n", "\n  {}\t\n", " {} "])).format(written)

    def output(self, names: Names) -> str:
        """An output tag."""
        draw = self.draw
        kind = draw(st.sampled_from([text, text, integer, _ascii_text]))
        left = draw(st.sampled_from(["", "", "", "-"]))
        right = draw(st.sampled_from(["", "", "", "-"]))
        return f"{{{{{left} {kind(draw, names, 2)} {right}}}}}"

    def block(self, names: Names, depth: int) -> str:
        """A stretch of template."""
        written: list[str] = []
        for _ in range(self.draw(st.integers(0, 4))):
            piece, names = self.piece(names, depth)
            written.append(piece)
        whole = "".join(written)
        # The next tag begins on a line of its own.
        return whole + "\n" if self.lines and whole and not whole.endswith("\n") else whole

    def piece(self, names: Names, depth: int) -> tuple[str, Names]:
        """One piece of template and what can be named behind it."""
        draw = self.draw
        choice = draw(st.integers(0, 9 if depth else 5))
        if choice <= 1:
            return _literal(draw), names
        if choice <= 3:
            return self.output(names), names
        if choice == 4:
            return self.own_line("{#- gone -#}" if draw(st.booleans()) else "{# gone\n too #}"), names
        if choice == 5:
            if self.lines:
                return _literal(draw), names
            return f"{{% raw %}}{''.join(draw(st.lists(_RAW, max_size=3)))}{{% endraw %}}", names
        if choice == 6:
            return self.set_name(names)
        if choice == 7:
            return self.loop(names, depth), names
        return self.condition(names, depth), names

    def own_line(self, written: str) -> str:
        """Put a comment on a line of its own, in line mode."""
        return f"\n{self.draw(_BLANKS)}{written}\n" if self.lines else written

    def fresh_line(self, written: str) -> str:
        return f"\n{written}" if self.lines else written

    def set_name(self, names: Names) -> tuple[str, Names]:
        draw = self.draw
        name = names.new("v")
        kind = draw(st.sampled_from(["wide", "ints", "bools", "lists"]))
        maker = {"wide": text, "ints": integer, "bools": boolean, "lists": texts}[kind]
        tag = self.tag(f"set {name} = {maker(draw, names, 2)}")
        return self.fresh_line(tag), names.extended(**{kind: (name,)})

    def loop(self, names: Names, depth: int) -> str:
        draw = self.draw
        name = names.new("x")
        if draw(st.booleans()):
            source = draw(st.sampled_from(["items", 'items | sort(attribute="size")', "items | reverse"]))
            inner = names.extended(
                plain=(f"{name}.name",),
                ints=(f"{name}.size",),
                bools=(f"{name}.live",),
                lists=(f"{name}.tags",),
                item=(name,),
                in_loop=True,
            )
            test = f"{name}.live"
        else:
            source = texts(draw, names, 1)
            inner = names.extended(wide=(name,), in_loop=True)
            test = f'({name} != "a")'
        head = f"for {name} in {source}" + (f" if {test}" if draw(st.booleans()) else "")
        written = self.fresh_line(self.tag(head)) + self.block(inner, depth - 1)
        if draw(st.booleans()):
            written += self.tag("else") + self.block(names, depth - 1)
        return written + self.tag("endfor")

    def condition(self, names: Names, depth: int) -> str:
        draw = self.draw
        optional = draw(st.sampled_from([None, None, "note", *(f"{item}.server" for item in names.item)]))
        if optional is not None:
            head = draw(st.sampled_from([f"if {optional} is defined", f"if {optional} is not none", f"if {optional}"]))
            inner = names.extended(wide=(optional,))
        else:
            head, inner = f"if {boolean(draw, names, 2)}", names
        written = self.fresh_line(self.tag(head)) + self.block(inner, depth - 1)
        for _ in range(draw(st.integers(0, 2))):
            written += self.tag(f"elif {boolean(draw, names, 1)}") + self.block(names, depth - 1)
        if draw(st.booleans()):
            written += self.tag("else") + self.block(names, depth - 1)
        return written + self.tag("endif")


@st.composite
def bodies(draw: Draw, depth: int = 3) -> str:
    """Any body of the accepted language over the schema: tags inline or on lines of their own."""
    return _Writer(draw, lines=False).block(Names(), depth)


@st.composite
def line_bodies(draw: Draw, depth: int = 3) -> str:
    """A body in which every block tag and comment stands alone on its line, so that Jinja2 can read it as it is."""
    return _Writer(draw, lines=True).block(Names(), depth)
