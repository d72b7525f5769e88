"""How far two sequences agree, also at the borders of slices."""

import pytest

from promptc.streams.common_prefix import SLICE, common_prefix, common_suffix


@pytest.mark.parametrize("size", [0, 1, SLICE - 1, SLICE, SLICE + 1, 3 * SLICE + 7])
def test_first_difference_is_found_at_every_border(size: int) -> None:
    shared = b"m" * size
    assert common_prefix(shared + b"a", shared + b"b") == size
    assert common_prefix(shared, shared + b"b") == size
    assert common_suffix(b"a" + shared, b"b" + shared) == size


def test_suffix_does_not_reach_into_the_prefix() -> None:
    # "aa" inside "aaa": the prefix takes two, so nothing is left for the suffix.
    assert common_suffix("aaa", "aa", common_prefix("aaa", "aa")) == 0


def test_texts_are_counted_in_code_points() -> None:
    assert common_prefix("é€😀x", "é€😀y") == 3
