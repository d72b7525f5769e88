"""How much of the first request's prefix is still there: bytes exactly, tokens as an estimate, per scope."""

from promptc.compare.common_prefix import common_prefix
from promptc.streams.model import PrefixStream
from promptc.streams.result import Amount, Prefix, ScopeAmount, TokenAmount

# Tokenisers of current models are not public; four bytes a token is the usual rule of thumb for English and code.
BYTES_PER_TOKEN = 4


def estimated_tokens(size: int) -> int:
    """Tokens of a number of bytes, roughly."""
    return -(-size // BYTES_PER_TOKEN)


def prefix_amounts(a: PrefixStream, b: PrefixStream, common: int, cut: int) -> Prefix:
    """Bytes and tokens of the first request that are kept and lost.

    Args:
        a: The earlier request.
        b: The later one.
        common: Number of leading elements that are the same.
        cut: First element whose cached prefix an attribute has spoilt.
    """
    sizes = [element.size for element in a.elements]
    kept = sum(sizes[: min(common, cut)])
    if common < min(cut, len(a.elements), len(b.elements)):
        kept += _shared_bytes(a, b, common)
    total = sum(sizes)
    tokens = estimated_tokens(kept), estimated_tokens(total)
    return Prefix(
        bytes=Amount(kept=kept, lost=total - kept),
        tokens=TokenAmount(method="bytes/4", kept=tokens[0], lost=tokens[1] - tokens[0]),
        scopes=_scopes(a, sizes, kept),
    )


def _shared_bytes(a: PrefixStream, b: PrefixStream, index: int) -> int:
    old, new = a.elements[index], b.elements[index]
    if old.kind != new.kind or old.role != new.role:
        return 0
    data_old, data_new = old.data, new.data
    # The same text in another form differs from its first byte on: in what stands around it.
    return 0 if data_old == data_new else common_prefix(data_old, data_new)


def _scopes(a: PrefixStream, sizes: list[int], kept: int) -> tuple[ScopeAmount, ...]:
    ends: dict[str, int] = {}
    for point in a.breakpoints:
        if point.scope is not None:
            ends[point.scope] = point.index
    through: dict[str, int] = {scope: sum(sizes[: index + 1]) for scope, index in ends.items()}
    return tuple(
        ScopeAmount(scope=scope, kept=min(kept, size), lost=size - min(kept, size)) for scope, size in through.items()
    )
