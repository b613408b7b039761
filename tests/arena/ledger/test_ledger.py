"""The ledger: no finished game is lost, none is counted twice, whatever is killed and whoever else writes."""

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from helpers.arena_games import NODES, SEARCH, plan, played, problems
from helpers.programs import output_of
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.ledger import Ledger, LedgerError, file as schema
from saddlepoint.arena.replaying import export_json, export_text, steps_of
from saddlepoint.arena.schedule import RoundRobin, conditions_of, game_of, plan_of, settings_of
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.games.tron41 import Tron41
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation

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
        counts = Counter(entry.tournament for entry in ledger.games())
        assert set(counts.values()) == {60, 61}
        assert all(one.finished for one in ledger.tournaments())


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


def test_exports(ledger: Ledger) -> None:
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
