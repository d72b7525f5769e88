"""The built manifests that captured requests are attributed to: those that are named, or those of the project."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import typer

from promptc.cli import exits
from promptc.cli.console import show
from promptc.cli.files import read_file
from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.project import find_project
from promptc.source import SourceSet
from promptc.streams.attribution.index import AttributionIndex, index_of
from promptc.streams.attribution.model import Attribution, Origin
from promptc.streams.manifest import SUFFIX, read_manifest
from promptc.streams.manifest_model import Manifest
from promptc.streams.model import PrefixStream

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Attributor:
    """Attributes requests.

    Attributes:
        named: Whether the user named the manifests. Those of the project count only for a request that holds the very
            text of a section of theirs.
    """

    index: AttributionIndex
    named: bool

    def attribute(self, stream: PrefixStream) -> Attribution | None:
        """What is known of a request; None where no manifest is known to be about it."""
        found = self.index.attribute(stream)
        return found if found.prompt is not None and (self.named or found.certain) else None

    def attribute_pair(
        self, a: PrefixStream, b: PrefixStream
    ) -> tuple[PrefixStream, PrefixStream, tuple[Attribution | None, Attribution | None]]:
        """Two requests with their pieces, and what is known of each. Reports where the user's manifests fit neither.

        Diagnostics:
            PC807.
        """
        found = self.attribute(a), self.attribute(b)
        if self.named and found == (None, None):
            show((fits_nothing(f"`{a.name}` and `{b.name}` fit"),), SourceSet(), "text")
        return (found[0].stream if found[0] else a), (found[1].stream if found[1] else b), found


def with_sections(found: Sequence[Diagnostic], known: Attribution) -> tuple[Diagnostic, ...]:
    """Findings on a request, each with a note about the sections that wrote the element that it is about."""
    origins = {origin.pointer: origin for origin in known.origins}
    out: list[Diagnostic] = []
    for one in found:
        at = one.pointer or ""
        while at and at not in origins:
            at = at.rpartition("/")[0]
        out.append(replace(one, notes=(*one.notes, _writers(origins[at]))) if at else one)
    return tuple(out)


def _writers(origin: Origin) -> str:
    owners = list(dict.fromkeys(r.owner for r in origin.ranges if r.owner is not None))
    names = [f"`{owner.name}` ({owner.path}:{owner.line}:{owner.column})" for owner in owners]
    shown = names if len(names) <= _SHOWN else [*names[: _SHOWN - 1], f"{len(names) - _SHOWN + 1} more"]
    return f"`{origin.pointer}` was written by {', '.join(shown)}; known by {origin.by}"


def fits_nothing(who: str) -> Diagnostic:
    """The finding about manifests that say nothing of a request (PC807).

    Args:
        who: The request or requests, and the verb.
    """
    return Diagnostic(
        "PC807",
        f"{who} none of the manifests, so no section is named",
        None,
        notes=("no tool, system block or envelope has text that a prompt of theirs writes",),
        help="name the manifests of the build that sent it: `--manifest gen/`",
    )


def attributor(places: Sequence[Path]) -> Attributor | None:
    """The attributor for the manifests at some places; for those of the project here when none is named, if it has any.

    Ends the command with exit code 2 where a named place has no manifest that can be read.

    Diagnostics:
        PC808, PC930.
    """
    if not places:
        built = _built_here()
        return Attributor(index_of(built), False) if built else None
    found: list[Manifest] = []
    for place in places:
        files = sorted(place.glob(f"*{SUFFIX}")) if place.is_dir() else [place]
        if not files:
            _end(
                Diagnostic(
                    "PC808",
                    f"`{place.as_posix()}` holds no built manifest",
                    None,
                    notes=(f"a manifest is a file `*{SUFFIX}`",),
                    help="run `promptc build` first, or name the folder that it writes to",
                )
            )
        for file in files:
            manifest, faults = read_manifest(read_file(file), file.name)
            if manifest is None:
                _end(*faults)
            else:
                found.append(manifest)
    return Attributor(index_of(found), True)


def _built_here() -> list[Manifest]:
    # Nobody asked for these: what cannot be used among them is passed over.
    project = find_project(Path.cwd(), Sink())
    out: list[Manifest] = []
    for file in sorted((project.root / project.config.out).glob(f"*{SUFFIX}")):
        try:
            manifest, _ = read_manifest(file.read_bytes(), file.name)
        except OSError:
            continue
        out += [manifest] if manifest is not None else []
    return out


def _end(*found: Diagnostic) -> NoReturn:
    show(found, SourceSet(), "text")
    raise typer.Exit(exits.USAGE)
