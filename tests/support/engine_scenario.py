"""A conversation with a shipped spec, played by promptc and by an engine: the same tokens, two counts."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from promptc.diagnostics.sink import Sink
from promptc.lowering.samples import samples_of
from promptc.providers.cache_model.lowered import request_of
from promptc.providers.cache_model.values import CacheBlock
from promptc.providers.model import Provider
from promptc.providers.registry import resolve
from promptc.providers.tokenizer_file import tokenizer_of
from promptc.providers.tokens import TokenCount
from promptc.report.simulation import Played
from promptc.runtime.request import Request
from promptc.runtime.state import State
from promptc.source import Source
from promptc.traffic.read_scenario import read_scenario
from promptc.traffic.run import Layout, Message, play, translated
from promptc.traffic.scenario import Scenario
from support.checkout import ROOT
from support.shipped import assemblers, compiled
from support.tiny_model import BLOCK

PROMPT = "coding_agent"
_SCENARIO = ROOT / "tests" / "engine" / "twenty_turns.scenario.yaml"
Count = Callable[[str], TokenCount]


@dataclass(frozen=True, slots=True)
class Sent:
    """One request of the conversation.

    Attributes:
        played: What promptc predicts.
        tokens: The prompt, as a chat template that begins every block with one token renders it.
    """

    played: Played
    tokens: tuple[int, ...]


def texts() -> list[str]:
    """The texts of the shipped spec, to make a tokenizer from."""
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / "specs" / "coding_agent").rglob("*.promptc"))]


def conversation(rules: Provider, count: Count) -> list[Sent]:
    """Every request, with what is predicted for it.

    Args:
        rules: Provider whose cache is predicted.
        count: Counts the tokens of a block, with those that the chat template adds, and says which they are.
    """
    bodies: list[bytes] = []
    compilation = compiled("coding_agent")
    program = compilation.programs[PROMPT]
    module = assemblers("coding_agent")[PROMPT]

    def assemble(inputs: Mapping[str, object], messages: Sequence[Message], state: State, model: str) -> Request:
        request: Request = module["assemble"](module["inputs_from_json"](dict(inputs)), list(messages), state)
        bodies.append(request.body)
        return request

    scenario = _read(_SCENARIO)
    sample = next(s for s in samples_of(compilation.facts, program) if s.name == scenario.sample)
    writer = partial(resolve, "anthropic")
    layout = Layout(program, assemble, sample.inputs, writer, lambda _: rules, count)
    played = play(scenario, layout)
    return [Sent(found, _tokens(body, rules, count)) for found, body in zip(played, bodies, strict=True)]


def _tokens(body: bytes, rules: Provider, count: Count) -> tuple[int, ...]:
    plain = json.loads(body)
    seen = translated(request_of(plain, resolve("anthropic", plain["model"]), count, renderer=rules), rules)
    return tuple(id for block in seen.blocks if not block.deferred for id in block.token_ids or ())


def _read(path: Path) -> Scenario:
    sink = Sink()
    scenario, _ = read_scenario(Source(path.name, path.read_text(encoding="utf-8")), sink)
    assert scenario is not None, sink.sorted()
    return scenario


def block_counter(tokenizer: bytes) -> Count:
    """Counts by a tokenizer, and one token that begins every block in our chat template."""
    plain = tokenizer_of(tokenizer, "tiny")
    block = json.loads(tokenizer)["model"]["vocab"][BLOCK]

    def counted(text: str) -> TokenCount:
        ids = (block, *(plain(text).ids or ()))
        return TokenCount(len(ids), plain("").method, True, ids=ids)

    return counted


def turn_of(sent: Sent) -> str:
    """Which request of which turn it is, in words."""
    step = sent.played.step
    return f"{sent.played.turn}{' fork' if sent.played.fork else f' results {step}' if step else ''}"


def random_prompts(seed: str, count: int) -> Iterator[tuple[list[int], int]]:
    """Prompts that share any head with one of those before them, and how many tokens the answer is to have."""
    rng = random.Random(seed)
    pool = [_random(rng, 150)]
    for _ in range(count):
        base = rng.choice(pool)
        fresh = base[: rng.randint(0, len(base))] + _random(rng, rng.choice([1, 5, 50, 200]))
        tokens = base if rng.random() < 0.3 else fresh
        pool = [*pool, tokens][-12:]
        yield tokens, rng.choice([0, 0, 4])


def _random(rng: random.Random, length: int) -> list[int]:
    return [rng.randrange(2, 900) for _ in range(length)]


def single_tokens(tokens: Sequence[int]) -> tuple[CacheBlock, ...]:
    """Every token as a block of its own."""
    return tuple(CacheBlock(str(id).encode(), 1, token_ids=(id,)) for id in tokens)
