"""Whether a game's planes fit the shape that it tells: compiled code would write beyond an array."""

import random
from typing import Any

import numpy as np

from ..compiled.states import as_machine_words
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game, GameError

_POSITIONS = 12
"""Positions of a random game in which the planes are tried."""


def checked_plane_shape(game: Game) -> tuple[int, int, int]:
    """The shape of the game's planes, which are written as plain Python at the start and in some positions after it.

    Raises GameError where they do not fit. That is a test of some positions: `check_game` tries those of whole games.
    """
    state = as_machine_words(game.initial_state())
    draw = random.Random(0)
    with np.errstate(over="ignore"):  # compiled code wraps around in silence, too
        shape = _written(game, state)
        for _ in range(_POSITIONS - 1):
            mover = int(game.plain.current_player(state))
            if mover == TERMINAL:
                break
            state = as_machine_words(game.plain.next_state(state, *_drawn(game, state, mover, draw)))
            _written(game, state)
    return shape


def _written(game: Game, state: Any) -> tuple[int, int, int]:
    """The shape, if both players' planes of the position fit it."""
    try:
        shape = tuple(int(size) for size in game.plane_shape)
        board = np.zeros(shape, np.uint8)
        for player in (0, 1):
            game.plain.planes(state, player, board)
    except (TypeError, ValueError, IndexError) as error:
        raise GameError(f"{type(game).__name__}.planes does not fit plane_shape, {game.plane_shape!r}: {error}") from error
    if len(shape) != 3:
        raise GameError(f"{type(game).__name__}.plane_shape is (planes, rows, columns), not {game.plane_shape!r}")
    return shape


def _drawn(game: Game, state: Any, mover: int, draw: random.Random) -> list[int]:
    """The arguments of `next_state`: what chance does, or an action of everybody whom it takes."""
    if mover == CHANCE:
        outcomes, odds = np.zeros(int(game.max_outcomes), np.int64), np.zeros(int(game.max_outcomes))
        count = int(game.plain.chance_outcomes(state, outcomes, odds))
        drawn = [draw.choice(outcomes[:count].tolist())]
        return drawn if game.turn_based else [*drawn, NO_ACTION]
    joint = [NO_ACTION, NO_ACTION]
    for player in (0, 1) if mover == SIMULTANEOUS else (mover,):
        legal = np.zeros(int(game.max_actions), np.int64)
        joint[player] = draw.choice(legal[: int(game.plain.legal_actions(state, player, legal))].tolist())
    return [joint[mover]] if game.turn_based else joint
