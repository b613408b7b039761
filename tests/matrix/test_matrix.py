"""Zero-sum matrix games: the solver held to theory, to exact arithmetic and to an independent LP solver."""

import itertools
import math
import secrets
import sys
from fractions import Fraction
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numba import config
from numba.core.runtime import _nrt_python, rtsys
from scipy.optimize import linprog

from saddlepoint import matrix as games
from saddlepoint.matrix import (
    FAILURES,
    lp,
    matrix_nash_conv,
    saddle_points,
    solve_matrix,
    undominated,
    work_size,
)
from saddlepoint.matrix.simplex import _leaving_row, power_of_two_scale

pytestmark = [pytest.mark.plain, pytest.mark.full]

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from matrix_kinds import KINDS, draw  # noqa: E402

from helpers.sizes import COMPILED_ONLY, scaled  # noqa: E402

FIXED_SEED = 20120722
BIASED_RPS = np.array([[0.0, -25.0, 50.0], [25.0, 0.0, -5.0], [-50.0, 5.0, 0.0]])
TOLERANCE = 1e-9

sides = st.integers(1, 6)
integer_matrices = st.tuples(sides, sides).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-4, 4).map(float))
)
float_matrices = st.tuples(sides, sides).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-1e6, 1e6, allow_subnormal=False))
)
matrices = integer_matrices | float_matrices


class Told:
    """What to tell where something is wrong; written then alone, because numpy takes most of a millisecond for one matrix."""

    def __init__(self, *parts):
        self._parts = parts

    def __repr__(self):
        return ", ".join(map(repr, self._parts))


def assert_strategies(x, y, context=""):
    for strategy in (x, y):
        assert (strategy >= 0).all(), context
        assert abs(strategy.sum() - 1) <= 1e-12, context


def assert_equilibrium(matrix, value, x, y, context=""):
    """A gap of at most 1e-9 of the range proves the equilibrium, and the value to the same accuracy.

    A common pay-off taken away from all entries leaves the gap what it is and keeps the rounding of the sums relative to the range.
    """
    assert_strategies(x, y, context)
    moved = matrix - matrix[0, 0]
    low, high, allowed = (x @ moved).min(), (moved @ y).max(), TOLERANCE * np.ptp(matrix)
    assert high - low <= allowed, context
    slack = allowed + 2 * np.spacing(np.abs(matrix).max())
    assert low - slack <= value - matrix[0, 0] <= high + slack, context


def assert_solved(matrix, context=""):
    solution = solve_matrix(matrix)
    assert_equilibrium(matrix, solution.value, solution.row_strategy, solution.column_strategy, context)
    return solution


# --- an exact linear program, and exact answers from it ---


def exact_maximum(objective, equations, levels):
    """Maximise objective · x subject to equations x = levels >= 0, x >= 0 in rational numbers (two phases,
    Bland).

    Returns None if infeasible.
    """
    count, size = len(equations), len(objective)
    table = [
        [Fraction(v) for v in row] + [Fraction(int(i == k)) for k in range(count)] + [Fraction(levels[i])]
        for i, row in enumerate(equations)
    ]
    basis = [size + i for i in range(count)]

    def optimise(costs, allowed):
        while True:
            prices = [costs[b] for b in basis]
            entering = next(
                (
                    j
                    for j in range(allowed)
                    if costs[j] > sum(p * row[j] for p, row in zip(prices, table, strict=True))
                ),
                None,
            )
            if entering is None:
                return sum(p * row[-1] for p, row in zip(prices, table, strict=True))
            rows = [i for i in range(count) if table[i][entering] > 0]
            leaving = min(rows, key=lambda i: (table[i][-1] / table[i][entering], basis[i]))
            exchange(leaving, entering)

    def exchange(leaving, entering):
        head = table[leaving][entering]
        table[leaving] = [v / head for v in table[leaving]]
        for i in range(count):
            if i != leaving and table[i][entering] != 0:
                factor = table[i][entering]
                table[i] = [v - factor * w for v, w in zip(table[i], table[leaving], strict=True)]
        basis[leaving] = entering

    if optimise([Fraction(0)] * size + [Fraction(-1)] * count, size + count) < 0:
        return None
    for i in range(count):
        if basis[i] >= size:
            entering = next((j for j in range(size) if table[i][j] != 0), None)
            if entering is not None:
                exchange(i, entering)
    return optimise([Fraction(c) for c in objective] + [Fraction(0)] * count, size)


