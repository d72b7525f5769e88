"""Inserted text that breaks out of what was put around it, and templates that were not filled in."""

import re
from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.wire.view import Block

_OPENS = re.compile(r"\s*<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_CODE = re.compile(r"(?ms)^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1[`~]*[ \t]*$|`[^`\n]*`")
_PLACEHOLDER = re.compile(r"(?<![$\\%#{}\w])(\{\{ ?([A-Za-z_][\w.]*) ?\}\}|\{([A-Za-z_]\w*)\})")
_JSON_VALUE = re.compile(r'"\s*:\s*$')


def breakout(context: Context) -> Iterator[Diagnostic]:
    """A text in an envelope that closes the envelope before its end."""
    for block in _given(context):
        text = block.text or ""
        opened = _OPENS.match(text)
        if opened is None:
            continue
        name = opened.group(1)
        closing = f"</{name}>"
        if not text.rstrip().endswith(closing):
            continue
        opens = len(re.findall(rf"<{re.escape(name)}(?:\s[^<>]*)?>", text))
        if text.count(closing) > opens:
            yield finding(
                "PC675",
                f"the text inside `<{name}>` closes it before its end",
                block.text_pointer,
                notes=("what stands behind the first closing tag reads as text outside the envelope",),
                help="neutralise the tag in what is inserted, or use an envelope that it cannot hold",
            )


def fences(context: Context) -> Iterator[Diagnostic]:
    """A fenced text that holds a fence at least as wide as its own."""
    for block in _given(context):
        verdict = _collision((block.text or "").strip("\n"))
        if verdict is not None:
            yield finding(
                "PC676",
                "the text in this fence holds a fence of the same width, which ends it early",
                block.text_pointer,
                help="make the outer fence one longer than the longest run inside",
                severity=None if verdict == "sure" else Severity.WARNING,
            )


def _collision(text: str) -> str | None:
    """`sure` where an inner fence can only be one that opens, `likely` where it could be two blocks in a row."""
    lines = text.split("\n")
    first, last = _FENCE.match(lines[0]), _FENCE.match(lines[-1])
    if first is None or last is None or len(lines) < 4 or last.group(2).strip():
        return None
    mark, width = first.group(1)[0], len(first.group(1))
    inner = [
        (at, found)
        for at, line in enumerate(lines[1:-1], start=1)
        if (found := _FENCE.match(line)) and found.group(1)[0] == mark and len(found.group(1)) >= width
    ]
    if not inner or len(inner) % 2:
        return None
    at, found = inner[0]
    lead = lines[at - 1].rstrip()
    if found.group(2).strip():
        return "sure"
    if any(other.group(2).strip() for _, other in inner):
        return None
    return "sure" if at > 1 and lead.endswith(":") else "likely"


def placeholders(context: Context) -> Iterator[Diagnostic]:
    """Placeholders of a template that reached the request."""
    for block in context.view.blocks(context.provider.prefix_order.value):
        system = block.lane == "system" or block.role in ("system", "developer")
        if not system or not block.text:
            continue
        bare = _CODE.sub(lambda found: " " * len(found.group()), block.text)
        found = _PLACEHOLDER.search(bare)
        if found is None:
            continue
        # Double braces, or a name where JSON wants a value, are no prose; a lone `{name}` may be.
        certain = found.group(2) is not None or _JSON_VALUE.search(bare[: found.start()]) is not None
        yield finding(
            "PC678",
            f"the placeholder `{found.group(1)}` was not filled in",
            block.text_pointer,
            notes=("literal braces and placeholders of a template look the same to a formatter",),
            help="insert values, and never treat literal text as a template",
            severity=None if certain else Severity.WARNING,
        )


def _given(context: Context) -> Iterator[Block]:
    """Blocks that others wrote: everything but the model's own words."""
    for block in context.view.blocks(context.provider.prefix_order.value):
        if block.text and block.role != "assistant" and block.lane != "tools":
            yield block


RULES: tuple[Rule, ...] = (breakout, fences, placeholders)
