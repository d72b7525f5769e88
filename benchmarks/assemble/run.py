"""Measure an emitted assembler against the hand-written baseline and a template engine, in one process.

Usage: run.py PYTHON, where PYTHON is the interpreter of the environment that `setup.sh` made. This process emits the
assembler; that one, which has the peers but not promptc, times it. Needs PROMPTC_SHARED.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("PROMPTC_SHARED", HERE.parents[2] / "shared"))


def main(python: str, seconds: str) -> int:
    """Emit, then measure in the other environment."""
    sys.path[:0] = [str(SHARED / "bench" / "work_a"), str(HERE)]
    import common  # type: ignore[import-not-found]
    import program

    from promptc.emit.python import emit_python

    artifact = emit_python(program.build(common.load()), lambda span: (1, span.start + 1), True)
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "workload_assembler.py"
        module.write_bytes(artifact.data)
        measured = [python, str(HERE / "measure.py"), str(SHARED / "bench" / "work_a"), str(module), seconds]
        return subprocess.run(measured, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1.0"))
