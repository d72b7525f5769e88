"""Compare two specs, or two built manifests, prompt by prompt."""

from pathlib import Path

from promptc.project import SUFFIXES


def names_specs(path: Path) -> bool:
    """Whether a path names a spec or a folder of specs."""
    return path.is_dir() or path.name.endswith(SUFFIXES)


def diff_specs(a: Path, b: Path, format: str) -> int:
    """Compare and show; the exit code."""
    raise NotImplementedError(f"{a} {b} {format}")
