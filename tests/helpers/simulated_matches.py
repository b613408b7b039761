"""Matches whose true strengths are known: drawn from Davidson's model, in pairs whose games depend on each
other.
"""

import math

import numpy as np
from numpy.typing import NDArray

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
    low, high = -3000.0, 3000.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if measure(shares(middle, tie)) < wanted else (low, middle)
    return low
