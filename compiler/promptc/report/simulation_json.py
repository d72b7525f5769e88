"""A simulation as JSON: `promptc.simulation/1`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from promptc.providers.cache_model.values import Counts
from promptc.report.simulation import Loss, Played, Simulation, Sums, TurnSums
from promptc.report.simulation_contrast import Contrast, contrast, verdict

FORMAT = "promptc.simulation/1"


def simulation_json(simulations: Sequence[Simulation]) -> str:
    """The simulations as indented JSON text; shares have six decimals, costs three."""
    document: dict[str, Any] = {"format": FORMAT, "simulations": [_simulation(s) for s in simulations]}
    if len(simulations) > 1:
        document["comparison"] = _comparison(contrast(*simulations))
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _comparison(found: Contrast) -> dict[str, Any]:
    """The second beside the first: differences are B - A."""
    return {
        "verdict": verdict(found),
        "read": found.read,
        "cost": round(found.cost, 3),
        "share": None if found.share is None else round(found.share, 6),
        "apart": found.apart,
        "turns": [{"turn": t.turn, "read": t.read, "cost": round(t.cost, 3)} for t in found.turns],
        "only_a": [asdict(reason) for reason in found.only_a],
        "only_b": [asdict(reason) for reason in found.only_b],
    }


def _simulation(simulation: Simulation) -> dict[str, Any]:
    return {
        "name": simulation.name,
        "target": simulation.target,
        "tokens": {"method": simulation.method, "exact": simulation.exact, "mean_error": simulation.error},
        "promised": simulation.promised,
        "total": _both(simulation.best, simulation.certain, simulation.kept),
        "turns": [_turn(turn) for turn in simulation.turns],
        "requests": [_played(played) for played in simulation.requests],
        "notes": list(simulation.notes),
    }


def _turn(turn: TurnSums) -> dict[str, Any]:
    return {"turn": turn.turn, "at": turn.at, "left": turn.left, **_both(turn.best, turn.certain, turn.kept)}


def _both(best: Sums, certain: Sums, kept: float | None) -> dict[str, Any]:
    return {
        "requests": best.requests,
        "kept": None if kept is None else round(kept, 6),
        "best": _sums(best),
        "certain": _sums(certain),
    }


def _sums(sums: Sums) -> dict[str, Any]:
    return {
        "input": sums.input,
        "written": dict(sums.written),
        "read": sums.read,
        "hit_rate": round(sums.hit_rate, 6),
        "cost": round(sums.cost, 3),
    }


def _played(played: Played) -> dict[str, Any]:
    return {
        "turn": played.turn,
        "step": played.step,
        "fork": played.fork,
        "at": played.at,
        "model": played.model,
        "events": list(played.events),
        "best": {**_counts(played.best), "cost": round(played.best_cost, 3)},
        "certain": {**_counts(played.certain), "cost": round(played.certain_cost, 3)},
        "left": played.left,
        "loss": None if played.loss is None else _loss(played.loss),
    }


def _counts(counts: Counts) -> dict[str, Any]:
    return {"input": counts.input, "written": dict(counts.written), "read": counts.read}


def _loss(loss: Loss) -> dict[str, Any]:
    return {
        "kind": loss.kind,
        "reason": loss.reason,
        "tokens": loss.tokens,
        "section": loss.section or None,
        "place": loss.place or None,
        "was": loss.was or None,
        "now": loss.now or None,
    }
