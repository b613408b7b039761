"""Figures that cannot be computed are refused in a sentence: no iteration ends in silence."""

import numpy as np
import pytest

from helpers.result_tables import table_of_scores
from saddlepoint.arena.statistics import ratings, sprt
from saddlepoint.arena.statistics.paired import Score
from saddlepoint.arena.statistics.ratings import ConvergenceError, rate
from saddlepoint.arena.statistics.sprt import Sprt

TABLE = table_of_scores({("a", "b"): Score(30, 5, 3), ("b", "c"): Score(9, 1, 2)})


def test_ratings_that_do_not_settle_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(rate(TABLE).rows) == 3
    monkeypatch.setattr(ratings, "_ROUNDS", 1)
    with pytest.raises(ConvergenceError, match="a rating cannot be computed from these results"):
        rate(TABLE)


@pytest.mark.parametrize("model", ["logistic", "normalised"])
def test_a_likelihood_ratio_that_does_not_settle_is_refused(
    monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    test = Sprt(0.0, 10.0, model=model)
    assert np.isfinite(test.llr((5, 20, 100, 40, 9)))
    monkeypatch.setattr(sprt, "_ROUNDS", 1)
    with pytest.raises(ConvergenceError, match="a likelihood ratio"):
        test.llr((5, 20, 100, 40, 9))


@pytest.mark.parametrize("model", ["logistic", "normalised"])
def test_what_is_no_number_is_not_taken_for_an_answer(model: str) -> None:
    ratio = sprt.logistic_llr if model == "logistic" else sprt.normalised_llr
    with np.errstate(all="ignore"), pytest.raises(ConvergenceError):
        ratio([np.nan, 3.0, 5.0], 0.0, 10.0)


def test_lopsided_results_of_millions_of_games_still_have_figures() -> None:
    table = table_of_scores(
        {("a", "b"): Score(3_000_000, 0, 0), ("b", "c"): Score(1, 0, 2_000_000), ("a", "c"): Score(5, 5, 5)}
    )
    assert all(np.isfinite(row.elo) for row in rate(table).rows)
    for model in ("logistic", "normalised"):
        for cells in ((0, 0, 0, 0, 1_000_000), (1_000_000, 0, 0, 0, 0), (0, 0, 1, 0, 0), (1, 0, 0, 0, 1)):
            for bounds in ((0.0, 5.0), (-500.0, 500.0), (1000.0, 2000.0)):
                assert np.isfinite(Sprt(*bounds, model=model).llr(cells))
