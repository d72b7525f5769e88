"""Spans and maps of the parts of one text, looked up many times."""

from bisect import bisect_right

from promptc.source import Segment, Span, TextMap


class MapSlicer:
    """Answers for one text map; the same answers as `TextMap.span`, with the search prepared once.

    Args:
        text_map: The map of the whole text.
    """

    __slots__ = ("_map", "_path", "_shift", "_starts")

    def __init__(self, text_map: TextMap) -> None:
        segments = text_map.segments
        self._map = text_map
        self._path = text_map.path
        self._starts = [run.at for run in segments]
        plain = len(segments) == 1 and segments[0].length == segments[0].source_length
        self._shift = segments[0].source - segments[0].at if plain else None

    def span(self, start: int, end: int) -> Span:
        """Source span of a range of the text; `0 <= start <= end <= length`."""
        if self._shift is not None:
            return Span(self._path, start + self._shift, end + self._shift)
        if not self._starts:
            return self._map.span(start, end)
        first = self._source(start, start)
        # An end belongs to the run that it closes, not to the one that begins there.
        return Span(self._path, first, max(first, self._source(end, end - 1)) if end > start else first)

    def part(self, start: int, end: int) -> TextMap:
        """The map of `text[start:end]`: the same source places, counted from the new beginning."""
        if self._shift is not None:
            length = end - start
            origin = start + self._shift
            return TextMap(self._path, (Segment(0, origin, length, length),) if length else (), origin)
        segments = self._map.segments
        cut: list[Segment] = []
        for index in range(self._run(start), len(segments)):
            run = segments[index]
            if run.at >= end:
                break
            low = max(run.at, start)
            length = min(run.at + run.length, end) - low
            if length <= 0:
                continue
            if run.length == run.source_length:
                cut.append(Segment(low - start, run.source + low - run.at, length, length))
            else:  # an escape sequence is one code point here and cannot be cut
                cut.append(Segment(low - start, run.source, run.length, run.source_length))
        return TextMap(self._path, tuple(cut), self.span(start, start).start)

    def through(self, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
        """Segments of a text that was taken from this one, led on to the source."""
        if not segments or self._shift == 0:
            return segments
        shift = self._shift
        if shift is None:
            run = self._map.segments[self._run(segments[0].source)]
            last = segments[-1].source + segments[-1].source_length
            if run.length == run.source_length and last <= run.at + run.length:
                shift = run.source - run.at
        if shift is not None:
            return tuple(Segment(s.at, s.source + shift, s.length, s.source_length) for s in segments)
        out: list[Segment] = []
        for seg in segments:
            if seg.length == seg.source_length:
                inner = self.part(seg.source, seg.source + seg.length).segments
                out.extend(Segment(s.at + seg.at, s.source, s.length, s.source_length) for s in inner)
            else:
                place = self.span(seg.source, seg.source + seg.source_length)
                out.append(Segment(seg.at, place.start, seg.length, place.end - place.start))
        return tuple(out)

    def _run(self, offset: int) -> int:
        """Index of the run that holds an offset."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def _source(self, offset: int, probe: int) -> int:
        """Source offset of `offset`, as a place of the run that holds `probe`."""
        run = self._map.segments[self._run(probe)]
        inside = min(offset - run.at, run.length)
        if run.length == run.source_length:
            return run.source + inside
        return run.source + (run.source_length if inside >= run.length else 0)
