"""The fences of the language reference: what each promises, and what it really gives.

Info strings:

    promptc ok | promptc error=PCnnn    a complete module: clean, or with exactly that finding
    yaml ok | yaml error=PCnnn          the same in the other surface
    yaml ok same-as=previous            ... and the same program as the module before
    promptc fragment=KIND               part of a module, parsed inside the wrapper of its kind
    promptc file=PATH, text file=PATH   a file beside the modules of its section
    text output-of=previous             the requests of the samples of the module before, in order
    jinja differs | jinja same          a body, and what Jinja2 and promptc make of it
    jinja renders                       a body, and what promptc makes of it
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.sink import Sink, severity_of
from promptc.ir.interpret import assemble
from promptc.lowering.samples import samples_of
from promptc.pipeline import Compilation, compile_root
from promptc.source import Source, TextMap
from promptc.syntax.canonical import canonical
from promptc.syntax.dump import dump
from promptc.syntax.parser import parse_expression, parse_module, parse_type
from promptc.syntax.strings import escape
from support.code_pages import Fence, Files, fences

FRAGMENTS: dict[str, str] = {
    "declarations": "{}",
    "prompt": "prompt p {{ {} }}",
    "tools": "prompt p {{ tools {{ {} }} }}",
    "system": "prompt p {{ system {{ {} }} }}",
    "tail": "prompt p {{ tail {{ {} }} }}",
    "conversation": "prompt p {{ conversation {{ {} }} }}",
}
"""What is put around a fragment before it is parsed; expressions and types are parsed line by line instead."""

_ROOTS = {"promptc": "spec.promptc", "yaml": "spec.promptc.yaml"}


@dataclass(frozen=True)
class Block:
    """One fence with what stands around it.

    Attributes:
        previous: The module before it in its section.
        files: Files of its section by path.
    """

    page: Path
    fence: Fence
    previous: Fence | None
    files: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.page.stem}:{self.fence.line}"


def blocks(page: Path) -> tuple[Block, ...]:
    """All fences of a page but the files, which others use."""
    found = tuple(fences(page.read_text(encoding="utf-8")))
    out: list[Block] = []
    previous: Fence | None = None
    for fence in found:
        if fence.value("file") is not None:
            continue
        if previous is not None and previous.section != fence.section:
            previous = None
        files = {f.value("file") or "": f.text for f in found if f.section == fence.section and f.value("file")}
        out.append(Block(page, fence, previous, files))
        if fence.language in _ROOTS and "ok" in fence.words:
            previous = fence
    return tuple(out)


def kind_of(block: Block) -> str | None:
    """What a fence promises; None for an info string that promises nothing that is known."""
    fence = block.fence
    match fence.language, fence.words:
        case (("promptc" | "yaml"), ("ok",)):
            return "ok"
        case "yaml", ("ok", "same-as=previous") if block.previous is not None:
            return "same"
        case (("promptc" | "yaml"), (one,)) if one.startswith("error=PC"):
            return "error"
        case "promptc", (one,) if one.removeprefix("fragment=") in (*FRAGMENTS, "expressions", "types"):
            return "fragment"
        case "text", ("output-of=previous",) if block.previous is not None:
            return "output"
        case "jinja", (("differs" | "same" | "renders"),):
            return "jinja"
        case _:
            return None


def compiled(fence: Fence, files: Mapping[str, str]) -> Compilation:
    """The module of a fence."""
    root = _ROOTS[fence.language]
    return compile_root(root, Files({**files, root: fence.text}))


def findings(fence: Fence, files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Errors and warnings of the module of a fence, and the hint that it promises."""
    wanted = fence.value("error")
    found = compiled(fence, files).diagnostics
    return tuple(d for d in found if severity_of(d) is not Severity.HINT or d.code == wanted)


def fragment_findings(fence: Fence) -> list[str]:
    """What the parser says to a fragment."""
    kind = fence.value("fragment") or ""
    sink = Sink()
    if kind in FRAGMENTS:
        parse_module(Source("fragment.promptc", FRAGMENTS[kind].format("\n" + fence.text)), sink)
    else:
        parse = parse_expression if kind == "expressions" else parse_type
        for line in fence.text.splitlines():
            text = line.partition("  #")[0]
            parse(text, TextMap.identity("fragment.promptc", len(text)), sink)
    return [d.message for d in sink.sorted()]


def program_of(fence: Fence, files: Mapping[str, str]) -> str:
    """What a module says, whatever surface it says it in."""
    return "\n".join(dump(canonical(module).items) for module in compiled(fence, files).modules)


# -- requests ------------------------------------------------------------------------------------


def requests_of(fence: Fence, files: Mapping[str, str]) -> str:
    """The requests of the samples of a module, as text; each continues with the state after the one before."""
    compilation = compiled(fence, files)
    out: list[str] = []
    for name, program in compilation.programs.items():
        samples = samples_of(compilation.facts, program)
        state: Mapping[str, object] | None = None
        for sample in samples:
            model = "MODEL" if program.model is None else None
            result = assemble(program, sample.inputs, sample.messages, state, model=model)
            state = result.state
            title = [f"== {name}, {sample.name}"] if len(samples) > 1 or len(compilation.programs) > 1 else []
            said = [f"-- decision: {' '.join(str(part) for part in d if part)}" for d in map(tuple, result.decisions)]
            out.extend([*title, *_shown(json.loads(result.body)), *said])
    return "".join(line + "\n" for line in out)


