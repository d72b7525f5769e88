"""Names in emitted code: legal in the target language, unique, and close to those of the spec."""

import re
from collections.abc import Iterable

_OUTSIDE = re.compile(r"[^A-Za-z0-9_]+")


class Names:
    """Hands out names within one scope of emitted code.

    A reserved name gets an underscore, one that is taken a number; the result depends only on the order of the calls.
    """

    def __init__(self, reserved: Iterable[str]) -> None:
        self._reserved = frozenset(reserved)
        self._taken: set[str] = set()

    def claim(self, wanted: str) -> str:
        """A free name close to the wanted one; it is taken from then on."""
        name = candidate = f"{wanted}_" if wanted in self._reserved else wanted
        number = 2
        while candidate in self._taken or candidate in self._reserved:
            candidate = f"{name}{'' if name.endswith('_') else '_'}{number}"
            number += 1
        self._taken.add(candidate)
        return candidate


def snake(name: str) -> str:
    """A name as a variable: `coding-agent` becomes `coding_agent`."""
    cleaned = _OUTSIDE.sub("_", name).strip("_") or "it"
    return f"n{cleaned}" if cleaned[0].isdigit() else cleaned


def pascal(name: str) -> str:
    """A name as a class: `coding_agent` becomes `CodingAgent`."""
    cleaned = "".join(part[:1].upper() + part[1:] for part in _OUTSIDE.sub("_", name).split("_")) or "It"
    return f"N{cleaned}" if cleaned[0].isdigit() else cleaned
