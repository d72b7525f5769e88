"""What an audit found, added up: the published form `promptc.audit/1`, read from the database of the audit."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from promptc.audit.store import Store

FORMAT = "promptc.audit/1"
TOP = 10


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LogRead(_Value):
    """One log, and what of it could not be read."""

    name: str
    recorded_as: str
    lines: int
    requests: int
    unreadable: int
    unknown: int
    without: int
    doubtful: int


class Sum(_Value):
    """Breaks added up under one name.

    Attributes:
        breaks: How many.
        bytes: Bytes of cached prefixes that they lost.
        tokens: The same in tokens.
        cost: What that costs beyond reading them, in input tokens.
    """

    name: str
    breaks: int
    bytes: int
    tokens: int
    cost: float


class Day(_Value):
    """What one day's requests read.

    Attributes:
        day: ISO date; None for requests without a time.
        requests: How many there are.
        counted: How many of them have the provider's own count.
        tokens: Tokens of the prompts that are counted.
        read: Those of them that were read from the cache.
        hit_rate: Their share; None where nothing is counted.
        shared: Share of all bytes that stand in the prefix of the request that is continued: what a cache that forgets
            nothing would read.
    """

    day: str | None
    requests: int
    counted: int
    tokens: int
    read: int
    hit_rate: float | None
    shared: float


class CostlyByte(_Value):
    """A place where prefixes part, with the first break that showed it.

    Attributes:
        place: The place as breaks share it.
        byte: The first byte that any of them differs in, in the text there; None where no text is compared.
        example: Numbers of the two requests, log and line of the later one, and what stood there.
    """

    place: str
    byte: int | None
    lane: str
    kind: str
    section: str | None
    spec: str | None
    spec_line: int | None
    breaks: int
    bytes: int
    tokens: int
    cost: float
    example: "Example"


class Example(_Value):
    """One break in full; texts are None in a redacted audit."""

    a: int
    b: int
    log: str
    line: int
    pointer: str | None
    cause: str
    was: str | None
    now: str | None


class Report(_Value):
    """An audit.

    Attributes:
        conversations: Requests that continue no earlier one.
        compared: Requests that were compared with the one that they continue.
        not_compared: Those whose earlier request was no longer at hand.
        cold: Requests whose prefix is intact and that read nothing all the same: expired, evicted, or too short.
        counted: Whether costs rest on the provider's own counts, in part or whole; else four bytes are taken for a token.
    """

    format: Literal["promptc.audit/1"] = "promptc.audit/1"
    redacted: bool
    logs: tuple[LogRead, ...]
    requests: int
    sessions: int
    conversations: int
    compared: int
    not_compared: int
    breaks: int
    cold: int
    bytes: int
    tokens_lost: int
    cost: float
    counted: Literal["all", "some", "none"]
    by_cause: tuple[Sum, ...]
    by_section: tuple[Sum, ...]
    days: tuple[Day, ...]
    costliest: tuple[CostlyByte, ...]


_SUMS = "COUNT(*), SUM(bytes_lost), SUM(tokens_lost), SUM(cost)"


def report_of(store: Store, redacted: bool) -> Report:
    """Add up what the database holds.

    Args:
        store: The database of an audit.
        redacted: Whether it was made without texts and keys.
    """
    db = store.db
    logs = tuple(
        LogRead(name=n, recorded_as=f, lines=li, requests=r, unreadable=u, unknown=k, without=w, doubtful=d)
        for n, f, li, r, u, k, w, d in db.execute(
            "SELECT name, format, lines, requests, unreadable, unknown, without, doubtful FROM inputs ORDER BY input"
        )
    )
    requests, sessions, begun, lost, size = db.execute(
        "SELECT COUNT(*), COUNT(DISTINCT session), COALESCE(SUM(parent IS NULL), 0), "
        "COALESCE(SUM(parent IS NOT NULL AND verdict IS NULL), 0), COALESCE(SUM(bytes), 0) FROM requests"
    ).fetchone()
    cold = db.execute(
        "SELECT COUNT(*) FROM requests WHERE verdict = 'same' AND read = 0 AND relation IN ('extends', 'identical')"
    ).fetchone()[0]
    breaks, tokens, cost, counted = db.execute(
        "SELECT COUNT(*), COALESCE(SUM(tokens_lost), 0), COALESCE(SUM(cost), 0), COALESCE(SUM(counted), 0) FROM breaks"
    ).fetchone()
    return Report(
        redacted=redacted,
        logs=logs,
        requests=requests,
        sessions=sessions,
        conversations=begun,
        compared=requests - begun - lost,
        not_compared=lost,
        breaks=breaks,
        cold=cold,
        bytes=size,
        tokens_lost=tokens,
        cost=round(cost, 1),
        counted="none" if not counted else "all" if counted == breaks else "some",
        by_cause=_sums(store, "kind"),
        by_section=_sums(store, "COALESCE(section, lane)"),
        days=_days(store),
        costliest=_costliest(store),
    )


def _sums(store: Store, name: str) -> tuple[Sum, ...]:
    rows = store.db.execute(f"SELECT {name}, {_SUMS} FROM breaks GROUP BY 1 ORDER BY 5 DESC, 2 DESC, 1")
    return tuple(Sum(name=n, breaks=c, bytes=b, tokens=t, cost=round(cost, 1)) for n, c, b, t, cost in rows)


def _days(store: Store) -> tuple[Day, ...]:
    rows = store.db.execute(
        "SELECT day, COUNT(*), COUNT(read), COALESCE(SUM(read + written + uncached), 0), COALESCE(SUM(read), 0), "
        "COALESCE(SUM(kept), 0), SUM(bytes) FROM requests GROUP BY day ORDER BY day IS NULL, day"
    )
    return tuple(
        Day(
            day=day,
            requests=count,
            counted=counted,
            tokens=tokens,
            read=read,
            hit_rate=round(read / tokens, 4) if tokens else None,
            shared=round(kept / size, 4) if size else 0.0,
        )
        for day, count, counted, tokens, read, kept, size in rows
    )


def _costliest(store: Store) -> tuple[CostlyByte, ...]:
    groups = store.db.execute(
        f"SELECT place, lane, kind, section, spec, spec_line, MIN(byte), MIN(number), {_SUMS} FROM breaks "
        "GROUP BY place, lane, kind, section, spec, spec_line ORDER BY 12 DESC, 9 DESC, 8 LIMIT ?",
        (TOP,),
    ).fetchall()
    found: list[CostlyByte] = []
    for place, lane, kind, section, spec, spec_line, byte, number, count, size, tokens, cost in groups:
        example = _example(store, number)
        shown = {"lane": lane, "kind": kind, "section": section, "spec": spec, "spec_line": spec_line, "byte": byte}
        sums = {"breaks": count, "bytes": size, "tokens": tokens, "cost": round(cost, 1)}
        found.append(CostlyByte.model_validate({"place": place, **shown, **sums, "example": example}))
    return tuple(found)


def _example(store: Store, number: int) -> Example:
    row = store.db.execute(
        'SELECT b.parent, b.pointer, b.cause, b.was, b."is", r.line, r.input, i.name FROM breaks b '
        "JOIN requests r ON r.number = b.number LEFT JOIN inputs i ON i.input = r.input WHERE b.number = ?",
        (number,),
    ).fetchone()
    parent, pointer, cause, was, now, line, input, name = row
    log = name or f"log {input + 1}"
    return Example(a=parent, b=number, log=log, line=line, pointer=pointer, cause=cause, was=was, now=now)
