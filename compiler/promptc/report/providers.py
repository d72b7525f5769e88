"""The providers that are known, with the age of their facts: as text and as JSON."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from promptc.providers.ages import DOUBTFUL, Ages, age_in_days, ages
from promptc.providers.model import UNDATED, Certainty, Fact, Provider
from promptc.report.visible import visible

LIST_FORMAT = "promptc.providers/1"
FACTS_FORMAT = "promptc.provider/1"
OLD = "!"
_HEADS = ("id", "title", "format", "cache", "facts", "unsure", "oldest", "newest", "age")


def providers_text(found: Sequence[Provider], today: date, limit: int) -> str:
    """One line a provider, under a row of heads."""
    counted = [ages(provider, today, limit) for provider in found]
    rows = [_HEADS, *(_row(p, a, today, limit) for p, a in zip(found, counted, strict=True))]
    widths = [max(len(row[c]) for row in rows) for c in range(len(_HEADS))]
    lines = ["  ".join(_aligned(c, v, widths[c]) for c, v in enumerate(row)).rstrip() for row in rows]
    old = sum(a.old for a in counted)
    lines += ["", f"age: days of the oldest fact on {today.isoformat()}; unsure: contested or uncertain facts"]
    if old:
        lines.append(f"{OLD} {old:,} facts are older than {limit} days; `promptc providers ID` shows which")
    return "\n".join(lines) + "\n"


def _row(provider: Provider, counted: Ages, today: date, limit: int) -> tuple[str, ...]:
    age = age_in_days(counted.oldest, today)
    mark = f" {OLD}" if age is not None and age > limit else ""
    return (
        visible(provider.id),
        visible(provider.title),
        provider.format,
        provider.cache.kind,
        str(counted.facts),
        str(counted.doubtful),
        _day(counted.oldest),
        _day(counted.newest),
        "-" if age is None else f"{age}{mark}",
    )


def _aligned(column: int, value: str, width: int) -> str:
    # Counts stand at the right, so that their digits are under each other.
    return f"{value:>{width}}" if _HEADS[column] in ("facts", "unsure") else f"{value:<{width}}"


def _day(day: date | None) -> str:
    return UNDATED if day is None else day.isoformat()


def provider_text(provider: Provider, today: date, limit: int) -> str:
    """Every fact of one provider: value, certainty, date and age, source."""
    head = f"{visible(provider.id)}: {visible(provider.title)} ({visible(provider.platform)})"
    lines = [f"{head}, request format {provider.format}, cache model {provider.cache.kind}", ""]
    for path, fact in provider.facts():
        sure = f"{'?' if fact.certainty in DOUBTFUL else ' '} "
        lines.append(f"{sure}{visible(path)} = {_value(fact.value)}")
        age = age_in_days(fact.date, today)
        days = "" if age is None else f", {_days(age)} old{f' {OLD}' if age > limit else ''}"
        note = f" ({visible(fact.note)})" if fact.note else ""
        lines.append(f"      {fact.certainty}, {fact.dated}{days}, {visible(fact.source)}{note}")
    counted = ages(provider, today, limit)
    lines += ["", f"{counted.facts} facts, {counted.doubtful} contested or uncertain (?), {counted.undated} undated"]
    if counted.old:
        lines.append(f"{OLD} {counted.old} older than {limit} days on {today.isoformat()}")
    return "\n".join(lines) + "\n"


def _days(age: int) -> str:
    return f"{age:,} day{'' if age == 1 else 's'}"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(visible(str(item)) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else visible(str(value))


def providers_json(found: Sequence[Provider], today: date, limit: int) -> dict[str, Any]:
    """The list as plain data."""
    return {
        "format": LIST_FORMAT,
        "as_of": today.isoformat(),
        "older_than": limit,
        "providers": [_summary(provider, today, limit) for provider in found],
    }


def _summary(provider: Provider, today: date, limit: int) -> dict[str, Any]:
    counted = ages(provider, today, limit)
    by_certainty = [fact.certainty for _, fact in provider.facts()]
    return {
        "id": provider.id,
        "title": provider.title,
        "platform": provider.platform,
        "format": provider.format,
        "cache": provider.cache.kind,
        "facts": counted.facts,
        "certainty": {name.value: by_certainty.count(name) for name in Certainty},
        "undated": counted.undated,
        "oldest": _iso(counted.oldest),
        "newest": _iso(counted.newest),
        "age_days": age_in_days(counted.oldest, today),
        "newest_age_days": age_in_days(counted.newest, today),
        "old": counted.old,
    }


def provider_json(provider: Provider, today: date, limit: int) -> dict[str, Any]:
    """One provider as plain data: its summary, and every fact."""
    return {
        "format": FACTS_FORMAT,
        "as_of": today.isoformat(),
        "older_than": limit,
        "provider": _summary(provider, today, limit),
        "facts": [_fact(path, fact, today, limit) for path, fact in provider.facts()],
    }


def _fact(path: str, fact: Fact[Any], today: date, limit: int) -> dict[str, Any]:
    age = age_in_days(fact.date, today)
    return {
        "path": path,
        "value": list(fact.value) if isinstance(fact.value, tuple) else fact.value,
        "source": fact.source,
        "date": _iso(fact.date),
        "age_days": age,
        "old": age is not None and age > limit,
        "certainty": fact.certainty.value,
        "note": fact.note,
    }


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
