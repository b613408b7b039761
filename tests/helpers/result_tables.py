"""Tables of results from games and from scores, as tests write them down; and results of players whose strength is known."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root_scalar

from saddlepoint.arena.statistics.paired import ResultTable, Score, Unit


class Result(NamedTuple):
    """One game: who was player 0, who player 1, and player 0's points; both games of a pair have the same `pair`."""

    first: str
    second: str
    points: float
    pair: Hashable = None


def table_of(results: Iterable[Result], players: Iterable[str] = ()) -> ResultTable:
    """The table of these games; `players` may name more."""
    games = list(results)
    names = tuple(sorted({*players, *(game.first for game in games), *(game.second for game in games)}))
    pairs: defaultdict[tuple[int, int, Hashable], list[float]] = defaultdict(list)
    for number, game in enumerate(games):
        i, j = names.index(game.first), names.index(game.second)
        name = ("single", number) if game.pair is None else ("pair", game.pair)
        pairs[min(i, j), max(i, j), name].append(game.points if i < j else 1 - game.points)
    units: defaultdict[tuple[int, int], Counter[Unit]] = defaultdict(Counter)
    for (i, j, _), points in pairs.items():
        units[i, j][tuple(sorted(points))] += 1
    return ResultTable(names, dict(units))


def table_of_scores(scores: Mapping[tuple[str, str], Score], players: Iterable[str] = ()) -> ResultTable:
    """The table of single games: for (first, second) the score of the first."""
    names = tuple(sorted({*players, *(name for meeting in scores for name in meeting)}))
    units: defaultdict[tuple[int, int], Counter[Unit]] = defaultdict(Counter)
    for (first, second), score in scores.items():
        i, j = names.index(first), names.index(second)
        won, lost = (1.0, 0.0) if i < j else (0.0, 1.0)
        units[min(i, j), max(i, j)] += Counter(
            {(won,): score.wins, (0.5,): score.draws, (lost,): score.losses}
        )
    return ResultTable(names, dict(units))


# -- simulated matches ---------------------------------------------------------------------------------------------------

Array = NDArray[np.float64]

TIES = {"no draws": 0.0, "a third draws": 1.0, "two thirds draws": 4.0}
"""Davidson's nu: equal players draw nu / (2 + nu) of their games."""

# What an opening does, in Elo: to whoever moves first in it, and to whoever of the two players likes it.
OPENINGS = {"all alike": (0.0, 0.0), "favouring a side": (250.0, 0.0), "favouring a player": (0.0, 250.0)}


def outcome_shares(difference: float, tie: float) -> Array:
    """Probabilities of loss, draw and win at a difference of strengths, in Elo without draws."""
    odds = math.exp(difference * math.log(10) / 800)
    weights = np.array([1 / odds, tie, odds])
    return weights / weights.sum()


def pair_shares(difference: float, tie: float, openings: str = "all alike") -> Array:
    """Probabilities of 0, 1/2, 1, 3/2 and 2 points in a pair of games: half the openings favour one, half
    the other.
    """
    side, taste = OPENINGS[openings]
    shares = np.zeros(5)
    for liked in (-taste, taste):
        for favoured in (-side, side):
            games = [outcome_shares(difference + liked + way * favoured, tie) for way in (1, -1)]
            shares += np.convolve(games[0], games[1]) / 4
    return shares


def mean_score(shares: Array) -> float:
    """The expected score, 0 to 1, of shares over evenly spaced results."""
    return float(shares @ np.linspace(0.0, 1.0, len(shares)))


def normalised(shares: Array) -> float:
    """(mean score - 1/2) / standard deviation of a game."""
    mean = mean_score(shares)
    variance = float(shares @ (np.linspace(0.0, 1.0, len(shares)) - mean) ** 2)
    return (mean - 0.5) / math.sqrt(variance * (len(shares) - 1) / 2)


def difference_where(wanted: float, measure, tie: float, shares) -> float:
    """The difference of strengths at which `measure(shares(difference, tie))`, which rises, is `wanted`."""
    found = root_scalar(
        lambda difference: measure(shares(difference, tie)) - wanted, bracket=(-3000.0, 3000.0), xtol=1e-9
    )
    return float(found.root)
