"""The runtime as source text, for modules that must stand alone."""

import ast
from functools import cache
from pathlib import Path

import promptc.runtime

# In an order in which everything is defined before it is used at import.
MODULES = (
    "errors",
    "escape",
    "json_text",
    "checks",
    "ops",
    "trust",
    "state",
    "request",
    "wire",
    "native",
    "messages",
    "tools",
    "conversation",
)
# What the formats need besides, and the formats themselves, of which a module carries one.
LOWERING = "lowered"
FORMATS = ("wire_bedrock_converse", "wire_gemini_generate", "wire_openai_chat", "wire_openai_responses")


@cache
def _tree(name: str) -> tuple[str, ast.Module]:
    text = (Path(promptc.runtime.__path__[0]) / f"{name}.py").read_text(encoding="utf-8")
    return text, ast.parse(text)


def _trees(format: str | None) -> list[tuple[str, ast.Module]]:
    return [_tree(name) for name in (*MODULES, *((LOWERING, format) if format is not None else ()))]


def runtime_imports(format: str | None) -> list[str]:
    """The import lines of the runtime, without those of its own modules.

    Args:
        format: Module of the request format; None for the one that needs none.
    """
    lines = set()
    for _, tree in _trees(format):
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("promptc"):
                lines |= {f"from {node.module} import {alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                lines |= {f"import {alias.name}" for alias in node.names}
    return sorted(lines)


def runtime_source(format: str | None) -> str:
    """The modules of the runtime in one text, without imports and module docstrings; see `runtime_imports`."""
    pieces = []
    for text, tree in _trees(format):
        lines = text.split("\n")
        dropped: set[int] = set()
        for at, node in enumerate(tree.body):
            docstring = at == 0 and isinstance(node, ast.Expr)
            if docstring or isinstance(node, ast.Import | ast.ImportFrom):
                dropped |= set(range(node.lineno - 1, node.end_lineno or node.lineno))
        pieces.append("\n".join(line for number, line in enumerate(lines) if number not in dropped).strip("\n"))
    return "\n\n\n".join(pieces)


@cache
def runtime_names() -> frozenset[str]:
    """Everything that the runtime defines at module level; an emitted module keeps clear of these names."""
    names: set[str] = set()
    for _, tree in [_tree(name) for name in (*MODULES, LOWERING, *FORMATS)]:
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)
