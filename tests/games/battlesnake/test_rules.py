"""The rules in their own words, what every game promises, and every recorded game of the official rules to its last cell."""

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.sizes import COMPILED_ONLY
from saddlepoint import check_game
from saddlepoint.boards.grid import DOWN, LEFT, RIGHT, UP
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL, GameError
from saddlepoint.games.battlesnake import CAUSES, Battlesnake, Snake
from saddlepoint.games.battlesnake.board import cells_in, stacks_of
from saddlepoint.games.battlesnake.rules import target
from saddlepoint.games.battlesnake.state import OFF_BOARD, food_due, sides_due

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
SMALL = Battlesnake(7, 7)


def position(lines, game=SMALL):
    return game.from_text(f"battlesnake {game.width}x{game.height} round 5\n{lines}")


def played(lines, action0, action1, game=SMALL):
    """The snakes after a round: (cells as written, health, cause) of each."""
    state = game.next_state(position(lines, game), action0, action1)
    shown = [line.partition(": ")[2] for line in game.to_text(state).splitlines()[1:3]]
    snakes = [game.snake(state, player) for player in (0, 1)]
    return [(cells, snake.health, CAUSES[snake.cause]) for cells, snake in zip(shown, snakes)]


FAR = "snake 1 health 90: 5,5 5,4 5,3"
FAR_ON = ("4,5 5,5 5,4", 89, "")
ROUNDS = [  # positions, moves, and of each snake: the cells, health and cause of death where they tell the rule
    pytest.param(
        f"snake 0 health 90: 1,1 1,2 2,2 2,1\n{FAR}\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2 2,2", 89, ""), FAR_ON],
        id="a tail moves on",
    ),
    pytest.param(
        f"snake 0 health 90: 1,1 1,2 2,2 2,1 2,1\n{FAR}\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2 2,2 2,1", 89, "snake-self-collision"), FAR_ON],
        id="a doubled tail stays",
    ),
    pytest.param(
        "snake 0 health 90: 1,1 1,0 0,0\nsnake 1 health 90: 2,3 2,2 2,1\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,0", 89, ""), ("1,3 2,3 2,2", 89, "")],
        id="a tail of the other snake makes room too",
    ),
    pytest.param(
        "snake 0 health 90: 1,1 1,0 0,0\nsnake 1 health 90: 2,3 2,2 2,1 2,1\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,0", 89, "snake-collision"), ("1,3 2,3 2,2 2,1", 89, "")],
        id="a doubled tail of the other snake does not",
    ),
    pytest.param(
        f"snake 0 health 1: 1,1 1,2 1,3\n{FAR}\nfood: 2,1",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2 1,2", 100, ""), FAR_ON],
        id="food fills and doubles the tail",
    ),
    pytest.param(
        "snake 0 health 9: 1,1 0,1 0,2\nsnake 1 health 9: 3,1 4,1 5,1 5,2\nfood: 2,1",
        (RIGHT, LEFT),
        [("2,1 1,1 0,1 0,1", 100, "head-collision"), ("2,1 3,1 4,1 5,1 5,1", 100, "")],
        id="both eat one piece and the longer head wins",
    ),
    pytest.param(
        "snake 0 health 9: 1,1 0,1 0,2\nsnake 1 health 9: 3,1 4,1 5,1\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 0,1", 8, "head-collision"), ("2,1 3,1 4,1", 8, "head-collision")],
        id="heads of equal snakes both die",
    ),
    pytest.param(
        "snake 0 health 1: 1,1 1,2 1,3\nsnake 1 health 90: 2,2 3,2 4,2\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2", 0, "out-of-health"), ("1,2 2,2 3,2", 89, "")],
        id="who starves is no obstacle",
    ),
    pytest.param(
        "snake 0 health 9: 0,1 1,1 1,2 1,3\nsnake 1 health 90: 2,2 3,2 4,2\nfood:",
        (LEFT, LEFT),
        [("-1,1 0,1 1,1 1,2", 8, "wall-collision"), ("1,2 2,2 3,2", 89, "")],
        id="who leaves the board is no obstacle",
    ),
    pytest.param(
        "snake 0 health 9: 1,1 1,2 1,3 1,4\nsnake 1 health 90: 2,2 3,2 4,2\nfood:",
        (UP, LEFT),
        [("1,2 1,1 1,2 1,3", 8, "snake-self-collision"), ("1,2 2,2 3,2", 89, "snake-collision")],
        id="who dies in a collision still kills",
    ),
]


@pytest.mark.parametrize(("lines", "moves", "expected"), ROUNDS)
def test_a_round_goes_as_the_rules_say(lines, moves, expected):
    assert played(lines, *moves) == expected


HURT = f"snake 0 health 60: 1,1 1,2 1,3\n{FAR}\n"


