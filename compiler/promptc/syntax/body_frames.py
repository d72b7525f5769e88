"""What is open while a body is read: one frame for each block, and the node it becomes."""

from promptc.source import Span
from promptc.syntax.bodies_ast import Branch, For, If, Part
from promptc.syntax.body_scanner import Tag
from promptc.syntax.expressions import Expr, Ident


class Frame:
    """One open block.

    Attributes:
        word: `if`, `for`, the word of a refused tag with a body, or empty for the body itself.
        tag: The tag that opened it; None for the body itself.
        parts: What was read since the last branch tag.
        branches: The arms of an `if` before `parts`: span of the tag, test (None where it could not be read), parts.
        target, iterable, test: The header of a `for`; the test of the present arm of an `if`.
        branch_span: Tag of the present arm of an `if`.
        else_tag: The `else`, once read.
        kept: The node goes into the tree. False for refused and too deeply nested blocks.
        excused: No complaint when it is not closed, since a finding about it stands already.
    """

    __slots__ = (
        "before_else",
        "branch_span",
        "branches",
        "else_tag",
        "excused",
        "iterable",
        "kept",
        "parts",
        "tag",
        "target",
        "test",
        "word",
    )

    def __init__(self, word: str, tag: Tag | None, *, kept: bool = True) -> None:
        self.word = word
        self.tag = tag
        self.parts: list[Part] = []
        self.before_else: list[Part] = []
        self.branches: list[Branch] = []
        self.target: Ident | None = None
        self.iterable: Expr | None = None
        self.test: Expr | None = None
        self.branch_span: Span | None = None
        self.else_tag: Tag | None = None
        self.kept = kept
        self.excused = not kept

    def end_branch(self) -> None:
        """Close the present arm: what was read belongs to it, and a new arm begins."""
        if self.word == "if" and self.else_tag is None and self.test is not None and self.branch_span is not None:
            self.branches.append(Branch(span=self.branch_span, test=self.test, body=tuple(self.parts)))
        elif self.word == "for":
            self.before_else = self.parts
        self.parts = []
        self.test = None if self.word == "if" else self.test

    def node(self, span: Span) -> If | For | None:
        """The block as a node, or None when its head could not be read."""
        if not self.kept:
            return None
        if self.word == "for":
            if self.target is None or self.iterable is None:
                return None
            body, orelse = (self.parts, []) if self.else_tag is None else (self.before_else, self.parts)
            return For(
                span=span,
                target=self.target,
                iterable=self.iterable,
                test=self.test,
                body=tuple(body),
                orelse=tuple(orelse),
            )
        orelse_parts = tuple(self.parts) if self.else_tag is not None else ()
        if self.else_tag is None:
            self.end_branch()
        return If(span=span, branches=tuple(self.branches), orelse=orelse_parts) if self.branches else None
