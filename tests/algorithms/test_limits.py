"""Limits, deepening and cancelling: what a search promises when it may not finish."""

import mmap
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from helpers.random_trees import RandomGame
from saddlepoint.algorithms import (
    ALGORITHMS,
    BackwardInduction,
    DoubleOracleBounds,
    Limits,
    Memory,
    PrincipalVariation,
    ProofNumber,
    RegretMatchingTree,
    SaddlePruning,
    Searcher,
    SerialisedAlphaBeta,
    StopToken,
    UnsupportedGameError,
    search,
)
from saddlepoint.compiled import kernel
from saddlepoint.game.base import TERMINAL, Game
from saddlepoint.games import random_game
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.oshi_zumo import OshiZumo
from saddlepoint.games.othello import Othello
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.interop.table_game import game_of_matrix
from saddlepoint.policies.cfr_plus import cfr_plus
from saddlepoint.solvers.cycles import solve_cycles
from saddlepoint.solvers.whole_game import solve

pytestmark = pytest.mark.compiles_long

RIDERS = LightRiders()
START = RIDERS.initial_state(4, 7)
ALL = [cls() for cls in ALGORITHMS.values() if cls.goes_by_depth and not cls.turns_only]
SOON = ("bi", "saddle")
"""Those that compile in a second or two."""


def is_usable(result, game, state):
    """Mixtures over actions that may be played, adding up to one."""
    for player in game.players_to_act(state):
        mixture = result.strategies[player]
        assert set(mixture) <= set(game.legal_actions(state, player))
        assert sum(mixture.values()) == pytest.approx(1)
    return True


@pytest.mark.parametrize("algorithm", ALL, ids=lambda a: a.name)
def test_a_node_budget_repeats_a_search_to_the_last_bit(algorithm):
    first, second = (search(RIDERS, START, algorithm, Limits(nodes=20_000)) for _ in range(2))
    assert first.statistics == second.statistics
    assert first.value == second.value
    assert first.strategies == second.strategies
    assert first.principal_variation == second.principal_variation
    assert not first.complete


@pytest.mark.parametrize("algorithm", ALL, ids=lambda a: a.name)
def test_a_search_cut_off_anywhere_leaves_a_usable_answer(algorithm):
    searcher = Searcher(RIDERS, algorithm)
    for nodes in (1, 2, 3, 5, 8, 13, 21, 50, 111, 300, 1000, 4000):
        searcher.memory.clear()
        result = searcher.search(START, Limits(nodes=nodes), variation=False)
        assert is_usable(result, RIDERS, START)
        assert not result.exact
        assert result.bounds == (-1.0, 1.0)
        assert [i.depth for i in result.iterations if i.depth] == list(range(1, result.depth + 1))
        assert result.partial is not None
        assert result.partial.depth == result.depth + 1


@pytest.mark.parametrize(
    "algorithm",
    [pytest.param(one, marks=pytest.mark.compiles_soon) if one.name in SOON else one for one in ALL],
    ids=lambda a: a.name,
)
def test_a_search_stops_at_the_first_position_beyond_its_budget_among_drawn_cards_too(algorithm):
    game = Goofspiel(4, "random")
    searcher = Searcher(game, algorithm)
    for nodes in (1, 2, 3, 7, 20, 55, 148, 403):
        searcher.memory.clear()
        result = searcher.search(game.initial_state(), Limits(nodes=nodes), variation=False)
        assert not result.complete
        assert result.statistics.nodes <= nodes + 1


def test_what_an_unfinished_iteration_has_found_is_what_the_finished_one_will_find():
    full = Searcher(RIDERS, SaddlePruning())
    state = RIDERS.initial_state(4, 7)
    cut = full.search(state, Limits(depth=5, nodes=4500), deepen=False, variation=False)
    assert cut.partial is not None
    assert cut.partial.depth == 5
    assert cut.partial.cells
    for (a, b), (low, high) in cut.partial.cells.items():
        child = RIDERS.next_state(state, a, b)
        exact = full.search(child, Limits(depth=4), deepen=False, variation=False).value
        assert low <= exact + 1e-9
        assert exact <= high + 1e-9


