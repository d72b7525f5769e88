"""The Python target: what an emitted module looks like and how it behaves."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from promptc.emit.names import Names, pascal, snake
from promptc.emit.python import emit_python
from promptc.emit.python_literals import text_literal
from promptc.ir.interpret import assemble
from promptc.ir.model import InputRef, Program
from promptc.runtime.errors import InputError
from promptc.source import Span
from support.emitted import load
from support.ir_programs import AGENT, AGENT_INPUTS, block, lit, program, put, section, text_input
from support.ir_targets import ir_target
from support.specs import compile_text

GOLDEN = Path(__file__).parents[2] / "golden" / "emit"
HELLO = [{"role": "user", "content": "hello"}]


def locate(span: Span) -> tuple[int, int]:
    return 1, span.start + 1


def emitted(tested: Program, standalone: bool = False) -> Any:
    return load(emit_python(tested, locate, standalone).data)


def long_text() -> Program:
    """A program with a text of several lines, awkward names, and nothing that has to be bound."""
    text = 'First line with "quotes" and a \\ backslash.\nSecond line, with a tab\there.\n\nLast – line.'
    longer = "\n".join([text, "it's what it's", text])
    words = " ".join(["word"] * 40)
    return program(
        name="long-text",
        system=(
            block(
                section("class", "static", lit(text)),
                section("def", "static", lit(words)),
                section("x", "static", lit(longer)),
            ),
        ),
    )


@pytest.mark.parametrize(("name", "build"), [("agent", lambda: AGENT), ("long_text", long_text)])
def test_the_module_is_the_golden_one(name: str, build: Callable[[], Program], update: bool) -> None:
    produced = emit_python(build(), locate)
    # Not `.py`: data, which no tool should take for source.
    golden = GOLDEN / f"{name}.py.txt"
    if update:
        golden.write_bytes(produced.data)

    assert produced.data == golden.read_bytes()


def test_staged_and_one_shot_give_the_same_bytes() -> None:
    module = emitted(AGENT)
    inputs = module.inputs_from_json(AGENT_INPUTS)
    static = module.bind_static(module.StaticInputs(mode=inputs.mode, tools=inputs.tools))
    session = static.bind_session(module.SessionInputs(cwd=inputs.cwd, git_status=inputs.git_status))
    turn = module.TurnInputs(plan_mode=True)

    assert session.assemble(turn, HELLO).body == module.assemble(inputs, HELLO).body
    assert session.bind_turn(turn).assemble(HELLO).body == assemble(AGENT, AGENT_INPUTS, HELLO).body


def test_a_bound_session_makes_requests_by_itself_where_nothing_is_bound_later() -> None:
    tested = program(
        stages=("session",),
        inputs=(text_input("cwd", "session"),),
        system=(block(section("where", "session", lit("in "), put(InputRef("cwd")))),),
    )
    module = emitted(tested)

    request = module.bind_session(module.SessionInputs(cwd="/x")).assemble(HELLO)

    assert request.body == assemble(tested, {"cwd": "/x"}, HELLO).body


def test_a_standalone_module_needs_nothing_of_promptc(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_bytes(emit_python(AGENT, locate, standalone=True).data)
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    assert imported <= sys.stdlib_module_names | {"collections.abc", "json.encoder"}
    # -I and -S: no path of the checkout, no site packages.
    done = subprocess.run([sys.executable, "-I", "-S", str(path)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_same_program_gives_the_same_module_whatever_the_hash_seed() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from support.ir_programs import AGENT\n"
        "from promptc.emit.python import emit_python\n"
        "sys.stdout.buffer.write(emit_python(AGENT, lambda span: (1, span.start + 1)).data)"
    )
    tests = str(Path(__file__).parents[2])
    runs = {
        subprocess.run(
            [sys.executable, "-c", script, tests],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }

    assert runs == {emit_python(AGENT, locate).data}


def test_messages_written_once_give_the_same_bytes() -> None:
    module = emitted(AGENT)
    inputs = module.inputs_from_json({**AGENT_INPUTS, "plan_mode": False})
    texts = ["hello", "tab\tand \x00 and \x1f", "“more”", ""]
    plain = [{"role": role, "content": text} for role, text in zip(("user", "assistant") * 2, texts, strict=True)]
    written = [module.Written(**message) for message in plain]

    assert module.assemble(inputs, written).body == module.assemble(inputs, plain).body
    assert module.assemble(inputs, [plain[0], *written[1:]]).body == module.assemble(inputs, plain).body


def test_a_message_with_a_lone_surrogate_is_refused_by_place() -> None:
    module = emitted(program())

    with pytest.raises(InputError, match=r"messages\[1\].content: contains a lone surrogate"):
        module.assemble(module.Inputs(), [*HELLO, {"role": "assistant", "content": "\ud800"}])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cwd": 1}, "cwd: expected a text"),
        ({"cwd": "\ud800"}, "cwd: contains a lone surrogate"),
        ({"mode": "gui"}, "mode: must be one of `tty`, `pipe`"),
        ({"plan_mode": 1}, "plan_mode: expected a bool"),
        ({"tools": "x"}, "tools: expected a list"),
        ({"tools": [{"name": "x", "input_schema": {}, "description": 1}]}, r"tools\[0\].description: expected a text"),
    ],
)
def test_inputs_that_do_not_fit_are_refused_as_the_interpreter_does(changed: dict[str, Any], message: str) -> None:
    module = emitted(AGENT)
    given = {**AGENT_INPUTS, **changed}

    with pytest.raises(InputError, match=message):
        module.assemble(module.inputs_from_json(given), HELLO)
    with pytest.raises(InputError, match=message):
        assemble(AGENT, given, HELLO)


def test_the_prefix_map_says_which_line_wrote_which_bytes() -> None:
    module = emitted(AGENT)
    request = module.assemble(module.inputs_from_json(AGENT_INPUTS), HELLO)
    shown = [(request.body[r.start : r.end], r.section, r.kind, r.place) for r in request.prefix_map()]

    assert (b"client=cli; mode=", "header", "literal", "agent.promptc:1:1") in shown
    assert (b"/srv/app", "environment", "interpolated", "agent.promptc:1:1") in shown
    assert (b"cwd was /srv/app", "memory", "section", "agent.promptc:1:1") in shown
    assert (b"hello", "", "conversation", "") in shown
    assert b"".join(data for data, *_ in shown) == request.body


def test_awkward_names_become_legal_ones() -> None:
    tested = program(
        stages=("static",),
        inputs=(text_input("class", "static"), text_input("Inputs", "static"), text_input("len", "static")),
        system=(block(section("in-put", "static", *(put(InputRef(name)) for name in ("class", "Inputs", "len")))),),
    )
    module = emitted(tested)
    given = {"class": "a", "Inputs": "b", "len": "c"}

    assert module.assemble(module.inputs_from_json(given), []).body == assemble(tested, given).body
    assert module.Inputs(class_="a", Inputs="b", len="c").class_ == "a"


def test_names_are_unique_and_close_to_the_wanted_ones() -> None:
    names = Names({"if"})

    assert [names.claim(name) for name in ("if", "if", "a", "a", "a")] == ["if_", "if_2", "a", "a_2", "a_3"]
    assert (snake("a-b.c"), pascal("coding-agent_x"), snake("9"), snake("–")) == ("a_b_c", "CodingAgentX", "n9", "it")


@pytest.mark.parametrize("text", ["", "'", '"', "'\"", "\\n\n\t\r", "\x00\x7f\x85\u2028\u200b\U000e0001😀é", "{}%"])
def test_a_literal_evaluates_to_its_text_and_shows_nothing_invisible(text: str) -> None:
    literal = text_literal(text)

    assert ast.literal_eval(literal) == text
    assert literal.isprintable()


def test_constants_of_every_kind_are_python() -> None:
    from promptc.emit.python_literals import constant

    value = {"b": [1, True, None, 1e22], "a": "x"}
    assert ast.literal_eval(constant(value)) == value


AWKWARD = """
record Doc { str : text  int : int = 1  bool : bool = true  Doc : list[text] = ["d"]  more : list[Inner] = [] }
record Inner { Sequence : text  Inner : text?  field : list[text] = []  last : list[text] = []  up : Doc?  inner : list[Inner] = [] }
input str : text @static
input object : int @static
input field : list[text] @static = ["f"]
input Literal : "a" | "b" @static
input Sequence : list[Doc] @static = []
input kind : "c" | "d" @static
input out : text @turn
input list : list[text] @turn
input self : text? @turn

