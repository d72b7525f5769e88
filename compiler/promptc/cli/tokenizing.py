"""The tokenizer that a command counts with, where the user names one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from promptc.cli.console import stop
from promptc.cli.files import read_file
from promptc.providers.checks.context import Options
from promptc.providers.checks.run import estimating
from promptc.providers.model import Provider
from promptc.providers.registry import Registry
from promptc.providers.tokenizer_file import EXTRA, TokenizerBroken, TokenizerMissing, tokenizer_of
from promptc.providers.tokens import TokenCount


@dataclass(frozen=True, slots=True)
class Counting:
    """How the tokens of requests are counted.

    Attributes:
        sizes: Whether they are, so that prefixes are compared with the provider's minimum.
        count: Counts those of a text; None for an estimate.
    """

    sizes: bool = True
    count: Callable[[str], TokenCount] | None = None

    @property
    def estimates(self) -> bool:
        """Whether there are counts, and they are estimates."""
        return self.sizes and self.count is None

    def options(self, provider: Provider, model: str | None, registry: Registry) -> Options:
        """What rules are told about a request for a model."""
        if not self.sizes:
            return Options(registry=registry)
        known = estimating(provider, model) if self.count is None else Options(count=self.count)
        return replace(known, registry=registry)


def counter(path: Path | None) -> Callable[[str], TokenCount] | None:
    """What counts tokens; None for the estimate. Ends the command where the file is no tokenizer, or nothing reads it."""
    if path is None:
        return None
    data = read_file(path)
    try:
        return tokenizer_of(data, path.name)
    except TokenizerMissing:
        stop(
            f"`--tokenizer` needs the package `{EXTRA}`, which is not installed",
            help=f"`pip install 'promptc-lang[{EXTRA}]'`, or leave the option out for an estimate",
            finding="PC842",
        )
    except TokenizerBroken as fault:
        stop(
            f"`{path.as_posix()}` is no tokenizer: {fault.reason}",
            help="name the `tokenizer.json` that comes with a model",
            finding="PC843",
        )
