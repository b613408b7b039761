"""Games with cycles: values with a closed form or by a second program, what must not be called proven, and images that are kept once."""

import math
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies
from scipy.optimize import linprog

from helpers.sizes import COMPILED_ONLY, scaled
from helpers.solution_files import with_values
from helpers.written_games import Written
from saddlepoint import CHANCE, Game, GameError, OshiZumo, Soccer, Symmetry, Tron, solve
from saddlepoint.compiled import PLAIN_PYTHON, kernel, mix
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.interop.table_game import Place
from saddlepoint.players.base import PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.solving import SolutionPlayer
from saddlepoint.solvers.cycles import certificate_of_cycles, check_cycles, solve_cycles
from saddlepoint.solvers.cycles.graph import Explored, doubled
from saddlepoint.solvers.cycles.policies import iterate_policies
from saddlepoint.solvers.cycles.sweeps import Sweeper
from saddlepoint.solvers.general import (
    BrokenSolution,
    Solution,
    SolutionFileError,
    exact_value,
    load_solution,
    save_solution,
)
from saddlepoint.solvers.general.certificate import SolvedGame

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
SNOWBALL = Written("2x2 0 1 1 2; end 1; end 0")
"""Hide or run, wait or throw (Everett 1957): who runs past the thrown snowball wins; there is no optimal way, only ever better ones."""
STALLING = Written("0 0 1; end -1; end 1")
"""Player 0 may wait for ever, or lose."""


def big_match(stop: float) -> Written:
    """Gillette's Big Match, which stops after each move with a probability and pays what it last was worth.

    Positions 1 and 2 are worth 0 and 1 so far; 3 and 4 are for ever. Player 0's second action ends it.
    """
    return Written(f"2x2 1 2 4 3; chance {stop} 3 {1 - stop} 0; chance {stop} 4 {1 - stop} 0; end 0; end 1")


def drawn(seed: int, places: int = 6, ends: int = 3, columns: int = 2) -> Written:
    """Positions whose joint actions lead anywhere, over and over again, and results -1, 0 and so on."""
    draw = random.Random(seed)
    leads = [[str(draw.randrange(places + ends)) for _ in range(2 * columns)] for _ in range(places)]
    rows = [f"2x{columns} {' '.join(row)}" for row in leads]
    return Written("; ".join([*rows, *(f"end {k - 1}" for k in range(ends))]))


def value_of_matrix(a: float, b: float, c: float, d: float) -> float:
    """Of ((a, b), (c, d)), as every textbook has it."""
    lower, upper = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return lower if lower == upper else (a * d - b * c) / (a + d - b - c)


def iterated(game: Written, discount: float) -> list[float]:
    """A second program: Shapley's value iteration in plain Python, where both have two actions."""
    tables = game.tables()
    values, after = tables.result.tolist(), tables.after.reshape(-1, 4).tolist()
    for _ in range(200):
        values[: len(after)] = [discount * value_of_matrix(*(values[k] for k in row)) for row in after]
    return values


@cache
def soccer(method: str = "policies") -> SolvedGame:
    return solve_cycles(Soccer(2, 2), method=method)


@given(
    strategies.integers(0, 10**6),
    strategies.integers(1, 12),
    strategies.integers(1, 4),
    strategies.sampled_from([0.3, 0.8, 0.9]),
)
@settings(deadline=None, max_examples=scaled(60, 12))
def test_any_graph_has_the_values_and_bounds_of_plain_sweeps(
    seed: int, places: int, ends: int, discount: float
) -> None:
    game = drawn(seed, places, ends)
    found, values = solve_cycles(game, discount=discount), iterated(game, discount)
    for state in found.solution.states():
        assert found.solution.value_of(state) == pytest.approx(values[state.number], abs=1e-8)
    assert found.certificate.lower - 1e-8 <= values[0] <= found.certificate.upper + 1e-8
    assert found.certificate.worst_gap < 1e-8
    low, high = solve_cycles(game, discount=discount, method="values").interval or (0.0, 0.0)
    assert low - 1e-8 <= values[0] <= high + 1e-8
    assert high - low <= 1e-8


