"""Read a `traffic` block from YAML nodes."""

from collections.abc import Callable
from typing import Literal, TypeVar, cast

from promptc.syntax import traffic_nodes as parts
from promptc.syntax.yaml_fields import FieldReader, is_null
from promptc.syntax.yaml_nodes import YamlNode, YamlScalar
from promptc.syntax.yaml_prompt_models import Shape
from promptc.syntax.yaml_traffic_models import BlocksShape, GapShape, SessionsShape, Traffic

Named = TypeVar("Named", bound=parts.SizeOf | parts.Present)


class TrafficReader:
    """Reads the one block of a module."""

    def __init__(self, reader: FieldReader) -> None:
        self._read = reader

    def traffic(self, key: YamlScalar, node: YamlNode) -> parts.TrafficDecl | None:
        """The value of the key `traffic`."""
        fields = self._read.fields(node, Traffic, "`traffic`")
        if fields is None:
            return None
        items: list[parts.TrafficItem] = []
        for name, value in fields.values.items():
            items.extend(self._clause(fields.keys[name], value))
        return parts.TrafficDecl(span=key.span.to(fields.span), items=tuple(items))

    def _clause(self, key: YamlScalar, node: YamlNode) -> list[parts.TrafficItem]:
        name, span = key.value, key.span.to(node.span)
        if name == "sessions":
            found = [self._sessions(item) for item in self._read.items(node, name)]
            return [item for item in found if item is not None]
        if name == "gaps":
            return [parts.Gaps(span=span, shares=self._shares(node, name, GapShape))]
        if name == "blocks":
            return [parts.Blocks(span=span, shares=self._shares(node, name, BlocksShape))]
        if name == "sizes":
            return list(self._named(node, name, lambda at, word, n: parts.SizeOf(span=at, name=word, tokens=n)))
        if name == "present":
            return list(self._named(node, name, lambda at, word, n: parts.Present(span=at, name=word, percent=n)))
        count = self._read.integer(node, name)
        if count is None:
            return []
        return [parts.Turns(span=span, count=count) if name == "turns" else parts.TurnTokens(span=span, count=count)]

    def _sessions(self, node: YamlNode) -> parts.Sessions | None:
        fields = self._read.fields(node, SessionsShape, "an item of `sessions`")
        if fields is None:
            return None
        count_node, per_node, class_node = fields.get("count"), fields.get("per"), fields.get("class")
        count = self._read.integer(count_node, "count") if count_node else None
        per = self._read.choice(per_node, "per", ("hour", "day")) if per_node else None
        cls = self._read.stability_class(class_node) if class_node else None
        if count is None or per is None:
            return None
        return parts.Sessions(span=fields.span, count=count, per=cast(Literal["hour", "day"], per), cls=cls)

    def _shares(self, node: YamlNode, key: str, shape: type[Shape]) -> tuple[parts.Share, ...]:
        found = []
        for item in self._read.items(node, key):
            fields = self._read.fields(item, shape, f"an item of `{key}`")
            percent_node, within_node = (fields.get("percent"), fields.get("within")) if fields else (None, None)
            percent = self._read.integer(percent_node, "percent") if percent_node else None
            within = self._within(within_node, shape) if within_node else None
            if fields is not None and percent is not None and within is not None:
                found.append(parts.Share(span=fields.span, percent=percent, within=within))
        return tuple(found)

    def _within(self, node: YamlNode, shape: type[Shape]) -> int | None:
        if shape is BlocksShape:
            return self._read.integer(node, "within")
        duration = self._read.duration(node, "within")
        return duration.seconds if duration is not None else None

    def _named(self, node: YamlNode, key: str, build: Callable[..., Named]) -> list[Named]:
        out: list[Named] = []
        for entry, value in self._read.pairs(node, key):
            if is_null(value):
                self._read.no_value(entry)
                continue
            name = self._read.key_ident(entry)
            count = self._read.integer(value, entry.value)
            if name is not None and count is not None:
                out.append(build(entry.span.to(value.span), name, count))
        return out
