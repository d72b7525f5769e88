"""Print the lanes of a request: tools, system blocks, preamble, tail."""

from promptc.emit.names import Names, snake
from promptc.emit.python_literals import WIDTH, bytes_literal, comment_text, text_literal
from promptc.emit.python_names import RESERVED
from promptc.emit.python_parts import Item, Part, Step, certain_index, join_side
from promptc.emit.python_sections import SectionCode
from promptc.emit.python_text import indented
from promptc.emit.python_values import AND, NOT, OR, expression
from promptc.emit.python_wires import join_arguments, marker_bytes, system_ends, tool_argument, wire_of
from promptc.ir.infer import item_type
from promptc.ir.model import EnvelopeLane, Marker, Program, ScopeChoice, Section, SystemBlock, ToolGroup, ToolLiteral
from promptc.types import Int, Optional, Type


def marker_literal(program: Program, marker: Marker | None) -> str:
    """A marker as an expression; empty bytes for none."""
    return bytes_literal(marker_bytes(program.form, marker.ttl)) if marker is not None else 'b""'


# -- tools -----------------------------------------------------------------------------------------


def tool_steps(code: SectionCode) -> tuple[list[Step], Item | None]:
    """A step per tool source that writes its tools, and the item that joins them."""
    if not code.program.tools:
        return [], None
    steps, rows, stage = [], [], -1
    for source in code.program.tools:
        step = _group(code, source) if isinstance(source, ToolGroup) else _literal(code, source)
        steps.append(step)
        mark = code.marks.of(source.name, "section", source.span)
        rows.append(f"({text_literal(source.name)}, {mark}, {step.defines}),")
        stage = max(stage, step.stage)
    code.runtime.add("join_tools")
    more = [marker_literal(code.program, code.program.tools_marker), *join_arguments(code.program)]
    groups = " ".join(rows).removesuffix(",") if len(rows) > 1 else rows[0]
    flat = f"out += join_tools(({groups}), {', '.join(more)})"
    long = [
        "out += join_tools(",
        "    (",
        *(f"        {row}" for row in rows),
        "    ),",
        *(f"    {argument}," for argument in more),
        ")  # fmt: skip",
    ]
    lines = [flat] if len(flat) <= WIDTH - 8 else long
    uses = frozenset(step.defines for step in steps if step.defines is not None)
    return steps, Item(stage, uses, lines=tuple(lines))


def _variable(code: SectionCode, name: str, stage: int) -> str:
    return code.names.module.claim(f"_TOOLS_{snake(name).upper()}" if stage < 0 else f"tools_{snake(name)}")


def _group(code: SectionCode, group: ToolGroup) -> Step:
    frame = code.frame()
    names = Names([*RESERVED, *code.uses(group.source, group.defer)])
    frame.locals[group.element] = tool = names.claim(snake(group.element))
    kind = code.types.of(group.source, {})
    frame.local_types[group.element] = item_type(kind)
    record = frame.local_types[group.element]
    attribute = {name: code.names.fields[record.name, name] for name in code.types.fields[record.name]}  # type: ignore[union-attr]
    source = expression(group.source, frame)
    if group.order:
        keys = [_sort_key(f"each.{attribute[name]}", code.types.fields[record.name][name]) for name in group.order]  # type: ignore[union-attr]
        key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        source = f"sorted({source}, key=lambda each: {key})"
    deferred = "False" if group.defer is None else expression(group.defer, frame)
    parts = [f"{tool}.{attribute[name]}" for name in ("name", "description", "input_schema")]
    uses = code.uses(group.source, group.defer)
    function = code.names.module.claim(f"_tools_{snake(group.name)}")
    code.runtime |= {"ToolEntry", "tool_entry"}
    hints = ", ".join(f"{use}: {code._hint(use)}" for use in uses)
    code.functions.append(
        [
            f"def {function}({hints}) -> list[ToolEntry]:",
            f"    # {comment_text(code.marks.place(group.span))} @{group.cls}",
            f"    chosen = {source}",
            f"    return [tool_entry({', '.join(parts)}, {deferred}{tool_argument(code.program)}) for {tool} in chosen]",
        ]
    )
    stage = code.stages.of(group.source, group.defer, group.when)
    call = f"{function}({', '.join(uses)})"
    return _step(code, group, stage, call, frozenset([*uses, *code.uses(group.when)]))


def _sort_key(field: str, kind: Type) -> str:
    # An absent value comes first, and is never compared with one that is there.
    if not isinstance(kind, Optional):
        return field
    return f"({field} is not None, {field} or {0 if isinstance(kind.item, Int) else chr(34) * 2})"


def _literal(code: SectionCode, tool: ToolLiteral) -> Step:
    section = Section(
        tool.name, tool.cls, tool.cls, None, tool.when_cls, "inline", None, tool.description, None, tool.span
    )
    description = code.text_call(section, tool.description, "")
    schema = code.constants.named(tool.schema, f"{tool.name}_schema", "\n", encode=True)
    code.runtime |= {"tool_entry"}
    call = f"[tool_entry({text_literal(tool.name)}, {description}, {schema}, False{tool_argument(code.program)})]"
    stage = code.stages.of(tool.description, tool.when)
    return _step(code, tool, stage, call, frozenset(code.uses(tool.description, tool.when)))


