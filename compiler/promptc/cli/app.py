"""The command tree, readable at a glance."""

import sys
import traceback

import typer

from promptc import __version__
from promptc.cli import exits
from promptc.cli.commands import (
    build,
    check,
    codes,
    convert,
    diff,
    explain,
    fmt,
    graph,
    init,
    ls,
    preview,
    providers,
    render,
    verify,
)

app = typer.Typer(
    name="promptc",
    help="A compiler for prompts: volatile bytes never stand before stable ones.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("init")(init.init)
app.command("check")(check.check)
app.command("build")(build.build)
app.command("render")(render.render)
app.command("diff")(diff.diff)
app.command("fmt")(fmt.fmt)
app.command("convert")(convert.convert)
app.command("explain")(explain.explain)
app.command("codes")(codes.codes)
app.command("preview")(preview.preview)
app.command("ls")(ls.ls)
app.command("graph")(graph.graph)
app.command("verify")(verify.verify)
app.command("providers")(providers.providers)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"promptc {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """A compiler for prompts."""


def main() -> None:
    """Run the command line. No traceback of a user's fault ever gets out; a bug says that it is one."""
    try:
        app()
    except BrokenPipeError:
        sys.exit(exits.CLEAN)
    except (RecursionError, MemoryError) as fault:
        sys.stderr.write(
            f"error[PC901]: promptc ran out of {'stack' if isinstance(fault, RecursionError) else 'memory'}\n"
        )
        sys.exit(exits.BUG)
    except Exception:
        # PC901: whatever arrives here is a bug of ours, and the report needs the trace.
        trace = traceback.format_exc().strip().splitlines()
        sys.stderr.write(f"error[PC901]: this is a bug in promptc {__version__}, please report it with these lines\n")
        sys.stderr.writelines(f"  | {line}\n" for line in trace[-12:])
        sys.exit(exits.BUG)
