"""The text of POML elements, as the format itself writes it in Markdown."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from promptc.importing import lost
from promptc.importing.model import BOOL, TEXT, Arm, For, If, Out, Part, Parts, Text
from promptc.importing.poml_tree import Chars, Element, Node
from promptc.importing.poml_values import attribute_text, bare, folded, indented, running, value_of
from promptc.importing.scope import Findings, Scope, hole, name
from promptc.source import Span
from promptc.syntax import expressions as ex

# Caption and style of elements that have one by themselves.
_CAPTIONS = {
    "role": ("Role", "header"),
    "task": ("Task", "header"),
    "outputformat": ("Output Format", "header"),
    "stepwiseinstructions": ("Stepwise Instructions", "header"),
    "examples": ("Examples", "header"),
    "exampleset": ("Examples", "header"),
    "hint": ("Hint", "bold"),
    "introducer": ("Introducer", "hidden"),
    "example": ("Example", "hidden"),
    "exampleinput": ("Input", "bold"),
    "input": ("Input", "bold"),
    "exampleoutput": ("Output", "bold"),
    "output": ("Output", "bold"),
    "cp": ("", "header"),
    "captionedparagraph": ("", "header"),
}
_INLINE = {
    "b": "**",
    "bold": "**",
    "i": "*",
    "italic": "*",
    "u": "__",
    "underline": "__",
    "s": "~~",
    "strike": "~~",
    "strikethrough": "~~",
    "span": "",
    "inline": "",
}
_PLAIN_BLOCKS = frozenset({"p", "paragraph", "div", "text", "poml", "section", "subcontent", "template"})
_MARKS = {"star": "*", "dash": "-", "plus": "+"}
_TEXT_FILES = (".txt", ".md", ".markdown", ".py", ".js", ".ts", ".json", ".csv", ".xml", ".html", ".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes elements as parts.

    Attributes:
        level: Of the next heading.
    """

    found: Findings
    scope: Scope
    level: int = 1

    def drop(self, element: Element, reason: str) -> None:
        """Say that an element is left out."""
        self.found.sink.report(lost.construct(element.span, f"`<{element.tag}>`", reason))

    # -- blocks ----------------------------------------------------------------------------------

    def content(self, nodes: Sequence[Node], keep: bool = False) -> Parts:
        """What some nodes say: runs of text and inline elements are paragraphs, an empty line between blocks."""
        blocks: list[Parts] = []
        run: list[Part] = []
        for node in nodes:
            if isinstance(node, Chars):
                run.extend(running(node.text, node.map, self.scope, self.found, keep))
            elif node.tag in _INLINE or node.tag == "br" or (node.tag == "code" and node.get("inline") != "false"):
                run.extend(self.guarded(node, lambda w, n: w.inline(n), ()))
            else:
                blocks.append(tuple(run) if keep else folded(tuple(run)))
                run = []
                blocks.append(self.block(node))
        blocks.append(tuple(run) if keep else folded(tuple(run)))
        return joined(blocks, "\n\n")

    def block(self, element: Element) -> Parts:
        """One element with its `for` and `if`."""
        return self.guarded(element, lambda w, e: w.bare_block(e), (Text("\n\n", element.span),))

    def guarded(self, element: Element, write: "Write", between: Parts) -> Parts:
        """What an element says, inside its loop and its condition."""
        loop, test = element.get("for"), element.get("if")
        writer, source, target = self, None, ""
        if loop is not None:
            target, word, rest = loop.partition(" in ")
            target = target.strip()
            source = value_of(bare(rest), element.span, self.scope, self.found, None) if word else None
            if source is None:
                return ()
            scope = self.scope.loop(target, element.span)
            writer = replace(self, scope=scope)
        checked = value_of(bare(test), element.span, writer.scope, self.found, BOOL) if test is not None else None
        if test is not None and checked is None:
            return ()
        parts = write(writer, element)
        if not parts:
            return ()
        if source is not None:
            if between:
                again = ex.Not(span=element.span, operand=_loop_last(element.span))
                parts = (*parts, If((Arm(again, between),), (), element.span))
            return (For(target, source, checked, parts, (), element.span),)
        return (If((Arm(checked, parts),), (), element.span),) if checked is not None else parts

    def bare_block(self, element: Element) -> Parts:
        """What an element says, its `for` and `if` apart."""
        tag = element.tag
        if tag in _CAPTIONS:
            return self.captioned(element, *_CAPTIONS[tag])
        if tag in _PLAIN_BLOCKS:
            keep = element.get("whitespace") == "pre" or element.get("syntax") == "text"
            return self.content(element.children, keep)
        if tag == "list":
            return self.list(element)
        if tag in ("item", "listitem"):
            return self.content(element.children)
        if tag in ("h", "header"):
            return (Text("#" * self.level + " ", element.span), *self.content(element.children))
        if tag in ("qa", "question"):
            return self.question(element)
        if tag == "code":
            inner = self.content(element.children, keep=not any(isinstance(c, Element) for c in element.children))
            opening = f"```{element.get('lang') or ''}\n"
            return (Text(opening, element.span), *_stripped(inner), Text("\n```", element.span))
        if tag in ("document", "doc"):
            return self.document(element)
        if tag in ("object", "dataobject", "table") and (element.get("data") or element.get("records")):
            return self.data(element)
        self.drop(
            element,
            "a spec holds text only" if tag in ("img", "image", "audio", "video") else "it has no text of its own here",
        )
        return ()

    def captioned(self, element: Element, caption: str, style: str) -> Parts:
        """A caption, and what stands under it."""
        given = element.get("caption")
        style = element.get("captionstyle") or style
        text = attribute_text(given if given is not None else caption, element.span, self.scope, self.found)
        if element.get("captiontexttransform") in ("upper", "lower"):
            change = str.upper if element.get("captiontexttransform") == "upper" else str.lower
            text = tuple(replace(p, text=change(p.text)) if isinstance(p, Text) else p for p in text)
        header = style == "header" and bool(text)
        inner = replace(self, level=self.level + header).content(element.children)
        if style == "hidden" or not text:
            return inner
        span = element.span
        ending = element.get("captionending") or ("none" if header else "colon")
        colon = ":" if "colon" in ending else ""
        if header:
            return joined([(Text("#" * self.level + " ", span), *text, Text(colon, span)), inner], "\n\n")
        mark = "**" if style == "bold" else ""
        behind = "\n" if "newline" in ending else " "
        return (Text(mark, span), *text, Text(f"{colon}{mark}{behind}", span), *inner)

    def list(self, element: Element) -> Parts:
        """A list; one of its items that has blocks of its own sets all of them apart."""
        style = element.get("liststyle") or "dash"
        items = [c for c in element.children if isinstance(c, Element)]
        for child in element.children:
            if isinstance(child, Chars) and child.text.strip():
                self.found.sink.report(
                    lost.construct(child.map.span(0, len(child.text)), "text between items", "a list has items only")
                )
        loose = any(isinstance(c, Element) and c.tag in ("list", "p", "cp") for item in items for c in item.children)
        between = "\n\n" if loose else "\n"
        written: list[Parts] = []
        for number, item in enumerate(items, start=1):
            mark = f"{number}." if style == "decimal" else _MARKS.get(style, "-")
            write = _item_writer(mark, number - 1 if style == "decimal" and item.get("for") is not None else None)
            written.append(self.guarded(item, write, (Text(between, item.span),)))
            if style == "decimal" and item.get("for") is not None and number < len(items):
                self.found.sink.report(
                    lost.altered(items[number].span, "the number of this item", "counts the loop in front as one")
                )
        return joined(written, between)

    def question(self, element: Element) -> Parts:
        """A question and the caption of its answer."""
        span = element.span
        question = element.get("questioncaption") or "Question"
        answer = element.get("answercaption") or "Answer"
        inner = self.content(element.children)
        return (Text(f"**{question}:** ", span), *inner, Text(f"\n\n**{answer}:**", span))

    # -- inline ----------------------------------------------------------------------------------

    def inline(self, element: Element) -> Parts:
        """An element inside a line."""
        span = element.span
        if element.tag == "br":
            return (Text("\n", span),)
        inner: list[Part] = []
        for node in element.children:
            if isinstance(node, Chars):
                keep = element.get("whitespace") in ("pre", "trim")
                inner.extend(running(node.text, node.map, self.scope, self.found, keep))
            else:
                inner.extend(self.guarded(node, lambda w, n: w.inline(n) if n.tag in _INLINE else w.bare_block(n), ()))
        mark = "`" if element.tag == "code" else _INLINE[element.tag]
        return (Text(mark, span), *inner, Text(mark, span)) if mark else tuple(inner)

    # -- data ------------------------------------------------------------------------------------

    def document(self, element: Element) -> Parts:
        """Another file in place: a text is taken in, one that is named by a value is the host's."""
        path = element.get("src")
        if path is None:
            return self.content(element.children)
        if "{{" in path:
            value = hole(
                f"{bare(path)} document", element.span, "the host reads the file", TEXT, self.scope, self.found
            )
            return (Out(value, element.span),) if value is not None else ()
        if not path.lower().endswith(_TEXT_FILES):
            self.found.sink.report(lost.missing_part(element.span, path, "only texts are taken in"))
            return ()
        source = self.found.part(path, element.span)
        if source is None:
            return ()
        self.found.open.pop()
        return (Text(source.text.strip("\n"), Span(source.path, 0, len(source.text))),)

    def data(self, element: Element) -> Parts:
        """A value as text: as JSON where the file wants that, else the host writes it."""
        raw = bare(element.get("data") or element.get("records") or "")
        if element.tag != "table" and element.get("syntax") in (None, "json"):
            value = value_of(raw, element.span, self.scope, self.found, None)
            if value is None:
                return ()
            self.found.sink.report(
                lost.altered(element.span, f"`<{element.tag}>`", "is compact JSON here, with keys in order")
            )
            json = ex.Ident(span=element.span, name="json")
            return (Out(ex.Filter(span=element.span, value=value, name=json, args=()), element.span),)
        form = element.get("syntax") or "table"
        text = hole(f"{raw} as {form}", element.span, "the host writes it as text", TEXT, self.scope, self.found)
        return (Out(text, element.span),) if text is not None else ()


