"""POML files: messages from elements with speakers, settings from the elements that say nothing."""

import json

from promptc.importing import lost
from promptc.importing.data import read_data, value
from promptc.importing.model import ROLES, Data, Declared, Message, Parts, Prompt, RoleName, Tool
from promptc.importing.poml_blocks import Writer, joined
from promptc.importing.poml_tree import Chars, Element, Node, read_tree
from promptc.importing.scope import Findings, Scope, identifier
from promptc.importing.tools import schema_tool
from promptc.source import Source, Span

_SPEAKERS: dict[str, RoleName] = {
    "systemmsg": "system",
    "systemmessage": "system",
    "humanmsg": "user",
    "humanmessage": "user",
    "usermsg": "user",
    "usermessage": "user",
    "aimsg": "assistant",
    "aimessage": "assistant",
    "assistantmsg": "assistant",
    "assistantmessage": "assistant",
    "exampleinput": "user",
    "input": "user",
    "exampleoutput": "assistant",
    "output": "assistant",
}
_SILENT = {
    "stylesheet": "captions and lists have their usual style",
    "outputschema": "a spec says nothing of the answer",
    "schema": "a spec says nothing of the answer",
    "meta": "a spec has no place for it",
    "toolrequest": "calls of tools are the caller's to pass",
    "toolresponse": "results of tools are the caller's to pass",
    "toolresult": "results of tools are the caller's to pass",
    "conversation": "the conversation is the caller's to pass",
}
MAX_TOOLS = 100
_LOOKS = frozenset({"classname", "syntax", "writeroptions", "charlimit", "tokenlimit", "priority"})


def read_poml(source: Source, found: Findings) -> list[Prompt]:
    """The one prompt of a POML file; nothing where it cannot be read."""
    root = read_tree(source, found)
    if root is None:
        return []
    reader = _Reader(source, found)
    reader.take(root.children)
    reader.look(root)
    if found.sink.has_errors:
        return []
    span = Span(source.path, 0, len(source.text))
    own: RoleName = "system" if any(role in ("user", "assistant") for role, _, _ in reader.blocks) else "user"
    messages: list[Message] = []
    for role, at, parts in reader.blocks:
        actual = role or own
        if messages and role is None and messages[-1].role == actual:
            before = messages.pop()
            messages.append(Message(actual, joined([before.parts, parts], "\n\n"), before.span))
        else:
            messages.append(Message(actual, parts, at))
    name = identifier(source.path.rsplit("/", 1)[-1].split(".")[0])
    return [
        Prompt(
            name,
            tuple(messages),
            reader.declared,
            reader.provider,
            reader.model,
            reader.limit,
            tuple(reader.tools),
            (),
            span,
        )
    ]