def exact_value(matrix):
    """The value of the game as a fraction: 1 / max sum(q) subject to B q <= 1 for B = matrix shifted above
    0."""
    shift = 1 - Fraction(float(matrix.min()))
    m, n = matrix.shape
    equations = [
        [Fraction(float(v)) + shift for v in row] + [Fraction(int(i == k)) for k in range(m)]
        for i, row in enumerate(matrix)
    ]
    return 1 / exact_maximum([1] * n + [0] * m, equations, [1] * m) - shift


def exact_row_window(lower, upper, a, b, alpha, rows, columns):
    """The bound program as printed in Saffidine, Finnsson and Buro (2012), in rational numbers; None if
    infeasible."""
    options = [[Fraction(float(v)) for v in lower[i]] for i in rows if i != a]
    options.append([Fraction(float(alpha))] * lower.shape[1])
    others = [j for j in columns if j != b]
    equations = [
        [option[j] - Fraction(float(upper[a, j])) for option in options] + [-int(j == k) for k in others]
        for j in others
    ]
    equations.append([1] * len(options) + [0] * len(others))
    levels = [0] * len(others) + [1]
    return exact_maximum([option[b] for option in options] + [0] * len(others), equations, levels)


# --- the solver ---


@pytest.mark.parametrize(
    ("matrix", "value", "method"),
    [
        ([[7.0]], 7, "saddle point"),
        ([[3.0, 1.0, 2.0]], 1, "saddle point"),
        ([[3.0], [1.0], [2.0]], 3, "saddle point"),
        (np.zeros((4, 5)), 0, "saddle point"),
        ([[1.0, -1.0], [-1.0, 1.0]], 0, "closed form"),
        ([[256.0, -256.0], [-256.0, 256.0]], 0, "closed form"),
        ([[0.0, 2.0, 0.9], [2.0, 0.0, 0.9]], 0.9, "closed form"),
        ([[0.0, 2.0], [2.0, 0.0], [1.1, 1.1]], 1.1, "closed form"),
        ([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], 0, "closed form"),
        (np.diag([1.0, 2.0, 4.0]), 4 / 7, "closed form"),
        (np.diag([1.0, 2.0, 4.0, 4.0]), 1 / 2, "linear program"),
        (np.eye(64), 1 / 64, "linear program"),
    ],
)
def test_the_value_of_known_games(matrix, value, method):
    solution = assert_solved(np.array(matrix, dtype=float))
    assert abs(solution.value - value) <= 1e-13 * max(1, np.ptp(matrix))
    assert solution.method == method


@pytest.mark.parametrize("matrix", [BIASED_RPS, np.diag([1.0, 2.0, 4.0])], ids=["hands", "diagonal"])
def test_three_by_three_is_solved_in_closed_form_in_whatever_order_the_actions_stand(matrix):
    value = solve_matrix(matrix).value
    for rows in itertools.permutations(range(3)):
        for columns in itertools.permutations(range(3)):
            solution = assert_solved(np.ascontiguousarray(matrix[list(rows)][:, list(columns)]))
            assert solution.method == "closed form"
            assert abs(solution.value - value) <= 1e-13 * np.ptp(matrix)


@pytest.mark.parametrize("span", [1e-290, 0.75, 1.0, 1.5, 2.0, 3.0, math.pi * 2**40, 1e300])
def test_a_power_of_two_brings_the_range_into_1_to_2(span):
    scale = power_of_two_scale(span)
    assert 1 <= span * scale < 2
    assert math.frexp(scale)[0] == 0.5


