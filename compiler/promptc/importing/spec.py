"""Write prompts as a module of the DSL, in its canonical form."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.importing import lost
from promptc.importing.arrange import Arranged, arrange, spoken_text
from promptc.importing.fitting import Fitter
from promptc.importing.layout import body_text
from promptc.importing.model import TEXT, Data, Message, Parts, Prompt, Sample, Text, Tool
from promptc.importing.scope import Findings, identifier
from promptc.importing.shapes import shapes_of
from promptc.importing.targets import guess_target
from promptc.importing.values import Records, fits, literal, plain
from promptc.source import Source, Span, TextMap
from promptc.syntax.bodies_ast import Template
from promptc.syntax.format import format_module
from promptc.syntax.format_expressions import quoted
from promptc.syntax.format_nodes import body_lines
from promptc.syntax.parser import parse_module
from promptc.syntax.yaml_writer import write_yaml


@dataclass(frozen=True, slots=True)
class Style:
    """How a format's templates differ from those of a spec.

    Attributes:
        title: Name of the format, for people.
        words: What it prints for true and false.
        writable: Whether an assembler can be written for a target.
        target: Target that the user asks for.
    """

    title: str
    words: tuple[str, str]
    writable: Callable[[str], bool]
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A spec in both surfaces."""

    dsl: str
    yaml: str


def write_spec(name: str, prompts: Sequence[Prompt], style: Style, found: Findings) -> Written:
    """The module for the prompts of one file.

    Args:
        name: The file, as the first line of the spec names it.
        found: Takes PC943 to PC952; holds the inputs that stand for expressions.
    """
    text = _Writer(prompts, style, found).module(name)
    source = Source("imported.promptc", text)
    module = parse_module(source, Sink())
    dsl = format_module(module, source)
    again = Source("imported.promptc", dsl)
    return Written(dsl, write_yaml(parse_module(again, Sink()), again))


