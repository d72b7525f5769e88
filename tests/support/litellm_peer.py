"""LiteLLM's prediction of cache reads, as a peer of promptc's; skips the module that asks for it where it is absent."""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest

from promptc.providers.cache_model.lowered import request_of
from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY
from promptc.providers.registry import resolve
from promptc.providers.tokens import TokenCount

Body = dict[str, Any]
# Tokens of every block, above every minimum of any model.
_SIZE = 10_000


def peer(module: str) -> Any:
    """A module of LiteLLM; skips the one that asks where it is not installed."""
    # On import it would fetch its list of models.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    pytest.importorskip("litellm", reason="litellm is not installed; `make test-peers`")
    return import_module(module)


def _count(_: str) -> TokenCount:
    return TokenCount(_SIZE, "given", True)


def ours(bodies: Sequence[Body]) -> list[int]:
    """Blocks read by each request of a session."""
    state, read = EMPTY, []
    for body in bodies:
        facts = resolve("anthropic", body.get("model"))
        found = step(request_of(body, facts, _count), state, facts)
        state = found.state
        read.append(0 if found.hit is None else found.hit + 1)
    return read


def theirs(prediction: Any, bodies: Sequence[Body]) -> list[int | str]:
    """The same by LiteLLM's plan, or the reason why it has none.

    Read is the longest earlier entry among the fingerprints that a breakpoint looks back to; every model has a store of
    its own, as its `cache_scope` has it.
    """
    stores: dict[str, dict[str, int]] = {}
    read: list[int | str] = []
    for body in bodies:
        plan = prediction.parse_cache_plan(body)
        if not isinstance(plan, prediction.PromptCachePlan):
            read.append(str(plan.reason))
            continue
        stored = stores.setdefault(str(body.get("model")), {})
        ends = [_blocks(point.prefix_body) for point in plan.breakpoints]
        seen = [stored[mark] for point in plan.breakpoints for mark in point.lookback_fingerprints if mark in stored]
        read.append(max(seen, default=0))
        for point, end in zip(plan.breakpoints, ends, strict=True):
            stored[point.fingerprint] = end
    return read


def _blocks(body: Any) -> int:
    spoken = sum(1 if isinstance(m["content"], str) else len(m["content"]) for m in body["messages"])
    system = body.get("system", ())
    return len(body.get("tools", ())) + (1 if isinstance(system, str) else len(system)) + spoken
