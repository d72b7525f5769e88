"""The lookback cache model against a second one, written from the vendor's words without keys, hashes or windows."""

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY, CacheBlock, CacheRequest
from promptc.providers.registry import provider

_EXAMPLES = 5000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 200
_FACTS = provider("anthropic")
_MINIMUM = 512
_SECONDS = {"5m": 300, "1h": 3600}


class Plain:
    """A cache that stores whole prefixes as lists of block names with an expiry."""

    def __init__(self) -> None:
        self.stored: list[tuple[list[str], int, float]] = []

    def send(self, blocks: list[tuple[str, str, int, str]], at: float) -> tuple[int, dict[str, int], int]:
        """Blocks are name, kind, tokens, lifetime asked for by a marker or an empty string."""
        names = [name for name, _, _, _ in blocks]
        sizes = [tokens for _, _, tokens, _ in blocks]
        marked = [i for i, block in enumerate(blocks) if block[3]]
        read = 0
        for i in reversed(marked):
            left = 20
            j = i
            while j >= 0 and not read:
                same_run = j < i and blocks[j][1] == blocks[j + 1][1] in ("tool_use", "tool_result")
                if not same_run:
                    left -= 1
                if left < 0:
                    break
                for k, (prefix, seconds, expires) in enumerate(self.stored):
                    if prefix == names[: j + 1] and at < expires:
                        read = sum(sizes[: j + 1])
                        self.stored[k] = (prefix, seconds, max(expires, at + seconds))
                j -= 1
            if read:
                break
        enough = [i for i in marked if sum(sizes[: i + 1]) >= _MINIMUM]
        long = max((sum(sizes[: i + 1]) for i in enough if blocks[i][3] == "1h"), default=0)
        last = max((sum(sizes[: i + 1]) for i in enough), default=0)
        b = max(read, long)
        c = max(b, last)
        for i in enough:
            seconds = _SECONDS[blocks[i][3]]
            known = [e for p, _, e in self.stored if p == names[: i + 1] and at < e]
            self.stored = [entry for entry in self.stored if entry[0] != names[: i + 1]]
            self.stored.append((names[: i + 1], seconds, max([at + seconds, *known])))
        return read, {"1h": b - read, "5m": c - b}, sum(sizes) - c


_kind = st.sampled_from(["text", "text", "tool_use", "tool_result"])
# Turns about as long as the lookback, so that its edge is met often.
_kinds = st.sampled_from([1, 2, 5, 18, 19, 20, 21, 24]).flatmap(
    lambda length: st.just(["text"] * length) | st.lists(_kind, min_size=length, max_size=length)
)
_turn = st.tuples(
    _kinds,
    st.just(set()) | st.sets(st.integers(0, 200), max_size=2),
    st.sampled_from([0.0, 10.0, 200.0, 299.0, 300.0, 4000.0]),
    st.integers(0, 3),
)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(turns=st.lists(_turn, min_size=1, max_size=6), size=st.sampled_from([40, 100, 600]))
def test_two_models_of_the_lookback_agree_on_every_session(
    turns: list[tuple[list[str], set[int], float, int]], size: int
) -> None:
    plain, state, at = Plain(), EMPTY, 0.0
    kept: list[tuple[str, str]] = []
    for number, (kinds, marks, gap, dropped) in enumerate(turns):
        at += gap
        kept = kept[: len(kept) - dropped] if dropped else kept
        kept = [*kept, *((f"{number}.{index}", kind) for index, kind in enumerate(kinds))]
        marked = sorted({mark % len(kept) for mark in marks} | {len(kept) - 1})
        # Longer lifetimes first, as the API demands.
        ttl = {mark: "1h" if index == 0 and len(marked) > 1 else "5m" for index, mark in enumerate(marked)}
        sent = [(name, kind, size, ttl.get(index, "")) for index, (name, kind) in enumerate(kept)]
        request = CacheRequest(
            tuple(
                CacheBlock(name.encode(), tokens, kind=kind, role="user", marked=bool(ask), ttl=ask or None)
                for name, kind, tokens, ask in sent
            ),
            "claude-opus-5",
            at=at,
        )
        found = step(request, state, _FACTS)
        state = found.state
        read, written, rest = plain.send(sent, at)
        assert found.certain.read == read
        assert dict(found.certain.written) == {name: tokens for name, tokens in written.items() if tokens}
        assert found.certain.input == rest
