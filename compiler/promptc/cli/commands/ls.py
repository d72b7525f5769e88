"""`promptc ls`: the sections of a prompt in cache order, with what each costs."""

import json
from typing import Annotated

import typer

from promptc.cli.console import product
from promptc.cli.manifests import manifests
from promptc.cli.options import Paths, Prompt, Tokenizer
from promptc.cli.tokenizing import counter
from promptc.report.listing import listing_json, listing_text


def ls(
    paths: Paths = None,
    prompt: Prompt = None,
    tokenizer: Tokenizer = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List what a prompt is made of: class, scope, gate, bytes, tokens, forks, and what can be cached.

    Exit codes: 0 listed, 1 the spec has errors, 2 unreadable files.
    """
    found, registry = manifests(paths or [], prompt, counter(tokenizer))
    if as_json:
        rows = [listing_json(m, registry) for m in found]
        product(json.dumps({"format": "promptc.listing/1", "prompts": rows}, ensure_ascii=False, indent=2))
    else:
        product("\n\n".join(listing_text(m, registry).rstrip("\n") for m in found))
