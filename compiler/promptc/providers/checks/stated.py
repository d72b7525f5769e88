"""What an envelope says about its requests, held to the keys and values that are read.

A misspelt key would switch a rule off in silence: `gap_second` leaves every lifetime unchecked.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.suggest import suggest
from promptc.providers.checks.context import finding
from promptc.providers.wire.view import Json

_Reads: TypeAlias = tuple[Callable[[Json], bool], str]


def misfits(document: Mapping[str, Json]) -> Iterator[Diagnostic]:
    """The keys that nothing reads, and the values that say nothing.

    Diagnostics:
        PC679.
    """
    for key, value in document.items():
        known = _KEYS.get(key)
        if known is None:
            near = suggest(key, list(_KEYS))
            help = f"did you mean `{near}`?" if near else "there are " + ", ".join(f"`{name}`" for name in _KEYS)
            yield finding("PC679", f"`{key}` is no key of an envelope", f"/{_escaped(key)}", help=help)
        elif value is not None and not known[0](value):
            yield finding("PC679", f"`{key}` says nothing here", f"/{key}", help=f"write {known[1]}")


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_object_or_each(value: Json) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and all(isinstance(v, Mapping) for v in value))


def _is_tokens(value: Json) -> bool:
    return value == "estimate" or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


_NUMBER: _Reads = (_is_number, "a number, zero or more")
_EACH: _Reads = (_is_object_or_each, "an object for all requests, or a list with one for each")
_KEYS: dict[str, _Reads] = {
    "requests": (lambda value: isinstance(value, list), "the list of bodies"),
    "relation": (lambda value: value in ("session", "fork"), "`session` or `fork`"),
    "gap_seconds": _NUMBER,
    "expected_reads": _NUMBER,
    "parallel": (_is_count, "a whole number, one or more"),
    "requests_per_minute": _NUMBER,
    "storage_hours": _NUMBER,
    "batch": (lambda value: isinstance(value, bool), "`true` or `false`"),
    "headers": _EACH,
    "isolation": _EACH,
    "tokens": (_is_tokens, "`estimate`, or how many tokens every block has"),
    "rendered": (
        lambda value: isinstance(value, list) and all(isinstance(text, str) for text in value),
        "the list of texts that a chat template made",
    ),
    "usage": (lambda value: isinstance(value, Mapping), "the usage object of the last response"),
}
