"""What may be written at a place: keywords by context, names, fields, filters, values, paths."""

import re
from collections.abc import Callable, Iterable, Iterator

from lsprotocol import types as lsp

from promptc.diagnostics.explain import table
from promptc.diagnostics.model import Severity
from promptc.lsp.paths import paths_beside
from promptc.lsp.session import ProjectView
from promptc.lsp.yaml_keys import yaml_keys
from promptc.pipeline import Compilation
from promptc.semantics.filters import FILTERS, TESTS
from promptc.semantics.passes.collect_declarations import BUILTIN_ENVELOPES
from promptc.semantics.passes.resolve_types import BUILTIN_TYPES
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes
from promptc.syntax.elements import elements_in
from promptc.syntax.outline import ITEMS, outline
from promptc.types import Bool, Enum, List, Optional, Record, Type, describe

_Kind = lsp.CompletionItemKind
_TAGS = ("if", "elif", "else", "endif", "for", "endfor", "set", "include", "raw", "endraw")
# What may follow the head of an item on its line.
_CLAUSES = {
    "section": ("when", "deliver", "pin", "allow", "from"),
    "include": ("when", "pin"),
    "input": ("untrusted", "max"),
    "group": ("from", "order by", "when", "defer when", "policy", "pin"),
    "tool": ("when", "pin"),
    "cache": ("ttl", "fallback", "last"),
    "scope": ("holds", "ttl"),
    "prompt": ("extends",),
    "sample": ("for",),
    "preamble": ("in",),
    "tail": ("in",),
    "first": ("when", "from"),
    "changed": ("from",),
    "gone": ("from",),
}
_DOTTED = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.\w*$")
_COMPARED = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*(?:==|!=|=|:|in\s*\[(?:[^\]]*,)?)\s*\"[^\"]*$")
_IN_TAG = re.compile(r"\{([{%])((?!\}\}|%\}|\{[{%]).)*$", re.DOTALL)
_REACH = 2000

Item = lsp.CompletionItem


def complete(view: ProjectView, path: str, offset: int) -> list[Item]:
    """The completions at a place, in a useful order and each name once."""
    text = view.text(path)
    before = text[:offset]
    line = before[before.rfind("\n") + 1 :]
    compilation = next(iter(view.compilations(path)), None)
    if compilation is None:
        return []
    found: dict[str, Item] = {}
    for item in _context(view, compilation, path, before, line):
        found.setdefault(item.label, item)
    for number, item in enumerate(found.values()):
        item.sort_text = f"{number:04}"
    return list(found.values())


def _context(view: ProjectView, compilation: Compilation, path: str, before: str, line: str) -> Iterable[Item]:
    is_yaml = path.endswith((".yaml", ".yml"))
    tag = _IN_TAG.search(before[-_REACH:])
    if tag is not None:
        return _in_tag(compilation, path, tag[0])
    if is_yaml:
        return _in_yaml(view, compilation, path, before, line)
    if path.endswith(".promptc"):
        return _in_module(view, compilation, path, before, line)
    return ()


# -- bodies ----------------------------------------------------------------------------------------


def _in_tag(compilation: Compilation, path: str, tag: str) -> Iterator[Item]:
    inside = tag[2:].lstrip("-+")
    if tag.startswith("{%") and re.fullmatch(r"\s*\w*", inside):
        yield from _items(_TAGS, _Kind.Keyword)
    elif re.search(r"\binclude\s+[\"']\w*$", inside):
        yield from _items(compilation.facts.symbols.sections, _Kind.Module, "library section")
    else:
        yield from _in_expression(compilation, path, inside, in_body=True)


def _in_expression(compilation: Compilation, path: str, text: str, *, in_body: bool = False) -> Iterator[Item]:
    compared = _COMPARED.search(text)
    if compared is not None:
        yield from _members(_type_of(compilation, path, compared[1]))
        return
    if re.search(r"\|\s*\w*$", text):
        for spec in FILTERS.values():
            detail = f"({', '.join(p.name for p in spec.parameters)})" if spec.parameters else None
            yield Item(spec.name, kind=_Kind.Function, detail=detail)
        return
    if re.search(r"\bis\s+(?:not\s+)?\w*$", text):
        yield from _items(("not", *TESTS), _Kind.Keyword)
        return
    dotted = _DOTTED.search(text)
    if dotted is not None:
        yield from _fields(compilation, _type_of(compilation, path, dotted[1]))
        return
    yield from _values(compilation, path if in_body else None)


