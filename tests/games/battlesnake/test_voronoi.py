"""Who reaches a cell first on a Battlesnake board, against a definition over lists of cells."""

import pytest

from helpers.reference_boards import steps
from helpers.snake_requests import random_positions
from saddlepoint.games.battlesnake import Battlesnake, SnakeVoronoi

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAME = Battlesnake(7, 7)
EMPTY = Battlesnake(7, 7, map="empty")
CELLS = SnakeVoronoi(scale=0.0, length_worth=0.0)


def position(first, second, food="", health=(100, 100)):
    return GAME.from_text(
        f"battlesnake 7x7 round 9\nsnake 0 health {health[0]}: {first}\nsnake 1 health {health[1]}: {second}\nfood: {food}"
    )


def lead_in_cells(game, state):
    snakes = [[game.position(cell) for cell in game.snake(state, player).cells] for player in (0, 1)]
    blocked = {*snakes[0][:-1], *snakes[1][:-1]}
    ways = [steps([snake[0]], lambda cell: game.is_inside(*cell) and cell not in blocked) for snake in snakes]
    lead, longer = 0, len(snakes[0]) - len(snakes[1])
    for cell in {*ways[0], *ways[1]} - {snakes[0][0], snakes[1][0]}:
        nearer = ways[1].get(cell, 999) - ways[0].get(cell, 999) or longer
        lead += (nearer > 0) - (nearer < 0)
    return lead


def test_cells_go_to_who_is_there_first_and_at_a_tie_to_the_longer_snake():
    leads = set()
    for state in random_positions(EMPTY, 60, 3) + random_positions(
        Battlesnake(7, 7, mode="constrictor", map="empty"), 60, 4
    ):
        assert CELLS.evaluate(EMPTY, state) == lead_in_cells(EMPTY, state)
        leads.add(lead_in_cells(EMPTY, state))
    assert len(leads) > 10


def test_length_hunger_and_the_way_to_food_count():
    longer, shorter = "0,3 0,2 0,1 0,0", "6,3 6,2 6,1"
    state = position(longer, shorter)
    assert SnakeVoronoi(scale=0.0).evaluate(GAME, state) == CELLS.evaluate(GAME, state) + 3.0
    near, far = (
        position("0,3 0,2 0,1", "6,3 6,2 6,1", food="0,5"),
        position("0,3 0,2 0,1", "6,3 6,2 6,1", food="2,5"),
    )
    assert CELLS.evaluate(GAME, near) > CELLS.evaluate(GAME, far) > 0
    starving = position("0,3 0,2 0,1", "6,3 6,2 6,1", food="2,5", health=(3, 100))
    assert CELLS.evaluate(GAME, starving) < CELLS.evaluate(GAME, far) - 25


def test_the_players_exchanged_change_the_sign():
    for state in random_positions(GAME, 40, 5):
        snakes = [GAME.snake(state, player) for player in (1, 0)]
        food = [cell for cell in range(7 * GAME.grid.stride) if int(state.food[0]) >> cell & 1]
        assert CELLS.evaluate(GAME, GAME.state_of(snakes, food)) == pytest.approx(
            -CELLS.evaluate(GAME, state), abs=1e-12
        )
