"""The wheel holds everything that promptc needs: it is installed into a clean environment and builds a spec there."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from support.checkout import ROOT


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed; its output."""
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_an_installed_wheel_builds_a_spec(tmp_path: Path) -> None:
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path / "dist", ROOT, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("promptc_lang-*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    promptc = tmp_path / "env" / "bin" / "promptc"
    project = tmp_path / "project"
    project.mkdir()

    run(promptc, "init", cwd=project)
    run(promptc, "check", cwd=project)
    run(promptc, "build", cwd=project)
    body = run(promptc, "render", "--sample", "first", cwd=project)
    page = run(promptc, "explain", "PC401", cwd=project)

    assert sorted(p.name for p in (project / "gen").iterdir()) == [
        "assistant.manifest.json",
        "assistant.py",
        "assistant.schema.json",
        "assistant.vectors.json",
        "promptc.lock",
    ]
    assert '"text":"You are the assistant of Lighthouse.' in body
    assert "volatile-before-stable" in page
    assert str(ROOT) not in run(python, "-c", "import promptc; print(promptc.__file__)", cwd=project)
