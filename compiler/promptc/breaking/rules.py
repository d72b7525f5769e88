"""The rules of `promptc breaking`, as data, and the categories that they are in."""

from collections.abc import Sequence
from dataclasses import dataclass

from promptc.diagnostics.model import Severity
from promptc.project import Category

CATEGORIES: tuple[Category, ...] = ("global", "org", "session", "tail", "metadata")
"""From what everybody pays for to what nobody's cache notices."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that a change can do.

    Attributes:
        id: What configuration calls it; never renamed.
        code: The diagnostic that reports it.
        category: None where it depends on whom the prefix in question is shared by.
        severity: Of a finding below the category that fails; at or above it, it is an error.
        purpose: A sentence.
    """

    id: str
    code: str
    category: Category | None
    severity: Severity
    purpose: str


_WARN, _HINT = Severity.WARNING, Severity.HINT

RULES: tuple[Rule, ...] = (
    Rule(
        "GLOBAL_PREFIX_CHANGED",
        "PC810",
        "global",
        _WARN,
        "The bytes of a prefix that every request shares are others, so everybody writes it again.",
    ),
    Rule(
        "ORG_PREFIX_CHANGED",
        "PC811",
        "org",
        _WARN,
        "The bytes of a prefix that an organisation or a user shares are others, so each of them writes it again.",
    ),
    Rule(
        "SESSION_PREFIX_CHANGED",
        "PC812",
        "session",
        _WARN,
        "The bytes of a prefix that one conversation shares are others, so every open conversation writes it again.",
    ),
    Rule("TAIL_CHANGED", "PC813", "tail", _HINT, "Only bytes behind the last cached prefix are others."),
    Rule("TOOLS_CHANGED", "PC814", None, _WARN, "A tool is another, and with it every prefix that stands behind it."),
    Rule("MARKER_REMOVED", "PC815", None, _WARN, "A prefix has the same bytes and is not cached any more."),
    Rule("SCOPE_DEMOTED", "PC816", None, _WARN, "A prefix has the same bytes and is shared by fewer."),
    Rule("MODEL_CHANGED", "PC817", None, _WARN, "Requests name the model in another way; caches are kept per model."),
    Rule("TARGET_CHANGED", "PC818", None, _WARN, "Requests go to another provider or have another form."),
    Rule("PROMPT_REMOVED", "PC819", None, _WARN, "The baseline has a prompt that is there no more."),
    Rule(
        "VARIANTS_ADDED",
        "PC820",
        "metadata",
        _HINT,
        "The prefix has more variants, each of which is written by itself.",
    ),
    Rule("TTL_CHANGED", "PC821", "metadata", _HINT, "A prefix has another lifetime."),
    Rule("INPUT_ADDED", "PC822", "metadata", _HINT, "The prompt has an input more; callers must give it."),
    Rule("INPUT_REMOVED", "PC823", "metadata", _HINT, "The prompt has an input less; callers that give it fail."),
    Rule("INPUT_TYPE_CHANGED", "PC824", "metadata", _HINT, "An input has another type."),
    Rule("INPUT_CLASS_CHANGED", "PC825", "metadata", _HINT, "An input is bound at another time."),
)

_BY_ID = {rule.id: rule for rule in RULES}


def rule(id: str) -> Rule:
    """The rule of an id.

    Raises:
        KeyError: There is no such rule.
    """
    return _BY_ID[id]


def find_rule(id: str) -> Rule | None:
    """The rule of an id; None when there is none."""
    return _BY_ID.get(id)


def category_of(cls: str, chain: Sequence[str]) -> Category:
    """Whom a prefix concerns whose highest class is `cls`, by its place in the chain of the spec.

    The lowest class holds for everybody, the highest for one request, the one below that for one conversation, and
    those between for some of all.
    """
    rank = chain.index(cls)
    if rank == 0:
        return "global"
    if rank == len(chain) - 1:
        return "tail"
    return "session" if rank == len(chain) - 2 else "org"


def at_or_above(category: Category, least: Category) -> bool:
    """Whether a category concerns at least as many as another."""
    return CATEGORIES.index(category) <= CATEGORIES.index(least)


def widest(categories: Sequence[Category]) -> Category:
    """The category of most concern; `metadata` for none."""
    return min(categories, key=CATEGORIES.index, default="metadata")
