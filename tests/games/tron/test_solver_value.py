"""Tron's exact value: against plain recursion over all joint moves, the general solver, known counts, and itself without symmetry."""

import re
import threading
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.reference_boards import around
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import Battlesnake, LightRiders, Tron
from saddlepoint.boards.grid import int_of, words_of
from saddlepoint.games.tron.game import State
from saddlepoint.games.tron.solver import ValueSearch, every_start
from saddlepoint.matrix import solve_matrix
from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.solve import solve_positions


def position(game: Tron, walls: int, heads: tuple[int, int]) -> State:
    """The position with these walls; bits of cells."""
    bits = int_of(game.grid.outside) | walls | 1 << heads[0] | 1 << heads[1]
    return State(words_of(bits, game.grid.words), *heads)  # type: ignore[arg-type]


def plain_value(game: Tron, state: State) -> float:
    """The value by nothing but the rules: who cannot move loses, both on one cell are a draw."""
    grid = game.grid
    cells = [(x, y) for x in range(grid.width) for y in range(grid.height)]

    @cache
    def value(free, first, second):
        moves = [[there for there in around(head) if there in free] for head in (first, second)]
        if not (moves[0] and moves[1]):
            return float(bool(moves[0])) - float(bool(moves[1]))
        matrix = [[0.0 if a == b else value(free - {a, b}, a, b) for b in moves[1]] for a in moves[0]]
        return float(solve_matrix(matrix).value)

    first, second = (grid.position(head) for head in (state.head0, state.head1))
    free = frozenset(cell for cell in cells if not int_of(state.walls) >> grid.cell(*cell) & 1) - {
        first,
        second,
    }
    return value(free, first, second)


def simple(value: float) -> Fraction:
    """The simple fraction that a value rounds."""
    return Fraction(value).limit_denominator(1000)


@pytest.fixture(scope="module")
def searches():
    """Searches that keep their tables, by size and by whether symmetry tells values."""

    @cache
    def search(width, height, by_symmetry):
        return ValueSearch(Tron(width, height), 1, by_symmetry)

    return lambda game, by_symmetry=False: search(game.width, game.height, by_symmetry)


COUNTS = {
    (2, 3): {1: 4, 0: 22, -1: 4},
    (3, 3): {1: 20, 0: 24, -1: 20, Fraction(1, 2): 4, Fraction(-1, 2): 4},
    (3, 4): {1: 22, 0: 80, -1: 22, Fraction(1, 3): 4, Fraction(-1, 3): 4},
}
"""How many ordered pairs of start cells have which value: known from another program."""


@pytest.mark.plain
@pytest.mark.parametrize("size", [(2, 3), (3, 3), pytest.param((3, 4), marks=COMPILED_ONLY)])
@pytest.mark.parametrize("by_symmetry", [False, True])
def test_every_ordered_pair_of_start_cells_has_the_value_of_the_rules(size, by_symmetry, searches):
    game, counts = Tron(*size), Counter()
    for heads in permutations([(x, y) for x in range(game.width) for y in range(game.height)], 2):
        state = game.initial_state(heads)
        value = searches(game, by_symmetry).value(state).value
        assert value == pytest.approx(plain_value(game, state), abs=1e-9), game.to_text(state)
        counts[simple(value)] += 1
    assert counts == COUNTS[size]


@pytest.mark.plain
@pytest.mark.parametrize("size", COUNTS)
def test_starts_that_are_the_same_by_symmetry_or_exchange_are_listed_once(size, searches):
    found = Counter()
    for start in every_start(Tron(*size)):
        value = searches(Tron(*size)).value(start.state).value
        found[simple(value)] += start.pairs
        found[simple(-value)] += start.exchanged
    assert found == COUNTS[size]


@pytest.mark.compiles_long
def test_every_start_of_4x4_has_the_value_of_the_general_solver(searches):
    game = LightRiders(4, 4)
    for start in every_start(Tron(4, 4)):
        heads = start.state.head0, start.state.head1
        first, second = map(game.grid.position, heads)
        known = solve_positions(game, game.initial_state(heads=(first, second))).value
        for state, value in (
            (start.state, known),
            (start.state._replace(head0=heads[1], head1=heads[0]), -known),
        ):
            assert searches(game).value(state).value == pytest.approx(value, abs=1e-9), heads


@pytest.mark.slow
def test_positions_of_5x5_have_the_values_of_the_general_solver(searches):
    game, random = LightRiders(5, 5), np.random.default_rng(5)
    for start in every_start(Tron(5, 5)):
        first, second = map(game.grid.position, (start.state.head0, start.state.head1))
        solution = Solution.of(solve_positions(game, game.initial_state(heads=(first, second))))
        for _ in range(40):
            state = solution.root
            for _ in range(random.integers(1, 8)):
                after = game.next_state(
                    state, *(int(random.choice(game.search_actions(state, player))) for player in (0, 1))
                )
                if after.alive != 3:
                    break
                state = after
            assert searches(game).value(state).value == pytest.approx(solution.at(state).value, abs=1e-9), (
                game.to_text(state)
            )


