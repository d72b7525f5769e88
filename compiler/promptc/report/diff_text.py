"""A comparison for a person: where, what was, what is, why, what it costs, what to do."""

from promptc.report.visible import visible
from promptc.streams.result import ChangeClass, Comparison, Finding, ParamChange, TextClass

_EXCERPT = 72
_SHOWN_FINDINGS = 20

_RELATIONS = {
    "identical": "the prefixes are the same",
    "extends": "the second continues the first",
    "truncates": "the second is the beginning of the first",
    "diverges": "the prefixes part",
}
_VERDICTS = {
    "same": "nothing that is cached breaks",
    "tail": "only what stands behind the last breakpoint changes",
    "break": "a cached prefix breaks",
}
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


def diff_as_text(comparison: Comparison) -> str:
    """The report as text with a final newline; free of control characters whatever was compared."""
    blocks = [_heading(comparison)]
    blocks += [_finding(number, found) for number, found in enumerate(comparison.findings[:_SHOWN_FINDINGS], start=1)]
    more = max(len(comparison.findings) - _SHOWN_FINDINGS, 0) + comparison.findings_left_out
    if more:
        blocks.append([f"and {more} more {'place' if more == 1 else 'places'}"])
    blocks += [_param(change) for change in comparison.param_changes]
    blocks.append(_cost(comparison))
    remarks = [f"limit: {visible(text)}" for text in comparison.limits]
    remarks += [f"note: {visible(text)}" for text in comparison.notes]
    if remarks:
        blocks.append(remarks)
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _heading(comparison: Comparison) -> list[str]:
    a, b = comparison.a, comparison.b
    target = f" for {visible(a.target)}" if a.target else ""
    formats = a.format if a.format == b.format else f"{a.format} and {b.format}"
    order = f", in the order {', '.join(a.order)}" if len(a.order) > 1 else ""
    return [
        f"{visible(a.name)} -> {visible(b.name)}",
        f"read as {formats}{target}{order}",
        f"{comparison.verdict}: {_RELATIONS[comparison.relation]}; {_VERDICTS[comparison.verdict]}",
    ]


def _finding(number: int, found: Finding) -> list[str]:
    kind = found.change_class if found.text_class is None else f"{found.change_class}, {found.text_class}"
    lines = [f"{number}. {_where(found)}  [{kind}]"]
    lines.append(f"   was   {_rest(found.rest_a, found)}")
    lines.append(f"   is    {_rest(found.rest_b, found)}")
    lines.append(f"   why   {visible(found.cause)}{_certainty(found.certainty)}")
    if found.section is not None:
        lines.append(f"   from  section `{visible(found.section)}`{_span(found)}")
    lines.append(f"   do    {_advice(found)}")
    return lines


def _where(found: Finding) -> str:
    a, b = _pointer(found.pointer_a), _pointer(found.pointer_b)
    place = a if found.pointer_a == found.pointer_b else f"{a} -> {b}"
    if found.line is None:
        return place
    return f"{place}, line {found.line}, column {found.column} (byte {found.byte_offset})"


def _pointer(pointer: str | None) -> str:
    return "(nothing)" if pointer is None else visible(pointer) or "(the text)"


def _rest(rest: str | None, found: Finding) -> str:
    if rest is None:
        return "(nothing)"
    if rest == "":
        return "(the end)"
    cut = rest[:_EXCERPT]
    shown = visible(cut, blanks=found.text_class == "whitespace", marks=found.text_class == "unicode_normalisation")
    return shown + ("…" if len(rest) > _EXCERPT else "")


def _certainty(certainty: str) -> str:
    return "" if certainty == "documented" else f" ({certainty.replace('_', ' ')})"


def _span(found: Finding) -> str:
    if found.span is None:
        return ""
    parts = [visible(found.span.path), *(str(n) for n in (found.span.line, found.span.column) if n is not None)]
    return f", {':'.join(parts)}"


def _advice(found: Finding) -> str:
    if found.pointer_a == "" or found.section is not None:
        # A text by itself, or the literal text of a spec: a release changed it, no request did.
        return "nothing, if it is meant: every cached copy of what stands behind it is written anew once"
    if found.change_class == "edit" and found.text_class is not None:
        return _TEXT_ADVICE[found.text_class]
    return _CHANGE_ADVICE[found.change_class]


def _param(change: ParamChange) -> list[str]:
    was, now = (visible(value) if value is not None else "(left out)" for value in (change.was, change.now))
    return [
        f"{visible(change.pointer)}  [parameter]",
        f"   was   {was}",
        f"   is    {now}",
        f"   why   it is part of the key for {', '.join(change.loses)}{_certainty(change.certainty)}",
        "   do    send the same value in every request that should share the prefix",
    ]


def _cost(comparison: Comparison) -> list[str]:
    size, tokens = comparison.prefix.bytes, comparison.prefix.tokens
    lines = [
        f"kept  {size.kept:,} of {size.kept + size.lost:,} bytes, about {tokens.kept:,} of "
        f"{tokens.kept + tokens.lost:,} tokens ({tokens.method})"
    ]
    for scope in comparison.prefix.scopes:
        lines.append(f"      scope {visible(scope.scope)}: {scope.kept:,} of {scope.kept + scope.lost:,} bytes")
    if comparison.common_prefix_through is not None:
        lines.append(f"same  through {_pointer(comparison.common_prefix_through)}")
    if comparison.breakpoints_surviving or comparison.breakpoints_lost:
        lines.append(f"alive {_pointers(comparison.breakpoints_surviving)}")
        lines.append(f"lost  {_pointers(comparison.breakpoints_lost)}")
    read = comparison.cache_read_through
    lines.append(f"read  {'nothing for certain' if read is None else f'through {_pointer(read)}'}")
    return lines


def _pointers(pointers: tuple[str, ...]) -> str:
    return ", ".join(visible(pointer) for pointer in pointers) if pointers else "no breakpoint"