@pytest.mark.parametrize(
    ("bland", "preferred", "leaving"),
    [(False, 0, 0), (False, 1, 1), (False, 2, 2), (True, 0, 0), (True, 1, 1), (False, -1, 1), (True, -1, 2)],
)
def test_ties_go_to_the_preferred_row_then_to_the_lowest_label_or_the_largest_pivot(
    bland, preferred, leaving
):
    labels = np.array([5.0, 9.0, 3.0, 1.0, 0.0])
    # Three rows reach zero at 2, one later, one never.
    table = np.array([[1.0, 2.0], [2.0, 4.0], [1.5, 3.0], [8.0, 17.0], [-1.0, 0.0]])
    assert _leaving_row(table, 5, 1, 0, labels, bland, preferred, 1e-11) == leaving
    assert _leaving_row(table[3:], 2, 1, 0, labels, bland, 1, 1e-11) == 0
    assert _leaving_row(table[4:], 1, 1, 0, labels, bland, 0, 1e-11) == -1


@pytest.mark.skipif(not config.DISABLE_JIT, reason="what is compiled calls what it was compiled with")
def test_more_digits_are_asked_for_only_where_tiny_pivots_have_spoilt_a_game(monkeypatch):
    asked = []
    fill = lp._fill_low
    monkeypatch.setattr(lp, "_fill_low", lambda *rest: asked.append(1) or fill(*rest))
    rng = np.random.default_rng(FIXED_SEED)
    for _ in range(20):
        assert_solved(rng.integers(-5, 6, size=(4, 5)).astype(float))
        assert_solved(rng.uniform(size=(5, 4)))
    assert not asked
    # Ties that are broken by a hair.
    spoilt = np.array([[0.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, -1.0], [0.0, -1.0, 1.0, 0.0]])
    assert_solved(spoilt + 1e-9 * np.array([[-3, 4, 1, 1], [1, -1, -5, -2], [7, -1, -1, 3]]))
    assert asked == [1]


@pytest.mark.parametrize("size", [3, 8, 33, 64])
def test_degenerate_steps_come_to_an_end(size):
    # Rock, paper, scissors with more hands: every step of the simplex method is degenerate.
    ring = np.zeros((size, size))
    for i in range(size):
        ring[i, (i + 1) % size] = 1.0
        ring[i, (i - 1) % size] = -1.0
    assert abs(assert_solved(ring).value) <= 1e-12


@given(integer_matrices)
@settings(max_examples=scaled(150, 5), deadline=None)
def test_the_value_equals_exact_arithmetic_with_ties(matrix):
    assert abs(solve_matrix(matrix).value - exact_value(matrix)) <= 1e-13 * max(np.ptp(matrix), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_the_value_equals_exact_arithmetic_in_every_kind(kind):
    rng = np.random.default_rng(FIXED_SEED)
    for _ in range(12):
        matrix = draw(rng, kind, 5)
        allowed = TOLERANCE * np.ptp(matrix) + 2 * np.spacing(np.abs(matrix).max())
        assert abs(Fraction(solve_matrix(matrix).value) - exact_value(matrix)) <= allowed, repr(matrix)


both_batches = pytest.mark.parametrize("batch", ["fixed", pytest.param("fresh", marks=pytest.mark.slow)])


def drawn_games(batch, count, often, large):
    """So many games of all kinds, now and then a large one, each with what to tell of it."""
    seed = FIXED_SEED if batch == "fixed" else secrets.randbits(48)
    rng = np.random.default_rng(seed)
    for number, kind in zip(range(count), itertools.cycle(KINDS), strict=False):
        matrix = draw(rng, kind, large if number % often == 0 else 10)
        yield matrix, Told("seed", seed, "game", number, kind, matrix)


@COMPILED_ONLY
@pytest.mark.compiles_long
@both_batches
def test_no_unilateral_gain_in_100000_games(batch):
    """Von Neumann: the value lies between what x guarantees and what y concedes, so a small gap proves
    both."""
    work = np.zeros(work_size(64, 64))
    x, y = np.empty(64), np.empty(64)
    for matrix, context in drawn_games(batch, scaled(50_000, 60), 25, 64):
        m, n = matrix.shape
        value, _ = games.solve(matrix, m, n, x, y, work)
        assert_equilibrium(matrix, value, x[:m], y[:n], context)
    assert work[FAILURES] == 0


def highs_interval(matrix):
    """What HiGHS says the value is, and what its two strategies prove: an interval that must hold the
    value."""
    m, n = matrix.shape
    for method in ("highs", "highs-ds", "highs-ipm"):  # it gives up now and then, its other methods do not
        answer = linprog(
            np.r_[np.zeros(n), 1.0],
            A_ub=np.c_[matrix, -np.ones(m)],
            b_ub=np.zeros(m),
            A_eq=np.r_[np.ones(n), 0.0][None],
            b_eq=[1.0],
            bounds=[(0, None)] * n + [(None, None)],
            method=method,
        )
        if answer.status == 0:
            break
    assert answer.status == 0
    y = np.maximum(answer.x[:n], 0)
    x = np.maximum(-answer.ineqlin.marginals, 0)
    return answer.fun, (x / x.sum() @ matrix).min(), (matrix @ (y / y.sum())).max()


@COMPILED_ONLY
@both_batches
def test_the_value_agrees_with_highs_in_8000_games(batch):
    """HiGHS accepts answers up to 1e-7 from optimal, a hundred times our promise.

    So every matrix is given to HiGHS with entries in [0, 1], and HiGHS' own strategies show how far its value
    can be off: that much, and no more, is added to the 1e-9 held against ours. Where it is nearly nothing,
    which is nearly always, the two values are compared to 1e-9; where it is not, the true value lies in
    HiGHS' interval and so must ours. At least 95 % of the games must be of the first sort for the test to
    mean what it says.
    """
    sharp, count = 0, scaled(4_000, 200)
    for matrix, context in drawn_games(batch, count, 50, 40):
        span = np.ptp(matrix)
        matrix = (matrix - matrix.min()) / (span if span > 0 else 1.0)
        value = solve_matrix(matrix).value
        theirs, low, high = highs_interval(matrix)
        assert low - TOLERANCE <= value <= high + TOLERANCE, context
        doubt = max(high - low, abs(theirs - low), abs(theirs - high))
        assert abs(value - theirs) <= TOLERANCE + doubt, context
        if doubt <= 1e-10:
            sharp += 1
            assert abs(value - theirs) <= TOLERANCE, context
    # Less three standard deviations of that share: few games scatter.
    assert sharp >= 0.95 * count - 3 * math.sqrt(0.95 * 0.05 * count)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-150, 1e-9, 1e9, 1e150, 1e306])
