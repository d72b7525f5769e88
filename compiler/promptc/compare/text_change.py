"""What happened to a text: every change on its own, with its place and its class."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from promptc.compare.align import align
from promptc.streams.common_prefix import common_prefix, common_suffix
from promptc.streams.json_decode import decode_json
from promptc.streams.json_value import JsonValue, same_number
from promptc.streams.result import TextClass

# Characters that take no room or only room; a reader cannot see that they changed.
_BLANKS = re.compile("[\\s\u200b\u200c\u200d\u2060\ufeff]+")
# Above this many characters between the equal ends, changes are not told apart.
MAX_MIDDLE = 8_000_000
MAX_JSON = 4_000_000
# A combining mark belongs to what stands before it; longer runs of marks are no writing.
_MARGIN = 32
_LOOK_AHEAD = 4096


@dataclass(frozen=True, slots=True)
class TextChange:
    """One independent change of a text.

    Attributes:
        at_a: First differing code point in the first text.
        at_b: The same in the second.
        end_a: End of the change in the first text.
        end_b: End of it in the second.
        text_class: What kind of change it is.
        lines: Lines added or removed, 0 for other classes.
    """

    at_a: int
    at_b: int
    end_a: int
    end_b: int
    text_class: TextClass
    lines: int = 0


def text_changes(a: str, b: str) -> list[TextChange]:
    """Every independent change between two texts, in order; the first starts at their first differing code point."""
    head = common_prefix(a, b)
    if head == len(a) == len(b):
        return []
    tail = common_suffix(a, b, head)
    end_a, end_b = len(a) - tail, len(b) - tail
    if max(end_a, end_b) - head > MAX_MIDDLE:
        return [TextChange(head, head, end_a, end_b, "value")]
    whole = _invisible_class(a, b, head, end_a, end_b) or ("json_respelled" if _respelled(a, b) else None)
    if whole is not None:
        return [TextChange(head, head, end_a, end_b, whole)]
    return _line_changes(a, b, head)


def _invisible_class(a: str, b: str, head: int, end_a: int, end_b: int) -> TextClass | None:
    """The class of a change that a reader of the text could not see."""
    before, after = a[max(head - _MARGIN, 0) : head], a[end_a : end_a + _MARGIN]
    middle_a, middle_b = a[head:end_a], b[head:end_b]
    around_a, around_b = before + middle_a + after, before + middle_b + after
    if ("\r" in around_a or "\r" in around_b) and _lf(around_a) == _lf(around_b):
        return "line_endings"
    if not (around_a.isascii() and around_b.isascii()) and _nfc(around_a) == _nfc(around_b):
        return "unicode_normalisation"
    if _BLANKS.sub("", middle_a) == _BLANKS.sub("", middle_b):
        return "whitespace"
    return None


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _respelled(a: str, b: str) -> bool:
    """Whether both texts are JSON of the same meaning."""
    if max(len(a), len(b)) > MAX_JSON or a.lstrip()[:1] not in ("{", "[") or b.lstrip()[:1] not in ("{", "["):
        return False
    value_a, _ = decode_json(a.encode("utf-8", "surrogatepass"), "")
    value_b, _ = decode_json(b.encode("utf-8", "surrogatepass"), "")
    return value_a is not None and value_b is not None and same_meaning(value_a, value_b)


def same_meaning(a: JsonValue, b: JsonValue) -> bool:
    """Whether two JSON values mean the same: order of keys and spelling of numbers do not count."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        left, right = dict(a), dict(b)
        return left.keys() == right.keys() and all(same_meaning(left[key], right[key]) for key in left)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same_meaning(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, bytes) and isinstance(b, bytes):
        return same_number(a, b)
    return type(a) is type(b) and a == b


