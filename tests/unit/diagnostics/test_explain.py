"""The pages and the table."""

import pytest

from promptc.diagnostics.explain import page, table


@pytest.mark.parametrize("name", ["PC401", "pc401", "volatile-before-stable"])
def test_page_is_found_by_code_or_slug(name: str) -> None:
    found = page(name)
    assert found is not None and found.startswith("# PC401 volatile-before-stable\n")


@pytest.mark.parametrize("name", ["PC999", "", "../../pyproject", "PC401/../PC402", "no-such-slug"])
def test_nothing_else_has_a_page(name: str) -> None:
    assert page(name) is None


def test_table_is_sorted_by_number() -> None:
    codes = [entry.code for entry in table()]
    assert codes == sorted(codes) and len(codes) == len(set(codes)) > 150
