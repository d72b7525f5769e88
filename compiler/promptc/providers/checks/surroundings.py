"""What an envelope says about its requests beside their bodies: the headers, and where each was sent from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import finding
from promptc.providers.model import Provider
from promptc.providers.wire.view import Json, escaped


@dataclass(frozen=True, slots=True)
class Said:
    """What is said about one request.

    Attributes:
        pointer: Where it is said.
        values: Names in lower case to the key as written and its value.
    """

    pointer: str
    values: Mapping[str, tuple[str, str]]

    def value(self, name: str) -> str | None:
        """What is said under a name."""
        found = self.values.get(name.lower())
        return found[1] if found is not None else None

    def at(self, name: str) -> str:
        """Where it is said; where it could be, if it is not."""
        found = self.values.get(name.lower())
        return f"{self.pointer}/{escaped(found[0])}" if found is not None else self.pointer


def check(document: Mapping[str, Json], provider: Provider) -> Iterator[Diagnostic]:
    """Findings on `headers` and `isolation` of an envelope: each an object for all requests, or a list of one each."""
    headers = _said(document.get("headers"), "/headers")
    for request in headers:
        yield from _private(request, provider)
    for before, after in pairwise(headers):
        yield from _betas(before, after, provider)
        yield from _routing(before, after, provider)
    for before, after in pairwise(_said(document.get("isolation"), "/isolation")):
        yield from _apart(before, after, provider)


def _said(value: Json, pointer: str) -> list[Said]:
    placed = (
        [(f"{pointer}/{i}", held) for i, held in enumerate(value)] if isinstance(value, list) else [(pointer, value)]
    )
    return [
        Said(at, {str(key).lower(): (str(key), item) for key, item in held.items() if isinstance(item, str)})
        for at, held in placed
        if isinstance(held, Mapping)
    ]


def _features(request: Said, provider: Provider) -> frozenset[str]:
    name = provider.feature("beta_header")
    given = request.value(name) if name is not None else None
    return frozenset(part.strip() for part in (given or "").split(",") if part.strip())


def _private(request: Said, provider: Provider) -> Iterator[Diagnostic]:
    patterns = provider.feature("private_betas") or ()
    for feature in sorted(_features(request, provider)):
        if any(fnmatchcase(feature, pattern) for pattern in patterns):
            yield finding(
                "PC613",
                f"`{feature}` is a beta of the vendor's own clients and no public one",
                request.at(provider.feature("beta_header")),
                help="drop it",
            )


def _betas(before: Said, after: Said, provider: Provider) -> Iterator[Diagnostic]:
    was, now = _features(before, provider), _features(after, provider)
    if was == now:
        return
    name = provider.feature("beta_header")
    changes = [f"`{feature}` is new" for feature in sorted(now - was)]
    changes += [f"`{feature}` is gone" for feature in sorted(was - now)]
    yield finding(
        "PC653",
        f"the beta features differ from those of the request before: {', '.join(changes)}",
        after.at(name),
        notes=("the vendor's diagnostics refuse to compare such requests; the effect on the cache is not documented",),
        help="send the same set in every request of a session",
    )


def _routing(before: Said, after: Said, provider: Provider) -> Iterator[Diagnostic]:
    if provider.routing is None:
        return
    for name in provider.routing.fields.value:
        was, now = before.value(name), after.value(name)
        if was != now:
            yield finding(
                "PC635",
                f"the header `{name}` differs from that of the request before, so the requests may go different ways",
                after.at(name),
                help="use one value for all requests that share a prefix",
            )


def _apart(before: Said, after: Said, provider: Provider) -> Iterator[Diagnostic]:
    for name in provider.cache.isolation.value:
        was, now = before.value(name), after.value(name)
        if was is not None and now is not None and was != now:
            fact = provider.cache.isolation
            yield finding(
                "PC657",
                f"this request is sent from another {name} than the one before, and they share no entries",
                after.at(name),
                notes=(f"what never shares entries: {', '.join(fact.value)} ({fact.certainty}, {fact.dated})",),
                help="send requests that share a prefix from one place, or count one write for each",
            )
