"""The tags of Jinja2 that bodies do not have: why, and what to write instead."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a tag is not part of the language.

    Attributes:
        reason: One sentence, lower case, without a period.
        way_out: What to do instead; lower case, without a period.
        paired: It has a body that ends with `end` and the tag's word.
    """

    reason: str
    way_out: str
    paired: bool = False


_NO_CALLS = "a body computes with operators, filters and tests only, so that every value in it has a type and a class"
_NO_FILES = "what a body is made of is declared in the spec, where its class and its cost are known"
_NO_JUMPS = "a loop runs over all its elements, so that its output is determined by the list alone"

REFUSED_TAGS: dict[str, Refusal] = {
    "macro": Refusal(
        f"there are no macros: {_NO_CALLS}",
        'declare a section at top level and place it with `{% include "name" %}`',
        paired=True,
    ),
    "call": Refusal(
        f"there are no macros to call: {_NO_CALLS}",
        'declare a section at top level and place it with `{% include "name" %}`',
        paired=True,
    ),
    "import": Refusal(
        f"there are no macros to import: {_NO_FILES}",
        'write `use "./file.promptc"` in the spec; its sections can then be included',
    ),
    "from": Refusal(
        f"there are no macros to import: {_NO_FILES}",
        'write `use "./file.promptc"` in the spec; its sections can then be included',
    ),
    "extends": Refusal(
        f"a body extends nothing: {_NO_FILES}",
        "write `prompt b extends a { ... }` in the spec and replace, remove or insert sections there",
    ),
    "block": Refusal(
        f"a body has no parts that another file overrides: {_NO_FILES}",
        "make the part a section of its own; a prompt that extends this one can then replace it",
        paired=True,
    ),
    "filter": Refusal(
        "a filter applies to one value whose type is known, not to a stretch of template",
        "apply the filter inside the outputs: `{{ value | upper }}`",
        paired=True,
    ),
    "do": Refusal(
        "nothing in a body has a side effect, so a statement without output does nothing",
        "bind a value with `{% set name = value %}`, or remove the tag",
    ),
    "trans": Refusal(
        "the text of a prompt does not depend on a locale of the machine that renders it",
        "declare the language as an input of enum type and choose the text with `{% if %}`",
        paired=True,
    ),
    "autoescape": Refusal(
        "insertion is literal: nothing is escaped, so there is nothing to switch",
        "remove the tag; an envelope decides how untrusted text is neutralised",
        paired=True,
    ),
    "with": Refusal(
        "names are bound by `set` and `for` only",
        "write `{% set name = value %}`; it is visible to the end of the enclosing block",
        paired=True,
    ),
    "break": Refusal(
        f"a loop cannot be left early: {_NO_JUMPS}",
        "select the elements in the header: `{% for item in items if condition %}`",
    ),
    "continue": Refusal(
        f"an element cannot be skipped half-way: {_NO_JUMPS}",
        "select the elements in the header: `{% for item in items if condition %}`",
    ),
    "debug": Refusal(
        "a prompt does not show the state of the program that renders it",
        "use `promptc preview` to see what a body renders to",
    ),
}
