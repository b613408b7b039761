"""Cross tables: the cycles in them, certain or only seen, and the Nash average of the players."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.result_tables import table_of_scores
from helpers.sizes import scaled
from saddlepoint.arena.statistics.cross_table import CrossTable, Cycle
from saddlepoint.arena.statistics.paired import Score


def cross_table(scores: dict[tuple[str, str], Score], players: str = "") -> CrossTable:
    return CrossTable.of(table_of_scores(scores, players.split()))


ROSHAMBO = {
    ("rock", "scissors"): Score(80, 0, 20),
    ("scissors", "paper"): Score(80, 0, 20),
    ("paper", "rock"): Score(80, 0, 20),
}


def test_rock_paper_scissors_is_a_certain_cycle_and_an_even_mixture() -> None:
    table = cross_table(ROSHAMBO)
    assert table.cycles() == [Cycle(("paper", "rock", "scissors"), certain=True)]
    mixture = table.mixture()
    assert mixture.shares == pytest.approx({"paper": 1 / 3, "rock": 1 / 3, "scissors": 1 / 3})
    assert mixture.value == pytest.approx(0.5)
    assert mixture.results == pytest.approx({"paper": 0.5, "rock": 0.5, "scissors": 0.5})
    assert mixture.unplayed == ()


def test_stronger_wins_shift_the_mixture() -> None:
    # Each one's share is proportional to how much the other two's meeting is worth: 3 for rock, 5 for paper.
    scores = ROSHAMBO | {("rock", "scissors"): Score(100, 0, 0)}
    mixture = cross_table(scores).mixture()
    assert mixture.shares == pytest.approx({"rock": 3 / 11, "paper": 5 / 11, "scissors": 3 / 11})


def test_a_cycle_closed_by_a_close_score_is_only_seen() -> None:
    table = cross_table(ROSHAMBO | {("paper", "rock"): Score(52, 0, 48)})
    assert table.cycles() == [Cycle(("paper", "rock", "scissors"), certain=False)]
    assert table.beats(certain=True) == {("rock", "scissors"), ("scissors", "paper")}


def test_an_order_has_no_cycles_and_its_best_player_is_the_mixture() -> None:
    table = cross_table(
        {("a", "b"): Score(60, 0, 40), ("b", "c"): Score(60, 0, 40), ("a", "c"): Score(51, 0, 49)}
    )
    assert table.cycles() == []
    assert table.mixture().shares == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert table.mixture().results == pytest.approx({"a": 0.5, "b": 0.4, "c": 0.49})


def test_longer_cycles_are_found_where_there_are_no_triangles() -> None:
    clear = Score(90, 0, 10)
    ring = {("a", "b"): clear, ("b", "c"): clear, ("c", "d"): clear, ("d", "a"): clear}
    assert cross_table(ring).cycles() == [Cycle(("a", "b", "c", "d"), certain=True)]
    # A seen triangle does not hide the certain ring.
    close = Score(51, 0, 49)
    found = cross_table(ring | {("c", "a"): close}).cycles()
    assert found[0] == Cycle(("a", "b", "c", "d"), certain=True)
    assert found[1] == Cycle(("a", "b", "c"), certain=False)


def test_even_scores_are_no_cycle() -> None:
    assert (
        cross_table(
            {("a", "b"): Score(5, 1, 5), ("b", "c"): Score(5, 0, 5), ("c", "a"): Score(9, 0, 1)}
        ).cycles()
        == []
    )


def test_among_equals_the_mixture_is_even() -> None:
    names = "abcde"
    table = cross_table({(a, b): Score(10, 5, 10) for a in names for b in names if a < b})
    assert list(table.mixture().shares.values()) == pytest.approx([0.2] * 5)


def test_entering_a_player_twice_changes_nobody_elses_share() -> None:
    # Balduzzi et al. 2018: what Nash averaging is for.
    twice = {("stone", other): ROSHAMBO["rock", "scissors"] for other in ["scissors"]}
    twice |= {("paper", "stone"): ROSHAMBO["paper", "rock"], ("stone", "rock"): Score(50, 0, 50)}
    shares = cross_table(ROSHAMBO | twice).mixture().shares
    assert shares == pytest.approx(
        {"paper": 1 / 3, "rock": 1 / 6, "stone": 1 / 6, "scissors": 1 / 3}, abs=1e-6
    )


def test_meetings_without_games_are_named_and_taken_as_even() -> None:
    table = cross_table({("a", "b"): Score(9, 0, 1)}, "c")
    mixture = table.mixture()
    assert mixture.unplayed == (("a", "c"), ("b", "c"))
    assert math.isnan(table.scores()[0, 2])
    assert mixture.shares["b"] == 0.0
    assert mixture.shares["a"] + mixture.shares["c"] == pytest.approx(1)


def test_cells_are_each_others_mirror_and_may_be_put_in_any_order() -> None:
    results = table_of_scores(ROSHAMBO)
    table = CrossTable.of(results, ["scissors", "rock"])
    assert table.players == ("scissors", "rock")
    assert table.scores()[0, 1] == pytest.approx(0.2)
    assert table.cells["rock", "scissors"] == table.cells["scissors", "rock"].swapped
    with pytest.raises(ValueError, match=r"^there is no player 'well' in the results$"):
        CrossTable.of(results, ["rock", "well"])
    with pytest.raises(ValueError, match=r"^a mixture needs at least one player$"):
        CrossTable((), {}).mixture()


points = st.integers(0, 20)


@settings(max_examples=scaled(40, 8), deadline=None)
@given(st.lists(points, min_size=10, max_size=10), st.permutations("vwxyz"))
def test_no_player_beats_the_mixture_and_its_order_does_not_matter(wins: list[int], order: list[str]) -> None:
    meetings = [(i, j) for i in range(5) for j in range(i)]
    table = cross_table({("abcde"[i], "abcde"[j]): Score(w, 0, 20 - w) for (i, j), w in zip(meetings, wins)})
    mixture = table.mixture()
    assert sum(mixture.shares.values()) == pytest.approx(1)
    assert max(mixture.results.values()) <= 0.5 + 2e-6
    assert mixture.value == pytest.approx(0.5, abs=2e-6)
    for player, share in mixture.shares.items():
        if share > 1e-4:
            assert mixture.results[player] == pytest.approx(0.5, abs=1e-5)
    renamed = cross_table(
        {(order[i], order[j]): Score(w, 0, 20 - w) for (i, j), w in zip(meetings, wins)}
    ).mixture()
    for old, new in zip("abcde", order):
        assert renamed.shares[new] == pytest.approx(mixture.shares[old], abs=1e-3)


@settings(max_examples=scaled(40, 8), deadline=None)
@given(st.lists(points, min_size=10, max_size=10))
def test_cycles_are_cycles_and_everyone_on_one_is_in_one_listed(wins: list[int]) -> None:
    meetings = [(i, j) for i in range(5) for j in range(i)]
    table = cross_table({("abcde"[i], "abcde"[j]): Score(w, 0, 20 - w) for (i, j), w in zip(meetings, wins)})
    listed = table.cycles()
    seen = table.beats(certain=False)
    assert table.beats(certain=True) <= seen
    for cycle in listed:
        edges = set(zip(cycle.players, cycle.players[1:] + cycle.players[:1]))
        assert edges <= seen
        assert cycle.certain == (edges <= table.beats(certain=True))
        assert cycle.players[0] == min(cycle.players)
        assert len(set(cycle.players)) == len(cycle.players)
    matrix = np.array([[(a, b) in seen for b in "abcde"] for a in "abcde"], dtype=int)
    reach = np.linalg.matrix_power(np.eye(5, dtype=int) + matrix, 5) > 0
    on_cycle = {(a, b) for a, b in seen if reach["abcde".index(b), "abcde".index(a)]}
    covered = {edge for cycle in listed for edge in zip(cycle.players, cycle.players[1:] + cycle.players[:1])}
    assert covered == on_cycle
