"""The input side of an emitted Python module: dataclasses, checks, and reading plain JSON."""

from collections.abc import Sequence

from promptc.emit.python_literals import WIDTH, annotation, constant, text_literal
from promptc.emit.python_names import PythonNames
from promptc.emit.python_text import indented
from promptc.ir.interpret_inputs import SAFE_INT
from promptc.ir.model import Field, Input, Program, RecordType
from promptc.types import Bool, Enum, Int, Json, List, Nothing, Optional, Record, Text, Type


class InputCode:
    """Prints everything about the inputs of one program.

    Attributes:
        runtime: Names that the code needs from the runtime; added to while printing.
    """

    def __init__(self, program: Program, names: PythonNames, runtime: set[str]) -> None:
        self.program = program
        self.names = names
        self.runtime = runtime
        self.records = {record.name: record for record in program.records}

    # -- dataclasses -----------------------------------------------------------------------------

    def record_class(self, record: RecordType) -> list[str]:
        """The dataclass of a record."""
        order = list(self.records)
        later = frozenset(order[order.index(record.name) :])
        rows = [self._field(self.names.fields[record.name, field.name], field, later) for field in record.fields]
        return self._class(self.names.records[record.name], f"A `{record.name}`.", rows)

    def stage_class(self, stage: int) -> list[str]:
        """The dataclass of the inputs of one stage."""
        name = self.program.stages[stage]
        rows = [self._field(self.names.inputs[given.name], given) for given in self.of_stage(stage)]
        return self._class(self.names.stage_inputs[stage], f"The inputs of class `{name}`.", rows)

    def all_class(self) -> list[str]:
        """The dataclass of all inputs."""
        rows = [self._field(self.names.inputs[given.name], given) for given in self.program.inputs]
        return self._class("Inputs", "All inputs.", rows)

    def of_stage(self, stage: int) -> list[Input]:
        """The inputs that are bound at one stage."""
        return [given for given in self.program.inputs if given.cls == self.program.stages[stage]]

    def _class(self, name: str, caption: str, rows: Sequence[str]) -> list[str]:
        body = ["", *indented(rows)] if rows else []
        return ["@dataclass(frozen=True, slots=True, kw_only=True)", f"class {name}:", f'    """{caption}"""', *body]

    def _field(self, name: str, declared: Field | Input, later: frozenset[str] = frozenset()) -> str:
        hint = annotation(declared.type, self.names.records, literal=True)
        if _record_in(declared.type) in later:
            # The class does not exist yet where the annotation is read: it is the record itself, or stands below.
            hint = f'"{hint}"'
        if not has_default(declared):
            return f"{name}: {hint}"
        value = self.default(declared)
        if isinstance(declared.default, dict | list) and value[0] in "{[":
            return f"{name}: {hint} = field(default_factory=lambda: {value})"
        return f"{name}: {hint} = {value}"

    def default(self, declared: Field | Input) -> str:
        """The default of an input or a field as an expression."""
        return self._value(declared.default if declared.has_default else None, declared.type)

    def _value(self, value: object, kind: Type) -> str:
        match kind:
            case Optional(item=item):
                return "None" if value is None else self._value(value, item)
            case List(item=item):
                assert isinstance(value, list | tuple)
                parts = [self._value(each, item) for each in value]
                return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
            case Record(name=name):
                assert isinstance(value, dict)
                fields = [field for field in self.records[name].fields if field.name in value]
                parts = [
                    f"{self.names.fields[name, field.name]}={self._value(value[field.name], field.type)}"
                    for field in fields
                ]
                return f"{self.names.records[name]}({', '.join(parts)})"
            case _:
                return constant(value)

    # -- checks ----------------------------------------------------------------------------------

    def record_check(self, record: RecordType) -> list[str]:
        """The function that checks a record field by field."""
        cls = self.names.records[record.name]
        self.runtime.add("InputError")
        lines = [
            f"def {self._check_name(record.name)}(value: object, where: str) -> None:",
            f"    if not isinstance(value, {cls}):",
            f'        raise InputError(where, "expected a record {record.name}")',
        ]
        for field in record.fields:
            attribute = f"value.{self.names.fields[record.name, field.name]}"
            lines += indented(self._check(field.type, attribute, f'f"{{where}}.{field.name}"'))
        return lines

    def stage_check(self, stage: int) -> list[str]:
        """The function that checks the inputs of a stage and gives them as they count: cut where they are too long."""
        cls, variable = self.names.stage_inputs[stage], self.names.stage_variables[stage]
        lines = [f"def _check_{variable}({variable}: {cls}) -> {cls}:"]
        for given in self.of_stage(stage):
            value = f"{variable}.{self.names.inputs[given.name]}"
            lines += indented(self._check(given.type, value, text_literal(given.name)))
            if given.max_chars is not None:
                lines += indented(self._limit(given, variable, value))
        return [*lines, f"    return {variable}"]

    def _limit(self, given: Input, variable: str, value: str) -> list[str]:
        if given.cut is None:
            self.runtime.add("refuse_longer")
            return [f"refuse_longer({value}, {given.max_chars}, {text_literal(given.name)})"]
        there = f"{value} is not None and " if isinstance(given.type, Optional) else ""
        short = f"{value}[:{given.max_chars}] + {text_literal(given.cut)}"
        return [
            f"if {there}len({value}) > {given.max_chars}:",
            f"    {variable} = changed({variable}, {self.names.inputs[given.name]}={short})",
        ]

    def _check_name(self, record: str) -> str:
        return f"_check_{self.names.plain[record].removeprefix('_').removesuffix('_as_dict')}_record"

    def _check(self, kind: Type, value: str, where: str) -> list[str]:
        """Statements that check a value. A cheap test in front keeps the usual case from building `where`."""
        match kind:
            case Text():
                return self._guarded(f"type({value}) is not str or not {value}.isascii()", "check_text", value, where)
            case Bool():
                return self._guarded(f"type({value}) is not bool", "check_bool", value, where)
            case Int(low=low, high=high):
                bounds = (-SAFE_INT if low is None else low, SAFE_INT if high is None else high)
                return self._guarded("", "check_int", f"{value}, {bounds[0]}, {bounds[1]}", where)
            case Enum(members=members):
                listed = f"({', '.join(map(text_literal, members))}{',' if len(members) == 1 else ''})"
                return self._guarded(f"{value} not in {listed}", "check_member", f"{value}, {listed}", where)
            case Json():
                self.runtime.add("JsonText")
                return self._guarded(f"type({value}) is not JsonText", "check_json", value, where)
            case Nothing():
                return self._guarded("", "check_none", value, where)
            case Record(name=name):
                return [f"{self._check_name(name)}({value}, {where})"]
            case Optional(item=item):
                return [f"if {value} is not None:", *indented(self._check(item, value, where))]
            case List(item=item):
                one = f"{value.rpartition('.')[2]}_item"
                at = f"{one}_at"
                inner = 'f"{' + where + "}[{" + at + '}]"' if not where.startswith('"') else ""
                inner = inner or 'f"' + where[1:-1] + "[{" + at + '}]"'
                if where.startswith('f"'):
                    inner = where[:-1] + "[{" + at + '}]"'
                loop = [f"for {at}, {one} in enumerate({value}):", *indented(self._check(item, one, inner))]
                return [*self._guarded("", "check_list", value, where), *loop]

    def _guarded(self, guard: str, function: str, args: str, where: str) -> list[str]:
        self.runtime.add(function)
        call = f"{function}({args}, {where})"
        return [f"if {guard}:", f"    {call}"] if guard else [call]

    # -- plain JSON ------------------------------------------------------------------------------

    def record_reader(self, record: RecordType) -> list[str]:
        """The function that builds a record from a decoded JSON object."""
        cls = self.names.records[record.name]
        attributes = [(self.names.fields[record.name, field.name], field) for field in record.fields]
        head = f"def {self._reader(record.name)}(value: object, where: str) -> {cls}:"
        return [head, *self._read_members(cls, attributes, "where", 'f"{where}.', "value")]

    def inputs_reader(self) -> list[str]:
        """The function that builds all inputs from a decoded JSON object."""
        attributes = [(self.names.inputs[given.name], given) for given in self.program.inputs]
        return [
            "def inputs_from_json(value: object) -> Inputs:",
            '    """All inputs from a decoded JSON object, as a vectors file holds them."""',
            *self._read_members("Inputs", attributes, '"inputs"', '"', "value"),
        ]

    def _read_members(
        self, cls: str, attributes: Sequence[tuple[str, Field | Input]], where: str, prefix: str, value: str
    ) -> list[str]:
        self.runtime.add("as_object")
        listed = f"({', '.join(text_literal(d.name) for _, d in attributes)}{',' if len(attributes) == 1 else ''})"
        if not attributes:
            return [f"    as_object({value}, (), {where})", f"    return {cls}()"]
        lines = [f"    given = as_object({value}, {listed}, {where})", f"    return {cls}("]
        for attribute, declared in attributes:
            lines.append(f"        {attribute}={self._read_member(declared, f'{prefix}{declared.name}' + chr(34))},")
        kept = any(len(line) > WIDTH for line in lines)
        return [*lines, f"    ){'  # fmt: skip' if kept else ''}"]

    def _read_member(self, declared: Field | Input, where: str) -> str:
        key = text_literal(declared.name)
        if not has_default(declared):
            self.runtime.add("take")
            return self._read(declared.type, f"take(given, {key}, {where})", where)
        present = self._read(declared.type, f"given[{key}]", where)
        present = f"({present})" if " if " in present else present
        return f"{present} if {key} in given else {self.default(declared)}"

    def _read(self, kind: Type, value: str, where: str) -> str:
        match kind:
            case Record(name=name):
                return f"{self._reader(name)}({value}, {where})"
            case List(item=item) if _holds_record(item):
                self.runtime.add("as_list")
                return f"[{self._read(item, 'each', where)} for each in as_list({value}, {where})]"
            case Optional(item=item) if _holds_record(item):
                return f"None if {value} is None else {self._read(item, value, where)}"
            case _:
                return value

    def _reader(self, record: str) -> str:
        return f"_read_{self.names.plain[record].removeprefix('_').removesuffix('_as_dict')}_record"


def has_default(declared: Field | Input) -> bool:
    """Whether an input or a field may be left out."""
    return declared.has_default or isinstance(declared.type, Optional)


def _holds_record(kind: Type) -> bool:
    match kind:
        case Record():
            return True
        case List(item=item) | Optional(item=item):
            return _holds_record(item)
        case _:
            return False


def _record_in(kind: Type) -> str | None:
    match kind:
        case Record(name=name):
            return name
        case List(item=item) | Optional(item=item):
            return _record_in(item)
        case _:
            return None
