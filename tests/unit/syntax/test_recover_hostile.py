"""Hostile files: bounded time, bounded findings, never an exception."""

import threading
import time

import pytest

from promptc.assets import asset_dir
from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.nodes import Module
from promptc.syntax.outline import TOKEN
from promptc.syntax.parser import parse_module

HOSTILE = {
    "braces": "{" * 10_000,
    "closing braces": "}" * 10_000,
    "nested prompts": "prompt a {" * 5_000,
    "parentheses": "gate a = " + "(" * 10_000,
    "brackets": "gate a = " + "[" * 10_000 + "]" * 10_000,
    "nots": "gate a = " + "not " * 10_000 + "b",
    "types": "input a : " + "list[" * 5_000,
    "optionals": "input a : text" + "?" * 5_000,
    "quotes": '"' * 9_001,
    "unclosed texts": 'section a @static """\n' * 2_000,
    "apostrophes": "'" * 9_001,
    "one long word": "x" * 1_000_000,
    "one long line": "gate a = b " * 20_000,
    "NUL": "\x00" * 5_000,
    "separators": "\u2028" * 5_000,
    "tabs": "\t" * 100_000,
    "comments": "#" * 100_000 + "\n#\n" * 10_000,
    "backslashes": 'section a @static "' + "\\" * 50_001,
    "good then bad": "gate a = b\n" * 5_000 + "gat c = d\n",
    "numbers": "limit tokens(a) <= " + "9" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_bounded_time(name: str) -> None:
    sink = Sink()
    started = time.perf_counter()
    module = parse_module(Source("a.promptc", HOSTILE[name]), sink)
    assert time.perf_counter() - started < 20  # a guard against quadratic time, not a measurement
    assert len(sink.sorted()) <= 200
    assert module.broken == bool(sink.sorted())
    assert all(len(finding.message) < 500 for finding in sink.sorted())


def test_an_empty_file_is_an_empty_module() -> None:
    for text in ("", "\n\n", "# only a comment", "\t \n"):
        sink = Sink()
        module = parse_module(Source("a.promptc", text), sink)
        assert module.items == () and not module.broken and sink.sorted() == ()


def test_threads_do_not_share_a_parse() -> None:
    results: dict[int, Module] = {}

    def work(number: int) -> None:
        text = f"gate g{number} = a\n" * 50 + "gate bad ==\n"
        for _ in range(5):
            results[number] = parse_module(Source(f"{number}.promptc", text), Sink())

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, module in results.items():
        assert module.path == f"{number}.promptc"
        assert {item.span.path for item in module.items} == {module.path}
        assert len(module.items) == 50


def test_recovery_and_grammar_agree_on_what_a_text_is() -> None:
    grammar = (asset_dir("grammar") / "terminals.lark").read_text()
    for terminal in ("BLOCK.2", "STRING"):
        pattern = next(line for line in grammar.splitlines() if line.startswith(f"{terminal}: "))
        regex = pattern.split(": /", 1)[1].removesuffix("/").removeprefix('(?!""")')
        assert regex.replace("(?:", "(").replace(" ", "") in TOKEN.pattern.replace("(?:", "(").replace(" ", "")
