"""The filters and tests of the language: what each takes, what it gives, and which operation it becomes."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.types import Bool, Enum, Int, Json, List, Optional, Record, Text, Type

Kind: TypeAlias = Literal["text", "int", "bool", "list", "name", "any"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a filter.

    Attributes:
        kind: `name` is a literal text that names a field.
        required: Without it, `default` is used.
    """

    name: str
    kind: Kind
    required: bool = True
    default: str | int | bool | None = None


@dataclass(frozen=True, slots=True)
class FilterSpec:
    """One filter; how its result type follows from its input is in `result_type`."""

    name: str
    takes: Literal["text", "list", "text_or_list", "optional", "printable_list", "records", "sortable", "any"]
    parameters: tuple[Parameter, ...] = ()


FILTERS: dict[str, FilterSpec] = {
    spec.name: spec
    for spec in (
        FilterSpec("upper", "text"),
        FilterSpec("lower", "text"),
        FilterSpec("trim", "text"),
        FilterSpec("replace", "text", (Parameter("old", "text"), Parameter("new", "text"))),
        FilterSpec("indent", "text", (Parameter("width", "int", False, 4), Parameter("first", "bool", False, False))),
        FilterSpec("cut", "text", (Parameter("length", "int"), Parameter("marker", "text", False, ""))),
        FilterSpec("length", "text_or_list"),
        FilterSpec("count", "text_or_list"),
        FilterSpec(
            "join", "printable_list", (Parameter("d", "text", False, ""), Parameter("attribute", "name", False))
        ),
        FilterSpec("first", "list"),
        FilterSpec("last", "list"),
        FilterSpec("reverse", "list"),
        FilterSpec("sort", "sortable", (Parameter("attribute", "name", False),)),
        FilterSpec("unique", "printable_list"),
        FilterSpec("map", "records", (Parameter("attribute", "name"),)),
        FilterSpec("default", "optional", (Parameter("default_value", "any"),)),
        FilterSpec("json", "any"),
    )
}

# Filters of Jinja2 that are left out on purpose, and the way out of each.
REFUSED_FILTERS: dict[str, str] = {
    "random": "it gives another result at each call; choose in the host and pass the choice as an input",
    "shuffle": "it gives another order at each call; sort instead",
    "pprint": "its text depends on the host language; use `json`",
    "tojson": "it escapes for HTML; use `json`, which writes compact JSON with sorted keys",
    "string": "the text form of a value depends on the host language; pass a text",
    "float": "the text of a floating point number differs between languages; pass a text",
    "round": "the text of a floating point number differs between languages; pass a text",
    "filesizeformat": "its text depends on the host; format in the host and pass a text",
    "dictsort": "there are no dictionaries; use a list of records and `sort(attribute=...)`",
    "items": "there are no dictionaries; use a list of records",
    "xmlattr": "it walks a dictionary; write the attributes out",
    "urlize": "it rewrites text; insertion is literal",
    "striptags": "it rewrites text; insertion is literal",
    "safe": "nothing is escaped, so there is nothing to switch off",
    "escape": "insertion is literal; an envelope neutralises what it must",
    "e": "insertion is literal; an envelope neutralises what it must",
    "capitalize": "case rules differ between languages; use `upper` or `lower`, which change ASCII letters only",
    "title": "case rules differ between languages; use `upper` or `lower`, which change ASCII letters only",
    "truncate": "it cuts at words by rules of its own; use `cut(length, marker)`",
    "wordwrap": "it moves text; wrap in the host",
    "center": "it pads by width; write the text out",
    "format": "its number formats depend on the host; write the text out",
    "groupby": "it builds tuples; pass the groups as a list of records",
    "batch": "it builds lists of lists; pass them as records",
    "slice": "it builds lists of lists; pass them as records",
    "select": "write the condition into the loop: `for x in xs if x.field`",
    "reject": "write the condition into the loop: `for x in xs if not x.field`",
    "selectattr": "write the condition into the loop: `for x in xs if x.field`",
    "rejectattr": "write the condition into the loop: `for x in xs if not x.field`",
    "list": "a list is a list already",
    "sum": "add the numbers in the host and pass the result",
    "min": "find it in the host and pass the result",
    "max": "find it in the host and pass the result",
    "abs": "compute it in the host and pass the result",
    "int": "numbers are typed already; declare the input as `int`",
    "wordcount": "words differ between languages; use `length`",
    "d": "write `default`",
}

# Constructs that differ from run to run, by the name they are called with.
NONDETERMINISTIC_CALLS = frozenset(
    {
        "now",
        "random",
        "lipsum",
        "cycler",
        "joiner",
        "uuid",
        "uuid4",
        "today",
        "time",
        "utcnow",
        "strftime_now",
        "randint",
    }
)

TESTS = ("defined", "undefined", "none", "empty")


def takes(spec: FilterSpec, given: Type) -> bool:
    """Whether a filter takes a value of a type. An optional must be tested first, except by `default` and `json`."""
    match spec.takes:
        case "text":
            return isinstance(given, Text | Enum)
        case "list":
            return isinstance(given, List)
        case "text_or_list":
            return isinstance(given, Text | Enum | List)
        case "optional":
            return isinstance(given, Optional)
        case "printable_list" | "sortable":
            return isinstance(given, List)
        case "records":
            return isinstance(given, List) and isinstance(given.item, Record)
        case "any":
            return True


def expected(spec: FilterSpec) -> str:
    """What a filter takes, in words."""
    return {
        "text": "a text",
        "list": "a list",
        "text_or_list": "a text or a list",
        "optional": "a value that may be absent",
        "printable_list": "a list of texts",
        "sortable": "a list of texts, ints or records",
        "records": "a list of records",
        "any": "any value",
    }[spec.takes]


def is_scalar_key(kind: Type) -> bool:
    """Whether values of a type can be sorted and compared for equality in every target."""
    return isinstance(kind, Text | Enum | Int)


def is_text(kind: Type) -> bool:
    """Whether a type has a text form that every target writes alike."""
    return isinstance(kind, Text | Enum)


def is_printable(kind: Type) -> bool:
    """Whether a body can print a value of a type."""
    return isinstance(kind, Text | Enum | Int)


def is_comparable(left: Type, right: Type) -> bool:
    """Whether `==` makes sense between two types."""
    if isinstance(left, Optional):
        left = left.item
    if isinstance(right, Optional):
        right = right.item
    if is_text(left) and is_text(right):
        return True
    if isinstance(left, Int) and isinstance(right, Int):
        return True
    return isinstance(left, Bool) and isinstance(right, Bool)


def is_opaque(kind: Type) -> bool:
    """Whether a value has no structure that an expression may look into."""
    return isinstance(kind, Json)
