"""Matches, tournaments, leagues and ledgers on the command line."""

import json
from pathlib import Path

import pytest

from helpers.bots import command
from helpers.cli_runs import Program
from saddlepoint.arena import summary
from saddlepoint.arena.statistics.ratings import rate
from saddlepoint.cli import arena_options
from saddlepoint.cli.tournament import _print_cycles

SEARCH = "alphabeta(evaluator=voronoi)"
SHALLOW = "alphabeta(evaluator=voronoi, depth=1)"
SMALL = ("--size", "8x6", "--nodes", "100")


def test_a_match_is_paired_and_tested(cli: Program) -> None:
    asked = ("match", SEARCH, "random", "-n", "60", "--swap", *SMALL, "-j", "1", "--sprt", "elo0=0 elo1=200")
    data = cli.data(*asked)
    assert data["decided"]
    assert data["sprt"]["decision"] == "H1"
    assert data["games"] < 60
    assert data["paired"]["elo"]["low"] > 0
    out = cli.printed(*asked)
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
def test_a_tournament_prints_ratings_and_the_cross_table(cli: Program) -> None:
    asked = ("tournament", "random", SEARCH, SHALLOW, "-n", "4", *SMALL, "-j", "1")
    out = cli.printed(*asked, "--anchor", "random=100")
    for text in (
        "12 games",
        "Elo",
        "+100",
        "95 %",
        "Nash average (no player beats it)",
        "score of the player on the left",
    ):
        assert text in out
    data = cli.data(*asked, "--kind", "gauntlet")
    assert data["games"] == 8
    assert {row["player"] for row in data["ratings"]} == {"random", SEARCH, SHALLOW}
    assert len(data["cross_table"]) == 4


def test_a_league(cli: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        summary, "rate", lambda table, anchor, resamples: rate(table, anchor, resamples=20)
    )  # quickly
    ledger = str(tmp_path / "league.db")
    assert "is in the league of light_riders; its players: random" in cli.printed(
        "league", "add", ledger, "random", *SMALL
    )
    cli("league", "add", ledger, SEARCH)
    out = cli.printed("league", "run", ledger, "-n", "6", "-j", "1")
    assert "6 of 6" in out or "6 games" in out
    assert "random left" in cli.printed("league", "remove", ledger, "random")
    data = cli.data("league", "show", ledger)
    assert data["in_the_league"] == [SEARCH]
    assert (data["games"], data["games_per_second"]) == (6, None)  # whoever only looks plays none
    shown = cli.printed("league", "show", ledger)
    assert shown.splitlines()[0] == "6 games"
    assert f"in the league: {SEARCH}" in shown


def test_a_leagues_further_players_are_of_its_own_game(cli: Program, tmp_path: Path) -> None:
    add = ("league", "add", str(tmp_path / "league.db"))
    cli(*add, "random", "--game", "tic_tac_toe", "--time", "0.1")
    # This search is for games in turn, and Light Riders, the game of a command that names none, is not one.
    assert "is in the league of tic_tac_toe" in cli.printed(*add, "pvs(depth=1)")
    assert "riders_smab plays light_riders, not tic_tac_toe" in cli.refused(*add, "riders_smab")
    assert "plays tic_tac_toe, not othello; leave --game out" in cli.refused(
        *add, "best", "--game", "othello"
    )


def test_played_games_are_listed_shown_replayed_and_exported(cli: Program, tmp_path: Path) -> None:
    ledger, target = str(tmp_path / "games.db"), tmp_path / "games.txt"
    crash = "cmd:" + command(tmp_path, "crash_after_a_move")
    into = ("-n", "2", "-j", "1", "--ledger", ledger)
    out = cli.printed("match", SEARCH, crash, "--swap", "--size", "8x6", "--bank", "5", *into)
    assert f"to play these games again: saddlepoint ledger list {ledger} --cause fault" in out
    cli("match", SEARCH, "random", *SMALL, *into)
    out, err = cli.ended(0, "ledger", "list", ledger)
    assert f"saddlepoint ledger replay {ledger} 1" in out  # lost by a fault
    assert "4 of 4 games" in err
    assert f"saddlepoint ledger replay {ledger} 4" not in out
    rows = cli.data("ledger", "list", ledger, "--cause", "rules")
    assert [row["id"] for row in rows] == [3, 4]
    assert all(row["turns"] == row["steps"] for row in rows)  # no chance moves in Light Riders
    assert "result" in cli.printed("ledger", "show", ledger, "3")
    assert cli.printed("ledger", "show", ledger, "3", "--step", "1").startswith("after 1 of ")
    assert "the same moves" in cli.printed("ledger", "replay", ledger, "3")
    assert cli("ledger", "replay", ledger, "1", "--yes")[1].count("exited with code 3") == 2
    exported = cli.printed("ledger", "export", ledger, "--player", "random").splitlines()
    assert [json.loads(line)["id"] for line in exported] == [3, 4]
    cli.printed("ledger", "export", ledger, "--format", "text", "-o", str(target))
    assert target.read_text().count("[Result ") == 4
    for words, said in (
        (("list", ledger, "--since", "tomorrow"), "--since"),
        (("export", ledger, "--format", "xml"), "--format"),
        (("show", ledger, "99"), f"{ledger!r} has no game 99\n"),
    ):
        assert said in cli.refused("ledger", *words)


def cycle(*players, certain):
    return {"players": list(players), "certain": certain}


def test_cycles_beyond_chance_are_named_and_the_others_counted(capsys: pytest.CaptureFixture[str]) -> None:
    _print_cycles(
        [
            cycle("a", "b", "c", certain=False),
            cycle("x", "y", "z", certain=True),
            cycle("a", "c", "d", certain=False),
        ]
    )
    assert capsys.readouterr().out.splitlines() == [
        "a cycle (each by more than chance explains): x beats y beats z beats x",
        "cycles that may be chance: 2 (--json lists them)",
    ]


def test_without_cycles_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    _print_cycles([])
    assert capsys.readouterr().out == ""
