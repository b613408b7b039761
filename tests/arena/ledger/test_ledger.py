"""The ledger: every column is what it says; no finished game is lost, whatever is killed; what the machine does is nobody's result."""

import errno
import math
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from helpers.arena_games import (
    FEW_NODES,
    NODES,
    SEARCH,
    numbers,
    numbers as numbers_of,
    plan,
    played,
    problems,
)
from helpers.programs import output_of
from helpers.report_pages import report_of
from saddlepoint import Game, KernelError, LightRiders, Tron41
from saddlepoint.arena import tournament, workers
from saddlepoint.arena.conditions import Job, Load, MatchConditions, PlayedGame, VoidGame
from saddlepoint.arena.ledger import Filter, Ledger, LedgerError
from saddlepoint.arena.replaying import steps_of
from saddlepoint.arena.schedule import Plan, RoundRobin, find_unfinished, game_of
from saddlepoint.arena.summary import match_summary
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.tuning import run_tuning
from saddlepoint.arena.tuning_plan import Parameter, Tuning
from saddlepoint.play import ledger_file as schema
from saddlepoint.play.game import play_game
from saddlepoint.players.base import (
    Fault,
    FaultKind,
    MachineFault,
    MoveStatistics,
    Player,
    RandomPlayer,
    player_seed,
)
from saddlepoint.players.clock import Clock

WRITER = Path(__file__).parents[2] / "helpers" / "killed_writer.py"


@pytest.mark.slow
def test_200_kills_lose_no_finished_game_and_count_none_twice(tmp_path: Path) -> None:
    games = 1500
    told = output_of(str(WRITER), str(tmp_path / "games.db"), "200", str(games)).split()
    assert told[-3:-1] == ["END", "200"]
    assert int(told[-1]) > 100, "the processes were killed before they played"
    reported = told[:-3]
    assert len(reported) == len(set(reported)), "a game that was entered was played again"
    with Ledger(tmp_path / "games.db") as ledger:
        assert problems(ledger) == []
        tournaments = [one.id for one in ledger.tournaments()]
        entered = Counter((entry.tournament, entry.played.job.number) for entry in ledger.games())
        all_games = {(tournament, number) for tournament in tournaments for number in range(games)}
        assert entered == Counter(all_games), "the last run plays exactly what is missing"
        assert set(reported) <= {f"{tournament}:{number}" for tournament, number in entered}


@pytest.mark.slow
def test_two_tournaments_write_one_ledger_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    running = [
        subprocess.Popen(
            [sys.executable, str(WRITER), path, "3", str(games)], stdout=subprocess.PIPE, text=True
        )
        for games in (60, 61)
    ]
    assert all("END 3" in process.communicate(timeout=120)[0] for process in running)
    with Ledger(path) as ledger:
        assert problems(ledger) == []
        assert set(Counter(entry.tournament for entry in ledger.games()).values()) == {60, 61}
        assert all(one.finished for one in ledger.tournaments())


@pytest.mark.slow
def test_games_with_chance_are_replayed_and_exported() -> None:
    conditions = MatchConditions(Tron41())
    _, games = played("random", "random", games=6, conditions=conditions)
    chances = 0
    for game in games:
        steps = list(steps_of(conditions.game, game))
        assert len(steps) == len(game.actions)
        assert conditions.game.returns(steps[-1].after) == game.result
        chances += sum(step.chance is not None for step in steps)
    assert chances


