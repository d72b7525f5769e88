"""Where items and braces stand in a text that does not parse: what recovery holds on to.

The outline needs no grammar. It knows texts, comments, braces, and which keywords begin an item in which block.
"""

import re
from dataclasses import dataclass, field

from promptc.diagnostics.suggest import suggest
from promptc.syntax.strings import read_block

_SECTIONS = ("section", "include", "separator")
ITEMS: dict[str, tuple[str, ...]] = {
    "module": (
        "language", "use", "stability", "record", "scope", "envelope", "input", "gate", "require", "section",
        "prompt", "sample", "limit", "traffic", "allow",
    ),
    "prompt": (
        "target", "model", "max_tokens", "cache", "tools", "system", "preamble", "conversation", "tail", "replace", "remove",
        "insert",
    ),
    "tools": ("group", "tool", "cache", "separator"),
    "system": ("cache", "uncached", *_SECTIONS),
    "preamble": _SECTIONS,
    "tail": _SECTIONS,
    "conversation": ("history", "cache"),
    "cache": ("section", "include"),
    "uncached": ("section", "include"),
    "section": ("first", "changed", "gone"),
    "replace": ("first", "changed", "gone", "description", "schema"),
    "insert": ("first", "changed", "gone", "description", "schema"),
    "tool": ("description", "schema"),
    "envelope": ("open", "close"),
    "sample": ("user", "assistant"),
    "record": (),
    "traffic": ("sessions", "turns", "gaps", "blocks", "tokens", "present"),
}  # fmt: skip
_CLAUSES = ("when", "deliver", "pin", "from", "untrusted", "max", "ttl", "holds", "cut", "order", "defer", "policy")
_CONTINUES = frozenset((*_CLAUSES, "fallback", "extends", "for", "with", "in", "is", "and", "or", "not", "if", "else"))
# The shortest head that makes a block of each kind, to read on inside a block whose own head is wrong.
HEADS = {
    "prompt": "prompt _{",
    "tools": "tools{",
    "system": "system{",
    "preamble": "preamble{",
    "tail": "tail{",
    "conversation": "conversation{",
    "cache": "cache _{",
    "uncached": "uncached{",
    "tool": "tool _{",
    "record": "record _{",
    "traffic": "traffic{",
    "sample": "sample _ for _{",
}
_ALL = frozenset(word for words in ITEMS.values() for word in words)
_ONLY_TOP = frozenset(ITEMS["module"]) - {"section", "allow"}
TOKEN = re.compile(
    r"#[^\n]*"
    r'|(?P<block>(?P<quotes>"{3,})(?!")'
    r'(?:[^\n]*?[^"\n](?P=quotes)(?!")|[^\n]*\n(?:[^\n]*\n)*?[ \t]*(?P=quotes)(?!")))'
    r'|(?P<open>"{3,})'
    r'|"(?:[^"\\\n]|\\[^\n])*"|\'(?:[^\'\\\n]|\\[^\n])*\''
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<brace>[{}])|@[^\S\n]*[A-Za-z0-9_]*"
)
_KEY = re.compile(r"[ \t]*(?::|=(?!=))")


@dataclass(slots=True)
class Item:
    """One item of a block, or of the module.

    Attributes:
        start: Its first word.
        keyword: That word; for a misspelt one that opens a block, the word that was probably meant.
        parent: The item whose block holds it; None at top level.
        opening: Its `{`, or -1.
        closing: The `}` that closes it, or -1.
    """

    start: int
    keyword: str
    parent: "Item | None"
    opening: int = -1
    closing: int = -1


@dataclass(slots=True)
class Outline:
    """The items and braces of a text.

    Attributes:
        items: In order of their start; a word that begins no known item opens none, unless a block follows.
        unclosed_texts: Where block texts open that never close, with the place where reading goes on.
        open_braces: Every `{` without partner.
        stray_braces: Every `}` without partner.
    """

    items: list[Item] = field(default_factory=list)
    unclosed_texts: dict[int, int] = field(default_factory=dict)
    open_braces: list[int] = field(default_factory=list)
    stray_braces: list[int] = field(default_factory=list)

    def block_at(self, offset: int) -> Item | None:
        """The item whose block holds an offset; None at top level."""
        found = None
        for item in self.items:
            if item.start > offset:
                break
            if 0 <= item.opening < offset and (item.closing < 0 or offset <= item.closing):
                found = item
        return found

    def item_at(self, offset: int, block: Item | None) -> Item | None:
        """The last item directly in a block that begins at or before an offset."""
        return next((i for i in reversed(self.items) if i.parent is block and i.start <= offset), None)

    def next_item(self, offset: int, block: Item | None) -> int | None:
        """Where the next item directly in a block begins, behind an offset."""
        return next((i.start for i in self.items if i.parent is block and i.start > offset), None)


