"""The whitespace rule: which text between the tags of a body survives.

A line that holds only block tags or comments, and blanks, vanishes whole, its line feed included; a tag that spans
several lines makes them one line. Anywhere else a tag touches nothing around it. An output and an include put text
where they stand, so their lines stay. The marker `-` takes all whitespace on its side, as in Jinja2; `+` asks for
what the rule does anyway. See docs/decisions/0003-whitespace-rule.md.
"""

from promptc.syntax.body_scanner import Tag

BLANKS = " \t"


def surviving_text(text: str, tags: list[Tag]) -> list[tuple[int, int]]:
    """The ranges of literal text before, between and behind the tags: one more than there are tags.

    Every range is a stretch of `text` as it stands; an empty one has nothing left.
    """
    starts = [0, *(tag.end for tag in tags)]
    ends = [*(tag.start for tag in tags), len(text)]
    _drop_tag_lines(text, tags, starts, ends)
    for index, tag in enumerate(tags):
        if tag.strip_before:
            kept = text[starts[index] : ends[index]].rstrip()
            ends[index] = starts[index] + len(kept)
        if tag.strip_after:
            kept = text[starts[index + 1] : ends[index + 1]].lstrip()
            starts[index + 1] = max(ends[index + 1] - len(kept), starts[index + 1])
    return [(start, max(start, end)) for start, end in zip(starts, ends, strict=True)]


def _drop_tag_lines(text: str, tags: list[Tag], starts: list[int], ends: list[int]) -> None:
    """Narrow the ranges around every run of tags that has its line, or lines, to itself."""
    count = len(tags)
    first = 0
    while first < count:
        if stands_for_text(tags[first]):
            first += 1
            continue
        last = first
        while last + 1 < count and not stands_for_text(tags[last + 1]) and _is_blank(text, tags[last], tags[last + 1]):
            last += 1
        line_start = _line_start(text, tags, first)
        line_end = _line_end(text, tags, last)
        if line_start >= 0 and line_end >= 0:
            ends[first] = line_start
            for inner in range(first + 1, last + 1):
                ends[inner] = starts[inner]
            starts[last + 1] = line_end
        first = last + 1


def stands_for_text(tag: Tag) -> bool:
    """Whether the tag puts text where it stands."""
    return tag.kind == "output" or tag.word == "include"


def _is_blank(text: str, before: Tag, after: Tag) -> bool:
    return not text[before.end : after.start].strip(BLANKS)


def _line_start(text: str, tags: list[Tag], index: int) -> int:
    """Where the line of a tag begins, or -1 when something other than blanks stands before the tag."""
    low = tags[index - 1].end if index else 0
    high = tags[index].start
    feed = text.rfind("\n", low, high)
    if feed < 0 and index:
        return -1
    start = feed + 1 if feed >= 0 else 0
    return -1 if text[start:high].strip(BLANKS) else start


def _line_end(text: str, tags: list[Tag], index: int) -> int:
    """Where the line behind a tag ends, line feed included, or -1 when something other than blanks follows the tag."""
    low = tags[index].end
    last = index + 1 == len(tags)
    high = len(text) if last else tags[index + 1].start
    feed = text.find("\n", low, high)
    if feed < 0 and not last:
        return -1
    end = feed if feed >= 0 else high
    if text[low:end].strip(BLANKS):
        return -1
    return end + 1 if feed >= 0 else end
