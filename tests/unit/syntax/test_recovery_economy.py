"""One mistake, one finding: every token of sound modules is misspelt, dropped and doubled in turn."""

import re
from collections import Counter
from pathlib import Path

import pytest

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.parser import parse_module

CASES = Path(__file__).resolve().parents[2] / "golden" / "parse"
TOKEN = re.compile(r'"{3,}|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|[^\s\w]')


def findings(text: str) -> int:
    sink = Sink()
    module = parse_module(Source("a.promptc", text), sink)
    assert module.broken == bool(sink.sorted())
    return len(sink.sorted())


def misspelt(token: str) -> str:
    return token[1] + token[0] + token[2:] if len(token) > 2 and token[0].isalpha() else token


def mutated(text: str, kind: str) -> list[str]:
    changed = []
    for match in TOKEN.finditer(text):
        new = {"misspell": misspelt(match[0]), "drop": "", "junk": match[0] + " %"}[kind]
        if new != match[0]:
            changed.append(text[: match.start()] + new + text[match.end() :])
    return changed


@pytest.mark.parametrize("kind", ["misspell", "drop", "junk"])
@pytest.mark.parametrize("stem", ["declarations", "prompt"])
def test_one_damaged_token_is_one_finding(stem: str, kind: str) -> None:
    text = (CASES / f"{stem}.promptc").read_text()
    counts = Counter(findings(changed) for changed in mutated(text, kind))
    damaged = sum(count for number, count in counts.items() if number)
    assert damaged > 20
    # A dropped quote or brace can be two mistakes to any reader; more than a few such are a step back.
    assert counts[1] >= 0.95 * damaged, counts
    assert max(counts) <= 4, counts


@pytest.mark.parametrize("broken_off", ["section", "section new @static when", "include"])
def test_an_item_that_breaks_off_is_one_finding_however_many_follow(broken_off: str) -> None:
    following = "".join(f'      section part_{i} @static "Text {i}."\n' for i in range(30))
    text = f"prompt p {{\n  system {{\n    cache all {{\n      {broken_off}\n{following}    }}\n  }}\n}}\n"
    assert findings(text) == 1
