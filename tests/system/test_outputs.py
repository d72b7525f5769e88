"""Where the product goes: a reader that stops early, a device that is full."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from promptc.cli import exits
from support.checkout import ROOT


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["render", "specs/coding_agent", "--sample", "interactive"], exits.CLEAN),
        (["check", "specs/hazards"], exits.FINDINGS),
    ],
)
def test_a_reader_that_has_read_enough_does_not_change_the_exit_code(arguments: list[str], code: int) -> None:
    reading, writing = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-m", "promptc", *arguments], cwd=ROOT, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    os.close(reading)
    _, said = child.communicate(timeout=120)
    assert child.returncode == code and b"PC901" not in said and b"Broken pipe" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("arguments", [["codes"], ["render", "specs/coding_agent"], ["check", "specs/hazards"]])
def test_a_full_device_is_said(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "promptc", *arguments],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
    assert done.returncode == exits.USAGE
    assert b"standard output cannot be written: no space left on device" in done.stderr
    assert b"Traceback" not in done.stderr and b"PC901" not in done.stderr
