"""Limits, deepening and cancelling: what a search promises when it may not finish."""

import math
import mmap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from helpers.random_trees import Noise, TurnTree, random_positions
from helpers.walks import after_one_step
from helpers.written_games import WrittenTurns
from saddlepoint import (
    ALGORITHMS,
    TERMINAL,
    BackwardInduction,
    DoubleOracleBounds,
    Game,
    Limits,
    Memory,
    MonteCarlo,
    PrincipalVariation,
    ProofNumber,
    RegretMatchingTree,
    SaddlePruning,
    Searcher,
    SerialisedAlphaBeta,
    SimultaneousMonteCarlo,
    StopToken,
    UnsupportedGameError,
    search,
    solve,
)
from saddlepoint.games import ConnectFour, Goofspiel, LightRiders, Othello, random_game
from saddlepoint.interop.table_game import Place, game_of_matrix
from saddlepoint.policies.cfr_plus import cfr_plus
from saddlepoint.solvers.cycles import solve_cycles

pytestmark = pytest.mark.compiles_long

RIDERS, BOARD, CARDS, TREE = LightRiders(), ConnectFour(), Goofspiel(4), TurnTree()
START = RIDERS.initial_state(4, 7)
ALL = [kind() for kind in ALGORITHMS.values() if kind is not SimultaneousMonteCarlo]
DEEPENING = [one for one in ALL if one.goes_by_depth and not one.turns_only]
SOON = ("bi", "saddle", "dfpn", "mcts", "rm")
"""Those that compile in a second or two."""


def each(algorithms, soon=()):
    """A test for each of these algorithms; some compile soon."""
    marked = [
        pytest.param(one, marks=pytest.mark.compiles_soon) if one.name in soon else one for one in algorithms
    ]
    return pytest.mark.parametrize("algorithm", marked, ids=lambda one: one.name)


def usual(algorithm):
    """A game that the algorithm is made for, and a position in it."""
    if algorithm.turns_only:
        return BOARD, BOARD.initial_state()
    return (RIDERS, START) if algorithm.goes_by_depth else (CARDS, CARDS.next_state(CARDS.initial_state(), 3))


def is_usable(result, game, state):
    """Mixtures over actions that may be played, adding up to one, and a line that can be played."""
    for player in (0, 1):
        mixture = result.strategies[player]
        assert bool(mixture) == (player in game.players_to_act(state))
        assert set(mixture) <= set(game.legal_actions(state, player))
        assert not mixture or sum(mixture.values()) == pytest.approx(1)
    for joint in result.principal_variation:
        state = game.advance(state, *joint)
    return True


@each(ALL, SOON[2:])
def test_a_node_budget_repeats_a_search_to_the_last_bit(algorithm):
    game, state = usual(algorithm)
    first, second = (search(game, state, algorithm, Limits(nodes=20_000), seed=5) for _ in range(2))
    assert first.statistics == second.statistics
    assert first.value == second.value
    assert first.strategies == second.strategies
    assert first.principal_variation == second.principal_variation
    assert is_usable(first, game, state)
    assert not first.complete


@each(ALL, SOON[4:])
def test_a_search_cut_off_anywhere_leaves_a_usable_answer(algorithm):
    game, start = usual(algorithm)
    searcher = Searcher(game, algorithm)
    for state in random_positions(game, 10, 2, most=12) if algorithm.turns_only else [start]:
        for nodes in (1, 2, 3, 5, 8, 13, 21, 50, 111, 300, 1000, 4000):
            searcher.memory.clear()
            result = searcher.search(state, Limits(nodes=nodes))
            assert is_usable(result, game, state)
            assert [i.depth for i in result.iterations if i.depth] == list(range(1, result.depth + 1))
            if not algorithm.turns_only:  # some of those positions are solved
                assert (result.exact, result.complete, result.bounds) == (False, False, (-1.0, 1.0))
            if not result.complete and (algorithm.turns_only or algorithm.goes_by_depth):
                assert result.partial.depth == result.depth + 1 or not algorithm.goes_by_depth
                best = result.partial.best  # what was found best is among what is to be played
                players = game.players_to_act(state)
                assert best is None or all(best[player] in result.strategy(player) for player in players)


