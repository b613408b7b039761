"""A tournament's figures as plain data: for tables, for `--json`, for reports."""

import math
from typing import Any

from .paired import Pentanomial
from .sprt import Sprt
from .standings import Standings
from .tournament import Outcome

_SAYS = {"H0": "H0 accepted", "H1": "H1 accepted", "continue": "not decided"}


def match_summary(outcome: Outcome, a: str, b: str, test: Sprt | None = None) -> dict[str, Any]:
    """The figures of a match from a's view; times in seconds, scores from 0 to 1."""
    standings = outcome.standings
    figures = standings.between(a, b)
    score, counts = figures.score, figures.counts
    low, high = counts.interval() if counts.pairs else score.interval()
    sides = dict(zip("ab", (standings.player_summary(a), standings.player_summary(b)), strict=True))
    return {
        "a": a,
        "b": b,
        "games": score.games,
        "asked": outcome.planned,
        "interrupted": outcome.interrupted,
        "decided": outcome.decided,
        "problem": "; ".join(outcome.unplayable),
        "wins": score.wins, "draws": score.draws, "losses": score.losses,
        "score": score.rate,
        "interval95": [low, high],
        "paired": None if not counts.pairs else paired_summary(counts),
        "sprt": None if test is None else sprt_summary(test, counts),
        "mean_length": standings.steps / standings.games if standings.games else None,
        "late": {side: one["late_moves"] for side, one in sides.items()},
        "faults": standings.faults,
        "fault_count": standings.fault_count,
        "latency": {side: one["latency"] if one["latency"]["median"] is not None else None for side, one in sides.items()},
        "nodes_per_second": {side: one["nodes_per_second"] for side, one in sides.items()},
        "depth": {side: one["depth"] for side, one in sides.items()},
        "seconds": outcome.seconds,
        "games_per_second": outcome.games_per_second,
    }  # fmt: skip


def paired_summary(counts: Pentanomial) -> dict[str, Any]:
    """Elo, normalised Elo and likelihood of superiority; infinite values are None."""

    def span(value: float, interval: tuple[float, float]) -> dict[str, float | None]:
        numbers = dict(zip(("value", "low", "high"), (value, *interval), strict=True))
        return {key: number if math.isfinite(number) else None for key, number in numbers.items()}

    return {
        "pairs": list(counts.cells),
        "elo": span(counts.elo, counts.elo_interval()),
        "normalised_elo": span(counts.normalised_elo, counts.normalised_elo_interval()),
        "los": counts.los,
    }


def sprt_summary(test: Sprt, counts: Pentanomial) -> dict[str, Any]:
    """How a sequential test stands."""
    lower, upper = test.bounds
    return {
        "test": str(test), "llr": test.llr(counts), "lower": lower, "upper": upper, "decision": test.decide(counts),
        "says": _SAYS[test.decide(counts)],
    }  # fmt: skip


def reasons(standings: Standings) -> dict[str, int]:
    """Lost games by their cause, over all players."""
    total: dict[str, int] = {}
    for figures in standings.players.values():
        for cause, count in figures.lost_by.items():
            total[cause] = total.get(cause, 0) + count
    return total