class _Writer:
    """Writes one module; `classes` says of every input when it is bound."""

    def __init__(self, prompts: Sequence[Prompt], style: Style, found: Findings) -> None:
        self.prompts = prompts
        self.style = style
        self.found = found
        self.sink = found.sink
        self.records = Records()
        self.arranged = [arrange(prompt, found) for prompt in prompts]
        self.declared = {
            # What has a default is always there.
            identifier(key): replace(told, optional=told.optional and told.default is None)
            for prompt in prompts
            for key, told in prompt.declared.items()
        }
        bodies = [body for a in self.arranged for body in (*a.system, *a.tail)]
        self.shapes = shapes_of(self.declared, bodies, found.holes)
        self.classes: dict[str, str] = {}
        self.uses: dict[str, Span] = {}
        for part in (part for prompt in prompts for message in prompt.messages for part in message.parts):
            for key in shapes_of({}, [(part,)], {}):
                self.uses.setdefault(key, part.span)

    def module(self, name: str) -> str:
        fitter = Fitter(self.shapes, self.style.words, self.sink)
        fitted = [
            (
                tuple(fitter.parts(body, {}, frozenset()) for body in a.system),
                tuple(fitter.parts(body, {}, frozenset()) for body in a.tail),
            )
            for a in self.arranged
        ]
        self.shapes.update(fitter.added)
        for system, _ in fitted:
            self.classes |= dict.fromkeys(shapes_of({}, system, {}), "session")
        for _, tail in fitted:
            self.classes = dict.fromkeys(shapes_of({}, tail, {}), "turn") | self.classes
        inputs = [line for key in self.shapes if key in self.classes for line in self.input(key)]
        prompts = [
            line
            for prompt, a, (system, tail) in zip(self.prompts, self.arranged, fitted, strict=True)
            for line in self.prompt(prompt, a, system, tail)
        ]
        samples = [line for p, a in zip(self.prompts, self.arranged, strict=True) for line in self.samples(p, a)]
        self.unused()
        head = [f"# Imported from {_one_line(name)} ({self.style.title}).", "", "language 1", ""]
        return "\n".join([*head, *self.record_lines(), *inputs, *prompts, *samples]) + "\n"

    # -- declarations ----------------------------------------------------------------------------

    def record_lines(self) -> list[str]:
        lines: list[str] = []
        done: set[str] = set()
        while len(done) < len(self.records.by_name):
            for name, record in list(self.records.by_name.items()):
                if name in done:
                    continue
                done.add(name)
                fields = [
                    f"  {key} : {self.records.type_text(type, key)}{'?' if presence == 'absent' else ''}"
                    + (f" = {literal(type, None)}" if presence == "empty" else "")
                    for key, type, presence in record.fields
                ]
                lines += [f"record {name} {{", *fields, "}", ""]
        return lines

    def input(self, key: str) -> list[str]:
        shape, told, cls = self.shapes[key], self.declared.get(key), self.classes[key]
        kind = shape.kind()
        absent = shape.may_be_absent and (told is None or told.default is None)
        type = self.records.type_text(kind, key) + ("?" if absent else "")
        default = ""
        if told is not None and told.default is not None:
            default = f" = {literal(kind, told.default)}"
            if not fits(kind, told.default):
                self.sink.report(lost.altered(told.span, f"the default of `{key}`", f"is written as `{default[3:]}`"))
        elif shape.presence == "empty":
            default = f" = {literal(kind, None)}"
        span = told.span if told is not None else self.first_use(key)
        why = "text in front of the conversation reads it"
        if cls == "turn":
            why = "only text behind the conversation reads it"
        self.sink.report(
            Diagnostic(
                "PC946",
                f"`{key} : {type}` is guessed to be `@{cls}`: {why}",
                Label(span, "its class is a guess"),
                help="say when it is bound: once a deployment, an organisation, a user, a conversation, or with any request",
            )
        )
        return [f"input {key} : {type} @{cls}{default}  # guess"]

    def first_use(self, key: str) -> Span:
        hole = self.found.holes.get(key)
        return self.uses.get(key) or (hole.span if hole is not None else self.prompts[0].span)

    def unused(self) -> None:
        """Say which declared inputs no body reads."""
        asked = {a.asked for a in self.arranged}
        for key, told in self.declared.items():
            if key not in self.classes and key not in asked:
                self.sink.report(lost.setting(told.span, key, "no text of the prompt reads it"))

    # -- prompts ---------------------------------------------------------------------------------

    def prompt(self, prompt: Prompt, a: Arranged, system: Sequence[Parts], tail: Sequence[Parts]) -> list[str]:
        lines = [f"prompt {prompt.name} {{", f"  {self.target(prompt)}"]
        if prompt.model:
            lines.append(f"  model {quoted(plain(prompt.model))}")
        if prompt.max_tokens:
            lines.append(f"  max_tokens {prompt.max_tokens}")
        if prompt.tools:
            lines += ["  tools {", *(line for tool in prompt.tools for line in _tool(tool)), "  }"]
        taken = {tool.name for tool in prompt.tools}
        if system:
            lines += ["  system {", "    uncached {", *self.sections("system", system, taken, "      "), "    }", "  }"]
        lines += ["  conversation {", "    history transcript", "  }"]
        if tail:
            lines += ["  tail {", *self.sections("user", tail, taken, "    "), "  }"]
        return [*lines, "}", ""]

    def target(self, prompt: Prompt) -> str:
        if self.style.target is not None:
            return f"target {self.style.target.replace('-', '_')}"
        guess = guess_target(prompt.provider, prompt.model, self.style.writable)
        written = f"target {guess.target.replace('-', '_')}"
        if guess.reason is None:
            return written
        self.sink.report(
            Diagnostic(
                "PC947",
                f"the target `{guess.target}` is a guess: {guess.reason}",
                Label(Span(prompt.span.path, prompt.span.start, prompt.span.start)),
                help="name it with `--target`; `promptc providers` lists them",
            )
        )
        return f"{written}  # guess"

    def sections(self, name: str, bodies: Sequence[Parts], taken: set[str], indent: str) -> list[str]:
        lines: list[str] = []
        classes = [self.class_of(body) for body in bodies]
        for number, (body, cls) in enumerate(zip(bodies, classes, strict=True), start=1):
            text = body_text(body)
            own = name if number == 1 else f"{name}_{number}"
            while own in taken:
                own += "_text"
            taken.add(own)
            falls = name == "system" and cls != "static" and "static" in classes[number:]
            pin = ' pin "imported order"' if falls else ""
            span = Span("imported.promptc", 0, 0)
            template = Template(span=span, text=text, map=TextMap(span.path, ()), block=True)
            lines += body_lines(f"section {own} @{cls}{pin}", template, indent)
        return lines

    def class_of(self, body: Parts) -> str:
        read = {self.classes.get(key, "session") for key in shapes_of({}, [body], {})}
        return "turn" if "turn" in read else "session" if read else "static"

    # -- samples ---------------------------------------------------------------------------------

    def samples(self, prompt: Prompt, a: Arranged) -> list[str]:
        samples = list(prompt.samples)
        asked = self.declared.get(a.asked) if a.asked is not None else None
        if not samples and (a.examples or (asked is not None and asked.default is not None)):
            samples = [Sample("defaults", {}, prompt.span)]
        lines: list[str] = []
        passed = False
        for sample in samples:
            spoken = self.spoken(a, sample)
            passed = passed or len(spoken) > 1
            inner = [*self.bindings(a, sample), *spoken]
            if inner:
                lines += [f"sample {sample.name} for {prompt.name} {{", *inner, "}", ""]
        for message in a.examples:
            self.sink.report(_example(message, passed))
        return lines

    def bindings(self, a: Arranged, sample: Sample) -> list[str]:
        given = {identifier(key): value for key, value in sample.values.items()}
        read = shapes_of({}, [*a.system, *a.tail], {})
        lines: list[str] = []
        for key, shape in self.shapes.items():
            told = self.declared.get(key)
            has_default = (told is not None and told.default is not None) or shape.optional or shape.may_be_absent
            if key not in self.classes or (key not in given and (has_default or key not in read)):
                continue
            kind = shape.kind()
            value = given.get(key)
            if key in given and not fits(kind, value):
                what = f"`{key}` of the sample `{sample.name}`"
                self.sink.report(lost.altered(sample.span, what, "does not fit its type and is written as what does"))
            if key not in given and kind == TEXT:
                value = key
            lines.append(f"  {key} = {literal(kind, value)}")
        for key in given:
            if key not in self.classes and key != a.asked:
                self.sink.report(lost.setting(sample.span, key, "no text of the prompt reads it"))
        return lines

    def spoken(self, a: Arranged, sample: Sample) -> list[str]:
        """The messages of a sample: those of the prompt's examples, and the caller's own."""
        values: dict[str, Data] = {key: told.default for key, told in self.declared.items()}
        values |= {identifier(key): value for key, value in sample.values.items()}
        lines: list[str] = []
        for message in a.examples:
            text = spoken_text(message.parts, values)
            if text is None:
                return []
            lines.append(f"  {message.role} {quoted(text)}")
        asked = plain(values.get(a.asked)) if a.asked is not None else ""
        if asked.strip():
            lines.append(f"  user {quoted(asked)}")
        elif a.examples:
            lines.append('  user "Hello."')
        return lines


def _example(message: Message, passed: bool) -> Diagnostic:
    """What became of a message in front of the last one."""
    what = f"a message of the {message.role}"
    if not passed:
        return lost.construct(message.span, what, "its text depends on values that no sample has")
    help = "pass it in front of the conversation where the prompt is assembled"
    return lost.moved(message.span, what, "is the caller's to pass: it stands in the samples", help)


def _tool(tool: Tool) -> list[str]:
    span = Span("imported.promptc", 0, 0)
    description = body_text((Text(tool.description, tool.span),))
    block = "\n" in description
    schema = json.dumps(tool.schema, ensure_ascii=False, indent=2)
    written = [("description", description, block), ("schema", schema, True)]
    lines = [f"    tool {tool.name} @static {{"]
    for head, text, is_block in written:
        template = Template(span=span, text=text, map=TextMap(span.path, ()), block=is_block)
        lines += body_lines(head, template, "      ")
    return [*lines, "    }"]


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
