"""Positions with long snakes to begin games in, from the files that `fit_battlesnake.py play` writes."""

import numpy as np
from battlesnake_games import noted
from network_fit import files_of

from saddlepoint.games.battlesnake.state import length_of

OPEN = 0.8
"""Games begin where neither side is ahead by so much, by the value that was found."""


def late_positions(patterns, least):
    """Positions of some files in which somebody has a choice, neither side has nearly won, and the snakes are together at least so long."""
    found = []
    for path in files_of(patterns):
        file = np.load(path)
        rows, values = file["positions"], file["values"]  # NaN where nobody has a choice
        long = length_of.py_func(rows[:, 19].astype(np.int64)) + length_of.py_func(rows[:, 20].astype(np.int64)) >= least
        found += [noted(row) for row in rows[long & (np.abs(values) < OPEN)]]
    if not found:
        raise SystemExit(f"no position of these files has snakes of {least} cells together")
    return found
