"""The SPRT keeps its error rates, gives the published log-likelihood ratios, and reads its text."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize

from helpers.result_tables import (
    TIES,
    difference_where,
    mean_score,
    normalised,
    outcome_shares,
    pair_shares,
)
from helpers.sizes import scaled
from saddlepoint.arena.statistics.paired import NORMALISED_SCALE, Pentanomial, Score, score_of_elo
from saddlepoint.arena.statistics.sprt import Sprt, logistic_llr, normalised_llr

# Tests of Stockfish on fishtest, as the pull requests of official-stockfish/Stockfish quote them:
# LLR, Elo bounds, Ptnml(0-2).
STOCKFISH = {
    "normalised": [
        (6019, 2.95, (0, 2), (320, 12431, 27275, 12858, 316)),
        (6019, 2.96, (0.5, 2.5), (197, 45541, 117722, 46579, 228)),
        (4194, 2.95, (0, 2), (371, 10263, 24989, 10642, 379)),
        (6036, 2.94, (0, 2), (0, 1236, 4490, 1474, 1)),
        (6036, 2.95, (0.5, 2.5), (4, 2290, 7932, 2562, 4)),
        (6285, 2.94, (-1.75, 0.25), (289, 26459, 62934, 26379, 331)),
        (5960, 2.93, (0, 2), (478, 19228, 42113, 19677, 504)),
    ],
    "logistic": [
        (3098, 2.96, (-0.25, 1.25), (491, 7345, 29693, 7670, 465)),
        (3098, 2.97, (0.25, 1.25), (53, 2220, 21459, 2445, 47)),
        (3209, 2.94, (-0.25, 1.25), (253, 4282, 17604, 4431, 286)),
        (2493, 2.94, (-1, 3), (424, 2948, 5832, 3045, 460)),
        (2493, 2.94, (0, 2), (1284, 17437, 55536, 18085, 1292)),
        (2920, 2.98, (0.25, 1.75), (328, 4564, 15580, 4789, 371)),
    ],
}
# app/tests/sprt_test.cpp of Disservin/fastchess, which asks for 1 %; results worst first.
FASTCHESS = [
    ("normalised", 0.92, (0, 2), (36027, 68692, 36433)),
    ("normalised", 2.30, (-1.75, 0.25), (10650, 20431, 10871)),
    ("logistic", -1.57, (0.5, 2.5), (21184, 40708, 21404)),
    ("logistic", -2.59, (0, 2), (57030, 106593, 57433)),
    ("normalised", 2.25, (0, 2), (365, 16618, 36229, 16974, 390)),
    ("normalised", 3.01, (-1.75, 0.25), (127, 4883, 10712, 5150, 104)),
    ("logistic", -3.07, (0.5, 2.5), (223, 9863, 21279, 10037, 246)),
    ("logistic", -4.98, (0, 2), (871, 26175, 55983, 26678, 821)),
]


@pytest.mark.parametrize(
    ("model", "llr", "bounds", "counts"),
    [(model, *test[1:]) for model, tests in STOCKFISH.items() for test in tests],
)
def test_log_likelihood_ratios_of_fishtest(model: str, llr: float, bounds, counts) -> None:
    assert Sprt(*bounds, model=model).llr(counts) == pytest.approx(llr, abs=0.0051)


@pytest.mark.parametrize(("model", "llr", "bounds", "counts"), FASTCHESS)
def test_log_likelihood_ratios_of_fastchess(model: str, llr: float, bounds, counts) -> None:
    assert Sprt(*bounds, model=model).llr(counts) == pytest.approx(llr, rel=0.01)


def test_a_one_sided_match_is_judged_as_fastchess_does() -> None:
    # Printed by fastchess in heofthetea/dhbw, SPRT.md: 39 pairs, bounds (-2.94, 2.94) [0.00, 20.00].
    test = Sprt(0, 20, model="normalised")
    assert test.llr((0, 0, 2, 0, 37)) == pytest.approx(2.96, abs=0.0051)
    assert test.decide((0, 0, 2, 0, 37)) == "H1"


# --- against an optimiser that knows nothing of the formulas


def _best_likelihood(counts, condition) -> float:
    """The largest log-likelihood under a condition on the distribution, from several starts."""
    counts = np.array(counts, dtype=np.float64)

    def shares(logs):
        weights = np.exp(logs - logs.max())
        return weights / weights.sum()

    def negative(logs):
        return -float(counts @ np.log(shares(logs))) / counts.sum()

    best = -math.inf
    rng = np.random.default_rng(5)
    for attempt in range(4):
        start = np.log(counts / counts.sum()) + attempt * rng.normal(size=len(counts)) / 4
        found = minimize(
            negative,
            start,
            constraints={"type": "eq", "fun": lambda logs: condition(shares(logs))},
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        if abs(condition(shares(found.x))) < 1e-8:
            best = max(best, -found.fun * counts.sum())
    return best


@pytest.mark.parametrize(
    "counts",
    [
        (4, 20, 40, 30, 6),
        (30, 90, 45),
        *(
            pytest.param(counts, marks=pytest.mark.slow)
            for counts in ((1, 2, 3, 4, 80), (1, 1, 2, 1, 37), (1, 5, 20))
        ),
    ],
)
@pytest.mark.parametrize("bounds", [(0, 20), (-50, 150)])
def test_each_hypothesis_has_the_largest_likelihood_it_can_have(counts, bounds) -> None:
    means = [_best_likelihood(counts, lambda p, elo=elo: mean_score(p) - score_of_elo(elo)) for elo in bounds]
    assert Sprt(*bounds).llr(counts) == pytest.approx(means[1] - means[0], rel=1e-3, abs=1e-3)
    ts = [
        _best_likelihood(counts, lambda p, elo=elo: normalised(p) - elo / NORMALISED_SCALE) for elo in bounds
    ]
    assert Sprt(*bounds, model="normalised").llr(counts) == pytest.approx(ts[1] - ts[0], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("ratio", [logistic_llr, normalised_llr])
@pytest.mark.parametrize(
    "rows", [[(4, 20, 40, 30, 6), (1, 2, 3, 4, 80)], [(30, 90, 45), (1, 5, 20), (0, 3, 9), (7, 0, 2)]]
)
def test_many_counts_at_once_have_the_ratios_that_each_has_alone(ratio, rows) -> None:
    together = ratio(rows, -10, 40)
    assert together.shape == (len(rows),)
    assert together == pytest.approx([float(ratio(row, -10, 40)) for row in rows], abs=1e-9)


# --- error rates


def accepted(
    model: str, bounds: tuple[float, float], shares, runs: int, seed: int
) -> tuple[float, float, float]:
    """How often H0 and H1 are accepted, looking after every unit, and after how many units on average."""
    rng = np.random.default_rng(seed)
    lower, upper = Sprt(*bounds).bounds
    ratio = logistic_llr if model == "logistic" else normalised_llr
    counts = np.zeros((runs, len(shares)))
    lengths, verdicts = np.zeros(runs), np.zeros(runs)
    active = np.arange(runs)
    for _ in range(50_000):
        drawn = np.searchsorted(np.cumsum(shares), rng.random(len(active)) * shares.sum(), side="right")
        counts[active, np.minimum(drawn, len(shares) - 1)] += 1
        lengths[active] += 1
        # Far from both bounds, as a cheap normal approximation sees it, the ratio itself need not be known.
        mean = counts[active] @ np.linspace(0, 1, len(shares)) / lengths[active]
        variance = counts[active] @ np.linspace(0, 1, len(shares)) ** 2 / lengths[active] - mean**2 + 1e-9
        if model == "logistic":
            s0, s1 = (np.full(len(active), score_of_elo(elo)) for elo in bounds)
        else:
            deviation = np.sqrt(variance * (len(shares) - 1) / 2)
            s0, s1 = (0.5 + elo / NORMALISED_SCALE * deviation for elo in bounds)
        rough = lengths[active] * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
        near = active[(np.abs(rough) > 1.8) | (lengths[active] < 40)]
        if len(near):
            exact = ratio(counts[near], *bounds)
            verdicts[near] = np.where(exact >= upper, 1, np.where(exact <= lower, -1, 0))
            active = active[verdicts[active] == 0]
        if not len(active):
            break
    assert not len(active)
    return float(np.mean(verdicts < 0)), float(np.mean(verdicts > 0)), float(lengths.mean())


def most(runs: int) -> float:
    """What an error rate of 5 % exceeds in so many runs once in 10,000 times."""
    return 0.05 + 3.72 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize(
    ("model", "tie", "runs"),
    [
        ("logistic", "a third draws", 300),
        *(pytest.param("logistic", tie, 2000, marks=pytest.mark.slow) for tie in TIES),
        pytest.param("normalised", "a third draws", 500, marks=pytest.mark.slow),
    ],
)
def test_wrong_decisions_about_pairs_are_as_rare_as_promised(model: str, tie: str, runs: int) -> None:
    bounds = (0.0, 60.0) if model == "logistic" else (0.0, 90.0)

    def shares(difference: float, nu: float):
        return pair_shares(difference, nu, "favouring a side")

    for seed, truth in enumerate(bounds):
        if model == "logistic":
            difference = difference_where(score_of_elo(truth), mean_score, TIES[tie], shares)
        else:
            difference = difference_where(truth / NORMALISED_SCALE, normalised, TIES[tie], shares)
        rates = accepted(model, bounds, shares(difference, TIES[tie]), runs, seed)
        assert 0.01 < rates[1 - seed] <= most(runs)


@pytest.mark.parametrize(
    ("tie", "runs"),
    [("a third draws", 300), *(pytest.param(tie, 2000, marks=pytest.mark.slow) for tie in TIES)],
)
def test_wrong_decisions_about_single_games_are_as_rare_as_promised(tie: str, runs: int) -> None:
    bounds = (-40.0, 40.0)
    for seed, truth in enumerate(bounds):
        difference = difference_where(score_of_elo(truth), mean_score, TIES[tie], outcome_shares)
        rates = accepted("logistic", bounds, outcome_shares(difference, TIES[tie]), runs, 10 + seed)
        assert 0.01 < rates[1 - seed] <= most(runs)


# --- what counts, and what does not


@pytest.mark.parametrize(
    ("found", "taken"),
    [
        (Pentanomial(singles=Score(30, 20, 25)), (25, 20, 30)),
        (Score(30, 20, 25), (25, 20, 30)),
        (Pentanomial(1, 5, 9, 8, 2, singles=Score(30, 20, 25)), (1, 5, 9, 8, 2)),
        (Pentanomial(0, 0, 0, 0, 1, singles=Score(0, 0, 30)), (0, 0, 0, 0, 1)),
        (Pentanomial(1, singles=Score(30, 0, 0)), (1, 0, 0, 0, 0)),
    ],
)
def test_without_pairs_single_games_count_and_beside_the_first_pair_they_wait(found, taken) -> None:
    assert Sprt(0, 10).llr(found) == Sprt(0, 10).llr(taken)


def test_without_results_nothing_is_decided_and_the_first_pair_already_counts() -> None:
    test = Sprt(0, 10)
    assert (test.llr(Pentanomial()), test.decide(Score())) == (0.0, "continue")
    assert test.llr((1, 0, 0, 0, 0)) < 0 < test.llr((0, 0, 0, 0, 1))


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 1).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 1, alpha=0.01, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


counts_of_pairs = st.tuples(*[st.integers(0, 10_000)] * 5)


@settings(max_examples=scaled(60, 15), deadline=None)
@given(counts_of_pairs, st.floats(-800, 800), st.floats(1, 400), st.sampled_from(["logistic", "normalised"]))
def test_from_the_other_side_the_hypotheses_change_places(
    counts, elo0: float, width: float, model: str
) -> None:
    ratio = Sprt(elo0, elo0 + width, model=model).llr(counts)
    assert math.isfinite(ratio)
    assert Sprt(-elo0 - width, -elo0, model=model).llr(counts[::-1]) == pytest.approx(
        -ratio, rel=1e-4, abs=1e-4
    )


@settings(max_examples=scaled(40, 10), deadline=None)
@given(counts_of_pairs, st.floats(-800, 800), st.floats(1, 400), st.sampled_from(["logistic", "normalised"]))
def test_a_won_pair_speaks_for_h1_and_a_lost_one_for_h0(
    counts, elo0: float, width: float, model: str
) -> None:
    test, (*others, last) = Sprt(elo0, elo0 + width, model=model), counts
    if (
        model == "logistic"
    ):  # a win more also means more variance, which normalised Elo may hold against a player
        assert test.llr((*others, last + 1)) >= test.llr(counts) - 0.01
        assert test.llr((others[0] + 1, *counts[1:])) <= test.llr(counts) + 0.01


def test_text_there_and_back() -> None:
    for test in (Sprt(0, 10), Sprt(0, 1 / 3), Sprt(-1.75, 0.25, 0.01, 0.1, "normalised")):
        assert Sprt.parse(str(test)) == test
    assert str(Sprt.parse("elo0=0 elo1=10")) == "elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic"
    assert Sprt.parse("elo0=0, elo1=5,alpha=0.1") == Sprt(0, 5, 0.1)
    assert Sprt.parse("elo0=0 elo1=5 model=normalized") == Sprt(0, 5, model="normalised")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' has no place in it"),
        ("elo0=0", "elo1 is missing"),
        ("elo0=0 elo1=ten", "elo1=ten is not a number"),
        ("elo0=0 elo1=1 gamma=3", "'gamma=3' has no place"),
        ("elo0=0 elo0=1 elo1=3", "elo0 only once"),
        ("elo0=5 elo1=5", "elo0 below elo1"),
        ("elo0=0 elo1=inf", "both within 2000 of 0"),
        ("elo0=0 elo1=1 alpha=0.7", "alpha of an SPRT lies between 0 and 0.5"),
        ("elo0=0 elo1=1 beta=nan", "beta of an SPRT lies between 0 and 0.5"),
        ("elo0=0 elo1=1 model=glicko", "logistic or normalised, not 'glicko'"),
    ],
)
def test_what_is_no_sprt_is_told_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        Sprt.parse(text)
    assert not str(error.value).endswith(".")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("counts", [(1, 2), (1, 2, 3, 4), (1, -2, 3)])
def test_only_three_or_five_counts_make_sense(counts) -> None:
    with pytest.raises(ValueError, match="3 counts of games or 5 counts of pairs"):
        Sprt(0, 10).llr(counts)
