"""The comparisons within one recording: a line for each request, then the first break in full."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from promptc.report.attribution import Pair
from promptc.report.diff_json import diff_as_json
from promptc.report.diff_text import diff_as_text
from promptc.report.diff_words import kind_of, shown_pointer
from promptc.report.visible import visible
from promptc.streams.result import Comparison

FORMAT = "promptc.diff-recording/1"
_SHOWN = 40
_SESSION = 24


@dataclass(frozen=True, slots=True)
class Row:
    """A request and the earlier one that it continues, without the bytes of either.

    Attributes:
        a: Number of the earlier request in the recording.
        b: Number of the later one.
        session: The session that it names; None where it names none.
        relation: How the later prefix stands to the earlier.
        verdict: What that does to what was cached.
        kept: Bytes of the earlier prefix that are still there.
        lost: Bytes that are not.
        pointer: Where the two part; None where they do not.
        kind: Class of the first change; None where there is none.
        cause: What happened there, a sentence; None where nothing did.
    """

    a: int
    b: int
    session: str | None
    relation: str
    verdict: str
    kept: int
    lost: int
    pointer: str | None
    kind: str | None
    cause: str | None

    @property
    def breaks(self) -> bool:
        """Whether something that was cached is lost, or the two part at all."""
        return self.verdict == "break" or self.relation == "diverges"


@dataclass(frozen=True, slots=True)
class RecordingDiff:
    """What a recording is and how its requests follow each other.

    Attributes:
        name: Name of the recording.
        format: How it was recorded.
        requests: How many requests it holds.
        begun: How many of them continue no earlier one.
        rows: One for each that does.
        first_break: The first comparison that breaks, in full.
        attributed: What is known of who wrote its two sides.
    """

    name: str
    format: str
    requests: int
    begun: int
    rows: Sequence[Row]
    first_break: Comparison | None
    attributed: Pair = (None, None)


def row_of(a: int, b: int, session: str | None, comparison: Comparison) -> Row:
    """The line of a comparison."""
    first = comparison.findings[0] if comparison.findings else None
    param = comparison.param_changes[0] if comparison.param_changes else None
    pointer, kind, cause = None, None, None
    if first is not None:
        pointer, kind, cause = first.pointer_a or first.pointer_b, kind_of(first), first.cause
    elif param is not None:
        pointer, kind, cause = param.pointer, "parameter", f"`{param.name}` changed, which is part of the key"
    size = comparison.prefix.bytes
    return Row(a, b, session, comparison.relation, comparison.verdict, size.kept, size.lost, pointer, kind, cause)


def recording_as_json(found: RecordingDiff) -> dict[str, Any]:
    """The form `promptc.diff-recording/1` as plain data."""
    return {
        "format": FORMAT,
        "recording": found.name,
        "recorded_as": found.format,
        "requests": found.requests,
        "conversations_begun": found.begun,
        "comparisons": [
            {
                "a": row.a,
                "b": row.b,
                "session": row.session,
                "relation": row.relation,
                "verdict": row.verdict,
                "bytes": {"kept": row.kept, "lost": row.lost},
                "pointer": row.pointer,
                "kind": row.kind,
                "cause": row.cause,
            }
            for row in found.rows
        ],
        "first_break": None if found.first_break is None else diff_as_json(found.first_break, found.attributed),
    }


def recording_as_text(found: RecordingDiff) -> str:
    """The same for a person; free of control characters whatever was recorded."""
    breaks = [row for row in found.rows if row.breaks]
    lines = [
        f"{visible(found.name)}: {_count(found.requests, 'request')}, "
        f"{_count(found.begun, 'conversation')} begun, {_count(len(found.rows), 'comparison')}, "
        f"breaks: {len(breaks):,}"
    ]
    relations = Counter(row.relation for row in found.rows)
    lines.append(", ".join(f"{number:,} {name}" for name, number in sorted(relations.items())))
    if not breaks:
        return "\n".join(lines) + "\n"
    lines.append("")
    lines += [_line(row) for row in breaks[:_SHOWN]]
    if len(breaks) > _SHOWN:
        lines.append(f"and {len(breaks) - _SHOWN:,} more (`--format json` lists all)")
    if found.first_break is not None:
        lines += ["", "the first break:", "", diff_as_text(found.first_break, found.attributed).rstrip("\n")]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    session = "" if row.session is None else f"  session {visible(_cut(row.session))}"
    what = "" if row.pointer is None else f"  {shown_pointer(row.pointer)}"
    why = "" if row.cause is None else f": {visible(row.cause)}"
    return f"#{row.a} -> #{row.b}  {row.verdict}  {row.lost:,} bytes lost{session}{what}{why}"


def _cut(text: str) -> str:
    return text if len(text) <= _SESSION else "…" + text[-_SESSION:]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
