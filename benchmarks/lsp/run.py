"""How long the language server takes from a keystroke to its findings, beside one bare Lark parse of the same file.

`python benchmarks/lsp/run.py [--lines 5000] [--longest LINES] [--edits 500] [--yaml]`

A client types into a spec over stdio: words in a text, a whole section with its `when`, a gate, a body file; most of
these leave the spec broken for some keystrokes. Each keystroke is one notification, and is timed until the findings of
its version arrive. The next one is sent after that.
"""

import argparse
import asyncio
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lark import Lark
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

sys.path.insert(0, str(Path(__file__).parent.parent / "compile"))

from spec import spec_text

from promptc.assets import asset_dir
from promptc.diagnostics.sink import Sink
from promptc.pipeline import compile_root, parse_source
from promptc.prefix_sizes import size_findings
from promptc.project import Config, Project, Reader
from promptc.source import Source
from promptc.syntax.grammar import _NamesEverywhere
from promptc.syntax.parser import parse_module
from promptc.syntax.yaml_writer import write_yaml

Edit = tuple[int, int, str]
PATIENCE = 60
NEW = """      section typed_{n} @session when flag_0{d} and not flag_1{d} \"\"\"
        Words that somebody types for {{{{ value_0{d} }}}}.
        {{% if flag_02 %}}
        A second line, only sometimes.
        {{% endif %}}
        \"\"\"
"""


def spec_of(lines: int, longest: int) -> str:
    """A spec of about that many lines, with findings of its own as real ones have.

    Args:
        lines: How many lines at least.
        longest: Most lines of one text.
    """
    sections = 1
    while (text := thinned(spec_text(sections), longest)).count("\n") < lines:
        sections += max(1, (lines - text.count("\n")) // 12)
    return text


def thinned(text: str, longest: int) -> str:
    """A spec with only the first lines of each of its texts that hold no tags."""

    def cut(match: re.Match[str]) -> str:
        rows = match[1].splitlines(keepends=True)
        return match[0] if "{%" in match[1] else '"""\n' + "".join(rows[:longest]) + match[2]

    return re.sub(r'"""\n(.*?\n)([ ]*""")', cut, text, flags=re.DOTALL)


def keystrokes(text: str, count: int) -> Iterator[Edit]:
    """What is typed, one key at a time: offset, code points deleted, text inserted."""
    rng = random.Random(count)
    made = number = 0
    while made < count:
        number += 1
        heads = [i for i in range(len(text)) if text.startswith("      section part_", i)]
        at = rng.choice(heads)
        kind = number % 4
        if kind == 0:
            typed = NEW.format(n=number, d=rng.randrange(10))
        elif kind == 1:
            at = text.index("\n", at) + 9
            typed = "Now and then a sentence is written. "
        elif kind == 2:
            at = text.index("prompt large")
            typed = f"gate g_{number} = flag_00 and not flag_0{rng.randrange(1, 10)}\n"
        else:
            at = text.index("@", at)
            typed = f"when g_{number - 1} " if number > 2 else ""
        for key in typed:
            yield at, 0, key
            text = text[:at] + key + text[at:]
            at += 1
            made += 1
            if rng.random() < 0.05:
                yield at - 1, 1, ""
                yield at - 1, 0, key
                made += 2


def yaml_keystrokes(text: str, count: int) -> Iterator[Edit]:
    """Words that are typed into texts of a YAML spec."""
    rng = random.Random(count)
    made = 0
    while made < count:
        heads = [match.end() for match in re.finditer(r"text: \|\n +", text)]
        at = rng.choice(heads)
        for key in "Now and then a sentence is written. ":
            yield at, 0, key
            text = text[:at] + key + text[at:]
            at += 1
            made += 1


def position(text: str, offset: int) -> lsp.Position:
    """The position of an offset in a text of ASCII."""
    return lsp.Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


async def session(file: Path, text: str, edits: Iterator[Edit]) -> tuple[list[float], list[float]]:
    """Milliseconds of each keystroke, and those of the keystrokes that left a syntax error."""
    client = LanguageClient("benchmark", "1")
    arrived: dict[int | None, tuple[float, bool]] = {}
    news = asyncio.Event()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: lsp.PublishDiagnosticsParams) -> None:
        broken = any(str(d.code) < "PC200" for d in params.diagnostics)
        arrived[params.version] = (time.perf_counter(), broken)
        news.set()

    async def wait(version: int) -> tuple[float, bool]:
        while version not in arrived:
            news.clear()
            await asyncio.wait_for(news.wait(), PATIENCE)
        return arrived[version]

    uri = file.as_uri()
    await client.start_io(sys.executable, "-m", "promptc", "lsp")
    await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
    client.initialized(lsp.InitializedParams())
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "promptc", 1, text)))
    await wait(1)
    all_times: list[float] = []
    broken_times: list[float] = []
    version = 1
    for start, deleted, typed in edits:
        version += 1
        place = lsp.Range(position(text, start), position(text, start + deleted))
        change = lsp.TextDocumentContentChangePartial(range=place, text=typed)
        document = lsp.VersionedTextDocumentIdentifier(version=version, uri=uri)
        begin = time.perf_counter()
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
        end, broken = await wait(version)
        all_times.append((end - begin) * 1e3)
        if broken:
            broken_times.append((end - begin) * 1e3)
        text = text[:start] + typed + text[start + deleted :]
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return all_times, broken_times


def best(work: object, rounds: int = 5) -> float:
    """Milliseconds of the fastest of some calls."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()  # type: ignore[operator]
        times.append(time.perf_counter() - begin)
    return min(times) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--longest", type=int, default=1000, help="most lines of one text")
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--yaml", action="store_true", help="the YAML surface, which is read anew after each key")
    arguments = parser.parse_args()
    text = spec_of(arguments.lines, arguments.longest)
    name = "large.promptc"
    typed = keystrokes(text, arguments.edits)
    dsl = text
    if arguments.yaml:
        text = write_yaml(parse_module(Source(name, text), Sink()), None)
        name = "large.promptc.yaml"
        typed = yaml_keystrokes(text, arguments.edits)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        (folder / "promptc.toml").write_text("")
        (folder / name).write_text(text)
        times, broken = asyncio.run(session(folder / name, text, typed))
    bare = Lark.open(
        str(asset_dir("grammar") / "promptc.lark"),
        parser="lalr",
        start=["module"],
        maybe_placeholders=False,
        postlex=_NamesEverywhere(),
    )
    lark = best(lambda: bare.parse(dsl, start="module"))
    parse = best(lambda: parse_source(Source(name, text), Sink()))
    reader = {name: text}
    check = best(lambda: size_findings([compile_root(name, Reader(Project(Path("/nowhere"), Config()), reader))]))
    print(f"{text.count(chr(10)):,} lines, {len(text.encode()):,} bytes, {len(times)} keystrokes\n")
    print("| what | ms | × bare Lark |")
    print("|---|---:|---:|")
    rows = [
        ("bare Lark parse of the file, or of its DSL form (best)", lark),
        ("promptc parse of the file (best)", parse),
        ("promptc check of the file (best)", check),
    ]
    for label, found in (("keystroke to findings", times), ("the same, where the text is broken", broken)):
        if not found:
            continue
        found = sorted(found)
        rows.append((f"{label}: median", statistics.median(found)))
        rows.append((f"{label}: p95", found[int(len(found) * 0.95)]))
        rows.append((f"{label}: longest", found[-1]))
    for label, value in rows:
        print(f"| {label} | {value:,.1f} | {value / lark:.2f} |")


if __name__ == "__main__":
    main()