@st.composite
def fields(draw, width, height, most_free):
    """Positions with so many free cells at most, wherever the walls are."""
    game = Tron(width, height)
    grid = game.grid
    order = draw(st.permutations([grid.cell(x, y) for x in range(width) for y in range(height)]))
    free = draw(st.integers(0, most_free))
    return game, position(game, sum(1 << cell for cell in order[2 + free :]), (order[0], order[1]))


@settings(max_examples=scaled(400, 25))
@given(st.data())
def test_positions_with_walls_have_the_value_of_the_rules(searches, data):
    game, state = data.draw(fields(*data.draw(st.sampled_from([(5, 5), (4, 6), (7, 3)])), 13))
    value = plain_value(game, state)
    for by_symmetry in (False, True):
        assert searches(game, by_symmetry).value(state).value == pytest.approx(value, abs=1e-9)
    for image in game.symmetries(state):  # the riders exchanged, too
        expected = -value if image.swap else value
        assert searches(game).value(image.state).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_larger_fields_with_few_free_cells_have_the_value_of_the_rules(searches, data):
    game, state = data.draw(
        fields(*data.draw(st.sampled_from([(9, 5), (6, 9), (12, 3), (16, 16), (3, 20)])), 15)
    )
    assert searches(game).value(state).value == pytest.approx(plain_value(game, state), abs=1e-9)


@pytest.mark.parametrize("side", [5, 6, 7, 8])
@pytest.mark.parametrize("by_symmetry", [False, True])
def test_opposite_corners_are_a_draw_with_and_without_symmetry(by_symmetry, side, searches):
    game = Tron(side, side)
    found = searches(game, by_symmetry).value(game.initial_state())
    assert found.value == 0.0
    assert (found.positions == 1) == by_symmetry


@pytest.mark.plain
def test_a_small_table_forgets_and_is_right(searches):
    game = Tron(4, 4)
    state = game.initial_state(((0, 0), (2, 1)))
    search = ValueSearch(game, 0.001, False)
    for _ in range(2):
        assert search.value(state).value == pytest.approx(plain_value(game, state), abs=1e-9)


def test_time_that_is_up_is_told_and_what_was_found_stays_true(searches):
    search, state = ValueSearch(Tron(7, 7), 4, False), Tron(7, 7).initial_state()
    while (found := search.value(state, seconds=0.0005)) is None:
        pass
    assert found.value == 0.0


@pytest.mark.compiles_long
def test_an_interruption_goes_through(searches):
    class Enough(Exception):
        pass

    def on_wait(nodes, seconds):
        raise Enough

    search = ValueSearch(Tron(16, 16), 4, False)
    before = threading.active_count()
    with pytest.raises(Enough):
        search.value(Tron(16, 16).initial_state(), on_wait=on_wait)
    assert threading.active_count() <= before
    assert search.value(Tron(16, 16).initial_state(), seconds=0.01) is None


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "size", "heads"),
    [
        ("0..x\n...1\nx...", (4, 3), ((0, 0), (3, 1))),
        ("light_riders 4x3 round 0 facing right left alive 01\n0...\n...1\n....", (4, 3), ((0, 0), (3, 1))),
        ("0,.,1\n.,.,.", (3, 2), ((0, 0), (2, 0))),
    ],
)
def test_positions_are_read_as_they_are_written(text, size, heads):
    tron: Any = Tron().fitted_to(text)
    state = tron.from_text(text)
    assert tron == Tron(*size)
    assert (tron.grid.position(state.head0), tron.grid.position(state.head1)) == heads
    assert tron.to_text(state).split() == text.replace(",", "").split()[-size[1] :]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 6 rows of 6 cells"),
        ("0.\n1", "expected 2 rows of 2 cells"),
        ("0?\n.1", "'?' at (1, 0) is no cell"),
        ("0.\n..", "needs both heads"),
        ("00\n.1", "player 0 has two heads"),
    ],
)
def test_what_is_no_position_is_refused(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Tron().fitted_to(text).from_text(text)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("side", "heads", "message"),
    [
        (4, ((0, 0), (4, 0)), "the head 4,0 is outside the 4x4 field"),
        (4, ((1, 1), (1, 1)), "both heads cannot be on 1,1"),
        (33, None, "sides of 1 to 32 cells"),
    ],
)
def test_starts_that_do_not_fit_are_refused(side, heads, message):
    with pytest.raises(ValueError, match=message):
        Tron(side, 4).initial_state(heads)


@pytest.mark.slow
def test_constrictor_has_the_value_of_tron(searches):
    """No tail ever moves on there, so a snake is a wall, and two heads of equal length on one cell are a draw."""
    tron, game = Tron(4, 3), Battlesnake(width=4, height=3, mode="constrictor", map="empty")
    for first, second in permutations([(0, 0), (1, 1), (2, 0), (3, 2), (1, 2)], 2):
        snakes = [
            f"snake {k} health 100: " + " ".join(["{},{}".format(*cell)] * 3)
            for k, cell in enumerate((first, second))
        ]
        state = game.from_text("\n".join(["battlesnake 4x3 round 0", *snakes, "food:"]))
        found = searches(tron).value(tron.initial_state((first, second)))
        assert solve_positions(game, state).value == pytest.approx(found.value, abs=1e-9), (first, second)
