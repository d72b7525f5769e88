"""Token counts without a network: an estimate that says that it is one."""

import re
from dataclasses import dataclass

from promptc.providers.model import model_matches


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A number of tokens.

    Attributes:
        value: The count.
        method: Name and version of what counted.
        exact: Whether a tokenizer of that very model counted.
    """

    value: int
    method: str
    exact: bool


def estimate_tokens(text: str, model: str | None = None) -> TokenCount:
    """placeholder"""
    return TokenCount(len(text) // 4, "x", model_matches(model or "", ()) and bool(re))
