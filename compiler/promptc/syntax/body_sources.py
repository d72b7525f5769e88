"""All places in a declaration that name a body."""

from collections.abc import Iterator

from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes


def body_sources(item: nodes.Item | nodes.PromptItem | nodes.LaneItem) -> Iterator[ast.BodySource]:
    """Body sources of a declaration and everything in it, in source order."""
    match item:
        case nodes.SectionDecl(content=nodes.DeltaBody(first=first, changed=changed, gone=gone)):
            yield from (b for b in (first, changed, gone) if b is not None)
        case nodes.SectionDecl(content=ast.Template() | ast.FileRef() as content):
            yield content
        case nodes.ToolDecl(description=description, schema=schema):
            yield from (b for b in (description, schema) if b is not None)
        case nodes.PromptDecl(items=prompt_items):
            for prompt_item in prompt_items:
                yield from body_sources(prompt_item)
        case nodes.Lane(items=lane_items):
            for lane_item in lane_items:
                yield from body_sources(lane_item)
        case nodes.Block(items=sections):
            for section in sections:
                yield from body_sources(section)
        case nodes.Edit(item=edited) if edited is not None:
            yield from body_sources(edited)
        case _:
            return
