"""How much of the first request's prefix is still there: bytes exactly, tokens as an estimate, per scope."""

from dataclasses import dataclass

from promptc.providers.tokens import estimate_tokens, token_family
from promptc.streams.common_prefix import common_prefix
from promptc.streams.json_value import encode, member
from promptc.streams.model import Element, PrefixStream
from promptc.streams.result import Amount, Prefix, ScopeAmount, TokenAmount

# The estimate looks at every word; above this many bytes a rule of thumb has to do.
MAX_ESTIMATED = 1_000_000
BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Measures:
    """What the elements of a stream weigh.

    Attributes:
        sizes: Bytes of each element.
        tokens: Tokens of each, as `method` counts them.
        method: What counted.
        model: Model whose tokens they are, None where the request names none.
    """

    sizes: tuple[int, ...]
    tokens: tuple[int, ...]
    method: str
    model: str | None


def measure(stream: PrefixStream) -> Measures:
    """Weigh every element of a stream."""
    named = member(stream.attributes, "model")
    model = named if isinstance(named, str) else None
    sizes = tuple(element.size for element in stream.elements)
    if sum(sizes) > MAX_ESTIMATED:
        return Measures(sizes, tuple(-(-size // BYTES_PER_TOKEN) for size in sizes), "bytes/4", model)
    tokens = tuple(estimate_tokens(_text(element), model).value for element in stream.elements)
    return Measures(sizes, tokens, token_family(model).method, model)


def prefix_amounts(a: PrefixStream, b: PrefixStream, common: int, cut: int, weight: Measures) -> Prefix:
    """Bytes and tokens of the first request that are kept and lost.

    Args:
        a: The earlier request.
        b: The later one.
        common: Number of leading elements that are the same.
        cut: First element whose cached prefix an attribute has spoilt.
        weight: Measures of `a`.
    """
    through = min(common, cut)
    kept, kept_tokens = sum(weight.sizes[:through]), sum(weight.tokens[:through])
    if common < min(cut, len(a.elements), len(b.elements)):
        shared = _shared_bytes(a, b, common)
        kept += shared
        kept_tokens += min(_tokens_of_part(a.elements[common], shared, weight), weight.tokens[common])
    return Prefix(
        bytes=Amount(kept=kept, lost=sum(weight.sizes) - kept),
        tokens=TokenAmount(method=weight.method, kept=kept_tokens, lost=sum(weight.tokens) - kept_tokens),
        scopes=_scopes(a, weight.sizes, kept),
    )


def _text(element: Element) -> str:
    text = element.text
    return encode(element.value) if text is None else text


def _tokens_of_part(element: Element, size: int, weight: Measures) -> int:
    """Tokens of the first bytes of an element."""
    if weight.method == "bytes/4":
        return -(-size // BYTES_PER_TOKEN)
    return estimate_tokens(element.data[:size].decode("utf-8", "ignore"), weight.model).value


def _shared_bytes(a: PrefixStream, b: PrefixStream, index: int) -> int:
    old, new = a.elements[index], b.elements[index]
    if old.kind != new.kind or old.role != new.role:
        return 0
    data_old, data_new = old.data, new.data
    # The same text in another form differs from its first byte on: in what stands around it.
    return 0 if data_old == data_new else common_prefix(data_old, data_new)


def _scopes(a: PrefixStream, sizes: tuple[int, ...], kept: int) -> tuple[ScopeAmount, ...]:
    ends: dict[str, int] = {}
    for point in a.breakpoints:
        if point.scope is not None:
            ends[point.scope] = point.index
    through: dict[str, int] = {scope: sum(sizes[: index + 1]) for scope, index in ends.items()}
    return tuple(
        ScopeAmount(scope=scope, kept=min(kept, size), lost=size - min(kept, size)) for scope, size in through.items()
    )
