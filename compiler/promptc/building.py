"""Everything that a build writes, as bytes: assemblers, manifests, schemas, vectors, the lock file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from promptc.artifact import Artifact
from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.emit import python
from promptc.emit import vectors as vectors_form
from promptc.emit.lock import Lock, emit_lock, make_lock
from promptc.emit.manifest_json import emit_manifest
from promptc.emit.names import snake
from promptc.emit.schema import input_schema
from promptc.emit.target import TARGETS, emit
from promptc.emit.vectors import Sample, vectors
from promptc.ir.interpret import bind
from promptc.ir.model import Program
from promptc.ir.wires.dialect import names_model
from promptc.ir.wires.registry import DIALECTS
from promptc.lowering.cost import MAX_STEPS, steps
from promptc.lowering.manifest import build_manifest
from promptc.lowering.samples import samples_of
from promptc.pipeline import Compilation
from promptc.runtime.errors import InputError
from promptc.streams import manifest_model
from promptc.streams.manifest_model import Manifest

# Version of every form that a build writes.
FORMATS = {"assembler": python.FORMAT, "manifest": manifest_model.FORMAT, "vectors": vectors_form.FORMAT}


@dataclass(frozen=True, slots=True)
class Build:
    """What a build makes.

    Attributes:
        artifacts: In order of their paths; empty when there is an error.
    """

    artifacts: tuple[Artifact, ...]
    diagnostics: tuple[Diagnostic, ...]


def build(
    compilations: Sequence[Compilation],
    raw: Mapping[str, bytes],
    standalone: bool = False,
    earlier: Lock | None = None,
) -> Build:
    """Build every prompt of some compilations without errors.

    Args:
        raw: Raw bytes of all sources, by project-relative path; what the lock file digests.
        standalone: Whether assemblers carry the runtime.
        earlier: The lock file on disk: breaks recorded in it are kept.
    """
    sink = Sink()
    artifacts: list[Artifact] = []
    manifests: list[tuple[str, Manifest, bytes]] = []
    owners: dict[str, str] = {}
    for compilation in compilations:
        for name, program in compilation.programs.items():
            if _claim(compilation, name, owners, sink):
                plan = compilation.plans[name]
                manifest = build_manifest(compilation.facts, plan, program, compilation.sources)
                written = emit_manifest(manifest)
                manifests.append((compilation.root, manifest, written.data))
                artifacts.append(written)
                artifacts.extend(_prompt(compilation, program, standalone, sink))
    if sink.has_errors:
        return Build((), sink.sorted())
    used = {path for c in compilations for path in c.sources.by_path}
    sources = {path: raw[path] for path in sorted(used) if path in raw}
    artifacts.append(emit_lock(make_lock(sources, manifests, FORMATS, earlier)))
    return Build(tuple(sorted(artifacts, key=lambda a: a.path)), sink.sorted())


def _claim(compilation: Compilation, name: str, owners: dict[str, str], sink: Sink) -> bool:
    owner = owners.setdefault(snake(name), compilation.root)
    if owner == compilation.root:
        return True
    decl = compilation.facts.symbols.prompts[name]
    sink.report(
        Diagnostic(
            "PC903",
            f"the prompt `{name}` of `{compilation.root}` would overwrite the files of the one in `{owner}`",
            Label(decl.name.span),
            help="rename one of them, or build them into different folders",
        )
    )
    return False


def _prompt(compilation: Compilation, program: Program, standalone: bool, sink: Sink) -> list[Artifact]:
    stem = snake(program.name)
    out = [Artifact(f"{stem}.schema.json", input_schema(program))]
    for target in TARGETS:
        module, found = emit(target, program, compilation.sources, standalone)
        sink.extend(found)
        if module is not None:
            out.append(module)
    if program.wire in DIALECTS:
        out.extend(_vectors(compilation, program, sink))
    return out


def _vectors(compilation: Compilation, program: Program, sink: Sink) -> list[Artifact]:
    samples: list[Sample] = []
    for values in samples_of(compilation.facts, program):
        at = Label(compilation.facts.symbols.samples[values.name].name.span)
        bound = steps(program, values.inputs)
        if bound > MAX_STEPS:
            sink.report(
                Diagnostic(
                    "PC324",
                    f"rendering sample `{values.name}` could take {bound:,} steps",
                    at,
                    notes=(f"the limit is {MAX_STEPS:,}: nested loops multiply the longest list of the sample",),
                    help="shorten the lists of the sample, or flatten the loops",
                )
            )
            return []
        model = "unnamed" if names_model(program) else None
        sample = Sample(values.name, values.inputs, (values.messages,), model)
        fault = _misfit(program, sample)
        if fault is not None:
            sink.report(Diagnostic("PC310", f"sample `{values.name}` does not fit: {fault}", at))
            return []
        samples.append(sample)
    return [Artifact(f"{snake(program.name)}.vectors.json", vectors(program, samples))]


def _misfit(program: Program, sample: Sample) -> str | None:
    try:
        bind(program, sample.inputs)
    except InputError as fault:
        return str(fault)
    return None