prompt awkward {
  target anthropic
  model "m"
  system {
    section all @static "{{ str }}{{ object }}{{ field | join }}{{ Literal }}{{ Sequence | length }}{{ kind }}\\
      {% for doc in Sequence %}{{ doc.str }}{{ doc.int }}{{ doc.Doc | join }}\\
      {% for one in doc.more if doc.bool %}{{ one.Sequence }}{{ one.Inner | default('-') }}\\
      {{ one.field | join }}{{ one.last | join }}{% endfor %}{% endfor %}"
  }
  tail {
    section tail @turn "{{ out }}{{ list | sort | join }}{{ self | default('') }}"
  }
}
""".replace("\\\n      ", "")


def awkward() -> Program:
    """A program whose names are those of types and functions that the emitted module needs itself."""
    compilation = compile_text(AWKWARD)
    assert not compilation.failed, [found.message for found in compilation.diagnostics]
    return compilation.programs["awkward"]


def test_fields_do_not_hide_the_types_of_the_fields_behind_them() -> None:
    inner = {"Sequence": "s", "Inner": "i", "field": ["1"]}
    given = {
        "str": "x",
        "object": 7,
        "Literal": "b",
        "kind": "d",
        "out": "o",
        "list": ["b", "a"],
        "Sequence": [{"str": "y", "more": [inner]}],
    }
    module = emitted(awkward())

    body = module.assemble(module.inputs_from_json(given), HELLO).body

    assert b'"text":"x7fb1dy1dsi1"' in body and b'"text":"oab"' in body
    assert body == assemble(awkward(), given, HELLO).body


@pytest.mark.slow
def test_modules_pass_a_strict_type_checker_and_are_formatted(tmp_path: Path) -> None:
    for name, tested in (("agent", AGENT), ("long", long_text()), ("awkward", awkward())):
        for standalone in (False, True):
            (tmp_path / f"{name}_{standalone}.py").write_bytes(emit_python(tested, locate, standalone).data)
    for target in ("bedrock-claude", "gemini-implicit", "openai-chat-5.6", "openai-responses", "vertex-claude"):
        chosen = ir_target(target)
        other = replace(AGENT, target=chosen.name, wire=chosen.wire, form=chosen.form)
        for standalone in (False, True):
            name = f"{target.replace('-', '_').replace('.', '_')}_{standalone}.py"
            (tmp_path / name).write_bytes(emit_python(other, locate, standalone).data)
    paths = [str(path) for path in sorted(tmp_path.glob("*.py"))]
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", *paths]
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length=120", "--diff", *paths]

    for command in (mypy, ruff):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
