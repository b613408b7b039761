"""Ratings are the maximum of Davidson's likelihood, with honest error bars, and say what they cannot know."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize

from helpers.result_tables import Result, outcome_shares, table_of, table_of_scores
from helpers.sizes import scaled
from saddlepoint.arena.statistics.paired import Score, elo_of_score
from saddlepoint.arena.statistics.ratings import PairOutcomes, Ratings, _likelihood, fit, rate, separated_rows

LEAGUE = {
    ("ann", "bob"): Score(30, 11, 19),
    ("bob", "ann"): Score(22, 8, 30),
    ("bob", "cid"): Score(40, 5, 15),
    ("cid", "ann"): Score(17, 20, 23),
    ("dan", "cid"): Score(9, 2, 31),
    ("dan", "ann"): Score(3, 4, 20),
}


def by_brute_force(scores: dict[tuple[str, str], Score]) -> tuple[dict[str, float], float]:
    """Ratings of mean 0, and nu, from Davidson's probabilities as they stand in his paper."""
    names = sorted({name for meeting in scores for name in meeting})

    def negative(parameters) -> float:
        strengths, nu = dict(zip(names, np.exp(parameters[:-1]))), math.exp(parameters[-1])
        total = 0.0
        for (first, second), score in scores.items():
            a, b = strengths[first], strengths[second]
            whole = a + b + nu * math.sqrt(a * b)
            total += score.wins * math.log(a / whole) + score.losses * math.log(b / whole)
            total += score.draws * math.log(nu * math.sqrt(a * b) / whole)
        return -total + float(parameters[:-1].sum() ** 2)

    found = minimize(negative, np.zeros(len(names) + 1), method="BFGS", options={"gtol": 1e-7}).x
    nu = math.exp(found[-1])
    unit = 400 / math.log(10) * 2 / (2 + nu)
    return dict(zip(names, found[:-1] * unit)), nu


def ratings_of(found: Ratings) -> dict[str, float]:
    return {row.player: row.elo for row in found.rows}


def expected_score(found: Ratings, player: str, opponent: str) -> float:
    """The mean points that Davidson's model gives a player."""
    half = found.difference(player, opponent)[0] / (400 / math.log(10) * 2 / (2 + found.tie)) / 2
    return (math.exp(half) + found.tie / 2) / (math.exp(half) + found.tie + math.exp(-half))


def test_ratings_maximise_davidsons_likelihood() -> None:
    ratings, nu = by_brute_force(LEAGUE)
    found = rate(table_of_scores(LEAGUE))
    assert ratings_of(found) == pytest.approx(ratings, abs=0.02)
    assert found.tie == pytest.approx(nu, abs=1e-3)
    assert found.notes == ()


def test_two_players_without_draws_differ_by_the_elo_of_their_score() -> None:
    found = rate(table_of_scores({("ann", "bob"): Score(63, 0, 37)}), anchor=("bob", 1500.0))
    assert found["ann"].elo - 1500 == pytest.approx(elo_of_score(0.63))
    assert (found["bob"].elo, found["bob"].error, found.tie) == (1500, 0, 0)
    # The variance of a log odds ratio is 1 / wins + 1 / losses.
    assert found["ann"].error == pytest.approx(400 / math.log(10) * math.sqrt(1 / 63 + 1 / 37))
    assert found.difference("ann", "bob") == pytest.approx((elo_of_score(0.63), found["ann"].error))


def test_near_equality_a_difference_means_the_score_that_it_means_on_elos_curve() -> None:
    found = rate(table_of_scores({("ann", "bob"): Score(210, 600, 190)}))
    assert found["ann"].elo - found["bob"].elo == pytest.approx(elo_of_score(0.51), rel=1e-3)
    assert expected_score(found, "ann", "bob") == pytest.approx(0.51)
    assert found.tie / (2 + found.tie) == pytest.approx(0.6, abs=1e-3)


scores = st.builds(Score, st.integers(1, 30), st.integers(0, 30), st.integers(1, 30))


@settings(max_examples=scaled(30), deadline=None)
@given(st.lists(scores, min_size=6, max_size=6), st.permutations("wxyz"))
def test_names_and_order_do_not_matter(played: list[Score], names: list[str]) -> None:
    meetings = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 1)]
    plain = rate(table_of_scores({("abcd"[i], "abcd"[j]): s for (i, j), s in zip(meetings, played)}))
    renamed = {(names[i], names[j]): s for (i, j), s in reversed(list(zip(meetings, played)))}
    other = rate(table_of_scores(renamed))
    for was, now in zip("abcd", names):
        assert other[now].elo == pytest.approx(plain[was].elo, abs=1e-5)
        assert other[now].error == pytest.approx(plain[was].error, abs=1e-5)


