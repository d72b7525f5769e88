"""What is said about the tags of a body that cannot be read: one function a finding."""

from promptc.diagnostics.model import Diagnostic, Edit, Fix, Label
from promptc.diagnostics.suggest import suggest
from promptc.source import Span
from promptc.syntax.refused_tags import REFUSED_TAGS, Refusal

TAG_WORDS = ("if", "elif", "else", "endif", "for", "endfor", "set", "include", "raw", "endraw")

_OTHER_SPELLINGS = {
    "elseif": "elif",
    "elsif": "elif",
    "foreach": "for",
    "each": "for",
    "let": "set",
    "assign": "set",
    "render": "include",
    "partial": "include",
    "verbatim": "raw",
    "fi": "endif",
    "done": "endfor",
}
_CLOSE = {"{{": "}}", "{%": "%}", "{#": "#}"}
_KNOWN = "a body knows `if`, `elif`, `else`, `for`, `set`, `include` and `raw`"
_FORMS = {
    "if": "{% if condition %}",
    "elif": "{% elif condition %}",
    "for": "{% for item in items %}",
    "set": "{% set name = value %}",
    "include": '{% include "section" %}',
    "output": "{{ value }}",
}


def nearest_tag(word: str) -> str | None:
    """The tag that was probably meant by an unknown word."""
    return _OTHER_SPELLINGS.get(word) or suggest(word, TAG_WORDS)


def unclosed_tag(opening: Span, delimiter: str, wrong: Span | None, written: str) -> Diagnostic:
    """PC130 for a delimiter without its partner; `wrong` and `written` are what closes it instead."""
    close = _CLOSE[delimiter]
    if wrong is None:
        return Diagnostic(
            "PC130",
            f"`{delimiter}` has no closing `{close}`",
            Label(opening, "the tag opens here"),
            help=f"close the tag with `{close}`; to print the characters themselves, write `{{{{ '{delimiter}' }}}}`",
        )
    return Diagnostic(
        "PC130",
        f"`{delimiter}` is closed by `{written}`, not by `{close}`",
        Label(opening, "the tag opens here"),
        secondary=(Label(wrong, f"`{close}` is due here"),),
        help=f"write `{close}`",
        fix=Fix(f"write `{close}`", (Edit(wrong, close),)),
    )


def unclosed_block(tag: Span, word: str) -> Diagnostic:
    """PC131 at the tag that opens the block."""
    return Diagnostic(
        "PC131",
        f"`{word}` has no `end{word}`",
        Label(tag, "the block opens here and is open where the body ends"),
        help=f"close the block with `{{% end{word} %}}`",
    )


def stray_block_tag(tag: Span, word: str) -> Diagnostic:
    """PC132 for an end or a branch that belongs to nothing."""
    opener = "if" if word in ("elif", "else") else word.removeprefix("end")
    blocks = "no `if` or `for`" if word == "else" else f"no `{opener}`"
    known = opener in ("if", "for", "raw")
    return Diagnostic(
        "PC132",
        f"`{word}` stands where {blocks} is open",
        Label(tag, "belongs to nothing"),
        help=f"remove the tag, or open the block before it with `{{% {opener} ... %}}`" if known else "remove the tag",
    )


def mismatched_end(tag: Span, word: str, opening: Span, open_word: str, outer: Span | None) -> Diagnostic:
    """PC133 for the end of one kind of block inside another; `outer` is the block that it would end."""
    secondary = [Label(opening, f"this `{open_word}` is still open")]
    if outer is not None:
        secondary.append(Label(outer, f"`{word}` would close this block"))
        help_text = f"close the `{open_word}` first, with `{{% end{open_word} %}}`"
    else:
        help_text = f"write `end{open_word}` if that block ends here; otherwise remove the tag"
    return Diagnostic(
        "PC133",
        f"`{word}` stands in an open `{open_word}` block",
        Label(tag, f"`end{open_word}` is due before this"),
        secondary=tuple(secondary),
        help=help_text,
    )


def misplaced_branch(tag: Span, word: str, block: Span, block_word: str, orelse: Span | None) -> Diagnostic:
    """PC134 for a branch behind the `else` of its block, or in a block that has no such branch."""
    if orelse is None:
        return Diagnostic(
            "PC134",
            f"a `{block_word}` block has no `{word}`",
            Label(tag, "this branch has no place here"),
            secondary=(Label(block, "the block it stands in"),),
            help="write an `if` block inside the loop, or `{% else %}` for the case that the list is empty",
        )
    return Diagnostic(
        "PC134",
        f"`{word}` stands behind the `else` of its block",
        Label(tag, "is never reached"),
        secondary=(Label(orelse, "`else` takes everything that is left"),),
        help="move `else` behind all other branches",
    )


