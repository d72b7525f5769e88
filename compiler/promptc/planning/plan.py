"""Plan every prompt of a compilation: scopes per variant, forks, markers, limits."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.planning.auto.plan_auto import plan_auto
from promptc.planning.auto.problem import constant_model
from promptc.planning.conditions import Conditions
from promptc.planning.deferral import check_deferral
from promptc.planning.diagrams import FALSE, TooLargeError
from promptc.planning.elements import Element, elements_of
from promptc.planning.forks import ChoicePoint, ForkCounter, choice_points
from promptc.planning.limits import check_limits
from promptc.planning.markers import check_markers
from promptc.planning.model import BlockPlan, PromptPlan
from promptc.planning.presence import Presence
from promptc.planning.provider_rules import check_provider_rules
from promptc.planning.routing import check_routing
from promptc.planning.scopes import ScopePlanner
from promptc.providers.model import Provider
from promptc.providers.registry import BUILTIN, Registry
from promptc.semantics.facts import Facts, Layout
from promptc.syntax import expressions as ex


def resolve_targets(facts: Facts, sink: Sink, registry: Registry = BUILTIN) -> dict[str, Provider]:
    """Return the provider facts of every prompt whose target is known, by prompt name.

    Diagnostics:
        PC210.
    """
    found = {name: _provider(layout, sink, registry) for name, layout in facts.layouts.items()}
    return {name: known for name, known in found.items() if known is not None}


def plan_prompts(facts: Facts, targets: Mapping[str, Provider], sink: Sink) -> dict[str, PromptPlan]:
    """Return the plan of every prompt whose target is known.

    Diagnostics:
        PC403-PC407, PC412, PC503, PC504, PC505, PC506, PC507, PC601, PC652, PC680-PC684, PC688, PC689, PC696,
        PC699, PC904-PC909.
    """
    plans: dict[str, PromptPlan] = {}
    for name, found in targets.items():
        plan = _plan(facts, facts.layouts[name], found, sink)
        if plan is not None:
            plans[name] = plan
    check_limits(facts, plans, sink)
    return plans


def _provider(layout: Layout, sink: Sink, registry: Registry) -> Provider | None:
    name = layout.target.name
    try:
        found = registry.provider(name.name)
        # An id may stand for several generations of one platform; the model that the prompt names tells which.
        exact = registry.resolve(found.id, constant_model(layout))
        return exact if (exact.platform, exact.format) == (found.platform, found.format) else found
    except KeyError:
        known = registry.ids()
        near = suggest(name.name.replace("_", "-"), list(known))
        sink.report(
            Diagnostic(
                "PC210",
                f"no provider facts describe the target `{name.name}`",
                Label(name.span),
                help=f"did you mean `{near}`?" if near else "known targets: " + ", ".join(known),
            )
        )
        return None


def _plan(facts: Facts, layout: Layout, found: Provider, sink: Sink) -> PromptPlan | None:
    elements = elements_of(facts, layout, found)
    points = choice_points(facts, elements)
    lists = [
        facts.names[e.source].name
        for e in elements
        if isinstance(e.source, ex.Name) and e.source in facts.names and facts.names[e.source].kind == "input"
    ]
    conditions = Conditions(facts, _all_conditions(facts, layout, points), lists)
    try:
        feasible = conditions.all_of(r.condition for r in facts.symbols.requires)
        if feasible == FALSE:
            _contradiction(facts, sink)
            return None
        auto = None
        if layout.auto is not None:
            presence = Presence(facts, conditions, feasible)
            layout, auto = plan_auto(facts, layout, elements, found, presence, sink)
            # The blocks are others now, the elements and their conditions are not.
            elements = elements_of(facts, layout, found)
            points = choice_points(facts, elements)
        planner = ScopePlanner(facts, layout, elements, conditions, feasible, found, sink)
        counter = ForkCounter(facts, conditions, points, feasible)
        _reachability(layout, elements, conditions, feasible, sink)
        blocks = tuple(_counted(planner, counter, i, planner.plan(i, b)) for i, b in enumerate(layout.system))
        forks = counter.forks(elements)
        variants = forks[-1].after if forks else 1
    except (TooLargeError, RecursionError):
        sink.report(
            Diagnostic(
                "PC506",
                f"the variants of `{layout.prompt.name.name}` are too many, and too entangled, to be counted exactly",
                Label(layout.prompt.name.span),
                help="split the prompt, or rule out combinations with `require`",
            )
        )
        return None
    check_markers(layout, blocks, found, sink)
    check_deferral(layout, found, sink)
    check_routing(facts, layout, found, sink)
    check_provider_rules(facts, layout, blocks, found, sink)
    return PromptPlan(layout, found, blocks, forks, variants, auto)


def _counted(planner: ScopePlanner, counter: ForkCounter, index: int, plan: BlockPlan) -> BlockPlan:
    if plan.scope is None:
        return plan
    until = 0
    for position, point in enumerate(counter.points):
        if point.element.lane == "tools" or (point.element.block is not None and point.element.block <= index):
            until = position + 1
    diagrams = planner.conditions.diagrams
    allowed = diagrams.both(counter.feasible, diagrams.negate(planner.demoted(plan.culprits)))
    return replace(plan, variants=counter.count(until, allowed))


def _all_conditions(facts: Facts, layout: Layout, points: tuple[ChoicePoint, ...]) -> Iterator[ex.Expr]:
    for require in facts.symbols.requires:
        yield require.condition
    for point in points:
        yield from point.condition
        yield from point.path
    for lane in (layout.tail, layout.preamble):
        for placed in lane.sections if lane is not None else ():
            yield from placed.conditions


def _contradiction(facts: Facts, sink: Sink) -> None:
    first, *rest = facts.symbols.requires
    sink.report(
        Diagnostic(
            "PC507",
            "the `require` clauses leave no feasible variant",
            Label(first.span),
            tuple(Label(r.span, "together with this") for r in rest),
            help="no input satisfies all of them; loosen one",
        )
    )


def _reachability(
    layout: Layout, elements: tuple[Element, ...], conditions: Conditions, feasible: int, sink: Sink
) -> None:
    diagrams = conditions.diagrams
    gated = [(e.name, e.conditions) for e in elements]
    gated += [(s.name, s.conditions) for s in layout.tail.sections] if layout.tail else []
    for name, own in gated:
        if not own:
            continue
        holds = diagrams.both(conditions.all_of(own), feasible)
        if holds == FALSE:
            sink.report(
                Diagnostic(
                    "PC503",
                    f"`{name}` is in no feasible variant: its gate never holds",
                    Label(own[0].span, "never true under the `require` clauses"),
                    help=f"remove `{name}`, or correct the gate",
                )
            )
        elif holds == feasible:
            sink.report(
                Diagnostic(
                    "PC504",
                    f"the gate of `{name}` holds in every feasible variant",
                    Label(own[0].span, "always true under the `require` clauses"),
                    help="remove the gate",
                )
            )
