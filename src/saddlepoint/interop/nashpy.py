"""Stages and matrix games to Nashpy and back. It needs the extra `nashpy`, which is loaded when one of these functions is called.

A stage is a position in which both players choose at once; its matrix has what player 0, the row player of Nashpy, is worth after each
pair of actions.
"""

from typing import Any, NamedTuple

import numpy as np

from ..algorithms import Algorithm, Limits, search
from ..game.base import SIMULTANEOUS, TERMINAL, Game, GameError
from ..solvers.general import Solution
from . import library
from .table_game import MatrixGame, game_of_matrix


class NashpyStage(NamedTuple):
    """A stage as a game of Nashpy."""

    game: Any
    """A `nashpy.Game`, zero-sum, whose row player is player 0."""
    actions: tuple[list[int], list[int]]
    """The actions of this library that the rows, and the columns, are."""


def of_solution(solution: Solution, state: Any) -> NashpyStage:
    """The stage of a solved game at a position; its entries are exact as the solution is.

    Raises GameError for a position in which not both players choose, or that cannot come about.
    """
    _check_stage(solution.game, state)
    stage = solution.at(state)
    rows, columns = map(list, stage.strategies)
    return NashpyStage(library("nashpy", "nashpy").Game(np.array(stage.matrix)), (rows, columns))


def of_search(game: Game, state: Any, algorithm: Algorithm, limits: Limits | None = None) -> NashpyStage:
    """The stage at a position, each entry found by a search of the position after that pair of actions, with these limits for each.

    Entries are in the game's units; they are exact where each search is. A pair of actions after which the game is over has its result.
    Raises GameError for a position in which not both players choose, and what `search` raises.
    """
    _check_stage(game, state)
    own = [game.legal_actions(state, player) for player in (0, 1)]
    entries = np.empty((len(own[0]), len(own[1])))
    for i, a in enumerate(own[0]):
        for j, b in enumerate(own[1]):
            after = game.next_state(state, a, b)
            entries[i, j] = (
                game.returns(after)
                if game.current_player(after) == TERMINAL
                else search(game, after, algorithm, limits).value
            )
    return NashpyStage(library("nashpy", "nashpy").Game(entries), (own[0], own[1]))


def from_nashpy(game: Any) -> MatrixGame:
    """A zero-sum game of Nashpy as a game of this library: one stage, whose actions are the numbers of the rows and columns.

    Raises GameError where the two matrices are not each other's negatives.
    """
    return game_of_matrix(matrix_of(game))


def matrix_of(game: Any) -> Any:
    """The row player's matrix of a zero-sum game of Nashpy, for `saddlepoint.matrix.solve_matrix`; shape (rows, columns).

    Raises GameError where the two matrices are not each other's negatives.
    """
    rows, columns = game.payoff_matrices
    if not np.array_equal(rows, -columns):
        raise GameError("this game of Nashpy is not zero-sum, and games here are: solve it there")
    return np.asarray(rows, np.float64)


def _check_stage(game: Game, state: Any) -> None:
    if game.current_player(state) != SIMULTANEOUS:
        raise GameError(
            f"not both players choose in this position, so it has no matrix:\n{game.render(state)}"
        )
