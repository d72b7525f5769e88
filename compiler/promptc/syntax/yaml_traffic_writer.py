"""Write a `traffic` block as YAML."""

from collections.abc import Sequence
from itertools import groupby

from promptc.syntax import traffic_nodes as parts
from promptc.syntax.format_traffic import duration_text
from promptc.syntax.yaml_layout import Entry, Listing, Mapping, Text, Value, Verbatim


def traffic_value(item: parts.TrafficDecl) -> Value:
    """The block as a mapping; clauses that stand twice give keys that stand twice."""
    entries: list[Entry] = []
    for kind, group in groupby(item.items, key=type):
        members = list(group)
        at = members[0].span.start
        if kind is parts.Sessions:
            rows = [Entry(None, _sessions(p), p.span.start) for p in members if isinstance(p, parts.Sessions)]
            entries.append(Entry("sessions", Listing(rows), at))
        elif kind is parts.SizeOf or kind is parts.Present:
            named = [_named(p) for p in members if isinstance(p, parts.SizeOf | parts.Present)]
            entries.append(Entry("sizes" if kind is parts.SizeOf else "present", Mapping(named), at))
        else:
            entries.extend(_single(part) for part in members)
    return Mapping(entries)


def _single(item: parts.TrafficItem) -> Entry:
    at = item.span.start
    match item:
        case parts.Gaps(shares=shares):
            return Entry("gaps", _shares(shares, seconds=True), at)
        case parts.Blocks(shares=shares):
            return Entry("blocks", _shares(shares, seconds=False), at)
        case parts.Turns(count=count):
            return Entry("turns", Verbatim(str(count)), at)
        case parts.TurnTokens(count=count):
            return Entry("tokens", Verbatim(str(count)), at)
        case _:
            raise TypeError(f"{type(item).__name__} is written with others of its kind")


def _sessions(item: parts.Sessions) -> Value:
    entries = [Entry("count", Verbatim(str(item.count))), Entry("per", Text(item.per))]
    if item.cls is not None:
        entries.append(Entry("class", Text(item.cls.name), item.cls.span.start))
    return Mapping(entries)


def _shares(shares: Sequence[parts.Share], seconds: bool) -> Value:
    rows = []
    for share in shares:
        bound = duration_text(share.within) if seconds else str(share.within)
        pair = [Entry("percent", Verbatim(str(share.percent))), Entry("within", Verbatim(bound))]
        rows.append(Entry(None, Mapping(pair), share.span.start))
    return Listing(rows)


def _named(item: parts.SizeOf | parts.Present) -> Entry:
    number = item.tokens if isinstance(item, parts.SizeOf) else item.percent
    return Entry(item.name.name, Verbatim(str(number)), item.span.start)
