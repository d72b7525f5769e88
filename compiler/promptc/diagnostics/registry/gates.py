"""Codes PC5xx: gates, variants, limits."""

from promptc.diagnostics.codes import Code, error, warning

GATES: tuple[Code, ...] = (
    error("PC501", "turn-gate-in-prefix", "Reported when a gate that may change each turn stands in a cached prefix."),
    error("PC502", "unbounded-gate", "Reported when a gate over an unbounded domain stands in a shared scope."),
    warning("PC503", "unreachable", "Reported when a gate holds in no feasible variant."),
    warning("PC504", "gate-always-true", "Reported when a gate holds in every feasible variant."),
    error("PC505", "limit-exceeded", "Reported when a declared limit is exceeded."),
    error("PC506", "variant-space-too-large", "Reported when the variants are too many to be counted exactly."),
    error("PC507", "require-contradiction", "Reported when the require clauses leave no feasible variant."),
)