def _step(code: SectionCode, source: ToolGroup | ToolLiteral, stage: int, call: str, uses: frozenset[str]) -> Step:
    variable = _variable(code, source.name, stage)
    if source.when is not None:
        gate = expression(source.when, code.frame(), OR)
        call = f"{call} if {gate} else []"
    code.runtime.add("ToolEntry")
    return Step(stage, uses, (f"{variable}: list[ToolEntry] = {call}",), variable)


# -- system ----------------------------------------------------------------------------------------


def system_items(code: SectionCode) -> list[Item]:
    """The steps that write the `system` member, with the comma in front of it."""
    blocks = [_block(code, block) for block in code.program.system]
    opening, closing = map(bytes_literal, system_ends(code.program))
    anchor = certain_index([_as_one(items) for items in blocks])
    if not blocks:
        return []
    if anchor is None:
        ones = [_as_one(items) for items in blocks]
        lines = ["system = Parts()"]
        for one in ones:
            lines += one.lines("system", "between", ('b",", 0',))
        lines += ["if system:", f"    out += ({opening}, 0, *system, {closing}, 0)"]
        uses = frozenset().union(*(one.uses for one in ones))
        return [Item(max(one.stage for one in ones), uses, lines=tuple(lines))]
    result = [Item(-1, frozenset(), (f"{opening}, 0",))]
    for at, items in enumerate(blocks):
        side = join_side(at, anchor)
        comma = Item(-1, frozenset(), ('b",", 0',))
        if isinstance(items, Part):
            result.append(Item(items.stage, items.uses, lines=tuple(items.lines("out", side, ('b",", 0',)))))
        else:
            result += [*([comma] if side == "leading" else []), *items, *([comma] if side == "trailing" else [])]
    return [*result, Item(-1, frozenset(), (f"{closing}, 0",))]


def _as_one(block: Part | list[Item]) -> Part:
    # A block that is always there comes as a list of items; where only that fact counts, any part without a gate does.
    return block if isinstance(block, Part) else Part(-1, frozenset())


def _block(code: SectionCode, block: SystemBlock) -> Part | list[Item]:
    """A block that is always there as items, any other one as a part."""
    parts = [code.part(section) for section in block.sections]
    anchor = certain_index(parts)
    separator = code.seam(code.program.separator, "separator")
    marker, marker_stage, marker_uses = _block_marker(code, block)
    opening, closing = f"{bytes_literal(wire_of(code.program).text)}, 0", "b'\"', 0"
    apart = code.program.form.marker is not None and code.program.form.marker.apart
    ends = ('b"}", 0', f"{marker}, 0") if apart else (f"{marker}, 0", 'b"}", 0')
    if anchor is None:
        lines = ["block = Parts()"]
        for part in parts:
            lines += part.lines("block", "between", separator)
        pieces = (opening, "*block", closing, *(ends if marker else ('b"}", 0',)))
        uses = marker_uses.union(*(part.uses for part in parts))
        stage = max([marker_stage, *(part.stage for part in parts)])
        return Part(stage, uses, prepare=tuple(lines), test="block", pieces=pieces)
    items = [Item(-1, frozenset(), (opening,))]
    for at, part in enumerate(parts):
        if part.certain and part.pieces and join_side(at, anchor) is None:
            items.append(Item(part.stage, part.uses, part.pieces))
        elif part.certain and part.pieces:
            sides = (separator, ()) if join_side(at, anchor) == "leading" else ((), separator)
            items.append(Item(part.stage, part.uses, (*sides[0], *part.pieces, *sides[1])))
        else:
            items.append(Item(part.stage, part.uses, lines=tuple(part.lines("out", join_side(at, anchor), separator))))
    items.append(Item(-1, frozenset(), (closing,)))
    end = Item(-1, frozenset(), ('b"}", 0',))
    if not marker:
        return [*items, end]
    mark = Item(marker_stage, marker_uses, (f"{marker}, 0",))
    return [*items, end, mark] if apart else [*items, mark, end]


def _block_marker(code: SectionCode, block: SystemBlock) -> tuple[str, int, frozenset[str]]:
    """The marker of a block as an expression, empty for none, with the stage and the variables of its variants."""
    if not block.marked:
        return "", -1, frozenset()

    def literal(choice: ScopeChoice) -> str:
        return 'b""' if choice.scope is None else bytes_literal(marker_bytes(code.program.form, choice.ttl))

    choices = list(block.scopes)
    text = literal(choices[-1]) if choices[-1].when is None else 'b""'
    deciding = [choice for choice in choices if choice.when is not None]
    for choice in reversed(deciding):
        if literal(choice) != text:
            assert choice.when is not None
            text = f"{literal(choice)} if {expression(choice.when, code.frame(), OR)} else {text}"
    conditions = tuple(choice.when for choice in deciding) if " if " in text else ()
    text = f"({text})" if conditions else text
    return text if text != 'b""' else "", code.stages.of(conditions), frozenset(code.uses(conditions))


