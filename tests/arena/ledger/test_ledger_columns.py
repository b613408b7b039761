"""Every column of the ledger is the one that it says, in what is entered, read, filtered and counted."""

import math
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import numbers as numbers_of, problems
from saddlepoint.arena.conditions import Job, Load, PlayedGame
from saddlepoint.arena.ledger import Filter, Ledger, LedgerError
from saddlepoint.arena.schedule import find_unfinished
from saddlepoint.players.base import Fault, FaultKind, MoveStatistics

SETTINGS: dict[str, Any] = {"terms": {"game": {"name": "light_riders"}}}
YEAR_2001 = 978307200.0
"""2001-01-01, UTC."""


def played(number: int, players: tuple[str, str] = ("ann", "bob"), **fields: Any) -> PlayedGame:
    """A game in which no two fields are alike."""
    job = Job(number, number - 1, players, fields.pop("opening", "an opening"), 77)
    usual = PlayedGame(
        job,
        -3.0,
        0.5,
        "the reason",
        late=(True, False),
        actions=((4, 5), (6, -1), (2, 1)),
        times=((0.25, 0.5), (0.75,)),
        searches=((None, MoveStatistics(0.5, 8, 9, 0.125)), (None,)),
        started=YEAR_2001 + 0.5,
        seconds=12.5,
    )
    return replace(usual, **fields)


def unfinished(ledger: Ledger, kind: str, players: tuple[str, ...], settings: dict[str, Any]) -> int | None:
    try:
        return find_unfinished(ledger, kind, players, lambda seed: settings, 1).id
    except LedgerError:
        return None


def test_every_field_comes_out_as_it_went_in(ledger: Ledger) -> None:
    for other in range(3):
        ledger.begin("match", ("x", "y"), SETTINGS, other)
    tournament = ledger.begin("match", ("ann", "b(x=1)"), SETTINGS, 10)
    one = played(5, ("ann", "b(x=1)"), faults=(None, Fault(FaultKind.LATE, 1, 7, "late: 1 s")))
    two = played(8, ("b(x=1)", "ann"), late=(False, True), points=1.0, result=2.0, opening="a\ntext")
    two = replace(two, job=replace(two.job, seed=2**128 - 1))
    assert ledger.add(tournament, one, ("1.0", "2.0"))
    assert ledger.add(tournament, two, ("2.0", ""))
    first, second = ledger.games()
    assert (first.id, first.tournament, first.versions) == (1, 4, ("1.0", "2.0"))
    assert (second.id, second.tournament, second.versions) == (2, 4, ("2.0", ""))
    assert (first.played, second.played) == (one, two)
    assert ledger.game(2) == second
    assert numbers_of(ledger, tournament) == {5, 8}
    assert numbers_of(ledger, 1) == set()


def test_whether_chance_played_and_the_load_of_the_machine_are_kept_apart(ledger: Ledger) -> None:
    tournament = ledger.begin("match", ("ann", "bob"), SETTINGS, None)
    both = [(chance, load) for chance in (False, True) for load in (None, Load(1.5, 2, 0.75, 0.0))]
    for number, (chance, load) in enumerate(both):
        ledger.add(tournament, played(number, chance=chance, load=load))
    assert [(entry.played.chance, entry.played.load) for entry in ledger.games()] == both


def test_a_ledger_tells_its_players_and_which_versions_of_them_played_where(ledger: Ledger) -> None:
    one, two, none = (ledger.begin("match", ("ann", "bob"), SETTINGS, None) for _ in range(3))
    ledger.add(one, played(1), ("1.0", "2.0"))
    ledger.add(one, played(2, ("bob", "ann")), ("2.0", "1.0"))
    ledger.add(two, played(1, ("cid", "ann")), ("", "1.5"))
    assert ledger.versions(one) == {("ann", "1.0"), ("bob", "2.0")}
    assert ledger.versions(two) == {("cid", ""), ("ann", "1.5")}
    assert ledger.versions(none) == set()
    ledger.know("abe", "3.0")
    assert ledger.specs() == ["abe", "ann", "bob", "cid"]


def test_versions_count_as_one_player_or_apart_and_how_many_they_are_is_told(ledger: Ledger) -> None:
    for spec, version in (("ann", "1.0"), ("bob", "1.0"), ("ann", "2.0"), ("ann", "3.0")):
        ledger.know(spec, version)
    for declare in (ledger.declare_same, ledger.declare_apart):
        assert [declare(spec) for spec in ("ann", "bob", "nobody")] == [3, 1, 0]