def is_first(text: str, offset: int) -> bool:
    """Whether only blanks stand before an offset on its line."""
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip(" \t")


def outline(text: str) -> Outline:
    """Find items, braces and unclosed texts."""
    return _Walk(text).run()


def top_level_starts(text: str) -> list[int]:
    """Where declarations begin in the first column, also inside a block that was not closed before."""
    found = outline(text)
    return [
        item.start
        for item in found.items
        if (item.start == 0 or text[item.start - 1] == "\n") and (item.parent is None or item.keyword in _ONLY_TOP)
    ]


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.out = Outline()
        self.stack: list[Item | None] = [None]  # whose block we are in
        self.last: Item | None = None  # the item that a `{` would belong to
        self.loose: Item | None = None  # a first word that is no known keyword
        self.fresh = True  # right behind a brace

    def run(self) -> Outline:
        at = 0
        while (match := TOKEN.search(self.text, at)) is not None:
            at = match.end()
            kind = match.lastgroup
            if kind == "word":
                self.word(match)
            elif kind == "brace":
                self.brace(match)
            elif kind == "open" or (kind == "block" and _swallows(match)):
                at = self.unclosed(match.start())
            if kind != "brace" and match[0][0] != "#":
                self.fresh = False
        self.out.open_braces += [i.opening for i in self.stack[1:] if i is not None]
        return self.out

    def word(self, match: re.Match[str]) -> None:
        word, start = match[0], match.start()
        block = self.stack[-1]
        in_list = block is not None and block.keyword in ("record", "sample")
        if not self.fresh and not is_first(self.text, start) and not (in_list and self.text[start - 1] in " \t"):
            return
        known = ITEMS.get(block.keyword if block is not None else "module", ())
        key = _KEY.match(self.text, match.end())
        keyed = key is not None
        if in_list:
            sign = ":" if block is not None and block.keyword == "record" else "="
            begins = word in known or (key is not None and key[0].endswith(sign) and not self.in_brackets(start))
        else:
            # Also a keyword of another block, or one misspelt: either way the item before it has ended.
            begins = not keyed and (word in _ALL or suggest(word, known) is not None)
        column_one = start == 0 or self.text[start - 1] == "\n"
        if not begins and column_one and not keyed:
            # At top level any word in the first column, unless it goes on with a declaration or with a lost text.
            lost = bool(self.out.unclosed_texts)
            begins = word in _ONLY_TOP if block is not None else word not in _CONTINUES and not lost
        item = Item(start, word, block)
        if begins:
            self.out.items.append(item)
            self.last, self.loose = item, None
        else:
            self.loose = item

    def in_brackets(self, start: int) -> bool:
        """Whether a name stands behind `(` or `,`: it is an argument or a field of a literal."""
        at = start - 1
        while at > 0 and self.text[at] in " \t\n":
            at -= 1
        return self.text[at] in "(,"

    def brace(self, match: re.Match[str]) -> None:
        at = match.start()
        if match[0] == "{":
            owner = self.loose or self.last
            if owner is None or owner.opening >= 0 or owner.parent is not self.stack[-1]:
                owner = Item(at, "", self.stack[-1])
                self.out.items.append(owner)
            elif owner is self.loose:
                self.out.items.append(owner)
            owner.keyword = _meant(owner)
            owner.opening = at
            self.stack.append(owner)
            self.last = self.loose = None
        elif len(self.stack) > 1:
            closed = self.stack.pop()
            if closed is not None:
                closed.closing = at
            self.last, self.loose = closed, None
        else:
            self.out.stray_braces.append(at)
        self.fresh = True

    def unclosed(self, start: int) -> int:
        """Note a text that is never closed; return where the next line begins that cannot belong to it."""
        text = self.text
        line = text.rfind("\n", 0, start) + 1
        indent = len(text[line:start]) - len(text[line:start].lstrip(" \t"))
        at = text.find("\n", start) + 1
        while at > 0:
            end = text.find("\n", at)
            content = text[at : end if end >= 0 else len(text)]
            stripped = content.lstrip(" \t")
            if stripped and len(content) - len(stripped) <= indent:
                break
            at = end + 1
        resume = at if at > 0 else len(text)
        self.out.unclosed_texts[start] = resume
        return resume


def _swallows(match: re.Match[str]) -> bool:
    return "\n" in match[0] and read_block(match[0], 0, []).unclosed


def _meant(item: Item) -> str:
    known = ITEMS.get(item.parent.keyword if item.parent is not None else "module", ())
    if item.keyword in _ALL:
        return item.keyword
    return suggest(item.keyword, (word for word in known if word in HEADS)) or item.keyword
