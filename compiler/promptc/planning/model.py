"""What a plan is: per block its scope in every variant, per prompt its forks and how many variants they make."""

from dataclasses import dataclass

from promptc.planning.auto.plan_auto import AutoPlan
from promptc.providers.model import Provider
from promptc.semantics.facts import Layout, Placed, PlacedBlock
from promptc.source import Span
from promptc.syntax import expressions as ex
from promptc.syntax import nodes


@dataclass(frozen=True, slots=True, eq=False)
class Culprit:
    """An element in front of a block whose class its scope cannot hold.

    Attributes:
        presence: Input whose emptiness decides whether the element is there, or None.
    """

    name: str
    cls: str
    at: Span
    conditions: tuple[ex.Expr, ...]
    presence: ex.Expr | None
    node: Placed | nodes.ToolGroup | nodes.ToolDecl


@dataclass(frozen=True, slots=True, eq=False)
class BlockPlan:
    """The scope of one system block.

    Attributes:
        scope: Declared scope; None for a block that is not cached.
        fallback: Scope that it gets in the variants where a culprit is there; None when there are no such variants.
        culprits: Why; empty when the declared scope holds everywhere.
        always: Whether a culprit is there in every feasible variant.
        ttl, fallback_ttl: Lifetimes in seconds; None for the provider's default.
        variants: Number of distinct prefixes that end in this block under its declared scope; None when uncached.
    """

    block: PlacedBlock
    scope: str | None
    fallback: str | None
    culprits: tuple[Culprit, ...]
    always: bool
    ttl: int | None
    fallback_ttl: int | None
    variants: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """A condition that forks the prefix.

    Attributes:
        element: Name of the element that it gates, or in whose body it stands.
        condition: The conjunction, as source expressions.
        at: Where the condition stands.
        inside: Whether it stands inside a body rather than on the element.
        least_bytes, most_bytes: Bounds on the literal bytes in front of the fork.
        before, after: Distinct prefixes in front of it and behind it.
    """

    element: str
    condition: tuple[ex.Expr, ...]
    at: Span
    inside: bool
    least_bytes: int
    most_bytes: int
    before: int
    after: int


@dataclass(frozen=True, slots=True, eq=False)
class PromptPlan:
    """The plan of one prompt.

    Attributes:
        provider: Facts of the target.
        layout: As planned: under `cache auto` with the markers that the planner placed.
        auto: Why they stand there; None where the author placed them.
        forks: In cache order.
        variants: Distinct shapes of everything in front of the conversation.
    """

    layout: Layout
    provider: Provider
    blocks: tuple[BlockPlan, ...]
    forks: tuple[Fork, ...]
    variants: int
    auto: AutoPlan | None = None

    @property
    def target(self) -> str:
        """Id of the target."""
        return self.provider.id

    @property
    def wire(self) -> str:
        """Request format of the target."""
        return self.provider.format
