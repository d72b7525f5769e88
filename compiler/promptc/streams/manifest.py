"""A built manifest read back: checked against its form, and laid out as prefix streams that can be compared."""

import json
from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from promptc.diagnostics.model import Diagnostic
from promptc.streams.json_value import JsonObject, pointer, utf8_length
from promptc.streams.manifest_model import FORMAT, LaneName, Manifest, ManifestElement, ManifestVariant
from promptc.streams.manifest_pieces import element_template
from promptc.streams.manifest_variants import decided_element
from promptc.streams.model import LANES, Breakpoint, Element, Kind, Piece, PrefixStream

SUFFIX = ".manifest.json"
_LIFETIMES = {300: "5m", 3600: "1h"}


def read_manifest(data: bytes, path: str) -> tuple[Manifest | None, tuple[Diagnostic, ...]]:
    """The manifest in a file; None when it is none.

    Diagnostics:
        PC930.
    """
    where = ""
    try:
        # Branches may nest a hundred deep, which is more levels of JSON than pydantic's own reader takes.
        return Manifest.model_validate(json.loads(data.decode("utf-8"))), ()
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    except RecursionError:
        reason = "it is nested deeper than any manifest"
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        where = pointer(*first["loc"])
        reason = f"`{where}`: {first['msg'].lower()}" if where else first["msg"].lower()
    except ValueError as fault:
        reason = f"it is not JSON: {str(fault).lower()}"
    found = Diagnostic(
        "PC930",
        f"`{path}` is no manifest of the form `{FORMAT}`",
        None,
        notes=(reason,),
        help="build it again with this version of promptc",
        pointer=where or None,
    )
    return None, (found,)


def variant_name(manifest: Manifest, variant: ManifestVariant) -> str:
    """What holds in a variant and what does not, each condition once, in cache order."""
    truths = truths_of(manifest, variant)
    return ", ".join(text if holds else f"not ({text})" for text, holds in truths.items()) or "always"


def truths_of(manifest: Manifest, variant: ManifestVariant) -> dict[str, bool]:
    """Every condition that a variant decides."""
    out: dict[str, bool] = {}
    for fork, holds in zip(manifest.forks, variant.holds, strict=True):
        if holds is not None and "$" not in fork.condition:
            out[fork.condition] = out.get(fork.condition, False) or holds
    return out


def paired_variants(a: Manifest, b: Manifest) -> Iterator[tuple[ManifestVariant, ManifestVariant]]:
    """Variants of two builds that the same inputs may lead to: they agree on every condition that both decide."""
    others = [(variant, truths_of(b, variant)) for variant in b.variants.listed]
    for variant in a.variants.listed:
        own = truths_of(a, variant)
        for other, truths in others:
            if all(truths.get(text, holds) == holds for text, holds in own.items()):
                yield variant, other


def stream_of_manifest(manifest: Manifest, name: str, variant: ManifestVariant | None = None) -> PrefixStream:
    """The prefix stream of a prompt in template form: holes are spelled `{{ input }}`.

    Args:
        name: Name of the stream, for reports.
        variant: One of the manifest's own; None for all at once, with gates and branches as tags in the text.
    """
    layout = _Layout(manifest, variant)
    model: JsonObject = () if manifest.model is None else (("model", manifest.model),)
    order = tuple(lane for wanted in manifest.order for lane in LANES if lane == wanted)
    return PrefixStream(
        name=name,
        format=manifest.format,
        target=manifest.target,
        order=order,
        elements=tuple(layout.elements),
        breakpoints=tuple(layout.breakpoints()),
        attributes=model,
        member_order=("model",) if model else (),
        outside=tuple(layout.outside),
    )


class _Layout:
    def __init__(self, manifest: Manifest, variant: ManifestVariant | None) -> None:
        self.manifest = manifest
        self.variant = variant
        self.elements: list[Element] = []
        self.outside: list[str] = []
        self._ends: dict[tuple[str, int | None], int] = {}
        self._counts: dict[str, int] = {}
        there = None if variant is None else {(b.lane, b.element) for b in variant.prefix}
        groups: dict[tuple[LaneName, int | None, int], list[ManifestElement]] = {}
        for position, element in enumerate(manifest.elements):
            if element.lane in ("tools", "system") and element.lane not in manifest.order:
                self.outside.append(f"/{element.lane}/{element.name}")
                continue
            behind = element.lane in ("conversation", "tail")
            if there is None or behind or (element.lane, element.name) in there:
                # Each tool is an element by itself; the sections of a block or an envelope are one together.
                alone = position if element.lane in ("tools", "conversation") else -1
                groups.setdefault((element.lane, element.block, alone), []).append(element)
        for (lane, block, _), members in groups.items():
            self._ends[lane, block] = len(self.elements)
            self._add(lane, members)

    def _add(self, lane: LaneName, members: Sequence[ManifestElement]) -> None:
        kind: Kind = "tool" if lane == "tools" else "system" if lane == "system" else "content"
        container = {"tool": "/tools", "system": "/system", "content": "/messages"}[kind]
        number = self._counts.get(container, 0)
        self._counts[container] = number + 1
        text, pieces = self._text(lane, members)
        at = f"{container}/{number}"
        role = "user" if kind == "content" else None
        self.elements.append(Element(kind, at, at, container, role, text, pieces))

    def _text(self, lane: LaneName, members: Sequence[ManifestElement]) -> tuple[str, tuple[Piece, ...]]:
        seam = self.manifest.seams.get(lane)
        opening, separator, closing = (seam.open, seam.separator, seam.close) if seam is not None else ("", "", "")
        text = opening
        pieces: list[Piece] = []
        for index, member in enumerate(members):
            text += separator if index else ""
            span = member.span
            # The first section answers for what opens the envelope too.
            start = utf8_length(text) if index else 0
            pieces.append(Piece(start, member.name, span.path, span.line, span.column))
            text += self._template(member)
        return text + closing, tuple(pieces)

    def _template(self, element: ManifestElement) -> str:
        if self.variant is not None and element.lane not in ("conversation", "tail"):
            return element_template(decided_element(element, self.manifest.forks, self.variant.holds))
        text = element_template(element)
        return text if element.gate is None else f"{{% when {element.gate} %}}{text}{{% endwhen %}}"

    def breakpoints(self) -> Iterator[Breakpoint]:
        """The markers whose elements are there, in order."""
        for point in self.manifest.breakpoints:
            index = self._ends.get((point.lane, point.block))
            if index is None:
                continue
            scope, ttl = point.scope, point.ttl
            if self.variant is not None and point.block is not None:
                scope = self.variant.scopes[point.block]
                if scope is not None and scope != point.scope:
                    ttl = self.manifest.blocks[point.block].fallback_ttl
            lifetime = None if ttl is None else _LIFETIMES.get(ttl, f"{ttl}s")
            yield Breakpoint(index, self.elements[index].pointer, lifetime, scope)
