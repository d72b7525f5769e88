"""llama.cpp's server beside promptc's model of it: the engine's own counts, turn by turn and on random prompts."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import pytest

from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY, CacheRequest
from promptc.providers.model import Provider
from promptc.providers.overrides import load_overrides
from promptc.providers.registry import provider
from promptc.providers.tokenizer_file import tokenizer_of
from support.checkout import ROOT
from support.engine_scenario import (
    Count,
    Sent,
    block_counter,
    conversation,
    random_prompts,
    single_tokens,
    texts,
    turn_of,
)
from support.engines import Engine, Reported, started, wanted
from support.made_tables import hold, table
from support.tiny_model import CONTEXT, make_tokenizer, write_gguf

if reason := wanted():
    pytest.skip(reason, allow_module_level=True)
for package in ("xllamacpp", "gguf", "tokenizers"):
    pytest.importorskip(package)

_PAGE = ROOT / "docs" / "engine.md"
_SHELF = 512  # MiB


class Server:
    """How a server is started: slots, whether it keeps prompts that lost theirs, whether slots share their memory."""

    def __init__(self, slots: int, shelf: bool, unified: bool) -> None:
        self.arguments = (slots, _SHELF if shelf else 0, int(unified))
        features = {"slots": slots, "prompt_shelf": shelf, "unified_memory": unified}
        known = load_overrides({"ours": {"extends": "llama-cpp", "features": features}}, date(2026, 12, 1))
        self.facts: Provider = known.provider("ours")


_BY_DEFAULT = Server(4, True, True)
_BARE = Server(1, False, False)
_SERVERS = {
    "as it starts by itself": _BY_DEFAULT,
    "one slot": _BARE,
    "one slot, shelf": Server(1, True, False),
    "two slots": Server(2, False, False),
    "three slots, shelf": Server(3, True, False),
    "four slots in one memory": Server(4, False, True),
}


@pytest.fixture(scope="module")
def tokenizer() -> bytes:
    return make_tokenizer(texts())


@pytest.fixture(scope="module")
def models(tokenizer: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    """Two models with the same tokenizer and other weights."""
    folder = tmp_path_factory.mktemp("models")
    paths = [folder / "one.gguf", folder / "two.gguf"]
    for seed, path in enumerate(paths):
        write_gguf(path, json.loads(tokenizer), seed)
    yield paths


@pytest.fixture(scope="module")
def count(tokenizer: bytes) -> Count:
    return block_counter(tokenizer)


def test_the_defaults_of_the_facts_are_those_of_the_server_that_was_measured() -> None:
    shipped = provider("llama-cpp")
    assert [shipped.feature(name) for name in ("slots", "prompt_shelf", "unified_memory")] == [4, True, True]


def test_the_tokenizer_counts_what_the_engine_counts(models: list[Path], tokenizer: bytes) -> None:
    """So counts with `--tokenizer` are exact."""
    ours = tokenizer_of(tokenizer, "tiny")
    samples = [*texts(), "naïve café — 東京\t\n\n  x = 12345;\r\n", "😀 it's", "<|block|> is text", " ", ""]
    with started("llama_child", models[0], *_BARE.arguments, CONTEXT) as engine:
        for text in samples[:-3]:
            assert engine.tokenize(text) == ours(text).ids


@pytest.mark.parametrize("name", _SERVERS)
def test_random_prompts_are_predicted_token_by_token(name: str, models: list[Path]) -> None:
    """Prompts that share any head with each other, with and without answers."""
    server = _SERVERS[name]
    state = EMPTY
    with started("llama_child", models[0], *server.arguments, CONTEXT) as engine:
        for at, (tokens, answer) in enumerate(random_prompts(name, 200)):
            said = engine.prompt(tokens, answer)
            request = CacheRequest(single_tokens(tokens), "m", at=float(at), output=single_tokens(said.tokens))
            outcome = step(request, state, server.facts)
            state = outcome.state
            assert (said.cached, said.computed) == (outcome.best.read, outcome.best.input), f"request {at}"


def test_twenty_turns_are_predicted_token_by_token(models: list[Path], count: Count, update: bool) -> None:
    columns = []
    for server in (_BY_DEFAULT, _BARE):
        sent = conversation(server.facts, count)
        columns.append((sent, _played(sent, server, models)))
    rows = []
    for (first, reported), (second, other) in zip(*(zip(*c, strict=True) for c in columns), strict=True):
        assert (first.tokens, first.played.events) == (second.tokens, second.played.events)
        counts = (first.played.best.read, reported.cached, second.played.best.read, other.cached)
        rows.append((turn_of(first), ", ".join(first.played.events), len(first.tokens), *counts))
    head = ("turn", "before it", "prompt", "predicted", "reported", "predicted, one slot", "reported, one slot")
    for sent, reported in columns:
        assert [s.played.best.read for s in sent] == [r.cached for r in reported]
        assert [s.played.best.input for s in sent] == [r.computed for r in reported]
    assert columns[0][0][-1].played.turn == 20
    hold(_PAGE, "llama.cpp", table(head, rows), update)


def _played(sent: list[Sent], server: Server, models: list[Path]) -> list[Reported]:
    """What the engine reports, with a server for every model."""
    with ExitStack() as stack:
        engines: dict[str, Engine] = {}
        reported = []
        for request in sent:
            name = request.played.model
            if name not in engines:
                path = models[len(engines)]
                engines[name] = stack.enter_context(started("llama_child", path, *server.arguments, CONTEXT))
            reported.append(engines[name].prompt(request.tokens))
        return reported