def test_times_are_kept_to_the_microsecond_and_what_is_no_number_is_nothing(ledger: Ledger) -> None:
    tournament = ledger.begin("match", ("ann", "bob"), SETTINGS, None)
    told = (MoveStatistics(0.1234567, 3, 4, math.inf), MoveStatistics(1.0, None, None, math.nan))
    ledger.add(
        tournament,
        played(1, times=((0.1234567, 1.0), (2.00000049,)), searches=(told, (None,)), seconds=3.1234567),
    )
    found = ledger.game(1).played
    assert found.times == ((0.123457, 1.0), (2.0,))
    assert found.seconds == 3.123457
    assert found.searches == (
        (MoveStatistics(0.123457, 3, 4, None), MoveStatistics(1.0, None, None, None)),
        (None,),
    )


def test_a_tournament_comes_out_as_it_went_in(ledger: Ledger) -> None:
    one = ledger.begin("league", ("ann", "bob", "cid"), SETTINGS, None)
    two = ledger.begin("match", ("ann", "bob"), SETTINGS | {"seed": 3}, 40)
    ledger.add(two, played(1))
    ledger.finish(two)
    first, second = ledger.tournaments()
    assert (first.id, first.kind, first.players, first.settings) == (
        one,
        "league",
        ("ann", "bob", "cid"),
        SETTINGS,
    )
    assert (first.planned, first.finished, first.games) == (None, None, 0)
    assert (second.id, second.kind, second.players, second.settings) == (
        two,
        "match",
        ("ann", "bob"),
        SETTINGS | {"seed": 3},
    )
    assert (second.planned, second.games) == (40, 1)
    assert second.finished is not None
    assert second.created <= second.finished
    assert (ledger.tournament(one), ledger.tournament(two)) == (first, second)
    with pytest.raises(LedgerError, match="has no tournament 3"):
        ledger.tournament(3)
    with pytest.raises(LedgerError, match="has no game 9"):
        ledger.game(9)


def test_the_last_unfinished_tournament_of_the_same_kind_players_and_settings_goes_on(ledger: Ledger) -> None:
    assert unfinished(ledger, "match", ("a", "b"), SETTINGS) is None
    one, two, three = (ledger.begin("match", ("a", "b"), SETTINGS, 3) for _ in range(3))
    for kind, players, settings in (
        ("match", ("b", "a"), SETTINGS),
        ("league", ("a", "b"), SETTINGS),
        ("match", ("a", "b"), {}),
    ):
        assert unfinished(ledger, kind, players, settings) is None
    assert unfinished(ledger, "match", ("a", "b"), SETTINGS) == three
    ledger.finish(three)
    assert unfinished(ledger, "match", ("a", "b"), SETTINGS) == two
    assert one < two < three


def test_a_number_is_taken_once(ledger: Ledger) -> None:
    one, two = (ledger.begin("league", ("a", "b"), SETTINGS, None) for _ in range(2))
    assert [
        ledger.take_number(one),
        ledger.take_number(one, 3),
        ledger.take_number(one),
        ledger.take_number(two),
    ] == [0, 1, 4, 0]
    with pytest.raises(LedgerError, match="has no tournament 3"):
        ledger.take_number(3)


@pytest.mark.parametrize(
    ("fields", "last", "expected"),
    [
        ({}, None, [1, 2, 3, 4]),
        ({"tournament": 2}, None, [3, 4]),
        ({"game": "goofspiel"}, None, [3, 4]),
        ({"game": "chess"}, None, []),
        ({"player": "ann"}, None, [1, 2]),
        ({"player": "bob"}, None, [1, 2, 3]),
        ({"player": "dan"}, None, [4]),
        ({"player": "an"}, None, []),
        ({"reason": "reason"}, None, [1, 2, 3]),
        ({"reason": "reason, and"}, None, [2]),
        ({"since": "2001-01-02"}, None, [2, 3, 4]),
        ({"until": "2001-01-03"}, None, [1, 2]),
        ({"since": "2001-01-02", "until": "2001-01-03"}, None, [2]),
        ({"player": "bob", "tournament": 2}, None, [3]),
        ({"player": "bob", "reason": "long"}, None, [2]),
        ({"cause": "rules"}, None, [1, 2, 3]),
        ({"cause": "fault"}, None, [4]),
        ({"cause": "late"}, None, [4]),
        ({"cause": "crash"}, None, []),
        ({}, 1, [4]),
        ({}, 3, [2, 3, 4]),
        ({}, 9, [1, 2, 3, 4]),
        ({"player": "bob"}, 2, [2, 3]),
    ],
)
def test_filters_let_through_what_they_say_and_all_of_them_must(
    fields: dict[str, Any], last: int | None, expected: list[int], ledger: Ledger
) -> None:
    one = ledger.begin("match", ("ann", "bob"), SETTINGS, None)
    two = ledger.begin("match", ("bob", "cid"), {"terms": {"game": {"name": "goofspiel"}}}, None)
    day, late = 86400.0, Fault(FaultKind.LATE, 1, 7, "late: 1 s")
    ledger.add(one, played(1, ("ann", "bob")))
    ledger.add(one, played(2, ("bob", "ann"), started=YEAR_2001 + day, reason="a long reason, and more"))
    ledger.add(two, played(1, ("bob", "cid"), started=YEAR_2001 + 2 * day))
    last_day = YEAR_2001 + 3 * day
    ledger.add(two, played(2, ("cid", "dan"), started=last_day, reason="nothing", faults=(None, late)))
    which = Filter(**fields)
    assert [entry.id for entry in ledger.games(which, last)] == expected
    assert last is not None or ledger.count(which) == len(expected)


