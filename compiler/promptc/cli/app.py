"""The command tree, readable at a glance."""

import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword

import typer

from promptc import __version__
from promptc.cli import exits

# In the order of the help. Each is a function of the module of its name below `promptc.cli.commands`.
COMMANDS = (
    "init",
    "check",
    "build",
    "render",
    "preview",
    "diff",
    "breaking",
    "accept",
    "audit",
    "simulate",
    "ls",
    "graph",
    "fmt",
    "convert",
    "import",
    "explain",
    "codes",
    "verify",
    "lsp",
    "providers",
)


def make_app(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """The command line with some of its commands; importing them is most of the time that a short command takes."""
    app = typer.Typer(
        name="promptc",
        help="A compiler for prompts: volatile bytes never stand before stable ones.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in names:
        # A command may be called what no function of Python can be.
        function = f"{name}_" if iskeyword(name) else name
        module = import_module(f"promptc.cli.commands.{function}")
        app.command(name)(getattr(module, function))
    return app


def _version(value: bool) -> None:
    if value:
        typer.echo(f"promptc {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """A compiler for prompts: volatile bytes never stand before stable ones."""


def main() -> None:
    """Run the command line. No traceback of a user's fault ever gets out; a bug says that it is one."""
    # A command that is named needs no other; help, completion and misspelt names need all.
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        make_app((wanted,) if wanted in COMMANDS else COMMANDS)()
    except BrokenPipeError:
        sys.exit(exits.CLEAN)
    except (RecursionError, MemoryError) as fault:
        what = "stack" if isinstance(fault, RecursionError) else "memory"
        sys.stderr.write(f"error[PC901]: promptc ran out of {what}\n")
        sys.exit(exits.BUG)
    except Exception:
        # PC901: whatever arrives here is a bug of ours, and the report needs the trace.
        trace = traceback.format_exc().strip().splitlines()
        sys.stderr.write(f"error[PC901]: this is a bug in promptc {__version__}, please report it with these lines\n")
        sys.stderr.writelines(f"  | {line}\n" for line in trace[-12:])
        sys.exit(exits.BUG)
