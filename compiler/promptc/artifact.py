"""An emitted file: where it goes and its exact bytes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file that a build writes.

    Attributes:
        path: Where it goes, POSIX, relative to the output folder. Never absolute.
        data: The exact bytes of the file.
    """

    path: str
    data: bytes
