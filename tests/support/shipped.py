"""The shipped specs, compiled, and what their assemblers give for their samples."""

from functools import cache
from pathlib import Path
from typing import Any

from promptc.emit.python import emit_python
from promptc.emit.target import locator
from promptc.lowering.samples import samples_of
from promptc.pipeline import Compilation, compile_root
from promptc.project import Config, Project, Reader
from support.checkout import ROOT


@cache
def compiled(spec: str) -> Compilation:
    """The compilation of the root module of `specs/<spec>`."""
    folder = ROOT / "specs" / spec
    (root,) = [p for p in sorted(folder.iterdir()) if p.name in ("agent.promptc", f"{spec}.promptc.yaml")]
    project = Project(ROOT, Config())
    return compile_root(root.relative_to(ROOT).as_posix(), Reader(project))


@cache
def assemblers(spec: str) -> dict[str, dict[str, Any]]:
    """The emitted assembler of every prompt of a spec, executed."""
    compilation = compiled(spec)
    out: dict[str, dict[str, Any]] = {}
    for name, program in compilation.programs.items():
        module: dict[str, Any] = {"__name__": name}
        artifact = emit_python(program, locator(compilation.sources))
        exec(compile(artifact.data, artifact.path, "exec"), module)
        out[name] = module
    return out


@cache
def bodies_of(spec: str) -> list[tuple[str, bytes]]:
    """Name and request bytes of every sample of a spec."""
    compilation = compiled(spec)
    out: list[tuple[str, bytes]] = []
    for name, module in assemblers(spec).items():
        for sample in samples_of(compilation.facts, compilation.programs[name]):
            inputs = module["inputs_from_json"](sample.inputs)
            out.append((sample.name, module["assemble"](inputs, list(sample.messages)).body))
    return out


def spec_folder(spec: str) -> Path:
    """Folder of a shipped spec."""
    return ROOT / "specs" / spec
