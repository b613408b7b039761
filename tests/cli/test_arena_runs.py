"""Matches, tournaments, leagues and ledgers on the command line."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from helpers.bots import command
from helpers.cli_runs import cli, games_in, program
from saddlepoint.arena import summary
from saddlepoint.arena.statistics.ratings import rate
from saddlepoint.cli import arena_options

SEARCH = "alphabeta(evaluator=voronoi)"
SMALL = ["--size", "8x6", "--nodes", "100"]

__all__ = ["cli"]  # a fixture


def test_a_match_is_paired_and_tested(cli: Any) -> None:
    arguments = [
        "match",
        SEARCH,
        "random",
        "-n",
        "60",
        "--swap",
        *SMALL,
        "-j",
        "1",
        "--sprt",
        "elo0=0 elo1=200",
    ]
    data = json.loads(cli(*arguments, "--json")[1])
    assert data["decided"]
    assert data["sprt"]["decision"] == "H1"
    assert data["games"] < 60
    assert data["paired"]["elo"]["low"] > 0
    out = cli(*arguments)[1]
    assert "H1 accepted" in out
    assert "LOS 9" in " ".join(out.split()), "wherever the line is broken"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("300M", 300 << 20),
        ("300", 300 << 20),
        ("300 MB", 300 << 20),
        ("1.5G", 3 << 29),
        ("2GiB", 2 << 30),
        ("400000000", 400_000_000),
    ],
)
def test_a_size_of_memory_means_what_people_think(text: str, size: int) -> None:
    assert arena_options.read_bytes(text) == size


@pytest.mark.slow
def test_a_tournament_prints_ratings_and_the_cross_table(cli: Any, tmp_path: Path) -> None:
    arguments = [
        "tournament",
        "random",
        SEARCH,
        "alphabeta(evaluator=voronoi, depth=1)",
        "-n",
        "4",
        *SMALL,
        "-j",
        "1",
    ]
    code, out, _ = cli(*arguments, "--anchor", "random=100")
    assert code == 0
    for text in (
        "12 games",
        "Elo",
        "+100",
        "95 %",
        "Nash average (no player beats it)",
        "score of the player on the left",
    ):
        assert text in out
    data = json.loads(cli(*arguments, "--json", "--kind", "gauntlet")[1])
    assert data["games"] == 8
    assert {row["player"] for row in data["ratings"]} == {
        "random",
        SEARCH,
        "alphabeta(evaluator=voronoi, depth=1)",
    }
    assert len(data["cross_table"]) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tournament", "random", "-n", "2"], "at least two players"),
        (["tournament", "random", "random", "best"], "random is there twice"),
        (
            ["tournament", "random", "best", "--kind", "swiss"],
            "--kind is round-robin, gauntlet, knockout, ladder",
        ),
        (["tournament", "random", "best", "--anchor", "random"], "--anchor takes PLAYER=ELO"),
        (["tournament", "random", "best", "--anchor", "ace=3"], "who does not play"),
        (["tournament", "random", "best", "--resume"], "give the file"),
        (["match", "random", "./none.py"], "there is no program './none.py'"),
        (
            ["tournament", "random", "cmd:no_such_program --fast", "--game", "goofspiel"],
            "there is no program 'no_such_program'",
        ),
        (["show", "none.jsonl"], "there is no file 'none.jsonl'"),
        (["match", "random", "random", "--memory", "much"], "--memory takes a size"),
        (["match", "random", "random", "--memory", "300K"], "--memory takes a size of 1M or more"),
        (["match", "random", "random", "--memory", "0"], "--memory takes a size of 1M or more"),
        (
            ["match", "random", "random", "--isolate=tight"],
            "--isolate takes auto, namespaces, supervisor or all, not 'tight'",
        ),
        (["match", "random", "random", "--sandbox", "'"], "is no command"),
        (
            ["match", "random", "cmd:cat", "--sandbox", "no-such-sandbox"],
            "there is no program 'no-such-sandbox'",
        ),
        (["match", "random", "random", "--game", "./mygame.py"], "FILE.py:CLASS"),
        (
            ["match", "random", "random", "--openings", "none.txt"],
            "openings are start, starts, random:PLIES, 'moves: ...' or a file",
        ),
        (["match", "random", "random", "--sprt", "elo0=3"], "elo1"),
        (["match", "random", "random", "--executor", "here"], "dask://HOST:PORT"),
        (["match", "random", "random", "--ledger", "/no/such/folder/games.db"], "the folder of"),
        (["match", "random", "random", "--resume", "--ledger", "/no/such.db"], "there is no ledger"),
        (["ledger", "list", "/no/such.db"], "there is no ledger"),
        (["ledger", "show", "/no/such.db", "1"], "there is no ledger"),
        (["ledger", "sow"], "No such command 'sow'"),
        (["league", "show", "/no/such.db"], "there is no ledger"),
        (["league", "add", "/no/such/folder.db", "random"], "the folder of"),
        (["league", "add", "league.db", "randon"], "did you mean random?"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(
    cli: Any, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_interrupted_tournament_resumes_where_it_stopped(tmp_path: Path) -> None:
    ledger = tmp_path / "games.db"
    arguments = [
        "tournament",
        SEARCH,
        "random",
        "alphabeta(evaluator=voronoi, depth=1)",
        "-n",
        "100",
        *SMALL,
        "--ledger",
        str(ledger),
    ]
    arguments += [
        "--openings",
        "random:4",
    ]  # of the few starts the same games would come again, and be left out
    running = program(*arguments, "-j", "2", start_new_session=True)
    deadline = time.monotonic() + 100
    while games_in(ledger) < 20:
        assert time.monotonic() < deadline
        assert running.poll() is None
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "of 300 games" in out
    assert "--resume goes on" in err
    before = games_in(ledger)
    assert 20 <= before < 300
    resumed = program(*arguments, "-j", "2", "--resume", "--json")
    data = json.loads(resumed.communicate(timeout=200)[0])
    assert data["games"] == games_in(ledger) == 300
    again = program(*arguments, "--resume")
    assert "has no unfinished round-robin" in again.communicate(timeout=60)[1]


def test_a_league(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        summary, "rate", lambda table, anchor, resamples: rate(table, anchor, resamples=20)
    )  # quickly
    ledger = str(tmp_path / "league.db")
    assert (
        "is in the league of light_riders; its players: random"
        in cli("league", "add", ledger, "random", *SMALL)[1]
    )
    cli("league", "add", ledger, SEARCH)
    code, out, _ = cli("league", "run", ledger, "-n", "6", "-j", "1")
    assert code == 0
    assert "6 of 6" in out or "6 games" in out
    assert "random left" in cli("league", "remove", ledger, "random")[1]
    data = json.loads(cli("league", "show", ledger, "--json")[1])
    assert data["in_the_league"] == [SEARCH]
    assert (data["games"], data["games_per_second"]) == (6, None)  # whoever only looks plays none
    assert cli("league", "show", ledger)[1].splitlines()[0] == "6 games"
    assert f"in the league: {SEARCH}" in cli("league", "show", ledger)[1]


def test_a_leagues_further_players_are_of_its_own_game(cli: Any, tmp_path: Path) -> None:
    ledger = str(tmp_path / "league.db")
    cli("league", "add", ledger, "random", "--game", "tic_tac_toe", "--time", "0.1")
    # This search is for games in turn, and Light Riders, the game of a command that names none, is not one.
    assert "is in the league of tic_tac_toe" in cli("league", "add", ledger, "pvs(depth=1)")[1]
    code, _, err = cli("league", "add", ledger, "riders_smab")
    assert (code, "riders_smab plays light_riders, not tic_tac_toe" in err) == (2, True)
    code, _, err = cli("league", "add", ledger, "best", "--game", "othello")
    assert (code, "plays tic_tac_toe, not othello; leave --game out" in err) == (2, True)


def test_played_games_are_listed_shown_replayed_and_exported(cli: Any, tmp_path: Path) -> None:
    ledger = str(tmp_path / "games.db")
    crash = "cmd:" + command(tmp_path, "crash_after_a_move")
    out = cli(
        "match",
        SEARCH,
        crash,
        "-n",
        "2",
        "--swap",
        "--size",
        "8x6",
        "--bank",
        "5",
        "-j",
        "1",
        "--ledger",
        ledger,
    )[1]
    assert f"to play these games again: saddlepoint ledger list {ledger} --cause fault" in out
    cli("match", SEARCH, "random", "-n", "2", *SMALL, "-j", "1", "--ledger", ledger)
    code, out, err = cli("ledger", "list", ledger)
    assert code == 0
    assert f"saddlepoint ledger replay {ledger} 1" in out  # lost by a fault
    assert "4 of 4 games" in err
    assert f"saddlepoint ledger replay {ledger} 4" not in out
    rows = json.loads(cli("ledger", "list", ledger, "--cause", "rules", "--json")[1])
    assert [row["id"] for row in rows] == [3, 4]
    assert cli("ledger", "list", ledger, "--since", "tomorrow")[0] == 2
    assert "result" in cli("ledger", "show", ledger, "3")[1]
    assert cli("ledger", "show", ledger, "3", "--step", "1")[1].startswith("after 1 of ")
    assert all(row["turns"] == row["steps"] for row in rows)  # no chance moves in Light Riders
    assert "the same moves" in cli("ledger", "replay", ledger, "3")[1]
    assert cli("ledger", "replay", ledger, "1", "--yes")[1].count("exited with code 3") == 2
    lines = [
        json.loads(line) for line in cli("ledger", "export", ledger, "--player", "random")[1].splitlines()
    ]
    assert [line["id"] for line in lines] == [3, 4]
    target = tmp_path / "games.txt"
    assert cli("ledger", "export", ledger, "--format", "text", "-o", str(target))[0] == 0
    assert target.read_text().count("[Result ") == 4
    assert cli("ledger", "export", ledger, "--format", "xml")[0] == 2
    assert cli("ledger", "show", ledger, "99")[2] == f"saddlepoint: {ledger!r} has no game 99\n"
