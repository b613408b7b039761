"""What a search does about chance: all outcomes, drawn ones, or the quiet one alone, against the definition, for every search."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from helpers.random_trees import MIXED, RandomGame, TurnTree, by_definition
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import (
    SMAB,
    BackwardInduction,
    Battlesnake,
    BoundedInduction,
    DoubleOracle,
    DoubleOracleBounds,
    LightRiders,
    Limits,
    MonteCarlo,
    PrincipalVariation,
    SaddlePruning,
    Searcher,
    SerialisedAlphaBeta,
    search,
)
from saddlepoint.algorithms.chance import searched_game
from saddlepoint.algorithms.table import room_for_outcomes
from saddlepoint.compiled import PLAIN_PYTHON, kernel
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue.searches import make_algorithm

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


@dataclass(frozen=True)
class Drawn(RandomGame):
    """Random trees which draw an outcome themselves: the quiet one, always."""

    name: ClassVar[str] = "drawn"

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0], probabilities[0] = self.quiet_outcome(state), 1.0
        return 1

    @kernel
    def drawn_outcome(self, state, random):
        return self.quiet_outcome(state)


GAME, TURNS = RandomGame(), TurnTree()
STAGES = [
    BackwardInduction(),
    SaddlePruning(),
    SMAB(),
    SMAB(table=False),
    BoundedInduction(),
    DoubleOracle(),
    DoubleOracleBounds(),
]
# In compiled code every search and every game takes seconds to compile.
SEARCHES = STAGES if PLAIN_PYTHON else STAGES[:1]


def positions(count, depth=3):
    """Random trees in which both kinds of nodes and chance occur."""
    return [GAME.initial_state(seed, depth, 2, MIXED, (1, 3, 2)[seed % 3]) for seed in range(count)]


def turn_positions(count, depth=5):
    """Random turn-based trees, a third of whose positions are chance's."""
    return [TURNS.initial_state(seed, depth, 3, 5, (0, 3)[seed % 2]) for seed in range(count)]


@pytest.mark.parametrize("algorithm", SEARCHES, ids=str)
def test_searches_find_the_expectation_and_what_the_quiet_game_is_worth(algorithm):
    expecting, quiet = Searcher(GAME, algorithm), Searcher(GAME, replace(algorithm, chance="quiet"))
    differing, count = 0, scaled(25)
    for state in positions(count):
        left_out = by_definition(GAME, state, quiet=True)
        assert expecting.search(state, Limits()).value == pytest.approx(by_definition(GAME, state), abs=1e-9)
        assert quiet.search(state, Limits()).value == pytest.approx(left_out, abs=1e-9)
        differing += left_out != pytest.approx(by_definition(GAME, state))
    assert differing > count // 5


@COMPILED_ONLY
def test_turn_based_searches_find_them_too():
    for state in turn_positions(25):
        for chance in ("expect", "quiet"):
            found = search(
                TURNS, state, PrincipalVariation(chance=chance, megabytes=0.1, discount=0.0), Limits()
            )
            assert found.value == pytest.approx(by_definition(TURNS, state, chance == "quiet"), abs=1e-9)


def test_monte_carlo_search_plays_the_quiet_game():
    for state in turn_positions(6, 3):
        found = search(TURNS, state, MonteCarlo(chance="quiet", megabytes=0.5), Limits(nodes=20_000), seed=1)
        assert found.value == pytest.approx(by_definition(TURNS, state, quiet=True), abs=1e-9)


def test_serialised_search_of_the_quiet_game_looks_as_deep_as_if_there_were_no_chance():
    for state in positions(12):
        found = search(GAME, state, SerialisedAlphaBeta(chance="quiet"), Limits())
        assert (
            found.value <= by_definition(GAME, state, quiet=True) + 1e-9
        )  # who commits first does not do better
        assert found.complete


