"""Where a repository stands, as plain values; a failure gives an empty context and no failed request (A-08)."""

import subprocess
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GitContext:
    """A snapshot of a repository; take it once for each submission (A-09).

    Attributes:
        branch: The branch that is checked out; empty on none.
        main: The branch that others start from.
        user: Name of the author of commits.
        status: Short status, cut at a limit.
        commits: The last commits, newest first: short name and subject.
    """

    branch: str = ""
    main: str = ""
    user: str = ""
    status: str = ""
    commits: tuple[str, ...] = ()


def git_context(folder: str, limit: int = 2_000, cut: str = "\n[cut]", timeout: float = 5.0) -> GitContext:
    """The state of the repository that a folder is in; an empty context where there is none, or git fails.

    Args:
        limit: Code points of the status; beyond them `cut` stands.
        timeout: Seconds for each question.
    """

    def ask(*words: str) -> str:
        command = ["git", "--no-optional-locks", "-c", "core.quotePath=false", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=timeout, check=True)
        return done.stdout.decode("utf-8", "replace").rstrip("\n")

    def try_(*words: str) -> str:
        try:
            return ask(*words)
        except subprocess.CalledProcessError:
            return ""

    try:
        status = ask("status", "--short")
    except (OSError, subprocess.SubprocessError):
        return GitContext()
    try:
        heads = try_("symbolic-ref", "--short", "refs/remotes/origin/HEAD").removeprefix("origin/")
        names = try_("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n")
        return GitContext(
            branch=try_("branch", "--show-current"),
            main=heads or next((name for name in ("main", "master", "trunk") if name in names), ""),
            user=try_("config", "user.name"),
            status=status[:limit] + cut if len(status) > limit else status,
            commits=tuple(line for line in try_("log", "-5", "--format=%h %s").split("\n") if line),
        )
    except (OSError, subprocess.SubprocessError):
        return GitContext(status=status[:limit] + cut if len(status) > limit else status)
