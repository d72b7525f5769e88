"""Check a request body, or several of one session, against a provider's facts."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks import (
    blocks,
    changes,
    encoding,
    envelopes,
    history,
    lifetimes,
    lookup,
    markers,
    minimum,
    pairing,
    reasoning,
    roles,
    settings,
    shape,
    stated,
    surroundings,
    tools,
    volatile,
)
from promptc.providers.checks.context import Context, Counter, Options, Rule, finding
from promptc.providers.checks.pair import Pair
from promptc.providers.model import Provider
from promptc.providers.registry import Registry
from promptc.providers.tokens import TokenCount, estimate_tokens
from promptc.providers.wire.reader import read_request
from promptc.providers.wire.view import Json

RULES: tuple[Rule, ...] = (
    *shape.RULES,
    *markers.RULES,
    *lifetimes.RULES,
    *minimum.RULES,
    *lookup.RULES,
    *volatile.RULES,
    *settings.RULES,
    *pairing.RULES,
    *roles.RULES,
    *blocks.RULES,
    *tools.RULES,
    *reasoning.RULES,
    *encoding.RULES,
    *envelopes.RULES,
)

PairRule = Callable[[Pair], Iterator[Diagnostic]]
PAIR_RULES: tuple[PairRule, ...] = (*changes.RULES, *history.RULES)

# Rules walk bodies by recursion; real bodies are about ten levels deep.
_MAX_DEPTH = 200
_OPTION_NAMES = ("gap_seconds", "expected_reads", "parallel", "requests_per_minute", "storage_hours")


def check_request(
    body: Json, provider: Provider, raw: bytes | None = None, options: Options | None = None
) -> tuple[Diagnostic, ...]:
    """Every finding on one request body, in the order of the rules.

    Args:
        body: The body as decoded JSON.
        provider: Facts to check against; see `registry.resolve` for ids that span generations of models.
        raw: The bytes of the body, when at hand.
        options: What is known besides the body.
    """
    problem = _unreadable(body, provider, raw)
    if problem is not None:
        return (problem,)
    context = _context(body, provider, options)
    return _once(finding for rule in RULES for finding in rule(context))


def check_sequence(
    bodies: Sequence[Json], provider: Provider, options: Options | None = None, fork: bool = False
) -> tuple[Diagnostic, ...]:
    """Every finding on requests of one session, in the order they were sent.

    Pointers begin with the index of the request. Between neighbours the rules on continuations apply.

    Args:
        bodies: Decoded bodies.
        provider: Facts to check against.
        options: What is known besides the bodies.
        fork: Whether each later request is a side request that should share its parent's prefix.
    """
    found: list[Diagnostic] = []
    for index, body in enumerate(bodies):
        found.extend(_below(f"/{index}", check_request(body, provider, None, options)))
    readable = all(_unreadable(body, provider, None) is None for body in bodies)
    contexts = [_context(body, provider, options) for body in bodies] if readable else []
    for index, (before, after) in enumerate(pairwise(contexts), start=1):
        pair = Pair(before, after, fork)
        found.extend(_below(f"/{index}", _once(chain.from_iterable(rule(pair) for rule in PAIR_RULES))))
    return _once(iter(found))


def check_document(
    document: Json, provider: Provider, raw: bytes | None = None, options: Options | None = None
) -> tuple[Diagnostic, ...]:
    """Check what a file holds: one body, a list of bodies, or an envelope that says more about them.

    An envelope is an object with `requests` (a list of bodies) and, each optional: `relation` (`session` or `fork`),
    `gap_seconds`, `expected_reads`, `parallel`, `requests_per_minute`, `storage_hours`, `batch`, `headers` and
    `isolation` (see `checks.surroundings`), `tokens` (`estimate`, or how many every block has), `rendered` (the texts that a chat template made of the requests), `usage` (the usage object of the last
    response).

    Args:
        document: The file as decoded JSON.
        provider: Facts to check against.
        raw: The bytes of the file, when at hand.
        options: What is known besides; an envelope's own word goes before it.
    """
    if document == [] or (isinstance(document, Mapping) and document.get("requests") == []):
        return (finding("PC679", "the file holds no request", "", help="hand in the body of one request, or several"),)
    if isinstance(document, list):
        return check_sequence(document, provider, options)
    if not isinstance(document, Mapping) or not isinstance(document.get("requests"), list):
        return check_request(document, provider, raw, options)
    bodies = document["requests"]
    options = options_of(document, options)
    found = check_sequence(bodies, provider, options, document.get("relation") == "fork")
    out = [*stated.misfits(document), *_below("/requests", found)]
    out.extend(surroundings.check(document, provider))
    out.extend(_rendered(document.get("rendered")))
    usage = document.get("usage")
    if isinstance(usage, Mapping) and bodies and _unreadable(bodies[-1], provider, None) is None:
        problem = history.usage_problem(usage, _context(bodies[-1], provider, options))
        out.extend([problem] if problem is not None else [])
    return _once(iter(out))


def check_bytes(
    raw: bytes, target: str, registry: Registry | None = None, sizes: bool = False
) -> tuple[Diagnostic, ...]:
    """Check the bytes of a file against a target; what cannot be read is a finding too.

    Args:
        raw: What the file holds: see `check_document`.
        target: Provider id or alias; the model that the file names chooses between generations.
        registry: The project's providers; the shipped ones when None.
        sizes: Whether to estimate tokens and compare prefixes with the provider's minimum.

    Raises:
        KeyError: There is no such target.
    """
    known = registry or Registry()
    known.provider(target)
    try:
        document = json.loads(raw)
    except UnicodeDecodeError as bad:
        return (finding("PC679", f"byte {bad.start} of the file is not UTF-8", "", help="send UTF-8"),)
    except (ValueError, RecursionError) as bad:
        reason = f"{bad}"[:1].lower() + f"{bad}"[1:] or "it is nested too deeply"
        return (finding("PC679", "the file is not JSON", "", notes=(reason,), help="hand in the body as sent"),)
    model = model_of(document)
    facts = known.resolve(target, model)
    options = replace(estimating(facts, model) if sizes else Options(), registry=known)
    return check_document(document, facts, raw, options)


def estimating(provider: Provider, model: str | None) -> Options:
    """Options under which tokens are estimated for a model, or for the provider's usual ones where none is named."""
    usual = provider.feature("usual_model")
    return Options(count=partial(estimate_tokens, model=model if model is not None else usual))


