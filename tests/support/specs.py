"""Compile specs from disk, with edits in memory, and render them by the interpreter and by the emitted assembler."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from promptc.diagnostics.model import Diagnostic
from promptc.emit.python import emit_python
from promptc.ir.interpret import assemble
from promptc.ir.interpret_json import compact
from promptc.pipeline import Compilation, compile_root
from promptc.project import Config, Project, Reader
from promptc.semantics.constants import constant
from promptc.source import Span
from support.emitted import load

CHECKOUT = Path(__file__).resolve().parents[2]
SPECS = CHECKOUT / "specs"


def compile_spec(path: str, edits: Mapping[str, str] | None = None) -> Compilation:
    """Compile a spec of the checkout.

    Args:
        path: Below `specs/`.
        edits: Texts that stand for files, by path below `specs/`.
    """
    return compile_root(path, Reader(Project(SPECS, Config()), dict(edits or {})))


def compile_text(text: str, files: Mapping[str, str] | None = None) -> Compilation:
    """Compile the text of one module, and of files beside it."""
    return compile_root("spec.promptc", Reader(Project(SPECS, Config()), {"spec.promptc": text, **(files or {})}))


def spec_text(path: str) -> str:
    """The text of a file below `specs/`."""
    return (SPECS / path).read_text(encoding="utf-8")


def codes(compilation: Compilation) -> list[str]:
    """The codes of all findings, in their order."""
    return [d.code for d in compilation.diagnostics]


def the_only(compilation: Compilation, code: str) -> Diagnostic:
    """The finding of a code; every finding of the compilation has this code, and there is one."""
    assert codes(compilation) == [code], [(d.code, d.message) for d in compilation.diagnostics]
    return compilation.diagnostics[0]


def text_at(compilation: Compilation, span: Span) -> str:
    """What stands at a span."""
    return compilation.sources.by_path[span.path].text[span.start : span.end]


@dataclass(frozen=True)
class Rendered:
    """One request, the same from the interpreter and from the emitted assembler.

    Attributes:
        request: The body, parsed.
        texts: Text of every section in it, by name.
        state: For the next request of the conversation.
    """

    body: bytes
    request: dict[str, Any]
    texts: dict[str, str]
    state: dict[str, object]

    @property
    def system(self) -> list[str]:
        """The texts of the system blocks."""
        return [block["text"] for block in self.request.get("system", [])]

    @property
    def markers(self) -> list[Any]:
        """The cache marker of every system block; None for a block without."""
        return [block.get("cache_control") for block in self.request.get("system", [])]

    def message(self, at: int) -> list[str]:
        """The texts of one message."""
        return [block["text"] for block in self.request["messages"][at]["content"]]


@dataclass
class Prompt:
    """A compiled prompt with its samples.

    Attributes:
        samples: Inputs and messages by name of the sample, only those of this prompt.
    """

    compilation: Compilation
    name: str
    samples: dict[str, tuple[dict[str, object], list[dict[str, Any]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        symbols = self.compilation.facts.symbols
        self.program = self.compilation.programs[self.name]
        known = {declared.name for declared in self.program.inputs}
        for name, sample in symbols.samples.items():
            if sample.prompt.name != self.name:
                continue
            given = {b.name.name: constant(b.value, symbols.input_types[b.name.name], symbols) for b in sample.bindings}
            messages: list[dict[str, Any]] = [{"role": m.role, "content": m.text.value} for m in sample.messages]
            self.samples[name] = ({k: v for k, v in given.items() if k in known}, messages)
        artifact = emit_python(self.program, lambda span: (1, span.start + 1))
        self.module = load(artifact.data)

    def render(
        self,
        sample: str,
        messages: Sequence[Mapping[str, Any]] | None = None,
        state: Mapping[str, object] | None = None,
        **changes: object,
    ) -> Rendered:
        """The request of a sample with some inputs changed.

        Args:
            messages: The conversation; the sample's own when None.
            changes: Inputs by name.
        """
        inputs, own = self.samples[sample]
        inputs = {**inputs, **changes}
        conversation = list(own if messages is None else messages)
        expected = assemble(self.program, inputs, conversation, state)
        stored = self.module.State() if state is None else self.module.State.from_json(compact(state))
        request = self.module.assemble(self.module.inputs_from_json(inputs), conversation, stored)
        assert request.body == expected.body
        assert request.state.to_json() == compact(expected.state)
        return Rendered(expected.body, json.loads(expected.body), dict(expected.texts), expected.state)
