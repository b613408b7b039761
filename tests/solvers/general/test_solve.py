"""The solver of whole games: every position once, with the value that backward induction gives, and nothing lost on the way."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS, RandomGame
from helpers.sizes import scaled
from helpers.small_games import Guess, State
from helpers.walks import reachable
from saddlepoint.algorithms import BackwardInduction, UnsupportedGameError, search
from saddlepoint.compiled import kernel, mix
from saddlepoint.game.base import SIMULTANEOUS
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.solvers.general import Solution, save_solution
from saddlepoint.solvers.general.packing import first_packing
from saddlepoint.solvers.general.positions import PositionTable
from saddlepoint.solvers.general.solve import Induction, solve_positions

TREE = RandomGame()


class Endless(Guess):
    """It never ends, whatever max_depth says."""

    @kernel
    def current_player(self, state):
        return SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        return State(0, self.gain(action0, action1))


class Leads(NamedTuple):
    round: int
    lead: int
    five: tuple[int, int, int, int, int]


class Spread(Guess):
    """Who leads is told five times more, two hundred times as large: 62 bits in all."""

    def initial_state(self) -> Any:
        return Leads(0, 0, (0, 0, 0, 0, 0))

    @kernel
    def next_state(self, state, action0, action1) -> Any:
        lead = state.lead + self.gain(action0, action1)
        far = 200 * lead
        return Leads(state.round + 1, lead, (far, far, far, far, far))

    @kernel
    def hash(self, state):
        return mix(np.uint64(state.round * 1000 + state.lead + 100))


@pytest.mark.parametrize("kinds", [ONLY_SIMULTANEOUS, ONLY_TURNS, MIXED])
def test_random_games_have_the_value_of_backward_induction_and_each_position_is_solved_once(kinds):
    for seed in range(scaled(60, 3)):
        for levels in (0, 1, 3):
            state = TREE.initial_state(seed, depth=3, branching=3, kinds=kinds, levels=levels)
            found = solve_positions(TREE, state)
            assert found.value == pytest.approx(
                search(TREE, state, BackwardInduction(table=False)).value, abs=1e-9
            )
            counts = found.counts()
            assert counts.positions == len(reachable(TREE, state)) == counts.stages + counts.chance_positions


@pytest.mark.compiles_long
def test_positions_that_meet_again_are_solved_once_and_in_the_order_of_the_longest_way_to_an_end():
    game = Guess(rounds=6)
    found = solve_positions(game)
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.counts().positions == sum(2 * n + 1 for n in range(6)) == len(reachable(game, State(0, 0)))
    solution = Solution.of(found)
    rounds = {int(solution.order[solution.place_of(state)]): state.round for state in solution.states()}
    assert [rounds[place] for place in range(len(rounds))] == sorted(rounds.values(), reverse=True)


def file_of(work: Induction, path: Path) -> bytes:
    save_solution(path, Solution.of(work))
    return path.read_bytes()


@pytest.mark.parametrize("fold", [False, True])
def test_threads_find_the_same_in_the_same_file(tmp_path: Path, fold: bool):
    game = Goofspiel(3)
    one = solve_positions(game, fold=fold)
    for threads in (2, 3, 5):
        several = Induction(game, threads=threads, fold=fold)
        while not several.go_on(40):
            assert 0 <= several.share_done() <= 1
        assert several.counted() == one.counted()
        assert several.value == one.value
        assert file_of(several, tmp_path / "several.sol") == file_of(one, tmp_path / "one.sol")


def test_the_share_of_branches_grows_to_all():
    work, shares = Induction(Goofspiel(3)), [0.0]
    while not work.go_on(20):
        shares.append(work.counts().share_done)
    assert shares == sorted(shares)
    assert 0 < shares[1] < shares[-1] <= 1 == work.share_done()


def test_beyond_the_memory_the_table_is_in_a_file_with_the_same_content(tmp_path):
    game, told = Goofspiel(3), []
    state = game.initial_state()
    usual, small = (
        solve_positions(game),
        solve_positions(game, state, memory=1000, folder=tmp_path, on_disk=told.append),
    )
    assert small.positions.in_file
    assert told
    assert not list(tmp_path.iterdir())
    assert np.array_equal(usual.positions.words(), small.positions.words())
    assert np.array_equal(Solution.of(usual).rows, Solution.of(small).rows)


@pytest.mark.compiles_long
@pytest.mark.parametrize("threads", [1, 3])
def test_a_game_without_an_end_is_refused_in_one_sentence(threads):
    with pytest.raises(
        UnsupportedGameError,
        match=r"^Endless\(size=3, rounds=6\) does not end within max_depth = 6 moves from here",
    ):
        solve_positions(Endless(rounds=6), threads=threads)


def test_a_packing_has_room_for_whatever_came_and_keeps_words_apart():
    rng = np.random.default_rng(5)
    rows = [[7, 2**64 - 3, 0, 2**63]]
    packing = first_packing(rows[0])
    for _ in range(200):
        small, negative, bit, even = (int(rng.integers(most)) for most in (2**40, 1000, 2, 2**63))
        rows.append([small, -negative % 2**64, bit, 2 * even])
        for k, word in enumerate(rows[-1]):
            packing = packing if packing.fits(k, word) else packing.widened(k, word)
        assert all(packing.unpacked(packing.packed(row)).tolist() == row for row in rows)
    assert packing.width > 1


@pytest.mark.compiles_long
@pytest.mark.parametrize("threads", [1, 3])
def test_positions_that_fit_into_one_word_get_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
):
    """A number that leaves its range gets twice the room, on one side; before all of these take a word more they are packed closely."""
    files = []
    for often, width in ((32, 1), (0, 2)):
        monkeypatch.setattr("saddlepoint.solvers.general.solve._CLOSER", often)
        work = Induction(Spread(rounds=6), threads=threads)
        while not work.go_on(10):
            pass
        assert work.positions.packing.width == width
        files.append(file_of(work, tmp_path / "a.sol"))
        assert work.positions.packing.width == 1
        assert sum(int(mask).bit_length() for mask in work.positions.packing.mask) == 62
    assert files[0] == files[1]


def test_a_table_that_grows_loses_nothing():
    table = PositionTable(first_packing([0]))
    capacity = table.capacity
    table.grow()
    assert table.capacity == 2 * capacity
    assert table.capacity * 5 <= len(table.slots) * 4