@pytest.mark.parametrize(
    ("more", "hazards", "health"),
    [
        ({}, "food:\nhazards: 2,1", (45, "")),
        ({}, "food:\nhazards: 2,1 2,1 2,1", (17, "")),
        ({}, "food: 2,1\nhazards: 2,1 2,1 2,1", (100, "")),
        ({"hazard_damage": 30}, "food:\nhazards: 2,1 2,1", (0, "hazard")),
        ({"hazard_damage": -100}, "food:\nhazards: 2,1", (100, "")),
    ],
)
def test_hazards_hurt_as_often_as_they_are_listed_and_not_where_food_lies(more, hazards, health):
    assert played(HURT + hazards, RIGHT, LEFT, Battlesnake(7, 7, hazard_stack=4, **more))[0][1:] == health


def test_hazards_are_piled_only_as_high_as_the_game_says():
    with pytest.raises(GameError, match="hazard_stack"):
        position(f"{HURT}food:\nhazards: 2,1 2,1")


def test_wrapped_heads_that_exchange_places_both_die():
    snakes = "snake 0 health 9: 0,1 1,1 2,1\nsnake 1 health 90: 6,1 5,1 4,1\nfood:"
    assert played(snakes, LEFT, RIGHT, Battlesnake(7, 7, "wrapped")) == [
        ("6,1 0,1 1,1", 8, "snake-collision"),
        ("0,1 6,1 5,1", 89, "snake-collision"),
    ]


def test_constrictor_grows_every_round_from_the_first_cell():
    game = Battlesnake(7, 7, "constrictor", "empty")
    state = position("snake 0 health 100: 1,1 1,1 1,1\nsnake 1 health 100: 5,5 5,5 5,5\nfood:", game)
    for length in (3, 4, 5, 6):
        state = game.next_state(state, UP, DOWN)
        snake = game.snake(state, 0)
        assert (len(snake.cells), snake.health) == (length, 100)
        assert snake.cells[-2:] == (game.cell(1, 1),) * 2


@pytest.mark.parametrize(
    ("setting", "probability"), [(0, 0.0), (1, 0.0), (2, 0.01), (15, 0.14), (100, 0.99), (101, 1.0)]
)
def test_the_setting_of_food_means_one_in_a_hundred_less(setting, probability):
    assert Battlesnake(7, 7, food_spawn_chance=setting).food_probability == probability


