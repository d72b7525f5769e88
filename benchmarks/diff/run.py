"""How long a comparison of two large bodies takes, beside one pass of memory and the fastest decoder of JSON.

`python benchmarks/diff/run.py [--megabytes 100] [--messages 500,100000] [--rounds 3]`; needs `orjson` and `msgspec`.

The limit is what no comparison that looks at values can go below: both bodies decoded by the faster of the two
decoders, which keep neither the spelling of numbers nor keys that stand twice, and one equality of the bytes.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import orjson

sys.path.insert(0, str(Path(__file__).parent))

from bodies import body

from promptc.compare.diff import compare_streams
from promptc.providers.registry import provider
from promptc.streams.read import read_pair
from promptc.streams.result import Comparison
from promptc.streams.rules import cache_rules


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call; the garbage collector is off, as it is in `promptc diff`."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds


def compared(a: bytes, b: bytes) -> Comparison:
    """All that `promptc diff a b` computes: every independent divergence, breakpoints, amounts, limits."""
    first, second, _ = read_pair((a, "a.json"), (b, "b.json"))
    assert first is not None and second is not None
    return compare_streams(first, second, cache_rules(provider("anthropic")))


def measure(name: str, a: bytes, b: bytes, places: int, rounds: int) -> None:
    """Measure one pair and print a line of the table."""
    found = compared(a, b)
    assert len(found.findings) == places, found.findings
    copy = bytes(bytearray(a))
    memory, decoding, own = [], [], []
    for _ in range(rounds):
        memory.append(timed(lambda: a == copy))
        decoders = (orjson.loads, msgspec.json.decode)
        decoding.append(sum(min(timed(lambda: d(data)) for d in decoders) for data in (a, b)))  # noqa: B023
        own.append(timed(lambda: compared(a, b)))
    limit = min(memory) + min(decoding)
    print(
        f"| {name} | {len(a) / 1e6:,.0f} | {min(memory):.3f} | {min(decoding):.2f} | {min(own):.2f} "
        f"| {min(own) / limit:.2f} |",
        flush=True,
    )


def main() -> None:
    """Measure every pair."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--messages", default="500,100000")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    size = int(options.megabytes * 1e6)
    print("| bodies | MB each | memory pass s | both decoded s | promptc s | × the limit |")
    print("|---|---:|---:|---:|---:|---:|")
    for count in map(int, options.messages.split(",")):
        a = body(size, count)
        for name, edits in (
            ("part at 99 %", (0.99,)),
            ("part at 70 % and 99 %", (0.7, 0.99)),
            ("part at 1 %", (0.01,)),
        ):
            measure(f"{count:,} messages, {name}", a, body(size, count, edits), len(edits), options.rounds)


if __name__ == "__main__":
    main()
