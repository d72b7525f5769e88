"""The Python target: print a residual program as an assembler module."""

import re
from collections.abc import Callable, Iterable, Sequence

from promptc.artifact import Artifact
from promptc.emit.environment import render_template
from promptc.emit.names import snake
from promptc.emit.python_inputs import InputCode
from promptc.emit.python_lanes import marker_literal, preamble_code, system_items, tail_code, tool_steps
from promptc.emit.python_literals import WIDTH, bytes_literal, text_literal
from promptc.emit.python_names import RUNTIME, name_everything
from promptc.emit.python_parts import Item, Step
from promptc.emit.python_runtime import runtime_imports, runtime_source
from promptc.emit.python_sections import SectionCode
from promptc.emit.python_stages import Plan, needed_after, seal_runs, stage_class, write_items
from promptc.emit.python_text import Constants, Marks, escaped, indented
from promptc.emit.python_values import NOT, expression, plain_form
from promptc.emit.python_wires import limit_member, wire_literal, wire_of
from promptc.ir.dump import program_digest
from promptc.ir.infer import Types
from promptc.ir.interpret_state import placed_sections
from promptc.ir.model import Const, Program, RecordType
from promptc.ir.stages import Stages
from promptc.ir.wires.dialect import names_model
from promptc.source import Span

FORMAT = "promptc.assembler.python/1"

Locate = Callable[[Span], tuple[int, int]]


def emit_python(program: Program, locate: Locate, standalone: bool = False) -> Artifact:
    """Print a program as a Python module.

    Args:
        locate: 1-based line and column of the start of a span.
        standalone: Whether to put the runtime into the module instead of importing it.
    """
    names = name_everything(program)
    marks, constants = Marks(locate), Constants(names.module)
    request = max(1, len(program.stages))
    stages = Stages(program)
    code = SectionCode(program, names, marks, constants, stages, Types(program), request)
    wire = wire_of(program)
    form = wire_literal(program)
    code.runtime |= {"Request", "State", "Work", wire.conversation, "Message", "Written", "seal", "Parts"}
    code.runtime |= {"Wire"} if form else set()
    code.runtime |= {wire.tool} if wire.tool is not None and program.tools else set()
    inputs = InputCode(program, names, code.runtime)
    plan = Plan(own=[(name,) for name in names.stage_variables] or [()])
    _checks_and_gates(code, plan)
    steps, tools = tool_steps(code)
    for step in steps:
        plan.add(step)
    seal_runs(plan, _head(code, tools), request, names)
    body, uses = _request_body(code, plan)
    classes = _classes(code, plan, body, uses)
    definitions = [
        *(inputs.record_class(record) for record in program.records),
        *(inputs.stage_class(stage) for stage in range(len(program.stages))),
        inputs.all_class(),
        *(inputs.record_check(record) for record in program.records),
        *(inputs.stage_check(stage) for stage in range(len(program.stages))),
        *(inputs.record_reader(record) for record in program.records),
        inputs.inputs_reader(),
        *(_plain(code, record) for record in program.records if record.name in code.plain_needed),
        *code.functions,
        [line for step in plan.steps.get(-1, []) for line in step.lines],
        *classes,
        *_one_shot(code),
    ]
    values = {
        "format": FORMAT,
        "program": program,
        "digest": program_digest(program),
        "wire": form,
        "marks": [_mark_row(row) for row in marks.rows],
        "constants": [line for _, lines in constants.rows for line in lines],
        "runtime": runtime_source(wire.module) if standalone else "",
        "definitions": ["\n".join(lines) for lines in definitions if lines],
        "deltas": _names(s.name for s in placed_sections(program) if s.deliver == "delta"),
        "frozen": _names(s.name for s in placed_sections(program) if s.deliver == "frozen"),
    }
    imports = _imports(repr(values), code.runtime, runtime_imports(wire.module) if standalone else None)
    text = render_template("python/module.py.j2", imports=imports, **values)
    return Artifact(f"{snake(program.name)}.py", _skip_long_lines(text).encode())


def _checks_and_gates(code: SectionCode, plan: Plan) -> None:
    """Gates and requirements, each at the stage at which all that it reads is bound."""
    for gate in code.program.gates:
        stage = code.stages.of_gate(gate)
        name = code.names.gates[gate.name]
        if stage < 0:
            name = code.build_gates[gate.name] = code.names.module.claim(f"_GATE_{snake(gate.name).upper()}")
        uses = frozenset(code.uses(gate.value))
        plan.add(Step(stage, uses, (f"{name} = {expression(gate.value, code.frame())}",), name))
    for require in code.program.requires:
        test = expression(require.value, code.frame(), NOT)
        reason = text_literal(require.reason)
        lines = (f"if not {test}:", f'    raise InputError("require", {reason})')
        code.runtime.add("InputError")
        plan.add(Step(code.stages.of_require(require), frozenset(code.uses(require.value)), lines))


