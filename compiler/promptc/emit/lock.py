"""`promptc.lock`: the files that a build read, what it made of them, and the breaks that people accepted."""

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from promptc import __version__
from promptc.artifact import Artifact
from promptc.diagnostics.model import Diagnostic
from promptc.streams.manifest_model import Manifest

LOCK_NAME = "promptc.lock"
FORMAT: Literal["promptc.lock/1"] = "promptc.lock/1"
_HEADING = "# Written by `promptc build` and `promptc accept`. Keep it under version control, and do not edit it.\n"


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class LockedPrompt(_Value):
    """A prompt as it was built.

    Attributes:
        root: Project-relative path of its module.
        manifest: SHA-256 of the bytes of its manifest.
        digest: `Manifest.digest`: the same for the same prompt, wherever its lines stand.
    """

    name: str
    root: str
    manifest: str
    digest: str


class AcceptedBreak(_Value):
    """A break that somebody accepted.

    Attributes:
        scope: The scope whose prefixes it breaks; empty for all of the prompt.
        was: `Manifest.digest` before.
        now: `Manifest.digest` behind.
    """

    prompt: str
    scope: str = ""
    was: str
    now: str
    reason: str = Field(min_length=1)


class Lock(_Value):
    """The lock.

    Attributes:
        compiler: Version of promptc.
        formats: Version of every form that a build writes, by what it is.
        sources: SHA-256 of the raw bytes of every file that was read, by project-relative path.
        breaks: In the order in which they were accepted.
    """

    format: Literal["promptc.lock/1"]
    compiler: str
    formats: dict[str, str] = {}
    sources: dict[str, str] = {}
    prompts: list[LockedPrompt] = []
    breaks: list[AcceptedBreak] = []

    def accepts(self, prompt: str, scope: str, was: str, now: str) -> AcceptedBreak | None:
        """The record that accepts a break; None when there is none."""
        return next(
            (b for b in self.breaks if (b.prompt, b.was, b.now) == (prompt, was, now) and b.scope in ("", scope)), None
        )


def make_lock(
    sources: Mapping[str, bytes],
    manifests: Iterable[tuple[str, Manifest, bytes]],
    formats: Mapping[str, str],
    earlier: Lock | None = None,
) -> Lock:
    """The lock of a build.

    Args:
        sources: Raw bytes of every file that was read, by project-relative path.
        manifests: Of every prompt: the path of its root module, the manifest, and the bytes of its file.
        formats: Version of every form that the build writes.
        earlier: The lock so far; the breaks accepted in it are kept.
    """
    prompts = [
        LockedPrompt(name=m.prompt, root=root, manifest=_sha256(data), digest=m.digest) for root, m, data in manifests
    ]
    return Lock(
        format=FORMAT,
        compiler=__version__,
        formats={name: formats[name] for name in sorted(formats)},
        sources={path: _sha256(sources[path]) for path in sorted(sources)},
        prompts=sorted(prompts, key=lambda p: (p.root, p.name)),
        breaks=[] if earlier is None else earlier.breaks,
    )


def with_break(lock: Lock, accepted: AcceptedBreak) -> Lock:
    """The lock with one more accepted break; a record of the same break is replaced."""
    key = (accepted.prompt, accepted.scope, accepted.was, accepted.now)
    kept = [b for b in lock.breaks if (b.prompt, b.scope, b.was, b.now) != key]
    return lock.model_copy(update={"breaks": [*kept, accepted]})


def write_lock(lock: Lock) -> bytes:
    """The lock as TOML with a final newline, one fact a line."""
    lines = [f"format = {_quoted(lock.format)}", f"compiler = {_quoted(lock.compiler)}"]
    for title, table in (("formats", lock.formats), ("sources", lock.sources)):
        lines += ["", f"[{title}]"]
        lines += [f"{_quoted(key)} = {_quoted(value)}" for key, value in table.items()]
    for title, rows in (("prompts", lock.prompts), ("breaks", lock.breaks)):
        for row in rows:
            plain: dict[str, str] = row.model_dump(exclude_defaults=True)
            lines += ["", f"[[{title}]]"]
            lines += [f"{key} = {_quoted(value)}" for key, value in plain.items()]
    return (_HEADING + "\n".join(lines) + "\n").encode()


def emit_lock(lock: Lock) -> Artifact:
    """The lock as a file."""
    return Artifact(LOCK_NAME, write_lock(lock))


def read_lock(data: bytes, path: str = LOCK_NAME) -> tuple[Lock | None, tuple[Diagnostic, ...]]:
    """The lock in a file; None when it cannot be read.

    Diagnostics:
        PC931.
    """
    try:
        return Lock.model_validate(tomllib.loads(data.decode("utf-8"))), ()
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    except tomllib.TOMLDecodeError as fault:
        reason = f"it is not TOML: {fault}"
    except RecursionError:
        reason = "it is nested too deep"
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        reason = f"`{'.'.join(str(part) for part in first['loc'])}`: {first['msg'].lower()}"
    found = Diagnostic(
        "PC931",
        f"`{path}` cannot be read",
        None,
        notes=(reason,),
        help="restore it from version control, then build again; the accepted breaks cannot be made again from the sources",
    )
    return None, (found,)


def _quoted(text: str) -> str:
    # A TOML basic string; everything that does not print is escaped, so that a path or a reason stays on its line.
    out = [f"\\{c}" if c in '"\\' else c if c.isprintable() else f"\\U{ord(c):08x}" for c in text]
    return f'"{"".join(out)}"'


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
