"""The values of alternatives are those that searches find: of each successor, and of the whole position."""

import itertools
import secrets

import numpy as np
import pytest

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, Noise, RandomGame, TurnTree
from helpers.sizes import COMPILED_ONLY, scaled
from helpers.small_games import Guess, Turns
from saddlepoint import (
    CHANCE,
    SIMULTANEOUS,
    BackwardInduction,
    DoubleOracleBounds,
    Limits,
    PrincipalVariation,
    SerialisedAlphaBeta,
    StopToken,
    search,
)
from saddlepoint.algorithms.analysis import Analysis, as_proven, find_alternatives
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.matrix import matrix_nash_conv

pytestmark = [pytest.mark.compiles_long, pytest.mark.plain]

GAME = RandomGame()
FRESH = secrets.randbits(30)


def positions(count, kinds=(ONLY_SIMULTANEOUS, MIXED)):
    depth = 2 if PLAIN_PYTHON else 3
    for seed, (kind, levels) in zip(
        range(FRESH, FRESH + count), itertools.cycle(itertools.product(kinds, (0, 1, 2, 3))), strict=False
    ):
        yield GAME.initial_state(seed, depth, 2 + seed % 3, kind, levels)


def successor_values(game, state, found, algorithm):
    joints = [[(a, b) for b in found.columns] for a in found.rows]
    return [[search(game, game.advance(state, *joint), algorithm).value for joint in row] for row in joints]


def assert_can_be_played(state, line):
    for joint in line:
        state = GAME.advance(state, *joint)


@COMPILED_ONLY
@pytest.mark.parametrize("algorithm", [BackwardInduction(), DoubleOracleBounds()], ids=lambda one: one.name)
def test_an_exact_search_gives_the_exact_games_matrix_value_and_mixtures(algorithm):
    """Against backward induction of the position and of every successor, on random games with turns and chance."""
    for state in positions(scaled(80, 8)):
        found = find_alternatives(GAME, state, algorithm, Limits())
        exact = search(GAME, state, BackwardInduction())
        assert found.value == pytest.approx(exact.value, abs=1e-9)
        values = np.array(successor_values(GAME, state, found, BackwardInduction()))
        assert np.array(found.values).reshape(values.shape) == pytest.approx(values, abs=1e-9)
        assert np.all(found.exact)
        node = GAME.current_player(state)
        assert found.node == node
        if node == SIMULTANEOUS:
            assert matrix_nash_conv(values, *found.mixtures) < 1e-9


@COMPILED_ONLY
def test_at_each_depth_the_value_is_that_of_a_search_to_this_depth():
    """Also where an evaluator stands in for what lies deeper."""
    algorithm = BackwardInduction(Noise())
    for state in positions(scaled(60, 6)):
        for depth in (1, 2, 3):
            found = find_alternatives(GAME, state, algorithm, Limits(depth=depth))
            assert found.finished <= depth
            assert found.value == pytest.approx(
                search(GAME, state, algorithm, Limits(depth=depth)).value, abs=1e-9
            )


@pytest.mark.parametrize("algorithm", [SerialisedAlphaBeta(), PrincipalVariation()], ids=lambda one: one.name)
def test_each_move_of_a_turn_has_its_successors_value(algorithm):
    """The moves of turn-based games, with chance and several moves in a row, and the best of them."""
    game = TurnTree()
    for seed in range(FRESH, FRESH + scaled(100, 6)):
        state = game.initial_state(seed, 3, 3, seed % 3 * 2, 3)
        node = game.current_player(state)
        if node not in (0, 1, CHANCE):
            continue
        found = find_alternatives(game, state, algorithm, Limits())
        values = [value for row in successor_values(game, state, found, BackwardInduction()) for value in row]
        # A solved value with chance may lack what the discount took.
        assert [value for _, value, _ in found.moves] == pytest.approx(values, abs=1e-4)
        if node in (0, 1):
            assert [action for action, _, _ in found.moves] == game.legal_actions(state, node)
            assert found.value == pytest.approx(max(values) if node == 0 else min(values), abs=1e-4)
            best = found.best()[node]
            assert {action: value for action, value, _ in found.moves}[best] == found.value
            for action, value, _ in found.moves:
                assert found.losses()[node][action] == pytest.approx(abs(value - found.value))
            assert found.losses()[1 - node] == {}


