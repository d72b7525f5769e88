"""Provider facts: every value with its source, date and certainty."""

import datetime
from collections.abc import Iterator
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

T = TypeVar("T")

# A project's own facts may be any number; what is counted or divided by is at least one.
Count = Annotated[int, Field(ge=1)]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]

CacheKind = Literal[
    "breakpoint-lookback",
    "breakpoint-exact",
    "interval",
    "units",
    "token-prefix",
    "object",
    "block-chain",
    "radix",
    "slot",
    "none",
]
WireFormat = Literal[
    "anthropic-messages",
    "bedrock-converse",
    "bedrock-nova-invoke",
    "openai-chat",
    "openai-responses",
    "gemini-generate",
]
Lane = Literal["tools", "system", "messages"]

UNDATED = "undated"


class Certainty(StrEnum):
    """How sure a fact is.

    `DOCUMENTED` stands in the vendor's own text, types or source code; `MEASURED` was observed; `DERIVED` follows
    from other facts; `CONTESTED` has sources that disagree; `UNCERTAIN` was not found in a first-hand source;
    `THIRD_PARTY` is somebody else's word, a user's override included.
    """

    DOCUMENTED = "documented"
    MEASURED = "measured"
    DERIVED = "derived"
    CONTESTED = "contested"
    UNCERTAIN = "uncertain"
    THIRD_PARTY = "third_party"


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Fact(_Data, Generic[T]):
    """One value and where it is from.

    Attributes:
        value: The value itself.
        source: Where it is written: an address, or package, version and file.
        date: The day the source was read or dated; None only for a project's own word that names no day.
        certainty: How sure it is.
        note: What a reader should know besides, one sentence.
    """

    value: T
    source: str
    # Written in full, since the field has the name of its type.
    date: datetime.date | None = None
    certainty: Certainty = Certainty.DOCUMENTED
    note: str | None = None

    @property
    def dated(self) -> str:
        """Its date for a reader."""
        return self.date.isoformat() if self.date is not None else UNDATED


class Source(_Data):
    """A place that facts of one file are taken from.

    Attributes:
        at: Address, or package, version and file.
        date: The day it was read or dated.
        certainty: What its facts are unless they say otherwise.
    """

    at: str
    date: datetime.date
    certainty: Certainty = Certainty.DOCUMENTED


def normalised_model(model: str) -> str:
    """The model id as patterns see it: lower case, dots written as dashes."""
    return model.lower().replace(".", "-")


def model_matches(model: str, patterns: tuple[str, ...]) -> bool:
    """Whether a model id fits one of the glob patterns (`*claude-opus-4-8*`)."""
    name = normalised_model(model)
    return any(fnmatchcase(name, normalised_model(pattern)) for pattern in patterns)


class Redirect(_Data):
    """Sends some models to another provider's facts: one id of a vendor covers several generations.

    Attributes:
        models: Glob patterns of model ids.
        to: Provider id.
    """

    models: tuple[str, ...]
    to: str


class PerModel(_Data, Generic[T]):
    """A fact that holds for some models. The first entry whose pattern fits decides."""

    models: tuple[str, ...]
    fact: Fact[T]


class Lifetime(_Data):
    """One lifetime that an entry can have.

    Attributes:
        name: As written on the wire ("5m"), or a name of ours where the wire has no field.
        seconds: How long an entry lives after its last write or use; a lower bound where certainty says so.
        write: Price of a write as a multiple of the input price; 1.0 where writing is free of charge beside input.
    """

    name: str
    seconds: Fact[Count]
    write: Fact[Price]


class ReadPrice(_Data):
    """What a cached token costs as a multiple of an uncached one."""

    models: tuple[str, ...]
    read: Fact[Price]


class Marker(_Data):
    """How a request marks the end of a prefix that should be cached.

    Attributes:
        field: Name of the field or of the block (`cache_control`, `cachePoint`).
        place: `key` on the block that ends the prefix, `block` of its own after it, `text-key` only on text blocks.
        type_key: The field inside the marker that names its kind (`type`, `mode`).
        types: Values that `type_key` may have.
        extra_fields: Fields that a marker may carry besides `type_key` and `ttl`.
        ttls: Values that its `ttl` may have; empty where it takes none.
        default_ttl: Lifetime when the marker names none.
        limit: Most markers in one request.
        excess: What happens past the limit: `error`, `latest` (only the latest are written), `last` (one counts).
        request_level: Whether the request itself may carry the field, to mark its last block.
        longest_first: Whether a marker with a longer lifetime must not follow one with a shorter.
        lanes: Where markers may stand.
        may_carry: Block types that take one; the part kinds are the provider's own type names.
        must_not_carry: Block types that are refused.
        private_fields: Fields seen in traffic of the vendor's own clients that no public API takes.
        models: Models that take the marker; None for all.
    """

    field: str
    place: Literal["key", "block", "text-key"]
    type_key: str = "type"
    types: Fact[tuple[str, ...]]
    extra_fields: tuple[str, ...] = ()
    ttls: Fact[tuple[str, ...]]
    default_ttl: Fact[str | None]
    limit: Fact[Count]
    excess: Literal["error", "latest", "last"]
    request_level: Fact[bool]
    longest_first: Fact[bool]
    lanes: Fact[tuple[Lane, ...]]
    may_carry: Fact[tuple[str, ...]]
    must_not_carry: Fact[tuple[str, ...]]
    private_fields: Fact[tuple[str, ...]] | None = None
    models: Fact[tuple[str, ...]] | None = None


