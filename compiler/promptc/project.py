"""Find and read the user's files: the only core module that does. Nothing outside the project root is ever read."""

import os
import stat
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.providers.registry import BUILTIN, Registry
from promptc.source import Source, Span

CONFIG_NAME = "promptc.toml"
SUFFIXES = (".promptc", ".promptc.yaml", ".promptc.yml")
MAX_SOURCE_BYTES = 16 * 1024 * 1024
_SKIPPED_FOLDERS = frozenset({".git", ".venv", "node_modules", "__pycache__"})


Category = Literal["global", "org", "session", "tail", "metadata"]
"""Whom a change concerns, from everybody to nobody's cache."""


class Ignore(BaseModel):
    """Findings of `promptc breaking` that do not count.

    Attributes:
        rule: Id of the rule.
        prompt: Only of this prompt; of all when left out.
        section: Only where this section, tool or input is to blame; any when left out.
        reason: Why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    prompt: str | None = None
    section: str | None = None
    reason: str = Field(min_length=1)


class BreakingConfig(BaseModel):
    """The table `[breaking]` of `promptc.toml`.

    Attributes:
        fail_on: Least category that fails.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fail_on: Category = "session"
    ignore: tuple[Ignore, ...] = ()


class Config(BaseModel):
    """`promptc.toml`.

    Attributes:
        specs: Folders or files that are compiled when none is named.
        out: Folder that `build` writes to.
        standalone: Whether assemblers carry the runtime with them.
        breaking: What `promptc breaking` fails on.
        providers: File with the project's own facts about providers, below the root; see `docs/PROVIDERS.md`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    specs: tuple[str, ...] = (".",)
    out: str = "gen"
    standalone: bool = False
    breaking: BreakingConfig = BreakingConfig()
    providers: str | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """A project.

    Attributes:
        root: Resolved absolute path of the root folder; never part of any output.
    """

    root: Path
    config: Config


def find_project(start: Path, sink: Sink) -> Project:
    """The project of a file or folder: the nearest ancestor with `promptc.toml`, else with `.git`, else its folder.

    Diagnostics:
        PC011 for a configuration that cannot be used.
    """
    resolved = Path(os.path.realpath(start))
    base = resolved if resolved.is_dir() else resolved.parent
    for folder in (base, *base.parents):
        if (folder / CONFIG_NAME).is_file():
            return Project(folder, _config_file(folder / CONFIG_NAME, sink))
    for folder in (base, *base.parents):
        if (folder / ".git").exists():
            return Project(folder, Config())
    return Project(base, Config())


def below_repository(root: Path) -> str:
    """A project's folder below its repository, with a slash at the end; empty where they are the same.

    Without a repository the working directory takes its place, where the project is below it.
    """
    above = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    top = above if above is not None else Path(os.path.realpath(Path.cwd()))
    if root == top or not root.is_relative_to(top):
        return ""
    return root.relative_to(top).as_posix() + "/"


def _config_file(path: Path, sink: Sink) -> Config:
    try:
        data = path.read_bytes()
    except OSError as fault:
        sink.report(Diagnostic("PC011", f"`{CONFIG_NAME}` cannot be read: {fault.strerror or 'unknown reason'}", None))
        return Config()
    return read_config(data, sink)


def read_config(data: bytes, sink: Sink) -> Config:
    """The configuration in the bytes of a `promptc.toml`; the defaults after a fault.

    Diagnostics:
        PC011.
    """
    try:
        return Config.model_validate(tomllib.loads(data.decode("utf-8")))
    except UnicodeDecodeError:
        sink.report(Diagnostic("PC011", f"`{CONFIG_NAME}` cannot be read: not UTF-8 text", None))
    except tomllib.TOMLDecodeError as fault:
        sink.report(Diagnostic("PC011", f"`{CONFIG_NAME}` is not TOML: {fault}", None))
    except ValidationError as fault:
        for error in fault.errors():
            key = ".".join(str(p) for p in error["loc"])
            if error["type"] == "extra_forbidden":
                near = suggest(key, list(Config.model_fields))
                message, hint = (
                    f"`{CONFIG_NAME}` has the unknown key `{key}`",
                    f"did you mean `{near}`?" if near else None,
                )
            else:
                message, hint = f"`{key}` in `{CONFIG_NAME}` does not fit: {error['msg'].lower()}", None
            sink.report(Diagnostic("PC011", message, None, help=hint))
    return Config()


class Reader:
    """Reads sources of one project, each once.

    Attributes:
        raw: Raw bytes of everything that was read, by project-relative path; what the lock file digests.
    """

    def __init__(self, project: Project, overlay: dict[str, str] | None = None) -> None:
        self.project = project
        self.raw: dict[str, bytes] = {}
        self._overlay = overlay or {}
        self._sources: dict[str, Source | None] = {}

    def resolve(self, path: str, base: str, at: Span | None, sink: Sink) -> str | None:
        """Project-relative path of `path` as named in the source `base`; None when it leaves the project.

        Diagnostics:
            PC003.
        """
        problem = None
        if "\x00" in path or not path:
            problem = "is not the name of a file"
        elif path.startswith(("/", "~")) or (len(path) > 1 and path[1] == ":") or "\\" in path:
            problem = "is not relative, with `/` between its parts"
        if problem is not None:
            self._report(sink, "PC003", f"the path `{path}` {problem}", at)
            return None
        joined = os.path.normpath(str(PurePosixPath(base).parent / path))
        if joined.startswith(".."):
            self._report(
                sink,
                "PC003",
                f"the path `{path}` leaves the project",
                at,
                help="a spec reads only below its project root",
            )
            return None
        return PurePosixPath(joined).as_posix()

    def read(self, path: str, at: Span | None, sink: Sink) -> Source | None:
        """The source at a project-relative path, normalised; None after a fault, which is reported once per use.

        Diagnostics:
            PC001, PC002, PC003, PC004, PC005, PC006, PC010.
        """
        if path in self._overlay:
            return self._sources.setdefault(path, Source(path, self._overlay[path]))
        if path in self._sources and self._sources[path] is not None:
            return self._sources[path]
        data = self._bytes(path, at, sink)
        source = None if data is None else self._decode(path, data, at, sink)
        self._sources[path] = source
        return source

    def _bytes(self, path: str, at: Span | None, sink: Sink) -> bytes | None:
        full = self.project.root / path
        try:
            real = Path(os.path.realpath(full, strict=True))
            if not real.is_relative_to(self.project.root):
                self._report(sink, "PC003", f"`{path}` is a link that leaves the project", at)
                return None
            info = real.stat()
            if not stat.S_ISREG(info.st_mode):
                self._report(sink, "PC005", f"`{path}` is not a regular file", at)
                return None
            if info.st_size > MAX_SOURCE_BYTES:
                limit = MAX_SOURCE_BYTES // (1024 * 1024)
                self._report(
                    sink, "PC004", f"`{path}` has {info.st_size:,} bytes; promptc reads sources up to {limit} MiB", at
                )
                return None
            data = real.read_bytes()
        except FileNotFoundError:
            self._report(sink, "PC001", f"`{path}` does not exist", at, help=self._near(full))
            return None
        except OSError as fault:
            if "symbolic links" in (fault.strerror or "") or "loop" in str(fault).lower():
                self._report(sink, "PC005", f"`{path}` is a loop of symbolic links", at)
            else:
                self._report(
                    sink, "PC010", f"`{path}` cannot be read: {(fault.strerror or 'unknown reason').lower()}", at
                )
            return None
        except ValueError:
            self._report(sink, "PC005", f"`{path}` is not the name of a file", at)
            return None
        self.raw[path] = data
        return data

    def _near(self, full: Path) -> str | None:
        try:
            names = sorted(p.name for p in full.parent.iterdir() if p.is_file())
        except OSError:
            return None
        near = suggest(full.name, names)
        return f"did you mean `{near}`?" if near else None

    def _decode(self, path: str, data: bytes, at: Span | None, sink: Sink) -> Source | None:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as fault:
            line = data.count(b"\n", 0, fault.start) + 1
            self._report(
                sink, "PC002", f"`{path}` is not UTF-8 text: byte {fault.start} (line {line}) begins no character", at
            )
            return None
        if "\x00" in text:
            self._report(sink, "PC002", f"`{path}` holds NUL characters: it is not text", at)
            return None
        normal = text.removeprefix("\ufeff").replace("\r\n", "\n")
        if normal != text:
            what = "a byte order mark" if text.startswith("\ufeff") else "CRLF line ends"
            sink.report(
                Diagnostic(
                    "PC006",
                    f"`{path}` has {what}; it is read without",
                    Label(Span(path, 0, 0)),
                    help="save it as UTF-8 with LF line ends",
                )
            )
        return Source(path, normal)

    @staticmethod
    def _report(sink: Sink, code: str, message: str, at: Span | None, help: str | None = None) -> None:
        sink.report(Diagnostic(code, message, Label(at) if at is not None else None, help=help))


def provider_facts(project: Project, reader: Reader, sink: Sink) -> Registry:
    """What is known about providers: the shipped facts, and over them those of the file that `promptc.toml` names.

    Diagnostics:
        PC001 to PC006 and PC010 for the file, PC677 and those of any YAML for what it says.
    """
    if project.config.providers is None:
        return BUILTIN
    path = reader.resolve(project.config.providers, CONFIG_NAME, None, sink)
    source = reader.read(path, None, sink) if path is not None else None
    if source is None:
        return BUILTIN
    # Only a project that has such a file pays for the reader of YAML.
    from promptc.provider_file import read_provider_file

    return read_provider_file(source, sink)


def find_specs(project: Project, paths: Iterable[Path], sink: Sink) -> tuple[str, ...]:
    """Project-relative paths of all specs at some places, sorted and without duplicates.

    Diagnostics:
        PC001 a place does not exist, PC003 it is outside the project, PC007 nothing was found.
    """
    found: dict[str, None] = {}
    places = list(paths) or [project.root / p for p in project.config.specs]
    faults = False
    for place in places:
        # The last part is not resolved: whether a link may be followed is the reader's decision.
        absolute = Path(os.path.realpath(place.parent)) / place.name if place.name else Path(os.path.realpath(place))
        if not absolute.is_relative_to(project.root):
            sink.report(Diagnostic("PC003", f"`{place.as_posix()}` is outside the project of the first path", None))
            faults = True
        elif absolute.is_dir():
            for name in _walk(absolute):
                found.setdefault(name.relative_to(project.root).as_posix())
        elif absolute.exists() or absolute.is_symlink():
            found.setdefault(absolute.relative_to(project.root).as_posix())
        else:
            sink.report(Diagnostic("PC001", f"`{place.as_posix()}` does not exist", None))
            faults = True
    if not found and not faults:
        listed = ", ".join(f"`*{s}`" for s in SUFFIXES)
        sink.report(
            Diagnostic(
                "PC007", "there is no spec here", None, help=f"a spec is a file {listed}; `promptc init` writes one"
            )
        )
    return tuple(sorted(found))


def _walk(folder: Path) -> Iterable[Path]:
    for current, folders, files in os.walk(folder):
        # A folder with a configuration of its own is another project; name it, or stand in it, to compile its specs.
        folders[:] = sorted(
            f for f in folders if f not in _SKIPPED_FOLDERS and not (Path(current) / f / CONFIG_NAME).is_file()
        )
        for name in sorted(files):
            if name.endswith(SUFFIXES):
                yield Path(current) / name
