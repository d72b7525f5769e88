"""Token counts without a network: an estimate that says that it is one, and how far off it may be."""

import re
from dataclasses import dataclass
from functools import cache

from promptc.providers.model import model_matches
from promptc.providers.registry import tokenizer_families

# One alternative a feature; the number of the group is the index of its weight. Capitals start a new word, as most
# byte-pair vocabularies have it.
_PIECE = re.compile(
    r"([A-Z]?[a-z]+|[A-Z]+(?![a-z]))"
    r"|(\d{1,3})"
    r"|(\n\s*)"
    r"|([!-/:-@\[-`{-~]+)"
    r"|( {2,}|\t+)"
    r"|([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef])"
    r"|([^\x00-\x7f])"
)
_FEATURES = ("word", "digits", "newline", "punctuation", "blank", "ideograph", "other")
# Letters from which on a word is likely to be more than one token.
_LONG = 6


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A number of tokens.

    Attributes:
        value: The count.
        method: Name and version of what counted.
        exact: Whether a tokenizer of that very model counted.
        error: Measured mean error of the method as a share of the count; 0 for exact ones.
    """

    value: int
    method: str
    exact: bool
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class TokenFamily:
    """Models whose texts weigh alike, and the weights of the estimate for them.

    Attributes:
        method: What a count by this family is labelled with.
        weights: Tokens per occurrence of each of `_FEATURES`.
        long: Tokens per letter of a word beyond the sixth.
        more: Tokens per further character of a run of punctuation.
        indent: Tokens per line end with indentation or blank lines behind it.
        error: Measured mean error.
    """

    method: str
    weights: tuple[float, ...]
    long: float
    more: float
    indent: float
    error: float


def estimate_tokens(text: str, model: str | None = None) -> TokenCount:
    """Estimate the tokens of a text for a model; unknown models are weighed like `o200k`.

    Args:
        text: The text by itself, without the frame that a message adds.
        model: Model id; None for no model in particular.
    """
    family = token_family(model)
    counts = [0] * len(_FEATURES)
    long = more = indents = 0
    for piece in _PIECE.finditer(text):
        group = piece.lastindex or 1
        counts[group - 1] += 1
        length = piece.end() - piece.start()
        if group == 1:
            if length > _LONG:
                long += length - _LONG
        elif group == 4:
            more += length - 1
        elif group == 3 and length > 1:
            indents += 1
    total = sum(weight * count for weight, count in zip(family.weights, counts, strict=True))
    total += family.long * long + family.more * more + family.indent * indents
    # A text that is not empty is at least one token, blanks included.
    return TokenCount(max(round(total), 1 if text else 0), family.method, False, family.error)


@cache
def token_family(model: str | None) -> TokenFamily:
    """The family of a model."""
    version, families = tokenizer_families()
    name = model or ""
    chosen = next(entry for entry in families if "*" in entry["models"] or model_matches(name, tuple(entry["models"])))
    weights = chosen["weights"]
    return TokenFamily(
        method=f"estimate/{version} {chosen['name']}",
        weights=tuple(float(weights[feature]) for feature in _FEATURES),
        long=float(weights["long"]),
        more=float(weights["more_punctuation"]),
        indent=float(weights["indent"]),
        error=float(chosen["mean_error"]),
    )
