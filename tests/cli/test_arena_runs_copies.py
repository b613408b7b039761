"""Programs that play the same game again and again: one game is one observation, with a clock or without."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from helpers.cli_runs import Program

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
START = ("--game", "tic_tac_toe", "--openings", "start", "--time", "5")


def bot(folder: Path, name: str, choice: str, at_fault: bool = False) -> str:
    """A program that always takes the first move, or the last, or any; one that is `at_fault` breaks the rules in its second."""
    path = folder / f"{name}.py"
    path.write_text(_BOT.format(choice=choice, at_fault=at_fault))
    return f"cmd:{sys.executable} {path}"


def match(folder: Path, other: str, at_fault: bool = False) -> tuple[str, ...]:
    """A match of 30 games from the start of tic-tac-toe, by the clock, of a program that takes the first move."""
    bots = bot(folder, "a", FIRST), bot(folder, "b", other, at_fault)
    return ("match", *bots, *START, "-n", "30", "--seed", "1", "-j", "1")


def test_copies_of_a_game_are_one_observation_and_no_test_accepts_them(cli: Program, tmp_path: Path) -> None:
    ledger, page = str(tmp_path / "games.db"), tmp_path / "report.html"
    asked = (*match(tmp_path, LAST), "--sprt", "elo0=0 elo1=200", "--ledger", ledger)
    data = cli.data(*asked)
    told = " ".join(cli.printed(*asked).split())  # the same games once more
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
    cli.printed("report", ledger, "-o", str(page))
    assert (
        f"{2 * data['games'] - 1} of {2 * data['games']} games repeat an earlier one, move for move"
        in page.read_text()
    )
    with closing(sqlite3.connect(ledger)) as connection:
        assert connection.execute("SELECT count(DISTINCT actions) FROM games").fetchone() == (1,)


def test_with_sides_swapped_there_are_two_games(cli: Program, tmp_path: Path) -> None:
    data = cli.data(*match(tmp_path, LAST), "--swap")
    assert data["wins"] + data["draws"] + data["losses"] == 2
    assert sum(data["paired"]["pairs"]) == 1


@pytest.mark.slow
def test_the_same_fault_again_is_no_new_observation(cli: Program, tmp_path: Path) -> None:
    data = cli.data(*match(tmp_path, LAST, at_fault=True))
    assert (data["wins"], data["losses"], data["fault_count"]) == (1, 0, data["games"])


def test_all_games_of_a_program_that_varies_count(cli: Program, tmp_path: Path) -> None:
    data = cli.data(*match(tmp_path, ANY))
    assert data["wins"] + data["draws"] + data["losses"] == data["games"] == 30
    assert data["repeats"] == 0


@pytest.mark.parametrize("command", ["tournament", pytest.param("league", marks=pytest.mark.slow)])
def test_tournaments_and_leagues_leave_copies_out(cli: Program, tmp_path: Path, command: str) -> None:
    players = [bot(tmp_path, "a", FIRST), bot(tmp_path, "b", LAST)]
    asked = ("tournament", *players, *START, "-n", "200", "-j", "1")
    if command == "league":
        ledger = str(tmp_path / "league.db")
        for player in players:
            cli.printed("league", "add", ledger, player, *START)
        asked = ("league", "run", ledger, "-n", "200", "-j", "1")
    data = cli.data(*asked)
    assert data["games"] < 100, (
        "batches that were under way are played to their end: how many games they have is for the machine's speed"
    )
    assert [row["games"] for row in data["ratings"]] == [2, 2]
    assert "only 2 differ" in data["exhausted"]