def test_outcomes_of_chance_are_alternatives_and_the_value_is_their_mean():
    game = Turns()
    found = find_alternatives(game, game.initial_state(), PrincipalVariation(), Limits())
    assert (found.node, found.rows) == (CHANCE, (0, 1))
    assert found.value == pytest.approx(0.25 * found.values[0][0] + 0.75 * found.values[1][0])
    assert found.best() == (-1, -1)
    assert found.losses() == ({}, {})


def test_what_an_action_gives_away_is_counted_against_the_others_equilibrium_strategy():
    """In a game where the highest number wins, every lower one loses the round; no loss is below 0."""
    game = Guess(size=3, rounds=1)
    found = find_alternatives(game, game.initial_state(), BackwardInduction(), Limits())
    assert found.mixtures == ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    assert found.losses() == ({0: 1.0, 1: 1.0, 2: 0.0}, {0: 1.0, 1: 1.0, 2: 0.0})
    assert found.best() == (2, 2)


def test_cells_are_reported_as_they_become_known_until_a_depth_is_finished():
    """With no pause between reports there is one a cell of the first depth, and one a depth; what was reported stays as it was."""
    game = Guess(size=2, rounds=3)
    reports = []
    last = find_alternatives(
        game,
        game.initial_state(),
        BackwardInduction(table=False),
        Limits(),
        on_update=reports.append,
        interval=0.0,
    )
    assert last == reports[-1]
    first = reports[0]
    assert (first.depth, first.finished, first.value, first.mixtures) == (1, 0, None, None)
    assert sum(value is None for row in first.values for value in row) == 3
    told = [(one.depth, one.finished) for one in reports]
    assert told == sorted(told)
    assert [one for one in told if one[1]] == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize(
    "algorithm", [BackwardInduction(Noise()), DoubleOracleBounds(Noise())], ids=lambda one: one.name
)
def test_value_strategies_and_line_are_those_of_the_values_beside_them(algorithm):
    """At every depth: also where the next one finds something else."""
    for state in positions(scaled(60, 6)):
        reports = []
        find_alternatives(GAME, state, algorithm, Limits(), on_update=reports.append, interval=0.0)
        for found in (one for one in reports if one.finished):
            values = np.array(found.values, dtype=float)
            first = found.line[0]
            if found.is_stage:
                x, y = map(np.array, found.mixtures)
                assert found.value == pytest.approx(float(x @ values @ y), abs=1e-9)
                assert matrix_nash_conv(values, x, y) < 1e-9
                assert x[found.rows.index(first[0])] == max(x)
                assert y[found.columns.index(first[1])] == max(y)
            elif found.node in (0, 1):
                assert found.value == pytest.approx(
                    values.max() if found.node == 0 else values.min(), abs=1e-9
                )
                assert found.after(first) == pytest.approx(found.value, abs=1e-9)
            assert_can_be_played(state, found.line)


@pytest.fixture(scope="module")
def beside_a_proof():
    """Alternatives of depth 1, the proof of a search to the end, what is told of both together, and the exact alternatives."""
    game = Guess(size=3, rounds=3)
    state = game.initial_state()
    found = find_alternatives(
        game, state, BackwardInduction(), Limits(depth=1), on_update=lambda one: None, lines=5
    )
    proof = Analysis(game, state, BackwardInduction(), Limits()).run()
    assert not found.is_proven
    return as_proven(found, proof), proof, find_alternatives(game, state, BackwardInduction(), Limits())


def test_beside_a_proven_value_stands_nothing_that_was_only_estimated(beside_a_proof):
    """A search that proves the value deeper than the alternatives were searched says what of them is known."""
    told, proof, exact = beside_a_proof
    assert (told.value, told.line) == (proof.value, proof.line)
    known = list(zip(itertools.chain(*told.values), itertools.chain(*exact.values), strict=True))
    assert any(one is None for one, _ in known)
    assert all(one == pytest.approx(other) for one, other in known if one is not None)
    assert told.values[2][2] == proof.value, "the highest number is played for certain"


def test_the_first_depth_is_finished_whatever_the_limits_and_nodes_bound_all_searches_together():
    game = Guess(size=3, rounds=4)
    least = find_alternatives(game, game.initial_state(), BackwardInduction(), Limits(nodes=1))
    assert least.finished == 1
    assert least.value is not None
    assert find_alternatives(game, game.initial_state(), BackwardInduction(), Limits(nodes=60)).finished < 4
    assert find_alternatives(game, game.initial_state(), BackwardInduction(), Limits()).finished == 4