@settings(max_examples=scaled(20), deadline=None)
@given(st.lists(scores, min_size=3, max_size=3), st.floats(-3000, 3000))
def test_an_anchor_moves_all_ratings_and_no_difference(played: list[Score], elo: float) -> None:
    table = table_of_scores(dict(zip([("a", "b"), ("b", "c"), ("c", "a")], played)))
    free, held = rate(table), rate(table, anchor=("b", elo))
    assert sum(row.elo for row in free.rows) == pytest.approx(0, abs=1e-6)
    assert held["b"].elo == pytest.approx(elo)
    for player, opponent in [("a", "b"), ("a", "c"), ("c", "b")]:
        assert held.difference(player, opponent) == pytest.approx(free.difference(player, opponent), abs=1e-5)


def simulated(strengths: dict[str, float], pairs: int, seed: int, together: float = 0.0) -> list[Result]:
    """A round robin; with probability `together` the second game of a pair repeats the first one's result."""
    rng = np.random.default_rng(seed)
    results: list[Result] = []
    names = list(strengths)
    for number, a in enumerate(names):
        for b in names[number + 1 :]:
            for pair in range(pairs):
                shares = outcome_shares(strengths[a] - strengths[b], 0.5)
                points = rng.choice([0.0, 0.5, 1.0], size=2, p=shares)
                if rng.random() < together:
                    points[1] = points[0]
                results += [Result(a, b, points[0], pair), Result(b, a, 1 - points[1], pair)]
    return results


TRUE = {"ann": 150.0, "bob": 40.0, "cid": -30.0, "dan": -160.0}
_UNIT = 2 / 2.5  # of Elo without draws, at nu = 0.5


def test_true_strengths_are_found_and_lie_in_the_intervals() -> None:
    found = rate(table_of(simulated(TRUE, 2000, seed=4)))
    assert found.tie == pytest.approx(0.5, abs=0.05)
    for player, strength in TRUE.items():
        assert found[player].elo == pytest.approx(strength * _UNIT, abs=10)
        assert found[player].low < strength * _UNIT < found[player].high


@pytest.mark.slow
def test_of_many_leagues_95_in_100_intervals_hold_the_truth() -> None:
    held = [
        found[player].low < strength * _UNIT < found[player].high
        for seed in range(150)
        for found in [rate(table_of(simulated(TRUE, 30, seed)))]
        for player, strength in TRUE.items()
    ]
    assert 0.91 < np.mean(held) < 0.985


def test_bootstrap_and_information_agree_where_games_are_independent() -> None:
    for row in rate(table_of(simulated(TRUE, 300, seed=5)), resamples=400, seed=1).rows:
        assert row.resampled[1] - row.resampled[0] == pytest.approx(row.high - row.low, rel=0.15)
        assert row.resampled == pytest.approx((row.low, row.high), abs=4)


def test_only_the_bootstrap_sees_that_games_of_a_pair_depend_on_each_other() -> None:
    for row in rate(table_of(simulated(TRUE, 300, 6, together=1.0)), resamples=400, seed=1).rows:
        assert (row.resampled[1] - row.resampled[0]) / (row.high - row.low) == pytest.approx(
            math.sqrt(2), rel=0.15
        )


def test_who_won_everything_is_above_all_others_and_in_every_resample() -> None:
    scores = {("ann", "bob"): Score(5, 2, 5), ("bob", "cid"): Score(4, 2, 6), ("top", "ann"): Score(20, 0, 0)}
    found = rate(table_of_scores(scores), resamples=30)
    top = found.rows[0]
    assert (top.player, top.high, top.resampled[1] if top.resampled else 0) == ("top", math.inf, math.inf)
    assert top.low > found["ann"].elo
    # Ten wins are ten wins in every resample; that does not make the rating certain.
    ten = rate(table_of_scores({("ann", "bob"): Score(10, 0, 0)}), resamples=10)["ann"]
    assert ten.resampled == (ten.low, ten.high) == (pytest.approx(18, abs=1), math.inf)


