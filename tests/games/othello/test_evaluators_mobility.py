"""Othello's evaluator against its definition over lists of cells."""

import pytest

from helpers.random_trees import random_positions
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint.games.othello import PASS, Mobility, Othello

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def stable_discs(discs, size):
    """Along each of four lines such a disc is at the edge, or next to another one, on one side."""
    found = set()
    while True:
        more = {
            (x, y)
            for x, y in discs - found
            if all(
                any(
                    not (0 <= a < size and 0 <= b < size) or (a, b) in found
                    for a, b in ((x + u, y + v), (x - u, y - v))
                )
                for u, v in ((1, 0), (0, 1), (1, 1), (1, -1))
            )
        }
        if not more:
            return found
        found |= more


def expected_counts(game, state):
    size = game.size
    cells = {(x, y) for x in range(size) for y in range(size)}
    rows = game.rows(state)
    discs = [{(x, y) for x, y in cells if rows[y][x] == mark} for mark in "xo"]
    empty = cells - discs[0] - discs[1]

    def share(mine, theirs):
        return (mine - theirs) / (mine + theirs + 1)

    def around(place):
        return {(place[0] + x, place[1] + y) for x, y in STEPS}

    corners = {(x, y) for x in (0, size - 1) for y in (0, size - 1)}
    beside = {(c + u, d + v) for c, d in corners & empty for u, v in STEPS if u * v == 0}
    across = {(c + u, d + v) for c, d in corners & empty for u, v in STEPS if u * v != 0}
    edge = {(x, y) for x, y in cells if x in (0, size - 1) or y in (0, size - 1)} - corners - beside
    placements = [
        len([a for a in game.legal_actions(state._replace(turn=player), player) if a != PASS])
        for player in (0, 1)
    ]
    next_to = [len({place for place in empty if around(place) & discs[1 - player]}) for player in (0, 1)]
    stable = [len(stable_discs(discs[player], size)) for player in (0, 1)]
    sign = 1 if state.turn == 0 else -1

    def lead(of):
        return len(discs[0] & of) - len(discs[1] & of)

    return (
        share(*placements),
        share(*next_to),
        lead(corners),
        stable[0] - stable[1],
        lead(across),
        lead(beside),
        lead(edge),
        share(len(discs[0]), len(discs[1])),
        sign,
        sign if len(empty) % 2 else -sign,
        1 - len(empty) / (size**2 - 4),
    )


@pytest.mark.parametrize("size", [4, 6, pytest.param(8, marks=COMPILED_ONLY)])
def test_counts(size):
    game = Othello(size)
    for state in random_positions(game, scaled(80), size):
        assert Mobility().counts(game, state) == pytest.approx(expected_counts(game, state), abs=1e-12)


@pytest.mark.parametrize("size", [4, 6, pytest.param(8, marks=COMPILED_ONLY)])
def test_features_are_such_counts_of_either_player(size):
    game = Othello(size)
    for state in random_positions(game, scaled(80), size):
        own, other = (game.features(state, player) for player in (0, 1))
        expected = expected_counts(game, state)
        shares = [
            (mine - theirs) / (mine + theirs + 1) for mine, theirs in zip(own[:2], other[:2], strict=True)
        ]
        leads = [mine - theirs for mine, theirs in zip(own[2:5], other[2:5], strict=True)]
        assert [*shares, *leads] == pytest.approx([*expected[:2], *expected[3:6]], abs=1e-12)
        assert own[5] == other[5] == (expected[8] == expected[9])


@COMPILED_ONLY
@pytest.mark.parametrize("utility", ["win", "discs"])
def test_images_are_worth_the_same_and_exchanged_players_the_negative(utility):
    game, evaluator = Othello(6, utility), Mobility()
    for state in random_positions(game, scaled(20), 7):
        value = evaluator.evaluate(game, state)
        assert abs(value) <= game.max_utility * evaluator.bound
        for image in game.symmetries(state):
            assert evaluator.evaluate(game, image.state) == pytest.approx(
                -value if image.swap else value, abs=1e-9
            )


def test_a_corner_is_worth_more_than_the_cell_next_to_it():
    game = Othello()
    corner = game.from_text("x......./.x....../..x...../..xox.../..xxo.../......../......../......../o")
    beside = game.from_text("......../.x....../..x...../..xox.../..xxo.../......../......../......../o")
    assert Mobility().evaluate(game, corner) > 0.2 > Mobility().evaluate(game, beside)
