"""The YAML surface of a `traffic` block as pydantic models."""

from typing import Literal

from pydantic import Field

from promptc.syntax.yaml_prompt_models import Count, Duration, Shape


class SessionsShape(Shape):
    count: Count
    """How many sessions begin."""
    per: Literal["hour", "day"]
    """In which time."""
    cls: str | None = Field(None, alias="class")
    """Within one organisation, user or the like, by its class; without it, of all callers."""


class GapShape(Shape):
    percent: Count
    """So many of a hundred gaps."""
    within: Duration
    """Are at most so long."""


class BlocksShape(Shape):
    percent: Count
    """So many of a hundred turns."""
    within: Count
    """Add at most so many content blocks."""


class Traffic(Shape):
    """What `cache auto` plans for."""

    sessions: list[SessionsShape] | None = None
    """How many sessions begin."""
    turns: Count | None = None
    """Requests of one session."""
    gaps: list[GapShape] | None = None
    """From the start of one request to the start of the next."""
    blocks: list[BlocksShape] | None = None
    """Content blocks that one turn adds."""
    tokens: Count | None = None
    """Tokens that one turn adds to the conversation."""
    sizes: dict[str, Count] | None = None
    """Tokens that elements hold beside the text that stands in the spec."""
    present: dict[str, Count] | None = None
    """In how many of a hundred sessions gated elements are there."""