def _values(compilation: Compilation, path: str | None) -> Iterator[Item]:
    for name, kind in (_locals(compilation, path) if path is not None else {}).items():
        yield Item(name, kind=_Kind.Variable, detail=describe(kind) if kind is not None else None)
    for name, decl in compilation.facts.symbols.values.items():
        known = compilation.facts.symbols.input_types.get(name)
        is_input = isinstance(decl, nodes.InputDecl)
        detail = describe(known) if known is not None else None
        if isinstance(decl, nodes.InputDecl) and decl.cls is not None and detail is not None:
            detail += f" @{decl.cls.name}"
        yield Item(name, kind=_Kind.Variable if is_input else _Kind.Constant, detail=detail if is_input else "gate")
    yield from _items(("not", "and", "or", "in", "is", "if", "else", "true", "false", "none"), _Kind.Keyword)


def _fields(compilation: Compilation, kind: Type | None) -> Iterator[Item]:
    inner = kind.item if isinstance(kind, Optional) else kind
    if isinstance(inner, Record):
        for name, field in compilation.facts.symbols.field_types.get(inner.name, {}).items():
            yield Item(name, kind=_Kind.Field, detail=describe(field))


def _members(kind: Type | None) -> Iterator[Item]:
    while isinstance(kind, Optional | List):
        kind = kind.item
    if isinstance(kind, Enum):
        yield from _items(kind.members, _Kind.EnumMember)
    elif isinstance(kind, Bool):
        yield from _items(("true", "false"), _Kind.EnumMember)


def _type_of(compilation: Compilation, path: str, dotted: str) -> Type | None:
    name, *rest = dotted.split(".")
    symbols = compilation.facts.symbols
    kind = _locals(compilation, path).get(name) or symbols.input_types.get(name)
    for part in rest:
        inner = kind.item if isinstance(kind, Optional) else kind
        kind = symbols.field_types.get(inner.name, {}).get(part) if isinstance(inner, Record) else None
    return kind


def _locals(compilation: Compilation, path: str) -> dict[str, Type | None]:
    """Variables of the bodies of a file, with their types; the last one of a name counts."""
    facts = compilation.facts
    found: dict[str, Type | None] = {}
    for node in facts.locals:
        if node.span.path != path:
            continue
        if isinstance(node, ast.For):
            kind = facts.types.get(node.iterable)
            inner = kind.item if isinstance(kind, Optional) else kind
            found[node.target.name] = inner.item if isinstance(inner, List) else None
        else:
            found[node.name.name] = facts.types.get(node.value)
    return found


# -- modules ---------------------------------------------------------------------------------------


def _in_module(view: ProjectView, compilation: Compilation, path: str, before: str, line: str) -> Iterable[Item]:
    if "#" in re.sub(r"\"(?:[^\"\\]|\\.)*\"", "", line):
        return ()
    quoted = re.search(r"\b(use|from)\s+\"([^\"]*)$", line)
    if quoted is not None:
        return _paths(view, path, quoted[2], quoted[1] == "use")
    marks = outline(before)
    if any(line_end == len(before) for line_end in marks.unclosed_texts.values()) and not _IN_TAG.search(line):
        return ()
    named = _named(compilation, line)
    if named is not None:
        return named
    block = marks.block_at(len(before))
    keyword = block.keyword if block is not None else "module"
    if keyword == "sample" and re.fullmatch(r"\s*\w*", line):
        return (*_items(compilation.facts.symbols.inputs, _Kind.Variable, suffix=" = "), *_keywords(keyword))
    if keyword == "record":
        return ()
    if re.search(r"(?:^|[{}])\s*\w*$", line):
        return _keywords(keyword)
    return _clauses(compilation, path, line)


def _keywords(block: str) -> Iterator[Item]:
    return _items(ITEMS.get(block, ()), _Kind.Keyword)


