"""A comparison as JSON in the published form `promptc.diff/1`."""

import json
from typing import Any

from promptc.report.attribution import Pair, attribution_as_json
from promptc.streams.result import Comparison


def diff_as_json(comparison: Comparison, attributed: Pair = (None, None)) -> dict[str, Any]:
    """The comparison as plain data, keys in the order of the published form.

    Args:
        attributed: What is known of both sides; without it there is nothing about it in the data.
    """
    data: dict[str, Any] = comparison.model_dump(mode="json")
    if attributed != (None, None):
        for shown, found in zip(data["findings"], comparison.findings, strict=True):
            shown["attributed_by"] = found.by
            shown["inserted"] = found.inserted
        data["attribution"] = attribution_as_json(attributed)
    return data


def diff_as_json_text(comparison: Comparison, attributed: Pair = (None, None)) -> str:
    """The same as text with a final newline; ASCII only, so that no capture controls a terminal through it."""
    return json.dumps(diff_as_json(comparison, attributed), indent=2, ensure_ascii=True) + "\n"