def test_a_stop_ends_it_and_a_stopped_one_knows_nothing():
    game = Guess(size=3, rounds=4)
    stop = StopToken()
    stop.stop()
    found = find_alternatives(game, game.initial_state(), BackwardInduction(), Limits(), stop=stop)
    assert (found.finished, found.value, found.mixtures) == (0, None, None)
    assert found.losses() == ({}, {})
    assert found.best() == (-1, -1)


def test_played_actions_that_no_search_looks_at_have_values_too():
    from saddlepoint.games.light_riders import LightRiders

    game = LightRiders(4, 4)
    state = game.next_state(game.initial_state(1, 0), 0, 2)._replace(alive=3)
    action = min(set(game.legal_actions(state, 0)) - set(game.search_actions(state, 0)))
    found = find_alternatives(
        game, state, BackwardInduction(), Limits(depth=2), played=(action, game.search_actions(state, 1)[0])
    )
    assert found.rows[-1] == action
    assert found.losses()[0][action] >= 0.0


def test_a_finished_game_has_no_alternatives():
    game = Guess(rounds=1)
    with pytest.raises(ValueError, match="over"):
        find_alternatives(game, game.next_state(game.initial_state(), 0, 1), BackwardInduction(), Limits())


@pytest.mark.parametrize(
    "algorithm", [BackwardInduction(Noise()), DoubleOracleBounds(Noise())], ids=lambda one: one.name
)
def test_lines_are_the_best_moves_with_their_values_and_can_be_played(algorithm):
    for state in positions(scaled(40, 6)):
        found = find_alternatives(
            GAME, state, algorithm, Limits(), on_update=lambda one: None, interval=0.0, lines=3
        )
        values = np.array(found.values, dtype=float)
        if found.is_stage:
            x, y = map(np.array, found.mixtures)
            against = {
                0: dict(zip(found.rows, values @ y, strict=True)),
                1: dict(zip(found.columns, x @ values, strict=True)),
            }
            shares = {0: dict(zip(found.rows, x, strict=True)), 1: dict(zip(found.columns, y, strict=True))}
        else:  # where chance moves nobody has any
            moves = {action: value for action, value, _ in found.moves}
            against, shares = {found.node: moves} if found.node in (0, 1) else {}, {}
        assert {one.player for one in found.lines} == set(against)
        for player, known in against.items():
            own = [one for one in found.lines if one.player == player]
            assert len(own) == min(3, len(known)) == len({one.action for one in own})
            for one in own:
                assert one.bound is None and one.value == pytest.approx(known[one.action], abs=1e-9)
            if player in shares:
                played = [shares[player][one.action] for one in own]
                assert all(a >= b - 1e-3 for a, b in itertools.pairwise(played)), (
                    "what is played most often first"
                )
            else:
                worth = [one.value if player == 0 else -one.value for one in own]
                best = -min(known.values()) if player else max(known.values())
                assert worth == sorted(worth, reverse=True) and worth[0] == pytest.approx(best)
        for one in found.lines:
            assert one.line[0][one.player] == one.action
            assert_can_be_played(state, one.line)


def test_nobody_who_asks_for_no_lines_pays_for_them():
    for state in positions(4):
        assert (
            find_alternatives(
                GAME, state, BackwardInduction(Noise()), Limits(), on_update=lambda one: None
            ).lines
            == ()
        )
        assert find_alternatives(GAME, state, BackwardInduction(Noise()), Limits(), lines=3).lines == (), (
            "nobody watches"
        )


def test_beside_a_proof_a_line_has_its_proven_value_or_a_bound_that_holds(beside_a_proof):
    told, proof, exact = beside_a_proof
    x, y = (np.array([proof.strategies[player].get(action, 0.0) for action in range(3)]) for player in (0, 1))
    true = {0: np.array(exact.values, float) @ y, 1: x @ np.array(exact.values, float)}
    for one in told.lines:
        worth = true[one.player][one.action]
        assert one.exact == (one.bound is None)
        if one.exact:
            assert one.value == pytest.approx(worth)
        else:
            assert worth <= one.value + 1e-9 if one.bound == "upper" else worth >= one.value - 1e-9
    assert {one.bound for one in told.lines} >= {None, "upper"}, (
        "player 0's best is proven, and the others are bounded"
    )
