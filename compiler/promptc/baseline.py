"""What a build is compared with: a folder, a built manifest, or a tree of a git repository, never checked out."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.git_tree import Blob, Objects, blobs_of, followed, git, objects_of
from promptc.lowering.manifest import build_manifest
from promptc.pipeline import Compilation, compile_roots
from promptc.project import (
    CONFIG_NAME,
    MAX_SOURCE_BYTES,
    SUFFIXES,
    Project,
    Reader,
    find_project,
    find_specs,
    provider_facts,
    read_config,
)
from promptc.source import Span
from promptc.streams.manifest import SUFFIX, read_manifest
from promptc.streams.manifest_model import Manifest

_KINDS = ("tag", "branch", "ref", "commit")
_COMMIT = re.compile(r"[0-9a-f]{4,64}")


@dataclass(frozen=True, slots=True)
class Ref:
    """A baseline as it was named.

    Attributes:
        text: As written.
        place: The folder, the manifest, or the repository.
        kind: How `name` names a commit; None for what lies on disk.
        name: The tag, branch, commit or expression.
        subdir: Folder of the project in the repository; None: where it is now.
    """

    text: str
    place: str
    kind: str | None = None
    name: str = ""
    subdir: str | None = None

    @property
    def revision(self) -> str:
        """What git is asked for."""
        prefix = {"tag": "refs/tags/", "branch": "refs/heads/"}.get(self.kind or "", "")
        return prefix + self.name


@dataclass(frozen=True, slots=True)
class Baseline:
    """The prompts of a baseline, by name."""

    ref: Ref
    manifests: dict[str, Manifest] = field(default_factory=dict)


def parse_ref(text: str, sink: Sink) -> Ref | None:
    """A baseline in the notation of `buf`: a path, or `.git#tag=v1.2`, `#branch=`, `#ref=`, `#commit=`, `,subdir=`.

    Diagnostics:
        PC831.
    """
    place, mark, options = text.partition("#")
    if not place:
        return _malformed(text, "it names no folder, manifest or repository", sink)
    if not mark:
        return Ref(text, place, "ref", "HEAD") if is_repository(place) else Ref(text, place)
    found: dict[str, str] = {}
    for option in options.split(","):
        key, equals, value = option.partition("=")
        if key not in (*_KINDS, "subdir"):
            return _malformed(text, f"`{key}` is none of {', '.join(f'`{k}`' for k in (*_KINDS, 'subdir'))}", sink)
        if not equals or not value:
            return _malformed(text, f"`{key}` has no value", sink)
        if key in found:
            return _malformed(text, f"`{key}` is given twice", sink)
        found[key] = value
    named = [key for key in _KINDS if key in found]
    if len(named) > 1:
        return _malformed(text, f"`{named[0]}` and `{named[1]}` both name a commit", sink)
    kind = named[0] if named else "ref"
    name = found.get(kind, "HEAD")
    if name.startswith("-") or any(c.isspace() or not c.isprintable() for c in name):
        return _malformed(text, f"`{name}` is not the name of a {kind}", sink)
    if kind == "commit" and not _COMMIT.fullmatch(name):
        return _malformed(text, f"`{name}` is not a commit: those are written in hexadecimal digits", sink)
    subdir = found.get("subdir")
    if subdir is not None and (subdir.startswith("/") or ".." in PurePosixPath(subdir).parts):
        return _malformed(text, "`subdir` leaves the repository", sink)
    return Ref(text, place, kind, name, subdir)


def is_repository(place: str) -> bool:
    """Whether a path is written like that of a repository: `.git`, or a bare one, `project.git`."""
    return PurePosixPath(place).name == ".git" or (place.endswith(".git") and not place.endswith("/"))


def _malformed(text: str, reason: str, sink: Sink) -> Ref | None:
    sink.report(
        Diagnostic(
            "PC831",
            f"`{text}` names no baseline",
            None,
            notes=(reason,),
            help="a folder, a built manifest, or `.git#tag=NAME`, `.git#branch=NAME`, `.git#ref=EXPRESSION`, `.git#commit=ID`, each with `,subdir=FOLDER` where the project is not at the same place",
        )
    )
    return None


def read_baseline(ref: Ref, project: Project, paths: Sequence[Path], sink: Sink) -> Baseline | None:
    """The prompts of a baseline; None after a fault, so that nothing passes by not having been compared.

    Args:
        ref: What was named.
        project: The project as it is now; tells where to look in a tree.
        paths: Places that the comparison is restricted to; none for the whole project.

    Diagnostics:
        PC830 it is not there, PC832 it has no prompts, PC833 its specs have errors, and what reading them reports.
    """
    if ref.kind is not None:
        found = _from_git(ref, project, paths, sink)
    else:
        found = _from_disk(ref, sink)
    if found is not None and not found:
        sink.report(
            Diagnostic(
                "PC832",
                f"`{ref.text}` has no prompts, so there is nothing to compare with",
                None,
                help="name a baseline that has some, or leave the gate out until there is a first release",
            )
        )
        return None
    return None if found is None else Baseline(ref, found)


def _missing(ref: Ref, reason: str, sink: Sink, help: str | None = None) -> dict[str, Manifest] | None:
    notes = (reason, "a gate that had nothing to compare fails")
    sink.report(Diagnostic("PC830", f"the baseline `{ref.text}` is not there", None, notes=notes, help=help))
    return None


def manifests_of(compilations: Sequence[Compilation]) -> dict[str, Manifest]:
    """The manifest of every prompt of some compilations without errors, by name.

    Where several specs have a prompt of one name, its spec is part of the key, so that none of them goes unseen.
    """
    found = [(c, name, program) for c in compilations for name, program in c.programs.items()]
    times = Counter(name for _, name, _ in found)
    return {
        name if times[name] == 1 else f"{c.root} {name}": build_manifest(c.facts, c.plans[name], program, c.sources)
        for c, name, program in found
    }


def _from_disk(ref: Ref, sink: Sink) -> dict[str, Manifest] | None:
    place = Path(ref.place)
    if not place.exists():
        return _missing(ref, f"`{ref.place}` does not exist", sink)
    built = [place] if place.is_file() and place.name.endswith(SUFFIX) else []
    if place.is_dir():
        built = sorted(place.glob(f"*{SUFFIX}"))
    elif not built and not place.name.endswith(SUFFIXES):
        return _missing(ref, "it is a file, and neither a spec nor a built manifest", sink)
    if built:
        return _manifests(built, sink)
    inner = Sink()
    project = find_project(place, inner)
    reader = Reader(project)
    registry = provider_facts(project, reader, inner)
    compilations = compile_roots(find_specs(project, [place], inner), reader, registry)
    return _compiled(ref, compilations, inner, sink)


def _manifests(places: Sequence[Path], sink: Sink) -> dict[str, Manifest] | None:
    out: dict[str, Manifest] = {}
    for place in places:
        try:
            data = place.read_bytes()
        except OSError as fault:
            reason = (fault.strerror or "unknown reason").lower()
            sink.report(Diagnostic("PC010", f"`{place.as_posix()}` cannot be read: {reason}", None))
            return None
        manifest, found = read_manifest(data, place.name)
        sink.extend(found)
        if manifest is None:
            return None
        out[manifest.prompt] = manifest
    return out


def _compiled(ref: Ref, compilations: Sequence[Compilation], inner: Sink, sink: Sink) -> dict[str, Manifest] | None:
    found = [*inner.sorted(), *(d for c in compilations for d in c.diagnostics)] if inner.has_errors else []
    found += [d for c in compilations if c.failed for d in c.diagnostics]
    if not found:
        return manifests_of(compilations)
    if all(d.code == "PC007" for d in found):
        return {}
    # The text of the baseline is not at hand where findings are shown, so they are told without their places.
    notes = tuple(dict.fromkeys(f"{d.code} {d.message}" for d in found if d.code != "PC006"))
    sink.report(
        Diagnostic(
            "PC833",
            f"the specs of `{ref.text}` do not compile with this version of promptc",
            None,
            notes=notes[:5],
            help="compare with the manifests that the release was built with: they need no sources",
        )
    )
    return None


# -- git -----------------------------------------------------------------------------------------


class TreeReader(Reader):
    """Reads sources of one project from a tree of a git repository; nothing of the working tree is ever read."""

    def __init__(self, project: Project, blobs: dict[str, Blob], objects: Objects) -> None:
        super().__init__(project)
        self._blobs = blobs
        self._objects = objects

    def _bytes(self, path: str, at: Span | None, sink: Sink) -> bytes | None:
        blob = followed(path, self._blobs, self._objects)
        if blob is None:
            self._report(sink, "PC001", f"`{path}` does not exist", at)
            return None
        if blob.size > MAX_SOURCE_BYTES:
            self._report(sink, "PC004", f"`{path}` has {blob.size:,} bytes", at)
            return None
        self.raw[path] = self._objects.read(blob.id)
        return self.raw[path]


def _from_git(ref: Ref, project: Project, paths: Sequence[Path], sink: Sink) -> dict[str, Manifest] | None:
    place = Path(ref.place)
    folder = place.parent if place.name == ".git" else place
    try:
        inside = folder.is_dir() and git(folder, "rev-parse", "--git-dir") is not None
    except FileNotFoundError:
        return _missing(ref, "git is not installed", sink)
    if not inside:
        return _missing(ref, f"`{ref.place}` is not a git repository", sink)
    commit = _commit(ref, folder)
    if commit is None:
        return _missing(
            ref,
            f"the repository has no {ref.kind if ref.kind != 'ref' else 'revision'} `{ref.name}`",
            sink,
            help="a shallow clone has neither tags nor other branches: fetch them first, as `git fetch --tags --unshallow` does",
        )
    top = git(folder, "rev-parse", "--show-toplevel")
    subdir = _subdir(ref, project, top)
    blobs = blobs_of(folder, commit, subdir)
    if blobs is None:
        return _missing(ref, f"its tree has no folder `{subdir}`", sink)
    inner = Sink()
    with objects_of(folder) as objects:
        reader = TreeReader(_project_of(project, blobs, objects), blobs, objects)
        registry = provider_facts(reader.project, reader, inner)
        compilations = compile_roots(_specs(reader.project, blobs, paths), reader, registry)
        return _compiled(ref, compilations, inner, sink)


def _commit(ref: Ref, folder: Path) -> str | None:
    names = [ref.revision]
    if ref.kind == "branch":
        # What a runner has checked out is seldom the branch that it compares with: that one is a remote's.
        names.append(f"refs/remotes/origin/{ref.name}")
    for name in names:
        found = git(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if found is not None:
            return found.decode().strip()
    return None


def _subdir(ref: Ref, project: Project, top: bytes | None) -> str:
    if ref.subdir is not None:
        return PurePosixPath(ref.subdir).as_posix().strip("/").removeprefix(".")
    root = Path(os.path.realpath(os.fsdecode(top.rstrip(b"\n")))) if top else None
    if root is None or not project.root.is_relative_to(root):
        return ""
    return project.root.relative_to(root).as_posix().removeprefix(".")


def _project_of(project: Project, blobs: dict[str, Blob], objects: Objects) -> Project:
    """The project with the configuration of the tree, which may have had its specs elsewhere."""
    blob = blobs.get(CONFIG_NAME)
    if blob is None:
        # Facts that the project has now are none that it had then.
        return Project(project.root, project.config.model_copy(update={"providers": None}))
    faults = Sink()
    config = read_config(objects.read(blob.id), faults)
    return project if faults.has_errors else Project(project.root, config)


def _specs(project: Project, blobs: dict[str, Blob], paths: Sequence[Path]) -> tuple[str, ...]:
    wanted = [_relative(project.root, path) for path in paths] or [PurePosixPath(p) for p in project.config.specs]
    # A folder with a configuration of its own is another project.
    others = [PurePosixPath(b).parent for b in blobs if PurePosixPath(b).name == CONFIG_NAME and b != CONFIG_NAME]

    def counts(path: PurePosixPath) -> bool:
        for place in wanted:
            if path.is_relative_to(place):
                return not any(path.is_relative_to(other) and not place.is_relative_to(other) for other in others)
        return False

    return tuple(sorted(path for path in blobs if path.endswith(SUFFIXES) and counts(PurePosixPath(path))))


def _relative(root: Path, path: Path) -> PurePosixPath:
    absolute = Path(os.path.realpath(path))
    return PurePosixPath(absolute.relative_to(root).as_posix()) if absolute.is_relative_to(root) else PurePosixPath(".")