def test_food_falls_on_free_cells_that_are_not_beside_a_head():
    state = SMALL.next_state(position(f"snake 0 health 90: 1,1 1,2 1,3\n{FAR}\nfood: 6,6"), RIGHT, LEFT)
    assert SMALL.current_player(state) == CHANCE
    outcomes = dict(SMALL.chance_outcomes(state))
    assert outcomes.pop(0) == 0.86
    taken = {(2, 1), (1, 1), (1, 2), (4, 5), (5, 5), (5, 4), (6, 6)}
    near = {(2, 2), (2, 0), (3, 1), (4, 6), (4, 4), (3, 5)}
    free = {(x, y) for x in range(7) for y in range(7)} - taken - near
    assert {((k - 1) % 7, (k - 1) // 7) for k in outcomes} == free
    assert all(abs(share - 0.14 / len(free)) < 1e-12 for share in outcomes.values())
    after = SMALL.next_state(state, 1 + 6)
    assert (SMALL.current_player(after), SMALL.outcome_to_string(state, 7)) == (SIMULTANEOUS, "food 6,0")
    assert SMALL.cell(6, 0) in cells_in(SMALL.grid, after.food)


def test_pieces_below_the_least_number_come_one_after_the_other():
    game = Battlesnake(7, 7, minimum_food=3)
    state = game.next_state(position(f"snake 0 health 90: 1,1 1,2 1,3\n{FAR}\nfood: 6,6", game), RIGHT, LEFT)
    for pieces in (1, 2):
        assert len(cells_in(game.grid, state.food)) == pieces
        outcomes = dict(game.chance_outcomes(state))
        assert sum(outcomes.values()) == pytest.approx(1) and 0 not in outcomes
        state = game.next_state(state, max(outcomes))
    assert (game.current_player(state), len(cells_in(game.grid, state.food))) == (SIMULTANEOUS, 3)


def test_royale_takes_a_side_every_so_many_rounds():
    game = Battlesnake(7, 7, "royale", food_spawn_chance=0, minimum_food=0, shrink_every=2)
    state = position(f"snake 0 health 90: 1,1 1,2 1,3\n{FAR}\nfood:", game)  # after round 5
    state = game.next_state(state, RIGHT, LEFT)
    assert game.chance_outcomes(state) == [(k, 0.25) for k in (1, 2, 3, 4)]
    sides = ("left", "right", "bottom", "top")
    assert [game.outcome_to_string(state, k) for k in range(5)] == [
        "nothing",
        *(f"hazards {side}" for side in sides),
    ]
    state = game.next_state(game.next_state(game.next_state(state, 1), RIGHT, LEFT), RIGHT, LEFT)
    state = game.next_state(state, 3)
    left, bottom = {game.cell(0, y) for y in range(7)}, {game.cell(x, 0) for x in range(7)}
    assert set(cells_in(game.grid, state.hazards)) == left | bottom
    assert game.next_state(state, RIGHT, LEFT).due == 0


def test_drawn_outcomes_are_distributed_as_listed_ones():
    state = SMALL.next_state(position(f"snake 0 health 90: 1,1 1,2 1,3\n{FAR}\nfood: 6,6"), RIGHT, LEFT)
    words = np.random.default_rng(1).integers(2**64, size=3000, dtype=np.uint64)
    with np.errstate(over="ignore"):
        drawn = Counter(int(SMALL.plain.drawn_outcome(state, word)) for word in words)
    expected = {outcome: 3000 * share for outcome, share in SMALL.chance_outcomes(state)}
    assert set(drawn) <= set(expected)
    distance = sum((drawn[outcome] - number) ** 2 / number for outcome, number in expected.items())
    assert distance < 75  # 36 degrees of freedom, p < 0.001


@pytest.mark.parametrize("size", [7, 11, 19])
def test_the_official_starts(size):
    game = Battlesnake(size, size)
    heads = [tuple(game.position(game.snake(s, p).cells[0]) for p in (0, 1)) for s in game.starts()]
    assert len(set(heads)) == len(heads) == 24
    assert all(heads[k] == heads[k + 1][::-1] for k in range(0, 24, 2))
    middle = (size - 1) // 2
    for start, (one, other) in zip(game.starts(), heads, strict=True):
        food = {game.position(cell) for cell in cells_in(game.grid, start.food)}
        assert (middle, middle) in food
        assert len(food) == 3
        assert all(any(abs(x - a) == abs(y - b) == 1 for a, b in food) for x, y in (one, other))
    assert [s.food for s in game.starts()[::2]] == [s.food for s in game.starts()[1::2]]


def test_starts_are_drawn_from_a_seed():
    game = Battlesnake()
    assert game.initial_state() == game.initial_state()
    assert len({game.initial_state(seed) for seed in range(100)}) > 30
    a, b = game.initial_state(3), game.initial_state(3, swapped=True)
    assert (game.snake(a, 0), game.snake(a, 1)) == (game.snake(b, 1), game.snake(b, 0))
    assert a.food == b.food
    assert len(Battlesnake(5, 8).starts()) == 24


VARIANTS = (
    Battlesnake(7, 7, max_rounds=12),
    Battlesnake(4, 3, "wrapped", max_rounds=9),
    Battlesnake(5, 5, "constrictor", "empty"),
    Battlesnake(3, 3, "royale", minimum_food=2, shrink_every=2, max_rounds=6, hazard_stack=4),
)


@pytest.mark.parametrize(
    "game", [*(pytest.param(game, marks=COMPILED_ONLY) for game in VARIANTS[:-1]), VARIANTS[-1]], ids=str
)
def test_it_keeps_what_every_game_promises(game):
    check_game(game, playouts=1 if PLAIN_PYTHON else 6, states=game.starts()[:: 8 if PLAIN_PYTHON else 1])


@COMPILED_ONLY
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_games_on_any_board(data):
    """Lists and words agree: the text is exact, lengths and coils add up, bodies do not touch while both live."""
    game = Battlesnake(
        data.draw(st.integers(3, 9)),
        data.draw(st.integers(3, 9)),
        data.draw(st.sampled_from(["standard", "wrapped", "constrictor", "wrapped_constrictor", "royale"])),
        food_spawn_chance=data.draw(st.sampled_from([0, 15, 100])),
        shrink_every=3,
        max_rounds=20,
    ).plain
    state = game.initial_state(data.draw(st.integers(0, 99)))
    draw = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    while game.current_player(state) != TERMINAL:
        if game.current_player(state) == CHANCE:
            with np.errstate(over="ignore"):
                outcome = game.drawn_outcome(state, draw.integers(2**64, dtype=np.uint64))
            state = game.next_state(state, outcome, -1)
            continue
        out = np.zeros(4, np.int64)
        actions = [int(draw.choice(out[: game.search_actions(state, player, out)])) for player in (0, 1)]
        before, state = state, game.next_state(state, *actions)
        assert game.from_text(game.to_text(state)) == state
        for player in (0, 1):
            snake, old = game.snake(state, player), game.snake(before, player)
            grown = len(snake.cells) - len(old.cells)
            assert grown in (0, 1)
            unchanged = len(old.cells) - 1 - grown
            assert snake.cells[1 : 1 + unchanged] == old.cells[:unchanged]
            assert snake.health in (100, old.health - 1) or snake.cause == 1 or game.royale


# -- recorded games ------------------------------------------------------------------------------------------------------

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
