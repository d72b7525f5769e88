"""Who is to blame that two prefixes part: the first byte, the section, and its place in the spec as it is now."""

from dataclasses import dataclass

from promptc.compare.prompts import Compared
from promptc.streams.common_prefix import common_prefix
from promptc.streams.manifest_model import Manifest, Place
from promptc.streams.model import Element, Piece, PrefixStream

# What excerpts do not show well.
_UNSEEN: dict[str | None, str] = {
    "whitespace": "only whitespace differs there",
    "line_endings": "only line ends differ there",
    "unicode_normalisation": "the characters look the same and are composed in another way",
}


@dataclass(frozen=True, slots=True)
class Blame:
    """The first place where two prefixes part.

    Attributes:
        section: Section, tool or tool group; empty where no one wrote the byte.
        change: What happened to it: `edited`, `added`, `removed`, `moved`.
        tool: Whether it is a tool or tool group.
        cls: Its effective class; None where it is not known.
        place: Where it stands now; None where it is not there any more.
        byte: First differing byte of the whole prefix, in template form.
        line: Line of the section's own text that it is in, from 1; None where it is not in the text of one.
        notes: Cause and both texts from there on.
    """

    section: str
    change: str
    tool: bool
    cls: str | None
    place: Place | None
    byte: int
    line: int | None
    notes: tuple[str, ...]

    @property
    def words(self) -> str:
        """What happened, as the end of a sentence."""
        if not self.section:
            return "what stands there is another"
        where = f" in line {self.line} of its text" if self.line is not None else ""
        return f"{'tool' if self.tool else 'section'} `{self.section}` is {self.change}{where}"


def blame_of(compared: Compared, old: Manifest, new: Manifest) -> Blame:
    """Find the first differing byte of two streams that part, and who wrote it."""
    a, b = compared.old, compared.new
    index = _common(compared)
    mine = a.elements[index] if index < len(a.elements) else None
    theirs = b.elements[index] if index < len(b.elements) else None
    at = _shared(mine, theirs)
    was, now = _piece(mine, at), _piece(theirs, at)
    section, change, place = _what(a, b, was, now)
    here = [e for e in (*new.elements, *old.elements) if e.name == section]
    kind = theirs or mine
    byte = sum(e.size for e in a.elements[:index]) + at
    return Blame(
        section=section,
        change=change,
        tool=kind is not None and kind.kind == "tool",
        cls=here[0].cls if here else None,
        place=place,
        byte=byte,
        line=_line(theirs, now, at) if change == "edited" else None,
        notes=_notes(compared),
    )


def _common(compared: Compared) -> int:
    through = compared.comparison.common_prefix_through
    names = [element.pointer for element in compared.old.elements]
    return names.index(through) + 1 if through in names else 0


def _shared(mine: Element | None, theirs: Element | None) -> int:
    if mine is None or theirs is None or mine.kind != theirs.kind or mine.data == theirs.data:
        return 0
    return common_prefix(mine.data, theirs.data)


def _piece(element: Element | None, at: int) -> Piece | None:
    return element.piece_at(at) if element is not None else None


def _line(element: Element | None, piece: Piece | None, at: int) -> int | None:
    if element is None or piece is None or element.kind == "tool" or at < piece.start:
        return None
    return element.data[piece.start : at].count(b"\n") + 1


def _what(a: PrefixStream, b: PrefixStream, was: Piece | None, now: Piece | None) -> tuple[str, str, Place | None]:
    if was is not None and was.section not in _sections(b):
        return was.section, "removed", _place(now)
    if now is not None and now.section not in _sections(a):
        return now.section, "added", _place(now)
    if was is not None and now is not None:
        return now.section, "edited" if was.section == now.section else "moved", _place(now)
    piece = now or was
    return (piece.section, "moved", _place(now)) if piece is not None else ("", "edited", None)


def _sections(stream: PrefixStream) -> frozenset[str]:
    return frozenset(piece.section for element in stream.elements for piece in element.pieces)


def _place(piece: Piece | None) -> Place | None:
    if piece is None or piece.path is None or piece.line is None or piece.column is None:
        return None
    return Place(path=piece.path, line=piece.line, column=piece.column)


def _notes(compared: Compared) -> tuple[str, ...]:
    first = next(iter(compared.comparison.findings), None)
    if first is None:
        return ()
    notes = [first.cause.rstrip(".")]
    if first.text_class in _UNSEEN:
        notes.append(_UNSEEN[first.text_class])
    notes += [f"was: {first.rest_a}"] if first.rest_a else []
    notes += [f"now: {first.rest_b}"] if first.rest_b else []
    return tuple(notes)