def _head(code: SectionCode, tools: Item | None) -> list[Item]:
    """Everything in front of the messages."""
    program = code.program
    members = [f'"{name}":{text}'.encode() for name, text in program.form.constants]
    opening = b"{" + b",".join(members)
    items = _model(code, opening if not members else opening + b",") if program.form.model_in_body else []
    if not items:
        items.append(Item(-1, frozenset(), (f"{bytes_literal(opening)}, 0",)))
    comma = b"," if members or program.form.model_in_body else b""
    if program.cache_key is not None:
        code.runtime.add("quoted")
        field = bytes_literal(comma + f'"{program.form.key_field}":'.encode())
        piece = f"quoted({expression(program.cache_key, code.frame())})"
        uses = frozenset(code.uses(program.cache_key))
        items.append(Item(code.stages.of(program.cache_key), uses, (f"{field}, 0", f"{piece}, 0")))
        comma = b","
    items.append(Item(-1, frozenset(), (f"{bytes_literal(comma + limit_member(program))}, 0",)))
    if tools is not None:
        items.append(tools)
    wire = wire_of(program)
    messages = Item(-1, frozenset(), (f"{bytes_literal(wire.messages[0])}, 0",))
    return (
        [*items, messages, *system_items(code)] if wire.system_is_message else [*items, *system_items(code), messages]
    )


def _model(code: SectionCode, opening: bytes) -> list[Item]:
    """The member that names the model."""
    program = code.program
    if isinstance(program.model, Const):
        text = f'{opening.decode()}"model":"{escaped(str(program.model.value))}"'
        piece = code.constants.piece_of(text, "model")
        return [Item(-1, frozenset(), (f"{piece}, 0",))]
    member = opening + b'"model":'
    key = f"{bytes_literal(member)}, 0"
    if program.model is not None:
        code.runtime.add("quoted")
        piece = f"quoted({expression(program.model, code.frame())})"
        uses = frozenset(code.uses(program.model))
        return [Item(code.stages.of(program.model), uses, (key, f"{piece}, 0"))]
    code.runtime |= {"quoted", "check_model"}
    return [Item(code.request, frozenset(), (key, "quoted(check_model(model)), 1"))]


def _request_body(code: SectionCode, plan: Plan) -> tuple[list[str], frozenset[str]]:
    """The statements that make a request, and the variables that they read."""
    program = code.program
    lines = ["out = Parts()", *write_items(plan.items), _talk(code)]
    uses = frozenset().union(*(item.uses for item in plan.items))
    if program.preamble is not None and program.preamble.sections:
        step, more, more_uses = preamble_code(code, program.preamble)
        if step is not None:
            plan.add(step)
        lines += more
        uses |= more_uses
    if program.tail is not None and program.tail.sections:
        more, more_uses = tail_code(code, program.tail)
        lines += more
        uses |= more_uses
    lagging = ", lagging=True" if program.lagging else ""
    closing = bytes_literal(wire_of(program).messages[1])
    marker = marker_literal(program, program.message_marker)
    lines += [f"talk.write(out, {marker}{lagging})", f"out += ({closing}, 0)"]
    if program.model is not None and not program.form.model_in_body:
        uses |= frozenset(code.uses(program.model))
    return lines, frozenset(use for use in uses if not use.startswith("_"))


def _talk(code: SectionCode) -> str:
    form = ", _WIRE" if wire_literal(code.program) else ""
    return f"talk = {wire_of(code.program).conversation}(messages, work{form})"


def _classes(code: SectionCode, plan: Plan, body: Sequence[str], body_uses: frozenset[str]) -> list[list[str]]:
    """One class a stage."""
    classes = []
    stages = code.program.stages
    for stage in range(code.request):
        last = stage == code.request - 1
        own = plan.own[stage]
        laid = stage_class(plan, stage, needed_after(plan, stage, code.request, body_uses))
        params = ["self"]
        if stage:
            params.append(f"base: {code.names.stage_bound[stage - 1]}")
        init = []
        if own:
            params.append(f"{own[0]}: {code.names.stage_inputs[stage]}")
            init.append(f"{own[0]} = _check_{own[0]}({own[0]})")
        init += [f"{name} = base.{name}" for name in laid.inherited]
        init += [*laid.init, *(f"self.{name} = {name}" for name in laid.slots)]
        caption = f"What is known once the inputs of class `{stages[stage]}` are bound" if own else "Ready for requests"
        slots = f"({', '.join(map(text_literal, laid.slots))}{',' if len(laid.slots) == 1 else ''})"
        lines = [f"class {code.names.stage_bound[stage]}:", f'    """{caption}."""', "", f"    __slots__ = {slots}", ""]
        lines += [f"    def __init__({', '.join(params)}) -> None:", *indented(indented(init or ["pass"])), ""]
        lines += indented(_assemble_method(code, body, body_uses) if last else _next_methods(code, stage + 1))
        classes.append(lines)
    return classes


