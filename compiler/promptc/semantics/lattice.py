"""The stability chain: binding times, ordered from the one that is bound first."""

from collections.abc import Iterable
from dataclasses import dataclass

DEFAULT_CLASSES = ("static", "org", "user", "session", "turn")


@dataclass(frozen=True, slots=True)
class Chain:
    """A finite chain of stability classes.

    Attributes:
        names: Lowest (bound first, most stable) to highest (bound last). At least two, no duplicates.
    """

    names: tuple[str, ...] = DEFAULT_CLASSES

    @property
    def bottom(self) -> str:
        """The class of text in a spec."""
        return self.names[0]

    @property
    def top(self) -> str:
        """The class of what may change with every request."""
        return self.names[-1]

    @property
    def conversation(self) -> str:
        """The class of what holds for one conversation: the highest below `top`."""
        return self.names[-2]

    def rank(self, name: str) -> int:
        """Position of a class, 0 for the most stable.

        Raises:
            ValueError: There is no such class.
        """
        return self.names.index(name)

    def is_above(self, left: str, right: str) -> bool:
        """Whether `left` is bound strictly later than `right`."""
        return self.rank(left) > self.rank(right)

    def join(self, classes: Iterable[str]) -> str:
        """The highest of some classes; `bottom` for none."""
        return self.names[max((self.rank(c) for c in classes), default=0)]