@pytest.mark.parametrize(
    ("scores", "unbounded", "notes"),
    [
        (
            {("ann", "bob"): Score(5, 2, 5), ("bob", "cid"): Score(4, 2, 6), ("top", "ann"): Score(20, 0, 0)},
            {("top", "high")},
            ("The results set no upper bound to the rating of top.",),
        ),
        (
            {("ann", "bob"): Score(5, 2, 5), ("low", "ann"): Score(0, 0, 9)},
            {("low", "low")},
            ("The results set no lower bound to the rating of low.",),
        ),
        ({("ann", "bob"): Score(30, 1, 0)}, set(), ()),
    ],
    ids=["who won everything", "who lost everything", "one draw is a bound"],
)
def test_a_rating_has_no_bound_where_the_results_set_none(
    scores: dict[tuple[str, str], Score], unbounded: set[tuple[str, str]], notes: tuple[str, ...]
) -> None:
    found = rate(table_of_scores(scores), anchor=("bob", 0))
    ends = {
        (row.player, end) for row in found.rows for end in ("low", "high") if math.isinf(getattr(row, end))
    }
    assert ends == unbounded
    assert all(math.isfinite(row.elo) for row in found.rows)
    assert found.notes == notes


def test_draws_alone_make_players_equal_and_not_certain() -> None:
    for row in rate(table_of_scores({("ann", "bob"): Score(0, 20, 0)}), resamples=20).rows:
        assert row.elo == pytest.approx(0, abs=1e-6)
        assert row.low < -1 < 1 < row.high
        assert row.resampled == pytest.approx((row.low, row.high))


def test_groups_that_never_met_are_told_apart() -> None:
    scores = {("ann", "bob"): Score(5, 2, 5), ("cid", "ann"): Score(4, 2, 6), ("eve", "fay"): Score(3, 0, 1)}
    found = rate(table_of_scores(scores, players=["gus"]), anchor=("eve", 700.0))
    assert [(row.player, row.group) for row in found.rows][3:] == [("eve", 1), ("fay", 1), ("gus", 2)]
    assert {row.group for row in found.rows[:3]} == {0}
    assert sum(row.elo for row in found.rows[:3]) == pytest.approx(0, abs=1e-6)
    assert found["eve"].elo == 700
    assert (found["gus"].low, found["gus"].high) == (-math.inf, math.inf)
    assert "ann" in found.notes[0]
    assert found.notes[0].startswith("No games connect these groups")
    with pytest.raises(ValueError, match=r"^no results connect 'ann' and 'eve'$"):
        found.difference("ann", "eve")


def test_a_pairing_without_a_game_that_counts_connects_nobody() -> None:
    found = rate(table_of_scores({("ann", "bob"): Score(3, 1, 2), ("bob", "cid"): Score()}), resamples=5)
    assert [(row.player, row.games, row.group) for row in found.rows] == [
        ("ann", 6, 0),
        ("bob", 6, 0),
        ("cid", 0, 1),
    ]


def test_without_results_nobody_is_rated() -> None:
    assert rate(table_of([])).rows == ()


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        (("zoe", 0), "^the anchor is a player of the results, and 'zoe' is none$"),
        (("ann", math.inf), "^an anchor's rating is a number of Elo points, not inf$"),
        (("ann", 0), "^there is no player 'zoe' in the ratings$"),
    ],
)
def test_wrong_names_are_told(anchor: tuple[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rate(table_of_scores(LEAGUE), anchor=anchor).difference("zoe", "ann")


def test_tables_from_games_and_from_scores_agree() -> None:
    games = [
        Result("b", "a", 1.0, 1),
        Result("a", "b", 0.5, 1),
        Result("a", "b", 1.0),
        Result("b", "a", 0.0, 2),
    ]
    table = table_of(games)
    assert [(found.games, found.points) for found in (table.paired("a", "b"), table.paired("b", "a"))] == [
        (4, 2.5),
        (4, 1.5),
    ]
    assert table.paired("a", "b").cells == (0, 1, 0, 0, 0)
    assert table.paired("b", "a").swapped == table.paired("a", "b")
    assert table.paired("a", "b").singles == Score(2, 0, 0)
    single = table_of_scores({("a", "b"): Score(1, 1, 0), ("b", "a"): Score(1, 0, 1)})
    assert ratings_of(rate(single)) == pytest.approx(ratings_of(rate(table)))


# -- Davidson's model ----------------------------------------------------------------------------------------------------

# Rows a-b, b-c, a-c.
TRIANGLE = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0], [1.0, 0.0, -1.0]])


