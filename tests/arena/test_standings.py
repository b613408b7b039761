"""Counting games: every figure follows from the games, in whatever order they end."""

import math
import random

from hypothesis import given, strategies as st

from helpers.arena_games import standings_of
from helpers.result_tables import Result, table_of
from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.arena.standings import Standings
from saddlepoint.arena.statistics.repeats import Latency
from saddlepoint.players.base import Fault, FaultKind, MoveStatistics


def game(number: int, a: str, b: str, points: float, pair: int | None = None, **more: object) -> PlayedGame:
    """Player a, as player 0, took so many points."""
    return PlayedGame(
        Job(number, number if pair is None else pair, (a, b), "", 0), 2 * points - 1, points, "", **more
    )  # type: ignore[arg-type]


@st.composite
def tournaments(draw: st.DrawFn) -> list[PlayedGame]:
    games: list[PlayedGame] = []
    for _ in range(draw(st.integers(0, 12))):
        a, b = draw(st.permutations("abcd"))[:2]
        points = draw(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2))
        pair = len(games)
        games.append(game(pair, a, b, points[0], pair))
        if draw(st.booleans()):
            games.append(game(pair + 1, b, a, points[1], pair))
    return games


@given(tournaments(), st.randoms())
def test_standings_are_the_table_of_all_results(games: list[PlayedGame], shuffle: random.Random) -> None:
    order = list(games)
    shuffle.shuffle(order)
    standings = standings_of(order)
    results = [Result(*one.job.players, one.points, one.job.pair) for one in games]
    assert standings.table() == table_of(results)
    for a in "abcd":
        for b in "abcd":
            if a == b:
                continue
            figures = standings.between(a, b)
            assert (
                figures.score.points
                == standings.points(a, b)
                == sum(
                    (r.points if r.first == a else 1 - r.points)
                    for r in results
                    if {r.first, r.second} == {a, b}
                )
            )
            assert figures.counts == standings.between(b, a).counts.swapped
            assert figures.counts.games == figures.score.games
    assert sum(figures.score.games for figures in standings.players.values()) == 2 * len(games)


def test_without_pairs_every_game_stands_alone() -> None:
    standings = Standings(paired=False)
    for number, points in enumerate((1.0, 0.0, 1.0)):
        standings.add(game(number, "a", "b", points))
    figures = standings.between("a", "b")
    assert (figures.counts.pairs, figures.counts.singles.games, len(figures.open_pairs)) == (0, 3, 0)


def test_a_player_against_itself_is_told_apart_by_its_side() -> None:
    # The same one wins again, from the other side.
    standings = standings_of([game(0, "a", "a", 1.0, 0), game(1, "a", "a", 0.0, 0)])
    assert standings.between("a", "a").pairs == [0, 0, 0, 0, 1]


def test_what_players_did() -> None:
    standings = Standings()
    searches = ((MoveStatistics(0.5, 4, 1000, 0.1), None), (None, None))
    standings.add(
        game(
            0,
            "a",
            "b",
            0.0,
            times=((0.5, 0.25), (0.125, 0.125)),
            searches=searches,
            late=(True, False),
            faults=(Fault(FaultKind.LATE, 0, 1, "late: 1 s"), None),
        )
    )
    a, b = standings.player_summary("a"), standings.player_summary("b")
    assert (a["nodes_per_second"], a["depth"], a["late_moves"], a["lost_by"]) == (2000.0, 4.0, 1, {"late": 1})
    assert (b["nodes_per_second"], b["depth"], b["late_moves"], b["lost_by"]) == (None, None, 0, {})
    assert standings.player_summary("nobody")["latency"] == {"median": None, "p99": None, "longest": None}


@given(st.lists(st.floats(1e-7, 1e4), min_size=1), st.sampled_from([0.0, 0.5, 0.9, 0.99, 1.0]))
def test_quantiles_of_latency_are_right_to_a_bin(seconds: list[float], share: float) -> None:
    latency = Latency()
    for one in seconds:
        latency.add(one)
    exact = sorted(seconds)[max(0, math.ceil(share * len(seconds)) - 1)]
    found = latency.quantile(share)
    assert found is not None
    assert exact * (1 - 1e-9) <= found <= min(exact * 1.024, max(seconds)) * (1 + 1e-9)
    assert latency.longest == max(seconds)


def test_each_player_lost_by_its_own_fault() -> None:
    both = (Fault(FaultKind.ILLEGAL, 0, 3, "late"), Fault(FaultKind.CRASH, 1, 3, "an illegal move"))
    standings = standings_of(game(number, "a", "b", float(number), faults=both) for number in (0, 1))
    assert standings.player_summary("a")["lost_by"] == {"illegal move": 1}
    assert standings.player_summary("b")["lost_by"] == {"crash": 1}


def test_the_first_twenty_faults_are_remembered_and_all_are_counted() -> None:
    faults = (Fault(FaultKind.LATE, 0, 3, "late: 1 s"), None)
    lost = [game(number, "a", "b", 0.0, faults=faults) for number in range(1, 25)]
    standings = standings_of([game(0, "a", "b", 1.0), *lost])
    assert (standings.fault_count, len(standings.faults)) == (24, 20)
    assert [text.split(":")[0] for text in standings.faults] == [f"game {number}" for number in range(1, 21)]
