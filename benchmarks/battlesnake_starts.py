"""Positions with long snakes to begin games in, from the files that `fit_battlesnake.py play` writes."""

import numpy as np
from battlesnake_games import noted
from network_fit import files_of

from saddlepoint.games.battlesnake.state import length_of

OPEN = 0.8
"""Games begin where neither side is ahead by so much, by the value that was found."""


def late_positions(patterns, least, game):
    """Positions of some files of a game's board in which somebody has a choice, neither side has nearly won, and the snakes are together
    at least so long."""
    found, like = [], game.starts()[0]
    for path in files_of(patterns):
        file = np.load(path)
        rows, values = file["positions"], file["values"]  # NaN where nobody has a choice
        if tuple(file["size"]) != (game.width, game.height):
            raise SystemExit(f"{path} is of another board")
        snake0, snake1 = (rows[:, column].astype(np.int64) for column in (-5, -4))
        long = length_of.py_func(snake0) + length_of.py_func(snake1) >= least
        found += [noted(row, like) for row in rows[long & (np.abs(values) < OPEN)]]
    if not found:
        raise SystemExit(f"no position of these files has snakes of {least} cells together")
    return found