def test_the_solution_does_not_depend_on_the_unit(scale):
    solution = solve_matrix(BIASED_RPS * scale)
    assert abs(solution.value) <= 1e-9 * 50 * scale
    # Entries near 1e-320 carry three digits themselves.
    accuracy = 1e-2 if scale == 1e-320 else 1e-12
    np.testing.assert_allclose(solution.row_strategy, [1 / 16, 10 / 16, 5 / 16], atol=accuracy)


@given(matrices)
@settings(max_examples=scaled(200, 5), deadline=None)
def test_exchanging_the_players_negates_the_value(matrix):
    mirrored = solve_matrix(-matrix.T)
    assert abs(solve_matrix(matrix).value + mirrored.value) <= 2 * TOLERANCE * np.ptp(matrix)


@given(integer_matrices, st.sampled_from([-1000.0, 0.5, 3.0]), st.sampled_from([0.25, 1.0, 512.0]))
@settings(max_examples=scaled(100, 5), deadline=None)
def test_an_affine_change_of_pay_offs_changes_only_the_value(matrix, shift, factor):
    value = solve_matrix(matrix * factor + shift).value
    expected = solve_matrix(matrix).value * factor + shift
    assert abs(value - expected) <= TOLERANCE * factor * max(np.ptp(matrix), 1)


