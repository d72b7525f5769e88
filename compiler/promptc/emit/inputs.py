"""Read the inputs of a program from plain JSON data, with a message for everything that does not fit."""

from collections.abc import Mapping, Sequence

from promptc.diagnostics.model import Diagnostic, Label
from promptc.ir.interpret_inputs import check_input
from promptc.ir.model import Input, Program
from promptc.runtime.errors import InputError
from promptc.types import Optional, describe


def read_inputs(program: Program, data: object) -> tuple[dict[str, object], tuple[Diagnostic, ...]]:
    """The inputs that some decoded JSON gives, checked and cut, and what is wrong with the others.

    Returns:
        The inputs that are usable, and one diagnostic for each that is not. The interpreter may be run only when there
        is none.
    """
    if not isinstance(data, Mapping):
        return {}, (Diagnostic("PC910", "the inputs are not a JSON object", None, pointer=""),)
    known = {declared.name: declared for declared in program.inputs}
    found = [_unknown(name, tuple(known)) for name in data if name not in known]
    inputs: dict[str, object] = {}
    for declared in program.inputs:
        if _missing(declared, data):
            found.append(_report(declared, "PC912", f"the input `{declared.name}` is missing", f"/{declared.name}"))
            continue
        try:
            inputs[declared.name] = check_input(program, declared, data)
        except InputError as error:
            message = f"the input `{error.where}` {_phrase(error.reason)}"
            found.append(_report(declared, "PC913", message, _pointer(error.where)))
    return inputs, tuple(found)


def _missing(declared: Input, data: Mapping[str, object]) -> bool:
    return declared.name not in data and not declared.has_default and not isinstance(declared.type, Optional)


def _unknown(name: object, known: Sequence[str]) -> Diagnostic:
    listed = ", ".join(f"`{one}`" for one in known) or "none"
    return Diagnostic(
        "PC911",
        f"`{name}` is not an input of this prompt",
        None,
        notes=(f"its inputs are: {listed}",),
        pointer="/" + str(name).replace("~", "~0").replace("/", "~1"),
    )


def _report(declared: Input, code: str, message: str, pointer: str) -> Diagnostic:
    label = Label(declared.span, f"declared as `{describe(declared.type)}` here")
    return Diagnostic(code, message, label, pointer=pointer)


def _phrase(reason: str) -> str:
    return f"is not usable: {reason}" if reason.startswith("expected") else reason


def _pointer(where: str) -> str:
    """`tools[3].name` as a JSON pointer."""
    return "/" + where.replace("~", "~0").replace("/", "~1").replace("[", "/").replace("]", "").replace(".", "/")
