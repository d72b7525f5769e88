"""Narrow a text map to a part of its text."""

from bisect import bisect_right

from promptc.source import Segment, TextMap


def submap(text_map: TextMap, start: int, end: int) -> TextMap:
    """The map of `text[start:end]`: the same source places, counted from the new beginning.

    Args:
        text_map: The map of the whole text.
        start: First code point of the part.
        end: One past its last code point.
    """
    segments = text_map.segments
    origin = text_map.source_offset(start)
    if start >= end or not segments:
        return TextMap(text_map.path, (), origin)
    cut: list[Segment] = []
    for index in range(max(bisect_right(segments, start, key=lambda s: s.at) - 1, 0), len(segments)):
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
    return TextMap(text_map.path, tuple(cut), origin)