def another_programs() -> bytes:
    """A database with a table that no ledger has."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
        return connection.serialize()


@pytest.mark.parametrize(
    ("name", "content", "create", "said"),
    [
        ("none.db", None, False, "there is no ledger"),
        ("nowhere/games.db", None, True, "the folder of"),
        ("text.db", b"no database " * 1000, True, "cannot be used as a ledger"),
        ("other.db", another_programs(), True, "another program's database"),
    ],
)
def test_a_file_that_is_no_ledger_is_refused_and_stays_as_it_is(
    name: str, content: bytes | None, create: bool, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LedgerError, match=said):
        Ledger(path, create=create)
    assert content == (path.read_bytes() if path.exists() else None)


def test_making_the_tables_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    monkeypatch.setattr(schema, "_TABLES", f"{schema._TABLES}; CREATE TABLE games (x TEXT)")
    with pytest.raises(LedgerError, match="already exists"):
        Ledger(path)
    monkeypatch.undo()
    with Ledger(path) as ledger:
        assert problems(ledger) == []


def test_a_move_that_breaks_the_rules_is_one_sentence(ledger: Ledger) -> None:
    run_tournament(RoundRobin(("random", "random")), plan(2), NODES, ledger=ledger)
    ledger.connection.execute("UPDATE games SET actions = '[[9,9]]'")
    with pytest.raises(LedgerError, match="not a legal action"):
        list(steps_of(game_of(ledger.tournament(1)), ledger.game(1).played))


# -- columns -------------------------------------------------------------------------------------------------------------

SETTINGS: dict[str, Any] = {"terms": {"game": {"name": "light_riders"}}}
YEAR_2001 = 978307200.0
"""2001-01-01, UTC."""


def played_game(number: int, players: tuple[str, str] = ("ann", "bob"), **fields: Any) -> PlayedGame:
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
    one = played_game(5, ("ann", "b(x=1)"), faults=(None, Fault(FaultKind.LATE, 1, 7, "late: 1 s")))
    two = played_game(8, ("b(x=1)", "ann"), late=(False, True), points=1.0, result=2.0, opening="a\ntext")
    two = replace(two, job=replace(two.job, seed=2**128 - 1), chance=False, load=Load(1.5, 2, 0.75, 0.0))
    assert ledger.add(tournament, one, ("1.0", "2.0"))
    assert ledger.add(tournament, two, ("2.0", ""))
    first, second = ledger.games()
    assert (first.id, first.tournament, first.versions) == (1, 4, ("1.0", "2.0"))
    assert (second.id, second.tournament, second.versions) == (2, 4, ("2.0", ""))
    assert (first.played, second.played) == (one, two)
    assert ledger.game(2) == second
    assert numbers_of(ledger, tournament) == {5, 8}
    assert numbers_of(ledger, 1) == set()


def test_a_ledger_tells_its_players_and_which_versions_of_them_played_where(ledger: Ledger) -> None:
    one, two, none = (ledger.begin("match", ("ann", "bob"), SETTINGS, None) for _ in range(3))
    ledger.add(one, played_game(1), ("1.0", "2.0"))
    ledger.add(one, played_game(2, ("bob", "ann")), ("2.0", "1.0"))
    ledger.add(two, played_game(1, ("cid", "ann")), ("", "1.5"))
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
        played_game(1, times=((0.1234567, 1.0), (2.00000049,)), searches=(told, (None,)), seconds=3.1234567),
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
    ledger.add(two, played_game(1))
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
    ledger.add(one, played_game(1, ("ann", "bob")))
    ledger.add(one, played_game(2, ("bob", "ann"), started=YEAR_2001 + day, reason="a long reason, and more"))
    ledger.add(two, played_game(1, ("bob", "cid"), started=YEAR_2001 + 2 * day))
    last_day = YEAR_2001 + 3 * day
    ledger.add(two, played_game(2, ("cid", "dan"), started=last_day, reason="nothing", faults=(None, late)))
    which = Filter(**fields)
    assert [entry.id for entry in ledger.games(which, last)] == expected
    assert last is not None or ledger.count(which) == len(expected)


def test_a_game_that_cannot_be_entered_leaves_nothing_and_the_next_one_can(ledger: Ledger) -> None:
    tournament = ledger.begin("match", ("new", "bob"), SETTINGS, None)
    with pytest.raises((sqlite3.Error, LedgerError)):
        ledger.add(tournament, played_game(1, ("new", "bob"), reason=object()))
    assert ledger.count() == 0
    # Another player takes the place that was given up; who was new then must not be taken for it.
    assert ledger.add(tournament, played_game(1, ("other", "bob")))
    assert ledger.add(tournament, played_game(2, ("new", "bob")))
    assert not ledger.add(tournament, played_game(2, ("new", "bob"), points=1.0))
    assert [entry.played.job.players for entry in ledger.games()] == [("other", "bob"), ("new", "bob")]
    assert problems(ledger) == []
    with pytest.raises((sqlite3.Error, LedgerError)):  # no such tournament
        ledger.add(tournament + 1, played_game(1))
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
        ledger.add(one, played_game(number, opening=opening, points=float(points), actions=moves))
    ledger.add(other, played_game(1, opening="elsewhere"))
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


# -- void games ----------------------------------------------------------------------------------------------------------

GAME = LightRiders(8, 6)
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Failing(RandomPlayer):
    """The machine fails in its first moves, so many times over all games."""

    left = 0
    error: Exception = FULL

    def choose(self, state: Any, clock: Clock) -> int:
        if Failing.left > 0 and clock.bank > 1:  # not while it is warmed
            Failing.left -= 1
            raise Failing.error
        return super().choose(state, clock)


@pytest.mark.parametrize(
    "error", [FULL, MemoryError(), KernelError("Evaluator.value: no such thing"), MachineFault("a stall")]
)
def test_a_failure_of_the_machine_is_no_fault_of_a_player(error: Exception) -> None:
    Failing.left, Failing.error = 1, error
    with pytest.raises(MachineFault):
        play_game(GAME, (RandomPlayer(), Failing()), seed=1)


def failing_players(monkeypatch: pytest.MonkeyPatch, times: int, error: Exception = FULL) -> None:
    made = workers.make_player
    monkeypatch.setattr(tournament, "_PAUSES", (0.01, 0.02, 0.04))
    monkeypatch.setattr(
        workers, "make_player", lambda spec, *rest: Failing() if spec == "random" else made(spec, *rest)
    )
    Failing.left, Failing.error = times, error


def test_a_void_game_is_played_again_and_counted_as_void(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger, tmp_path: Path
) -> None:
    failing_players(monkeypatch, 2)
    outcome = run_tournament(RoundRobin((SEARCH, "random")), plan(4), FEW_NODES, ledger=ledger)
    assert ledger.count(Filter(cause="rules")) == 4 == len(numbers(ledger, 1))
    reasons = ["OSError: [Errno 28] No space left on device"] * 2
    assert [entry.void.reason for entry in ledger.voids()] == reasons
    assert all(entry.void.load is not None for entry in ledger.voids())
    assert (outcome.standings.games, outcome.standings.voids, outcome.standings.fault_count) == (4, 2, 0)
    data = match_summary(outcome, SEARCH, "random")
    assert (data["games"], data["voids"], data["wins"] + data["draws"] + data["losses"]) == (4, 2, 4)
    data, page = report_of(tmp_path / "games.db")
    assert (data["games"][0]["games"], data["games"][0]["voids"]) == (4, 2)
    assert "2 games were void, because the machine failed" in page
    assert "No space left on device" in page


def test_a_machine_that_fails_every_time_stops_the_run_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    failing_players(monkeypatch, 10**9)
    outcome = run_tournament(RoundRobin((SEARCH, "random")), plan(50), FEW_NODES, ledger=ledger)
    assert (ledger.count(), ledger.tournament(1).finished) == (0, None)
    assert outcome.standings.voids <= 3 * 4  # of three games in four tries
    assert outcome.unplayable[0].startswith("game ")
    assert "was void 4 times, the machine is at fault: OSError: [Errno 28]" in outcome.unplayable[0]


class Busy(Player):
    """The machine fails in the games whose seeds are these."""

    seeds: frozenset[int] = frozenset()

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        if seed in self.seeds:
            raise MachineFault("the disk is full")
        super().begin(game, player, seed)

    def choose(self, state: Any, clock: Clock) -> int:
        return int(self.game.legal_actions(state, self.player)[0])


def busy_in(monkeypatch: pytest.MonkeyPatch, match: Plan, games: set[int]) -> None:
    failing_players(monkeypatch, 0)
    made = workers.make_player
    monkeypatch.setattr(
        workers, "make_player", lambda spec, *rest: Busy() if spec == "random" else made(spec, *rest)
    )
    Busy.seeds = frozenset(player_seed(match.seed_of(number), seat) for number in games for seat in (0, 1))


def test_what_cannot_be_played_on_a_busy_machine_does_not_end_the_other_games(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    busy_in(monkeypatch, match := plan(8), {1, 2})
    outcome = run_tournament(RoundRobin((SEARCH, "random")), match, FEW_NODES, ledger=ledger)
    assert numbers(ledger, 1) == {0, 3, 4, 5, 6, 7}
    assert ledger.tournament(1).finished is None  # --resume plays the others
    assert [text.partition(",")[0] for text in outcome.unplayable] == [
        "game 1 was void 4 times",
        "game 2 was void 4 times",
    ]


def test_a_machine_that_comes_to_rest_costs_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    busy_in(monkeypatch, match := plan(4), {0, 1, 2, 3})
    pauses: list[float] = []

    def rest(seconds: float) -> None:
        pauses.append(seconds)
        if sum(pauses) > 0.05:
            Busy.seeds = frozenset()

    clock = SimpleNamespace(sleep=rest, monotonic=lambda: sum(pauses), perf_counter=time.perf_counter)
    monkeypatch.setattr(tournament, "time", clock)
    outcome = run_tournament(RoundRobin((SEARCH, "random")), match, FEW_NODES)
    assert (outcome.standings.games, outcome.unplayable) == (4, [])
    assert 0.05 < sum(pauses) < 0.08


def test_what_could_not_be_played_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch, cli: Any) -> None:
    busy_in(monkeypatch, plan(4), {2})
    few = ("-n", "4", "--seed", "1", "-j", "1")
    out, err = cli.ended(2, "match", "random", "random", "--size", "8x6", *few)
    assert "3 of 4 games were played" in out
    assert "1 game could not be played, the others stand: game 2 was void 4 times" in err
    assert "the disk is full" in err


def test_the_ledger_gives_a_void_game_back_as_it_was(ledger: Ledger) -> None:
    """When it began is not how long it took, and neither is the load."""
    void = VoidGame(
        Job(0, 0, ("random", SEARCH), "", 7), "the disk is full", 1_700_000_000.25, 12.5, Load(3.0, 2)
    )
    run_tournament(RoundRobin(("random", SEARCH)), plan(2), NODES, ledger=ledger)
    ledger.add_void(1, replace(void, reason="before"))
    ledger.add_void(1, void)
    _, entry = ledger.voids(1)
    assert (entry.id, entry.tournament) == (2, 1)
    assert entry.void.started == void.started
    assert (entry.void.seconds, entry.void.reason, entry.void.load) == (void.seconds, void.reason, void.load)
    assert entry.void.job.seed == void.job.seed


@pytest.mark.slow
def test_a_tuning_on_a_failing_machine_stops_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    failing_players(monkeypatch, 10**9)
    start = "alphabeta(evaluator=voronoi_edges(k1=0.1, k2=0.1))"
    tuning = Tuning(start, (Parameter("evaluator.k1", -1.0, 1.0),), ("random",), games=8, trial_games=4)
    with pytest.raises(ValueError, match="was void 4 times, the machine is at fault"):
        run_tuning(tuning, plan(8), NODES)


STOPPED = """
import os, subprocess, sys, time
from saddlepoint.play.game import play_game
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.base import MachineFault
from saddlepoint.players.clock import Clock
from saddlepoint.players.base import RandomPlayer

