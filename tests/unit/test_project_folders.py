"""Which specs belong to a project."""

from pathlib import Path

from promptc.diagnostics.sink import Sink
from promptc.project import Config, Project, find_project, find_specs

SPEC = 'prompt p { target anthropic system { section s @static "hi" } }\n'


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_project_inside_a_project_is_not_part_of_it(tmp_path: Path) -> None:
    for name in ("a.promptc", "b/c.promptc", "inner/d.promptc", "b/inner/e.promptc"):
        write(tmp_path / name, SPEC)
    write(tmp_path / "promptc.toml", "")
    write(tmp_path / "inner/promptc.toml", "")
    sink = Sink()
    assert find_specs(find_project(tmp_path, sink), [], sink) == ("a.promptc", "b/c.promptc", "b/inner/e.promptc")
    assert find_specs(find_project(tmp_path / "inner", sink), [], sink) == ("d.promptc",)
    assert sink.sorted() == ()


def test_a_folder_that_is_named_is_walked_even_if_it_is_a_project(tmp_path: Path) -> None:
    write(tmp_path / "inner/d.promptc", SPEC)
    write(tmp_path / "inner/promptc.toml", "")
    sink = Sink()
    project = Project(tmp_path.resolve(), Config())
    assert find_specs(project, [tmp_path / "inner"], sink) == ("inner/d.promptc",)
