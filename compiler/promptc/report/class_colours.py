"""The colour of a stability class, one scale for all drawings."""


def class_hue(rank: int, count: int) -> int:
    """The hue in degrees: from the blue of what never changes to the red of what always does.

    Args:
        rank: Place in the chain of classes, from 0.
        count: Length of the chain.
    """
    return 212 - round(200 * rank / max(count - 1, 1))
