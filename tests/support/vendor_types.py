"""The vendors' own request types as strict validators: a member that they do not know is an error."""

from __future__ import annotations

import collections.abc
import types
from functools import cache
from typing import Any, NotRequired, Required, Union, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter
from typing_extensions import TypedDict, get_type_hints, is_typeddict

_PLAIN = (str, int, float, bool, type(None), object, dict)


def strict(kind: Any) -> TypeAdapter[Any]:
    """A validator of a TypedDict that refuses unknown members, in everything below it too."""
    return TypeAdapter(_converted(kind))


@cache
def _dict(kind: Any) -> Any:
    hints = get_type_hints(kind, include_extras=False)
    members = {
        name: (Required if name in kind.__required_keys__ else NotRequired)[_converted(hint)]
        for name, hint in hints.items()
    }
    made = TypedDict(kind.__name__, members)  # type: ignore[operator]
    made.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
    return made


def _converted(kind: Any, open_kinds: tuple[Any, ...] = ()) -> Any:
    # Iterables are validated when they are read; a list is validated at once. Streams and paths never come from JSON.
    if is_typeddict(kind):
        return _dict(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Required, NotRequired):
        return _converted(arguments[0])
    if origin in (Union, types.UnionType):
        kept = [_converted(one) for one in arguments if _from_json(one)]
        return Union[tuple(kept)]  # noqa: UP007
    if origin in (collections.abc.Iterable, collections.abc.Sequence, list):
        return list[_converted(arguments[0])]  # type: ignore[misc]
    return kind


def _from_json(kind: Any) -> bool:
    origin = get_origin(kind)
    if origin is not None:
        return getattr(origin, "__module__", "") not in ("os", "io", "typing")
    return is_typeddict(kind) or kind in _PLAIN or not isinstance(kind, type)
