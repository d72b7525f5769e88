"""Load emitted modules without writing them to disk."""

import sys
import types
from typing import Any

NAME = "emitted_assembler"


def load(code: bytes) -> Any:
    """Run the code of an assembler as a module of its own."""
    module = types.ModuleType(NAME)
    # Dataclasses look their module up by name.
    sys.modules[NAME] = module
    exec(compile(code, f"{NAME}.py", "exec"), module.__dict__)
    return module
