"""What every report of a comparison says in words: verdicts, places, and what to do about a finding."""

from promptc.report.visible import visible
from promptc.streams.result import ChangeClass, Finding, TextClass

RELATIONS = {
    "identical": "the prefixes are the same",
    "extends": "the second continues the first",
    "truncates": "the second is the beginning of the first",
    "diverges": "the prefixes part",
}
VERDICTS = {
    "same": "nothing that is cached breaks",
    "tail": "only what stands behind the last breakpoint changes",
    "break": "a cached prefix breaks",
}
PARAM_ADVICE = "send the same value in every request that should share the prefix"
_REPLAY = "keep what was sent and send those very bytes again; normalise before the first time, never after"
_TEXT_ADVICE: dict[TextClass, str] = {
    "value": "freeze the value for the session, or send it behind the last breakpoint",
    "whitespace": _REPLAY,
    "line_endings": _REPLAY,
    "unicode_normalisation": _REPLAY,
    "json_respelled": _REPLAY,
    "lines_added": "decide once a session what is there, and announce a change at the end of the conversation",
    "lines_removed": "decide once a session what is there, and announce a change at the end of the conversation",
    "line_reorder": "give the lines a fixed order, independent of how they were found",
}
_CHANGE_ADVICE: dict[ChangeClass, str] = {
    "edit": "append what is new instead of changing what was sent",
    "insert": "keep the set fixed for the session, and append what is new at the end of the conversation",
    "remove": "keep the set fixed for the session; refuse a call at run time instead of taking its tool away",
    "reorder": "give the list a total order that does not depend on arrival",
    "key_order": "write objects with one fixed order of keys",
    "shape": "send content in one form everywhere, also where no marker stands",
    "mixed": "append blocks where they belong in time, and leave them there",
}


def kind_of(found: Finding) -> str:
    """The class of the change, and that of its text."""
    return found.change_class if found.text_class is None else f"{found.change_class}, {found.text_class}"


def where(found: Finding, arrow: str = "->") -> str:
    """The place of a finding; every character of it visible.

    Args:
        arrow: What stands between the two pointers where they are not the same.
    """
    a, b = shown_pointer(found.pointer_a), shown_pointer(found.pointer_b)
    place = a if found.pointer_a == found.pointer_b else f"{a} {arrow} {b}"
    if found.line is None:
        return place
    return f"{place}, line {found.line}, column {found.column} (byte {found.byte_offset})"


def shown_pointer(pointer: str | None) -> str:
    """A pointer as a person reads it."""
    return "(nothing)" if pointer is None else visible(pointer) or "(the text)"


def sureness(certainty: str) -> str:
    """What is added to a cause that no vendor documents."""
    return "" if certainty == "documented" else f" ({certainty.replace('_', ' ')})"


def spec_place(found: Finding) -> str:
    """File, line and column of the section that wrote the place; empty where they are not known."""
    if found.span is None:
        return ""
    return ":".join(
        [visible(found.span.path), *(str(n) for n in (found.span.line, found.span.column) if n is not None)]
    )


_BY = {
    "digest": "its text exactly",
    "pattern": "by its pattern",
    "lines": "by its lines",
    "name": "by its name",
    "group": "no tool of the spec, and the one group that it can come from",
}


def written_by(found: Finding) -> str:
    """The section that wrote the place, its place in the spec, and how that is known; empty where it is not."""
    if found.section is None:
        return ""
    words = [f"section `{visible(found.section)}`", *([place] if (place := spec_place(found)) else [])]
    if found.by is None:
        return ", ".join(words)
    inserted = "a value in " if found.inserted else ""
    return f"{inserted}{', '.join(words)} ({_BY.get(found.by, found.by)})"


def advice(found: Finding) -> str:
    """What to do about a finding."""
    if found.by is not None and found.section is not None and not found.inserted:
        # Of captured requests it cannot be told whether a release lies between them.
        return (
            "nothing, if the spec changed in between; if a condition in it chose another text, keep that condition "
            "fixed for the session"
        )
    if found.pointer_a == "" or (found.section is not None and not found.inserted):
        # A text by itself, or the literal text of a spec: a release changed it, no request did.
        return "nothing, if it is meant: every cached copy of what stands behind it is written anew once"
    if found.change_class == "edit" and found.text_class is not None:
        return _TEXT_ADVICE[found.text_class]
    return _CHANGE_ADVICE[found.change_class]