class CacheRules(_Data):
    """How hits come about. `kind` names the algorithm; the rest are its parameters.

    Attributes:
        kind: The algorithm, see `providers.cache_model`.
        implicit: Whether prefixes are cached without a marker.
        explicit: Whether a marker or an object can ask for it.
        certain: Whether a live entry is a promise rather than a best effort.
        reads_only_at_breakpoints: Whether a shared prefix that no breakpoint ends is worth nothing.
        lookback: Positions searched from a breakpoint, itself included.
        collapse_tool_runs: Whether a run of calls, or of results, is one position.
        granularity: Tokens per block, unit or grid step; 1 where matches are exact.
        first_markers: Markers from the start of the request that are looked up.
        last_markers: Markers from its end that are looked up.
        endings: Earlier message endings that are looked up without a marker.
        keep_last_token: Whether at least one token is always computed anew.
        similarity: Share of a new prompt above which a slot is chosen because it holds that much of it.
        ready_when: When a new entry can be read.
        isolation: What never shares entries.
        headers_outside_key: Whether blocks of request metadata in front are left out of the key.
    """

    kind: CacheKind
    implicit: Fact[bool]
    explicit: Fact[bool]
    certain: Fact[bool]
    reads_only_at_breakpoints: Fact[bool]
    lookback: Fact[Count] | None = None
    collapse_tool_runs: Fact[bool] | None = None
    granularity: Fact[Count] | None = None
    first_markers: Fact[Count] | None = None
    last_markers: Fact[Count] | None = None
    endings: Fact[Count] | None = None
    keep_last_token: Fact[bool] | None = None
    similarity: Fact[float] | None = None
    ready_when: Fact[str] | None = None
    isolation: Fact[tuple[str, ...]]
    headers_outside_key: Fact[bool]


class Invalidation(_Data):
    """What a change of one request parameter costs.

    Attributes:
        param: Neutral name: `model`, `tools`, `system`, `tool_choice`, `parallel_tool_calls`, `images`, `thinking`,
            `effort`, `task_budget`, `format`, `speed`, `web_search`, `citations`, `verbosity`, `service_tier`, `betas`.
        paths: Where the parameter stands in a request body, as dotted keys.
        loses: Lanes whose cached prefix is lost; empty for a change that keeps everything.
        default: Value that means the same as leaving the parameter out.
    """

    param: str
    paths: tuple[str, ...] = ()
    loses: Fact[tuple[Lane, ...]]
    default: str | None = None


class SystemRole(_Data):
    """Where text with the system's authority may stand.

    Attributes:
        field: Top-level field of the system text (`system`, `instructions`); None where it is a message.
        in_messages: `any` place, `mid` (by the placement rules below), `leading` only, `never`.
        models: Models that take one among the messages, None for all; matters with `mid`.
        refusing_models: Models whose chat template takes only a leading one.
        roles: Role names with system authority; where it is a message, the first one is what promptc writes.
        text_only: Whether such a message holds text only.
    """

    field: str | None
    in_messages: Fact[Literal["any", "mid", "leading", "never"]]
    models: Fact[tuple[str, ...]] | None = None
    refusing_models: Fact[tuple[str, ...]] | None = None
    roles: tuple[str, ...] = ("system",)
    text_only: Fact[bool] | None = None


class DeferredTools(_Data):
    """Tools that are announced by name and loaded on demand.

    Attributes:
        field: Key on the tool that defers it.
        search_types: Glob patterns of tool types that can load them.
        in_prefix: Whether a deferred definition is part of the prefix.
    """

    field: str
    search_types: Fact[tuple[str, ...]]
    in_prefix: Fact[bool]


class Usage(_Data):
    """How the response counts tokens.

    Attributes:
        input_includes_cached: Whether the input count contains the cached tokens.
        input: Path of the input count in the usage object.
        read: Path of the count read from the cache.
        write: Paths of the counts written, by lifetime name, `*` for the sum.
    """

    input_includes_cached: Fact[bool]
    input: str
    read: str
    write: dict[str, str] = Field(default_factory=dict)


class Routing(_Data):
    """A field that steers requests to where the entry is.

    Attributes:
        fields: Body fields or header names, most specific first.
        needed: Whether hits depend on it.
        rate_limit: Requests a minute that one key carries before it spills over.
    """

    fields: Fact[tuple[str, ...]]
    needed: Fact[bool]
    rate_limit: Fact[Count] | None = None


