"""The canonical text of the clauses of a `traffic` block."""

from collections.abc import Sequence

from promptc.syntax import traffic_nodes as parts
from promptc.syntax.format_expressions import format_number


def traffic_head(node: parts.TrafficItem) -> str:
    """One clause."""
    match node:
        case parts.Sessions():
            cls = f" per {node.cls.name}" if node.cls is not None else ""
            return f"sessions {format_number(node.count)} per {node.per}{cls}"
        case parts.Turns():
            return f"turns {format_number(node.count)} per session"
        case parts.Gaps():
            return f"gaps {_shares(node.shares, seconds=True)}"
        case parts.Blocks():
            return f"blocks {_shares(node.shares, seconds=False)} per turn"
        case parts.TurnTokens():
            return f"tokens {format_number(node.count)} per turn"
        case parts.SizeOf():
            return f"tokens {format_number(node.tokens)} in {node.name.name}"
        case parts.Present():
            return f"present {format_number(node.percent)}% {node.name.name}"


def _shares(shares: Sequence[parts.Share], seconds: bool) -> str:
    return ", ".join(
        f"{format_number(s.percent)}% within {duration_text(s.within) if seconds else format_number(s.within)}"
        for s in shares
    )


def duration_text(seconds: int) -> str:
    """In the largest unit that gives a whole number: `90s`, `5m`, `24h`."""
    if seconds and seconds % 3600 == 0:
        return f"{seconds // 3600}h"
    return f"{seconds // 60}m" if seconds and seconds % 60 == 0 else f"{seconds}s"
