"""Read the parts of a YAML construct: its keys by its shape, and values of the kinds that keys take.

A method returns None after a report; one cause is reported once.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from promptc.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.source import Source, Span
from promptc.syntax.expressions import Expr, Ident, TextLiteral
from promptc.syntax.nodes import Duration, TypeExpr
from promptc.syntax.parser import parse_expression, parse_type
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar, YamlSequence
from promptc.syntax.yaml_prompt_models import Shape, keys_of
from promptc.syntax.yaml_scalars import ScalarText, scalar_text
from promptc.syntax.yaml_values import core_value, disputed

MAX_INT = 2**53 - 1  # as in the DSL: the largest that every emitter's language holds exactly

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
_DURATION = re.compile(r"([0-9]{1,9})(s|m|h|d)")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping whose keys fit a shape.

    Attributes:
        span: The whole mapping.
        what: What it declares, for messages: "an input".
        values: The nodes by key; keys without a value are not in it.
        keys: The key nodes.
    """

    span: Span
    what: str
    values: Mapping[str, YamlNode]
    keys: Mapping[str, YamlScalar]

    def get(self, key: str) -> YamlNode | None:
        """The value of a key, or None."""
        return self.values.get(key)


def kind_of(node: YamlNode) -> str:
    """What a node is, for messages."""
    if isinstance(node, YamlMapping):
        return "a mapping"
    if isinstance(node, YamlSequence):
        return "a list"
    value = core_value(node)
    if value is None:
        return "no value"
    if isinstance(value, bool):
        return f"the bool `{node.value}`"
    return "a number" if isinstance(value, int) else "a text"


def is_null(node: YamlNode) -> bool:
    """Whether a node is an empty or `null` plain scalar."""
    return isinstance(node, YamlScalar) and core_value(node) is None


def head(node: YamlNode) -> Span:
    """The smallest place that shows a node: a scalar on one line, the first key of a mapping, the first character."""
    span = node.span
    if isinstance(node, YamlMapping) and node.pairs:
        return node.pairs[0][0].span
    if isinstance(node, YamlScalar) and node.style not in ("literal", "folded"):
        return span
    return Span(span.path, span.start, min(span.start + 1, span.end))


