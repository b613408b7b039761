"""The parameters of the games: taken up to their limits, refused right behind them; what follows from them."""

import pytest

from saddlepoint.game.base import GameError
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.oshi_zumo import OshiZumo
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.games.tron import Tron

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("size", [(4, 3), (32, 3), (4, 32), (32, 32), (16, 16, 0), (16, 16, 1)])
def test_light_riders_sizes(size):
    game = LightRiders(*size)
    assert (game.width, game.height) == size[:2]


@pytest.mark.parametrize("size", [(3, 3), (4, 2), (33, 3), (4, 33), (16, 16, -1)])
def test_light_riders_sizes_that_are_refused(size):
    with pytest.raises(GameError, match="must be"):
        LightRiders(*size)


def test_the_longest_game_of_light_riders():
    # Every round blocks two cells more; in the last one somebody dies.
    assert LightRiders(4, 3).max_depth == (12 - 2) // 2 + 1
    assert LightRiders(16, 16).max_depth == 128
    assert LightRiders(16, 16, 128).max_depth == LightRiders(16, 16, 129).max_depth == 128
    assert LightRiders(16, 16, 127).max_depth == 127
    assert LightRiders(16, 16, 1).max_depth == 1


@pytest.mark.parametrize(
    "sizes",
    [
        (1, 1, 1),
        (48, 1, 4),
        (1, 48, 4),
        (48, 48, 4),
        (6, 3, 4),
        (3, 6, 4),
        (6, 7, 4, 0, 0),
        (6, 7, 4, 0, 1),
        (6, 7, 6),
        (6, 7, 7),
    ],
)
def test_simplexity_sizes(sizes):
    game = Simplexity(*sizes)
    assert (game.rows, game.cols, game.win) == sizes[:3]
    assert game.max_actions == 2 * game.cols


@pytest.mark.parametrize(
    "sizes",
    [
        (0, 7),
        (6, 0),
        (49, 7),
        (6, 49),
        (6, 7, 0),
        (6, 7, 8),
        (3, 3, 4),
        (6, 7, 4, -1, 0),
        (6, 7, 4, 0, -1),
        (6, 7, 4, 1, 1, "both"),
    ],
)
def test_simplexity_sizes_that_are_refused(sizes):
    with pytest.raises(GameError, match=r"must be|must have|no line of"):
        Simplexity(*sizes)


def test_the_longest_game_of_simplexity():
    assert Simplexity().max_depth == 42
    assert Simplexity(6, 7, 4, 3, 4).max_depth == 14
    assert (
        Simplexity(6, 7, 4, 0, 0).max_depth == 1
    )  # nobody can move: over at once, but a search wants a step
    assert (Simplexity().rounds, Simplexity().squares) == ((10, 10), (11, 11))
    assert (Simplexity(supply="own").rounds, Simplexity(supply="own").squares) == ((11, 10), (10, 11))


@pytest.mark.parametrize(("coins", "size", "min_bid"), [(1, 1, 1), (1000, 1000, 1000)])
def test_oshi_zumo_up_to_its_limits(coins, size, min_bid):
    OshiZumo(coins, size, min_bid)
    for wrong in (
        (coins, 0),
        (coins, 1001),
        (0, size),
        (1001, size),
        (coins, size, 0),
        (coins, size, coins + 1),
    ):
        with pytest.raises(GameError, match="must be"):
            OshiZumo(*wrong)


@pytest.mark.parametrize("sides", [(3, 3), (25, 3), (3, 25), (25, 25)])
def test_battlesnake_sizes(sides):
    assert Battlesnake(*sides).fitted_to(
        Battlesnake(*sides).to_text(Battlesnake(*sides).initial_state())
    ) == Battlesnake(*sides)


@pytest.mark.parametrize("sides", [(2, 3), (3, 2), (26, 25), (25, 26)])
def test_battlesnake_sizes_that_are_refused(sides):
    with pytest.raises(GameError, match="3 to 25"):
        Battlesnake(*sides)


def test_tron_is_6x6_unless_told():
    assert Tron() == Tron(6, 6)
    for sides in ((0, 5), (5, 0), (33, 5), (5, 33), (1, 1)):
        with pytest.raises(GameError, match="1 to 32"):
            Tron(*sides)
    assert (Tron(32, 1).width, Tron(1, 32).height) == (32, 32)
