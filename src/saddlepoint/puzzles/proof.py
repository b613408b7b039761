"""Which moves are good: an exact search of the game without chance that is called a draw after some steps."""

from typing import Any

from ..algorithms import DoubleOracleBounds, Limits, Memory, PrincipalVariation
from ..algorithms.analysis import StageValues, find_alternatives
from ..algorithms.analysis.losses import column_loss, row_loss
from ..algorithms.chance import without_chance
from ..game import Game
from .puzzle import Puzzle


def losses(game: Game, state: Any, player: int, depth: int, memory: Memory | None = None) -> dict[int, float]:
    """What each of a player's moves gives away, 0 or more, in the game without chance that is a draw after `depth` steps.

    Against the equilibrium strategy of the other that punishes it most, where both move at once: who gives away something with
    a move makes it in no equilibrium. Moves that the game's `search_actions` leaves out are not in it.
    """
    rules = without_chance(game)
    algorithm = PrincipalVariation() if rules.turn_based else DoubleOracleBounds()
    found = find_alternatives(rules, state, algorithm, Limits(depth=depth), memory=memory)
    assert found.finished > 0 and found.value is not None
    if isinstance(found, StageValues):
        assert found.solved is not None
        if player == 0:
            return {action: row_loss(found.solved, found.value, at) for at, action in enumerate(found.rows)}
        return {action: column_loss(found.solved, found.value, at) for at, action in enumerate(found.columns)}
    joint = ((action, action) for action in found.actions)
    return {pair[0]: found.loss(pair)[player] for pair in joint}


def only_good_move(found: dict[int, float], least: float) -> int | None:
    """The one move that gives nothing away, where every other gives away `least` or more; None where there is none such."""
    good = [action for action, lost in found.items() if lost == 0.0]
    if len(good) != 1 or len(found) < 2 or min(lost for action, lost in found.items() if action != good[0]) < least:
        return None
    return good[0]


def is_proven(puzzle: Puzzle) -> bool:
    """Whether the solution is the only move of an equilibrium at the puzzle's depth, and every other loses what it says."""
    game = puzzle.make_game()
    state = puzzle.state(game)
    found = losses(game, state, puzzle.player, puzzle.depth)
    only = only_good_move(found, puzzle.loss)
    return only is not None and game.action_to_string(state, puzzle.player, only) == puzzle.solution
