"""Every recorded game of the official rules, replayed to the last cell, cause of death and result."""

import gzip
import json
from pathlib import Path

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.boards.grid import UP
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL
from saddlepoint.games.battlesnake import CAUSES, Battlesnake, Snake
from saddlepoint.games.battlesnake.board import cells_in, stacks_of
from saddlepoint.games.battlesnake.rules import target
from saddlepoint.games.battlesnake.state import OFF_BOARD, food_due, sides_due

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

with gzip.open(Path(__file__).parents[2] / "data" / "battlesnake_traces.jsonl.gz", "rt") as lines:
    GAMES = [json.loads(line) for line in lines]
_RESULTS = {"0": 1.0, "1": -1.0, "draw": 0.0}


def game_of(record):
    told = record["set"]
    return Battlesnake(
        record["w"],
        record["h"],
        record["mode"],
        record["map"],
        told["foodSpawnChance"],
        told["minimumFood"],
        told["damagePerTurn"],
        told["shrinkEveryNTurns"],
        hazard_stack=4 if "z" in record["start"] else 1,
    )


def cell(game, number):
    return game.cell(number % game.width, number // game.width)


def number(game, cell):
    if cell < 0:
        return OFF_BOARD
    x, y = game.position(cell)
    return y * game.width + x


def start_of(game, record):
    start = record["start"]
    snakes = [Snake(tuple(cell(game, c) for c in one["b"]), one["h"]) for one in start["s"]]
    return game.state_of(
        snakes, [cell(game, c) for c in start["f"]], [cell(game, c) for c in start.get("z", [])]
    )


def after_chance(game, state, new, hazards):
    """The position after chance placed the recorded food and took the recorded sides; everything it did it could do."""
    for piece in new:
        assert game.current_player(state) == CHANCE
        assert food_due(state.due)
        state = game.next_state(state, 1 + piece)
    while food_due(state.due):  # there was none, or no room
        state = game.next_state(state, 0)
    while sides_due(state.due):
        outcomes = [outcome for outcome, probability in game.chance_outcomes(state) if probability == 0.25]
        assert len(outcomes) == 4
        after = [game.next_state(state, outcome) for outcome in outcomes]
        state = next(one for one in after if hazards_of(game, one) == hazards)
    return state


def hazards_of(game, state):
    return sorted(number(game, one) for one in stacks_of(game.grid, state))


def check(game, state, recorded, food, hazards):
    for player, told in enumerate(recorded["s"]):
        snake = game.snake(state, player)
        assert [number(game, one) for one in snake.cells] == [c if c >= 0 else OFF_BOARD for c in told["b"]]
        assert (snake.health, CAUSES[snake.cause]) == (told["h"], told.get("x", ""))
    assert sorted(number(game, one) for one in cells_in(game.grid, state.food)) == sorted(food)
    assert hazards_of(game, state) == hazards


def straight_on(game, state, player):
    """The action of a snake that is given none: away from its neck; up where it is coiled on one cell."""
    cells = game.snake(state, player).cells
    return next((d for d in range(4) if target(game.grid, cells[1], d, game.wrapped) == cells[0]), UP)


def replay(record):
    game = game_of(record)
    state, letters = start_of(game, record), "urdl"
    hazards = sorted(record["start"].get("z", []))
    check(game, state, record["start"], record["start"]["f"], hazards)
    for turn in record["turns"]:
        assert game.current_player(state) == SIMULTANEOUS
        actions = [
            letters.index(m) if m in letters else straight_on(game, state, p) for p, m in enumerate(turn["m"])
        ]
        state, new = game.next_state(state, *actions), turn.get("n", [])
        before = hazards
        hazards = sorted(turn.get("z", hazards))
        if (
            game.current_player(state) == TERMINAL
        ):  # what chance did then belongs to no position that is played
            check(game, state, turn, set(turn["f"]) - set(new), before)
        else:
            state = after_chance(game, state, new, hazards)
            check(game, state, turn, turn["f"], hazards)
        assert game.from_text(game.to_text(state)) == state
    if record["result"] == "limit":
        assert game.current_player(state) == SIMULTANEOUS
    else:
        assert game.current_player(state) == TERMINAL
        assert game.returns(state) == _RESULTS[record["result"]]


@pytest.mark.parametrize("size", [7, *(pytest.param(size, marks=COMPILED_ONLY) for size in (11, 19))])
def test_recorded_games(size):
    records = [record for record in GAMES if record["w"] == size]
    assert len(records) == {7: 167, 11: 261, 19: 94}[size]
    for record in records[:: 2 if PLAIN_PYTHON else 1]:
        replay(record)
