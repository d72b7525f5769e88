"""Request fields beside the prompt: warming, routing keys, retention, cached objects."""

from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.checks.volatile import volatile_part
from promptc.providers.model import model_matches
from promptc.providers.wire.view import as_list, as_mapping, at_path


def prewarm(context: Context) -> Iterator[Diagnostic]:
    """A warming request that asks for something a warming request cannot have, or marks the wrong block."""
    name = context.provider.feature("prewarm_field")
    body = context.view.body
    if name is None or body.get(name) != 0 or isinstance(body.get(name), bool):
        return
    refused = {
        "/stream": body.get("stream") is True,
        "/thinking": as_mapping(body.get("thinking")).get("type") == "enabled",
        "/output_config/format": as_mapping(body.get("output_config")).get("format") is not None,
        "/tool_choice": as_mapping(body.get("tool_choice")).get("type") in ("any", "tool"),
    }
    for pointer, given in refused.items():
        if given:
            yield finding(
                "PC633",
                f"a request with `{name}` 0 only warms the cache and cannot have `{pointer.strip('/')}`",
                pointer,
                help="drop it from the warming request",
            )
    if context.options.batch:
        yield finding(
            "PC633",
            f"a request with `{name}` 0 only warms the cache and cannot be part of a batch",
            f"/{name}",
            help="send it by itself before the batch",
        )
    turns = context.view.turns
    if turns and context.view.marks and all(m.pointer.startswith(f"{turns[-1].pointer}/") for m in context.view.marks):
        yield finding(
            "PC634",
            "the only marker of this warming request is on its placeholder message, which no later request repeats",
            context.view.marks[0].pointer,
            help="mark the last block that the real requests share",
        )


def routing_key(context: Context) -> Iterator[Diagnostic]:
    """A routing key that is new with every request, or that carries too many."""
    routing = context.provider.routing
    if routing is None:
        return
    for name in routing.fields.value:
        value = context.view.body.get(name)
        if not isinstance(value, str):
            continue
        found = volatile_part(value)
        if found is not None and found[0] != "a random id":
            yield finding(
                "PC635",
                f"`{name}` holds {found[0]}, so every request goes its own way",
                f"/{name}",
                help="use one key for all requests that share a prefix",
            )
        rate, limit = context.options.requests_per_minute, routing.rate_limit
        if rate is not None and limit is not None and rate > limit.value:
            yield finding(
                "PC635",
                f"{rate:g} requests a minute share one `{name}`, and beyond about {limit.value} they spill over",
                f"/{name}",
                help="spread the requests over a few keys",
            )
        return


def cache_options(context: Context) -> Iterator[Diagnostic]:
    """Options and retention that this model does not take, or not together."""
    body, provider = context.view.body, context.provider
    options_name, retention_name = provider.feature("options_field"), provider.feature("retention_field")
    if options_name is None:
        return
    options, retention = body.get(options_name), body.get(retention_name)
    if options is not None and not provider.feature("options_supported"):
        yield finding(
            "PC636",
            f"`{options_name}` is not taken for `{context.model}`",
            f"/{options_name}",
            help="drop it, or name a model that takes it",
        )
        return
    ttl = as_mapping(options).get("ttl")
    known = provider.feature("option_ttls") or ()
    if ttl is not None and ttl not in known:
        listed = ", ".join(f"`{name}`" for name in known)
        yield finding(
            "PC614", f"entries here cannot live for `{ttl}`", f"/{options_name}/ttl", help=f"choose one of {listed}"
        )
    if options is not None and retention is not None:
        yield finding(
            "PC637",
            f"`{retention_name}` and `{options_name}` both say how long entries live",
            f"/{retention_name}",
            notes=("sources disagree on whether the API refuses this or ignores one of them",),
            help=f"keep `{options_name}`",
        )
    long_only = provider.feature("long_retention_only_models") or ()
    if retention == "in_memory" and model_matches(context.model, long_only):
        yield finding(
            "PC638",
            f"`in_memory` is not offered for `{context.model}`",
            f"/{retention_name}",
            notes=context.refusal("retention-unsupported"),
            help="write `24h`, or leave it out",
        )


