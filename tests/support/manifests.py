"""Manifests of small specs, and inputs that lead to their variants."""

from collections.abc import Mapping
from pathlib import Path

from promptc.lowering.manifest import build_manifest
from promptc.streams.manifest_model import Manifest, ManifestVariant
from support.specs import compile_text

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "manifest"


def manifest_of(text: str, prompt: str | None = None) -> Manifest:
    """The manifest of the only prompt of a module, or of the named one."""
    compilation = compile_text(text)
    assert not compilation.failed, [(d.code, d.message) for d in compilation.diagnostics]
    name = prompt or next(iter(compilation.programs))
    return build_manifest(compilation.facts, compilation.plans[name], compilation.programs[name], compilation.sources)


def inputs_of(manifest: Manifest, variant: ManifestVariant, others: Mapping[str, object]) -> dict[str, object]:
    """Inputs that lead to a variant.

    Args:
        others: A value per input for when the variant does not care, or asks for any that the spec does not name.
    """
    out: dict[str, object] = {}
    for declared in manifest.inputs:
        value = variant.example.get(declared.name, others[declared.name])
        out[declared.name] = others[declared.name] if isinstance(value, dict) else list(value) if value == () else value
    return out