class Provider(_Data):
    """All facts about one provider on one platform.

    Attributes:
        id: Name that a spec's `target` uses.
        platform: Who runs the endpoint.
        title: For people.
        format: Shape of a request body.
        aliases: Other names for the same facts.
        redirects: Models whose facts are another provider's, for ids that span generations.
        sources: The places that the facts come from.
        prefix_order: Lanes in cache order.
        minimums: Least tokens of a cacheable prefix.
        refusals: What the vendor answers when a rule is broken, by slug of the rule. `{found}` is filled in.
        features: Facts that only single rules read, by name.
    """

    id: str
    platform: str
    title: str
    format: WireFormat
    aliases: tuple[str, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    sources: dict[str, Source] = Field(default_factory=dict)
    prefix_order: Fact[tuple[Lane, ...]]
    marker: Marker | None = None
    cache: CacheRules
    minimums: tuple[PerModel[Count], ...] = ()
    lifetimes: tuple[Lifetime, ...] = ()
    reads: tuple[ReadPrice, ...] = ()
    invalidation: tuple[Invalidation, ...] = ()
    system_role: SystemRole
    deferred_tools: DeferredTools | None = None
    usage: Usage | None = None
    routing: Routing | None = None
    refusals: dict[str, Fact[str]] = Field(default_factory=dict)
    features: dict[str, Fact[bool | int | float | str | tuple[str, ...]]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _default_ttl_is_known(self) -> "Provider":
        known = {entry.name for entry in self.lifetimes}
        if self.marker is not None and self.marker.default_ttl.value not in known | {None}:
            raise ValueError(f"default lifetime {self.marker.default_ttl.value!r} is not among the lifetimes")
        return self

    def minimum_tokens(self, model: str | None) -> Fact[int] | None:
        """Least tokens of a cacheable prefix for a model; the last entry stands for unknown models."""
        return _first_match(self.minimums, model)

    def lifetime(self, name: str | None) -> Lifetime | None:
        """The lifetime of a name, the default one for None; None when the provider has no such lifetime."""
        wanted = name if name is not None else (self.marker.default_ttl.value if self.marker else None)
        if wanted is None:
            return self.lifetimes[0] if self.lifetimes else None
        return next((entry for entry in self.lifetimes if entry.name == wanted), None)

    def read_price(self, model: str | None) -> Fact[float] | None:
        """Price of a cached token as a multiple of an uncached one."""
        for entry in self.reads:
            if model_matches(model or "", entry.models) or "*" in entry.models:
                return entry.read
        return None

    def loses(self, param: str) -> Fact[tuple[Lane, ...]] | None:
        """Lanes lost when a parameter changes; None when nothing is known about it."""
        return next((entry.loses for entry in self.invalidation if entry.param == param), None)

    def takes_markers(self, model: str | None) -> bool:
        """Whether a request for this model may carry markers."""
        if self.marker is None:
            return False
        return self.marker.models is None or model is None or model_matches(model, self.marker.models.value)

    def key_field(self) -> str | None:
        """The member of a body that steers requests of one prefix to one place; None where a header does, or nothing."""
        first = self.routing.fields.value[0] if self.routing is not None and self.routing.fields.value else None
        return None if first is None or "-" in first else first

    @property
    def marks_alone(self) -> bool:
        """Whether a request with markers can say that nothing else is to be cached; promptc always says so then."""
        return self.marker is not None and bool(self.feature("options_field") and self.feature("options_supported"))

    @property
    def marks_ends(self) -> bool:
        """Whether the end of a conversation is a breakpoint without a marker, beside markers in front of it too."""
        return self.cache.kind == "breakpoint-exact" and self.cache.implicit.value and not self.marks_alone

    @property
    def forgets_ends(self) -> bool:
        """Whether the end of the request before is found only where it is marked again."""
        return self.cache.kind == "breakpoint-exact" and not self.marks_ends

    def feature(self, name: str) -> Any:
        """The value of a feature fact, None when the provider has none of that name."""
        fact = self.features.get(name)
        return None if fact is None else fact.value

    def facts(self) -> Iterator[tuple[str, Fact[Any]]]:
        """Every fact with its dotted path, in the order of the model."""
        yield from _facts("", self)


def _first_match(entries: tuple[PerModel[int], ...], model: str | None) -> Fact[int] | None:
    for entry in entries:
        if "*" in entry.models or (model is not None and model_matches(model, entry.models)):
            return entry.fact
    return None


def _facts(path: str, value: Any) -> Iterator[tuple[str, Fact[Any]]]:
    if isinstance(value, Fact):
        yield path, value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _facts(f"{path}.{name}" if path else name, getattr(value, name))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _facts(f"{path}[{index}]", item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _facts(f"{path}.{name}" if path else name, item)
