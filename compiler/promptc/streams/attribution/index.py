"""Built manifests as an index: read once, then asked for every request, in time linear in the request's own size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from promptc.streams.attribution.lines import by_lines, known_lines
from promptc.streams.attribution.match import fit
from promptc.streams.attribution.model import Attribution, Origin, Owner, Range, least_sure, pieces_of
from promptc.streams.attribution.pattern import Pattern, block_pattern, owner_of
from promptc.streams.attribution.tools import KnownTools, known_tools
from promptc.streams.manifest_model import LaneName, Manifest, ManifestElement, Seams
from promptc.streams.model import Element, PrefixStream
from promptc.streams.plain_text import FORMAT as TEXT

# A message of the conversation fits an envelope by less than this only by chance.
MIN_LITERAL = 8
# The prompts of a stream of captures are few, and the same blocks come again and again.
_REMEMBERED = 4096

Fit = tuple[int, tuple[Range, ...]]


@dataclass(frozen=True, slots=True)
class _Prompt:
    """One built prompt, ready to be looked up.

    Attributes:
        blocks: Patterns of the system blocks in order, and behind them that of all in one text.
        envelopes: Patterns of what is put into messages.
        lines: Lines that one section alone has.
    """

    manifest: Manifest
    tools: KnownTools
    blocks: tuple[Pattern, ...]
    envelopes: tuple[Pattern, ...]
    lines: dict[str, Owner]


@dataclass(slots=True)
class AttributionIndex:
    """Tells which sections of some built prompts wrote the elements of a request.

    Attributes:
        prompts: In the order in which they were given; of two that fit equally well the first one counts.
    """

    prompts: tuple[_Prompt, ...]
    _known: dict[bytes, tuple[Fit, ...]] = field(default_factory=dict)

    def attribute(self, stream: PrefixStream) -> Attribution:
        """Attribute the elements of a request to the one prompt that it fits best."""
        best: tuple[tuple[int, int, int], int, dict[int, tuple[Range, ...]]] | None = None
        for number, prompt in enumerate(self.prompts):
            found = self._front(number, prompt, stream)
            weight = _weight(found.values())
            if any(weight) and (best is None or weight > best[0]):
                best = (weight, number, found)
        if best is None:
            return _nothing(stream)
        _, number, found = best
        prompt = self.prompts[number]
        for index, element in enumerate(stream.elements):
            text = element.text if element.role == "user" and element.kind == "content" else None
            if text is not None and index not in found:
                fits = self._fits(number, b"content", prompt.envelopes, text)
                found |= {index: max(fits, key=_literal_of)[1]} if fits else {}
        return _attribution(stream, prompt.manifest, found)

    def _front(self, number: int, prompt: _Prompt, stream: PrefixStream) -> dict[int, tuple[Range, ...]]:
        """Ranges of tools and system blocks, by element."""
        found: dict[int, tuple[Range, ...]] = {}
        chosen: dict[int, int] = {}
        tools = [i for i, e in enumerate(stream.elements) if e.kind == "tool"]
        for index, origin in zip(tools, prompt.tools.origins([stream.elements[i] for i in tools]), strict=True):
            found |= {index: (origin,)} if origin is not None else {}
        for index, element in enumerate(stream.elements):
            text = element.text if element.kind == "system" or stream.format == TEXT else None
            if text is None:
                continue
            patterns = prompt.blocks if stream.format != TEXT else (*prompt.blocks, *prompt.envelopes)
            fits = [f for f in self._fits(number, b"system", patterns, text) if _literal_of(f)]
            if fits:
                # Of two that fit equally well the one behind the last block that was found is meant.
                behind = max(chosen.values(), default=-1)
                chosen[index], found[index] = max(fits, key=lambda f: (_literal_of(f), f[0] > behind, -f[0]))
            elif (ranges := by_lines(text, prompt.lines)) is not None:
                found[index] = ranges
        found |= self._by_place(number, prompt, stream, chosen, found)
        return found

    def _by_place(
        self,
        number: int,
        prompt: _Prompt,
        stream: PrefixStream,
        chosen: dict[int, int],
        found: dict[int, tuple[Range, ...]],
    ) -> dict[int, tuple[Range, ...]]:
        """Blocks without a literal byte, where the blocks around them leave one candidate."""
        out: dict[int, tuple[Range, ...]] = {}
        system = [i for i, e in enumerate(stream.elements) if e.kind == "system"]
        for place, index in enumerate(system):
            text = stream.elements[index].text
            if index in found or text is None or not chosen:
                continue
            low = chosen.get(system[place - 1]) if place else -1
            high = chosen.get(system[place + 1]) if place + 1 < len(system) else len(prompt.blocks) - 1
            if low is not None and high is not None and high - low == 2:
                fits = [f for f in self._fits(number, b"system", prompt.blocks, text) if f[0] == low + 1]
                out |= {index: fits[0][1]} if fits else {}
        return out

    def _fits(self, number: int, kind: bytes, patterns: Sequence[Pattern], text: str) -> tuple[Fit, ...]:
        """Every pattern that a text fits, with the ranges; remembered, since captures repeat themselves."""
        data = text.encode("utf-8", "surrogatepass")
        key = blake2b(data, digest_size=16, salt=kind, person=number.to_bytes(4, "big")).digest()
        known = self._known.get(key)
        if known is None:
            found = ((i, fit(pattern, text)) for i, pattern in enumerate(patterns))
            known = tuple((i, ranges) for i, ranges in found if ranges is not None)
            if kind == b"content":
                known = tuple(f for f in known if _literal_of(f) >= MIN_LITERAL)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = known
        return known


def index_of(manifests: Sequence[Manifest]) -> AttributionIndex:
    """The index of some built prompts."""
    return AttributionIndex(tuple(_prompt(manifest) for manifest in manifests))


def _prompt(manifest: Manifest) -> _Prompt:
    blocks: dict[int | None, list[ManifestElement]] = {}
    lanes: dict[LaneName, list[ManifestElement]] = {}
    for element in manifest.elements:
        lanes.setdefault(element.lane, []).append(element)
        if element.lane == "system":
            blocks.setdefault(element.block, []).append(element)
    seams: dict[LaneName, Seams] = manifest.seams
    system = lanes.get("system", [])
    joined = [block_pattern(system, seams.get("system"))] if system else []
    names: tuple[LaneName, ...] = ("preamble", "tail")
    envelopes = [block_pattern(lanes[name], seams.get(name)) for name in names if name in lanes]
    written = [(e, owner_of(e)) for name in ("system", *names) for e in lanes.get(name, ())]
    return _Prompt(
        manifest,
        known_tools(manifest),
        (*(block_pattern(members, seams.get("system")) for members in blocks.values()), *joined),
        tuple(envelopes),
        known_lines(written),
    )


def _literal_of(found: Fit) -> int:
    return sum(r.end - r.start for r in found[1] if r.literal)


def _weight(found: Iterable[tuple[Range, ...]]) -> tuple[int, int, int]:
    """How well a prompt fits: literal bytes of what fits exactly, of lines, and tools that bear its names."""
    exact = lines = names = 0
    for ranges in found:
        for r in ranges:
            size = r.end - r.start if r.literal else 0
            exact += size if r.by in ("digest", "pattern") else 0
            lines += size if r.by == "lines" else 0
            names += r.by == "name"
    return exact, lines, names


def _nothing(stream: PrefixStream) -> Attribution:
    return Attribution(None, (), stream, (), _unattributed(stream, {}), _others(stream, {}))


def _attribution(stream: PrefixStream, manifest: Manifest, found: dict[int, tuple[Range, ...]]) -> Attribution:
    elements: list[Element] = []
    origins: list[Origin] = []
    for index, element in enumerate(stream.elements):
        ranges = found.get(index)
        if ranges is None:
            elements.append(element)
        else:
            elements.append(replace(element, pieces=pieces_of(ranges)))
            origins.append(Origin(element.pointer, least_sure(ranges), ranges))
    return Attribution(
        manifest.prompt,
        manifest.chain,
        replace(stream, elements=tuple(elements)),
        tuple(origins),
        _unattributed(stream, found),
        _others(stream, found),
    )


def _unattributed(stream: PrefixStream, found: dict[int, tuple[Range, ...]]) -> tuple[str, ...]:
    return tuple(e.pointer for i, e in enumerate(stream.elements) if i not in found and e.kind != "content")


def _others(stream: PrefixStream, found: dict[int, tuple[Range, ...]]) -> int:
    return sum(e.kind == "content" for i, e in enumerate(stream.elements) if i not in found)
