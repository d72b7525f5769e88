"""Made-up texts: as long as asked for, the same every time, and another one at every place."""

from hashlib import blake2b

from promptc.traffic.scenario import Words

_WORDS = (
    "amber", "bench", "candle", "drawer", "engine", "fabric", "garden", "harbor",
    "island", "jacket", "kettle", "ladder", "marble", "needle", "orchard", "pencil",
    "quarry", "ribbon", "saddle", "timber", "umbrella", "valley", "window", "yellow",
    "anchor", "bottle", "copper", "dinner", "eleven", "father", "gravel", "honey",
)  # fmt: skip


def text_of(wanted: str | Words, *place: object) -> str:
    """The text itself, or one made up for a place.

    Args:
        wanted: A text, or how many words to make up.
        place: What tells this text from all others: turn, round, role.
    """
    if isinstance(wanted, str):
        return wanted
    seed = blake2b("/".join(str(part) for part in place).encode(), digest_size=8).digest()
    number = int.from_bytes(seed, "big")
    words = []
    for _ in range(wanted.words):
        # Knuth's constants for a 64-bit linear congruential generator; the high bits are the random ones.
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        words.append(_WORDS[number >> 59])
    return " ".join(words)