def _line_changes(a: str, b: str, head: int) -> list[TextChange]:
    # Only the lines from the first difference on take part; what stands before is equal.
    start = a.rfind("\n", 0, head) + 1
    lines_a, lines_b = a[start:].split("\n"), b[start:].split("\n")
    starts_a, starts_b = _starts(lines_a, start), _starts(lines_b, start)
    if _reordered(lines_a, lines_b):
        return [TextChange(head, head, len(a), len(b), "line_reorder")]
    changes: list[TextChange] = []
    for i, next_i, j, next_j in _changed_lines(lines_a, lines_b):
        bounds = (starts_a[i], starts_a[next_i], starts_b[j], starts_b[next_j])
        change = _hunk(a, b, bounds, (next_i - i, next_j - j), head if not changes else None)
        changes.extend([change] if not changes else _behind(change, changes[-1]))
    return changes


def _behind(change: TextChange, last: TextChange) -> list[TextChange]:
    """The part of a change that the one before it does not cover.

    The first change may begin inside a line that is paired with a later one.
    """
    at_a, at_b = max(change.at_a, last.end_a), max(change.at_b, last.end_b)
    if at_a >= change.end_a and at_b >= change.end_b:
        return []
    return [replace(change, at_a=at_a, at_b=at_b, end_a=max(change.end_a, at_a), end_b=max(change.end_b, at_b))]


def _changed_lines(lines_a: list[str], lines_b: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Ranges of lines that changed, as (from, to) on both sides.

    Lines are paired by how they look, so that one which only looks the same is a change of its own.
    """
    i = j = 0
    for next_i, next_j in align([_look(line) for line in lines_a], [_look(line) for line in lines_b]):
        if next_i > i or next_j > j:
            yield i, next_i, j, next_j
        if lines_a[next_i] != lines_b[next_j]:
            yield next_i, next_i + 1, next_j, next_j + 1
        i, j = next_i + 1, next_j + 1
    if i < len(lines_a) or j < len(lines_b):
        yield i, len(lines_a), j, len(lines_b)


def _look(line: str) -> str:
    """The line as a reader sees it; long lines, which no reader takes in, as they are."""
    if len(line) > _LOOK_AHEAD:
        return line
    return _BLANKS.sub(" ", line if line.isascii() else _nfc(line)).strip()


def _starts(lines: list[str], start: int) -> list[int]:
    """Offset of every line, and one more: the end of the text as if it had a final newline."""
    starts = [start]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _reordered(lines_a: list[str], lines_b: list[str]) -> bool:
    return len(lines_a) == len(lines_b) and sorted(lines_a) == sorted(lines_b)


def _hunk(a: str, b: str, bounds: tuple[int, int, int, int], counts: tuple[int, int], known: int | None) -> TextChange:
    start_a, end_a, start_b, end_b = bounds
    removed, added = counts
    if known is None:
        size = max(end_a - start_a, end_b - start_b) + _LOOK_AHEAD
        agreed = common_prefix(a[start_a : start_a + size], b[start_b : start_b + size])
    else:
        agreed = known - start_a
    # Starts count a newline behind the last line, which is not there.
    at_a, at_b = min(start_a + agreed, len(a)), min(start_b + agreed, len(b))
    end_a, end_b = min(end_a, len(a)), min(end_b, len(b))
    if removed == 0:
        return TextChange(at_a, at_b, at_a, max(end_b, at_b), "lines_added", added)
    if added == 0:
        return TextChange(at_a, at_b, max(end_a, at_a), at_b, "lines_removed", removed)
    old, new = a[start_a:end_a], b[start_b:end_b]
    shared = common_prefix(old, new)
    tail = common_suffix(old, new, shared)
    text_class = _invisible_class(old, new, shared, len(old) - tail, len(new) - tail)
    if text_class is None:
        text_class = "line_reorder" if removed > 1 and _reordered(old.split("\n"), new.split("\n")) else "value"
    return TextChange(at_a, at_b, max(end_a - tail, at_a), max(end_b - tail, at_b), text_class)
