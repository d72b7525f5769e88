"""Targets: which assemblers can be written, and for which request formats."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from promptc.artifact import Artifact
from promptc.diagnostics.model import Diagnostic
from promptc.emit.python import emit_python
from promptc.emit.python_wires import WIRES
from promptc.ir.model import Program
from promptc.ir.verify import verify
from promptc.source import SourceSet, Span


@dataclass(frozen=True, slots=True)
class Target:
    """One language that assemblers are written in.

    Attributes:
        wires: Request formats that it can write.
        emit: Prints a program; takes the program, where spans start (1-based line and column), and whether the file
            must stand alone.
    """

    name: str
    wires: tuple[str, ...]
    emit: Callable[[Program, Callable[[Span], tuple[int, int]], bool], Artifact]


TARGETS: Mapping[str, Target] = {"python": Target("python", tuple(WIRES), emit_python)}


def emit(
    target: str, program: Program, sources: SourceSet, standalone: bool = False
) -> tuple[Artifact | None, tuple[Diagnostic, ...]]:
    """Print a program as an assembler, or say why that target cannot.

    Args:
        target: A key of `TARGETS`.
        sources: The texts that the program was built from; places in them are baked into the assembler.
    """
    chosen = TARGETS[target]
    if program.wire not in chosen.wires:
        message = f"the target `{target}` cannot write requests in the format `{program.wire}`"
        notes = (f"it can write: {', '.join(f'`{wire}`' for wire in chosen.wires)}",)
        return None, (Diagnostic("PC902", message, None, notes=notes),)
    faults = verify(program)
    if faults:
        message = f"internal error: the residual program of `{program.name}` is not well formed"
        return None, (Diagnostic("PC901", message, None, notes=faults, help="please report this"),)
    return chosen.emit(program, locator(sources), standalone), ()


def locator(sources: SourceSet) -> Callable[[Span], tuple[int, int]]:
    """Where a span starts, 1-based line and column; 1:1 for a text that is not at hand."""

    def locate(span: Span) -> tuple[int, int]:
        source = sources.get(span.path)
        if source is None:
            return 1, 1
        line, column = source.line_column(span.start)
        return line + 1, column + 1

    return locate