@COMPILED_ONLY
@pytest.mark.parametrize("chance", ["sample", "quiet"])
def test_leaving_chance_out_proves_nothing_and_lines_are_of_the_game_itself(chance):
    passed = 0
    for here in positions(25):
        found = search(GAME, here, SerialisedAlphaBeta(chance=chance), Limits(), seed=2)
        if GAME.current_player(here) != TERMINAL:
            assert (found.exact, found.bounds) == (False, (GAME.min_utility, GAME.max_utility))
        assert found.principal_variation
        for joint in found.principal_variation:
            if GAME.current_player(here) == CHANCE:
                passed += 1
                assert chance == "sample" or joint == (GAME.quiet_outcome(here), NO_ACTION)
            here = GAME.next_state(here, *joint)
    assert passed > 1


@COMPILED_ONLY
@pytest.mark.parametrize(
    ("game", "counts"), [(Drawn(), (1, 3)), (GAME, (GAME.max_outcomes,))], ids=["certain", "all"]
)
def test_samples_of_a_certain_outcome_or_of_all_outcomes_are_the_expectation(game, counts):
    for state in positions(20):
        expected = search(game, state, SerialisedAlphaBeta(), Limits()).value
        for count in counts:
            setting = SerialisedAlphaBeta(chance="sample", chance_samples=count)
            assert search(game, state, setting, Limits(), seed=count).value == pytest.approx(
                expected, abs=1e-12
            )


@COMPILED_ONLY
def test_a_sample_is_right_on_average_and_the_same_for_the_same_seed():
    setting = PrincipalVariation(chance="sample", megabytes=0.1, discount=0.0)
    state = next(
        s
        for s in turn_positions(200, 2)
        if TURNS.current_player(s) == CHANCE and len(TURNS.chance_outcomes(s)) == 3
    )
    searcher = Searcher(TURNS, setting)
    values = np.array(
        [searcher.search(state, Limits(), seed=seed, variation=False).value for seed in range(300)]
    )
    error = values.std() / np.sqrt(len(values))
    assert error > 0
    assert abs(values.mean() - by_definition(TURNS, state)) < 5 * error
    assert searcher.search(state, Limits(), seed=7, variation=False).value == values[7]


def test_a_search_of_battlesnake_pays_for_as_many_outcomes_as_it_draws():
    game = Battlesnake(7, 7)
    text = "battlesnake 7x7 round 9\nsnake 0 health 90: 2,3 1,3 0,3\nsnake 1 health 90: 4,3 5,3 6,3\nchance: food 1 sides 0"
    state = game.from_text(text)
    algorithm = SerialisedAlphaBeta(chance="sample", chance_samples=4)
    drawn, again = (searched_game(game, algorithm, 5) for _ in range(2))
    assert room_for_outcomes(drawn) == 16 < room_for_outcomes(game)
    outcomes = dict(drawn.chance_outcomes(state))
    assert 1 < len(outcomes) <= 4
    assert sum(outcomes.values()) == 1.0
    assert set(outcomes) <= set(dict(game.chance_outcomes(state)))
    assert outcomes == dict(again.chance_outcomes(state))


def test_the_quiet_game_of_battlesnake_shares_its_compiled_code():
    game = Battlesnake(7, 7)
    quiet = searched_game(game, SerialisedAlphaBeta(chance="quiet"))
    assert quiet._numba_type_ == game._numba_type_
    assert quiet.max_chance_plies == 0


def test_a_game_without_chance_is_searched_as_it_is():
    game = LightRiders()
    for algorithm in (SerialisedAlphaBeta(chance=chance) for chance in ("sample", "quiet")):
        assert searched_game(game, algorithm) is game
        assert search(game, game.initial_state(), algorithm, Limits(depth=1)).depth == 1


def test_specs_set_it():
    assert make_algorithm(parse_spec("smab(chance=quiet)")) == SMAB(chance="quiet")
    sampling = make_algorithm(parse_spec("alphabeta(chance=sample, chance_samples=2)"))
    assert sampling == SerialisedAlphaBeta(chance="sample", chance_samples=2)
