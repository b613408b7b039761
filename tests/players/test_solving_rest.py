"""`best` of a game that is too large to be solved beforehand plays the rest from its solution, once that fits the time of a move."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint.algorithms import Limits, SaddlePruning, StopToken
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.soccer import Soccer
from saddlepoint.matrix import solve_matrix
from saddlepoint.play.game import play_game
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS, Clock
from saddlepoint.players.searching import SearchPlayer
from saddlepoint.players.solving import SolveRest, against_tremble
from saddlepoint.solvers.beforehand import solve_rest
from saddlepoint.solvers.general import Solution, Stage
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain

FOUR = Goofspiel(4)
WHOLE = Solution.of(solve_positions(FOUR))
MATRICES = st.integers(1, 4).flatmap(
    lambda m: st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(-9, 9), min_size=n, max_size=n), min_size=m, max_size=m)
    )
)


def stage_of(matrix):
    cells = np.array(matrix, float)
    return Stage(
        0.0, tuple(dict.fromkeys(range(size), 0.0) for size in cells.shape), tuple(map(tuple, cells.tolist()))
    )


def player_with(plan, game, seat=0, **options):
    player = SearchPlayer(SaddlePruning(), plans=[plan], choice="mixture", **options)
    player.begin(game, seat, 1)
    return player


def answer_of(player, state, clock=ENDLESS):
    return Answer.of(player.choose(state, clock)).findings


def first_prize(game):
    return game.advance(game.initial_state(), 1, -1)


@settings(max_examples=scaled(200), deadline=None)
@given(MATRICES, st.sampled_from([0.1, 0.35, 0.9]), st.sampled_from([0, 1]))
def test_nobody_gets_more_against_one_who_trembles(matrix, tremble, player):
    """Of all mixtures none is worth more against the worst that a trembling opponent can do; without a tremble that is the equilibrium."""
    cells = np.array(matrix, float) if player == 0 else -np.array(matrix, float).T

    def worst(mixture):
        return ((1 - tremble) * mixture @ cells).min() + tremble * (mixture @ cells).mean()

    mine = np.array(list(against_tremble(stage_of(matrix), player, tremble).values()))
    assert mine.sum() == pytest.approx(1) and mine.min() >= 0
    others = [*np.eye(len(cells)), np.full(len(cells), 1 / len(cells)), solve_matrix(cells).row_strategy]
    assert all(worst(mine) >= worst(other) - 1e-9 for other in others)


@settings(max_examples=scaled(200), deadline=None)
@given(MATRICES, st.sampled_from([0, 1]))
def test_a_tremble_of_nothing_is_an_equilibrium(matrix, player):
    cells, mine = (
        np.array(matrix, float),
        np.array(list(against_tremble(stage_of(matrix), player, 0.0).values())),
    )
    sure = (mine @ cells).min() if player == 0 else (cells @ mine).max()
    assert sure == pytest.approx(solve_matrix(cells).value, abs=1e-9)


@pytest.mark.parametrize("limits", [None, Limits(nodes=100_000), Limits(depth=1, nodes=100_000)])
def test_what_fits_is_played_from_its_solution(limits):
    state = first_prize(FOUR)
    found = answer_of(player_with(SolveRest(), FOUR, limits=limits), state)
    assert found.exact
    assert found.value == pytest.approx(WHOLE.value_of(state), abs=1e-9)
    ours = np.array([found.strategies[0].get(action, 0.0) for action in range(4)])
    assert (ours @ np.array(WHOLE.at(state).matrix)).min() == pytest.approx(found.value, abs=1e-9)


def test_later_moves_of_the_same_game_are_in_the_same_solution():
    plan = SolveRest()
    player = player_with(plan, FOUR, limits=Limits(nodes=100_000))
    state = first_prize(FOUR)
    first = plan._found(player, state, ENDLESS).solution
    later = FOUR.advance(FOUR.advance(state, 0, 3), 0, -1)
    assert plan._found(player, later, ENDLESS).solution is first
    player.begin(FOUR, 0, 2)
    assert plan._found(player, later, ENDLESS).solution is not first


@pytest.mark.parametrize(
    "options",
    [
        {"limits": Limits(nodes=20)},
        {"limits": Limits(depth=1)},
        {"stop": StopToken()},
        {"clock": Clock(0.004, 0.004)},
    ],
    ids=["few nodes", "a depth alone", "stopped", "no time"],
)
def test_the_search_plays_where_it_does_not_fit(options):
    clock = options.pop("clock", ENDLESS)
    for stop in [options["stop"]] if "stop" in options else []:
        stop.stop()
    player = player_with(plan := SolveRest(), FOUR, **options)
    assert plan.choose(player, first_prize(FOUR), clock) is None


def test_a_game_whose_positions_come_back_has_no_rest():
    game = Soccer()
    assert solve_rest(game, game.initial_state(), 1e9, None, lambda: True) is None


@COMPILED_ONLY
def test_solving_ends_when_it_is_told_to():
    asked = []

    def keep_going():
        asked.append(1)
        return len(asked) < 3

    game = Goofspiel(6)
    assert solve_rest(game, game.initial_state(), 1e9, None, keep_going) is None
    assert len(asked) == 3


def test_what_took_longer_than_expected_is_expected_to_take_longer(monkeypatch):
    asked = []

    def slow(game, state, work, solved, keep_going):
        asked.append(work)
        while keep_going():
            pass

    player = player_with(plan := SolveRest(), FOUR, limits=Limits(seconds=0.02))
    monkeypatch.setattr("saddlepoint.players.solving.solve_rest", slow)
    for _ in range(3):
        assert plan.choose(player, first_prize(FOUR), ENDLESS) is None
    assert asked == pytest.approx([0.012, 0.006, 0.003])


def test_its_mixture_is_what_it_plays_by():
    """`exploit` asks for it: with a limit of nodes the same everywhere, and best against a tremble where it plays so."""
    state = first_prize(FOUR)
    stage = WHOLE.at(state)
    for tremble in (0.0, 0.35):
        for seat in (0, 1):
            player = player_with(plan := SolveRest(tremble), FOUR, seat, limits=Limits(nodes=100_000))
            expected = against_tremble(stage, seat, tremble) if tremble else stage.strategies[seat]
            assert plan.mixture(player, state) == pytest.approx(expected, abs=1e-9)


@pytest.mark.compiles_long
@COMPILED_ONLY
def test_best_of_goofspiel_with_13_cards_solves_the_last_ones():
    game = Goofspiel(13)
    player, other = (make_player(spec, game, Limits(nodes=5_000)) for spec in ("best", "random"))
    assert play_game(game, (player, other), seed=3).result is not None
    late = game.from_text("goofspiel hand0=31 hand1=124 deck=23 prize=3 points=2")
    player.begin(game, 0, 1)
    assert answer_of(player, late).exact
    assert not answer_of(player, first_prize(game)).exact


def test_what_stands_beside_a_search_is_told_by_name():
    """An export, which leaves it out, says so."""
    plans = make_player("best", Goofspiel(13)).plans
    assert [type(plan).__name__ for plan in plans] == ["SolveFirst", "SolveRest"]
