"""How long a build takes, beside what bare Lark and Jinja2 need to parse the same text; all in one run.

`python benchmarks/compile/run.py [--sizes 100,1000,10000] [--rounds 3]`
"""

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import jinja2
from lark import Lark

sys.path.insert(0, str(Path(__file__).parent))

from spec import bodies, spec_text

from promptc.assets import asset_dir
from promptc.building import build
from promptc.diagnostics.sink import Sink
from promptc.pipeline import compile_root
from promptc.project import Config, Project, Reader
from promptc.source import Source
from promptc.syntax.grammar import _NamesEverywhere
from promptc.syntax.parser import parse_module


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call, collection of garbage before it and not in it."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds


def steps(text: str) -> dict[str, Callable[[], object]]:
    """What is measured, by name."""
    grammar = Lark.open(
        str(asset_dir("grammar") / "promptc.lark"),
        parser="lalr",
        start=["module"],
        maybe_placeholders=False,
        postlex=_NamesEverywhere(),
    )
    environment = jinja2.Environment()
    parts = bodies(text)
    project = Project(Path("/nowhere"), Config())

    def check() -> object:
        return compile_root("large.promptc", Reader(project, {"large.promptc": text}))

    def whole() -> object:
        compilation = compile_root("large.promptc", Reader(project, {"large.promptc": text}))
        assert not compilation.failed
        return build([compilation], {"large.promptc": text.encode()})

    return {
        "lark, bare tree": lambda: grammar.parse(text, start="module"),
        "jinja2, parse of bodies": lambda: [environment.parse(p) for p in parts],
        "promptc parse": lambda: parse_module(Source("large.promptc", text), Sink()),
        "promptc check": check,
        "promptc build": whole,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="100,1000")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print("| sections | bytes | what | ms | µs/section | × bare Lark + Jinja2 |")
    print("|---:|---:|---|---:|---:|---:|")
    for size in (int(s) for s in arguments.sizes.split(",")):
        text = spec_text(size)
        work = steps(text)
        times: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(arguments.rounds):
            for name, step in work.items():
                times[name].append(timed(step))
        best = {name: min(t) for name, t in times.items()}
        floor = best["lark, bare tree"] + best["jinja2, parse of bodies"]
        for name, seconds in best.items():
            ratio = statistics.median(
                t / (a + b)
                for t, a, b in zip(times[name], times["lark, bare tree"], times["jinja2, parse of bodies"], strict=True)
            )
            print(
                f"| {size:,} | {len(text.encode()):,} | {name} | {seconds * 1e3:,.1f} | {seconds / size * 1e6:,.1f} "
                f"| {ratio:.2f} (best {seconds / floor:.2f}) |"
            )


if __name__ == "__main__":
    main()