Write: TypeAlias = Callable[[Writer, Element], Parts]


def _item_writer(mark: str, before: int | None) -> Write:
    """Writes an item behind its mark; behind a number that counts the loop and the items before it, where there is one."""

    def write(writer: Writer, node: Element) -> Parts:
        span = node.span
        inner = indented(writer.content(node.children), " " * (len(mark) + 1))
        if before is None:
            return (Text(f"{mark} ", span), *inner)
        number: ex.Expr = ex.Attribute(span=span, value=name("loop", span), name=ex.Ident(span=span, name="index"))
        if before:
            number = ex.Binary(span=span, op="+", left=number, right=ex.IntLiteral(span=span, value=before))
        return (Out(number, span), Text(". ", span), *inner)

    return write


def joined(blocks: Sequence[Parts], between: str) -> Parts:
    """Blocks with a separator between those that are there."""
    out: list[Part] = []
    needed = False
    present = [block for block in blocks if block]
    for number, block in enumerate(present):
        first = block[0]
        optional = len(block) == 1 and isinstance(first, If | For)
        separator = Text(between, first.span)
        if not optional:
            out += [separator, *block] if needed else block
            needed = True
        elif isinstance(first, If):
            body = first.arms[0].body
            if needed:
                body = (separator, *body)
            elif number + 1 < len(present):
                body = (*body, separator)
            out.append(replace(first, arms=(Arm(first.arms[0].test, body),)))
        elif isinstance(first, For):
            out += _loop_between(first, separator, needed, number + 1 < len(present))
    return tuple(out)


def _loop_between(loop: For, separator: Text, needed: bool, more: bool) -> Iterator[Part]:
    """A loop whose elements are set apart from each other, and from what is around them."""
    body = loop.body
    if (needed or more) and isinstance(body[-1], If):
        body = body[:-1]
    if needed:
        body = (separator, *body)
    elif more:
        body = (*body, separator)
    yield replace(loop, body=body)


def _loop_last(span: Span) -> ex.Expr:
    return ex.Attribute(span=span, value=name("loop", span), name=ex.Ident(span=span, name="last"))


def _stripped(parts: Parts) -> Parts:
    out = list(parts)
    if out and isinstance(out[0], Text):
        out[0] = replace(out[0], text=out[0].text.lstrip("\n"))
    if out and isinstance(out[-1], Text):
        out[-1] = replace(out[-1], text=out[-1].text.rstrip())
    return tuple(out)
