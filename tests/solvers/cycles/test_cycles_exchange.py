"""Games with cycles whose images are kept once: values, bounds and strategies are those of the whole game."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies

from helpers.sizes import COMPILED_ONLY
from helpers.solution_files import with_values
from helpers.written_games import Written
from saddlepoint import solve
from saddlepoint.compiled import kernel, mix
from saddlepoint.game.base import CHANCE, Symmetry
from saddlepoint.games import OshiZumo, Soccer, Tron
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.interop.table_game import Place
from saddlepoint.solvers.cycles import certificate_of_cycles, check_cycles, solve_cycles
from saddlepoint.solvers.cycles.graph import Explored, doubled
from saddlepoint.solvers.cycles.policies import iterate_policies
from saddlepoint.solvers.cycles.sweeps import Sweeper
from saddlepoint.solvers.general import (
    BrokenSolution,
    Solution,
    SolutionFileError,
    load_solution,
    save_solution,
)

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


@dataclass(frozen=True)
class Sides(Written):
    """Each position stands beside the one with the players exchanged: what player 1 may do here player 0 may do there."""

    name: ClassVar[str] = "sides"

    @kernel
    def canonical(self, state):
        return Place(state.number & ~1), (state.number & 1) == 1

    def symmetries(self, state: Place) -> list[Symmetry]:
        actions = (0, 1) if self.current_player(state) == CHANCE else (0, 1, 2)
        return [Symmetry(Place(state.number ^ 1), actions, actions, True)]


DRAWN = 4
"""Here chance moves."""


def sides(seed: int) -> Sides:
    """Five positions and three results hashed from a seed; joint actions lead anywhere, and may exchange the players too."""
    rows = list[str]()
    for place in range(5):
        numbers = [0, 3] if 2 * place == DRAWN else range(6)
        keys = mix(mix(np.array([seed * 1000 + place * 9 + k + 1 for k in numbers], np.uint64)))
        leads = (2 * (keys % 8) + (keys >> 40 & 1)).astype(np.int64)
        for side in (0, 1):
            if 2 * place == DRAWN:
                rows.append("chance 0.25 {} 0.75 {}".format(*leads ^ side))
            elif side == 0:
                rows.append(f"2x3 {' '.join(map(str, leads))}")
            else:
                rows.append(f"3x2 {' '.join(map(str, leads.reshape(2, 3).T.ravel() ^ 1))}")
    return Sides("; ".join([*rows, *(f"end {sign * (k - 0.5)}" for k in range(3) for sign in (1, -1))]))


@given(strategies.integers(0, 10_000), strategies.sampled_from([0.5, 0.9, 0.99]))
@example(3, 0.9)
@settings(deadline=None, max_examples=25)
def test_folded_and_whole_the_values_are_the_same_and_proven(seed: int, discount: float) -> None:
    game = sides(seed)
    whole = solve_cycles(game, discount=discount)
    folded, by_values = (
        solve_cycles(game, discount=discount, method=method, fold=True) for method in ("policies", "values")
    )
    assert len(folded.solution) <= len(whole.solution)
    for state in whole.solution.states():
        assert folded.solution.value_of(state) == pytest.approx(whole.solution.value_of(state), abs=1e-8)
    assert folded.certificate.worst_gap < 1e-7
    assert folded.certificate.lower - 1e-9 <= whole.solution.value <= folded.certificate.upper + 1e-9
    low, high = by_values.interval or (0.0, 0.0)
    assert low - 1e-12 <= whole.solution.value <= high + 1e-12
    if not chance_leads_to_itself_for_ever(game):
        assert high - low <= 1e-8


def chance_leads_to_itself_for_ever(game: Sides) -> bool:
    """Chance takes no moves, so that such a play, which counts nothing, is not discounted either."""
    return all(game.advance(Place(DRAWN), outcome, 0).number & ~1 == DRAWN for outcome in (0, 1))


@given(strategies.integers(0, 10_000))
@settings(deadline=None, max_examples=25)
def test_without_a_discount_the_bounds_of_both_overlap(seed: int) -> None:
    game = sides(seed)
    whole, folded = solve_cycles(game).certificate, solve_cycles(game, fold=True).certificate
    assert max(whole.lower, folded.lower) <= min(whole.upper, folded.upper) + 1e-9


@given(strategies.integers(0, 10_000), strategies.sampled_from([0, 100]))
@example(
    9282, 0
)  # chance goes round for ever in one place of the doubled graph, which must not keep the others from their values
@example(217, 0)  # ... and of the folded one
@example(4102, 0)  # any number would solve its equations; play without an end is worth 0
@settings(deadline=None, max_examples=25)
def test_a_doubled_graph_has_each_value_twice_the_second_time_with_the_other_sign(
    seed: int, patience: int
) -> None:
    game = sides(seed)
    graph = Explored(game, game.initial_state(), fold=True).graph
    twice = doubled(graph) if graph.exchanges else graph
    one, two = Sweeper(graph), Sweeper(twice)
    short, changed = iterate_policies(one, 0.9, one.filled(0.0), print, patience=patience)
    long, changed_twice = iterate_policies(two, 0.9, two.filled(0.0), print, patience=patience)
    count = len(graph)
    assert max(changed, changed_twice) < 1e-9
    assert long[:count] == pytest.approx(short[:count], abs=1e-9)
    if graph.exchanges:
        assert long[count : 2 * count] == pytest.approx(-short[:count], abs=1e-9)


@COMPILED_ONLY
@pytest.mark.parametrize("game", [Soccer(2, 2), Soccer(3, 2, draw=0.0), Soccer(3, 3, ball="loose")], ids=repr)
@pytest.mark.parametrize("discount", [0.9, 1.0])
def test_soccer_folded_answers_every_position_as_the_whole_one_does(game: Soccer, discount: float) -> None:
    whole, folded = solve_cycles(game, discount=discount), solve_cycles(game, discount=discount, fold=True)
    assert len(folded.solution) < 0.3 * len(whole.solution)
    assert folded.certificate.gap < 1e-6
    exact = 1e-8 if discount < 1 or game.draw else 1e-6
    for state in whole.solution.states():
        assert folded.solution.value_of(state) == pytest.approx(whole.solution.value_of(state), abs=exact)
    reached = set(folded.solution.states())
    assert reached == set(whole.solution.states())
    for state in list(reached)[:: len(reached) // 20]:
        stage = folded.solution.at(state)
        for player in (0, 1):
            if stage.strategies[player]:
                assert sorted(stage.strategies[player]) == game.legal_actions(state, player)
                assert guaranteed(stage.strategies[player], stage.matrix, player) * discount == pytest.approx(
                    stage.value, abs=1e-5
                )


def guaranteed(strategy: dict[int, float], matrix: tuple[tuple[float, ...], ...], player: int) -> float:
    """What a mixture gets in a matrix against the best reply."""
    cells, weights = np.array(matrix), np.array(list(strategy.values()))
    return float((weights @ cells).min() if player == 0 else (cells @ weights).max())


@COMPILED_ONLY
def test_a_folded_file_is_read_and_checked_like_any_other(tmp_path: Path) -> None:
    game = Soccer(2, 2)
    found = solve_cycles(game, discount=0.9, fold=True)
    save_solution(tmp_path / "a.sol", found.solution, found.certificate)
    again, kept = load_solution(tmp_path / "a.sol", find=make_game)
    assert (again.is_folded, again.discount, kept) == (True, 0.9, found.certificate)
    checked = check_cycles(again, kept)
    assert (checked.lower, checked.upper) == pytest.approx((kept.lower, kept.upper), abs=1e-12)
    wrong = again.values.copy()
    wrong[5] += 0.01
    with pytest.raises(BrokenSolution):
        check_cycles(with_values(again, wrong))
    with pytest.raises(BrokenSolution, match="the positions are not those of Soccer"):
        certificate_of_cycles(Solution(game, again.root, again.packing, again.rows, again.order, False, 0.9))


@COMPILED_ONLY
def test_a_game_that_ends_takes_one_sweep_and_has_the_values_of_induction() -> None:
    """Where nothing comes back every position is solved once, after all that it leads to."""
    game = Tron(4, 3)
    found, known = solve_cycles(game, check=False, fold=False), solve(game, fold=False)
    assert found.counts.sweeps == 1 + 1  # and once for the strategies, whose bounds are looked at
    for state in known.states():
        assert found.solution.value_of(state) == known.value_of(state)


@COMPILED_ONLY
def test_with_a_discount_a_decided_position_is_worth_what_is_left_of_its_result(tmp_path: Path) -> None:
    """Oshi-Zumo's bounds tell who wins from some positions on; when the game ends still depends on the moves."""
    game = OshiZumo(coins=6, size=1)
    folded, whole = (
        solve_cycles(game, discount=0.9, check=False, fold=fold).solution for fold in (True, False)
    )
    for state in whole.states():
        assert folded.value_of(state) == pytest.approx(whole.value_of(state), abs=1e-12)
    as_if_folded = Solution(game, whole.root, whole.packing, whole.rows, whole.order, True, 0.9)
    save_solution(tmp_path / "a.sol", as_if_folded, None)
    with pytest.raises(SolutionFileError):
        load_solution(tmp_path / "a.sol", find=make_game)
