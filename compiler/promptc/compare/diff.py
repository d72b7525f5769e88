"""Compares two prefix streams: the one entry of this package."""

from promptc.compare.amounts import Measures, measure, prefix_amounts
from promptc.compare.cache_reads import breakpoints_of, read_through
from promptc.compare.divergences import divergences
from promptc.compare.findings import findings_of
from promptc.compare.limits import limits_of
from promptc.compare.params import changed_members, first_lost, param_changes
from promptc.streams.model import Breakpoint, PrefixStream
from promptc.streams.plain_text import text_stream
from promptc.streams.result import Comparison, ParamChange, Relation, Side, Verdict
from promptc.streams.rules import UNKNOWN_TARGET, CacheRules


def compare_texts(a: str | bytes, b: str | bytes, name_a: str = "a", name_b: str = "b") -> Comparison:
    """Compare two plain texts.

    Args:
        a: The first text, or its UTF-8 bytes.
        b: The second.
        name_a: Name of the first, for reports.
        name_b: Name of the second.

    Returns:
        `prefix.bytes.kept` is the exact length of their common prefix in bytes.

    Raises:
        UnicodeDecodeError: Bytes are not UTF-8; `streams.read` reports that as a diagnostic.
    """
    text_a = a if isinstance(a, str) else a.decode("utf-8")
    text_b = b if isinstance(b, str) else b.decode("utf-8")
    return compare_streams(text_stream(text_a, name_a), text_stream(text_b, name_b), CacheRules(certain=False))


def compare_streams(
    a: PrefixStream, b: PrefixStream, rules: CacheRules = UNKNOWN_TARGET, weight: Measures | None = None
) -> Comparison:
    """Compare what a provider caches of two requests, `a` sent first.

    Args:
        a: The earlier request.
        b: The later one.
        rules: Cache rules of the target; see `streams.rules.cache_rules`.
        weight: What `a` weighs, where that is known already.
    """
    common = _common_elements(a, b)
    relation = _relation(a, b, common)
    found = divergences(a.elements, b.elements, common, a.order) if relation == "diverges" else []
    findings, left_out = findings_of(a.elements, b.elements, found)
    changes = param_changes(a, b, rules)
    cut = min(first_lost(a, changes), first_lost(b, changes))
    usable = min(common, cut)
    written = breakpoints_of(a, rules)
    surviving = tuple(point for point in written if point.index < usable)
    lost = tuple(point for point in written if point.index >= usable)
    read = read_through(a, b, usable, written, rules)
    weight = measure(a) if weight is None else weight
    return Comparison(
        a=_side(a),
        b=_side(b),
        relation=relation,
        verdict=_verdict(relation, changes, surviving, lost, usable < common),
        findings=tuple(findings),
        findings_left_out=left_out,
        common_prefix_through=a.elements[common - 1].pointer if common else None,
        params_changed=changed_members(changes),
        param_changes=tuple(changes),
        breakpoints_surviving=tuple(point.pointer for point in surviving),
        breakpoints_lost=tuple(point.pointer for point in lost),
        cache_read_through=read.pointer if read else None,
        prefix=prefix_amounts(a, b, common, cut, weight),
        limits=limits_of(a, b, usable, read, rules, weight),
        notes=_notes(a, b),
    )


def _common_elements(a: PrefixStream, b: PrefixStream) -> int:
    pairs = enumerate(zip(a.elements, b.elements, strict=False))
    shorter = min(len(a.elements), len(b.elements))
    return next((index for index, (x, y) in pairs if not x.same_as(y)), shorter)


def _relation(a: PrefixStream, b: PrefixStream, common: int) -> Relation:
    ends_a, ends_b = common == len(a.elements), common == len(b.elements)
    if ends_a and ends_b:
        return "identical"
    return "extends" if ends_a else "truncates" if ends_b else "diverges"


def _verdict(
    relation: Relation,
    changes: list[ParamChange],
    surviving: tuple[Breakpoint, ...],
    lost: tuple[Breakpoint, ...],
    cut_by_params: bool,
) -> Verdict:
    if changes and cut_by_params:
        return "break" if lost or not surviving else "tail"
    if relation != "diverges":
        # A rewind loses the entries of what was taken back, and nothing that is still sent.
        return "same"
    return "tail" if surviving and not lost else "break"


def _side(stream: PrefixStream) -> Side:
    return Side(
        name=stream.name,
        format=stream.format,
        target=stream.target,
        order=stream.order,
        elements=len(stream.elements),
    )


def _notes(a: PrefixStream, b: PrefixStream) -> tuple[str, ...]:
    notes: list[str] = []
    if a.member_order != b.member_order and sorted(a.member_order) == sorted(b.member_order):
        notes.append("the members of the body come in another order, which a server that parses it does not see")
    if a.format != b.format:
        notes.append(f"the requests have different shapes, `{a.format}` and `{b.format}`")
    if a.order != b.order:
        notes.append("the two streams are in different cache orders")
    if a.outside or b.outside:
        count = max(len(a.outside), len(b.outside))
        notes.append(f"{count} {'part is' if count == 1 else 'parts are'} outside the prefix and not compared")
    return tuple(notes)
