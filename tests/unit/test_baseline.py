"""Baselines in the notation of refs."""

import pytest

from promptc.baseline import Ref, parse_ref
from promptc.diagnostics.sink import Sink


@pytest.mark.parametrize(
    ("text", "ref", "revision"),
    [
        ("last", Ref("last", "last"), ""),
        ("gen/agent.manifest.json", Ref("gen/agent.manifest.json", "gen/agent.manifest.json"), ""),
        (".git", Ref(".git", ".git", "ref", "HEAD"), "HEAD"),
        ("../.git#tag=v1.2", Ref("../.git#tag=v1.2", "../.git", "tag", "v1.2"), "refs/tags/v1.2"),
        (".git#branch=fix/a", Ref(".git#branch=fix/a", ".git", "branch", "fix/a"), "refs/heads/fix/a"),
        (".git#ref=HEAD~1", Ref(".git#ref=HEAD~1", ".git", "ref", "HEAD~1"), "HEAD~1"),
        (".git#commit=1a2b3c", Ref(".git#commit=1a2b3c", ".git", "commit", "1a2b3c"), "1a2b3c"),
        (".git#tag=v1,subdir=a/b", Ref(".git#tag=v1,subdir=a/b", ".git", "tag", "v1", "a/b"), "refs/tags/v1"),
        (".git#subdir=a,branch=b", Ref(".git#subdir=a,branch=b", ".git", "branch", "b", "a"), "refs/heads/b"),
        (".git#subdir=a", Ref(".git#subdir=a", ".git", "ref", "HEAD", "a"), "HEAD"),
    ],
)
def test_a_ref_is_read(text: str, ref: Ref, revision: str) -> None:
    sink = Sink()
    found = parse_ref(text, sink)
    assert found == ref and found.revision == revision and sink.sorted() == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#tag=v1",
        ".git#",
        ".git#tag",
        ".git#tag=",
        ".git#v1",
        ".git#tag=v1,branch=main",
        ".git#tag=v1,tag=v2",
        ".git#tag=v1,",
        ".git#ref=--output=x",
        ".git#ref=a b",
        ".git#tag=a\nb",
        ".git#commit=HEAD",
        ".git#tag=v1,subdir=/etc",
        ".git#tag=v1,subdir=a/../..",
    ],
)
def test_what_names_no_baseline_is_said_once(text: str) -> None:
    sink = Sink()
    assert parse_ref(text, sink) is None
    assert [d.code for d in sink.sorted()] == ["PC831"]
