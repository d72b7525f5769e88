"""Text that looks as if it changed with every request. These are guesses from the text, so they are warnings."""

import re
from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.frames import automatic_end
from promptc.providers.wire.view import Block, text_of

_VOLATILE = re.compile(
    r"(?P<time>\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?)"
    r"|(?P<id>\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)"
    r"|(?P<clock>\b[0-2]\d:[0-5]\d:[0-5]\d\b)"
    r"|(?P<epoch>\b1[6-9]\d{8}(?:\d{3})?\b)"
)
_WORDS = {"time": "a time stamp", "id": "a random id", "clock": "a clock time", "epoch": "an epoch time"}


def volatile_part(text: str) -> tuple[str, str] | None:
    """The first part of a text that looks volatile, as what it is and the part itself."""
    match = _VOLATILE.search(text)
    if match is None or match.lastgroup is None:
        return None
    return _WORDS[match.lastgroup], match.group()


def in_shared_prefix(context: Context) -> Iterator[Diagnostic]:
    """Volatile text in tools or system: every byte behind it is new with every request."""
    blocks = [b for b in context.view.blocks(context.provider.prefix_order.value) if b.lane != "messages"]
    for block in blocks:
        found = volatile_part(block.text if block.text is not None else text_of(block.raw))
        if found is None:
            continue
        what, part = found
        if block.mark is not None:
            yield finding(
                "PC620",
                f"the marked block holds {what}, `{part}`",
                block.pointer,
                notes=("if it changes, every request pays for a write that none reads",),
                help="mark the block before it, and move the changing part behind the marker",
            )
        else:
            yield finding(
                "PC622",
                f"{what}, `{part}`, stands in front of text that could be shared",
                block.text_pointer or block.pointer,
                notes=("if it changes, everything behind it is read by no later request",),
                help="move it behind the last marker, into the newest message",
            )
        return


def automatic_tail(context: Context) -> Iterator[Diagnostic]:
    """The automatic marker falls on a block that changes, and nothing marks the stable end before it."""
    automatic, last = context.view.request_mark, automatic_end(context.provider, context.view)
    if automatic is None or last is None or context.view.marks:
        return
    found = volatile_part(_content(last))
    if found is not None:
        yield finding(
            "PC621",
            f"the automatic marker falls on a block with {found[0]}, `{found[1]}`",
            last.pointer,
            notes=("the entry ends behind text that the next request will not repeat",),
            help="mark the last stable block as well",
        )


def _content(block: Block) -> str:
    return block.text if block.text is not None else text_of(block.raw)


RULES: tuple[Rule, ...] = (in_shared_prefix, automatic_tail)
