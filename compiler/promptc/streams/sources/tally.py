"""Counts what of a recording could not be read, and says each kind once, with its first places."""

from dataclasses import dataclass, field

from promptc.diagnostics.model import Diagnostic
from promptc.streams.sources.model import Where

_SHOWN = 3


@dataclass
class _Count:
    number: int = 0
    first: list[tuple[Where, str]] = field(default_factory=list)

    def add(self, where: Where, reason: str) -> None:
        self.number += 1
        if len(self.first) < _SHOWN:
            self.first.append((where, reason))

    @property
    def notes(self) -> tuple[str, ...]:
        """The first places, a sentence each, and how many there are besides."""
        shown = tuple(f"{where}: {reason}" for where, reason in self.first)
        more = self.number - len(self.first)
        return (*shown, f"and {more:,} more") if more else shown


@dataclass
class Tally:
    """What became of the records of one recording.

    Attributes:
        records: Records read, good and bad.
        requests: Requests found in them.
        without: Records that are no request: answers, events, traffic to somewhere else.
        unreadable: Records that could not be decoded.
        unknown: Records whose body is no request that promptc knows.
        doubtful: Requests that decoders may read differently: a key twice, half a surrogate pair.
        cut: Why the recording ended before its end; None where it did not.
    """

    records: int = 0
    requests: int = 0
    without: int = 0
    unreadable: _Count = field(default_factory=_Count)
    unknown: _Count = field(default_factory=_Count)
    doubtful: _Count = field(default_factory=_Count)
    cut: str | None = None

    def diagnostics(self, name: str) -> tuple[Diagnostic, ...]:
        """What there is to say about a recording that was read to its end, each kind once.

        Args:
            name: Name of the recording.

        Diagnostics:
            PC850 unreadable records, PC851 cut off, PC854 unknown bodies, PC857 doubtful JSON.
        """
        found: list[Diagnostic] = []
        if self.unreadable.number:
            message = f"{_count(self.unreadable.number, 'record')} of `{name}` cannot be read"
            found.append(_counted("PC850", message, self.unreadable, "the others are not touched by it"))
        if self.cut is not None:
            message = f"`{name}` ends before its end: {self.cut}"
            found.append(Diagnostic("PC851", message, None, notes=("what stands before that was read",)))
        if self.unknown.number:
            verb = "holds" if self.unknown.number == 1 else "hold"
            message = f"{_count(self.unknown.number, 'record')} of `{name}` {verb} no request that promptc knows"
            found.append(_counted("PC854", message, self.unknown, "the others are not touched by it"))
        if self.doubtful.number:
            message = f"{_count(self.doubtful.number, 'request')} of `{name}` may be read differently by a server"
            found.append(_counted("PC857", message, self.doubtful, "of a key that stands twice, the last counts here"))
        return tuple(found)


def _counted(code: str, message: str, count: _Count, last: str) -> Diagnostic:
    return Diagnostic(code, message, None, notes=(*count.notes, last))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
