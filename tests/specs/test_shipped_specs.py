"""What holds for every shipped spec: it stands in its canonical form, and every sample of it renders."""

from pathlib import Path

import pytest

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.format import format_module
from promptc.syntax.parser import parse_module
from promptc.syntax.yaml_reader import parse_yaml_module
from promptc.syntax.yaml_writer import write_yaml
from support.specs import SPECS, Prompt, compile_spec, spec_text

MODULES = sorted(path.relative_to(SPECS).as_posix() for path in SPECS.rglob("*.promptc"))
PROMPTS = [
    ("coding_agent/agent.promptc", "coding_agent", 7),
    ("coding_agent/agent.promptc", "coding_agent_third_party", 1),
    ("field_service/agent.promptc", "technician", 1),
    ("field_service/by_hand.promptc", "technician_by_hand", 1),
    ("support_bot/support_bot.promptc.yaml", "support_bot", 3),
    ("support_bot/support_bot.promptc.yaml", "support_bot_phone", 1),
]


@pytest.mark.parametrize("path", MODULES)
def test_a_shipped_module_is_formatted(path: str) -> None:
    source = Source(path, Path(SPECS / path).read_text(encoding="utf-8"))
    assert format_module(parse_module(source, Sink()), source) == source.text


@pytest.mark.parametrize(("path", "name", "count"), PROMPTS)
def test_every_sample_gives_the_same_bytes_from_interpreter_and_assembler(path: str, name: str, count: int) -> None:
    """`Prompt.render` compares the two."""
    prompt = Prompt(compile_spec(path), name)
    assert len(prompt.samples) == count
    bodies = [prompt.render(sample).body for sample in prompt.samples]
    assert len(set(bodies)) == count


def as_yaml(path: str) -> str:
    """A module of the DSL in the other surface; it uses its neighbours in that surface too."""
    source = Source(path, spec_text(path))
    return (
        write_yaml(parse_module(source, Sink()), source)
        .replace('.promptc"', '.promptc.yaml"')
        .replace(".promptc\n", ".promptc.yaml\n")
    )


def as_dsl(path: str) -> str:
    """A module of YAML in the DSL."""
    return format_module(parse_yaml_module(Source(path, spec_text(path)), Sink()), None)


def test_the_other_surface_gives_the_same_bytes() -> None:
    agent = ["agent", "sections", "types"]
    edits = {f"coding_agent/{name}.promptc.yaml": as_yaml(f"coding_agent/{name}.promptc") for name in agent}
    service = ["agent", "by_hand", "shared"]
    edits |= {f"field_service/{n}.promptc.yaml": as_yaml(f"field_service/{n}.promptc") for n in service}
    edits["support_bot/support_bot.promptc"] = as_dsl("support_bot/support_bot.promptc.yaml")
    for path, name, _ in PROMPTS:
        other = path.removesuffix(".yaml") if path.endswith(".yaml") else path + ".yaml"
        here, there = Prompt(compile_spec(path), name), Prompt(compile_spec(other, edits), name)
        for sample in here.samples:
            assert there.render(sample).body == here.render(sample).body
