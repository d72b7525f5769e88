"""Tell the formats apart, by the name of a file and by what stands in it."""

import re
from typing import Literal, TypeAlias

Format: TypeAlias = Literal["prompty", "dotprompt", "poml", "promptfoo", "messages", "jinja", "fstring"]

TITLES: dict[Format, str] = {
    "prompty": "Prompty",
    "dotprompt": "dotprompt",
    "poml": "POML",
    "promptfoo": "promptfoo",
    "messages": "texts in YAML or JSON",
    "jinja": "Jinja2 template",
    "fstring": "template with {names}",
}

_BY_NAME: dict[str, Format] = {
    ".prompty": "prompty",
    ".prompt": "dotprompt",
    ".poml": "poml",
    ".j2": "jinja",
    ".jinja": "jinja",
    ".jinja2": "jinja",
}
_DATA = (".yaml", ".yml", ".json")
_TEXTS = (".txt", ".md", ".tmpl", ".template", ".tpl")
_PROMPTFOO = re.compile(r"^[\"']?(?:prompts|providers|targets|tests)[\"']?\s*:", re.MULTILINE)
_JINJA = re.compile(r"\{\{-?\s*[A-Za-z_]|\{[%#]")
_FSTRING = re.compile(r"(?<!\{)\{[A-Za-z_][\w.]*(?:![rsa])?(?::[^{}\n]*)?\}(?!\})")


def detect(path: str, text: str) -> tuple[Format, str] | None:
    """The format of a file and how it was recognised; None where nothing tells."""
    name = path.rsplit("/", 1)[-1].lower()
    for suffix, format in _BY_NAME.items():
        if name.endswith(suffix):
            return format, f"its name ends in `{suffix}`"
    if name.endswith(_DATA):
        if "promptfoo" in name:
            return "promptfoo", "its name has `promptfoo`"
        if len(_PROMPTFOO.findall(text)) > 1 and re.search(r"^[\"']?prompts[\"']?\s*:", text, re.MULTILINE):
            return "promptfoo", "it has the keys of a promptfoo configuration"
        return "messages", "it is data that holds texts"
    if text.lstrip().startswith("<poml"):
        return "poml", "it begins with `<poml`"
    if _JINJA.search(text):
        return "jinja", "it has tags of Jinja2"
    if _FSTRING.search(text):
        return "fstring", "it has `{names}` and no other tags"
    return ("fstring", "it is text without tags") if name.endswith(_TEXTS) else None
