"""promptc's predictions beside LiteLLM's on captured sessions and public cases; every difference is told in the docs."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from promptc.providers.registry import resolve
from support.checkout import ROOT
from support.litellm_peer import Body, ours, peer, theirs
from support.made_tables import hold, table
from support.shared import shared_folder

prediction = peer("litellm.llms.anthropic.prompt_cache_prediction")
litellm = peer("litellm")

_CAPTURES, _CASES = shared_folder("corpora/captures"), shared_folder("cases")
if _CAPTURES is None or _CASES is None:
    pytest.skip("captures and cases are not at hand (PROMPTC_SHARED)", allow_module_level=True)

_PAGE = ROOT / "docs" / "predictions.md"
_SHAPE = "unsupported_prompt_shape"
# Providers as LiteLLM's list of models names them.
_TARGETS = {
    "anthropic": "anthropic",
    "bedrock_converse": "bedrock-claude",
    "vertex_ai-anthropic_models": "vertex-claude",
    "vertex_ai-language-models": "gemini-implicit",
    "gemini": "gemini-implicit",
}
# Least tokens of a prefix that is cached: why the two lists differ.
_MINIMA = {
    "-latest": "promptc does not know which model the name stands for, and takes the value for unknown ones",
    "claude-mythos-preview": "the vendor's page gives this model a value of its own",
    "claude-opus-4-7": "the platform's page has another value than the vendor's",
}


def _sessions() -> Iterator[tuple[str, list[Body]]]:
    for path in sorted(Path(_CAPTURES or "").glob("*.json")):
        capture = json.loads(path.read_bytes())
        if isinstance(capture, dict) and capture.get("shape") == "anthropic-messages":
            yield "captures", [request["body"] for request in capture["requests"]]
    for folder in sorted(Path(_CASES or "").glob("0*")):
        if yaml.safe_load((folder / "case.yaml").read_text("utf-8"))["provider"] == "anthropic":
            yield "cases", [json.loads((folder / f"{name}.json").read_bytes()) for name in "ab"]


def _why(body: Body) -> str:
    """What in a body LiteLLM's plan has no form for."""
    text = json.dumps(body["messages"])
    tools = body.get("tools", [])
    if any(tool.get("type", "custom") != "custom" for tool in tools) or '"server_tool_use"' in text:
        return "tools of the vendor, or what they gave"
    if any(kind in text for kind in ('"type": "image"', '"type": "document"')):
        return "images or documents"
    if any(tool.keys() - {"name", "description", "input_schema", "type", "cache_control"} for tool in tools):
        return "keys of a tool such as `strict` or `defer_loading`"
    if '"caller"' in text or '"tool_reference"' in text:
        return "blocks of the tool search"
    if re.search(r'"text": " *"', text):
        return "a text of blanks"
    return ""


def test_on_captures_and_cases_the_two_differ_only_where_one_has_no_prediction(update: bool) -> None:
    alike: Counter[str] = Counter()
    differing: Counter[tuple[str, str]] = Counter()
    reads: Counter[tuple[str, str]] = Counter()
    unexplained = []
    for kind, bodies in _sessions():
        why = ""
        for index, (mine, other) in enumerate(zip(ours(bodies), theirs(prediction, bodies), strict=True)):
            # What one request cannot be planned for is not there for the next one to read.
            why = _why(bodies[index]) if other == _SHAPE else why
            if mine == other:
                alike[kind] += 1
                reads[kind, ""] += mine > 0
                continue
            if not why:
                unexplained.append((kind, index, mine, other))
            differing[kind, why] += 1
            reads[kind, why] += mine > 0
    assert unexplained == []
    assert (alike["captures"] > 30, alike["cases"] > 60) == (True, True)
    rows = [(kind, "the same blocks", "", alike[kind], reads[kind, ""]) for kind in ("captures", "cases")]
    rows += [(k, "no plan", why, n, reads[k, why]) for (k, why), n in sorted(differing.items(), reverse=True)]
    head = ("where", "LiteLLM", "why", "requests", "reads that promptc predicts")
    hold(_PAGE, "litellm sessions", table(head, rows), update)


def test_minimum_lengths_differ_only_where_it_is_explained(update: bool) -> None:
    same: Counter[str] = Counter()
    rows: dict[tuple[str, str], tuple[int, int, str | None]] = {}
    unexplained = []
    for name, known in sorted(litellm.model_cost.items()):
        minimum, target = known.get("prompt_cache_min_tokens"), _TARGETS.get(known.get("litellm_provider"))
        if minimum is None or target is None:
            continue
        model = name.rsplit("/", 1)[-1]
        fact = resolve(target, model).minimum_tokens(model)
        if fact is not None and fact.value == minimum:
            same[target] += 1
            continue
        why = next((why for part, why in _MINIMA.items() if part in model), None)
        if why is None:
            unexplained.append(name)
        # Regions and routes of one model have one value.
        label = f"`{model.rsplit('anthropic.', 1)[-1]}`"
        rows[label, f"`{target}`"] = (fact.value if fact else 0, int(minimum), why)
    assert unexplained == []
    assert sum(same.values()) > 150
    made = table(("model", "facts", "promptc", "LiteLLM", "why"), [(*key, *row) for key, row in rows.items()])
    hold(_PAGE, "litellm minima", made, update)
