"""Find a provider by name: its file is read when first asked for, never before, and nothing else is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from promptc.diagnostics.model import Diagnostic
from promptc.providers.model import Provider, model_matches

_DATA = Path(__file__).resolve().parent / "data"
# The C loader is about eight times as fast; wheels without it still work.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FACT_KEYS = frozenset({"value", "source", "date", "certainty", "note"})
_OVERRIDE_SOURCE = "override in the project"


@cache
def _index() -> dict[str, Any]:
    """`data/index.yaml`: ids in the order of presentation, and aliases."""
    return _read("index")


def _read(name: str) -> dict[str, Any]:
    loaded = yaml.load((_DATA / f"{name}.yaml").read_bytes(), Loader=_LOADER)
    if not isinstance(loaded, dict):
        raise TypeError(f"provider data {name!r} is not a mapping")
    return loaded


def provider_ids() -> tuple[str, ...]:
    """Ids of all providers that ship with promptc, in the order of presentation."""
    return tuple(_index()["providers"])


@cache
def marker_fields() -> frozenset[str]:
    """Names of the marker fields of all formats."""
    return frozenset(_index()["marker_fields"])


@cache
def tokenizer_families() -> tuple[int, list[dict[str, Any]]]:
    """Version of the token estimate, and its families in order of precedence."""
    data = _read("tokenizers")
    return data["version"], data["families"]


def provider(id: str) -> Provider:
    """The facts of a provider, by id or alias.

    Raises:
        KeyError: There is no such provider.
    """
    return _shipped().provider(id)


def resolve(id: str, model: str | None) -> Provider:
    """The facts that hold for one model: follows the redirects of an id that spans several generations.

    Raises:
        KeyError: There is no such provider.
    """
    return _shipped().resolve(id, model)


def load_overrides(overrides: Mapping[str, Any], today: date) -> "Registry":
    """A registry in which the user's facts replace the shipped ones.

    Args:
        overrides: Provider id to a nested mapping of the same form as a data file; only what differs. A value given
            without source and date is taken as the user's own word. A new id names the one it starts from in `extends`.
        today: Date of such values; handed in, since nothing here reads a clock.
    """
    merged: dict[str, Provider] = {}
    problems: list[Diagnostic] = []
    for name, change in overrides.items():
        try:
            merged[name] = _overridden(str(name), change, today)
        except _Rejected as rejected:
            problems.append(_bad_override(str(name), rejected.reason))
        except ValidationError as failure:
            problems.extend(_bad_override(str(name), reason) for reason in _reasons(failure))
    return Registry(merged, tuple(problems))


@dataclass(frozen=True)
class Registry:
    """Providers by name, the user's before the shipped ones.

    Attributes:
        overrides: Providers that the project defines or changes.
        diagnostics: What was wrong with overrides; those are left out.
    """

    overrides: Mapping[str, Provider] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()

    def ids(self) -> tuple[str, ...]:
        """All ids: shipped ones in their order, then the project's own."""
        shipped = provider_ids()
        return (*shipped, *(name for name in self.overrides if name not in shipped))

    def provider(self, id: str) -> Provider:
        """As `promptc.providers.registry.provider`, with the overrides."""
        if id in self.overrides:
            return self.overrides[id]
        canonical = _canonical(id)
        return self.overrides.get(canonical) or _load(canonical)

    def resolve(self, id: str, model: str | None) -> Provider:
        """As `promptc.providers.registry.resolve`, with the overrides."""
        found = self.provider(id)
        seen = {found.id}
        while model is not None:
            target = next((r.to for r in found.redirects if model_matches(model, r.models)), None)
            if target is None or target in seen:
                break
            seen.add(target)
            found = self.provider(target)
        return found


class _Rejected(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@cache
def _shipped() -> Registry:
    return Registry()


def _canonical(id: str) -> str:
    index = _index()
    if id in index["providers"]:
        return id
    return str(index["aliases"][id])


@cache
def _load(id: str) -> Provider:
    return Provider.model_validate(_expanded(_raw(id)))


@cache
def _raw(id: str) -> dict[str, Any]:
    """A data file with what it `extends` merged in, facts not yet expanded."""
    data = dict(_read(id))
    base = data.pop("extends", None)
    if base is None:
        return data
    inherited = dict(_raw(base))
    inherited.pop("aliases", None)
    inherited.pop("redirects", None)
    merged: dict[str, Any] = _merge(inherited, data)
    return merged


def _merge(base: Any, change: Any) -> Any:
    """`change` over `base`: mappings key by key, facts and everything else whole; null removes."""
    if not isinstance(base, dict) or not isinstance(change, dict) or "value" in change:
        return change
    out = dict(base)
    for key, value in change.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = _merge(base.get(key), value)
    return out


def _expanded(data: dict[str, Any]) -> dict[str, Any]:
    """Replace the tag of a source in every fact by its address, and fill in its date and certainty."""
    sources: dict[str, Any] = data.get("sources", {})
    return {key: value if key == "sources" else _expand(value, sources) for key, value in data.items()}


def _expand(value: Any, sources: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_expand(item, sources) for item in value]
    if not isinstance(value, dict):
        return value
    if "value" in value and value.keys() <= _FACT_KEYS:
        origin = sources.get(value.get("source", ""))
        if origin is None:
            return value
        inherited = {k: origin[k] for k in ("date", "certainty") if k in origin}
        return {**inherited, **value, "source": origin["at"]}
    return {key: _expand(item, sources) for key, item in value.items()}


def _overridden(name: str, change: Any, today: date) -> Provider:
    if not isinstance(change, Mapping):
        raise _Rejected("it is not a mapping")
    data = dict(change)
    base = data.pop("extends", None)
    try:
        base_id = _canonical(str(base if base is not None else name))
    except KeyError:
        known = ", ".join(f"`{id}`" for id in provider_ids())
        raise _Rejected(f"`{base or name}` is no provider to start from; there are {known}") from None
    shape = _load(base_id).model_dump(mode="json")
    dated = _as_facts(data, shape, today)
    return Provider.model_validate(_expanded(_merge(_raw(base_id), {**dated, "id": name})))


def _as_facts(change: Any, shape: Any, today: date) -> Any:
    """Bare values where the shipped data has a fact become facts of the user's own."""
    if isinstance(shape, dict) and "value" in shape and shape.keys() <= _FACT_KEYS:
        if isinstance(change, Mapping) and "value" in change:
            stamp = {"source": _OVERRIDE_SOURCE, "date": today, "certainty": "third_party"}
            return {**stamp, **change}
        if change is None:
            return None
        return {"value": change, "source": _OVERRIDE_SOURCE, "date": today, "certainty": "third_party"}
    if isinstance(change, Mapping) and isinstance(shape, dict):
        return {key: _as_facts(value, shape.get(key), today) for key, value in change.items()}
    return change


def _reasons(failure: ValidationError) -> Iterable[str]:
    for problem in failure.errors(include_url=False, include_input=False):
        where = ".".join(str(part) for part in problem["loc"])
        yield f"`{where}`: {problem['msg'][:1].lower()}{problem['msg'][1:]}" if where else problem["msg"]


def _bad_override(name: str, reason: str) -> Diagnostic:
    return Diagnostic("PC677", f"the override of provider `{name}` cannot be used", None, notes=(reason,))


def age_in_days(found: Provider, today: date) -> tuple[int, int]:
    """Days since the newest and since the oldest fact of a provider.

    Args:
        found: The provider.
        today: Handed in, since nothing here reads a clock.
    """
    dates = sorted(fact.date for _, fact in found.facts())
    return (today - dates[-1]).days, (today - dates[0]).days
