"""The table of codes: one module a block, collected here. Looking a code up by number or slug."""

import functools
from itertools import chain

from promptc.diagnostics.codes import Code
from promptc.diagnostics.registry.audits import AUDITS
from promptc.diagnostics.registry.built_files import BUILT_FILES
from promptc.diagnostics.registry.cache import CACHE
from promptc.diagnostics.registry.cache_plan import CACHE_PLAN
from promptc.diagnostics.registry.comparison import COMPARISON
from promptc.diagnostics.registry.conversation import CONVERSATION
from promptc.diagnostics.registry.editor import EDITOR
from promptc.diagnostics.registry.emission import EMISSION
from promptc.diagnostics.registry.gates import GATES
from promptc.diagnostics.registry.importing import IMPORTING
from promptc.diagnostics.registry.names import NAMES
from promptc.diagnostics.registry.project import PROJECT
from promptc.diagnostics.registry.recordings import RECORDINGS
from promptc.diagnostics.registry.request_shape import REQUEST_SHAPE
from promptc.diagnostics.registry.stability import STABILITY
from promptc.diagnostics.registry.syntax import SYNTAX
from promptc.diagnostics.registry.traffic import TRAFFIC
from promptc.diagnostics.registry.types import TYPES

ALL_CODES: tuple[Code, ...] = tuple(
    chain(
        PROJECT,
        SYNTAX,
        NAMES,
        TYPES,
        STABILITY,
        GATES,
        CACHE,
        CACHE_PLAN,
        REQUEST_SHAPE,
        CONVERSATION,
        COMPARISON,
        TRAFFIC,
        RECORDINGS,
        EDITOR,
        AUDITS,
        EMISSION,
        BUILT_FILES,
        IMPORTING,
    )
)


@functools.cache
def _index() -> dict[str, Code]:
    table: dict[str, Code] = {}
    for entry in ALL_CODES:
        for key in (entry.code, entry.slug):
            if key in table:
                raise ValueError(f"{key} is registered twice")
            table[key] = entry
    return table


def find_code(name: str) -> Code | None:
    """The entry of a code (`PC401`) or slug; None when there is none."""
    return _index().get(name if not name.upper().startswith("PC") else name.upper())


def lookup(code: str) -> Code:
    """The entry of a code that the caller knows to exist.

    Raises:
        KeyError: A pass reported a code that is not in the table.
    """
    return _index()[code]
