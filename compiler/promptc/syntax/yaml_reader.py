"""Read a `*.promptc.yaml` source into the AST that the DSL gives."""

from promptc.diagnostics.sink import Sink
from promptc.source import Source, Span
from promptc.syntax.nodes import Item, Module
from promptc.syntax.yaml_build import build_items
from promptc.syntax.yaml_comments import find_comments
from promptc.syntax.yaml_fields import FieldReader, is_null
from promptc.syntax.yaml_nodes import compose


def parse_yaml_module(source: Source, sink: Sink) -> Module:
    """The module of a YAML source.

    Never raises on bad input: what is wrong is reported as PC111, PC116 or PC150 to PC169, expressions and types with
    the codes of the DSL. `broken` is True after any error; declarations that could not be read are missing.
    """
    found = Sink()
    root, whole = compose(source, found)
    items: tuple[Item, ...] = ()
    if root is not None and not is_null(root):
        # After a problem that loses content, what is missing further on is not the author's second mistake.
        items = build_items(root, FieldReader(source, found if whole else Sink()))
    sink.extend(found.sorted())
    comments = find_comments(source, root)
    return Module(
        span=Span(source.path, 0, len(source.text)),
        path=source.path,
        items=items,
        comments=comments,
        broken=found.has_errors,
    )
