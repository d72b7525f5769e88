"""Values in `set` and `default`: YAML data as literals, with what the declared type says about disputed spellings."""

from collections.abc import Mapping

from promptc.diagnostics.model import Applicability, Edit, Fix
from promptc.source import Span
from promptc.syntax import expressions as ex
from promptc.syntax.nodes import ListType, NamedType, OptionalType, RangeType, RecordDecl, TypeExpr
from promptc.syntax.parser import parse_expression
from promptc.syntax.yaml_fields import FieldReader
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar, YamlSequence
from promptc.syntax.yaml_scalars import scalar_text
from promptc.syntax.yaml_values import core_value, disputed


class DataReader:
    """Reads data of one source.

    Args:
        reader: Reads and reports.
        records: Records declared in this module; a record from another module is unknown here, and so are the types
            of its fields.
    """

    def __init__(self, reader: FieldReader, records: Mapping[str, RecordDecl]) -> None:
        self._reader = reader
        self._records = records

    def read(self, node: YamlNode, expected: TypeExpr | None) -> ex.Expr | None:
        """The literal that a node stands for; None after a report.

        Args:
            node: Any node.
            expected: The declared type where it is known; it decides what `on` or `1:30` is, and nothing else.
        """
        while isinstance(expected, OptionalType):
            expected = expected.item
        if isinstance(node, YamlSequence):
            item = expected.item if isinstance(expected, ListType) else None
            parts = [self.read(child, item) for child in node.items]
            return ex.ListLiteral(span=node.span, items=tuple(part for part in parts if part is not None))
        if isinstance(node, YamlMapping):
            return self._record(node, expected)
        if node.expression:
            found = scalar_text(self._reader.source, node)
            return parse_expression(found.text, found.map, self._reader.sink)
        return self._scalar(node, expected)

    def _record(self, node: YamlMapping, expected: TypeExpr | None) -> ex.RecordLiteral:
        declared: dict[str, TypeExpr] = {}
        if isinstance(expected, NamedType) and expected.name in self._records:
            declared = {field.name.name: field.type for field in self._records[expected.name].fields}
        fields = []
        for key, value in node.pairs:
            literal = self.read(value, declared.get(key.value))
            if literal is not None:
                found = scalar_text(self._reader.source, key)
                name = ex.Ident(span=key.span, name=found.text)
                fields.append(ex.RecordField(span=key.span.to(value.span), name=name, value=literal))
        return ex.RecordLiteral(span=node.span, fields=tuple(fields))

    def _scalar(self, node: YamlScalar, expected: TypeExpr | None) -> ex.Expr | None:
        value = core_value(node)
        if value is None:
            return ex.NoneLiteral(span=node.span)
        if isinstance(value, bool):
            return ex.BoolLiteral(span=node.span, value=value)
        if isinstance(value, int):
            return self._number(node, value)
        doubt = disputed(node)
        if doubt is not None:
            if doubt.value is not None and _is(expected, "bool"):
                self._reader.old_bool(node, doubt.value)
                return ex.BoolLiteral(span=node.span, value=doubt.value)
            if doubt.value is None and (_is(expected, "int") or isinstance(expected, RangeType)):
                self._reader.odd_number(node)
                return None
            if expected is None or _is(expected, "json"):
                self._warn(node, doubt.reading)
        return ex.TextLiteral(span=node.span, value=scalar_text(self._reader.source, node).text)

    def _number(self, node: YamlScalar, value: int) -> ex.Expr | None:
        if not self._reader.in_range(node, value):
            return None
        if not node.value.startswith("-"):
            return ex.IntLiteral(span=node.span, value=value)
        # As the DSL reads `-5`: a sign and a number.
        digits = Span(node.span.path, node.span.start + 1, node.span.end)
        return ex.Negate(span=node.span, operand=ex.IntLiteral(span=digits, value=-value))

    def _warn(self, node: YamlScalar, reading: str) -> None:
        quoted = f'"{node.value}"'
        meant = disputed(node)
        words = f"write {quoted} for the text"
        if meant is not None and meant.value is not None:
            words += f", `{str(meant.value).lower()}` for the bool"
        self._reader.report(
            "PC160",
            f"`{node.value}` is a text here, and {reading} to other YAML readers",
            node.span,
            "read as a text",
            words,
            fix=Fix(f"write {quoted}", (Edit(node.span, quoted),), Applicability.SAFE),
        )


def _is(expected: TypeExpr | None, name: str) -> bool:
    return isinstance(expected, NamedType) and expected.name == name
