"""Alignment: equal ends, anchors, exact small rests, bounded large ones."""

from promptc.compare.align import EXACT_CELLS, align


def test_an_insertion_leaves_all_others_paired() -> None:
    assert align("abc", "abxc") == [(0, 0), (1, 1), (2, 3)]


def test_a_removal_leaves_all_others_paired() -> None:
    assert align("abxc", "abc") == [(0, 0), (1, 1), (3, 2)]


def test_one_moved_item_costs_one_pair_only() -> None:
    assert len(align("habcd", "abchd")) == 4


def test_large_sequences_are_aligned_by_what_occurs_once() -> None:
    a = [f"line {i}" for i in range(5_000)]
    b = [line for i, line in enumerate(a) if i % 7] + ["new"]
    assert len(a) * len(b) > EXACT_CELLS
    assert len(align(a, b)) == len(b) - 1


def test_large_sequences_without_anything_unique_end() -> None:
    a, b = ["x", "y"] * 20_000, ["y", "z", "x"] * 15_000
    assert all(a[i] == b[j] for i, j in align(a, b))
