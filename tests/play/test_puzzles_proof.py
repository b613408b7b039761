"""Which moves are good, at depths that can be followed by hand."""

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.algorithms import BackwardInduction, Limits
from saddlepoint.algorithms.analysis import find_alternatives
from saddlepoint.games import Simplexity
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.game import DIRECTIONS
from saddlepoint.games.catalogue.games import make_game, read_set
from saddlepoint.play.puzzles import Puzzle, is_proven, losses, only_good_move

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAME = Battlesnake(7, 7)


def position(first, second, food="", health=(90, 90)):
    return f"battlesnake 7x7 round 9\nsnake 0 health {health[0]}: {first}\nsnake 1 health {health[1]}: {second}\nfood: {food}".rstrip()


def named(text, player, depth):
    found = losses(GAME, GAME.from_text(text), player, depth)
    return {DIRECTIONS[action]: pytest.approx(lost) for action, lost in found.items()}


def test_food_before_starving():
    # With health 2 the piece two cells away is reached just in time; in the other directions there is none.
    text = position("3,3 3,4 3,5", "6,0 6,1 6,2", food="1,3", health=(2, 90))
    assert named(text, 0, 2) == {"right": 1, "down": 1, "left": 0}
    assert named(text, 0, 1) == {"right": 0, "down": 0, "left": 0}


def test_a_pocket_is_left_alone():
    # On the left there is one cell; nobody is near.
    text = position("1,0 1,1 1,2 0,2 0,1 0,1 0,1", "6,6 6,5 6,4")
    assert named(text, 0, 2) == {"right": 0, "left": 1}
    assert only_good_move(losses(GAME, GAME.from_text(text), 0, 2), 1.0) == DIRECTIONS.index("right")
    puzzle = Puzzle("battlesnake", {}, text, 0, "right", 2, 2, 1.0, "not trapped", make_game)
    assert is_proven(puzzle)
    assert not is_proven(Puzzle("battlesnake", {}, text, 0, "left", 2, 2, 1.0, "not trapped", make_game))
    assert not is_proven(Puzzle("battlesnake", {}, text, 0, "right", 1, 1, 1.0, "not trapped", make_game))


def test_two_good_moves_or_too_small_a_loss_make_no_puzzle():
    assert only_good_move({0: 0.0, 1: 1.0, 2: 0.0}, 1.0) is None
    assert only_good_move({0: 0.0, 1: 0.5}, 1.0) is None
    assert only_good_move({0: 0.0}, 1.0) is None
    assert only_good_move({0: 0.0, 1: 1.0, 3: 2.0}, 1.0) == 0


@COMPILED_ONLY
def test_the_losses_are_those_of_the_whole_tree():
    """Of a plain search without windows or bounds."""
    puzzle = next(one for one in read_set("battlesnake") if one.make_game().width == 7)
    game, state = GAME, GAME.from_text(puzzle.position)
    stage = find_alternatives(game.quiet(), state, BackwardInduction(table=False), Limits(depth=3))
    for player in (0, 1):
        for action, lost in losses(game, state, player, 3).items():
            assert lost == pytest.approx(stage.losses()[player][action], abs=1e-6)


def test_a_game_of_turns_has_losses_too():
    game = Simplexity()
    found = losses(game, game.initial_state(), 0, 1)
    assert set(found.values()) == {0.0}
    assert only_good_move(found, 1.0) is None
