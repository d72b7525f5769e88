"""Modules that the compiler must accept or reject, and for which findings.

Each case is one module. The lines `# expect: LINE:COLUMN CODE` at its top say what is reported, hints included, in
order; a case under `accept` expects nothing. `--update` rewrites these lines: read them before you commit.
"""

from pathlib import Path

import pytest

from promptc.pipeline import compile_root
from promptc.project import Config, Project, Reader

HERE = Path(__file__).parent
CASES = sorted(
    p.relative_to(HERE).as_posix() for kind in ("accept", "reject") for p in (HERE / kind).rglob("*.promptc")
)
MARK = "# expect: "


def findings(path: Path) -> list[str]:
    """`line:column code` of every finding of a module, lines counted below the expectation header."""
    text = path.read_text(encoding="utf-8")
    header = sum(1 for line in text.splitlines() if line.startswith(MARK))
    project = Project(path.parent.resolve(), Config())
    compilation = compile_root(path.name, Reader(project))
    out = []
    for diagnostic in compilation.diagnostics:
        assert diagnostic.primary is not None
        span = diagnostic.primary.span
        source = compilation.sources.get(span.path)
        assert source is not None
        line, column = source.line_column(span.start)
        shift = header if span.path == path.name else 0
        out.append(f"{line + 1 - shift}:{column + 1} {diagnostic.code}")
    return out


@pytest.mark.parametrize("case", CASES)
def test_module_is_judged_as_its_header_says(case: str, update: bool) -> None:
    path = HERE / case
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    expected = [line.removeprefix(MARK).strip() for line in lines if line.startswith(MARK)]

    found = findings(path)

    if update and found != expected:
        body = [line for line in lines if not line.startswith(MARK)]
        path.write_text("".join([f"{MARK}{f}\n" for f in found] + body), encoding="utf-8", newline="\n")
        expected = found
    assert expected == found
    assert bool(expected) == case.startswith("reject")
