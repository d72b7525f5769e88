"""Positions of the lookback: one a block, except that a run of calls, or of results, may be one."""

from collections.abc import Iterable

# Calls and results of tools that run on the server are not named where the vendor describes runs.
_CALLS = frozenset({"tool_use", "toolUse"})
_RESULTS = frozenset({"tool_result", "toolResult"})


def positions(kinds: Iterable[str], collapse_tool_runs: bool) -> list[int]:
    """The 0-based position of every block.

    Args:
        kinds: Block types in cache order.
        collapse_tool_runs: Whether consecutive calls, and consecutive results, share one.
    """
    out: list[int] = []
    before = ""
    at = -1
    for kind in kinds:
        run = "call" if kind in _CALLS else "result" if kind in _RESULTS else ""
        if not (collapse_tool_runs and run and run == before):
            at += 1
        out.append(at)
        before = run
    return out