@given(matrices, st.randoms(use_true_random=False))
@settings(max_examples=scaled(100, 5), deadline=None)
def test_the_order_and_number_of_equal_actions_do_not_matter(matrix, random):
    rows = [random.randrange(len(matrix)) for _ in range(3)] + list(range(len(matrix)))
    columns = [random.randrange(matrix.shape[1]) for _ in range(2)] + list(range(matrix.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    larger = assert_solved(np.ascontiguousarray(matrix[rows][:, columns]))
    assert abs(larger.value - solve_matrix(matrix).value) <= 2 * TOLERANCE * np.ptp(matrix)


@given(matrices)
@settings(max_examples=scaled(100, 5), deadline=None)
def test_only_the_used_corner_counts(matrix):
    m, n = matrix.shape
    larger = np.full((m + 2, n + 3), np.nan)
    larger[:m, :n] = matrix
    x, y = np.full(m + 1, 9.0), np.full(n + 1, 9.0)
    work = np.full(work_size(m, n) + 1, 7.0)
    work[FAILURES] = 0.0
    value, _ = games.solve(larger, m, n, x, y, work)
    assert_equilibrium(matrix, value, x[:m], y[:n])
    assert (x[m], y[n], work[-1]) == (9.0, 9.0, 7.0)
    assert games.value_of(larger, m, n, work) == value
    assert (work[-1], work[FAILURES]) == (7.0, 0.0)


# --- saddle points, best responses, dominance ---


@given(matrices)
@example(np.array([[131072.0, 4.005588134082967e-303]]))
@settings(max_examples=scaled(300, 5), deadline=None)
def test_a_saddle_point_is_lowest_of_its_row_and_highest_of_its_column(matrix):
    m, n = matrix.shape
    expected = [
        (i, j)
        for i in range(m)
        for j in range(n)
        if matrix[i, j] == min(matrix[i, k] for k in range(n)) == max(matrix[k, j] for k in range(m))
    ]
    assert saddle_points(matrix) == expected
    found = tuple(games.find_saddle(matrix, m, n))
    solution = solve_matrix(matrix)
    if expected:
        assert found in expected
        assert solution.method == "saddle point"
        assert solution.value == matrix[found]
    else:
        assert found == (-1, -1)
        assert solution.method != "saddle point"


@given(integer_matrices, st.data())
@settings(max_examples=scaled(100, 5), deadline=None)
def test_no_action_answers_better_than_the_best_response(matrix, data):
    m, n = matrix.shape
    x = data.draw(arrays(np.float64, m, elements=st.integers(1, 4).map(float)))
    y = data.draw(arrays(np.float64, n, elements=st.integers(1, 4).map(float)))
    x, y = x / x.sum(), y / y.sum()
    high, i = games.best_response_row(matrix, m, n, y)
    low, j = games.best_response_column(matrix, m, n, x)
    assert abs(high - (matrix @ y).max()) <= 1e-12 and abs(high - matrix[i] @ y) <= 1e-12
    assert abs(low - (x @ matrix).min()) <= 1e-12 and abs(low - x @ matrix[:, j]) <= 1e-12
    assert abs(matrix_nash_conv(matrix, x, y) - (high - low)) <= 1e-12


def test_ties_go_to_the_first_best_response():
    matrix = np.zeros((3, 2))
    assert games.best_response_row(matrix, 3, 2, np.array([0.5, 0.5])) == (0.0, 0)
    assert games.best_response_column(matrix, 3, 2, np.array([0.5, 0.5, 0.0])) == (0.0, 0)


def test_a_pure_profile_of_matching_pennies_can_be_exploited_by_2():
    assert matrix_nash_conv([[1, -1], [-1, 1]], [1, 0], [1, 0]) == 2.0
    assert matrix_nash_conv([[1, -1], [-1, 1]], [0.5, 0.5], [0.5, 0.5]) == 0.0


def dominates(gain, k, i, strict, others=slice(None)):
    """Whether row k is better than row i in all of the other player's actions, or never worse and somewhere better."""
    better, worse = gain[k, others] > gain[i, others], gain[k, others] < gain[i, others]
    return better.all() if strict else better.any() and not worse.any()


def reference_elimination(matrix, strict):
    rows, columns = list(range(len(matrix))), list(range(matrix.shape[1]))
    left = 0
    while left != len(rows) + len(columns):
        left = len(rows) + len(columns)
        for own, other, gain in ((rows, columns, matrix), (columns, rows, -matrix.T)):
            for i in list(own):
                if any(dominates(gain, k, i, strict, other) for k in own if k != i):
                    own.remove(i)
    return rows, columns


@given(integer_matrices, st.booleans())
@settings(max_examples=scaled(300, 5), deadline=None)
def test_elimination_leaves_no_dominated_action_and_keeps_the_value(matrix, strict):
    rows, columns = undominated(matrix, strict)
    reduced = np.ascontiguousarray(matrix[rows][:, columns])
    assert abs(solve_matrix(reduced).value - solve_matrix(matrix).value) <= TOLERANCE * max(np.ptp(matrix), 1)
    for gain in (reduced, -reduced.T):
        for k, i in itertools.permutations(range(len(gain)), 2):
            assert not dominates(gain, k, i, strict)
    assert (rows, columns) == reference_elimination(matrix, strict)


def test_the_rounds_of_elimination_are_counted():
    # The second column goes first, then the second row has lost its use, then the third column.
    matrix = np.array([[1.0, 3.0, 2.0], [0.0, 9.0, 8.0]])
    rows, columns = np.ones(2, dtype=np.uint8), np.ones(3, dtype=np.uint8)
    assert games.eliminate_dominated(matrix, 2, 3, rows, columns, True) == 2
    assert rows.tolist() == [1, 0] and columns.tolist() == [1, 0, 0]


def test_equal_actions_do_not_dominate_each_other():
    assert undominated(np.ones((3, 2)), strict=False) == ([0, 1, 2], [0, 1])
    assert undominated([[1, 0], [1, -1]], strict=True) == ([0], [1])
    assert undominated([[1, 1], [1, 0]], strict=True) == ([0, 1], [0, 1])
    assert undominated([[1, 1], [1, 0]], strict=False) == ([0], [0, 1])


# --- windows of alpha-beta ---


def draw_bounds(rng, style, size=4):
    """Bounds of a matrix of which some cells are searched (P = O), some narrowed, most unknown."""
    m, n = rng.integers(1, size + 1, size=2)
    if style == "integers":
        truth = rng.integers(-2, 3, size=(m, n)).astype(float)
    elif style == "thirds":
        truth = rng.integers(-3, 4, size=(m, n)) / 3.0
    elif style == "hair":
        truth = rng.integers(-1, 2, size=(m, n)) + 1e-9 * rng.integers(-1, 2, size=(m, n))
    else:
        truth = rng.normal(size=(m, n))
    low, high = truth.copy(), truth.copy()
    unknown = rng.uniform(size=(m, n)) < rng.choice([0.0, 0.2, 0.6])
    low[unknown], high[unknown] = -4.0, 4.0
    loose = rng.uniform(size=(m, n)) < rng.choice([0.0, 0.3])
    low[loose] -= 0.5
    high[loose] += 0.25
    a, b = int(rng.integers(m)), int(rng.integers(n))
    rows = np.array(rng.uniform(size=m) < 0.85, dtype=np.uint8)
    columns = np.array(rng.uniform(size=n) < 0.85, dtype=np.uint8)
    rows[a] = columns[b] = 1
    bound = float(rng.choice([-4.0, -1.0, 0.0, 1 / 3, 1.0, 4.0, rng.normal()]))
    return low, high, a, b, bound, rows, columns


def alive(mask):
    return [int(k) for k in np.flatnonzero(mask)]


def row_window(low, high, a, b, bound, rows=None, columns=None):
    """The window of a row where these rows and columns, or all, are not eliminated."""
    m, n = low.shape
    rows = np.ones(m, dtype=np.uint8) if rows is None else rows
    columns = np.ones(n, dtype=np.uint8) if columns is None else columns
    work = np.zeros(work_size(m, n))
    found = games.row_window(low, high, m, n, a, b, bound, rows, columns, work)
    assert work[FAILURES] == 0
    return found


@pytest.mark.compiles_long
@pytest.mark.parametrize("style", ["integers", "thirds", "hair", "normal"])
def test_a_window_is_never_wider_than_the_exact_program_allows(style):
    rng = np.random.default_rng(FIXED_SEED)
    work = np.zeros(work_size(4, 4))
    finite = short = 0
    for _ in range(scaled(400, 150)):
        low, high, a, b, bound, rows, columns = draw_bounds(rng, style)
        m, n = low.shape
        exact = exact_row_window(low, high, a, b, bound, alive(rows), alive(columns))
        found = games.row_window(low, high, m, n, a, b, bound, rows, columns, work)
        mirrored = exact_row_window(-high.T, -low.T, b, a, -bound, alive(columns), alive(rows))
        upper = games.column_window(low, high, m, n, a, b, bound, rows, columns, work)
        for expected, got in ((exact, found), (mirrored, -upper)):
            context = Told(low, high, a, b, bound, rows, columns, expected, got)
            if expected is None:
                assert got == -math.inf, context
            else:
                finite += 1
                assert got <= float(expected) + 8 * 1e-12, context
                # A mixture that has to be met exactly in thirds may be given up, but not more than that.
                if got < float(expected) - 1e-9:
                    short += 1
    assert finite > 100
    assert short <= (0.02 * finite if style in ("thirds", "hair") else 0), (short, finite)
    assert work[FAILURES] == 0


@COMPILED_ONLY
@pytest.mark.compiles_long
@pytest.mark.parametrize("style", ["normal", "tenths", "thirds", "integers"])
def test_a_row_just_matched_by_a_mixture_is_judged_to_within_rounding(style):
    """Rows that equal a mixture of the others but for rounding, or miss it by a hair, on either side."""
    rng = np.random.default_rng(FIXED_SEED)
    given_up = finite = 0
    for _ in range(scaled(300, 150)):
        m, n = int(rng.integers(3, 5)), int(rng.integers(2, 5))
        matrix = (
            rng.normal(size=(m, n)) if style == "normal" else rng.integers(-6, 7, size=(m, n)).astype(float)
        )
        matrix /= {"tenths": 10, "thirds": 3}.get(style, 1)
        a, b = int(rng.integers(m)), int(rng.integers(n))
        weights = rng.integers(0, 4, size=m - 1) + np.eye(m - 1)[0]
        matrix[a] = weights / weights.sum() @ np.delete(matrix, a, axis=0) + rng.choice([0, 0, 1e-12, -1e-12])
        found = row_window(matrix, matrix, a, b, -9.0)
        exact = exact_row_window(matrix, matrix, a, b, -9.0, range(m), range(n))
        if exact is not None:
            finite += 1
            given_up += found == -math.inf
            assert found <= float(exact) + 1e-12, repr(matrix)
        elif found > -math.inf:
            # The mixture misses the row by less than its sums can be computed to.
            relaxed = exact_row_window(matrix, matrix - 1e-14, a, b, -9.0, range(m), range(n))
            assert relaxed is not None and found <= relaxed, repr(matrix)
    assert finite > 100
    assert given_up <= 0.05 * finite


@pytest.mark.compiles_long
def test_below_its_window_a_row_is_dominated_and_above_it_is_not():
    """The meaning of the window: with the cell at its lower end, the others do as well as row a in every
    column."""
    rng = np.random.default_rng(FIXED_SEED)
    seen, count = 0, scaled(600, 100)
    for _ in range(count):
        matrix = rng.normal(size=rng.integers(2, 5, size=2))
        a, b = (int(rng.integers(size)) for size in matrix.shape)
        lower = row_window(matrix, matrix, a, b, -math.inf)
        if lower == -math.inf:
            continue
        seen += 1
        matrix[a, b] = lower - 1e-6
        without = np.delete(matrix, a, axis=0)
        assert solve_matrix(without - matrix[a]).value >= -1e-9
        matrix[a, b] = lower + 1e-6
        assert solve_matrix(without - matrix[a]).value < 0
    assert seen > count // 6


@pytest.mark.compiles_long
def test_unknown_cells_give_the_widest_window():
    low, high = np.full((3, 3), -1.0), np.full((3, 3), 1.0)
    every, alone = np.ones(3, dtype=np.uint8), np.array([1, 0, 0], dtype=np.uint8)
    assert row_window(low, high, 0, 0, -1.0) == -math.inf
    assert row_window(low, high, 0, 0, 1.0) == 1.0
    assert row_window(low, high, 0, 0, 0.25, every, alone) == 0.25
    assert row_window(low, high, 0, 0, -math.inf, alone, every) == -math.inf
    work = np.zeros(work_size(3, 3))
    assert games.column_window(low, high, 3, 3, 0, 0, 1.0, every, every, work) == math.inf


# --- errors and plain Python ---


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([1.0, 2.0], "2 dimensions"),
        (np.zeros((2, 2, 2)), "2 dimensions"),
        (3.0, "2 dimensions"),
        (np.zeros((0, 3)), "at least one row"),
        ([[]], "at least one row"),
        ([[1.0, math.nan]], "finite"),
        ([[1.0, math.inf]], "finite"),
        ([[1.0], [1.0, 2.0]], "rectangular"),
        ([["a"]], "rectangular array of numbers"),
        ([[10**400, 1], [0, 2]], "finite"),
    ],
)
@pytest.mark.parametrize("function", [solve_matrix, saddle_points, undominated])
def test_what_is_not_a_matrix_game_is_refused_in_one_sentence(function, matrix, words):
    with pytest.raises(ValueError, match=words) as caught:
        function(matrix)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("bad", [[1.0], [0.5, 0.4], [1.5, -0.5], [math.nan, 1.0]])