def model_of(document: Json) -> str | None:
    """The model that the last body of a document names."""
    last = document
    if isinstance(last, Mapping) and isinstance(last.get("requests"), list):
        last = last["requests"]
    if isinstance(last, list):
        last = last[-1] if last else None
    found = (last.get("model") or last.get("modelId")) if isinstance(last, Mapping) else None
    return found if isinstance(found, str) else None


def options_of(document: Mapping[str, Json], known: Options | None = None) -> Options:
    """The options that an envelope states, over those known otherwise; what cannot be read is left out."""
    given = {
        name: document[name]
        for name in _OPTION_NAMES
        if isinstance(document.get(name), int | float) and not isinstance(document[name], bool)
    }
    stated = replace(known or Options(), batch=document.get("batch") is True, **given)
    counter = _counter(document.get("tokens"))
    return stated if counter is None else replace(stated, count=counter)


def _counter(tokens: Json) -> Counter | None:
    if tokens == "estimate":
        return estimate_tokens
    if isinstance(tokens, int) and not isinstance(tokens, bool):
        return partial(_given_count, tokens)
    return None


def _given_count(tokens: int, text: str) -> TokenCount:
    return TokenCount(tokens if text else 0, "given", True)


def _rendered(texts: Json) -> Iterator[Diagnostic]:
    known = texts if isinstance(texts, list) else []
    for index, (before, after) in enumerate(pairwise(known), start=1):
        if isinstance(before, str) and isinstance(after, str):
            problem = history.rendered_continues(before, after)
            if problem is not None:
                yield replace(problem, pointer=f"/rendered/{index}")


def _context(body: Mapping[str, Json], provider: Provider, options: Options | None) -> Context:
    return Context(read_request(body, provider), provider, options or Options())


def _unreadable(body: Json, provider: Provider, raw: bytes | None) -> Diagnostic | None:
    if not isinstance(body, Mapping):
        return finding("PC679", "the request body is not a JSON object", "", help="hand in the body of one request")
    if raw is not None:
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as bad:
            return finding("PC679", f"byte {bad.start} of the body is not UTF-8", "", help="send UTF-8")
    if _deeper_than(body, _MAX_DEPTH):
        return finding("PC679", f"the body is nested more than {_MAX_DEPTH} levels deep", "", help="flatten it")
    context = _context(body, provider, None)
    view = context.view
    if not view.turns and not view.system and not view.tools and not shape.speaks_of(context):
        keys = ", ".join(json.dumps(str(key)) for key in list(body)[:6])
        return finding(
            "PC679",
            f"nothing of a request to {provider.title} was found in the body",
            "",
            notes=(f"its keys are {keys}" if keys else "it has no keys",),
            help="name the target that the body was written for",
        )
    return None


def _deeper_than(value: Json, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            item
            for held in level
            for item in (held.values() if isinstance(held, Mapping) else held)
            if isinstance(item, Mapping | list)
        ]
        if not level:
            return False
    return True


def _below(prefix: str, found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    for item in found:
        yield replace(item, pointer=f"{prefix}{item.pointer or ''}")


def _once(found: Iterator[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(dict.fromkeys(found))
