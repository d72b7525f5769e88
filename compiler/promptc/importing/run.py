"""Import one file: which format it has, what it says, and the spec for it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.importing.detect import TITLES, Format, detect
from promptc.importing.dotprompt import read_dotprompt
from promptc.importing.jinja import JinjaOptions
from promptc.importing.lost import too_large, unreadable
from promptc.importing.messages import read_messages
from promptc.importing.model import Prompt, Text
from promptc.importing.poml import read_poml
from promptc.importing.promptfoo import read_promptfoo
from promptc.importing.prompty import read_prompty
from promptc.importing.scope import Findings
from promptc.importing.spec import Style, Written, write_spec
from promptc.importing.targets import FALLBACK
from promptc.importing.text_files import read_fstring, read_jinja
from promptc.source import Source, Span

MAX_CHARS = 2_000_000

Fetch = Callable[[str], Source | None]
"""Reads a file that stands beside the imported one, by its name there; None where it cannot be had."""


def _is_fallback(target: str) -> bool:
    return target == FALLBACK


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asks for.

    Attributes:
        format: The format, where it is not to be detected.
        target: The target, where it is not to be guessed.
        writable: Whether an assembler can be written for a target.
    """

    format: Format | None = None
    target: str | None = None
    writable: Callable[[str], bool] = _is_fallback
    jinja: JinjaOptions = field(default_factory=JinjaOptions)


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one file.

    Attributes:
        format: None where the format is not known.
        how: How it was recognised.
        spec: None where the file cannot be imported; the findings say why.
        parts: Other files that were taken in.
    """

    source: Source
    format: Format | None
    how: str
    spec: Written | None
    diagnostics: tuple[Diagnostic, ...]
    parts: tuple[Source, ...] = ()


def import_source(source: Source, fetch: Fetch, options: Options) -> Imported:
    """Import one file.

    Diagnostics:
        PC940 to PC952, and PC15x for YAML that cannot be read.
    """
    sink = Sink()
    if len(source.text) > MAX_CHARS:
        message = f"`{source.path}` has {len(source.text):,} characters; prompts up to {MAX_CHARS:,} are imported"
        sink.report(too_large(Span(source.path, 0, 0), message, "begins here"))
        return Imported(source, None, "", None, sink.sorted())
    told = (options.format, "you named it") if options.format is not None else detect(source.path, source.text)
    if told is None:
        message = f"`{source.path}` is of no format that promptc imports"
        help = "name its format with `--from`; the formats are " + ", ".join(f"`{key}`" for key in TITLES)
        sink.report(Diagnostic("PC940", message, Label(Span(source.path, 0, 0)), help=help))
        return Imported(source, None, "", None, sink.sorted())
    format, how = told
    found = Findings(sink, fetch)
    prompts = _read(format, source, fetch, options, found)
    spec = None
    if prompts and not sink.has_errors and not any(_has_text(prompt) for prompt in prompts):
        message = f"`{source.path}` has no text that can be carried over"
        sink.report(unreadable(Span(source.path, 0, 0), message, "looked for here"))
    if prompts and not sink.has_errors:
        words = ("True", "False") if format in ("jinja", "prompty", "messages", "promptfoo") else ("true", "false")
        style = Style(TITLES[format], words, options.writable, options.target)
        spec = write_spec(source.path.rsplit("/", 1)[-1], prompts, style, found)
    return Imported(source, format, how, spec, sink.sorted(), tuple(found.sources))


def _has_text(prompt: Prompt) -> bool:
    """Whether anything is left to write: a part that is no blank text, or a tool."""
    parts = [part for message in prompt.messages for part in message.parts]
    return bool(prompt.tools) or any(not isinstance(part, Text) or part.text.strip() for part in parts)


def _read(format: Format, source: Source, fetch: Fetch, options: Options, found: Findings) -> list[Prompt]:
    match format:
        case "jinja":
            return read_jinja(source, found, options.jinja)
        case "fstring":
            return read_fstring(source, found)
        case "dotprompt":
            return read_dotprompt(source, found)
        case "prompty":
            return read_prompty(source, found)
        case "poml":
            return read_poml(source, found)
        case "promptfoo":
            return read_promptfoo(source, found)
        case "messages":
            return read_messages(source, found, options.jinja)