def test_what_is_not_a_strategy_is_refused(bad):
    with pytest.raises(ValueError, match="row strategy"):
        matrix_nash_conv([[1.0, 0.0], [0.0, 1.0]], bad, [1.0, 0.0])
    with pytest.raises(ValueError, match="column strategy"):
        matrix_nash_conv([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], bad)


@numba.njit
def use_everything(matrices, rounds, work, x, y, alive):
    total = 0.0
    n = matrices.shape[1]
    for _ in range(rounds):
        for matrix in matrices:
            total += games.solve(matrix, n, n, x, y, work)[0] + games.value_of(matrix, n, n, work)
            total += games.nash_conv(matrix, n, n, x, y)
            lower = games.row_window(matrix, matrix, n, n, 0, 1, -1.0, alive, alive, work)
            upper = games.column_window(matrix, matrix, n, n, 0, 1, 1.0, alive, alive, work)
            total += (lower > 0.0) + (upper < 0.0)
    return total


@pytest.mark.compiles_long
@pytest.mark.skipif(config.DISABLE_JIT, reason="plain Python always allocates")
def test_a_compiled_search_calls_without_allocating():
    _nrt_python.memsys_enable_stats()
    rng = np.random.default_rng(FIXED_SEED)
    for size in (2, 3, 5):
        matrices = rng.integers(-2, 3, size=(50, size, size)).astype(float)
        arguments = (
            np.zeros(work_size(size, size)),
            np.empty(size),
            np.empty(size),
            np.ones(size, dtype=np.uint8),
        )
        use_everything(matrices, 1, *arguments)
        before = rtsys.get_allocation_stats().alloc
        use_everything(matrices, 1, *arguments)
        once = rtsys.get_allocation_stats().alloc - before
        use_everything(matrices, 20, *arguments)
        # Handing the arrays over costs a few allocations a call, the games inside none.
        assert rtsys.get_allocation_stats().alloc - before - once == once


