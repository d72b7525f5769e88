"""Exact token counts: a `tokenizer.json` that is at hand, read by the optional package `tokenizers`."""

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from typing import Any

from promptc.providers.tokens import TokenCount

EXTRA = "tokenizers"
# Most texts of a request were in the one before it.
_REMEMBERED = 20_000


class TokenizerMissing(Exception):
    """The package that reads tokenizers is not installed."""


class TokenizerBroken(Exception):
    """The bytes are no tokenizer.

    Args:
        reason: What the package says.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def tokenizer_of(data: bytes, name: str) -> Callable[[str], TokenCount]:
    """A function that counts the tokens of a text with a tokenizer, and says which they are.

    Counted is the text by itself: what a chat template puts around it is not there to be counted. Nothing is fetched.

    Args:
        data: The bytes of a `tokenizer.json`.
        name: What the file is called, for the label of the counts.

    Raises:
        TokenizerMissing: The package is not there.
        TokenizerBroken: The bytes are no tokenizer.
    """
    try:
        package = import_module(EXTRA)
    except ImportError:
        raise TokenizerMissing from None
    try:
        tokenizer: Any = package.Tokenizer.from_str(data.decode("utf-8"))
        # A tokenizer may be told to cut or to fill up, which is for training and would spoil every count.
        tokenizer.no_truncation()
        tokenizer.no_padding()
    except Exception as fault:  # the package raises plain exceptions
        raise TokenizerBroken(str(fault)) from None
    method = f"{name} {blake2b(data, digest_size=6).hexdigest()}"

    @lru_cache(maxsize=_REMEMBERED)
    def count(text: str) -> TokenCount:
        # Half of a surrogate pair, which captured text may hold, is no text to a tokenizer.
        clean = text.encode("utf-8", "replace").decode("utf-8")
        ids = tuple(tokenizer.encode(clean, add_special_tokens=False).ids)
        return TokenCount(len(ids), method, True, ids=ids)

    return count
