"""How old and how sure the facts about a provider are."""

from dataclasses import dataclass
from datetime import date

from promptc.providers.model import Certainty, Provider

DOUBTFUL = (Certainty.CONTESTED, Certainty.UNCERTAIN)


@dataclass(frozen=True, slots=True)
class Ages:
    """The facts of one provider, counted.

    Attributes:
        facts: How many there are.
        oldest, newest: Dates of the oldest and the newest; None where none is dated.
        undated: How many have no date.
        doubtful: How many are contested or uncertain.
        old: How many are older than the limit.
    """

    facts: int
    oldest: date | None
    newest: date | None
    undated: int
    doubtful: int
    old: int


def ages(found: Provider, today: date, limit: int) -> Ages:
    """Count the facts of a provider.

    Args:
        today: Handed in, since nothing here reads a clock.
        limit: Days after which a fact counts as old.
    """
    facts = [fact for _, fact in found.facts()]
    dates = sorted(fact.date for fact in facts if fact.date is not None)
    return Ages(
        len(facts),
        dates[0] if dates else None,
        dates[-1] if dates else None,
        len(facts) - len(dates),
        sum(fact.certainty in DOUBTFUL for fact in facts),
        sum((today - day).days > limit for day in dates),
    )


def age_in_days(day: date | None, today: date) -> int | None:
    """Days since a date; None where there is none."""
    return (today - day).days if day is not None else None