@pytest.mark.parametrize("seed", range(6))
def test_without_a_discount_the_bounds_hold_the_values_of_a_second_program(seed: int) -> None:
    found, value = solve_cycles(drawn(seed)), iterated(drawn(seed), 1.0)[0]
    assert found.certificate.lower - 1e-6 <= value <= found.certificate.upper + 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_with_one_player_it_is_the_linear_program_of_a_decision_process(seed: int) -> None:
    game = drawn(seed, columns=1)
    tables = game.tables()
    rows, limits = np.zeros((12, 6)), np.zeros(12)
    for number, after in enumerate(tables.after):
        rows[number, number // 2] -= 1.0
        if after < 6:
            rows[number, after] += 0.9
        limits[number] = -0.9 * tables.result[after]
    exact = linprog(np.ones(6), rows, limits, bounds=(None, None))
    assert solve_cycles(game, discount=0.9).solution.value == pytest.approx(exact.x[0], abs=1e-9)


@pytest.mark.parametrize("discount", [0.5, 0.9, 0.999])
def test_hide_or_run_has_its_closed_form(discount: float) -> None:
    found = solve_cycles(SNOWBALL, discount=discount)
    assert found.solution.value == pytest.approx(1 - math.sqrt(1 - discount), abs=1e-10)
    assert found.certificate.gap < 1e-9


def test_where_no_strategy_is_optimal_nothing_is_called_proven() -> None:
    """The value is 1, which no strategy reaches."""
    found = solve_cycles(SNOWBALL)
    assert found.certificate.gap > 1e-6
    assert 0.99 < found.certificate.lower < 1 <= found.certificate.upper + 1e-12


@pytest.mark.parametrize("stop", [0.5, 0.1, 0.01])
def test_the_big_match_is_worth_a_half_and_ended_with_the_known_probability(stop: float) -> None:
    found = solve_cycles(big_match(stop))
    assert found.solution.value == pytest.approx(0.5, abs=1e-8)
    mixture = found.solution.at(Place(0)).strategies
    assert mixture[0][1] == pytest.approx(stop / (1 + stop), abs=1e-6)
    assert mixture[1][0] == pytest.approx(0.5, abs=1e-6)


def test_endless_play_counts_nothing_and_value_iteration_says_that_it_cannot_tell() -> None:
    found = solve_cycles(STALLING)
    assert (found.certificate.lower, found.certificate.upper) == (0.0, 0.0)
    assert solve_cycles(STALLING, method="values").interval == (-1.0, 0.0)


@COMPILED_ONLY
def test_a_wrong_value_shows_in_the_certificate_which_still_bounds_the_true_one() -> None:
    solution = soccer().solution
    values = solution.values.copy()
    values[::3] *= -0.5
    certificate = certificate_of_cycles(with_values(solution, values))
    assert certificate.worst_gap > 0.01
    assert certificate.lower <= solution.value <= certificate.upper


@COMPILED_ONLY
def test_littmans_soccer_is_fair_and_its_values_solve_the_equations_of_a_second_program() -> None:
    """On his field, with linear programs of SciPy and rules written a second time."""
    field = (2, 2) if PLAIN_PYTHON else (5, 4)
    game = Soccer(*field)
    solution = solve_cycles(game).solution
    assert solution.value == pytest.approx(0.0, abs=1e-9)
    if field == (5, 4):
        assert len(solution) == 1 + 760 + 760 * 25
        assert solution.value_of(game.from_text("...../...b./.A.../..... 0")) == pytest.approx(
            0.21848444, abs=1e-8
        )
    cells = [(x, y) for y in range(field[1]) for x in range(field[0])]
    for number, (a, b) in enumerate((a, b) for a in cells for b in cells if a != b):
        if number % (len(cells) ** 2 // 12) == 0:
            matrix = np.array(
                [[second_soccer(game, solution, a, b, i, j) for j in range(5)] for i in range(5)]
            )
            assert worth(matrix) == pytest.approx(known(game, solution, a, b, 0), abs=1e-9)


def known(game: Soccer, solution: Solution, a: tuple[int, int], b: tuple[int, int], ball: int) -> float:
    return solution.value_of(
        game.initial_state()._replace(
            cell0=a[1] * game.width + a[0], cell1=b[1] * game.width + b[0], ball=ball
        )
    )


def second_soccer(
    game: Soccer, solution: Solution, a: tuple[int, int], b: tuple[int, int], i: int, j: int
) -> float:
    """What a joint step is worth where player 0 has the ball, by Littman's rules written down again."""
    total = 0.0
    for order in ((0, 1), (1, 0)):
        at, ball, result = [a, b], 0, None
        for player in order:
            x, y = at[player]
            dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0), (0, 0))[(i, j)[player]]
            to = (x + dx, y + dy)
            if to == at[1 - player]:
                ball = 1 - player
            elif 0 <= to[0] < game.width and 0 <= to[1] < game.height:
                at[player] = to
            elif (
                ball == player
                and to[0] == (game.width, -1)[player]
                and to[1] in ((game.height - 1) // 2, game.height // 2)
            ):
                result = (1.0, -1.0)[player]
                break
        total += 0.5 * (0.9 * known(game, solution, at[0], at[1], ball) if result is None else result)
    return total


def worth(matrix: Any) -> float:
    """The value of a matrix game by SciPy's linear program."""
    m, n = matrix.shape
    table = np.hstack([-matrix.T, np.ones((n, 1))])
    return -linprog(
        [0.0] * m + [-1.0], table, np.zeros(n), [[1.0] * m + [0.0]], [1.0], [(0, None)] * m + [(None, None)]
    ).fun


@COMPILED_ONLY
def test_a_file_keeps_the_discount_and_says_so_and_a_player_plays_until_the_limit_from_one_without(
    tmp_path: Path,
) -> None:
    game = Soccer(2, 2)
    found = solve_cycles(game, discount=0.9)
    save_solution(tmp_path / "a.sol", found.solution, found.certificate)
    again, kept = load_solution(tmp_path / "a.sol", find=make_game)
    assert (again.discount, kept) == (0.9, found.certificate)
    checked = certificate_of_cycles(again)
    assert (checked.lower, checked.upper) == pytest.approx((kept.lower, kept.upper), abs=1e-12)
    state = game.next_state(game.initial_state(), 0)._replace(moves=game.max_moves - 1)
    assert again.subject == f"{game!r}, without its limit of moves, with the discount 0.9 for each move"
    with pytest.raises(
        ValueError, match=r"with the discount 0.9 for each move, and a match counts results in full"
    ):
        SolutionPlayer(again)
    player = SolutionPlayer(solve_cycles(game).solution)
    assert player.solution.subject == f"{game!r}, without its limit of moves"
    with pytest.raises(PlayerError, match=r"not of Soccer\(width=3"):
        player.begin(Soccer(3, 2), 0, 1)
    player.begin(game, 0, 1)
    assert player.choose(state, Clock(1.0, 1.0)).action in range(5)
    assert again.at(state) == again.at(state._replace(moves=0))
    with pytest.raises(ValueError, match="values of a game with cycles need not be fractions"):
        exact_value(again)


class Timeless(Written):
    clock = "hour"


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        *(
            (SNOWBALL, {"discount": wrong}, "a discount is above 0 and at most 1")
            for wrong in (0.0, -1.0, 1.5, math.nan)
        ),
        (SNOWBALL, {"method": "guess"}, "method must be policies or values"),
        (Timeless(SNOWBALL.rules), {}, "clock must name a whole number of Place"),
    ],
)
def test_what_is_no_discount_method_or_clock_is_refused(
    game: Game, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        solve_cycles(game, **options)
    assert isinstance(refused.value, GameError) == (options == {})


# -- images --------------------------------------------------------------------------------------------------------------


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
