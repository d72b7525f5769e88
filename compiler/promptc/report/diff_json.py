"""A comparison as JSON in the published form `promptc.diff/1`."""

import json
from typing import Any

from promptc.streams.result import Comparison


def diff_as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain data, keys in the order of the published form."""
    return comparison.model_dump(mode="json")


def diff_as_json_text(comparison: Comparison) -> str:
    """The same as text with a final newline; ASCII only, so that no capture controls a terminal through it."""
    return json.dumps(diff_as_json(comparison), indent=2, ensure_ascii=True) + "\n"
