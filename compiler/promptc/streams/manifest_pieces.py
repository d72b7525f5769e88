"""Pieces of a manifest: as a template text that no other pieces have, decided for one variant, and measured."""

import hashlib
import re
from collections.abc import Callable, Sequence

from promptc.streams.json_value import utf8_length
from promptc.streams.manifest_model import (
    ArmPiece,
    BranchPiece,
    Bytes,
    HolePiece,
    LetPiece,
    LoopPiece,
    ManifestElement,
    PhasePiece,
    Piece,
    TextPiece,
)

# A brace at the end could open a tag together with what follows.
_OPENERS = re.compile(r"\{[{%#]|\{\Z")

Truth = Callable[[str], bool | None]


def template_text(pieces: Sequence[Piece]) -> str:
    """The pieces as a template. Literal text stands for itself, except that `{{`, `{%` and `{#` are
    spelled `{{ '{{' }}`.

    Different pieces give different texts, apart from how literal text is cut up.
    """
    return "".join(_template(piece) for piece in merged(pieces))


def _template(piece: Piece) -> str:
    match piece:
        case TextPiece(text=text):
            return _escaped(text)
        case HolePiece(hole=hole):
            return f"{{{{ {hole} }}}}"
        case BranchPiece(arms=arms, orelse=orelse):
            heads = [
                f"{{% {'elif' if i else 'if'} {arm.when} %}}{template_text(arm.then)}" for i, arm in enumerate(arms)
            ]
            rest = f"{{% else %}}{template_text(orelse)}" if orelse else ""
            return f"{''.join(heads)}{rest}{{% endif %}}"
        case LoopPiece(each=each, name=name, when=when, body=body, orelse=orelse):
            test = f" if {when}" if when is not None else ""
            rest = f"{{% else %}}{template_text(orelse)}" if orelse else ""
            return f"{{% for {name} in {each}{test} %}}{template_text(body)}{rest}{{% endfor %}}"
        case LetPiece(let=name, be=value):
            return f"{{% set {name} = {value} %}}"
        case PhasePiece(phase=phase, when=when, pieces=inner):
            test = f" when {when}" if when is not None else ""
            return f"{{% {phase}{test} %}}{template_text(inner)}{{% end{phase} %}}"


def _escaped(text: str) -> str:
    return _OPENERS.sub(lambda found: f"{{{{ '{found[0]}' }}}}", text)


def merged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The same pieces with neighbouring literal texts joined and empty ones gone."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if isinstance(piece, TextPiece) and isinstance(last, TextPiece):
            out[-1] = TextPiece(text=last.text + piece.text)
        elif not isinstance(piece, TextPiece) or piece.text:
            out.append(piece)
    return tuple(out)


def decided(pieces: Sequence[Piece], truth: Truth) -> tuple[Piece, ...]:
    """The pieces of one variant: branches whose conditions are known are decided, others stay.

    Args:
        truth: Whether a condition holds; None where the variant does not tell.
    """
    out: list[Piece] = []
    for piece in pieces:
        match piece:
            case BranchPiece():
                out.extend(_decided_branch(piece, truth))
            case LoopPiece(body=body, orelse=orelse):
                changes = {"body": decided(body, truth), "orelse": decided(orelse, truth)}
                out.append(piece.model_copy(update=changes))
            case PhasePiece(pieces=inner):
                out.append(piece.model_copy(update={"pieces": decided(inner, truth)}))
            case _:
                out.append(piece)
    return merged(out)


def _decided_branch(piece: BranchPiece, truth: Truth) -> tuple[Piece, ...]:
    arms: list[ArmPiece] = []
    rest = piece.orelse
    for arm in piece.arms:
        holds = truth(arm.when)
        if holds is False:
            continue
        if holds is True:
            rest = arm.then
            break
        arms.append(arm.model_copy(update={"then": decided(arm.then, truth)}))
    rest = decided(rest, truth)
    return (piece.model_copy(update={"arms": tuple(arms), "orelse": rest}),) if arms else rest


def literal(pieces: Sequence[Piece]) -> str:
    """All literal text, every branch and loop body once."""
    return "".join(_literal(piece) for piece in pieces)


def _literal(piece: Piece) -> str:
    match piece:
        case TextPiece(text=text):
            return text
        case BranchPiece(arms=arms, orelse=orelse):
            return "".join(literal(arm.then) for arm in arms) + literal(orelse)
        case LoopPiece(body=body, orelse=orelse):
            return literal(body) + literal(orelse)
        case PhasePiece(pieces=inner):
            return literal(inner)
        case _:
            return ""


def measured(pieces: Sequence[Piece]) -> Bytes:
    """Bytes of the literal text and their bounds."""
    least, most = _bounds(pieces)
    return Bytes(literal=utf8_length(literal(pieces)), least=least, most=most)


def _bounds(pieces: Sequence[Piece]) -> tuple[int, int | None]:
    phases = [_bounds(p.pieces) for p in pieces if isinstance(p, PhasePiece)]
    if phases:
        # One of the texts is written at a time, or none.
        return 0, _largest([most for _, most in phases])
    found = [_piece_bounds(piece) for piece in pieces]
    mosts = [most for _, most in found]
    total = None if None in mosts else sum(most for most in mosts if most is not None)
    return sum(least for least, _ in found), total


def _piece_bounds(piece: Piece) -> tuple[int, int | None]:
    match piece:
        case TextPiece(text=text):
            size = utf8_length(text)
            return size, size
        case BranchPiece(arms=arms, orelse=orelse):
            ways = [*(_bounds(arm.then) for arm in arms), _bounds(orelse)]
            return min(least for least, _ in ways), _largest([most for _, most in ways])
        case LoopPiece(body=body, orelse=orelse):
            _, inside = _bounds(body)
            return 0, _bounds(orelse)[1] if inside == 0 else None
        case _:
            return 0, 0


def _largest(sizes: list[int | None]) -> int | None:
    return None if None in sizes else max((size for size in sizes if size is not None), default=0)


def sha256(text: str) -> str:
    """Hex SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def element_template(element: ManifestElement) -> str:
    """All that an element writes, in template form; of a literal section its very text."""
    text = template_text(element.pieces)
    match element.kind:
        case "tool":
            return f"{element.name}\n{element.schema_text}\n{text}"
        case "group":
            order = f" order by {', '.join(element.order)}" if element.order else ""
            defer = f" defer when {element.defer}" if element.defer is not None else ""
            return f"{text}{order}{defer}"
        case _:
            return text


def element_digest(element: ManifestElement) -> str:
    """SHA-256 of the template form."""
    return sha256(element_template(element))