class Stopped(RandomPlayer):
    def choose(self, state, clock):
        subprocess.run(["sh", "-c", "kill -STOP {0}; sleep 1; kill -CONT {0}".format(os.getpid())])
        return super().choose(state, clock)

class Sleeping(RandomPlayer):
    def choose(self, state, clock):
        time.sleep(1)
        return super().choose(state, clock)

game, clock = LightRiders(6, 6), Clock(0.7, 0.7)
for seat, kind in ((0, Stopped), (1, Stopped), (0, Sleeping)):
    players = [RandomPlayer(), RandomPlayer()]
    players[seat] = kind()
    try:
        record = play_game(game, players, game.initial_state(), (clock, clock), 1)
        print(record.faults[seat].kind, record.late[seat])
    except MachineFault as error:
        print("void", error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="there is no such signal")
def test_a_game_lost_while_the_referee_was_stopped_is_void_and_a_player_that_sleeps_is_late() -> None:
    told = [line.split()[:2] for line in output_of("-c", STOPPED).splitlines()]
    assert told == [["void", "this"], ["void", "this"], ["late", "1"]]


@pytest.mark.slow
def test_no_game_is_lost_to_compilation(tmp_path: Path) -> None:
    """With an empty cache, the first games with a clock end by the rules."""
    path = tmp_path / "games.db"
    match = f"-m saddlepoint match random random --game goofspiel -n 4 --time 0.5 -j 2 --ledger {path}"
    output_of(*match.split(), cache=tmp_path / "cache")
    with Ledger(path, create=False) as ledger:
        assert {entry.played.cause for entry in ledger.games()} == {"rules"}
        assert list(ledger.voids()) == []
