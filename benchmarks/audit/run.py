"""Throughput of an audit against bare decoding of the same log, and its memory at several sizes.

    python benchmarks/audit/run.py [--requests 6000] [--rounds 3] [--sizes 10000,100000,1000000] [--folder DIR]

The logs of the first part have requests of some 85 kB and some 190 kB; they are made up by `log.py`, the same way every
time. Bare decoding is a loop over lines with the fastest decoder of that study that makes every object, and with
the fastest that passes over what is not asked for. Memory is the peak of the process and of its child.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from log import requests

_BARE = """
import sys, time, msgspec
kind, path = sys.argv[1:]
class Usage(msgspec.Struct): input_tokens: int = 0
class Line(msgspec.Struct): usage: Usage | None = None
decode = msgspec.json.Decoder(Line if kind == "partial" else object).decode if kind == "partial" else msgspec.json.Decoder().decode
began = time.perf_counter()
with open(path, "rb", buffering=8 << 20) as file:
    for line in file: decode(line)
print(time.perf_counter() - began)
"""
_AUDIT = """
import json, resource, sys, time
from pathlib import Path
from promptc.audit.report import report_of
from promptc.audit.run import Audit, Options
from promptc.audit.store import Store
from promptc.cli.auditing import _few_collections
from promptc.providers.registry import BUILTIN
began = time.perf_counter()
with Store(None) as store, _few_collections():
    assert Audit(store, Options(jobs=int(sys.argv[2])), BUILTIN).run([Path(sys.argv[1])])
    report = report_of(store, False)
took = time.perf_counter() - began
peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // 1024
print(json.dumps([took, peak, report.requests, report.breaks]))
"""


def _run(code: str, *arguments: object) -> str:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ}).stdout


def _write(path: Path, count: int, **how: object) -> int:
    with path.open("wb") as file:
        for line in requests(count, **how):  # type: ignore[arg-type]
            file.write(line)
    return path.stat().st_size


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=8000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--folder", type=Path, default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "log.jsonl"
        for turns in (60, 150):
            _write(path, given.requests, turns=turns)
            _throughput(path, given.rounds)
        print("\n| requests | bytes | s | µs/request | peak RSS MB |\n|---:|---:|---:|---:|---:|")
        for count in map(int, given.sizes.split(",")):
            size = _write(path, count, small=True)
            took, peak, found, _ = json.loads(_run(_AUDIT, path, 1))
            assert found == count
            print(f"| {count:,} | {size:,} | {took:.1f} | {took / count * 1e6:.0f} | {peak} |", flush=True)


def _throughput(path: Path, rounds: int) -> None:
    size = path.stat().st_size
    best: dict[str, float] = {}
    ratios: list[float] = []
    for _ in range(rounds):
        # Alternating, so that a slow minute of the machine falls on all of them.
        bare = float(_run(_BARE, "whole", path))
        partial = float(_run(_BARE, "partial", path))
        two, peak, count, breaks = json.loads(_run(_AUDIT, path, 2))
        one = json.loads(_run(_AUDIT, path, 1))[0]
        ratios.append(bare / two)
        for name, took in (
            ("bare, every object", bare),
            ("bare, one member", partial),
            ("audit", two),
            ("audit, one process", one),
        ):
            best[name] = min(best.get(name, took), took)
    print(f"\n{count:,} requests, {size:,} bytes, {size // count:,} each, {breaks:,} breaks; peak RSS {peak} MB")
    print("\n| what | GB/s | × bare decoding |\n|---|---:|---:|")
    for name, took in best.items():
        print(f"| {name} | {size / took / 1e9:.2f} | {best['bare, every object'] / took:.2f} |")
    print(f"\naudit × bare by round: {', '.join(f'{ratio:.2f}' for ratio in ratios)}", flush=True)


if __name__ == "__main__":
    main()
