"""The ledger: no finished game is lost, none is counted twice, whatever is killed and whoever else writes."""

import json
import math
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from helpers.arena_games import NODES, SEARCH, plan, played, problems
from helpers.programs import output_of
from saddlepoint.arena.conditions import Job, Load, MatchConditions, PlayedGame
from saddlepoint.arena.ledger import Filter, Ledger, LedgerError, file as schema
from saddlepoint.arena.replaying import export_json, export_text, steps_of
from saddlepoint.arena.schedule import RoundRobin, conditions_of, game_of, plan_of, settings_of
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.games.tron41 import Tron41
from saddlepoint.players.base import Fault, FaultKind, MoveStatistics
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation

WRITER = Path(__file__).parents[2] / "helpers" / "killed_writer.py"


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    searches = ((MoveStatistics(0.25, 3, 100, 0.25), None), (MoveStatistics(1.0, None, None, math.nan),))
    game = PlayedGame(
        Job(4, 4, ("a", "b(x=1)"), "text\nof two lines", 2**128 - 1),
        1.0,
        1.0,
        "player 1 at fault: late: 1 s",
        (None, Fault(FaultKind.LATE, 1, 7, "late: 1 s")),
        (False, True),
        ((0, 3), (-1, 2)),
        ((0.25, 0.125), (1.0,)),
        searches,
        1000.25,
        2.5,
        True,
        Load(1.5, 2, 0.75, 0.0),
    )
    with Ledger(tmp_path / "games.db") as ledger:
        number = ledger.begin("match", ("a", "b(x=1)"), {"terms": NODES.to_json()}, 10)
        assert ledger.add(number, game, ("1.0", ""))
        assert not ledger.add(number, game)
        entry = ledger.game(1)
    assert entry.versions == ("1.0", "")
    assert entry.played.searches[0] == searches[0]
    assert entry.played.searches[1] == (MoveStatistics(1.0),)
    assert entry.played == PlayedGame(**{**vars(game), "searches": entry.played.searches})


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
        counts = Counter(entry.tournament for entry in ledger.games())
        assert set(counts.values()) == {60, 61}
        assert all(one.finished for one in ledger.tournaments())


def test_filters(tmp_path: Path) -> None:
    with Ledger(tmp_path / "games.db") as ledger:
        for players in (("random", SEARCH), ("random", "nobody")):
            run_tournament(RoundRobin(players), plan(4), NODES, ledger=ledger)
        assert ledger.count() == 8
        assert ledger.count(Filter(player=SEARCH)) == ledger.count(Filter(tournament=1)) == 4
        assert ledger.count(Filter(cause="fault")) == ledger.count(Filter(reason="no player is called")) == 4
        assert ledger.count(Filter(cause="rules")) == 4
        assert ledger.count(Filter(game="light_riders")) == 8
        assert ledger.count(Filter(game="chess")) == ledger.count(Filter(since="9000-01-01")) == 0
        assert ledger.count(Filter(until="9000-01-01", since="2000-01-01")) == 8
        assert [entry.id for entry in ledger.games(last=3)] == [6, 7, 8]
        assert [entry.id for entry in ledger.games(Filter(player=SEARCH), last=2)] == [3, 4]
        with pytest.raises(LedgerError, match="has no game 9"):
            ledger.game(9)


def test_a_ledgers_tournament_can_be_set_up_again(tmp_path: Path) -> None:
    conditions = MatchConditions(Tron41(), Clock(0.3, 0.3), tolerance=0.1, isolation=Isolation(10**9))
    for one in (NODES, conditions):
        with Ledger(tmp_path / "games.db") as ledger:
            number = ledger.begin("match", ("a", "b"), settings_of(one, plan(6)), None)
            found = ledger.tournament(number)
        assert conditions_of(found) == one
        assert plan_of(found) == plan(6)


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


def test_exports(tmp_path: Path) -> None:
    with Ledger(tmp_path / "games.db") as ledger:
        run_tournament(RoundRobin((SEARCH, "random")), plan(2), NODES, ledger=ledger)
        entry = ledger.game(1)
        game = game_of(ledger.tournament(1))
    line = json.loads(json.dumps(export_json(game, entry), allow_nan=False))
    assert line["players"] == [SEARCH, "random"]
    assert len(line["moves"]) == entry.played.steps
    assert set(line["moves"][0]) <= {"up", "right", "down", "left"}
    text = export_text(game, entry)
    assert f'[Player0 "{SEARCH}"]' in text
    assert f"1. {line['moves'][0][0]}/{line['moves'][0][1]}" in text.replace("\n", " ")


def test_a_file_that_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="there is no ledger"):
        Ledger(tmp_path / "none.db", create=False)
    with pytest.raises(LedgerError, match="the folder of"):
        Ledger(tmp_path / "nowhere" / "games.db")
    text = tmp_path / "text.db"
    text.write_text("no database " * 1000)
    with pytest.raises(LedgerError, match="cannot be used as a ledger"):
        Ledger(text)
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE notes (text TEXT)")
    connection.commit()
    connection.close()
    before = other.read_bytes()
    with pytest.raises(LedgerError, match="another program's database"):
        Ledger(other)
    assert other.read_bytes() == before


def test_making_the_tables_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    monkeypatch.setattr(schema, "_TABLES", f"{schema._TABLES}; CREATE TABLE games (x TEXT)")
    with pytest.raises(LedgerError, match="already exists"):
        Ledger(path)
    monkeypatch.undo()
    with Ledger(path) as ledger:
        assert problems(ledger) == []


def test_a_spoilt_row_is_one_sentence(tmp_path: Path) -> None:
    with Ledger(tmp_path / "games.db") as ledger:
        run_tournament(RoundRobin(("random", "random")), plan(2), NODES, ledger=ledger)
        ledger.connection.execute("UPDATE games SET actions = 'nonsense' WHERE id = 1")
        ledger.connection.execute("UPDATE games SET actions = '[[9,9]]' WHERE id = 2")
        with pytest.raises(LedgerError, match="game 1 of the ledger cannot be read"):
            ledger.game(1)
        entry = ledger.game(2)
        with pytest.raises(LedgerError, match="not a legal action"):
            list(steps_of(game_of(ledger.tournament(1)), entry.played))
