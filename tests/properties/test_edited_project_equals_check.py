"""After any edits to any files of a project, the editor's findings equal those of `promptc check` on the same texts."""

import os
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptc.cli.loading import load
from promptc.lsp.documents import Document
from promptc.lsp.workspace import EditedProject
from promptc.prefix_sizes import size_findings
from support.checkout import ROOT

EXAMPLES = 400 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 8
PROJECT = ROOT / "tests" / "golden" / "lsp" / "project"
FILES = ("agent.promptc", "types.promptc", "text/rules.md", "bot.promptc.yaml")
TYPED = ('"', '"""', "{", "}", "\n", "@", "😀", "{{ folder }}", "{% if mode %}", " when a ", 'section x @static "a"\n',
         "    section: x\n", "input q : text @turn\n", "gate g = ", "#")  # fmt: skip

edits = st.lists(
    st.tuples(
        st.sampled_from(FILES), st.floats(0, 1, exclude_max=True), st.integers(0, 20), st.sampled_from(("", *TYPED))
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(edits)
def test_findings_of_an_edited_project_equal_those_of_a_check(edits: list[tuple[str, float, int, str]]) -> None:
    with TemporaryDirectory() as name:
        root = Path(name).resolve() / "edited"
        fresh = root.parent / "fresh"
        copytree(PROJECT, root)
        copytree(PROJECT, fresh)
        project = EditedProject.of(root / FILES[0])
        for path in FILES:
            text = (root / path).read_text(encoding="utf-8")
            project.documents[path] = Document((root / path).as_uri(), 1, text, "utf-16")
        for path, place, deleted, typed in edits:
            document = project.documents[path]
            at = int(place * (len(document.text) + 1))
            document.text = document.text[:at] + typed + document.text[at + deleted :]
            document.version += 1
            (fresh / path).write_text(document.text, encoding="utf-8")
            workspace = load([fresh])
            found = (*workspace.diagnostics, *size_findings(workspace.compilations))
            assert project.check().diagnostics == tuple(sorted(found, key=lambda d: d.sort_key))
