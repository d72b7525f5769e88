"""One variant of a manifest: its elements with their branches decided, and the digest of every prefix of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from promptc.streams.manifest_model import (
    LaneName,
    ManifestBlock,
    ManifestElement,
    ManifestFork,
    Seams,
)
from promptc.streams.manifest_pieces import decided, element_digest

PREFIX_DIGEST_CHARS = 32


def decided_element(
    element: ManifestElement, forks: Sequence[ManifestFork], holds: Sequence[bool | None]
) -> ManifestElement:
    """The element as it is in one variant.

    Args:
        holds: Per fork whether it holds; None where it is not reached.
    """
    known: dict[str, bool] = {}
    for fork, truth in zip(forks, holds, strict=True):
        # What a local stands for depends on the place in the text, so its conditions stay open.
        here = fork.inside and fork.element == element.name and fork.lane == element.lane
        if here and truth is not None and "$" not in fork.condition:
            known[fork.condition] = known.get(fork.condition, False) or truth
    if not known:
        return element
    changed = element.model_copy(update={"pieces": decided(element.pieces, known.get)})
    return changed.model_copy(update={"digest": element_digest(changed)})


def prefix_digests(elements: Sequence[ManifestElement], seams: Mapping[LaneName, Seams]) -> tuple[str, ...]:
    """A digest per element, of everything from the first element through that one.

    Two prefixes have equal digests when the same inputs give them the same bytes. Names of elements and places of
    markers are not part of it, as they are not bytes.
    """
    out: list[str] = []
    state = hashlib.sha256(b"promptc prefix").digest()
    home: tuple[str, int | None] | None = None
    for element in elements:
        here = (element.lane, element.block)
        if here != home:
            home = here
            opening = ["lane", element.lane, _seam(seams.get(element.lane))]
            state = _fed(state, opening)
        state = _fed(state, [element.kind, element.digest])
        out.append(state.hex()[:PREFIX_DIGEST_CHARS])
    return tuple(out)


def prompt_digest(
    elements: Sequence[ManifestElement], blocks: Sequence[ManifestBlock], seams: Mapping[LaneName, Seams]
) -> str:
    """One digest over all that decides the bytes and the scopes of a prompt, gates and markers included."""
    state = hashlib.sha256(b"promptc prompt").digest()
    for lane in sorted(seams):
        state = _fed(state, [lane, _seam(seams[lane])])
    for block in blocks:
        plain = block.model_dump(mode="json", exclude={"elements", "variants"})
        state = _fed(state, [json.dumps(plain, sort_keys=True)])
    for element in elements:
        about = [element.lane, str(element.block), element.kind, element.cls, element.deliver]
        state = _fed(state, [*about, element.gate or "", element.key or "", element.digest])
    return state.hex()


def _seam(seam: Seams | None) -> str:
    return "" if seam is None else json.dumps([seam.separator, seam.open, seam.close])


def _fed(state: bytes, parts: Sequence[str]) -> bytes:
    # JSON keeps the parts apart, so that no two lists of parts are the same bytes.
    return hashlib.sha256(state + json.dumps(parts).encode()).digest()