def _named(compilation: Compilation, line: str) -> Iterable[Item] | None:
    """Names of the kind that the words in front of the cursor ask for; None where they ask for none."""
    symbols = compilation.facts.symbols
    placed = (e.name.name for p in symbols.prompts.values() for e in elements_in(p.items))
    codes = (c for c in table() if c.severity is not Severity.ERROR and not c.deprecated)
    rules: tuple[tuple[str, Callable[[], Iterable[Item]]], ...] = (
        (r"@\w*$", lambda: _items(symbols.chain.names, _Kind.EnumMember, "class")),
        (r"\bholds\s+\w*$", lambda: _items(symbols.chain.names, _Kind.EnumMember, "class")),
        (r"\b(?:cache|fallback)\s+\w*$", lambda: _items((*symbols.scopes, "last"), _Kind.Module, "scope")),
        (r"\blimit\s+\w*$", lambda: _items(("variants", "tokens", "bytes"), _Kind.Keyword)),
        (r"\bvariants\(\w*$", lambda: _items((*symbols.scopes, *symbols.prompts), _Kind.Module)),
        (r"\b(?:tokens|bytes)\(\w*$", lambda: _items(("system", "preamble", "tail", *placed), _Kind.Module)),
        (r"^\s*include\s+\w*$", lambda: _items(symbols.sections, _Kind.Module, "library section")),
        (r"\bextends\s+\w*$|^\s*sample\s+\w+\s+for\s+\w*$", lambda: _items(symbols.prompts, _Kind.Class, "prompt")),
        (r"^\s*target\s+\w*$", lambda: _items(_targets(compilation), _Kind.Module)),
        (r"\b(?:preamble|tail)\s+in\s+\w*$", lambda: _items((*symbols.envelopes, *BUILTIN_ENVELOPES), _Kind.Module)),
        (r"\bdeliver\s+\w*$", lambda: _items(("inline", "frozen", "delta", "ephemeral"), _Kind.Keyword)),
        (r"\bpolicy\s+\w*$", lambda: _items(("fixed", "mask"), _Kind.Keyword)),
        (r"\ballow\s+[\w-]*$", lambda: [Item(c.slug, kind=_Kind.Constant, detail=c.code) for c in codes]),
        (r"^\s*(?:replace|remove|insert\s+(?:before|after))\s+\w*$", lambda: _items(placed, _Kind.Module)),
        (r"^\s*(?:input\s+)?\w+\s*:\s*(?:list\[)?\w*$", lambda: _types(compilation)),
    )
    return next((make() for pattern, make in rules if re.search(pattern, line)), None)


def _targets(compilation: Compilation) -> list[str]:
    names = (id.replace("-", "_") for id in compilation.registry.ids())
    return [name for name in names if name.isidentifier()]


def _types(compilation: Compilation) -> Iterator[Item]:
    yield from _items((*BUILTIN_TYPES, "list"), _Kind.Keyword)
    yield from _items(compilation.facts.symbols.records, _Kind.Struct, "record")


def _clauses(compilation: Compilation, path: str, line: str) -> Iterator[Item]:
    head = re.match(r"\s*(\w+)", line)
    if head is None:
        return
    compared = _COMPARED.search(line)
    if compared is not None or re.search(r"(?:\b(?:when|require|key|from|model)\s|^\s*gate\s+\w+\s*=)[^\"]*$", line):
        yield from _in_expression(compilation, path, line)
    if line[-1:] in (" ", "\t") or re.search(r"\s\w+$", line):
        yield from _items(_CLAUSES.get(head[1], ()), _Kind.Keyword)


def _in_yaml(view: ProjectView, compilation: Compilation, path: str, before: str, line: str) -> Iterable[Item]:
    symbols = compilation.facts.symbols
    value = re.match(r"\s*(?:-\s+)?([\w ]+):\s+(.*)$", line)
    if value is None:
        listed = re.match(r"\s*-\s+[\"']?([^:\"']*)$", line)
        if listed is not None and re.search(r"^use:[^\n]*\n(?:\s+-[^\n]*\n)*[^\n]*$", before, re.MULTILINE):
            return _paths(view, path, listed[1], True)
        return _items(yaml_keys(before, line), _Kind.Property, suffix=": ")
    key, written = value[1], value[2].strip("\"'")
    names: dict[str, Iterable[str]] = {
        "class": symbols.chain.names, "holds": symbols.chain.names, "cache": symbols.scopes,
        "fallback": symbols.scopes, "include": symbols.sections, "extends": symbols.prompts, "for": symbols.prompts,
        "target": _targets(compilation), "in": (*symbols.envelopes, "reminder"),
        "deliver": ("inline", "frozen", "delta", "ephemeral"), "policy": ("fixed", "mask"),
    }  # fmt: skip
    if key in names:
        return _items(names[key], _Kind.Value)
    if key == "file":
        return _paths(view, path, written, False)
    if key == "type":
        return _types(compilation)
    if key in ("when", "that", "from", "key", "defer_when", "model"):
        return _in_expression(compilation, path, line)
    return _members(_type_of(compilation, path, key))


def _paths(view: ProjectView, path: str, written: str, is_module: bool) -> list[Item]:
    found = paths_beside(view.project.project.root, path, written, is_module)
    return [Item(name, kind=_Kind.Folder if name.endswith("/") else _Kind.File) for name in found]


def _items(
    names: Iterable[str], kind: lsp.CompletionItemKind, detail: str | None = None, suffix: str = ""
) -> Iterator[Item]:
    for name in names:
        yield Item(name, kind=kind, detail=detail, insert_text=name + suffix if suffix else None)
