"""A tournament's figures as plain data: for tables, for `--json`, for reports."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..players.base import FaultKind
from .standings import Standings
from .statistics.cross_table import CrossTable
from .statistics.paired import Pentanomial, ResultTable
from .statistics.ratings import rate
from .statistics.sprt import Sprt
from .tournament import TournamentOutcome

_SAYS = {"H0": "H0 accepted", "H1": "H1 accepted", "continue": "not decided"}


def voids_said(count: int) -> str:
    """The line above the reasons of games that do not count."""
    return f"{'1 game was' if count == 1 else f'{count:,} games were'} void, because the machine failed; not counted:"


def alike_and_counted(data: Mapping[str, Any]) -> tuple[int, int] | None:
    """(equal games, counted games) where most of the counted games equal earlier ones; else None."""
    alike, counted = data["alike"] - data["repeats"], data["games"] - data["repeats"]
    return (alike, counted) if 2 * alike > counted else None


def warnings(outcome: TournamentOutcome) -> list[str]:
    """Warnings to be shown before the figures, one sentence each."""
    found = [outcome.unreported] if outcome.unreported else []
    late = reasons(outcome.standings).get(FaultKind.LATE, 0)
    if late and outcome.busy:
        found.append(
            f"{late} game{'s' * (late > 1)} lost by late answers, on a busy machine ({outcome.busy}): such a result says little about "
            "strength; give moves more --time or --tolerance, play fewer games at a time (-j 1), or count --nodes"
        )
    return found


def match_summary(outcome: TournamentOutcome, a: str, b: str, test: Sprt | None = None) -> dict[str, Any]:
    """The figures of a match from a's view; times in seconds, scores from 0 to 1."""
    standings = outcome.standings
    figures = standings.between(a, b)
    score, counts = figures.score, figures.counts
    low, high = counts.interval() if counts.pairs else score.interval()
    sides = dict(zip("ab", (standings.player_summary(a), standings.player_summary(b)), strict=True))
    return (
        {"a": a, "b": b}
        | _run_summary(outcome)
        | {
            "decided": outcome.decided,
            **asdict(score),
            "score": score.mean,
            "interval95": [low, high],
            "paired": None if not counts.pairs else paired_summary(counts),
            "sprt": None if test is None else sprt_summary(test, counts),
            "late": {side: one["late_moves"] for side, one in sides.items()},
            "latency": {
                side: one["latency"] if one["latency"]["median"] is not None else None
                for side, one in sides.items()
            },
            "nodes_per_second": {side: one["nodes_per_second"] for side, one in sides.items()},
            "depth": {side: one["depth"] for side, one in sides.items()},
        }
    )


def _run_summary(outcome: TournamentOutcome) -> dict[str, Any]:
    standings = outcome.standings
    return {
        "warnings": warnings(outcome),
        "games": standings.games,
        "repeats": standings.repeats.repeated,
        "alike": standings.repeats.alike,
        "voids": standings.voids,
        "void_reasons": standings.void_reasons,
        "asked": outcome.planned,
        "interrupted": outcome.interrupted,
        "exhausted": outcome.exhausted,
        "busy": outcome.busy,
        "problem": "; ".join(outcome.unplayable),
        "seconds": outcome.seconds,
        "games_per_second": outcome.games_per_second if outcome.played else None,
        "mean_length": standings.steps / standings.games if standings.games else None,
        "faults": standings.faults,
        "fault_count": standings.fault_count,
    }


def tournament_summary(
    outcome: TournamentOutcome,
    players: Sequence[str],
    anchor: tuple[str, float] | None = None,
    resamples: int = 200,
    present: Collection[str] | None = None,
) -> dict[str, Any]:
    """Ratings, cross table, cycles and maximin mixture of a tournament; times in seconds, scores from 0 to 1.

    The mixture is one of the players that are `present`; by default of all.

    Error bars are 95 % intervals by the observed information, and by `resamples` bootstrap draws of pairs.
    """
    standings = outcome.standings
    table = standings.table()
    data: dict[str, Any] = _run_summary(outcome) | {
        "first_player": asdict(standings.first_player),
        "players": [standings.player_summary(player) for player in players],
        "ratings": None,
        "cross_table": [],
        "cycles": [],
        "mixture": None,
        "notes": [],
        "reasons": reasons(standings),
    }
    if standings.games and len(table.players) > 1:
        fixed = anchor if anchor is not None and anchor[0] in table.players else None
        data.update(rating_summary(table, fixed, resamples, present))
    return data


def rating_summary(
    table: ResultTable,
    anchor: tuple[str, float] | None = None,
    resamples: int = 200,
    present: Collection[str] | None = None,
) -> dict[str, Any]:
    """Ratings with error bars, the table of scores, its cycles and the mixture that no player beats; infinite is None.

    The mixture is one of the players that are `present` (by default all), and that none of them beats; it is None
    without any.
    """
    ratings = rate(table, anchor, resamples=resamples)
    names = [row.player for row in ratings.rows]
    cross = CrossTable.of(table, names)
    inside = names if present is None else [name for name in names if name in present]
    mixture = CrossTable.of(table, inside).mixture() if inside else None
    return {
        "ratings": [
            {
                "player": row.player,
                "elo": row.elo,
                "low": _finite(row.low),
                "high": _finite(row.high),
                "resampled": None if row.resampled is None else [_finite(end) for end in row.resampled],
                "games": row.games,
                "points": row.points,
                "group": row.group,
            }
            for row in ratings.rows
        ],
        "notes": list(ratings.notes),
        "cross_table": [
            {
                "player": a,
                "opponent": b,
                "games": counts.games,
                "score": counts.mean,
                "interval95": list(counts.interval()),
            }
            for (a, b), counts in cross.cells.items()
        ],
        "cycles": [{"players": list(cycle.players), "certain": cycle.certain} for cycle in cross.cycles()],
        "mixture": None
        if mixture is None
        else {
            "shares": mixture.shares,
            "results": mixture.results,
            "unplayed": [list(pair) for pair in mixture.unplayed],
        },
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def paired_summary(counts: Pentanomial) -> dict[str, Any]:
    """Elo, normalised Elo and likelihood of superiority; infinite values are None."""

    def span(value: float, interval: tuple[float, float]) -> dict[str, float | None]:
        return {
            key: _finite(number)
            for key, number in zip(("value", "low", "high"), (value, *interval), strict=True)
        }

    return {
        "pairs": list(counts.cells),
        "elo": span(counts.elo, counts.elo_interval()),
        "normalised_elo": span(counts.normalised_elo, counts.normalised_elo_interval()),
        "los": counts.los,
    }


def sprt_summary(test: Sprt, counts: Pentanomial) -> dict[str, Any]:
    """The standing of a sequential test."""
    lower, upper = test.bounds
    return {
        "test": str(test),
        "llr": test.llr(counts),
        "lower": lower,
        "upper": upper,
        "decision": test.decide(counts),
        "says": _SAYS[test.decide(counts)],
    }


def reasons(standings: Standings) -> dict[str, int]:
    """Lost games by their cause, over all players."""
    return dict(sum((figures.lost_by for figures in standings.players.values()), Counter[str]()))
