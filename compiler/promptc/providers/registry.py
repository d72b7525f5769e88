"""Find a provider by name: its file is read when first asked for, never before, and nothing else is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from promptc.diagnostics.model import Diagnostic
from promptc.providers.model import Provider, model_matches
from promptc.source import Source

_DATA = Path(__file__).resolve().parent / "data"
# The C loader is about eight times as fast; wheels without it still work.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FACT_KEYS = frozenset({"value", "source", "date", "certainty", "note"})
"""Keys of a fact in a data file."""


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
    return BUILTIN.provider(id)


def resolve(id: str, model: str | None) -> Provider:
    """The facts that hold for one model: follows the redirects of an id that spans several generations.

    Raises:
        KeyError: There is no such provider.
    """
    return BUILTIN.resolve(id, model)


@dataclass(frozen=True)
class Registry:
    """Providers by name, the user's before the shipped ones.

    Attributes:
        overrides: Providers that the project defines or changes.
        diagnostics: What was wrong with overrides; those are left out.
        source: The file that the overrides are from; None where there is none.
    """

    overrides: Mapping[str, Provider] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    source: Source | None = None

    def ids(self) -> tuple[str, ...]:
        """All ids: shipped ones in their order, then the project's own."""
        known = provider_ids()
        return (*known, *(name for name in self.overrides if name not in known))

    def provider(self, id: str) -> Provider:
        """As `promptc.providers.registry.provider`, with the overrides, and in the spelling of specs too.

        A target of a spec is a name of the language, where neither `-` nor `.` can stand: `openai_chat_5_6`.
        """
        if id in self.overrides:
            return self.overrides[id]
        plain = id.replace("_", "-")
        name = next((known for known in self.ids() if known == id or known.replace(".", "-") == plain), plain)
        name = name if name in self.overrides else canonical(name)
        return self.overrides.get(name) or shipped(name)

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


BUILTIN = Registry()
"""The providers that ship with promptc, and nothing else."""


def canonical(id: str) -> str:
    """The id of a shipped provider, by id or alias.

    Raises:
        KeyError: There is no such provider.
    """
    index = _index()
    if id in index["providers"]:
        return id
    return str(index["aliases"][id])


@cache
def shipped(id: str) -> Provider:
    """The facts of a shipped provider, by its id."""
    return Provider.model_validate(expanded(raw_facts(id)))


@cache
def raw_facts(id: str) -> dict[str, Any]:
    """A data file with what it `extends` merged in, facts not yet expanded."""
    data = dict(_read(id))
    base = data.pop("extends", None)
    if base is None:
        return data
    inherited = dict(raw_facts(base))
    inherited.pop("aliases", None)
    inherited.pop("redirects", None)
    merged: dict[str, Any] = merge(inherited, data)
    return merged


def merge(base: Any, change: Any) -> Any:
    """Return `change` over `base`: mappings key by key, facts and everything else whole; null removes."""
    if not isinstance(base, dict) or not isinstance(change, dict) or "value" in change:
        return change
    out = dict(base)
    for key, value in change.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = merge(base.get(key), value)
    return out


def expanded(data: dict[str, Any]) -> dict[str, Any]:
    """Replace the tag of a source in every fact by its address, and fill in its date and certainty."""
    sources: dict[str, Any] = data.get("sources", {})
    return {key: value if key == "sources" else _expand(value, sources) for key, value in data.items()}


def _expand(value: Any, sources: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_expand(item, sources) for item in value]
    if not isinstance(value, dict):
        return value
    if "value" in value and value.keys() <= FACT_KEYS:
        origin = sources.get(value.get("source", ""))
        if origin is None:
            return value
        inherited = {k: origin[k] for k in ("date", "certainty") if k in origin}
        return {**inherited, **value, "source": origin["at"]}
    return {key: _expand(item, sources) for key, item in value.items()}