def _shown(body: Mapping[str, Any]) -> Iterator[str]:
    for tool in body.get("tools", ()):
        rest = json.dumps(tool["input_schema"], ensure_ascii=False, separators=(",", ":"))
        yield f"-- tool {tool['name']}{_mark(tool)}{' (deferred)' if tool.get('defer_loading') else ''}"
        yield from (tool["description"], rest)
    for block in body.get("system", ()):
        yield f"-- system{_mark(block)}"
        yield block["text"]
    for message in body["messages"]:
        for block in message["content"]:
            yield f"-- {message['role']}{_mark(block)}"
            yield block.get("text", json.dumps(block, ensure_ascii=False))


def _mark(block: Mapping[str, Any]) -> str:
    mark = block.get("cache_control")
    return "" if mark is None else f" (marker{', ' + mark['ttl'] if 'ttl' in mark else ''})"


def rewritten(page: Path) -> str:
    """The page with the outputs that its modules give now."""
    lines = page.read_text(encoding="utf-8").split("\n")
    outputs = [b for b in blocks(page) if kind_of(b) == "output"]
    for block in reversed(outputs):
        assert block.previous is not None
        now = requests_of(block.previous, block.files).split("\n")[:-1]
        lines[block.fence.line : block.fence.line + block.fence.text.count("\n")] = now
    return "\n".join(lines)


# -- differences from Jinja2 ---------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """A body and what is made of it.

    Attributes:
        plain: Output of Jinja2 with its default settings; None where the page does not say.
        trimmed: Its output with `trim_blocks` and `lstrip_blocks`.
        promptc: Output of promptc, or the code that refuses the body.
        sections: Library sections by name.
    """

    body: str
    inputs: dict[str, Any]
    sections: dict[str, str]
    plain: str | None
    trimmed: str | None
    promptc: str


def comparison(text: str) -> Comparison:
    """Read a fence: the body up to `----`, then a line for each of `section`, `inputs`, `jinja2`, `trimmed`, `promptc`."""
    body, _, rest = text.partition("\n----\n")
    said: dict[str, Any] = {}
    sections: dict[str, str] = {}
    for line in rest.splitlines():
        key, _, value = line.partition(" ")
        if key == "section":
            name, _, content = value.strip().partition(" ")
            sections[name] = json.loads(content)
        else:
            assert key in ("inputs", "jinja2", "trimmed", "promptc"), line
            said[key] = value.strip() if value.strip().startswith("PC") else json.loads(value)
    written = json.loads(body) if body.startswith('"') else body
    return Comparison(
        written, said.get("inputs", {}), sections, said.get("jinja2"), said.get("trimmed"), said["promptc"]
    )


def jinja_output(case: Comparison, trimmed: bool) -> str:
    """What Jinja2 renders, or the name of the error that it raises."""
    environment = jinja2.Environment(
        trim_blocks=trimmed,
        lstrip_blocks=trimmed,
        keep_trailing_newline=True,
        loader=jinja2.DictLoader(case.sections),
    )
    try:
        return environment.from_string(case.body).render(case.inputs)
    except jinja2.TemplateError as fault:
        return type(fault).__name__


def promptc_output(case: Comparison) -> str:
    """What promptc renders, or the code of the first error."""
    records: dict[str, str] = {}
    declared = [f"input {name} : {_type(value, records)} @session" for name, value in case.inputs.items()]
    sections = [f'section {name} @session "{escape(text)}"' for name, text in case.sections.items()]
    text = "\n".join(
        [
            *records.values(),
            *declared,
            *sections,
            'prompt p { target anthropic model "m" system { uncached {',
            f'section body @session "{escape(case.body)}" section end @session "."',
            "} } }",
        ]
    )
    compilation = compile_root("spec.promptc", Files({"spec.promptc": text}))
    if not compilation.programs:
        return next(d.code for d in compilation.diagnostics if severity_of(d) is Severity.ERROR)
    program = compilation.programs["p"]
    inputs = {i.name: case.inputs[i.name] for i in program.inputs}
    result = assemble(program, inputs, [{"role": "user", "content": "."}])
    return dict(result.texts).get("body", "")


def _type(value: object, records: dict[str, str]) -> str:
    match value:
        case bool():
            return "bool"
        case int():
            return "int"
        case None:
            return "text?"
        case [dict() as first, *_]:
            fields = "".join(f"{name} : {_type(inner, records)} " for name, inner in first.items())
            records["Item"] = f"record Item {{ {fields}}}"
            return "list[Item]"
        case [first, *_]:
            return f"list[{_type(first, records)}]"
        case []:
            return "list[text]"
        case _:
            return "text"


def pages(folder: Path) -> Sequence[Path]:
    """The chapters, in order."""
    return sorted(folder.glob("*.md"))
