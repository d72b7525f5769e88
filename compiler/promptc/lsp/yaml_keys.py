"""The keys that may stand at a place of the YAML surface, told by its models."""

import re
from collections.abc import Iterator
from typing import Any, ForwardRef, get_args

from pydantic import BaseModel

_KEY = re.compile(r"([ ]*)((?:-[ ]+)*)([\w.-]+):")


def yaml_keys(before: str, line: str) -> list[str]:
    """Keys for a line that begins with what is written of it.

    Args:
        before: The text up to the cursor.
        line: The last line of it.
    """
    from promptc.syntax.yaml_models import Surface

    indent = len(line) - len(line.lstrip(" -"))
    shapes: list[Any] = [Surface]
    for key in _keys_around(before[: len(before) - len(line)], indent):
        shapes = [inner for shape in shapes for inner in _inside(shape, key)]
    return list(dict.fromkeys(name for shape in shapes for model in _models(shape) for name in _names(model)))


def _keys_around(text: str, indent: int) -> list[str]:
    """The keys that hold a line of an indentation, outermost first."""
    found: list[str] = []
    for line in reversed(text.split("\n")):
        match = _KEY.match(line)
        if match is None:
            continue
        column = len(match[1]) + len(match[2])
        if column < indent:
            found.insert(0, match[3])
            indent = len(match[1])
        if indent == 0:
            break
    return found


def _inside(shape: Any, key: str) -> Iterator[Any]:
    """What stands behind a key of a shape."""
    for model in _models(shape):
        for name, field in model.model_fields.items():
            if (field.alias or name) == key:
                yield field.annotation
    for held in _dictionaries(shape):
        yield get_args(held)[1]


def _models(shape: Any) -> Iterator[type[BaseModel]]:
    """The models of a shape that is one of them, or a list of them."""
    shape = _known(shape)
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        yield shape
    elif getattr(shape, "__origin__", None) is not dict:
        for part in get_args(shape):
            yield from _models(part)


def _known(shape: Any) -> Any:
    """What a name of the models' own module stands for."""
    from promptc.syntax import yaml_prompt_models

    name = shape.__forward_arg__ if isinstance(shape, ForwardRef) else shape
    return getattr(yaml_prompt_models, name, shape) if isinstance(name, str) else shape


def _dictionaries(shape: Any) -> Iterator[Any]:
    if getattr(shape, "__origin__", None) is dict:
        yield shape
    else:
        for part in get_args(shape):
            yield from _dictionaries(part)


def _names(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield field.alias or name
