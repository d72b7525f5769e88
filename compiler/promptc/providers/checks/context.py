"""What a rule is given, and how it says what it found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.providers.model import Provider
from promptc.providers.registry import BUILTIN, Registry
from promptc.providers.tokens import TokenCount
from promptc.providers.wire.view import View

Counter = Callable[[str], TokenCount]


@dataclass(frozen=True, slots=True)
class Options:
    """What is known besides the body. A rule whose question is not answered here does not run.

    Attributes:
        count: Counts tokens; without it nothing is said about minimum sizes.
        gap_seconds: Planned time from the start of one request to the start of the next.
        expected_reads: Reads of an entry before it expires, on average.
        parallel: Requests that start together on a cold prefix.
        requests_per_minute: Rate of requests with one routing key.
        storage_hours: How long a cached object is kept.
        batch: Whether the request is one of a batch.
        registry: The project's providers, for rules that look at another platform.
    """

    count: Counter | None = None
    gap_seconds: float | None = None
    expected_reads: float | None = None
    parallel: int = 1
    requests_per_minute: float | None = None
    storage_hours: float | None = None
    batch: bool = False
    registry: Registry = BUILTIN


@dataclass(frozen=True, slots=True)
class Context:
    """One request under check."""

    view: View
    provider: Provider
    options: Options = field(default_factory=Options)

    @property
    def model(self) -> str:
        """Model id of the request; empty where it names none."""
        return self.view.model

    def refusal(self, slug: str, **values: object) -> tuple[str, ...]:
        """The vendor's own words for a broken rule, as a note; empty where they are not known."""
        fact = self.provider.refusals.get(slug)
        if fact is None:
            return ()
        text = fact.value
        for name, value in values.items():
            text = text.replace("{" + name + "}", str(value))
        return (f"the API would refuse the request: {text}",)


Rule = Callable[[Context], Iterator[Diagnostic]]


def dotted(pointer: str) -> str:
    """A JSON pointer as vendors write places: keys and indices with dots between them."""
    return pointer.strip("/").replace("/", ".")


def finding(
    code: str,
    message: str,
    pointer: str,
    *,
    notes: tuple[str, ...] = (),
    help: str | None = None,
    severity: Severity | None = None,
) -> Diagnostic:
    """A diagnostic on a place of a request body."""
    return Diagnostic(code, message, None, notes=notes, help=help, severity=severity, pointer=pointer)
