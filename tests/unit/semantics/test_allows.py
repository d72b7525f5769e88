"""What an `allow` clause covers."""

from promptc.pipeline import compile_root
from promptc.project import Config, Project, Reader
from support.checkout import ROOT

SPEC = """language 1
scope g holds static
prompt p {
  target anthropic
  system { cache g {
    section a @static ALLOW from "a.md"
    section b @static "At 2026-01-02T10:00."
  } }
}
"""


def codes(spec: str) -> list[tuple[str, str]]:
    """Path and code of every finding; the body file holds a time stamp."""
    files = {"p.promptc": spec, "a.md": "Like 2026-01-02T10:00.\n"}
    found = compile_root("p.promptc", Reader(Project(ROOT, Config()), files)).diagnostics
    return [(d.primary.span.path, d.code) for d in found if d.primary is not None]


def test_a_clause_on_a_section_covers_its_body_file_and_nothing_else() -> None:
    clause = 'allow looks-volatile "an example"'

    assert codes(SPEC.replace("ALLOW ", "")) == [("a.md", "PC331"), ("p.promptc", "PC331")]
    assert codes(SPEC.replace("ALLOW", clause)) == [("p.promptc", "PC331")]


def test_a_clause_at_top_level_covers_the_module_and_its_body_files() -> None:
    spec = SPEC.replace("ALLOW ", "").replace("prompt p", 'allow PC331 "examples"\nprompt p')

    assert codes(spec) == []


def test_an_error_cannot_be_allowed() -> None:
    spec = SPEC.replace("ALLOW ", "").replace("prompt p", 'allow PC204 "please"\nprompt p').replace("@static", "@never")

    assert {code for _, code in codes(spec)} >= {"PC204", "PC225"}