@each(DEEPENING, SOON[:2])
@pytest.mark.parametrize("nodes", [1, 2, 3, 7, 20, 55, 148, 403])
def test_a_search_stops_at_the_first_position_beyond_its_budget_among_drawn_cards_too(nodes, algorithm):
    searcher = Searcher(CARDS, algorithm)
    result = searcher.search(CARDS.initial_state(), Limits(nodes=nodes), variation=False)
    assert not result.complete
    assert result.statistics.nodes <= nodes + 1


QUIET = PrincipalVariation(Noise(), megabytes=0.1, discount=0.0, aspiration=0.0)


@pytest.mark.parametrize(
    ("game", "algorithm", "states", "nodes", "least"),
    [
        (RIDERS, SaddlePruning(), [START], 4500, 1),
        (TREE, QUIET, [TREE.initial_state(seed, 8, 5) for seed in range(200)], 60, 41),
    ],
    ids=["at once", "in turn"],
)
def test_what_an_unfinished_iteration_has_found_is_what_the_finished_one_will_find(
    game, algorithm, states, nodes, least
):
    searcher, checked = Searcher(game, algorithm), 0
    for state in states:
        searcher.memory.clear()
        partial = searcher.search(state, Limits(depth=5, nodes=nodes), deepen=False, variation=False).partial
        for joint, (low, high) in partial.cells.items() if partial is not None else ():
            assert partial.depth == 5
            searcher.memory.clear()
            child = game.advance(state, *joint)
            value = searcher.search(child, Limits(depth=4), deepen=False, variation=False).value
            assert low - 1e-9 <= value <= high + 1e-9
            checked += 1
    assert checked >= least


@each(ALL)
def test_a_token_cancels_from_another_thread_and_then_every_later_search_at_once(algorithm):
    game, state = usual(algorithm)
    searcher, token = Searcher(game, algorithm), StopToken()
    searcher.search(state, Limits(depth=2, nodes=10_000))  # compiled before the clock runs
    threading.Timer(0.15, token.stop).start()
    begun = time.perf_counter()
    result = searcher.search(state, Limits(seconds=60), stop=token)
    assert time.perf_counter() - begun < 30  # would be 60: it was cancelled, not timed out
    assert token.stopped
    assert not result.complete
    assert result.depth >= 2 or not algorithm.goes_by_depth
    again = searcher.search(state, Limits(seconds=60), stop=token)
    assert again.depth == 0
    assert is_usable(result, game, state) and is_usable(again, game, state)


@pytest.mark.parametrize(
    ("algorithm", "least"), [(DoubleOracleBounds(), 3), (PrincipalVariation(), 5), (MonteCarlo(), 5)], ids=str
)
def test_a_deadline_ends_the_search_with_the_last_finished_depth(algorithm, least):
    game, state = usual(algorithm)
    searcher, seen = Searcher(game, algorithm), []
    searcher.search(state, Limits(nodes=100))  # what is compiled is loaded before the clock runs
    searcher.memory.clear()
    result = searcher.search(state, Limits(seconds=0.1), on_iteration=seen.append)
    assert tuple(seen) == result.iterations
    assert [i.depth for i in seen] == list(range(1, result.depth + 1))
    assert result.depth >= least
    assert not result.complete


WHOLE = {
    BackwardInduction(table=False): 1 + 16 + 144 + 1296,  # nobody can crash within three rounds here
    PrincipalVariation(alpha_beta=False, table=False, winning_actions=False): 1 + 7 + 49 + 343,
}


@each([*WHOLE, *DEEPENING])
def test_a_depth_limit_alone_searches_just_that_depth_with_a_line_as_long(algorithm):
    game, state = usual(algorithm)
    result = search(game, state, algorithm, Limits(depth=3))
    assert (result.depth, result.complete, result.exact) == (3, True, False)
    assert result.bounds == (-1.0, 1.0)
    assert is_usable(result, game, state)
    assert len(result.principal_variation) == 3
    assert result.statistics.nodes == WHOLE.get(algorithm, result.statistics.nodes)


