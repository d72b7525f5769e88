"""Write template parts as a body, so that it gives exactly their text under the whitespace rule of bodies.

A line that holds only tags vanishes; anywhere else a tag touches nothing. So a tag that opens or closes several lines
gets a line of its own where a line begins, and stands inside its line elsewhere.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from promptc.importing.model import For, If, Let, Out, Part, Parts, Role, Text, merged
from promptc.syntax.format_expressions import format_expression, quoted

_DELIMITER = re.compile(r"\{[{%#]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of the body: literal text, an output (`solid`), or a tag."""

    kind: str
    text: str
    own_line: bool = False


def body_text(parts: Parts) -> str:
    """The text of a body. Line feeds at its end are left to the seam, as everywhere in a spec."""
    pieces: list[_Piece] = []
    _flatten(_rotated(parts, is_whole=True), pieces)
    return _lay_out(pieces).rstrip("\n")


# -- one newline out of a block ------------------------------------------------------------------


def _rotated(parts: Parts, is_whole: bool = False) -> Parts:
    """Move a newline that begins a block, and is followed by one behind the block, in front of it.

    Both say the same; this one can have its tags on lines of their own. At the end of a body the newline behind the
    block may be missing: there the compiler moves it back.
    """
    out: list[Part] = []
    rest = list(merged(parts))
    for index, part in enumerate(rest):
        following = rest[index + 1] if index + 1 < len(rest) else None
        at_start = not out or (isinstance(out[-1], Text) and out[-1].text.endswith("\n"))
        if (
            isinstance(part, If | For)
            and not at_start
            and ((isinstance(following, Text) and following.text.startswith("\n")) or (is_whole and following is None))
            and all(not body or _begins_line(body) for body in _bodies(part))
        ):
            out.append(Text("\n", part.span))
            if isinstance(following, Text):
                rest[index + 1] = replace(following, text=following.text[1:])
            part = _with_bodies(part, _turned)
        out.append(_with_bodies(part, _rotated) if isinstance(part, If | For) else part)
    return tuple(p for p in out if not (isinstance(p, Text) and not p.text))


def _bodies(part: If | For) -> list[Parts]:
    return [*(arm.body for arm in part.arms), part.orelse] if isinstance(part, If) else [part.body, part.orelse]


def _begins_line(body: Parts) -> bool:
    return isinstance(body[0], Text) and body[0].text.startswith("\n")


def _turned(body: Parts) -> Parts:
    if not body or not isinstance(body[0], Text):
        return body
    first = replace(body[0], text=body[0].text[1:])
    rest = (first, *body[1:]) if first.text else body[1:]
    return merged((*rest, Text("\n", body[0].span)))


def _with_bodies(part: If | For, apply: Callable[[Parts], Parts]) -> If | For:
    if isinstance(part, If):
        arms = tuple(replace(arm, body=apply(arm.body)) for arm in part.arms)
        return replace(part, arms=arms, orelse=apply(part.orelse))
    return replace(part, body=apply(part.body), orelse=apply(part.orelse))


# -- pieces --------------------------------------------------------------------------------------


def _flatten(parts: Parts, pieces: list[_Piece]) -> None:
    for part in parts:
        match part:
            case Text(text=text):
                pieces.append(_Piece("text", text))
            case Out(value=value):
                pieces.append(_Piece("solid", f"{{{{ {format_expression(value)} }}}}"))
            case Let(name=name, value=value):
                pieces.append(_Piece("tag", f"{{% set {name} = {format_expression(value)} %}}", True))
            case If():
                _flatten_if(part, pieces)
            case For():
                own = _is_long(part)
                test = f" if {format_expression(part.test)}" if part.test is not None else ""
                source = format_expression(part.source)
                pieces.append(_Piece("tag", f"{{% for {part.target} in {source}{test} %}}", own))
                _flatten(part.body, pieces)
                if part.orelse:
                    pieces.append(_Piece("tag", "{% else %}", own))
                    _flatten(part.orelse, pieces)
                pieces.append(_Piece("tag", "{% endfor %}", own))
            case Role():
                continue


def _flatten_if(part: If, pieces: list[_Piece]) -> None:
    own = _is_long(part)
    for number, arm in enumerate(part.arms):
        word = "elif" if number else "if"
        pieces.append(_Piece("tag", f"{{% {word} {format_expression(arm.test)} %}}", own))
        _flatten(arm.body, pieces)
    if part.orelse:
        pieces.append(_Piece("tag", "{% else %}", own))
        _flatten(part.orelse, pieces)
    pieces.append(_Piece("tag", "{% endif %}", own))


def _is_long(part: Part) -> bool:
    match part:
        case Text(text=text):
            return "\n" in text
        case If() | For():
            return any(_is_long(inner) for body in _bodies(part) for inner in body)
        case _:
            return False


# -- lines ---------------------------------------------------------------------------------------


def _lay_out(pieces: list[_Piece]) -> str:
    lines: list[str] = []
    line: list[_Piece] = []
    for index, piece in enumerate(pieces):
        if piece.kind != "text":
            if piece.own_line and not line:
                lines.append(piece.text)
            else:
                line.append(piece)
            continue
        followed = index + 1 < len(pieces) and pieces[index + 1].kind != "text"
        *whole, last = piece.text.split("\n")
        for text in whole:
            line.append(_Piece("text", text))
            lines.extend(_line(line))
            line = []
        if last:
            line.append(_Piece("text", last, own_line=followed))
    return "\n".join([*lines, *(_line(line) if line else [""])])


def _line(pieces: list[_Piece]) -> list[str]:
    """The physical lines of one line of text."""
    is_tags = any(p.kind == "tag" for p in pieces)
    if is_tags and not any(p.kind == "solid" or (p.kind == "text" and p.text.strip(" \t")) for p in pieces):
        # It would vanish with its line feed: the tags get lines of their own, and blanks become solid.
        if not any(p.text for p in pieces if p.kind == "text"):
            return [*(p.text for p in pieces if p.kind == "tag"), ""]
        pieces = [_Piece("solid", _as_output(p.text)) if p.kind == "text" and p.text else p for p in pieces]
    return ["".join(_escaped(p, index, pieces) for index, p in enumerate(pieces))]


def _escaped(piece: _Piece, index: int, pieces: list[_Piece]) -> str:
    if piece.kind != "text":
        return piece.text
    text = _DELIMITER.sub(lambda found: _as_output(found[0]), piece.text)
    follows = index + 1 < len(pieces) and pieces[index + 1].text.startswith("{")
    if follows and text.endswith("{"):
        text = text[:-1] + _as_output("{")
    return text


def _as_output(text: str) -> str:
    return f"{{{{ {quoted(text)} }}}}"