def test_a_game_that_cannot_be_entered_leaves_nothing_and_the_next_one_can(ledger: Ledger) -> None:
    tournament = ledger.begin("match", ("new", "bob"), SETTINGS, None)
    with pytest.raises((sqlite3.Error, LedgerError)):
        ledger.add(tournament, played(1, ("new", "bob"), reason=object()))
    assert ledger.count() == 0
    # Another player takes the place that was given up; who was new then must not be taken for it.
    assert ledger.add(tournament, played(1, ("other", "bob")))
    assert ledger.add(tournament, played(2, ("new", "bob")))
    assert not ledger.add(tournament, played(2, ("new", "bob"), points=1.0))
    assert [entry.played.job.players for entry in ledger.games()] == [("other", "bob"), ("new", "bob")]
    assert problems(ledger) == []
    with pytest.raises((sqlite3.Error, LedgerError)):  # no such tournament
        ledger.add(tournament + 1, played(1))
    assert ledger.count() == 2


@pytest.mark.parametrize(
    ("tournaments", "last", "most", "found"),
    [
        (1, 99, 5, (["even 3 1 1 1 3.0", "won 2 2 0 0 6.0", "once 1 0 1 0 1.0"], 3)),
        (2, 99, 1, (["even 3 1 1 1 3.0"], 4)),
        # Among those played equally often, the most one-sided comes first; later games are not counted.
        (1, 4, 5, (["won 2 2 0 0 6.0", "even 2 1 0 1 3.0"], 2)),
    ],
)
def test_openings_are_counted_with_their_results(
    tournaments: int, last: int, most: int, found: tuple[list[str], int], ledger: Ledger
) -> None:
    """How often each was played, won, drawn and lost by the first player, and the mean length."""
    one, other = (ledger.begin("match", ("a", "b"), SETTINGS, None) for _ in range(2))
    games = ["even 1.0 2", "even 0.0 4", "won 1.0 6", "won 1.0 6", "once 0.5 1", "even 0.5 3"]
    for number, (opening, points, steps) in enumerate(map(str.split, games)):
        moves = ((0, 0),) * int(steps)
        ledger.add(one, played(number, opening=opening, points=float(points), actions=moves))
    ledger.add(other, played(1, opening="elsewhere"))
    rows, count = ledger.openings([one, other][:tournaments], last, most)
    assert ([" ".join(map(str, row)) for row in rows], count) == found


def test_a_leagues_players_come_and_go(ledger: Ledger) -> None:
    league, other = (ledger.begin("league", (), SETTINGS, None) for _ in range(2))
    assert [ledger.add_league_player(league, spec) for spec in ("b", "a", "b", "c")] == [
        True,
        True,
        False,
        True,
    ]
    assert ledger.league_players(league) == ["b", "a", "c"]
    assert ledger.league_players(other) == []
    assert [ledger.remove_league_player(league, spec) for spec in ("b", "b", "z")] == [True, False, False]
    assert not ledger.remove_league_player(other, "a")
    assert ledger.league_players(league) == ["a", "c"]
    assert ledger.add_league_player(league, "b")
    assert ledger.league_players(league) == ["a", "c", "b"]


def test_a_closed_ledger_answers_no_more(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "games.db")
    ledger.begin("match", ("a", "b"), SETTINGS, None)
    ledger.close()
    with pytest.raises((sqlite3.Error, LedgerError)):
        ledger.tournaments()
    with Ledger(tmp_path / "games.db", create=False) as again:
        assert len(again.tournaments()) == 1