def unknown_tag(word_span: Span, word: str) -> Diagnostic:
    """PC135 with the tag that was probably meant."""
    meant = nearest_tag(word)
    return Diagnostic(
        "PC135",
        f"there is no tag `{word}`",
        Label(word_span, "not a tag of bodies"),
        notes=(_KNOWN,),
        help=f"write `{meant}`" if meant else "for text that only looks like a tag, use `{% raw %}...{% endraw %}`",
        fix=Fix(f"write `{meant}`", (Edit(word_span, meant),)) if meant else None,
    )


def refused_tag(word_span: Span, word: str) -> Diagnostic:
    """PC136 with the reason and the way out of the table."""
    refusal: Refusal = REFUSED_TAGS[word]
    return Diagnostic(
        "PC136",
        f"bodies do not have the tag `{word}`",
        Label(word_span, "not accepted here"),
        notes=(refusal.reason,),
        help=refusal.way_out,
    )


def malformed_tag(place: Span, word: str, what: str) -> Diagnostic:
    """PC137 for a tag without what it needs; `what` is missing there."""
    name = "`{{ }}`" if word == "output" else f"`{word}`"
    return Diagnostic(
        "PC137",
        f"{name} has no {what}",
        Label(place, f"{what} missing here"),
        help=f"the form is `{_FORMS[word]}`",
    )


def wordless_tag(tag: Span) -> Diagnostic:
    """PC137 for `{% %}` that does not begin with a word."""
    return Diagnostic(
        "PC137",
        "`{% %}` begins with no word",
        Label(tag, "does nothing"),
        notes=(_KNOWN,),
        help="write `{{ value }}` to print a value",
    )


def unexpected_content(content: Span, word: str, meant: str | None) -> Diagnostic:
    """PC137 for content in a tag that has none; `meant` is a better spelling where one is known."""
    return Diagnostic(
        "PC137",
        f"`{word}` takes nothing behind it",
        Label(content, "has no meaning here"),
        help=meant or f"write `{{% {word} %}}`",
    )


def unpacking_target(target: Span, word: str) -> Diagnostic:
    """PC138 for several targets, or a bracketed one."""
    help_text = (
        "take one name and read the fields of the element: `{% for item in items %}{{ item.name }}`"
        if word == "for"
        else "write one `set` for each name"
    )
    return Diagnostic(
        "PC138",
        f"`{word}` binds one name",
        Label(target, "this is not one name"),
        notes=("there are no tuples and no maps: the elements of a list have named fields",),
        help=help_text,
    )


def attribute_target(target: Span, word: str) -> Diagnostic:
    """PC139 for `set a.b = ...` and the like."""
    return Diagnostic(
        "PC139",
        f"`{word}` cannot assign to a part of a value",
        Label(target, "this is a part of a value, not a name"),
        notes=(
            "values do not change while a body is rendered; there is no `namespace` that carries one out of a loop",
        ),
        help="bind a new name; to know something about a whole list, use a filter or `loop.first` and `loop.last`",
    )


def block_set(tag: Span) -> Diagnostic:
    """PC140 for `set` without a value."""
    return Diagnostic(
        "PC140",
        "`set` without `=` would capture a stretch of template",
        Label(tag, "a value is due here"),
        notes=("a name is bound to a value of a known type; a captured stretch has bytes of several sources",),
        help="write `{% set name = value %}`; for a stretch that is used twice, declare a section and include it",
    )


def recursive_loop(place: Span) -> Diagnostic:
    """PC141 at the word `recursive`."""
    return Diagnostic(
        "PC141",
        "a loop cannot be recursive",
        Label(place, "not accepted here"),
        notes=("the depth of what is rendered has to be known from the types, and types are not recursive",),
        help="write one loop inside the other, one for each level",
    )


def include_form(place: Span, problem: str, way_out: str) -> Diagnostic:
    """PC142: `problem` says what stands there instead of one quoted section name."""
    return Diagnostic(
        "PC142",
        f"`include` names one section in quotes, and this is {problem}",
        Label(place, problem),
        help=way_out,
    )


def deep_nesting(tag: Span, limit: int) -> Diagnostic:
    """PC143 at the first block that is too deep."""
    return Diagnostic(
        "PC143",
        f"blocks are nested more than {limit} deep",
        Label(tag, f"this block stands in {limit} others"),
        help="move the inner blocks to sections of their own and include them",
    )


def reserved_target(target: Span, name: str, word: str) -> Diagnostic:
    """PC144 for a target that is a word of the language."""
    return Diagnostic(
        "PC144",
        f"`{word}` cannot bind `{name}`, which is a word of the language",
        Label(target, "reserved"),
        help="choose another name",
    )
