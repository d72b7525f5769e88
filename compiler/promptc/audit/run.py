"""An audit over logs: what it is asked for, and its state from the first log to the last."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from promptc.audit.bodies import Bodies
from promptc.audit.captured import Knowledge
from promptc.audit.compared import Beside, Comparer, Setting
from promptc.audit.judge import Judge
from promptc.audit.log import Log, Work
from promptc.audit.store import FORMAT, StateProblem, Store
from promptc.compare.lineage import Lineage
from promptc.diagnostics.model import Diagnostic
from promptc.providers.registry import Registry
from promptc.streams.attribution.index import AttributionIndex

_HEAD = 64 * 1024


@dataclass(frozen=True, slots=True)
class Options:
    """What an audit is asked for.

    Attributes:
        target: Provider whose rules count; None to detect it for each request.
        since: First day or time that counts, as ISO text; None for all.
        until: First day or time that counts no more; None for all.
        redact: Whether nothing of the text and no key of a session is kept.
        fast: Whether lines are read in parts where they can be; the result is the same.
        held: Conversations in memory.
        jobs: Processes; a second one compares what differs while the first reads on.
    """

    target: str | None = None
    since: str | None = None
    until: str | None = None
    redact: bool = False
    fast: bool = True
    held: int = 2048
    jobs: int = 1

    @property
    def key(self) -> str:
        """What a state must have been begun with to go on."""
        return json.dumps([FORMAT, self.target, self.since, self.until, self.redact])


@dataclass
class Audit:
    """An audit.

    Attributes:
        store: Where its state is.
        registry: What is known about providers.
        sections: Names the sections that wrote a request; None where no manifest is at hand.
        told: Is told how far the work is: name of the log, bytes read, bytes in all where known.
        stopping: Whether to stop at the next line.
        problems: What there is to say about the logs, each kind once a log.
    """

    store: Store
    options: Options
    registry: Registry
    sections: AttributionIndex | None = None
    told: Callable[[str, int, int | None], None] = lambda name, done, whole: None
    stopping: Callable[[], bool] = lambda: False
    problems: list[Diagnostic] = field(default_factory=list)

    def run(self, paths: Sequence[Path]) -> bool:
        """Read logs, in their order; what the state holds already is not read again.

        Args:
            paths: Files; `-` is stdin.

        Returns:
            Whether the work came to its end; a log that cannot be read is a problem, and the others are read.

        Raises:
            StateProblem: The state is not of these logs, or was begun with other options.
            OSError: A log cannot be opened.
        """
        self._begin(paths)
        setting = Setting(self.registry, self.options.target, self.sections, self.options.redact)
        known = Knowledge(self.registry, self.options.target)
        bodies = Bodies(known)
        lineage = Lineage(self.options.held, self.store)
        salt = bytes.fromhex(self.store.meta("salt") or "00") if self.options.redact else None
        judge = Judge(self.store, lineage, Comparer(setting, known, bodies), salt, self.store.last_number())
        work = Work(
            self.store,
            judge,
            known,
            self.options.fast,
            self.options.since,
            self.options.until,
            self.told,
            self.stopping,
        )
        logs = [Log(work, index, path) for index, path in enumerate(paths)]
        if self.options.jobs > 1:
            readable = [found for log in logs if (found := log.by_lines()) is not None]
            judge.beside = Beside(setting, readable) if readable else None
        try:
            for log in logs:
                ended = log.read()
                self.problems += log.problems
                if not ended:
                    return False
        finally:
            bodies.close()
            if judge.beside is not None:
                judge.beside.close()
        return True

    def _begin(self, paths: Sequence[Path]) -> None:
        begun = self.store.meta("options")
        if begun is None:
            self.store.set_meta("options", self.options.key)
            head = b""
            if paths and str(paths[0]) != "-":
                with paths[0].open("rb") as raw:
                    head = raw.read(_HEAD)
            self.store.set_meta("salt", blake2b(head, digest_size=16).hexdigest())
        elif begun != self.options.key:
            raise StateProblem("it was begun with other options, or by another version")
