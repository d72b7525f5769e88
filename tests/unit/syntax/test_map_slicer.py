"""Spans and maps of parts agree with the map of the whole text."""

from hypothesis import given
from hypothesis import strategies as st

from promptc.source import Segment, TextMap
from promptc.syntax.map_slicer import MapSlicer


@st.composite
def _maps(draw: st.DrawFn) -> tuple[TextMap, int]:
    at = 0
    source = draw(st.integers(0, 5))
    segments = []
    for _ in range(draw(st.integers(0, 5))):
        if draw(st.booleans()):
            length = source_length = draw(st.integers(1, 4))
        else:
            length, source_length = 1, draw(st.integers(2, 6))
        segments.append(Segment(at, source, length, source_length))
        at += length
        source += source_length + draw(st.integers(0, 3))
    return TextMap("a.promptc", tuple(segments), 7), at


@given(_maps(), st.data())
def test_span_is_that_of_the_map(mapped: tuple[TextMap, int], data: st.DataObject) -> None:
    text_map, length = mapped
    start = data.draw(st.integers(0, length))
    end = data.draw(st.integers(start, length))
    assert MapSlicer(text_map).span(start, end) == text_map.span(start, end)


@given(_maps(), st.data())
def test_part_places_everything_where_the_whole_does(mapped: tuple[TextMap, int], data: st.DataObject) -> None:
    text_map, length = mapped
    start = data.draw(st.integers(0, length))
    end = data.draw(st.integers(start, length))
    low = data.draw(st.integers(start, end))
    high = data.draw(st.integers(low, end))
    part = MapSlicer(text_map).part(start, end)
    if low < high:
        assert part.span(low - start, high - start) == text_map.span(low, high)
    elif start == end:
        assert part.span(0, 0) == text_map.span(start, start)
