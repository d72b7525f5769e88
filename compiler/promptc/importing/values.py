"""Values of YAML and JSON as literals of a spec, and types as it writes them."""

import json
import re
from dataclasses import dataclass, field

from promptc.importing.model import BOOL, INT, JSON, TEXT, Choice, Data, Fields, ListOf, Type
from promptc.importing.scope import identifier
from promptc.syntax.format_expressions import format_key, quoted

_MAX_INT = 2**53 - 1
_DIGITS = re.compile(r"-?[0-9]+", re.ASCII)


@dataclass(slots=True)
class Records:
    """The records of one module; equal ones under one name are one."""

    by_name: dict[str, Fields] = field(default_factory=dict)

    def name_of(self, record: Fields, hint: str) -> str:
        """The name under which a record is declared."""
        words = [word for word in re.split(r"[^A-Za-z0-9]+|_", hint) if word]
        base = "".join(word[0].upper() + word[1:] for word in words) or "Record"
        if base[0].isdigit():
            base = f"R{base}"
        for number in range(1, len(self.by_name) + 2):
            name = base if number == 1 else f"{base}{number}"
            if self.by_name.setdefault(name, record) == record:
                return name
        return base

    def type_text(self, type: Type, hint: str) -> str:
        """A type in the syntax of a spec; records are declared on the way."""
        match type:
            case ListOf(item=item):
                one = hint[:-1] if len(hint) > 1 and hint.endswith("s") else f"{hint}_item"
                return f"list[{self.type_text(item, one)}]"
            case Choice(members=members):
                return " | ".join(quoted(member) for member in members)
            case Fields():
                return self.name_of(type, hint)
            case _:
                return type.name


def literal(type: Type, value: Data) -> str:
    """A literal that fits a type: the value where it fits, else what comes closest, else an empty one."""
    match type:
        case ListOf(item=item):
            entries = value if isinstance(value, list) else []
            return f"[{', '.join(literal(item, entry) for entry in entries)}]"
        case Fields(fields=fields):
            given = {identifier(k): v for k, v in value.items()} if isinstance(value, dict) else {}
            parts = [
                f"{format_key(key)}: {literal(inner, given.get(key))}"
                for key, inner, presence in fields
                if presence == "given" or given.get(key) is not None
            ]
            return f"{{{', '.join(parts)}}}"
        case Choice(members=members):
            return quoted(value if isinstance(value, str) and value in members else members[0])
        case _ if type == INT:
            return _int(value)
        case _ if type == BOOL:
            truth = value.strip().lower() not in ("", "false", "0", "no") if isinstance(value, str) else bool(value)
            return "true" if truth else "false"
        case _ if type == JSON:
            return _json(value)
        case _:
            return quoted(plain(value))


def fits(type: Type, value: Data) -> bool:
    """Whether a value is of a type as it stands."""
    match type:
        case ListOf(item=item):
            return isinstance(value, list) and all(fits(item, entry) for entry in value)
        case Fields(fields=fields):
            if not isinstance(value, dict):
                return False
            given = {identifier(k): v for k, v in value.items()}
            known = {key for key, _, _ in fields}
            return set(given) <= known and all(
                (presence != "given" and given.get(key) is None) or fits(inner, given.get(key))
                for key, inner, presence in fields
            )
        case Choice(members=members):
            return value in members
        case _ if type == INT:
            return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_INT
        case _ if type == BOOL:
            return isinstance(value, bool)
        case _ if type == TEXT:
            # A whole number has one text; a fraction or a truth has not.
            return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
        case _:
            return True


def plain(value: Data) -> str:
    """A value as one text."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()


def _int(value: Data) -> str:
    number = 0
    if (isinstance(value, int | float) and abs(value) <= _MAX_INT) or (
        isinstance(value, str) and len(value) < 17 and _DIGITS.fullmatch(value.strip())
    ):
        number = int(value)
    return str(number)


def _json(value: Data) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case int() if abs(value) <= _MAX_INT:
            return str(value)
        case list():
            return f"[{', '.join(_json(entry) for entry in value)}]"
        case dict():
            return f"{{{', '.join(f'{format_key(k)}: {_json(v)}' for k, v in value.items())}}}"
        case _:
            return quoted(plain(value))
