"""A project's own facts about providers, over the shipped ones."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, TypeAlias

from pydantic import ValidationError

from promptc.diagnostics.model import Diagnostic, Label
from promptc.providers.model import Fact, Provider
from promptc.providers.registry import FACT_KEYS, Registry, canonical, expanded, merge, provider_ids, raw_facts, shipped
from promptc.source import Source, Span

OVERRIDE_SOURCE = "override in the project"
Loc: TypeAlias = tuple[str | int, ...]
Place: TypeAlias = Callable[[Loc, bool], Span | None]
"""Where the value at a path of keys stands in the user's file; with True, where its key does."""


def load_overrides(
    overrides: Mapping[str, Any], dated: date | None = None, place: Place | None = None, source: Source | None = None
) -> Registry:
    """A registry in which the user's facts replace the shipped ones.

    Args:
        overrides: Provider id to a nested mapping of the same form as a data file; only what differs. A value given
            without source is taken as the user's own word. A new id names the one it starts from in `extends`.
        dated: Date of values that name none. None leaves them undated: a build of tomorrow must give the same bytes.
        place: Where each value stands, for the diagnostics.
        source: The file, for the registry.

    Diagnostics:
        PC677, in the registry.
    """
    merged: dict[str, Provider] = {}
    problems: list[Diagnostic] = []
    for given, change in overrides.items():
        name = _name(str(given), change)
        try:
            merged[name] = _overridden(name, change, dated)
        except _Rejected as rejected:
            label = _label(place, (given, *rejected.loc), False)
            problems.append(_problem(str(given), rejected.reason, label))
        except ValidationError as failure:
            problems.extend(_problem(str(given), *found) for found in _faults(failure, str(given), place))
    return Registry(merged, tuple(problems), source)


class _Rejected(Exception):
    def __init__(self, reason: str, loc: Loc = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.loc = loc


def _name(given: str, change: Any) -> str:
    """The id that is meant: a change of `claude` is one of the provider that goes by that name."""
    if isinstance(change, Mapping) and "extends" in change:
        return given
    try:
        return canonical(given)
    except KeyError:
        return given


def _overridden(name: str, change: Any, dated: date | None) -> Provider:
    if not isinstance(change, Mapping):
        raise _Rejected("it is not a mapping")
    data = dict(change)
    base = data.pop("extends", None)
    try:
        base_id = canonical(str(base if base is not None else name))
    except KeyError:
        known = ", ".join(f"`{id}`" for id in provider_ids())
        loc: Loc = ("extends",) if base is not None else ()
        raise _Rejected(f"`{base or name}` is no provider to start from; there are {known}", loc) from None
    start = raw_facts(base_id)
    if base is not None:
        # As between data files: where another id's models lead is no fact of this one.
        start = {key: value for key, value in start.items() if key not in ("aliases", "redirects")}
    shape = shipped(base_id).model_dump(mode="json")
    relied = _known_features(data.get("features"), base_id)
    shape["features"] = {feature: fact.model_dump(mode="json") for feature, fact in relied.items()}
    facts = _as_facts(data, shape, dated)
    found = Provider.model_validate(expanded(merge(start, {**facts, "id": name})))
    for feature, fact in relied.items():
        if feature in found.features and _form(found.features[feature].value) != _form(fact.value):
            raise _Rejected(f"`features.{feature}` is {_form(fact.value)}", ("features", feature))
    return found


def _known_features(change: Any, base_id: str) -> dict[str, Fact[Any]]:
    """A shipped fact for every feature that is changed: rules rely on the form of its value."""
    known: dict[str, Fact[Any]] = {}
    for feature in change if isinstance(change, Mapping) else ():
        places = (shipped(id).features for id in (base_id, *provider_ids()))
        found = next((features[feature] for features in places if feature in features), None)
        if found is None:
            raise _Rejected(f"no provider has a feature `{feature}`", ("features", str(feature)))
        known[feature] = found
    return known


def _form(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "a text" if isinstance(value, str) else "a list of texts"


def _as_facts(change: Any, shape: Any, dated: date | None) -> Any:
    """Bare values where the shipped data has a fact become facts of the user's own."""
    if isinstance(shape, dict) and "value" in shape and shape.keys() <= FACT_KEYS:
        if change is None:
            return None
        stamp = {"source": OVERRIDE_SOURCE, "certainty": "third_party", **({"date": dated} if dated else {})}
        return {**stamp, **(change if isinstance(change, Mapping) and "value" in change else {"value": change})}
    if isinstance(change, Mapping) and isinstance(shape, dict):
        return {key: _as_facts(value, shape.get(key), dated) for key, value in change.items()}
    if isinstance(change, list) and isinstance(shape, list):
        # The entries of a list are of one form, and what one leaves out another may have.
        entries = [entry for entry in shape if isinstance(entry, dict)]
        form = {key: value for entry in entries for key, value in entry.items() if value is not None}
        return [_as_facts(entry, form, dated) for entry in change]
    return change


def _faults(failure: ValidationError, name: str, place: Place | None) -> Iterable[tuple[str, Label | None]]:
    for problem in failure.errors(include_url=False, include_input=False):
        loc = tuple(part for part in problem["loc"] if isinstance(part, str | int))
        where = ".".join(str(part) for part in loc)
        said = problem["msg"].removeprefix("Value error, ")
        said = f"{said[:1].lower()}{said[1:]}"
        unknown = problem["type"] == "extra_forbidden"
        reason = "is no key of a provider file" if unknown else said
        yield (
            f"`{where}` {reason}" if unknown else f"`{where}`: {reason}" if where else reason,
            _label(place, (name, *loc), unknown),
        )


def _label(place: Place | None, loc: Loc, key: bool) -> Label | None:
    span = place(loc, key) if place is not None else None
    return Label(span) if span is not None else None


def _problem(name: str, reason: str, label: Label | None) -> Diagnostic:
    return Diagnostic(
        "PC677",
        f"the override of provider `{name}` cannot be used",
        label,
        notes=(reason,),
        help="give only what differs, in the form of a provider file; `promptc providers NAME` shows what is there",
    )