@pytest.mark.parametrize("algorithm", ALL, ids=lambda a: a.name)
def test_a_token_cancels_from_another_thread(algorithm):
    token = StopToken()
    searcher = Searcher(RIDERS, algorithm)
    searcher.search(START, Limits(depth=2))  # compiled before the clock runs
    timer = threading.Timer(0.15, token.stop)
    timer.start()
    begun = time.perf_counter()
    result = searcher.search(START, Limits(seconds=60), stop=token)
    assert time.perf_counter() - begun < 30  # would be 60: it was cancelled, not timed out
    assert token.stopped
    assert result.depth >= 2
    assert is_usable(result, RIDERS, START)


def test_a_stopped_token_stops_later_searches_at_once():
    token = StopToken()
    token.stop()
    result = search(RIDERS, START, BackwardInduction(table=False), Limits(seconds=60), stop=token)
    assert result.depth == 0
    assert is_usable(result, RIDERS, START)


def test_a_deadline_ends_the_search_with_the_last_finished_depth():
    search(
        RIDERS, START, DoubleOracleBounds(), Limits(depth=3)
    )  # compiles, which the time of a search is not for
    result = search(RIDERS, START, DoubleOracleBounds(), Limits(seconds=0.1))
    assert result.depth == result.iterations[-1].depth >= 3
    assert not result.complete


def test_deepening_reports_every_depth_and_ends_where_the_game_is_solved():
    game = LightRiders(4, 4)
    seen = []
    result = search(
        game,
        game.initial_state(),
        BackwardInduction(table=False),
        Limits(seconds=30),
        on_iteration=seen.append,
    )
    assert tuple(seen) == result.iterations
    assert [i.depth for i in seen] == list(range(1, len(seen) + 1))
    assert result.exact
    assert result.complete
    assert result.bounds == (result.value, result.value)


def test_a_depth_limit_alone_searches_just_that_depth():
    result = search(RIDERS, START, BackwardInduction(table=False), Limits(depth=3))
    assert result.depth == 3
    assert result.complete
    assert not result.exact
    assert result.statistics.nodes == 1 + 16 + 144 + 1296  # nobody can crash within three rounds here


def test_a_finished_game_is_worth_its_result():
    game = RandomGame()
    state = game.initial_state(depth=0)
    result = search(game, state, BackwardInduction(table=False))
    assert result.exact
    assert result.value == game.returns(state)
    assert result.strategies == ({}, {})


@pytest.mark.parametrize("algorithm", ALL, ids=lambda a: a.name)
def test_the_principal_variation_is_playable(algorithm):
    result = search(RIDERS, START, algorithm, Limits(depth=4))
    state = START
    for joint in result.principal_variation:
        state = RIDERS.next_state(state, *joint)
    assert len(result.principal_variation) == 4


@pytest.mark.compiles_soon
@pytest.mark.parametrize("bad", [{"depth": -1}, {"nodes": 0}, {"seconds": 0.0}])
def test_limits_that_make_no_sense_are_refused_in_one_sentence(bad):
    with pytest.raises(ValueError, match=r"must be"):
        Limits(**bad)


WIN = """
xx0xxxxx
x...xxxx
x...xxxx
xxxxxxx.
xxxxx1x.
xxxx..xx
"""


@pytest.mark.parametrize("algorithm", [*ALL, SerialisedAlphaBeta(first=1)], ids=lambda a: a.name)
@pytest.mark.parametrize("swap", [False, True])
def test_a_win_in_one_is_seen_for_both_players(algorithm, swap):
    """One rider is walled in after its next move; the other has room for several."""
    game = LightRiders(8, 6)
    text = WIN.translate(str.maketrans("01", "10")) if swap else WIN
    result = search(game, game.from_text(text), algorithm, Limits(seconds=20))
    assert result.exact
    assert result.value == (-1.0 if swap else 1.0)


def test_a_game_with_more_actions_than_a_search_has_room_for_is_refused_in_a_sentence():
    game = OshiZumo(coins=1000)
    with pytest.raises(ValueError, match="oshi_zumo has up to 1000 actions: a search has no room for that"):
        search(game, game.initial_state(), SaddlePruning())


@pytest.mark.parametrize("size", [5e-324, 1e-281, 1.7e308])
def test_results_that_floats_cannot_be_computed_with_are_refused_in_one_sentence(size):
    game = game_of_matrix([[size, 0], [0, size]])
    asked = [
        lambda: solve(game),
        lambda: solve_cycles(game),
        lambda: cfr_plus(game, 10),
        lambda: search(game, game.initial_state(), SaddlePruning()),
        lambda: search(game, game.initial_state(), RegretMatchingTree(), Limits(nodes=100)),
    ]
    for ask in asked:
        with pytest.raises(
            UnsupportedGameError,
            match=r"their range must be 0 or from 1e-280 to 1e\+300: give them in another unit",
        ):
            ask()


