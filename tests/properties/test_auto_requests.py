"""Random prompts that cache automatically: they compile, keep their order, and send what the target takes."""

import json
import os
from random import Random
from typing import Any

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.ir.interpret import assemble
from promptc.providers.checks.run import check_request
from promptc.providers.registry import provider
from promptc.streams.manifest_model import Manifest
from support.manifests import manifest_of
from support.specs import compile_text

NIGHTLY = os.environ.get("PROMPTC_NIGHTLY") == "1"
SPECS = 1_000 if NIGHTLY else 60
CLASSES = ("static", "org", "user", "session")


RECORD = "record Tool { name : text description : text input_schema : json }"
TOOLS = (
    "",
    '  tools { tool look @static { description "Looks." schema "{}" } }\n',
    '  tools { tool look @static { description "Looks." schema "{}" } group late @session from connected order by name }\n',
)


def random_spec(random: Random) -> tuple[str, list[str], dict[str, object]]:
    """A module, the names of the sections of its system lane in order, and inputs for one request."""
    lines, names, inputs = [], [], {}
    declared = [RECORD, "input flag : bool @session", "input now : text @turn", "input connected : list[Tool] @session"]
    for number, cls in enumerate(sorted(random.choices(CLASSES, k=random.randint(0, 6)), key=CLASSES.index)):
        name = f"s{number}"
        names.append(name)
        declared.append(f"input {name}_text : text @{cls}")
        inputs[f"{name}_text"] = f"text of {name}"
        gate = random.choice(("", "", " when flag", " when not flag"))
        lines.append(f'    section {name} @{cls}{gate} "{{{{ {name}_text }}}}"')
    sizes = [f"  tokens {random.choice((100, 800, 3000))} in {name}" for name in names]
    rates = [f"  sessions {random.randint(1, 40)} per day per user"] if random.random() < 0.5 else []
    share = random.randint(0, 100)
    tool = random.choice(TOOLS)
    inputs["connected"] = random.choice(([], [{"name": "dig", "description": "Digs.", "input_schema": {}}]))
    if "late" in tool:
        sizes.append(f"  tokens 2_000 in late\n  present {random.choice((0, 10, 90))}% late")
    history = "  conversation { history transcript }\n" if random.random() < 0.8 else ""
    text = "\n".join(
        [
            "language 1",
            "traffic {",
            f"  sessions {random.choice((3, 90, 4_000))} per hour",
            *rates,
            f"  turns {random.choice((1, 2, 20))} per session",
            f"  gaps {share}% within 5m, {100 - share}% within {random.choice(('1h', '30h'))}",
            f"  blocks 100% within {random.choice((3, 25))} per turn",
            f"  tokens {random.choice((0, 700))} per turn",
            *sizes,
            "}",
            *declared,
            "prompt p {",
            "  target anthropic",
            '  model "claude-opus-5-5"',
            "  cache auto",
            "  system {",
            *lines,
            "  }",
            tool + history + '  tail in reminder { section told @turn when flag "It is {{ now }}." }',
            "}",
        ]
    )
    return text, names, {**inputs, "flag": random.random() < 0.5, "now": "noon"}


def sent(text: str, inputs: dict[str, object], turns: int) -> dict[str, Any]:
    """A request late in a conversation."""
    compilation = compile_text(text)
    program = compilation.programs["p"]
    used = {declared.name for declared in program.inputs}
    messages: list[dict[str, Any]] = [{"role": "user", "content": "one"}]
    for _ in range(turns - 1):
        messages += [{"role": "assistant", "content": "yes"}, {"role": "user", "content": "more"}]
    given = {name: value for name, value in inputs.items() if name in used}
    body: dict[str, Any] = json.loads(assemble(program, given, messages).body)
    return body


def test_planned_prompts_keep_their_order_and_send_what_the_target_takes() -> None:
    random = Random(None if NIGHTLY else 3)
    for _ in range(SPECS):
        text, names, inputs = random_spec(random)
        compilation = compile_text(text)
        errors = [d.message for d in compilation.diagnostics if severity_of(d) is Severity.ERROR]
        assert not errors, (errors, text)

        manifest: Manifest = manifest_of(text)
        assert [e.name for e in manifest.elements if e.lane == "system"] == names
        in_messages = [b for b in manifest.breakpoints if b.lane == "conversation"]
        assert [b.lagging for b in in_messages] in ([], [False], [True, False])
        assert len(manifest.breakpoints) - len(in_messages) <= (3 if "history" in text else 4)

        request = sent(text, inputs, random.randint(1, 3))
        refused = [d.message for d in check_request(request, provider("anthropic")) if severity_of(d) is Severity.ERROR]
        assert not refused, (refused, text)
