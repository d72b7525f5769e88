"""Files that were changed outside the conversation: said once, with what changed as far as a budget reaches (E-03)."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from promptc.host.file_state import FileState, Seen


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that is not any more what the conversation saw.

    Attributes:
        diff: A unified diff; None where the content before is not kept, or the budget is used up. The fact remains.
        gone: Whether the file is not there any more.
    """

    path: str
    diff: str | None
    gone: bool = False


def read_from_disk(path: str) -> tuple[bytes, int]:
    """Content and time of change (nanoseconds) of a file.

    Raises:
        OSError: It cannot be read.
    """
    file = Path(path)
    mtime = file.stat().st_mtime_ns
    return file.read_bytes(), mtime


def changed_files(
    state: FileState,
    budget: int = 16_384,
    mtime_of: Callable[[str], int] = lambda path: Path(path).stat().st_mtime_ns,
    read: Callable[[str], tuple[bytes, int]] = read_from_disk,
) -> tuple[Changed, ...]:
    """What changed since it was seen, in the order of paths; each change is told once.

    Only files that were seen whole are looked at. A newer time alone says nothing: the content decides.

    Args:
        budget: Characters of all diffs together.
    """
    left = budget
    changes = []
    for seen in sorted(state, key=lambda record: record.path):
        if not seen.whole:
            continue
        try:
            if mtime_of(seen.path) == seen.mtime:
                continue
            content, mtime = read(seen.path)
        except FileNotFoundError:
            state.forget(seen.path)
            changes.append(Changed(seen.path, None, gone=True))
            continue
        except OSError:
            continue
        state.saw(seen.path, content, mtime, seen.source, keep_content=seen.content is not None)
        if seen.same(content):
            continue
        diff = _diff(seen, content)
        if diff is not None and len(diff) > left:
            diff = None
        left -= len(diff or "")
        changes.append(Changed(seen.path, diff))
    return tuple(changes)


def _diff(seen: Seen, content: bytes) -> str | None:
    if seen.content is None:
        return None
    try:
        before, after = seen.content.decode(), content.decode()
    except UnicodeDecodeError:
        return None
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "before", "now", lineterm="", n=2)
    return "\n".join(lines)
