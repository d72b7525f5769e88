"""What everything of a program is called in an emitted Python module."""

import builtins
import keyword
from dataclasses import dataclass, field

from promptc.emit.names import Names, pascal, snake
from promptc.emit.python_runtime import runtime_names
from promptc.ir.model import Program

# Everything that the module takes from the runtime. A module imports those of them that it uses.
RUNTIME: dict[str, tuple[str, ...]] = {
    "errors": ("InputError",),
    "escape": ("escape", "quoted"),
    "json_text": ("JsonText", "canonical"),
    "checks": (
        "as_list",
        "as_object",
        "check_bool",
        "check_int",
        "check_json",
        "check_list",
        "check_member",
        "check_none",
        "check_text",
        "json_text",
        "refuse_longer",
        "take",
    ),
    "ops": ("cut", "default", "first", "indent", "last", "lower", "present", "replace", "trim", "upper"),
    "trust": ("neutral",),
    "state": ("Decision", "State", "Work"),
    "request": ("Parts", "Range", "Request", "Sealed", "seal"),
    "tools": ("ToolEntry", "join_tools", "tool_entry"),
    "conversation": ("Conversation", "Message", "Written", "check_model"),
    "wire": ("Wire",),
    "wire_bedrock_converse": ("CONVERSE_TOOL", "ConverseConversation"),
    "wire_gemini_generate": ("GEMINI_TOOL", "GeminiConversation"),
    "wire_openai_chat": ("CHAT_TOOL", "ChatConversation"),
    "wire_openai_responses": ("RESPONSES_TOOL", "ResponsesConversation"),
}
# Names that the printed code uses for itself.
_OWN = frozenset(
    (
        "Any",
        "Inputs",
        "Literal",
        "Mapping",
        "Sequence",
        "assemble",
        "base",
        "block",
        "change",
        "changed",
        "dataclass",
        "each",
        "field",
        "first_text",
        "frozen",
        "given",
        "inputs",
        "inputs_from_json",
        "key",
        "lasting",
        "messages",
        "model",
        "out",
        "part",
        "passing",
        "self",
        "state",
        "system",
        "talk",
        "text",
        "texts",
        "used",
        "where",
        "work",
    )
)
# Names in annotations and defaults of fields. A field of such a name would hide it from the fields behind it.
_IN_FIELDS = ("Literal", "Sequence", "bool", "field", "int", "object", "str")
RESERVED = frozenset([*keyword.kwlist, *dir(builtins), *_OWN, *(name for names in RUNTIME.values() for name in names)])


@dataclass(frozen=True)
class PythonNames:
    """Names in one emitted module.

    Attributes:
        module: Names at module level; functions and constants claim theirs here.
        records: Class of every record.
        fields: Attribute of every record field, by record and field.
        inputs: Attribute of every input.
        stage_variables: Variable that holds the inputs of each stage.
        stage_inputs: Class of the inputs of each stage.
        stage_bound: Class of what is known after each stage.
        gates: Variable of every gate.
        plain: Function that turns a record into a dict, by record.
    """

    module: Names
    records: dict[str, str] = field(default_factory=dict)
    fields: dict[tuple[str, str], str] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    stage_variables: tuple[str, ...] = ()
    stage_inputs: tuple[str, ...] = ()
    stage_bound: tuple[str, ...] = ()
    gates: dict[str, str] = field(default_factory=dict)
    plain: dict[str, str] = field(default_factory=dict)


def name_everything(program: Program) -> PythonNames:
    """Choose the names of a program's module; they depend on nothing but the program."""
    reserved = RESERVED | runtime_names()
    module = Names(reserved | {"FORMAT", "_DELTAS", "_FROZEN", "_MARKS", "_NEW", "_PROGRAM", "_WIRE"})
    variables = Names(reserved)
    bound = tuple(module.claim(f"{pascal(stage)}Bound") for stage in program.stages) or (module.claim("Bound"),)
    names = PythonNames(
        module,
        stage_variables=tuple(variables.claim(snake(stage)) for stage in program.stages),
        stage_inputs=tuple(module.claim(f"{pascal(stage)}Inputs") for stage in program.stages),
        stage_bound=bound,
    )
    for record in program.records:
        names.records[record.name] = module.claim(pascal(record.name))
        names.plain[record.name] = module.claim(f"_{snake(record.name).lower()}_as_dict")
    taken = (*keyword.kwlist, *_IN_FIELDS, *names.records.values())
    for record in program.records:
        attributes = Names(taken)
        for record_field in record.fields:
            names.fields[record.name, record_field.name] = attributes.claim(snake(record_field.name))
    attributes = Names(taken)
    for declared in program.inputs:
        names.inputs[declared.name] = attributes.claim(snake(declared.name))
    for gate in program.gates:
        names.gates[gate.name] = variables.claim(f"gate_{snake(gate.name)}")
    return names