@each(ALL)
def test_a_finished_game_is_worth_its_result(algorithm):
    game, state = usual(algorithm)
    while game.current_player(state) != TERMINAL:
        state = after_one_step(game, state)[-1]
    result = search(game, state, algorithm)
    assert result.exact
    assert result.value == game.returns(state)
    assert result.strategies == ({}, {})


WIN = ["xx0", "x...", "x...", "xxxxxxx.", "xxxxx1x.", "xxxx..", *[""] * 10]
"""Player 1 is walled in after its next move; player 0 has room for several."""


@each([*DEEPENING, SerialisedAlphaBeta(first=1)])
@pytest.mark.parametrize("swap", [False, True])
def test_deepening_ends_where_the_game_is_solved_which_is_a_win_in_one_for_either_player(algorithm, swap):
    field, seen = [row.ljust(RIDERS.width, "x") for row in WIN], []
    if swap:
        field = [row.translate(str.maketrans("01", "10")) for row in field]
    state = RIDERS.from_field(field)
    result = search(RIDERS, state, algorithm, Limits(seconds=20), on_iteration=seen.append)
    assert [i.depth for i in seen] == list(range(1, len(seen) + 1))
    assert (result.exact, result.complete) == (True, True)
    assert result.bounds == (result.value, result.value)
    assert result.value == (-1.0 if swap else 1.0)


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


@pytest.mark.parametrize(
    "ask",
    [
        lambda: solve(Goofspiel),
        lambda: solve_cycles(Goofspiel),
        lambda: cfr_plus(Goofspiel, 10),
        lambda: search(Goofspiel, CARDS.initial_state(), SaddlePruning()),
    ],
)
def test_the_class_of_a_game_in_place_of_a_game_is_refused_in_one_sentence(ask):
    with pytest.raises(TypeError, match="Goofspiel is no game: pass an instance"):
        ask()


@pytest.mark.parametrize("size", [1e-280, 1e300])
def test_results_as_small_or_large_as_may_be_are_computed_with(size):
    game = game_of_matrix([[size, 0], [0, size]])
    assert solve(game).value == pytest.approx(size / 2, abs=0, rel=1e-9)
    found = search(game, game.initial_state(), RegretMatchingTree(), Limits(nodes=20_000))
    assert found.value == pytest.approx(size / 2, abs=0, rel=0.1)


LONG = WrittenTurns("; ".join([*(f"{k % 2} {k + 1}" for k in range(405)), "end 1", "end -1"]), 405)
"""405 moves in turn, each the only one; then player 0 has won."""


@pytest.mark.parametrize("algorithm", [PrincipalVariation(), ProofNumber()], ids=lambda a: a.name)
def test_a_search_that_cannot_follow_a_line_to_its_end_says_so_and_is_not_complete(algorithm, capsys):
    for limits in (Limits(), Limits(depth=405)):
        found = search(LONG, LONG.initial_state(), algorithm, limits)
        assert (found.complete, found.exact, found.bounds) == (False, False, (-1, 1))
    assert (
        "follows a line for 256 moves, as many as it has memory for, and written_turns may last 405"
        in capsys.readouterr().err
    )
    found = search(LONG, Place(405 - 256), algorithm)
    assert (found.complete, found.exact, found.value) == (True, True, 1)
    assert "follows a line" not in capsys.readouterr().err


@pytest.mark.skipif(
    not Path("/proc/self/statm").is_file(), reason="the system does not tell how much memory is in use"
)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_memory_of_one_search_follows_its_limit_of_nodes(name):
    """A thousand nodes need some 100 kB; the tables and trees of the settings are 16 to 64 MB."""
    algorithm = ALGORITHMS[name]()
    game = BOARD if algorithm.turns_only else CARDS
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


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seconds": math.nan}, "seconds must be above 0, not nan"),
        ({"nodes": 0}, "nodes must be 1 or more, not 0"),
        ({"depth": -1}, "depth must be 0 or more, not -1"),
        ({"nodes": 1.5}, "nodes must be a whole number, not 1.5"),
    ],
)
def test_what_is_no_limit_is_refused(given, told):
    with pytest.raises(ValueError, match=told):
        Limits(**given)