class FieldReader:
    """Reads values of one source and reports into one sink."""

    def __init__(self, source: Source, sink: Sink) -> None:
        self.source = source
        self.sink = sink

    # -- collections -----------------------------------------------------------------------------

    def fields(self, node: YamlNode, shape: type[Shape], what: str) -> Fields | None:
        """The fields of a mapping; reports unknown keys, missing keys and keys without a value."""
        if not isinstance(node, YamlMapping):
            self.wrong_kind(node, f"{what} is a mapping")
            return None
        known = keys_of(shape)
        values: dict[str, YamlNode] = {}
        keys: dict[str, YamlScalar] = {}
        excused: set[str] = set()
        for key, value in node.pairs:
            name = key.value
            if name not in known:
                meant = self.unknown_key(key, [k for k in known if k not in dict.fromkeys(keys)], what)
                excused.update([meant] if meant else [])
            elif is_null(value) and name != "default":
                self.no_value(key)
                excused.add(name)
            else:
                values[name] = value
                keys[name] = key
        for name, required in known.items():
            if required and name not in values and name not in excused:
                self.report("PC153", f"{what} has no `{name}`", head(node), f"`{name}` is missing here")
        return Fields(node.span, what, values, keys)

    def pairs(self, node: YamlNode, what: str) -> tuple[tuple[YamlScalar, YamlNode], ...]:
        """The entries of a mapping from names; `what` is what it holds: "inputs"."""
        if isinstance(node, YamlMapping):
            return node.pairs
        self.wrong_kind(node, f"`{what}` is a mapping from names")
        return ()

    def items(self, node: YamlNode, what: str) -> tuple[YamlNode, ...]:
        """The items of a list; `what` is the key that takes it. Items without a value are reported and left out."""
        if not isinstance(node, YamlSequence):
            self.wrong_kind(node, f"`{what}` takes a list")
            return ()
        kept = []
        for item in node.items:
            if is_null(item):
                self.report("PC153", f"an item of `{what}` has no value", item.span, "empty")
            else:
                kept.append(item)
        return tuple(kept)

    def discriminate(
        self, node: YamlNode, kinds: Iterable[str], what: str, offered: Iterable[str] | None = None
    ) -> str | None:
        """Which of `kinds` is a key of a mapping, where the key names the construct; messages list `offered`."""
        if not isinstance(node, YamlMapping):
            self.wrong_kind(node, f"{what} is a mapping")
            return None
        kinds = tuple(kinds)
        found = [key for key, _ in node.pairs if key.value in kinds]
        if len(found) > 1:
            first, second = found[:2]
            self.report(
                "PC162", f"`{first.value}` and `{second.value}` stand in one item", second.span,
                "names another construct", "make two items of it", Label(first.span, "names the construct"),
            )  # fmt: skip
            return None
        if found:
            return found[0].value
        kinds = tuple(offered or kinds)
        for key, _ in node.pairs[:1]:
            if suggest(key.value, kinds):
                self.unknown_key(key, kinds, what)
                return None
        listed = ", ".join(f"`{kind}`" for kind in kinds)
        self.report("PC153", f"{what} names none of {listed}", head(node), "which construct is it?")
        return None

    # -- scalars ---------------------------------------------------------------------------------

    def string(self, node: YamlNode, takes: str) -> ScalarText | None:
        """A text; `takes` says what the place takes: "`because` takes a text"."""
        if isinstance(node, YamlScalar) and isinstance(core_value(node), str):
            return scalar_text(self.source, node) if self.untagged(node) else None
        self.wrong_kind(node, takes, quote=isinstance(node, YamlScalar) and not is_null(node))
        return None

    def text(self, node: YamlNode, takes: str) -> TextLiteral | None:
        """A text as a node."""
        found = self.string(node, takes)
        return TextLiteral(span=found.span, value=found.text) if found else None

    def ident(self, node: YamlNode, takes: str, code: bool = False) -> Ident | None:
        """A name as the DSL allows it; with `code`, the code or slug of a diagnostic."""
        found = self.string(node, takes)
        if found is None:
            return None
        if not (_CODE if code else _NAME).fullmatch(found.text):
            self.report(
                "PC165", f"`{_shown(found.text)}` is not a name", found.span, "not a name",
                "a name is letters, digits and `_`, and does not begin with a digit",
            )  # fmt: skip
            return None
        return Ident(span=found.map.span(0, len(found.text)), name=found.text)

    def stability_class(self, node: YamlNode) -> Ident | None:
        """A class; the `@` of the DSL may stand in front of it."""
        found = self.string(node, "`class` takes the name of a class")
        if found is None or not found.text.startswith("@"):
            return self.ident(node, "`class` takes the name of a class") if found else None
        if not _NAME.fullmatch(found.text, 1):
            return self.ident(node, "`class` takes the name of a class")
        return Ident(span=found.map.span(1, len(found.text)), name=found.text[1:])

    def key_ident(self, key: YamlScalar) -> Ident | None:
        """The name that a key declares. A key is text whatever it looks like."""
        found = scalar_text(self.source, key)
        if not _NAME.fullmatch(found.text):
            self.report(
                "PC165", f"`{_shown(found.text)}` is not a name", found.span, "not a name",
                "a name is letters, digits and `_`, and does not begin with a digit",
            )  # fmt: skip
            return None
        return Ident(span=found.map.span(0, len(found.text)), name=found.text)

    def choice(self, node: YamlNode, key: str, choices: tuple[str, ...]) -> str | None:
        """One of a closed set of words."""
        listed = ", ".join(f"`{word}`" for word in choices)
        found = self.string(node, f"`{key}` takes one of {listed}")
        if found is None or found.text in choices:
            return found.text if found else None
        meant = suggest(found.text, choices)
        fix = Fix(f"write `{meant}`", (Edit(found.span, meant),)) if meant else None
        self.report("PC151", f"`{key}` takes one of {listed}, not `{_shown(found.text)}`", found.span,
                    "not one of them", f"did you mean `{meant}`?" if meant else None, fix=fix)  # fmt: skip
        return None

    def flag(self, node: YamlNode, key: str) -> bool:
        """A bool; False after a report."""
        if isinstance(node, YamlScalar) and not node.expression:
            value = core_value(node)
            if isinstance(value, bool):
                return value
            doubt = disputed(node)
            if doubt is not None and doubt.value is not None:
                self.old_bool(node, doubt.value)
                return doubt.value
        self.wrong_kind(node, f"`{key}` takes `true` or `false`")
        return False

    def integer(self, node: YamlNode, key: str) -> int | None:
        """A whole number from 0."""
        if isinstance(node, YamlScalar) and not node.expression:
            value = core_value(node)
            if isinstance(value, int) and not isinstance(value, bool):
                if value < 0:
                    self.report("PC151", f"`{key}` takes a whole number from 0", node.span, "below 0")
                    return None
                return value if self.in_range(node, value) else None
            if disputed(node) is not None:
                self.odd_number(node)
                return None
        self.wrong_kind(node, f"`{key}` takes a whole number")
        return None

    def duration(self, node: YamlNode, key: str) -> Duration | None:
        """A time with its unit."""
        found = None
        if isinstance(node, YamlScalar) and not node.expression:
            found = _DURATION.fullmatch(node.value)
        if found is None:
            self.report("PC166", f"`{key}` takes a time such as `30s`, `5m` or `1h`", head(node), kind_of(node))
            return None
        return Duration(span=node.span, seconds=int(found[1]) * _SECONDS[found[2]])

    def expression(self, node: YamlNode, key: str) -> Expr | None:
        """An expression in DSL syntax. A plain `true` or `5` is one too."""
        text = self._embedded(node, f"`{key}` takes an expression")
        return parse_expression(text.text, text.map, self.sink) if text else None

    def type(self, node: YamlNode, takes: str) -> TypeExpr | None:
        """A type in DSL syntax."""
        found = self.string(node, takes)
        return parse_type(found.text, found.map, self.sink) if found else None

    def _embedded(self, node: YamlNode, takes: str) -> ScalarText | None:
        if isinstance(node, YamlScalar) and core_value(node) is not None:
            return scalar_text(self.source, node) if self.untagged(node) else None
        if isinstance(node, YamlSequence | YamlMapping):
            help = "put the expression in quotes: to YAML, `[` and `{` begin a list and a mapping"
            self.report("PC151", takes, head(node), kind_of(node), help)
        else:
            self.wrong_kind(node, takes)
        return None

    # -- reports ---------------------------------------------------------------------------------

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        label: str,
        help: str | None = None,
        *others: Label,
        fix: Fix | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Report one finding of this source."""
        self.sink.report(
            Diagnostic(code, message, Label(span, label), secondary=others, notes=notes, help=help, fix=fix)
        )

    def wrong_kind(self, node: YamlNode, takes: str, quote: bool = False) -> None:
        """Report a node of another kind than its place takes."""
        if isinstance(node, YamlScalar) and not self.untagged(node):
            return
        fix = help = None
        if quote and isinstance(node, YamlScalar):
            quoted = f'"{node.value}"'
            help = f"quote it to make it a text: `{quoted}`"
            fix = Fix(f"write `{quoted}`", (Edit(node.span, quoted),))
        kind = kind_of(node)
        self.report("PC151", f"{takes}, not {kind}" if kind != "no value" else takes, head(node), kind, help, fix=fix)

    def unknown_key(self, key: YamlScalar, candidates: Iterable[str], what: str) -> str | None:
        """Report a key that a construct does not have; returns the key that was probably meant."""
        candidates = tuple(candidates)
        meant = suggest(key.value, candidates)
        fix = Fix(f"write `{meant}`", (Edit(key.span, meant),)) if meant else None
        listed = ", ".join(f"`{name}`" for name in candidates)
        self.report(
            "PC152", f"{what} has no key `{_shown(key.value)}`", key.span, "unknown key",
            f"did you mean `{meant}`?" if meant else f"it takes {listed}" if listed else None, fix=fix,
        )  # fmt: skip
        return meant

    def no_value(self, key: YamlScalar) -> None:
        """Report a key that nothing follows."""
        self.report("PC153", f"`{_shown(key.value)}` has no value", key.span, "nothing follows this key",
                    "give it a value, or remove the key")  # fmt: skip

    def untagged(self, node: YamlScalar) -> bool:
        """Whether a scalar is free of `!expr`, which only places for data take; reports it otherwise."""
        if node.expression:
            self.report("PC156", "`!expr` has no meaning here", head(node), "not a place for data",
                        "remove the tag: it makes an expression of a value in `set` and `default` only")  # fmt: skip
        return not node.expression

    def old_bool(self, node: YamlScalar, meant: bool) -> None:
        """Report a YAML 1.1 bool where a bool is taken."""
        word = "true" if meant else "false"
        self.report(
            "PC161", f"`{node.value}` is a text, not a bool", node.span, f"the text `{node.value}`",
            f"write `{word}`", notes=("YAML 1.1 read this word as a bool; YAML 1.2 does not",),
            fix=Fix(f"write `{word}`", (Edit(node.span, word),)),
        )  # fmt: skip

    def odd_number(self, node: YamlScalar) -> None:
        """Report a number in a spelling that YAML readers take differently, where a whole number is taken."""
        digits = node.value.replace("_", "")
        plain = digits if re.fullmatch(r"[1-9][0-9]*", digits) else None
        self.report(
            "PC164", f"`{_shown(node.value)}` is not a whole number to every YAML reader", node.span,
            "read in several ways", f"write `{plain}`" if plain else "write a whole number in decimal digits",
            fix=Fix(f"write `{plain}`", (Edit(node.span, plain),), Applicability.SAFE) if plain else None,
        )  # fmt: skip

    def in_range(self, node: YamlScalar, value: int) -> bool:
        """Whether a number is one that every target holds exactly; reports it otherwise."""
        if abs(value) <= MAX_INT:
            return True
        note = f"the largest is {MAX_INT:_}: beyond it JavaScript and many JSON readers lose digits"
        self.report("PC111", "a number is too large", node.span, "", notes=(note,))
        return False


def _shown(text: str) -> str:
    """A text from a file inside a message: one line, printable, short."""
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return line if len(line) <= 60 else line[:59] + "…"
