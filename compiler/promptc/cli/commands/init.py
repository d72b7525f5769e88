"""`promptc init`: a project with one spec that builds."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.artifact import Artifact
from promptc.cli.console import say, stop
from promptc.emit.environment import render_template
from promptc.output import WriteError, write_all
from promptc.project import CONFIG_NAME


def init(
    folder: Annotated[Path, typer.Argument(help="Where to write; the current folder by default.")] = Path(),
    yaml: Annotated[bool, typer.Option("--yaml", help="Write the spec in YAML instead of the DSL.")] = False,
) -> None:
    """Write `promptc.toml` and a first spec. Nothing that exists is overwritten.

    Exit codes: 0 written, 2 a file is in the way or cannot be written.
    """
    spec = "specs/assistant.promptc.yaml" if yaml else "specs/assistant.promptc"
    template = "init/assistant.promptc.yaml.j2" if yaml else "init/assistant.promptc.j2"
    artifacts = [
        Artifact(CONFIG_NAME, render_template("init/promptc.toml.j2").encode()),
        Artifact(spec, render_template(template).encode()),
        Artifact("specs/text/tone.md", render_template("init/tone.md.j2").encode()),
    ]
    for artifact in artifacts:
        if (folder / artifact.path).exists():
            stop(f"`{(folder / artifact.path).as_posix()}` exists already", help="nothing was written")
    try:
        for name in write_all(folder, artifacts):
            say(f"written: {(folder / name).as_posix()}")
    except WriteError as fault:
        stop(str(fault))
    say("next: promptc check, promptc build, promptc render --sample first")