@pytest.mark.parametrize("size", [1e-280, 1e300])
def test_results_as_small_or_large_as_may_be_are_computed_with(size):
    game = game_of_matrix([[size, 0], [0, size]])
    assert solve(game).value == pytest.approx(size / 2, abs=0, rel=1e-9)
    found = search(game, game.initial_state(), RegretMatchingTree(), Limits(nodes=20_000))
    assert found.value == pytest.approx(size / 2, abs=0, rel=0.1)


class Left(NamedTuple):
    left: int


@dataclass(frozen=True)
class Long(Game):
    """405 moves in turn, each the only one; then player 0 has won."""

    name: ClassVar[str] = "long"
    max_actions: ClassVar[int] = 1
    max_depth: ClassVar[int] = 405

    def initial_state(self):
        return Left(405)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.left == 0 else state.left % 2

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        return 1

    @kernel
    def next_state(self, state, action):
        return Left(state.left - 1)

    @kernel
    def returns(self, state):
        return 1.0


@pytest.mark.parametrize("algorithm", [PrincipalVariation(), ProofNumber()], ids=lambda a: a.name)
def test_a_search_that_cannot_follow_a_line_to_its_end_says_so_and_is_not_complete(algorithm, capsys):
    game = Long()
    for limits in (Limits(), Limits(depth=405)):
        found = search(game, game.initial_state(), algorithm, limits)
        assert (found.complete, found.exact, found.bounds) == (False, False, (-1, 1))
    assert (
        "follows a line for 256 moves, as many as it has memory for, and long may last 405"
        in capsys.readouterr().err
    )
    found = search(game, Left(256), algorithm)
    assert (found.complete, found.exact, found.value) == (True, True, 1)
    assert "follows a line" not in capsys.readouterr().err


@pytest.mark.skipif(
    not Path("/proc/self/statm").is_file(), reason="the system does not tell how much memory is in use"
)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_memory_of_one_search_follows_its_limit_of_nodes(name):
    """A thousand nodes need some 100 kB; the tables and trees of the settings are 16 to 64 MB."""
    algorithm = ALGORITHMS[name]()
    game = TicTacToe() if algorithm.turns_only else Goofspiel(4)
    limits = Limits(nodes=1000)
    search(game, game.initial_state(), algorithm, limits)  # compiles
    before = in_use()
    searcher = Searcher(game, algorithm, memory=Memory.for_one_search(limits))
    searcher.search(game.initial_state(), limits)
    assert in_use() - before < 10 * 2**20


def test_search_has_such_a_memory_unless_it_is_given_another(monkeypatch):
    made = list[Memory]()
    monkeypatch.setattr(
        Memory,
        "for_one_search",
        lambda limits, kind=Memory.for_one_search: made.append(kind(limits)) or made[-1],
    )
    for memory in (None, Memory(16)):
        search(RIDERS, START, BackwardInduction(), Limits(nodes=10), memory=memory)
    assert len(made) == 1 and made[0]._kept


def in_use() -> int:
    """Bytes of this process that the system has given memory for."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE


@pytest.mark.plain
def test_tables_are_as_large_as_the_search_can_use():
    small, usual = Memory.for_one_search(Limits(nodes=100)), Memory.for_one_search(Limits(seconds=1))
    assert small.entries < 2**14 < usual.entries == Memory().entries
    entry = np.dtype("u8")
    assert (
        0.01
        < small.megabytes_of(64.0, entry)
        < 1.0
        < usual.megabytes_of(64.0, entry)
        == Memory().megabytes_of(64.0, entry)
        == 64.0
    )
    assert small.megabytes_of(0.001, entry) == 0.001


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "nodes"),
    [
        (LightRiders(), 64),
        (random_game.RandomGame(actions=16), 16),
        (random_game.RandomGame(actions=64), 1),
        (Othello(), 64),
    ],
)
def test_the_more_joint_actions_a_node_has_the_more_often_the_clock_is_looked_at(
    game: Game, nodes: int
) -> None:
    """With a hundred actions each, 64 nodes took 20 ms: a move of 5 ms was late."""
    algorithm = PrincipalVariation() if game.turn_based else SaddlePruning()
    assert algorithm.workspace(game)["clock_mask"] == nodes - 1
