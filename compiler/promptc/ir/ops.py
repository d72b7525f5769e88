"""The closed catalogue of operations: what each takes and gives. Every target implements exactly these.

Semantics are chosen so that Python and TypeScript agree: code points, ASCII-only case and trimming, sorting by code
point, integers without rounding.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Op:
    """One operation.

    Attributes:
        arity: Number of arguments; None: any.
        meaning: What it gives, in one sentence.
    """

    arity: int | None
    meaning: str


OPS: dict[str, Op] = {
    "not": Op(1, "bool: negation"),
    "and": Op(2, "bool: both; the right side is not evaluated when the left is false"),
    "or": Op(2, "bool: either; the right side is not evaluated when the left is true"),
    "eq": Op(2, "bool: equal texts, ints, bools or enum members; an absent value equals only an absent one"),
    "ne": Op(2, "bool: not eq"),
    "lt_int": Op(2, "bool: a < b"),
    "le_int": Op(2, "bool: a <= b"),
    "lt_text": Op(2, "bool: a before b in code point order"),
    "le_text": Op(2, "bool: a before or equal to b in code point order"),
    "in_text": Op(2, "bool: the first text occurs in the second"),
    "in_list": Op(2, "bool: the first value equals an element of the second"),
    "defined": Op(1, "bool: an optional value is there"),
    "filled_text": Op(1, "bool: the text is not empty"),
    "filled_list": Op(1, "bool: the list is not empty"),
    "nonzero": Op(1, "bool: the int is not 0"),
    "add": Op(2, "int: a + b"),
    "sub": Op(2, "int: a - b"),
    "mul": Op(2, "int: a * b"),
    "floordiv": Op(2, "int: a // b, rounded down; b is a literal other than 0"),
    "mod": Op(2, "int: a % b with the sign of b; b is a literal other than 0"),
    "neg": Op(1, "int: -a"),
    "int_text": Op(1, "text: decimal digits with a leading - where negative"),
    "concat": Op(None, "text: all argument texts in order"),
    "upper": Op(1, "text: a-z become A-Z, nothing else changes"),
    "lower": Op(1, "text: A-Z become a-z, nothing else changes"),
    "trim": Op(1, "text: without leading and trailing space, tab, LF, CR, VT, FF"),
    "replace": Op(
        3,
        "text: every occurrence of the second text, left to right, becomes the third; an empty one occurs nowhere",
    ),
    "indent": Op(
        3,
        "text: every line but the first (third argument true: also the first) that is not empty gets n blanks; "
        "none where n is negative",
    ),
    "cut": Op(3, "text: at most n code points (none where n is negative), then the marker where something was cut off"),
    "neutral": Op(
        2, "text: with a backslash behind every bracket that could open one of the tags that a constant names"
    ),
    "length_text": Op(1, "int: code points"),
    "length_list": Op(1, "int: elements"),
    "join": Op(2, "text: the texts of a list with a separator between them"),
    "first": Op(1, "optional: the first element of a list, absent when empty"),
    "last": Op(1, "optional: the last element of a list, absent when empty"),
    "sort": Op(1, "list: texts by code point or ints by size, ascending, stable"),
    "sort_by": Op(2, "list: records by the field named by a constant (text or int), ascending, stable"),
    "pluck": Op(2, "list: the field named by a constant of every record"),
    "unique": Op(1, "list: the first of equal texts or ints each, order kept"),
    "reverse_list": Op(1, "list: in reverse order"),
    "default": Op(2, "the first value when it is there, else the second"),
    "json": Op(
        1, "text: a text, int, bool, list, record, optional or json value as compact JSON, keys in code point order"
    ),
}
