"""Compare specs or built manifests, prompt by prompt and variant by variant."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from promptc.baseline import is_repository, parse_ref, read_baseline
from promptc.cli import exits
from promptc.cli.console import deliver, exit_code, show, stop
from promptc.cli.diff_views import view_of_prompt
from promptc.cli.files import read_file
from promptc.cli.loading import load, registry_here
from promptc.compare.prompts import VERDICTS, Compared, PromptDiff, compare_prompts, pair_prompts
from promptc.diagnostics.sink import Sink
from promptc.lowering.manifest import build_manifest
from promptc.project import SUFFIXES, find_project
from promptc.providers.registry import Registry
from promptc.report.diff_html import diff_html
from promptc.report.diff_json import diff_as_json
from promptc.report.diff_text import diff_as_text
from promptc.source import SourceSet
from promptc.streams.manifest import SUFFIX, read_manifest
from promptc.streams.manifest_model import Manifest

FORMAT = "promptc.diff-prompts/1"
_SHOWN_GROUPS = 8


def names_specs(path: Path) -> bool:
    """Whether a path names specs or manifests: a spec, a manifest, a folder of either, or a tree of a git repository."""
    return path.is_dir() or path.name.endswith((*SUFFIXES, SUFFIX)) or _names_tree(path)


def _names_tree(path: Path) -> bool:
    """Whether a path is written as a git ref, such as `.git#tag=v1`."""
    place, mark, options = str(path).partition("#")
    return bool(mark) and "=" in options and not path.exists() and is_repository(place)


def diff_specs(a: Path, b: Path, format: str, output: Path | None = None) -> int:
    """Compare and show; the exit code."""
    before, registry = _manifests(a, b)
    after, _ = _manifests(b, a)
    if not before or not after:
        stop("one side has no prompt, so nothing can be compared")
    pairs = pair_prompts(before, after)
    diffs = [compare_prompts(old, new, a.as_posix(), b.as_posix(), registry) for old, new in pairs.both]
    removed = [m.prompt for m in pairs.removed]
    added = [m.prompt for m in pairs.added]
    if format == "json":
        deliver(json.dumps(_as_json(diffs, added, removed), ensure_ascii=False, indent=2) + "\n", output)
    elif format == "html":
        deliver(diff_html([view_of_prompt(diff) for diff in diffs], added, removed), output)
    else:
        deliver(_as_text(diffs, added, removed) + "\n", output)
    diverges = any(d.whole.comparison.relation == "diverges" for d in diffs) or bool(removed)
    return exits.FINDINGS if diverges else exits.CLEAN


def _manifests(path: Path, other: Path) -> tuple[dict[str, Manifest], Registry]:
    """The manifests of one side by prompt, and what its project knows about providers."""
    if _names_tree(path):
        return _of_tree(path, other), registry_here()
    if path.name.endswith(SUFFIX):
        found = _read(path)
        return {found.prompt: found}, registry_here()
    if path.is_dir() and (built := sorted(path.glob(f"*{SUFFIX}"))):
        return {m.prompt: m for m in map(_read, built)}, registry_here()
    workspace = load([path])
    show(workspace.diagnostics, workspace.sources, "text")
    if exit_code(workspace.diagnostics):
        raise typer.Exit(exits.USAGE)
    made = {
        name: build_manifest(c.facts, c.plans[name], program, c.sources)
        for c in workspace.compilations
        for name, program in c.programs.items()
    }
    return made, workspace.registry


def _of_tree(path: Path, other: Path) -> dict[str, Manifest]:
    """The prompts of a git tree; of the places that the other side names, where it names some."""
    sink = Sink()
    places = [] if _names_tree(other) or other.name.endswith(SUFFIX) else [other]
    project = find_project(places[0] if places else Path.cwd(), sink)
    ref = parse_ref(str(path), sink)
    baseline = read_baseline(ref, project, places, sink) if ref is not None else None
    if baseline is None or sink.has_errors:
        show(sink.sorted(), SourceSet(), "text")
        raise typer.Exit(exits.USAGE)
    return baseline.manifests


def _read(path: Path) -> Manifest:
    manifest, found = read_manifest(read_file(path), path.name)
    if manifest is None:
        show(found, SourceSet(), "text")
        raise typer.Exit(exits.USAGE)
    return manifest


def _as_json(diffs: Sequence[PromptDiff], added: Sequence[str], removed: Sequence[str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "prompts": [
            {
                "prompt": d.name,
                "verdict": d.verdict,
                "diff": diff_as_json(d.whole.comparison),
                "variants": [
                    {
                        "when": v.condition,
                        "relation": v.comparison.relation,
                        "verdict": v.comparison.verdict,
                        "prefix": v.comparison.prefix.model_dump(mode="json"),
                        "breakpoints_surviving": list(v.comparison.breakpoints_surviving),
                        "breakpoints_lost": list(v.comparison.breakpoints_lost),
                    }
                    for v in d.variants
                ],
            }
            for d in diffs
        ],
        "added": list(added),
        "removed": list(removed),
    }


def _as_text(diffs: Sequence[PromptDiff], added: Sequence[str], removed: Sequence[str]) -> str:
    blocks: list[str] = []
    for diff in diffs:
        lines = [f"prompt {diff.name}: {diff.verdict}", "", diff_as_text(diff.whole.comparison).rstrip("\n")]
        if diff.variants:
            lines += ["", *_variant_lines(diff.variants)]
        blocks.append("\n".join(lines))
    blocks += [f"prompt {name}: added" for name in added]
    blocks += [f"prompt {name}: removed" for name in removed]
    return "\n\n".join(blocks)


def _variant_lines(variants: Sequence[Compared]) -> list[str]:
    # Variants that fare alike are one line; the worst come first, and JSON has them all.
    groups: dict[tuple[int, int, int], list[Compared]] = {}
    for variant in variants:
        amount = variant.comparison.prefix.bytes
        key = (-VERDICTS.index(variant.comparison.verdict), -amount.lost, amount.kept)
        groups.setdefault(key, []).append(variant)
    lines = [f"{len(variants)} variants:"]
    for (_, lost, kept), members in sorted(groups.items())[:_SHOWN_GROUPS]:
        verdict = members[0].comparison.verdict
        many = f" and {len(members) - 1} more" if len(members) > 1 else ""
        lines.append(f"  {verdict:<5}  {kept:>9,} bytes kept {-lost:>9,} lost  when {members[0].condition}{many}")
    if len(groups) > _SHOWN_GROUPS:
        rest = sum(len(m) for _, m in sorted(groups.items())[_SHOWN_GROUPS:])
        lines.append(f"  and {rest} more (`--format json` lists all)")
    return lines
