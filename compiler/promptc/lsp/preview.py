"""`promptc.preview`: the request of a sample, section by section, and where it parts from an earlier build."""

from collections.abc import Mapping
from typing import Any

from promptc.baseline import parse_ref, read_baseline
from promptc.compare.prompts import compare_prompts
from promptc.diagnostics.sink import Sink
from promptc.emit.python import emit_python
from promptc.lowering.cost import MAX_STEPS, steps
from promptc.lowering.manifest import build_manifest
from promptc.lowering.samples import samples_of
from promptc.lsp.costs import costs_of
from promptc.lsp.session import ProjectView
from promptc.pipeline import Compilation, compile_root
from promptc.project import Reader
from promptc.providers.tokens import estimate_tokens
from promptc.report.diff_json import diff_as_json
from promptc.report.preview import stretches_of
from promptc.runtime.errors import InputError
from promptc.source import Span

FORMAT = "promptc.lsp-preview/1"


class PreviewError(Exception):
    """There is nothing to show; the text says why."""


def preview(
    view: ProjectView, path: str, prompt: str | None, sample: str | None, against: str | None
) -> dict[str, Any]:
    """The preview of a prompt of a file.

    Args:
        prompt: Its name; the first one of the file when left out.
        sample: Name of a sample; the first one of the prompt when left out.
        against: A baseline as `promptc breaking --against` takes it; nothing is compared when left out.

    Raises:
        PreviewError: The spec has errors, has no such prompt or sample, or the baseline cannot be read.
    """
    compilation, name = _chosen(view, path, prompt)
    program = compilation.programs[name]
    samples = {s.name: s for s in samples_of(compilation.facts, program)}
    if not samples:
        raise PreviewError(f"`{name}` has no sample; declare one: `sample NAME for {name} {{ ... }}`")
    if sample is not None and sample not in samples:
        raise PreviewError(f"`{name}` has no sample `{sample}`; there are: {', '.join(samples)}")
    chosen = samples[sample] if sample is not None else next(iter(samples.values()))
    if steps(program, chosen.inputs) > MAX_STEPS:
        raise PreviewError("rendering this sample would take too long")
    body, ranges = _rendered(compilation, name, chosen.inputs, list(chosen.messages))
    places = {
        cost.element.name: cost
        for costs in costs_of(compilation)
        if costs.plan.layout.prompt.name.name == name
        for cost in costs.elements
    }
    sections = []
    for stretch in stretches_of(body, ranges):
        cost = places.get(stretch.what) if stretch.kind == "section" else None
        sections.append(
            {
                "section": stretch.what if stretch.kind == "section" else None,
                "kind": stretch.kind,
                "class": cost.element.cls if cost is not None else None,
                "text": stretch.text,
                "start": stretch.start,
                "end": stretch.end,
                "breakpoint": cost.breakpoint if cost is not None else None,
                "marker": stretch.marker,
                "tokens": estimate_tokens(stretch.text).value,
                "place": stretch.place or None,
            }
        )
    return {
        "format": FORMAT,
        "prompt": name,
        "sample": chosen.name,
        "samples": list(samples),
        "bytes": len(body),
        "sections": sections,
        "divergence": _divergence(view, compilation, name, against) if against is not None else None,
    }


def _chosen(view: ProjectView, path: str, prompt: str | None) -> tuple[Compilation, str]:
    """The compilation that has the prompt, made anew with everything that is needed to run it."""
    for known in view.compilations(path):
        names = list(known.facts.layouts)
        if prompt is not None and prompt not in names:
            continue
        overlay = {name: view.text(name) for name in view.project.documents}
        reader = Reader(view.project.project, overlay)
        compilation = compile_root(known.root, reader, known.registry)
        if compilation.failed:
            raise PreviewError("the spec has errors; a preview shows a request, and there is none")
        if compilation.programs:
            return compilation, prompt if prompt is not None else next(iter(compilation.programs))
    raise PreviewError("there is no prompt here" if prompt is None else f"there is no prompt `{prompt}`")


def _rendered(
    compilation: Compilation, prompt: str, inputs: Mapping[str, object], messages: list[Any]
) -> tuple[bytes, Any]:
    def locate(span: Span) -> tuple[int, int]:
        source = compilation.sources.get(span.path)
        line, column = source.line_column(span.start) if source is not None else (0, 0)
        return line + 1, column + 1

    program = compilation.programs[prompt]
    # Dataclasses look up the module of a class by its name.
    module: dict[str, Any] = {"__name__": __name__}
    code = emit_python(program, locate)
    exec(compile(code.data, code.path, "exec"), module)
    try:
        extra = {} if program.model is not None else {"model": "unnamed"}
        request = module["assemble"](module["inputs_from_json"](dict(inputs)), messages, module["State"](), **extra)
    except InputError as fault:
        raise PreviewError(f"the sample does not fit: {fault}") from fault
    return request.body, request.prefix_map()


def _divergence(view: ProjectView, compilation: Compilation, prompt: str, against: str) -> dict[str, Any] | None:
    """How the prompt differs from that of a baseline; None where the baseline does not have it."""
    sink = Sink()
    ref = parse_ref(against, sink)
    if ref is not None and ref.place == ".git":
        ref = parse_ref(against.replace(".git", str(view.project.project.root / ".git"), 1), sink)
    baseline = read_baseline(ref, view.project.project, (), sink) if ref is not None else None
    if baseline is None:
        raise PreviewError("; ".join(d.message for d in sink.sorted()) or f"`{against}` cannot be read")
    old = baseline.manifests.get(prompt)
    if old is None:
        return None
    new = build_manifest(
        compilation.facts, compilation.plans[prompt], compilation.programs[prompt], compilation.sources
    )
    found = compare_prompts(old, new, against, "now", compilation.registry)
    return {"verdict": found.verdict, "diff": diff_as_json(found.whole.comparison)}
