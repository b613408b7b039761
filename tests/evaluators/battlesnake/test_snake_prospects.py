"""The network's view of two snakes."""

import random

import numpy as np
import pytest

from saddlepoint.algorithms import Limits
from saddlepoint.compiled import jit, run
from saddlepoint.evaluators import SnakeProspects
from saddlepoint.evaluators.battlesnake.snake_prospects import FEATURES, SHARED_FEATURES, described
from saddlepoint.game import CHANCE, TERMINAL
from saddlepoint.games.battlesnake import Battlesnake, Snake
from saddlepoint.players.clock import ENDLESS
from saddlepoint.roster.make import make_player

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAME = Battlesnake(7, 7, minimum_food=3)
CONSTRICTOR = Battlesnake(7, 7, mode="constrictor", map="empty")
PROSPECTS = SnakeProspects()


@jit
def _described(game, state):
    return described(game, state)


def positions(game, number, seed):
    """Positions of random games."""
    drawn, found = random.Random(seed), []
    while len(found) < number:
        state = game.initial_state(drawn.randrange(99))
        while game.current_player(state) != TERMINAL and len(found) < number:
            if game.current_player(state) == CHANCE:
                state = game.next_state(state, int(game.drawn_outcome(state, np.uint64(drawn.getrandbits(64)))))
                continue
            found.append(state)
            state = game.next_state(state, *(drawn.choice(game.search_actions(state, player)) for player in (0, 1)))
    return found


def mirrored(game, state, exchanged):
    """The position upside down (False), or with the players exchanged (True)."""

    def there(cell):
        x, y = game.position(cell)
        return cell if exchanged else game.cell(x, game.height - 1 - y)

    snakes = [game.snake(state, player) for player in ((1, 0) if exchanged else (0, 1))]
    snakes = [Snake(tuple(there(cell) for cell in snake.cells), snake.health) for snake in snakes]
    food = [there(cell) for cell in range(game.grid.stride * game.height) if int(state.food[0]) >> cell & 1]
    return game.state_of(snakes, food, (), state.round)


@pytest.mark.parametrize("game", [GAME, CONSTRICTOR], ids=["standard", "constrictor"])
def test_it_is_bounded_and_does_not_care_who_is_who_or_which_way_is_up(game):
    values = set()
    for state in positions(game, 60, 3):
        value = PROSPECTS.evaluate(game, state)
        assert -1.0 <= value <= 1.0
        assert PROSPECTS.evaluate(game, mirrored(game, state, exchanged=True)) == pytest.approx(-value, abs=1e-5)
        assert PROSPECTS.evaluate(game, mirrored(game, state, exchanged=False)) == pytest.approx(value, abs=1e-5)
        values.add(round(value, 3))
    assert len(values) > 20


def test_the_features_have_their_numbers():
    features0, features1, shared = run(_described, GAME, GAME.initial_state(1))
    assert (len(features0), len(features1), len(shared)) == (FEATURES, FEATURES, SHARED_FEATURES)


def position(text):
    return GAME.from_text("battlesnake 7x7 round 30\n" + text)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        # Food is four steps away along the edge, and so is the end: any step aside starves.
        ("snake 0 health 4: 1,0 0,0 0,1 0,2\nsnake 1 health 90: 3,6 4,6 5,6\nfood: 5,0", "right"),
        # Below is the one cell that the longer snake's head may come to as well.
        ("snake 0 health 90: 3,2 3,3 2,3\nsnake 1 health 90: 3,0 4,0 5,0 6,0 6,1\nfood: 0,6", "not down"),
    ],
    ids=["starving", "a longer head"],
)
def test_best_finds_the_good_move(text, good):
    state = position(text)
    player = make_player("best", GAME, Limits(depth=4))
    player.begin(GAME, 0, 1)
    chosen = GAME.action_to_string(state, 0, player.choose(state, ENDLESS).action)
    assert chosen != good.removeprefix("not ") if good.startswith("not ") else chosen == good
    player.close()
