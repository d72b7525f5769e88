"""Print text operations as Python statements: as pieces of JSON bytes with marks, or as plain text."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from json.encoder import encode_basestring

from promptc.emit.names import Names, snake
from promptc.emit.python_literals import WIDTH, annotation, bytes_literal, text_lines, text_literal
from promptc.emit.python_values import OR, TERNARY, Frame, expression, when_false, when_true
from promptc.ir.model import Bind, Branch, Each, Lit, Put, TextOp, Value
from promptc.source import Span
from promptc.types import Optional

_INLINE = 72


def escaped(text: str) -> str:
    """A text as it stands between the quotes of a JSON literal."""
    return encode_basestring(text)[1:-1]


@dataclass
class Marks:
    """The table of marks of one module; a mark says where a run of bytes comes from."""

    locate: Callable[[Span], tuple[int, int]]
    rows: list[tuple[str, str, str]] = field(
        default_factory=lambda: [("", "wire", ""), ("", "conversation", ""), ("", "seam", "")]
    )
    _numbers: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def place(self, span: Span) -> str:
        """`path:line:column` of a span, 1-based."""
        line, column = self.locate(span)
        return f"{span.path}:{line}:{column}"

    def of(self, section: str, kind: str, span: Span) -> int:
        """The number of a mark."""
        row = (section, kind, self.place(span))
        if row not in self._numbers:
            self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return self._numbers[row]


WIRE, CALLER, SEAM = 0, 1, 2


@dataclass
class Constants:
    """Long texts of one module, each with a name of its own so that a change to one is a change to its lines only."""

    names: Names
    rows: list[tuple[str, list[str]]] = field(default_factory=list)
    _known: dict[tuple[str, str], str] = field(default_factory=dict)

    def piece(self, text: str, label: str) -> str:
        """An expression for the escaped bytes of a text: the literal itself when it is short, else a constant."""
        return self.piece_of(escaped(text), label)

    def piece_of(self, inside: str, label: str) -> str:
        """The same for a text that is escaped already."""
        if inside.isascii() and len(inside) <= _INLINE:
            return bytes_literal(inside.encode())
        return self.named(inside, label, "\\n", encode=True)

    def plain(self, text: str, label: str) -> str:
        """An expression for a text as it is."""
        literal = text_literal(text)
        return literal if len(literal) <= _INLINE else self.named(text, label, "\n", encode=False)

    def named(self, text: str, label: str, line_end: str, encode: bool) -> str:
        """The name of a constant that holds a text, or its UTF-8 bytes."""
        key = (text, str(encode))
        if key not in self._known:
            name = self.names.claim(f"_{snake(label).upper()}")
            self._known[key] = name
            self.rows.append((name, _constant_lines(name, text_lines(text, line_end), encode)))
        return self._known[key]


def _constant_lines(name: str, pieces: Sequence[str], encode: bool) -> list[str]:
    call = ".encode()" if encode else ""
    if len(pieces) > 1 and sum(map(len, pieces)) > WIDTH:
        # A literal is never shorter than its text, so neither of the forms on one line can fit.
        return [f"{name} = (", *(f"    {text_literal(piece)}" for piece in pieces), f"){call}"]
    flat = f"{name} = {text_literal(''.join(pieces))}{call}"
    if len(pieces) == 1 or len(flat) <= WIDTH:
        return [flat]
    whole = f"    {text_literal(''.join(pieces))}"
    if len(whole) <= WIDTH:
        return [f"{name} = (", whole, f"){call}"]
    return [f"{name} = (", *(f"    {text_literal(piece)}" for piece in pieces), f"){call}"]


@dataclass
class Writer:
    """Prints the text operations of one section.

    Attributes:
        frame: What names mean.
        names: Free names in the function.
        label: Name of the section, for constants and marks.
        as_bytes: Whether to write marked pieces of JSON bytes to `out`, or plain texts.
        records: Class name of every record.
    """

    frame: Frame
    names: Names
    label: str
    as_bytes: bool
    marks: Marks
    constants: Constants
    records: dict[str, str]
    out: str = "out"
    declared: set[str] = field(default_factory=set)

    def lines(self, ops: Sequence[TextOp]) -> list[str]:
        """The statements for some operations; at least one."""
        lines: list[str] = []
        pending: list[str] = []
        for op in ops:
            match op:
                case Lit() | Put():
                    pending.append(self._piece(op))
                case _:
                    lines += self._flush(pending)
                    pending = []
                    lines += self._compound(op)
        lines += self._flush(pending)
        return lines or ["pass"]

    def _flush(self, pieces: Sequence[str]) -> list[str]:
        return append_lines(self.out, pieces, paired=self.as_bytes)

    def _piece(self, op: Lit | Put) -> str:
        if isinstance(op, Lit):
            if not self.as_bytes:
                return self.constants.plain(op.text, self.label)
            mark = self.marks.of(self.label, "literal", op.span)
            return f"{self.constants.piece(op.text, self.label)}, {mark}"
        inserted = self._inserted(op)
        if not self.as_bytes:
            return inserted
        self.frame.runtime.add("escape")
        mark = self.marks.of(self.label, "interpolated", op.span)
        # Digits and a minus sign need no escaping.
        return f"{inserted}.encode(), {mark}" if op.is_int else f"escape({inserted}), {mark}"

    def _inserted(self, op: Put) -> str:
        kind = self.frame.types.of(op.value, self.frame.local_types)
        text = expression(op.value, self.frame)
        if isinstance(kind, Optional) and op.value not in self.frame.known:
            self.frame.runtime.add("present")
            text = f"present({text})"
        return f"str({text})" if op.is_int else text

    def _compound(self, op: Branch | Each | Bind) -> list[str]:
        match op:
            case Branch():
                return self._branch(op)
            case Each():
                return self._each(op)
            case Bind(local=local, value=value):
                name = self._local(local)
                text = expression(value, self.frame)
                if local in self.declared:
                    return [f"{name} = {text}"]
                self.declared.add(local)
                hint = annotation(self.frame.local_types[local], self.records, literal=False)
                return [f"{name}: {hint} = {text}"]

    def _local(self, local: str) -> str:
        if local not in self.frame.locals:
            self.frame.locals[local] = self.names.claim(snake(local))
        return self.frame.locals[local]

    def _knowing(self, facts: frozenset[Value]) -> "Writer":
        return replace(self, frame=self.frame.knowing(facts)) if facts else self

    def _branch(self, op: Branch) -> list[str]:
        lines: list[str] = []
        failed: frozenset[Value] = frozenset()
        for number, arm in enumerate(op.arms):
            inner = self._knowing(failed)
            lines.append(f"{'el' if number else ''}if {expression(arm.test, inner.frame)}:")
            lines += indented(inner._knowing(when_true(arm.test)).lines(arm.body))
            failed |= when_false(arm.test)
        if op.orelse:
            lines += ["else:", *indented(self._knowing(failed).lines(op.orelse))]
        return lines

    def _each(self, op: Each) -> list[str]:
        items = expression(op.items, self.frame, OR if op.test is not None else TERNARY)
        kind = self.frame.types.of(op.items, self.frame.local_types)
        if isinstance(kind, Optional) and op.items not in self.frame.known:
            self.frame.runtime.add("present")
            items = f"present({items})"
        element = self._local(op.local)
        lines: list[str] = []
        if op.test is not None:
            chosen = self.names.claim(f"{element}_chosen")
            bracket = f"[{element} for {element} in {items} if {expression(op.test, self.frame, OR)}]"
            lines.append(f"{chosen} = {bracket}")
            items = chosen
        elif op.orelse or op.uses_loop:
            chosen = self.names.claim(f"{element}_list")
            lines.append(f"{chosen} = {items}")
            items = chosen
        head = f"for {element} in {items}:"
        if op.uses_loop:
            index, length = self.names.claim(f"{element}_index"), self.names.claim(f"{element}_count")
            self.frame.loops[op.local] = (index, length)
            lines.append(f"{length} = len({items})")
            head = f"for {index}, {element} in enumerate({items}):"
        lines += [head, *indented(self.lines(op.body))]
        if op.orelse:
            lines += [f"if not {items}:", *indented(self.lines(op.orelse))]
        return lines


def append_lines(target: str, pieces: Sequence[str], paired: bool = True) -> list[str]:
    """One statement that appends pieces to a list; nothing for no pieces."""
    if not pieces:
        return []
    if len(pieces) == 1 and not paired:
        return [f"{target}.append({pieces[0]})"]
    flat = f"{target} += ({', '.join(pieces)})"
    if len(flat) <= WIDTH - 16:
        return [flat]
    return [f"{target} += (", *(f"    {piece}," for piece in pieces), ")  # fmt: skip"]


def indented(lines: Iterable[str]) -> list[str]:
    """Statements one level deeper."""
    return [f"    {line}" if line else line for line in lines]