# -- messages --------------------------------------------------------------------------------------


def preamble_code(code: SectionCode, lane: EnvelopeLane) -> tuple[Step | None, list[str], frozenset[str]]:
    """The preamble: a step that writes it ahead of the conversation, where it can be, and the code of the request."""
    parts = [code.part(section) for section in lane.sections]
    stage = max(part.stage for part in parts)
    uses = frozenset().union(*(part.uses for part in parts))
    lines = ["texts = Parts()"]
    for part in parts:
        lines += part.lines("texts", "between", code.seam(lane.separator, "preamble_separator"))
    pieces = (*code.seam(lane.open, "preamble_open"), "*texts", *code.seam(lane.close, "preamble_close"))
    code.runtime.add("seal")
    sealed = f"seal([{', '.join(pieces)}])"
    withheld = ["else:", "    talk.withhold_preamble()"]
    if stage == code.request:
        set_it = ["if texts:", f"    talk.set_preamble(*{sealed})"]
        return None, ["if talk.takes_preamble:", *indented([*lines, *set_it]), *withheld], uses
    variable = code.names.module.claim("_PREAMBLE" if stage < 0 else "preamble")
    step = Step(stage, uses, (*lines, f"{variable} = {sealed} if texts else None"), variable)
    request = ["if talk.takes_preamble:", f"    if {variable} is not None:", f"        talk.set_preamble(*{variable})"]
    return step, [*request, *withheld], frozenset((variable,))


def tail_code(code: SectionCode, lane: EnvelopeLane) -> tuple[list[str], frozenset[str]]:
    """The statements that write the tail of a request."""
    lines: list[str] = []
    uses: set[str] = set()
    kept = [section for section in lane.sections if section.deliver != "ephemeral"]
    for name, sections, append in (
        ("lasting", kept, "append"),
        ("passing", [section for section in lane.sections if section.deliver == "ephemeral"], "append_once"),
    ):
        if not sections:
            continue
        lines.append(f"{name}: list[tuple[str, str, int]] = []")
        for section in sections:
            lines += _tail_section(code, section, name)
            uses |= set(code.uses(section.body, section.when, section.key, section.delta))
        ends = [
            code.constants.plain(text, f"tail_{label}")
            for text, label in ((lane.open, "open"), (lane.separator, "separator"), (lane.close, "close"))
        ]
        lines.append(f"talk.{append}({name}, {', '.join(ends)})")
    return ["if talk.takes_tail:", *indented(lines), "else:", "    talk.withhold_tail()"], frozenset(uses)


def _tail_section(code: SectionCode, section: Section, target: str) -> list[str]:
    name = code.constants.plain(section.name, f"{section.name}_name")
    mark = code.marks.of(section.name, "section", section.span)
    gate = None if section.when is None else code.condition(section.when)
    if section.delta is not None:
        return _tail_delta(code, section, name, mark)
    text = code.text_call(section, section.body, "")
    if section.deliver == "frozen":
        key = "None" if section.key is None else expression(section.key, code.frame())
        used = f"({name}, {key}) not in work.frozen"
        condition = used if gate is None else f"{expression(section.when, code.frame(), AND)} and {used}"  # type: ignore[arg-type]
        text = f"work.freeze({name}, {key}, {text})"
    elif section.deliver == "inline":
        free = f"not talk.only_results and not talk.written({name})"
        condition = free if gate is None else f"{free} and {expression(section.when, code.frame(), NOT)}"  # type: ignore[arg-type]
    else:
        condition = gate or ""
    append = f"{target}.append(({name}, {text}, {mark}))"
    return [f"if {condition}:", f"    {append}"] if condition else [append]


def _tail_delta(code: SectionCode, section: Section, name: str, mark: int) -> list[str]:
    delta = section.delta
    assert delta is not None
    variable = code.request_names.claim(f"first_{snake(section.name)}")
    tests = [test for test in (section.when, delta.first_when) if test is not None]
    first = code.text_call(section, delta.first, "_first")
    if tests:
        first = f"{first} if {' and '.join(expression(test, code.frame(), NOT) for test in tests)} else None"
    texts = [
        code.text_call(section, ops, f"_{kind}") for ops, kind in ((delta.changed, "changed"), (delta.gone, "gone"))
    ]
    return [
        f"{variable}: str | None = {first}",
        f"change = work.change({name}, {variable})",
        f'if change == "first" and {variable} is not None:',
        f"    {_lasting(name, variable, mark)}",
        'elif change == "changed":',
        f"    {_lasting(name, texts[0], mark)}",
        'elif change == "gone":',
        f"    {_lasting(name, texts[1], mark)}",
    ]


def _lasting(name: str, text: str, mark: int) -> str:
    return f"lasting.append(({name}, {text}, {mark}))"
