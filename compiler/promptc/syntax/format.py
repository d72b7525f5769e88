"""Print a module in its canonical form, comments in place."""

from collections import deque
from collections.abc import Sequence

from promptc.source import Source, Span
from promptc.syntax import nodes
from promptc.syntax.format_literals import declaration_lines
from promptc.syntax.format_nodes import INDENT, Printable, body_lines, body_of, children_of, head_of, mark_head


def format_module(module: nodes.Module, source: Source | None) -> str:
    """The canonical DSL text of a module.

    Formatting twice gives the same text, and the text parses back to the same tree.

    Args:
        module: A module without syntax errors.
        source: The DSL text that the module was parsed from: it says where blank lines stand and which comments stand
            beside code. None for a module from elsewhere.

    Returns:
        The text, ending in one line end; empty for an empty module. The source's own text for a broken module, which
        cannot be printed without loss.
    """
    if module.broken and source is not None:
        return source.text
    printer = _Printer(module.comments, source)
    lines = printer.block(module.items, "", "module", None)
    return "\n".join(lines) + "\n" if lines else ""


class _Printer:
    """Prints nodes in order and puts each comment before, beside or behind them.

    Attributes:
        waiting: Comments not printed yet, in source order.
        last: Source offset behind what was printed last; None at the start of a block.
    """

    def __init__(self, comments: tuple[nodes.Comment, ...], source: Source | None) -> None:
        self.waiting = deque(comments)
        self.source = source
        self.last: int | None = None

    def block(self, items: Sequence[Printable], indent: str, kind: str, end: int | None) -> list[str]:
        """The lines of what stands in one pair of braces, or in the module (`end` is None)."""
        lines: list[str] = []
        self.last = None
        before: tuple[str, bool] | None = None
        for item in items:
            leading = self.leading(item)
            gap = bool(lines) and self.gap(leading[0].span if leading else item.span)
            leading_lines = self.comment_lines(leading, indent)
            between = bool(leading) and self.gap(item.span)
            inner = self.item(item, indent, kind)
            name, long = type(item).__name__, len(inner) > 1
            if before is not None and kind == "module":
                gap = gap or long or before[1] or (self.source is None and name != before[0])
            lines += [""] * gap + leading_lines + [""] * between + inner
            before = (name, long)
        rest = self.until(end)
        if rest:
            gap = bool(lines) and (self.gap(rest[0].span) or (kind == "module" and before is not None and before[1]))
            lines += [""] * gap + self.comment_lines(rest, indent)
        return lines

    def item(self, item: Printable, indent: str, kind: str) -> list[str]:
        """The lines of one declaration with the comments inside and beside it."""
        head = mark_head(item, kind) if isinstance(item, nodes.CacheMark) else head_of(item)
        body, children = body_of(item), children_of(item)
        if body is not None:
            lines = body_lines(head, body, indent)
        elif children is None:
            lines = declaration_lines(item, head, indent)
        else:
            opening = f"{indent}{head} {{{self.beside(item.span.start)}"
            inner_kind = item.kind if isinstance(item, nodes.Lane) else ""
            inner = self.block(children, indent + INDENT, inner_kind, item.span.end)
            lines = [opening, *inner, indent + "}"] if inner or not opening.endswith("{") else [opening + "}"]
        self.last = item.span.end
        lines[-1] += self.beside(item.span.end)
        return lines

    # -- comments --------------------------------------------------------------------------------

    def leading(self, item: Printable) -> list[nodes.Comment]:
        """Comments to print above an item: those before it, and those inside one that is printed on one line."""
        return self.until(item.span.end if children_of(item) is None else item.span.start)

    def until(self, end: int | None) -> list[nodes.Comment]:
        """Take the comments that begin before an offset; all that are left for None."""
        taken: list[nodes.Comment] = []
        while self.waiting and (end is None or self.waiting[0].span.start < end):
            taken.append(self.waiting.popleft())
        return taken

    def beside(self, offset: int) -> str:
        """Take the comment that follows on the line of an offset, as the end of that line."""
        if self.source is None or not self.waiting:
            return ""
        comment = self.waiting[0]
        if comment.span.start < offset or "\n" in self.source.text[offset : comment.span.start]:
            return ""
        if not self.source.text[offset : comment.span.start].strip(" \t") or self.opens_block(offset, comment):
            self.waiting.popleft()
            self.last = comment.span.end
            return "  " + _text(comment)
        return ""

    def opens_block(self, offset: int, comment: nodes.Comment) -> bool:
        """Whether only a head and its `{` stand between an offset and a comment on the same line."""
        text = self.source.text[offset : comment.span.start] if self.source is not None else ""
        return text.rstrip(" \t").endswith("{") and text.count("{") == 1

    def comment_lines(self, comments: list[nodes.Comment], indent: str) -> list[str]:
        lines: list[str] = []
        for number, comment in enumerate(comments):
            if number and self.gap(comment.span):
                lines.append("")
            lines.append(indent + _text(comment))
            self.last = comment.span.end
        return lines

    def gap(self, span: Span) -> bool:
        """Whether a blank line stands in the source between what was printed last and a place."""
        if self.source is None or self.last is None:
            return False
        return self.source.text.count("\n", self.last, span.start) > 1


def _text(comment: nodes.Comment) -> str:
    text = comment.text.rstrip()
    return text if text.startswith("#") else f"# {text}".rstrip()
