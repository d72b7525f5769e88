"""Codes PC4xx: stability, order, delivery."""

from promptc.diagnostics.codes import Code, error, hint, warning

STABILITY: tuple[Code, ...] = (
    error("PC401", "volatile-before-stable", "Reported when a section stands in front of one that is more stable."),
    error("PC402", "class-exceeded", "Reported when a section depends on something bound later than it declares."),
    error("PC403", "scope-exceeded", "Reported when a shared scope holds a section of a higher class."),
    error("PC404", "scope-not-reachable", "Reported when bytes in front of a block keep its scope from being shared."),
    error("PC405", "missing-class", "Reported when an input, section or tool declares no stability class."),
    hint("PC406", "class-too-high", "Reported when a section depends only on what is bound earlier than it declares."),
    error(
        "PC407", "fallback-exceeded", "Reported when a fallback scope cannot hold what stands in front of the block."
    ),
    error("PC408", "delivery-misplaced", "Reported when a delivery mode is used in a lane that cannot carry it."),
    error("PC409", "frozen-without-key", "Reported when a frozen value may change each turn and has no key."),
    error("PC410", "delta-incomplete", "Reported when a delta lacks one of its three renderers."),
    error("PC411", "volatile-before-conversation", "Reported when a per-turn section stands before the conversation."),
    warning("PC412", "scope-never-reached", "Reported when no feasible variant gives a block its declared scope."),
    warning("PC413", "pin-without-effect", "Reported when a pin accepts nothing."),
    error("PC414", "tool-order-missing", "Reported when a tool group has no total order."),
    error(
        "PC415", "stability-chain-fault", "Reported when a declared chain has fewer than two classes or repeats one."
    ),
    error("PC416", "masked-and-gated", "Reported when a tool group is masked and has a gate as well."),
)
