"""vLLM beside promptc's model of it: full blocks, never the whole prompt, turn by turn and on random prompts."""

import json
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import pytest

from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY, CacheRequest
from promptc.providers.overrides import load_overrides
from support.checkout import ROOT
from support.engine_scenario import block_counter, conversation, random_prompts, single_tokens, texts, turn_of
from support.engines import Engine, started, wanted
from support.made_tables import hold, table
from support.tiny_model import CONTEXT, make_tokenizer, write_config

if reason := wanted():
    pytest.skip(reason, allow_module_level=True)
for package in ("vllm", "tokenizers"):
    pytest.importorskip(package)

# The backend for processors takes multiples of 32 only.
_BLOCK = 32
_FACTS = load_overrides({"ours": {"extends": "vllm", "cache": {"granularity": _BLOCK}}}, date(2026, 12, 1)).provider(
    "ours"
)


@pytest.fixture(scope="module")
def tokenizer() -> bytes:
    return make_tokenizer(texts())


@pytest.fixture(scope="module")
def model(tokenizer: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model") / "tiny"
    write_config(folder, json.loads(tokenizer))
    return folder


def test_twenty_turns_and_random_prompts_are_predicted_token_by_token(
    model: Path, tokenizer: bytes, update: bool
) -> None:
    sent = conversation(_FACTS, block_counter(tokenizer))
    rows = []
    with ExitStack() as stack:
        engines: dict[str, Engine] = {}
        for request in sent:
            name = request.played.model
            if name not in engines:
                engines[name] = stack.enter_context(started("vllm_child", model, _BLOCK, CONTEXT))
            said = engines[name].prompt(request.tokens)
            events = ", ".join(request.played.events)
            rows.append((turn_of(request), events, len(request.tokens), request.played.best.read, said.cached))
        assert [row[3] for row in rows] == [row[4] for row in rows]
        _compare_random(next(iter(engines.values())))
    hold(
        ROOT / "docs" / "engine.md",
        "vllm",
        table(("turn", "before it", "prompt", "predicted", "reported"), rows),
        update,
    )


def _compare_random(engine: Engine) -> None:
    state = EMPTY
    # A first token that no other prompt has keeps these apart from the conversation.
    for at, (tokens, answer) in enumerate(random_prompts("vllm", 100)):
        alone = [1, *tokens]
        said = engine.prompt(alone, answer)
        request = CacheRequest(single_tokens(alone), "m", at=float(at), output=single_tokens(said.tokens))
        outcome = step(request, state, _FACTS)
        state = outcome.state
        assert said.cached == outcome.best.read, f"request {at}"
