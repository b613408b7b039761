"""Cross tables: the cycles in them, certain or only seen, and the Nash average of the players."""

import math
from collections.abc import Sequence

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


CLEAR, CLOSE, SIXTY = Score(90, 0, 10), Score(51, 0, 49), Score(60, 0, 40)
RING = {("a", "b"): CLEAR, ("b", "c"): CLEAR, ("c", "d"): CLEAR, ("d", "a"): CLEAR}
ORDER = {("a", "b"): SIXTY, ("b", "c"): SIXTY, ("a", "c"): CLOSE}


@pytest.mark.parametrize(
    ("scores", "cycles"),
    [
        (ROSHAMBO, [Cycle(("paper", "rock", "scissors"), certain=True)]),
        (
            ROSHAMBO | {("paper", "rock"): Score(52, 0, 48)},
            [Cycle(("paper", "rock", "scissors"), certain=False)],
        ),
        (ORDER, []),
        (RING, [Cycle(("a", "b", "c", "d"), certain=True)]),
        (
            RING | {("c", "a"): CLOSE},
            [Cycle(("a", "b", "c", "d"), certain=True), Cycle(("a", "b", "c"), certain=False)],
        ),
        ({("a", "b"): Score(5, 1, 5), ("b", "c"): Score(5, 0, 5), ("c", "a"): Score(9, 0, 1)}, []),
    ],
    ids=[
        "roshambo",
        "one closed by a close score is only seen",
        "an order",
        "a longer one where there are no triangles",
        "a seen triangle does not hide the certain ring",
        "even scores",
    ],
)
def test_cycles_are_found_and_told_by_whether_chance_explains_them(
    scores: dict[tuple[str, str], Score], cycles: list[Cycle]
) -> None:
    assert cross_table(scores).cycles() == cycles


# Each one's share is proportional to how much the other two's meeting is worth: 3 for rock, 5 for paper.
STRONGER = ROSHAMBO | {("rock", "scissors"): Score(100, 0, 0)}
# Balduzzi et al. 2018: what Nash averaging is for.
TWICE = ROSHAMBO | {
    ("stone", "scissors"): ROSHAMBO["rock", "scissors"],
    ("paper", "stone"): ROSHAMBO["paper", "rock"],
    ("stone", "rock"): Score(50, 0, 50),
}


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        (ROSHAMBO, {"paper": 1 / 3, "rock": 1 / 3, "scissors": 1 / 3}),
        (STRONGER, {"rock": 3 / 11, "paper": 5 / 11, "scissors": 3 / 11}),
        (ORDER, {"a": 1.0, "b": 0.0, "c": 0.0}),
        ({(a, b): Score(10, 5, 10) for a in "abcde" for b in "abcde" if a < b}, dict.fromkeys("abcde", 0.2)),
        (TWICE, {"paper": 1 / 3, "rock": 1 / 6, "stone": 1 / 6, "scissors": 1 / 3}),
    ],
    ids=[
        "roshambo",
        "stronger wins shift it",
        "of an order the best player",
        "among equals it is even",
        "a player that is there twice changes nobody else's share",
    ],
)
def test_the_mixture_is_the_nash_average(
    scores: dict[tuple[str, str], Score], shares: dict[str, float]
) -> None:
    mixture = cross_table(scores).mixture()
    assert mixture.shares == pytest.approx(shares, abs=1e-6)
    assert mixture.value == pytest.approx(0.5)
    assert mixture.unplayed == ()


def test_it_is_told_who_beats_whom_and_what_each_takes_from_the_mixture() -> None:
    table = cross_table(ROSHAMBO | {("paper", "rock"): Score(52, 0, 48)})
    assert table.beats(certain=True) == {("rock", "scissors"), ("scissors", "paper")}
    assert cross_table(ORDER).mixture().results == pytest.approx({"a": 0.5, "b": 0.4, "c": 0.49})


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


def of_wins(wins: list[int], names: Sequence[str] = "abcde") -> CrossTable:
    """Of all meetings of five players, in which the first took so many points of 20."""
    meetings = [(i, j) for i in range(5) for j in range(i)]
    return cross_table({(names[i], names[j]): Score(w, 0, 20 - w) for (i, j), w in zip(meetings, wins)})


@settings(max_examples=scaled(40, 8), deadline=None)
@given(st.lists(points, min_size=10, max_size=10), st.permutations("vwxyz"))
def test_no_player_beats_the_mixture_and_its_order_does_not_matter(wins: list[int], order: list[str]) -> None:
    mixture, renamed = of_wins(wins).mixture(), of_wins(wins, order).mixture()
    assert sum(mixture.shares.values()) == pytest.approx(1)
    assert max(mixture.results.values()) <= 0.5 + 2e-6
    assert mixture.value == pytest.approx(0.5, abs=2e-6)
    for player, share in mixture.shares.items():
        assert share <= 1e-4 or mixture.results[player] == pytest.approx(0.5, abs=1e-5)
    for old, new in zip("abcde", order):
        assert renamed.shares[new] == pytest.approx(mixture.shares[old], abs=1e-3)


@settings(max_examples=scaled(40, 8), deadline=None)
@given(st.lists(points, min_size=10, max_size=10))
def test_cycles_are_cycles_and_everyone_on_one_is_in_one_listed(wins: list[int]) -> None:
    table = of_wins(wins)
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
