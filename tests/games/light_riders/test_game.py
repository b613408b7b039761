"""Light Riders: its starts, its texts, and where searches look; the recorded games hold its rules."""

import random

import pytest

from helpers.recorded_games import random_game
from helpers.reference_light_riders import DOWN, LEFT, RIGHT, UP, starts
from helpers.reference_rules import READERS
from helpers.sizes import scaled
from saddlepoint import GameError, LightRiders, check_game
from saddlepoint.boards.grid import int_of

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

STEPS = (UP, RIGHT, DOWN, LEFT)  # by the action's number


def cells_of(field):
    """All cells of a game or a position."""
    return [(x, y) for x in range(field.width) for y in range(field.height)]


@pytest.mark.parametrize("size", [(4, 3), (5, 4), (7, 6), (16, 16)])
def test_the_starts_are_the_contests(size):
    game = LightRiders(*size)
    expected = {(game.grid.cell(*start.heads[0]), game.grid.cell(*start.heads[1])) for start in starts(*size)}
    found = [(state.head0, state.head1) for state in game.starts()]
    assert len(found) == len(set(found))
    if expected:
        assert set(found) == expected
    for seed in range(50):
        drawn = game.initial_state(seed=seed)
        assert (drawn.head0, drawn.head1) in found
        assert (STEPS[drawn.direction0], STEPS[drawn.direction1]) == (RIGHT, LEFT)


@pytest.mark.parametrize(
    ("where", "heads"),
    [
        ({"x": 2, "y": 3}, ((2, 3), (6, 3))),
        ({"heads": ((0, 0), (8, 4))}, ((0, 0), (8, 4))),
        ({}, ((3, 2), (5, 2))),
    ],
)
def test_a_start_is_where_it_was_asked_for(where, heads):
    game = LightRiders(9, 5)
    state = game.initial_state(**where)
    assert (game.grid.position(state.head0), game.grid.position(state.head1)) == heads
    walls = int_of(state.walls)
    assert {cell for cell in cells_of(game) if walls >> game.grid.cell(*cell) & 1} == set(heads)
    assert (state.round, state.alive) == (0, 3)


@pytest.mark.parametrize(
    "heads", [((9, 0), (1, 1)), ((1, 1), (0, 5)), ((-1, 0), (1, 1)), ((0, -1), (1, 1)), ((1, 1), (1, 1))]
)
def test_a_start_outside_or_for_both_on_one_cell_is_refused(heads):
    with pytest.raises(GameError, match=r"outside the 9x5 field|both players cannot start"):
        LightRiders(9, 5).initial_state(heads=heads)


@pytest.mark.compiles_soon
@pytest.mark.parametrize(
    ("rows", "round_", "directions"),
    [
        (["......", ".0..1.", "......", "......"], 0, (RIGHT, LEFT)),
        # Two rounds: player 0 went up twice, and player 1 down.
        ([".0....", ".x....", ".x..x.", "....1."], 2, (UP, DOWN)),
        # Where the trail fits the first direction, that is the guess.
        (["......", ".x01x.", "......", "......"], 1, (RIGHT, LEFT)),
        # A rider has no trail before it has moved: three blocked cells are two rounds.
        (["x.....", "xx0..1", "......", "......"], 2, (RIGHT, LEFT)),
    ],
)
def test_a_field_without_a_header_tells_the_round_and_guesses_directions(rows, round_, directions):
    game = LightRiders(6, 4)
    state = game.from_text("\n".join(rows))
    assert (state.round, STEPS[state.direction0], STEPS[state.direction1]) == (round_, *directions)
    assert game.from_field(rows, 7).round == 7


def test_searches_look_at_the_free_cells_or_else_straight_on():
    game = LightRiders(7, 4, 5)
    for seed in range(scaled(300)):
        for state in random_game(game, random.Random(seed))[0][:-1]:
            riders = READERS[game.name](game, game.to_text(state)).riders
            ways = [riders.free(player) or [riders.facing[player]] for player in (0, 1)]
            assert [game.search_actions(state, player) for player in (0, 1)] == [
                sorted(map(STEPS.index, free)) for free in ways
            ]


def test_positions_and_actions_as_text():
    game = LightRiders(6, 4)
    state = game.next_state(game.next_state(game.initial_state(1, 1), 1, 0), 2, 3)
    text = "light_riders 6x4 round 2 facing down left alive 01\n...1x.\n.xx.x.\n..0...\n......"
    assert game.to_text(state) == text
    assert game.from_text(text) == state
    assert game.from_text(text.replace("x.", "x,.")) == state
    assert game.render(state) == ". . . 1 x .\n. x x . x .\n. . 0 . . .\n. . . . . ."
    assert [game.action_to_string(state, 0, k) for k in range(4)] == ["up", "right", "down", "left"]
    assert [game.string_to_action(state, p, " PASS ") for p in (0, 1)] == [2, 3]
    assert game.string_to_action(state, 1, "Left") == 3
    met = game.next_state(game.from_text("......\n.0.1..\n......\n......"), 1, 3)
    assert game.to_text(met).splitlines()[2] == ".x*x.."
    assert game.from_text(game.to_text(met)) == met


def test_cells_that_nobody_reaches_are_blocked_also_before_both_crash() -> None:
    """In this game a head that has left the field lies beside cells that were out of reach."""
    check_game(LightRiders(4, 3), seed=2407542878)
