"""Read a file that the user names on the command line."""

import sys
from pathlib import Path

from promptc.cli.console import stop

# A request of this size is past every provider's limit many times over.
MAX_INPUT_BYTES = 512 * 1024 * 1024


def read_file(path: Path) -> bytes:
    """The bytes of a file; `-` is stdin. Ends the command with exit code 2 where it cannot be read."""
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        if path.is_dir():
            stop(f"`{path.as_posix()}` is a folder")
        if path.stat().st_size > MAX_INPUT_BYTES:
            stop(f"`{path.as_posix()}` is larger than {MAX_INPUT_BYTES // (1024 * 1024)} MiB")
        return path.read_bytes()
    except FileNotFoundError:
        stop(f"`{path.as_posix()}` does not exist")
    except OSError as fault:
        stop(f"`{path.as_posix()}` cannot be read: {(fault.strerror or 'unknown reason').lower()}")
