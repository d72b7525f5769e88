"""What `promptc breaking` found: prefixes with what became of them, and the breaks."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.breaking.rules import Rule
from promptc.project import Category
from promptc.streams.manifest_model import Place

Standing: TypeAlias = Literal["open", "accepted", "ignored"]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What is written again once.

    Attributes:
        bytes: Of the text in template form: what is inserted is not counted.
        tokens: An estimate for the same.
        method: How tokens were counted.
    """

    bytes: int = 0
    tokens: int = 0
    method: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """One thing that a change does.

    Attributes:
        scope: The scope whose prefix it concerns; empty for all of the prompt.
        section: Section, tool or input that is to blame; empty when none is.
        place: Where it stands in the spec as it is now; None where it is not there any more.
        message: In the words of a diagnostic.
        notes: The chain of causes.
        was: State of the prompt before; with `now` it names the one step that can be accepted.
        now: State of the prompt behind.
        also: Scopes whose prefixes stand behind and go with it.
        why: Reason of what accepted or ignored it.
    """

    rule: Rule
    category: Category
    prompt: str
    scope: str
    section: str
    place: Place | None
    message: str
    notes: tuple[str, ...]
    was: str
    now: str
    also: tuple[str, ...] = ()
    standing: Standing = "open"
    why: str = ""

    @property
    def chain(self) -> tuple[str, ...]:
        """The notes, and what goes with it."""
        if not self.also:
            return self.notes
        names = ", ".join(f"`{scope}`" for scope in self.also)
        one = len(self.also) == 1
        behind = "prefix, which stands behind" if one else "prefixes, which stand behind"
        return (*self.notes, f"with it {'goes' if one else 'go'} the {names} {behind}")


@dataclass(frozen=True, slots=True)
class PrefixRow:
    """One cached prefix and what became of it.

    Attributes:
        scope: Its scope, or what its marker closes where it has none.
        before: Digest of its bytes in the baseline.
        after: The same now; empty where it is not there any more.
        broken: In how many variants it is lost.
        variants: How many variants were compared.
    """

    prompt: str
    scope: str
    category: Category
    before: str
    after: str
    broken: int
    variants: int
    rewrite: Rewrite

    @property
    def verdict(self) -> str:
        """What became of it."""
        return "break" if self.broken else "same"


@dataclass(frozen=True, slots=True)
class Report:
    """All of a comparison.

    Attributes:
        against: The baseline as it was named.
        fail_on: Least category that fails.
        prompts: Names of the prompts that were compared.
        added: Names of the prompts that the baseline does not have.
    """

    against: str
    fail_on: Category
    prompts: tuple[str, ...]
    added: tuple[str, ...]
    rows: tuple[PrefixRow, ...]
    breaks: tuple[Break, ...]
