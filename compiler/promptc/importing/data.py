"""YAML and JSON with places: bounded, and never more than plain data."""

import re
from dataclasses import dataclass, field

from promptc.importing.model import Data
from promptc.importing.scope import Findings
from promptc.source import Source, Span
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar, YamlSequence, compose
from promptc.syntax.yaml_scalars import ScalarText, scalar_text

_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, Data] = {
    "null": None, "Null": None, "NULL": None, "~": None, "": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """The data of one source, or of a stretch of it.

    Attributes:
        root: Its tree; None where it is empty.
    """

    source: Source
    root: YamlNode | None

    def text(self, node: YamlScalar) -> ScalarText:
        """What a scalar says, with its places."""
        return scalar_text(self.source, node)


def read_data(source: Source, found: Findings, start: int = 0, end: int | None = None) -> Document | None:
    """The document in a stretch of a source; None where it cannot be read, which is reported.

    Diagnostics:
        PC15x.
    """
    end = len(source.text) if end is None else end
    # What stands around it is blanked, not cut off: so every place is one of the whole source.
    before = re.sub(r"[^\n]", " ", source.text[:start])
    stretch = Source(source.path, before + source.text[start:end])
    root, whole = compose(stretch, found.sink)
    return Document(stretch, root) if whole and not found.sink.has_errors else None


def entries(node: YamlNode | None) -> dict[str, tuple[YamlScalar, YamlNode]]:
    """Keys of a mapping, each with its own place and its value; empty for anything else."""
    return {key.value: (key, value) for key, value in node.pairs} if isinstance(node, YamlMapping) else {}


def child(node: YamlNode | None, *keys: str) -> YamlNode | None:
    """What stands below some keys; None where one of them is missing."""
    for key in keys:
        found = entries(node).get(key)
        if found is None:
            return None
        node = found[1]
    return node


def items(node: YamlNode | None) -> tuple[YamlNode, ...]:
    """Elements of a sequence; empty for anything else."""
    return node.items if isinstance(node, YamlSequence) else ()


def value(node: YamlNode | None) -> Data:
    """A tree as plain data, by the core schema of YAML 1.2."""
    match node:
        case None:
            return None
        case YamlScalar():
            return _scalar(node)
        case YamlSequence():
            return [value(item) for item in node.items]
        case YamlMapping():
            return {key.value: value(inner) for key, inner in node.pairs}


def string(node: YamlNode | None) -> str | None:
    """The text of a scalar; None for anything else, and for null."""
    return node.value if isinstance(node, YamlScalar) and value(node) is not None else None


def _scalar(node: YamlScalar) -> Data:
    text = node.value
    if node.style != "plain":
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text) and len(text) < 20:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) and len(text) < 40 else text


@dataclass(slots=True)
class Leftover:
    """Keys of a mapping that nothing has taken yet; what is left is reported."""

    node: YamlNode | None
    taken: set[str] = field(default_factory=set)

    def take(self, key: str) -> YamlNode | None:
        """The value of a key, which counts as carried over."""
        self.taken.add(key)
        return child(self.node, key)

    def rest(self) -> list[tuple[str, Span]]:
        """What nobody took, with the places of the keys."""
        return [(key, scalar.span) for key, (scalar, _) in entries(self.node).items() if key not in self.taken]
