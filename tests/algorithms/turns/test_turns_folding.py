"""Mirror images share what is known of them, and no value changes."""

from dataclasses import replace

import pytest

from helpers.random_trees import minimax, random_positions, restated
from saddlepoint.algorithms import Limits, PrincipalVariation, Searcher
from saddlepoint.games.simplexity import Simplexity

pytestmark = pytest.mark.compiles_long

FOLDED = PrincipalVariation(megabytes=1.0)
SETTINGS = [
    FOLDED,
    replace(FOLDED, symmetry=False),
    replace(FOLDED, megabytes=0.001),
    replace(FOLDED, winning_actions=False),
]
BOARD = Simplexity(3, 4, 3, 3, 3)


def test_every_position_has_the_value_of_plain_minimax():
    searchers = [Searcher(BOARD, setting) for setting in SETTINGS]
    for state in random_positions(BOARD, 40, 2, least=5):
        expected = minimax(BOARD, state, distance=FOLDED.discount)
        value = minimax(BOARD, state)
        (image,) = BOARD.symmetries(state)
        for searcher in searchers:
            for position in (state, image.state):  # the second one finds what the first one left
                result = searcher.search(position, Limits(), deepen=True, variation=False)
                assert (result.value, result.exact) == (value, True)
                shown = searcher.algorithm, BOARD.to_text(state)
                assert restated(result, FOLDED.discount) == pytest.approx(expected, abs=1e-9), shown


def test_what_was_found_of_a_position_is_known_of_its_image():
    again = dict.fromkeys(SETTINGS[:2], 0)
    for setting in again:
        searcher = Searcher(BOARD, setting)
        for state in random_positions(BOARD, 60, 3, least=3, most=5):
            (image,) = BOARD.symmetries(state)
            if image.state != state:
                searcher.memory.clear()
                searcher.search(state, Limits(), variation=False)
                again[setting] += searcher.search(image.state, Limits(), variation=False).statistics.nodes
    folded, unfolded = again.values()
    assert folded < unfolded / 2


def test_from_the_start_it_saves_work():
    game = Simplexity()
    nodes = [
        Searcher(game, setting)
        .search(game.initial_state(), Limits(depth=7), deepen=True, variation=False)
        .statistics.nodes
        for setting in (FOLDED, replace(FOLDED, symmetry=False))
    ]
    assert nodes[0] < 0.8 * nodes[1]