def rows_of(*outcomes: tuple[float, float, float]) -> list[bool]:
    """Which rows are separated, the first ones of the triangle."""
    found = np.array(outcomes, dtype=float)
    return separated_rows(TRIANGLE[: len(found)], found, bool(found[:, 1].any())).tolist()


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([(3, 0, 0)], [True]),
        ([(0, 0, 3)], [True]),
        ([(3, 0, 1)], [False]),
        ([(3, 1, 1)], [False]),
        ([(0, 3, 0)], [True]),  # draws alone: the share of draws has no upper bound
        ([(3, 1, 0)], [True]),
        ([(0, 1, 3)], [True]),
        (
            [(3, 1, 0), (2, 1, 2)],
            [False, False],
        ),  # a meeting with all three holds the share of draws, and that the gap
        ([(3, 0, 0), (2, 0, 2)], [True, False]),
        ([(3, 0, 0), (0, 0, 3), (1, 0, 1)], [True, True, False]),
        ([(3, 0, 0), (3, 0, 0), (0, 0, 3)], [False, False, False]),  # a cycle
        (
            [(3, 2, 0), (0, 2, 3), (1, 0, 1)],
            [False, False, False],
        ),  # a meeting without draws bounds their share
        (
            [(3, 2, 0), (3, 2, 0), (3, 2, 0)],
            [False, False, False],
        ),  # a gap that grows with the share cannot be twice itself
    ],
)
def test_results_without_likeliest_strengths(
    outcomes: list[tuple[float, float, float]], expected: list[bool]
) -> None:
    assert rows_of(*outcomes) == expected


def test_gaps_may_grow_with_the_share_of_draws_around_a_square() -> None:
    # a and c above b and e by as much as draws are likely: nothing bounds it.
    square = np.array(
        [[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0], [0.0, 0.0, 1.0, -1.0], [1.0, 0.0, 0.0, -1.0]]
    )
    won, lost = (3.0, 2.0, 0.0), (0.0, 2.0, 3.0)
    assert separated_rows(square, np.array([won, lost, won, won]), True).all()
    assert not separated_rows(square, np.array([won, won, won, won]), True).any()
    assert not separated_rows(square, np.array([won, lost, won, lost]), True).any()


def test_the_likelihood_is_that_of_the_shares() -> None:
    # With d = ln 4 and nu = 1: win : draw : loss = 2 : 1 : 1/2.
    value, _, _ = _likelihood(
        np.array([[1.0]]), np.array([[3.0, 2.0, 1.0]]), np.array([np.log(4), 0.0]), True
    )
    assert value == pytest.approx(3 * np.log(2 / 3.5) + 2 * np.log(1 / 3.5) + np.log(0.5 / 3.5))


def test_the_fit_is_the_maximum_and_its_covariance_the_inverse_information() -> None:
    games = PairOutcomes(
        np.array([0, 1, 0, 1]),
        np.array([1, 2, 2, 0]),
        np.array([[9.0, 4.0, 3.0], [6.0, 2.0, 5.0], [8.0, 3.0, 4.0], [4.0, 3.0, 8.0]]),
    )
    found = fit(games, np.zeros(3, np.int64))
    assert not found.separated
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
    design = np.zeros((4, 3))
    for row, (i, j) in enumerate(zip(games.i, games.j)):
        design[row, i], design[row, j] = 1, -1
    best = minimize(
        lambda p: -_likelihood(design, games.outcomes, p, True)[0] + p[:3].sum() ** 2,
        np.zeros(4),
        options={"gtol": 1e-8},
    )
    assert found.strengths == pytest.approx(best.x[:3], abs=1e-5)
    assert found.tie == pytest.approx(np.exp(best.x[3]), abs=1e-5)
    # Of every difference that is known the variance is that of the information, whatever the strengths' mean.
    information = _likelihood(design, games.outcomes, np.array([*found.strengths, np.log(found.tie)]), True)[
        2
    ]
    inverse = np.linalg.pinv(information)
    for contrast in ([1, -1, 0, 0], [0, 1, -1, 0], [0, 0, 0, 1]):
        vector = np.array(contrast, dtype=float)
        assert vector @ found.covariance @ vector == pytest.approx(vector @ inverse @ vector, rel=1e-6)


def test_half_a_win_and_half_a_loss_are_added_only_where_results_are_separated() -> None:
    games = PairOutcomes(np.array([0, 1]), np.array([1, 2]), np.array([[10.0, 0.0, 0.0], [6.0, 0.0, 4.0]]))
    found = fit(games, np.zeros(3, np.int64))
    assert found.separated
    assert found.strengths[0] - found.strengths[1] == pytest.approx(np.log(10.5 / 0.5), abs=1e-8)
    assert found.strengths[1] - found.strengths[2] == pytest.approx(np.log(6 / 4), abs=1e-8)
    assert found.tie == 0.0