def _signature(code: SectionCode, first: str, name: str = "assemble") -> str:
    model = ", *, model: str" if names_model(code.program) else ""
    params = f"{first}, messages: Sequence[Message], state: State = _NEW{model}"
    return f"def {name}({params}) -> Request:"


def _passed_on(code: SectionCode) -> str:
    return "messages, state" + (", model=model" if names_model(code.program) else "")


def _assemble_method(code: SectionCode, body: Sequence[str], uses: frozenset[str]) -> list[str]:
    prelude = [f"{name} = self.{name}" for name in sorted(uses)]
    work = "work = Work(state, _PROGRAM, _DELTAS, _FROZEN)"
    model = ""
    if code.program.model is not None and not code.program.form.model_in_body:
        model = f", {expression(code.program.model, code.frame())}"
    end = f"return Request(out, _MARKS, work.state(), tuple(work.decisions){model})"
    doc = '"""The request for a conversation and the state after its last request."""'
    return [_signature(code, "self"), *indented([doc, work, *prelude, *body, end])]


def _next_methods(code: SectionCode, stage: int) -> list[str]:
    variable, cls = code.names.stage_variables[stage], code.names.stage_inputs[stage]
    bound, name = code.names.stage_bound[stage], code.program.stages[stage]
    lines = [f"def bind_{variable}(self, {variable}: {cls}) -> {text_literal(bound)}:"]
    lines += [f'    """Bind the inputs of class `{name}`."""', f"    return {bound}(self, {variable})"]
    if stage == code.request - 1 and name == code.program.classes[-1]:
        lines += ["", _signature(code, f"self, {variable}: {cls}")]
        lines += ['    """The request for one turn."""']
        lines += [f"    return {bound}(self, {variable}).assemble({_passed_on(code)})"]
    return lines


def _one_shot(code: SectionCode) -> list[list[str]]:
    """The functions that users start from."""
    stages = code.program.stages
    doc = '    """The request for all inputs at once: every stage is bound anew."""'
    lines = [_signature(code, "inputs: Inputs"), doc]
    chain = "" if stages else f"{code.names.stage_bound[0]}()"
    for stage in range(len(stages)):
        variable, cls = code.names.stage_variables[stage], code.names.stage_inputs[stage]
        given = [code.names.inputs[i.name] for i in code.program.inputs if i.cls == stages[stage]]
        lines += [f"    {variable} = {cls}({', '.join(f'{name}=inputs.{name}' for name in given)})"]
        chain += f"bind_{variable}({variable})" if stage == 0 else f".bind_{variable}({variable})"
    lines.append(f"    return {chain}.assemble({_passed_on(code)})")
    if not stages:
        return [lines]
    variable, cls = code.names.stage_variables[0], code.names.stage_inputs[0]
    bound = code.names.stage_bound[0]
    first = [
        f"def bind_{variable}({variable}: {cls}) -> {bound}:",
        f'    """Bind the inputs of class `{stages[0]}`."""',
        f"    return {bound}({variable})",
    ]
    return [first, lines]


def _plain(code: SectionCode, record: RecordType) -> list[str]:
    rows = []
    for field in record.fields:
        value = f"value.{code.names.fields[record.name, field.name]}"
        rows.append(f"        {text_literal(field.name)}: {plain_form(field.type, value, code.frame())},")
    head = f"def {code.names.plain[record.name]}(value: {code.names.records[record.name]}) -> dict[str, object]:"
    return [head, "    return {", *rows, "    }"]


def _names(names: Iterable[str]) -> str:
    listed = [text_literal(name) for name in names]
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _mark_row(row: tuple[str, str, str]) -> str:
    return f"({', '.join(map(text_literal, row))})"


def _imports(code: str, runtime: Iterable[str], inlined: Sequence[str] | None) -> list[str]:
    """The import lines that some code needs; a name in a text may bring one too many."""
    lines = {"from collections.abc import Sequence"}
    lines.add(f"from dataclasses import dataclass{', field' if 'field(default_factory=' in code else ''}")
    if "Literal[" in code:
        lines.add("from typing import Literal")
    if "= changed(" in code:
        lines.add("from dataclasses import replace as changed")
    if inlined is not None:
        return sorted({*lines, *inlined})
    wanted = set(runtime)
    own = []
    for module in sorted(RUNTIME):
        names = sorted((name for name in RUNTIME[module] if name in wanted), key=lambda n: (not n[0].isupper(), n))
        if names:
            own.append(f"from promptc.runtime.{module} import {', '.join(names)}")
    return [*sorted(lines), "", *own]


_CODE_STRING = re.compile(r"""^\s*(?:b?["']|\(["'])""")


def _skip_long_lines(text: str) -> str:
    """Keep a formatter away from statements that are longer than a line; what is printed does not depend on one."""
    lines = []
    for line in text.split("\n"):
        long = len(line) > WIDTH and not line.endswith("# fmt: skip") and not line.endswith(",")
        lines.append(f"{line}  # fmt: skip" if long and not _CODE_STRING.match(line) else line)
    return "\n".join(lines)