def cached_object(context: Context) -> Iterator[Diagnostic]:
    """A cached object together with what it already holds."""
    name = context.provider.feature("object_field")
    if name is None:
        return
    present = next((key for key in (name, _snake(name)) if context.view.body.get(key) is not None), None)
    if present is None:
        return
    excluded = context.provider.features.get("object_excludes")
    for field in excluded.value if excluded is not None and isinstance(excluded.value, tuple) else ():
        for key in (field, _snake(field)):
            if context.view.body.get(key) is not None:
                yield finding(
                    "PC639",
                    f"`{key}` stands beside `{present}`, which holds it already",
                    f"/{key}",
                    notes=context.refusal("cached-object-with-prefix"),
                    help=f"put `{key}` into the cached object only",
                )


def storage(context: Context) -> Iterator[Diagnostic]:
    """A cached object whose storage costs more than its reads save."""
    name, hourly = context.provider.feature("object_field"), context.provider.features.get("storage_hourly")
    hours, expected = context.options.storage_hours, context.options.expected_reads
    price = context.provider.read_price(context.model)
    if name is None or hourly is None or hours is None or expected is None or price is None:
        return
    present = next((key for key in (name, _snake(name)) if context.view.body.get(key) is not None), None)
    if present is None or price.value >= 1 or not isinstance(hourly.value, int | float):
        return
    needed = hours * hourly.value / (1 - price.value)
    if expected < needed:
        yield finding(
            "PC698",
            f"{expected:g} reads are expected in {hours:g} hours, and storing the object pays from {needed:.1f} on",
            f"/{present}",
            notes=(
                f"an hour costs {hourly.value:g} times the input price of the tokens "
                f"({hourly.certainty}, {hourly.source}, {hourly.dated})",
            ),
            help="keep it for a shorter time, or rely on implicit caching",
        )


def in_batch(context: Context) -> Iterator[Diagnostic]:
    """Markers in a batch of a platform that does not cache there."""
    marks = context.view.marks
    if context.options.batch and marks and context.provider.feature("batch_takes_markers") is False:
        yield finding(
            "PC697",
            f"batches on {context.provider.platform} take no cache markers",
            marks[0].pointer,
            help="drop the markers from the requests of the batch",
        )


def floating_model(context: Context) -> Iterator[Diagnostic]:
    """A model name that the vendor moves to another snapshot."""
    patterns = context.provider.feature("floating_models")
    if patterns and context.model and model_matches(context.model, patterns):
        yield finding(
            "PC696",
            f"`{context.model}` names whatever snapshot is the latest",
            "/model" if "model" in context.view.body else "/modelId",
            notes=("each snapshot has a cache of its own, so every prefix is written anew on the day it moves",),
            help="name the snapshot",
        )


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def stickiness(context: Context) -> Iterator[Diagnostic]:
    """A field that switches off the routing that keeps a conversation where its entry is."""
    path = context.provider.feature("sticky_off_field")
    if path is not None and at_path(context.view.body, path) is not None:
        yield finding(
            "PC640",
            f"`{path}` is set, so requests of one conversation may go to different providers",
            "/" + path.replace(".", "/"),
            help="leave it out where the cache matters, or name one provider only",
        )


def short_server_writes(context: Context) -> Iterator[Diagnostic]:
    """Server tools write short entries of their own beside long markers."""
    ttl = context.provider.feature("usage_server_tool_ttl")
    marks = context.view.marks
    if ttl is None or not marks or any(mark.ttl in (None, ttl) for mark in marks):
        return
    for index, tool in enumerate(as_list(context.view.body.get("tools"))):
        kind = str(as_mapping(tool).get("type", ""))
        if kind.startswith(("web_search_", "web_fetch_", "code_execution_")):
            yield finding(
                "PC642",
                f"the server adds markers of `{ttl}` behind the results of this tool, so such writes will be billed",
                f"/tools/{index}",
                help="expect them in the usage; no marker of yours causes them",
            )
            return


RULES: tuple[Rule, ...] = (
    prewarm,
    routing_key,
    cache_options,
    cached_object,
    storage,
    in_batch,
    floating_model,
    stickiness,
    short_server_writes,
)
