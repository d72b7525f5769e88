"""Write a manifest as JSON that is compact and still diffs well: one element, fork or variant a line."""

import json
import re
from typing import Any

from promptc.artifact import Artifact
from promptc.emit.names import snake
from promptc.streams.manifest_model import Manifest
from promptc.unseen import FIND_UNSEEN


def emit_manifest(manifest: Manifest) -> Artifact:
    """The manifest as a file."""
    return Artifact(f"{snake(manifest.prompt)}.manifest.json", manifest_text(manifest).encode())


def manifest_text(manifest: Manifest) -> str:
    """The manifest as JSON with a final newline; keys in the order of the model, defaults left out."""
    plain: dict[str, Any] = manifest.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return _object(plain, "") + "\n"


def _object(members: dict[str, Any], indent: str) -> str:
    inner = indent + " "
    lines = [f"{inner}{json.dumps(key)}: {_member(key, value, inner)}" for key, value in members.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _member(key: str, value: Any, indent: str) -> str:
    if key in ("variants", "auto") and isinstance(value, dict):
        return _object(value, indent)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        rows = ",\n".join(f"{indent} {_line(item)}" for item in value)
        return f"[\n{rows}\n{indent}]"
    return _line(value)


def _line(value: Any) -> str:
    # Characters that end a line for some tools, or that turn text around, are escaped; letters stand for themselves.
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return FIND_UNSEEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]
