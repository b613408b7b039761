"""Programs that play the same game again and again: one game is one observation, with a clock or without."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli

__all__ = ["cli"]  # a fixture

_BOT = """
import random, sys
draw, at_fault = None, {at_fault!r}
for line in sys.stdin:
    words = line.split()
    if words[0] == "seed":
        draw = random.Random(int(words[1]))
    elif words[0] == "begin":
        moves = 0
        print("ready", flush=True)
    elif words[0] == "legal":
        legal = words[1:]
    elif words[0] == "go":
        moves += 1
        if at_fault and moves == 2:
            print("move nowhere", flush=True)
        else:
            print("move", {choice}, flush=True)
"""
FIRST, LAST, ANY = "legal[0]", "legal[-1]", "draw.choice(legal)"


def bot(folder: Path, name: str, choice: str, at_fault: bool = False) -> str:
    """A program that always takes the first move, or the last, or any; one that is `at_fault` breaks the rules in its second."""
    path = folder / f"{name}.py"
    path.write_text(_BOT.format(choice=choice, at_fault=at_fault))
    return f"cmd:{sys.executable} {path}"


def matched(cli: Any, a: str, b: str, *more: str) -> str:
    """What is told of a match of 30 games from the start of tic-tac-toe, by the clock."""
    arguments = [
        "match",
        a,
        b,
        "--game",
        "tic_tac_toe",
        "--openings",
        "start",
        "-n",
        "30",
        "--time",
        "5",
        "--seed",
        "1",
        "-j",
        "1",
        *more,
    ]
    code, told, err = cli(*arguments)
    assert code == 0, err
    return " ".join(told.split())


def figures(cli: Any, a: str, b: str, *more: str) -> dict[str, Any]:
    """The figures of such a match."""
    return json.loads(matched(cli, a, b, *more, "--json"))


def test_copies_of_a_game_are_one_observation_and_no_test_accepts_them(cli: Any, tmp_path: Path) -> None:
    ledger = tmp_path / "games.db"
    arguments = ("--sprt", "elo0=0 elo1=200", "--ledger", str(ledger))
    bots = bot(tmp_path, "a", FIRST), bot(tmp_path, "b", LAST)
    data, told = figures(cli, *bots, *arguments), matched(cli, *bots, *arguments)  # the same games once more
    assert data["wins"] + data["draws"] + data["losses"] == 1
    assert data["sprt"]["decision"] == "continue"
    low, high = data["interval95"]
    assert high - low > 0.75, "of one game hardly anything follows"
    assert data["games"] < 30
    assert data["repeats"] == data["games"] - 1
    assert "--openings random:4" in data["exhausted"]
    assert "move for move, and count once: different games 1" in told
    assert (
        f"what was left was not played: the same games came again and again: of {data['games']} games all are one; "
        in told
    )
    assert "stopped without a decision" in told
    page = tmp_path / "report.html"
    assert cli("report", str(ledger), "-o", str(page))[0] == 0
    assert (
        f"{2 * data['games'] - 1} of {2 * data['games']} games repeat an earlier one, move for move"
        in page.read_text()
    )
    connection = sqlite3.connect(ledger)
    assert connection.execute("SELECT count(DISTINCT actions) FROM games").fetchone() == (1,)
    connection.close()


def test_with_sides_swapped_there_are_two_games(cli: Any, tmp_path: Path) -> None:
    data = figures(cli, bot(tmp_path, "a", FIRST), bot(tmp_path, "b", LAST), "--swap")
    assert data["wins"] + data["draws"] + data["losses"] == 2
    assert sum(data["paired"]["pairs"]) == 1


@pytest.mark.slow
def test_the_same_fault_again_is_no_new_observation(cli: Any, tmp_path: Path) -> None:
    data = figures(cli, bot(tmp_path, "a", FIRST), bot(tmp_path, "b", LAST, at_fault=True))
    assert (data["wins"], data["losses"], data["fault_count"]) == (1, 0, data["games"])


def test_all_games_of_a_program_that_varies_count(cli: Any, tmp_path: Path) -> None:
    data = figures(cli, bot(tmp_path, "a", FIRST), bot(tmp_path, "b", ANY))
    assert data["wins"] + data["draws"] + data["losses"] == data["games"] == 30
    assert data["repeats"] == 0


@pytest.mark.parametrize("command", ["tournament", pytest.param("league", marks=pytest.mark.slow)])
def test_tournaments_and_leagues_leave_copies_out(cli: Any, tmp_path: Path, command: str) -> None:
    players = [bot(tmp_path, "a", FIRST), bot(tmp_path, "b", LAST)]
    if command == "league":
        ledger = str(tmp_path / "league.db")
        for player in players:
            assert (
                cli(
                    "league",
                    "add",
                    ledger,
                    player,
                    "--game",
                    "tic_tac_toe",
                    "--openings",
                    "start",
                    "--time",
                    "5",
                )[0]
                == 0
            )
        arguments = ["league", "run", ledger, "-n", "200", "-j", "1"]
    else:
        arguments = [
            "tournament",
            *players,
            "--game",
            "tic_tac_toe",
            "--openings",
            "start",
            "-n",
            "200",
            "--time",
            "5",
            "-j",
            "1",
        ]
    code, out, err = cli(*arguments, "--json")
    assert code == 0, err
    data = json.loads(out)
    assert data["games"] < 100, (
        "batches that were under way are played to their end: how many games they have is for the machine's speed"
    )
    assert [row["games"] for row in data["ratings"]] == [2, 2]
    assert "only 2 differ" in data["exhausted"]