@given(matrices, st.integers(-323, -280), st.integers(0, 40))
@example(
    np.array(
        [[-8.0, 0, -3, 7, 6], [-1, 1, 2, 7, -9], [0, 3, -1, 8, 9], [6, -1, 7, -8, 3], [-4, -5, 3, 5, 7]]
    ),
    -318,
    0,
)
@example(np.array([[1.0, 0.0], [0.0, 1.0]]), -323, 0)
def test_however_small_the_entries_a_stage_has_a_value_between_them_and_strategies(matrix, power, more):
    """In a game of usual range some stages differ by next to nothing."""
    tiny = matrix * 10.0**power
    tiny[0] *= 10.0**more
    m, n = tiny.shape
    x, y = np.zeros(m), np.zeros(n)
    value, _ = games.solve(tiny, m, n, x, y, np.zeros(work_size(m, n)))
    assert tiny.min() <= value <= tiny.max()
    for strategy in (x, y):
        assert (strategy >= 0).all()
        assert strategy.sum() == pytest.approx(1)


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300, 1e308])
def test_the_extremes_of_floats_are_solved_and_measured_as_well(size):
    matrix = np.array([[size, -size, 0.0], [-size, size, 0.0], [0.0, 0.0, 0.0]])
    solution = solve_matrix(matrix)
    assert solution.value == 0
    assert matrix_nash_conv(matrix, solution.row_strategy, solution.column_strategy) == 0
    assert matrix_nash_conv(matrix, [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]) == size