class _Reader:
    """Walks the elements of the top; `blocks` are texts with their speakers, None for the one of the whole."""

    def __init__(self, source: Source, found: Findings) -> None:
        self.source = source
        self.found = found
        self.blocks: list[tuple[RoleName | None, Span, Parts]] = []
        self.declared: dict[str, Declared] = {}
        self.tools: list[Tool] = []
        self.provider: str | None = None
        self.model: str | None = None
        self.limit: int | None = None

    def take(self, nodes: list[Node]) -> None:
        writer = Writer(self.found, Scope())
        for node in nodes:
            if isinstance(node, Chars):
                if node.text.strip():
                    self.add(None, node.map.span(0, len(node.text)), writer.content([node]))
                continue
            self.lift(node)
            if node.tag in ("example", "examples", "exampleset") and self.is_chat(node):
                self.take([c for c in node.children if isinstance(c, Element)])
                continue
            if node.tag == "include":
                self.include(node)
                continue
            role = ROLES.get(node.get("speaker") or "") or _SPEAKERS.get(node.tag)
            if self.is_silent(node):
                continue
            self.add(role, node.span, self.spoken(writer, node, role))

    def spoken(self, writer: Writer, node: Element, role: RoleName | None) -> Parts:
        if role is not None and node.tag in _SPEAKERS:
            # A message has no caption, whatever its element has elsewhere.
            shell = Element("div", node.attributes, node.span, node.inner, node.children)
            return writer.block(shell)
        return writer.block(node)

    def add(self, role: RoleName | None, span: Span, parts: Parts) -> None:
        if parts:
            self.blocks.append((role, span, parts))

    def is_chat(self, node: Element) -> bool:
        """Whether the examples of an element are messages."""
        if node.get("chat") == "false" or node.get("for") is not None:
            return False
        inner = [c for c in node.children if isinstance(c, Element)]
        if node.tag == "example":
            return any(c.tag in _SPEAKERS for c in inner)
        return bool(inner) and all(c.tag == "example" and self.is_chat(c) for c in inner)

    # -- elements without text -------------------------------------------------------------------

    def lift(self, node: Element) -> None:
        """Take what says nothing out of an element, wherever below it stands."""
        self.look(node)
        kept: list[Node] = []
        for child in node.children:
            if isinstance(child, Element):
                self.lift(child)
                if self.is_silent(child):
                    continue
            kept.append(child)
        node.children = kept

    def look(self, node: Element) -> None:
        """Say which attributes only change how something looks, and are not followed."""
        for key in node.attributes:
            if key in _LOOKS and not (key == "syntax" and node.tag in ("text", "object", "table", "document", "img")):
                self.found.sink.report(
                    lost.setting(node.span, key, "everything is written in Markdown, in its usual style")
                )

    def is_silent(self, node: Element) -> bool:
        """Handle an element that says nothing; whether it was one."""
        if node.tag in _SILENT:
            self.found.sink.report(lost.setting(node.span, f"<{node.tag}>", _SILENT[node.tag]))
        elif node.tag == "let":
            self.let(node)
        elif node.tag == "runtime":
            self.runtime(node)
        elif node.tag in ("tool", "tooldefinition"):
            self.tool(node)
        else:
            return False
        return True

    def runtime(self, node: Element) -> None:
        for key, text in node.attributes.items():
            if key == "model":
                self.model = text
            elif key == "provider":
                self.provider = text
            elif key in ("maxtokens", "maxoutputtokens") and text.isdigit():
                self.limit = int(text) or None
            else:
                self.found.sink.report(lost.setting(node.span, key, "a spec has no place for it"))

    def tool(self, node: Element) -> None:
        name = node.get("name") or ""
        if len(self.tools) >= MAX_TOOLS:
            self.found.sink.report(lost.too_large(node.span, f"more than {MAX_TOOLS} tools", "one too many"))
            return
        document = None
        if node.get("parser") != "eval" and "{{" not in self.text(node) + name:
            document = read_data(self.source, self.found, *node.inner)
        given = value(document.root) if document is not None else None
        if not isinstance(given, dict):
            if not self.found.sink.has_errors:
                reason = "its schema is not JSON that stands in the file"
                self.found.sink.report(lost.setting(node.span, name or "tool", reason))
            return
        tool = schema_tool(name, node.get("description") or "", given, node.span, self.found)
        if tool is not None:
            self.tools.append(tool)

    def let(self, node: Element) -> None:
        """A value with a name: an input with a default."""
        name = node.get("name")
        given: Data = None
        if (path := node.get("src")) is not None:
            source = self.found.part(path, node.span)
            if source is None:
                return
            self.found.open.pop()
            given = source.text
            if path.endswith((".json", ".yaml", ".yml")):
                document = read_data(source, self.found)
                given = value(document.root) if document is not None else None
        else:
            given = _json(node.get("value") or self.text(node))
        pairs = given.items() if name is None and isinstance(given, dict) else [(name or "value", given)]
        for key, own in pairs:
            self.declared[key] = Declared(None, False, own, node.span)
            self.found.sink.report(
                lost.altered(node.span, f"`{key}`, which `<let>` sets,", "is an input with that default")
            )

    def text(self, node: Element) -> str:
        return "".join(child.text for child in node.children if isinstance(child, Chars)).strip()

    def include(self, node: Element) -> None:
        path = node.get("src") or ""
        if node.get("for") is not None or node.get("if") is not None or "{{" in path:
            self.found.sink.report(
                lost.construct(
                    node.span,
                    "this `<include>`",
                    "which file is taken in, and how often, is known when the spec is built",
                )
            )
            return
        source = self.found.part(path, node.span)
        if source is None:
            return
        root = read_tree(source, self.found)
        if root is not None:
            inner = _Reader(source, self.found)
            inner.take(root.children)
            self.blocks += inner.blocks
            self.tools += inner.tools
            self.declared |= inner.declared
        self.found.open.pop()


def _json(text: str) -> Data:
    try:
        found: Data = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found
