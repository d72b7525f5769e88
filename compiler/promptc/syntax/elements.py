"""The elements of a declaration: sections, includes and tools, wherever in lanes, blocks and edits they stand."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes

Element: TypeAlias = nodes.SectionDecl | nodes.IncludeItem | nodes.ToolGroup | nodes.ToolDecl


def elements_in(items: Iterable[nodes.Item | nodes.PromptItem | nodes.LaneItem]) -> Iterator[Element]:
    """All elements of some declarations, in source order."""
    for item in items:
        match item:
            case nodes.SectionDecl() | nodes.IncludeItem() | nodes.ToolGroup() | nodes.ToolDecl():
                yield item
            case nodes.PromptDecl(items=inner):
                yield from elements_in(inner)
            case nodes.Lane(items=inner_lane):
                yield from elements_in(inner_lane)
            case nodes.Block(items=inner_block):
                yield from elements_in(inner_block)
            case nodes.Edit(item=edited) if edited is not None:
                yield from elements_in((edited,))
            case _:
                continue


def body_sources(items: Iterable[nodes.Item | nodes.PromptItem | nodes.LaneItem]) -> Iterator[ast.BodySource]:
    """All places in some declarations that name a body, in source order."""
    for element in elements_in(items):
        match element:
            case nodes.SectionDecl(content=nodes.DeltaBody(first=first, changed=changed, gone=gone)):
                yield from (b for b in (first, changed, gone) if b is not None)
            case nodes.SectionDecl(content=ast.Template() | ast.FileRef() as content):
                yield content
            case nodes.ToolDecl(description=description, schema=schema):
                yield from (b for b in (description, schema) if b is not None)
            case _:
                continue
