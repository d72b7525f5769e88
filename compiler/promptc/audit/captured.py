"""Facts of a captured request by way of its whole prefix stream: what holds for every format and shape."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from promptc.audit.facts import Facts
from promptc.compare.lineage import DIGEST_BYTES, Digest, Trail, digest_and_size, is_conversation
from promptc.providers.cache_model.values import Counts
from promptc.providers.model import Provider
from promptc.providers.registry import Registry
from promptc.providers.usage import counts_of
from promptc.streams.json_value import JsonObject, encode, member, plain
from promptc.streams.model import PrefixStream
from promptc.streams.read import stream_of_body
from promptc.streams.sources.model import Capture


class Knowledge:
    """What is known about providers, asked for once a target and model.

    Attributes:
        target: Provider that the user names for all requests; None to detect it.
    """

    def __init__(self, registry: Registry, target: str | None = None) -> None:
        self.registry = registry
        self.target = target
        self._provider = lru_cache(1024)(self._resolved)
        self.params = _param_members(registry)

    def provider(self, target: str | None, model: str | None) -> Provider | None:
        """The facts for a target and model, None where there are none."""
        return self._provider(target, model)

    def counts(self, usage: Any, target: str | None, model: str | None) -> Counts | None:
        """What a usage object counts; None where it is none of the provider's."""
        facts = self.provider(target, model)
        return counts_of(usage, facts) if isinstance(usage, dict) and facts is not None else None

    def _resolved(self, target: str | None, model: str | None) -> Provider | None:
        try:
            return None if target is None else self.registry.resolve(target, model)
        except KeyError:
            return None


def facts_of(capture: Capture, part: int, known: Knowledge) -> tuple[Facts, PrefixStream] | None:
    """The facts of a request, and the stream that they are from; None for a body of no shape.

    Args:
        capture: The request.
        part: Which request of its record it is.
        known: What is known about providers.
    """
    stream, _ = stream_of_body(capture.body, f"#{capture.index}", known.target, registry=known.registry)
    if stream is None:
        return None
    weighed = [digest_and_size(element) for element in stream.elements]
    own = [digest for digest, _ in weighed]
    said = [index for index, element in enumerate(stream.elements) if is_conversation(element)]
    behind = set(said)
    front = [own[index] for index in range(len(own)) if index not in behind]
    places = [index - said[0] for index in range(said[0], len(own)) if index not in behind] if said else []
    model = member(stream.attributes, "model") or member(stream.attributes, "modelId")
    named = model if isinstance(model, str) else None
    trail = Trail(
        _text(capture.session),
        _text(named),
        tuple(own[index] for index in said),
        "".join((stream.elements[index].role or "?")[:1] for index in said),
        front_digest(stream, front, places, param_text(stream.attributes, known.params)),
        sum(size for _, size in weighed),
    )
    counts = known.counts(plain(capture.usage), stream.target, named)
    return Facts(trail, _text(capture.at), stream.target, stream.format, counts, part), stream


def _text(text: str | None) -> str | None:
    """Half a surrogate pair has no form in the database; it stands as its escape."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode()


def front_digest(stream: PrefixStream, front: Sequence[Digest], places: Sequence[int], params: bytes) -> Digest:
    """One digest for everything but the conversation: shape, target, order, what stands in front, and parameters.

    Args:
        stream: The request.
        front: Digests of the elements that are no part of the conversation.
        places: Where those of them stand that are among the parts of the conversation.
        params: Values of the parameters that may key a cache.
    """
    head = f"{stream.format} {stream.target} {','.join(stream.order)} {','.join(map(str, places))} ".encode()
    return blake2b(head + b"".join(front) + params, digest_size=DIGEST_BYTES).digest()


def param_text(attributes: JsonObject, names: frozenset[str]) -> bytes:
    """The members of a request that may key a cache, in the order of their names."""
    kept = sorted((name, encode(value)) for name, value in attributes if name in names)
    return "".join(f" {name}={text}" for name, text in kept).encode("utf-8", "surrogatepass")


def _param_members(registry: Registry) -> frozenset[str]:
    found: set[str] = set()
    for name in registry.ids():
        for entry in registry.provider(name).invalidation:
            if entry.loses.value:
                found |= {path.split(".")[0] for path in entry.paths}
    return frozenset(found)
