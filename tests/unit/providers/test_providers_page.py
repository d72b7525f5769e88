"""The page on providers lists every provider with the cache model that its facts name."""

import json
import re
from pathlib import Path

from promptc.diagnostics.sink import Sink
from promptc.provider_file import read_provider_file
from promptc.providers.checks.run import check_document
from promptc.providers.model import Certainty
from promptc.providers.registry import provider, provider_ids
from promptc.source import Source

_PAGE = (Path(__file__).resolve().parents[3] / "docs" / "PROVIDERS.md").read_text(encoding="utf-8")


def test_every_provider_is_listed_with_its_cache_model() -> None:
    rows = re.findall(r"^\| (`[\w.-]+`(?:, `[\w.-]+`)*) \| `([\w-]+)` \|", _PAGE, re.M)
    listed = {id: kind for ids, kind in rows for id in re.findall(r"`([\w.-]+)`", ids)}
    assert listed == {id: provider(id).cache.kind for id in provider_ids()}


def test_every_certainty_is_explained() -> None:
    assert re.findall(r"^\| `(\w+)` \| ", _PAGE.partition("## How sure")[2].partition("## Facts")[0], re.M) == list(
        Certainty
    )


def test_the_envelope_of_the_page_is_clean() -> None:
    fence = re.search(r"```json\n(.*?)```", _PAGE, re.S)
    assert fence is not None
    assert check_document(json.loads(fence[1]), provider("anthropic")) == ()


def test_the_overrides_of_the_page_fit() -> None:
    fence = re.search(r"```yaml\n(.*?)```", _PAGE, re.S)
    assert fence is not None
    sink = Sink()
    registry = read_provider_file(Source("providers.yaml", fence[1]), sink)
    assert sink.sorted() == ()
    marker = registry.provider("gateway").marker
    assert marker is not None and (marker.limit.value, marker.limit.dated) == (2, "2026-11-02")
