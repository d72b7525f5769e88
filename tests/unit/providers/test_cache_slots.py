"""Caches of slots: which one answers, what is read from it, and what the shelf beside them gives back.

Every number here was first given by the engine: `tests/engine` holds the model to it.
"""

from datetime import date

import pytest

from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY, CacheBlock, CacheRequest, CacheState
from promptc.providers.model import Provider
from promptc.providers.overrides import load_overrides


def _server(slots: int, shelf: bool, unified: bool) -> Provider:
    features = {"slots": slots, "prompt_shelf": shelf, "unified_memory": unified}
    return load_overrides({"ours": {"extends": "llama-cpp", "features": features}}, date(2026, 12, 1)).provider("ours")


def _prompt(ids: list[int], at: int, model: str = "m") -> CacheRequest:
    content = b"".join(i.to_bytes(4, "big") for i in ids)
    return CacheRequest((CacheBlock(content, len(ids), token_ids=tuple(ids)),), model, at=float(at))


_A = list(range(100))
_A10 = [*range(10), *range(7000, 7090)]
_B = list(range(300, 600))
_A50 = [*range(50), *range(900, 920)]
_A40X = [*range(40), *range(2000, 2160)]
_A40Y = [*range(40), *range(3000, 3160)]
_SEQUENCE = [_A, _A10, _A, _B, _A, _A50, _A40X, _A40Y, _A50, _A]


@pytest.mark.parametrize(
    ("slots", "shelf", "unified", "reads"),
    [
        # One slot answers whatever it holds: 10 shared tokens of 100 are read, though that is no more than the share
        # that chooses a slot.
        (1, False, False, [0, 10, 10, 0, 0, 50, 40, 40, 40, 50]),
        # What loses more than half of its slot goes to the shelf, and comes back whole.
        (1, True, False, [0, 10, 99, 0, 99, 50, 40, 40, 40, 50]),
        # With four slots, the second prompt gets one of its own.
        (4, False, True, [0, 0, 99, 0, 99, 50, 40, 40, 40, 50]),
        # As the server starts by itself: slots that are idle are emptied onto the shelf.
        (4, True, True, [0, 0, 99, 0, 99, 50, 40, 40, 40, 50]),
        (2, False, False, [0, 0, 99, 0, 99, 50, 40, 40, 40, 50]),
        # Idle slots are copied to the shelf and keep what they hold.
        (4, True, False, [0, 0, 99, 0, 99, 50, 40, 40, 50, 50]),
    ],
)
def test_what_is_read_depends_on_how_the_server_was_started(
    slots: int, shelf: bool, unified: bool, reads: list[int]
) -> None:
    facts, state, found = _server(slots, shelf, unified), EMPTY, []
    for at, ids in enumerate(_SEQUENCE):
        outcome = step(_prompt(ids, at), state, facts)
        state = outcome.state
        found.append(outcome.best.read)
    assert found == reads


def test_the_answer_is_kept_but_for_its_last_token() -> None:
    facts = _server(1, False, False)
    answer = CacheBlock(b"answer", 10, role="assistant", token_ids=tuple(range(500, 510)))
    first = _prompt(_A, 0)
    state = step(CacheRequest(first.blocks, "m", output=(answer,)), EMPTY, facts).state
    second = CacheRequest((*first.blocks, answer, CacheBlock(b"more", 3)), "m", at=1.0)
    assert step(second, state, facts).best.read == 109


def test_a_model_has_slots_of_its_own() -> None:
    facts = _server(1, True, False)
    state: CacheState = step(_prompt(_A, 0), EMPTY, facts).state
    other = step(_prompt(_A, 1, "another"), state, facts)
    assert other.best.read == 0
    assert step(_prompt(_A, 2), other.state, facts).best.read == 99


def test_the_shelf_holds_no_prompt_that_another_one_contains() -> None:
    facts = _server(1, True, False)
    state = step(_prompt(_A50, 0), EMPTY, facts).state
    for at, ids in enumerate([_B, [*_A50, 1, 2, 3], _B[:200]], start=1):
        state = step(_prompt(ids, at), state, facts).state
    lengths = sorted(sum(block.tokens for block in record.blocks) for record in state.shelf)
    assert lengths == [73]
