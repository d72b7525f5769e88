"""Laws of the stability chain."""

from hypothesis import given
from hypothesis import strategies as st

from promptc.semantics.lattice import Chain

chains = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=8, unique=True).map(
    lambda names: Chain(tuple(names))
)


@st.composite
def chain_and_classes(draw: st.DrawFn) -> tuple[Chain, list[str]]:
    """A chain and some of its classes, repeats allowed."""
    chain = draw(chains)
    return chain, draw(st.lists(st.sampled_from(chain.names), max_size=6))


@given(chain_and_classes())
def test_join_is_the_least_upper_bound(given_: tuple[Chain, list[str]]) -> None:
    chain, classes = given_
    joined = chain.join(classes)

    assert all(not chain.is_above(c, joined) for c in classes)
    for bound in chain.names:
        if all(not chain.is_above(c, bound) for c in classes):
            assert not chain.is_above(joined, bound)


@given(chain_and_classes(), chain_and_classes())
def test_join_does_not_care_about_order_repeats_or_grouping(
    a: tuple[Chain, list[str]], b: tuple[Chain, list[str]]
) -> None:
    chain, left = a
    right = [c for c in b[1] if c in chain.names]

    assert chain.join(left + right) == chain.join(right + left + left)
    assert chain.join([chain.join(left), chain.join(right)]) == chain.join(left + right)


@given(chain_and_classes())
def test_the_bottom_adds_nothing_and_the_top_wins(given_: tuple[Chain, list[str]]) -> None:
    chain, classes = given_

    assert chain.join([*classes, chain.bottom]) == chain.join(classes)
    assert chain.join([*classes, chain.top]) == chain.top


@given(chains)
def test_exactly_one_of_two_different_classes_is_above(chain: Chain) -> None:
    for left in chain.names:
        for right in chain.names:
            assert (left == right) == (not chain.is_above(left, right) and not chain.is_above(right, left))
