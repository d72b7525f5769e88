"""Token counts without a network: an estimate that says that it is one, and how far off it may be."""

import re
from dataclasses import dataclass
from functools import cache

from promptc.providers.model import model_matches
from promptc.providers.registry import tokenizer_families

# One pattern a feature. Their characters are disjoint once blanks behind a line end are gone, so each can count by
# itself. Capitals start a new word, as most byte-pair vocabularies have it.
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DIGITS = re.compile(r"\d{1,3}")
_NEWLINE = re.compile(r"\n\s*")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]+")
_BLANKS = re.compile(r"  +")
_TABS = re.compile(r"\t+")
_IDEOGRAPH = re.compile(r"(?!\d)[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_OTHER = re.compile(r"(?!\d)[^\x00-\x7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
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
        ids: The tokens themselves, where a tokenizer counted.
    """

    value: int
    method: str
    exact: bool
    error: float = 0.0
    ids: tuple[int, ...] | None = None


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
    newlines = _NEWLINE.findall(text)
    rest = _NEWLINE.sub("\n", text) if newlines else text
    words, punctuation = _WORD.findall(rest), _PUNCTUATION.findall(rest)
    ideographs = others = 0
    if not rest.isascii():
        ideographs, others = len(_IDEOGRAPH.findall(rest)), len(_OTHER.findall(rest))
    blanks = len(_BLANKS.findall(rest)) + (len(_TABS.findall(rest)) if "\t" in rest else 0)
    counts = (
        len(words), len(_DIGITS.findall(rest)), len(newlines), len(punctuation), blanks, ideographs, others
    )  # fmt: skip
    long = sum(len(word) - _LONG for word in words if len(word) > _LONG)
    more = sum(map(len, punctuation)) - len(punctuation)
    indents = sum(1 for run in newlines if len(run) > 1)
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
