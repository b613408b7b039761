"""Programs that play the same game again and again: one game is one observation, with a clock or without."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from helpers.cli_runs import Program

_BOT = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "begin":
        print("ready", flush=True)
    elif words[0] == "legal":
        legal = words[1:]
    elif words[0] == "go":
        print("move", legal[{choice}], flush=True)
"""
START = ("--game", "tic_tac_toe", "--openings", "start", "--time", "5")


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    """Programs of which one always takes the first move, the other the last."""
    paths = tmp_path / "first.py", tmp_path / "last.py"
    for path, choice in zip(paths, (0, -1), strict=True):
        path.write_text(_BOT.format(choice=choice))
    return [f"cmd:{sys.executable} {path}" for path in paths]


def test_copies_of_a_game_are_one_observation_and_no_test_accepts_them(
    cli: Program, tmp_path: Path, bots: list[str]
) -> None:
    ledger, page = str(tmp_path / "games.db"), tmp_path / "report.html"
    asked = (
        "match",
        *bots,
        *START,
        "-n",
        "30",
        "--seed",
        "1",
        "-j",
        "1",
        "--sprt",
        "elo0=0 elo1=200",
        "--ledger",
        ledger,
    )
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


@pytest.mark.parametrize("command", ["tournament", pytest.param("league", marks=pytest.mark.slow)])
def test_tournaments_and_leagues_leave_copies_out(
    cli: Program, tmp_path: Path, bots: list[str], command: str
) -> None:
    asked = ("tournament", *bots, *START, "-n", "200", "-j", "1")
    if command == "league":
        ledger = str(tmp_path / "league.db")
        for player in bots:
            cli.printed("league", "add", ledger, player, *START)
        asked = ("league", "run", ledger, "-n", "200", "-j", "1")
    data = cli.data(*asked)
    assert data["games"] < 100, (
        "batches that were under way are played to their end: how many games they have is for the machine's speed"
    )
    assert [row["games"] for row in data["ratings"]] == [2, 2]
    assert "only 2 differ" in data["exhausted"]
