"""Blocks that the API refuses for what they hold."""

from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.providers.checks.context import Context, Rule, finding


def empty_text(context: Context) -> Iterator[Diagnostic]:
    """Text blocks with nothing but white space; a marked one is the markers' business."""
    if not context.provider.feature("empty_text_refused"):
        return
    for block in context.view.blocks(context.provider.prefix_order.value):
        # An empty plain string is the usual way to say that there is no system text.
        if block.kind != "text" or block.text is None or block.mark is not None or block.pointer == "/system":
            continue
        if not block.text.strip():
            # Answers with a block of one blank have been seen to be accepted when they came back.
            seen_accepted = block.role == "assistant" and bool(block.text)
            yield finding(
                "PC670",
                "this text block is empty" if not block.text else "this text block holds only white space",
                block.pointer,
                notes=() if seen_accepted else context.refusal("empty-text-block"),
                help="leave the block out",
                severity=Severity.WARNING if seen_accepted else None,
            )


RULES: tuple[Rule, ...] = (empty_text,)
