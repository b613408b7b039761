"""`ledger`: what the list says beside the games, and what a merged ledger mixes."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli
from saddlepoint.arena.conditions import Job, VoidGame
from saddlepoint.arena.ledger import Ledger

MATCH = ["match", "random", "random", "-n", "2", "--game", "goofspiel(cards=3)", "-j", "1"]

__all__ = ["cli"]  # a fixture


def test_the_list_tells_how_many_games_were_void(cli: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    cli(*MATCH, "--nodes", "50", "--ledger", path)
    with Ledger(path) as ledger:
        ledger.add_void(1, VoidGame(Job(0, 0, ("random", "random"), "", 1), "a full disk"))
    assert cli("ledger", "list", path)[2] == "2 of 2 games; 1 more were void, because the machine failed\n"


def test_merging_tells_where_games_had_different_conditions(cli: Any, tmp_path: Path) -> None:
    one, two, both = (str(tmp_path / name) for name in ("one.db", "two.db", "both.db"))
    cli(*MATCH, "--nodes", "50", "--ledger", one)
    cli(*MATCH, "--nodes", "60", "--ledger", two)
    assert "different conditions" not in cli("ledger", "merge", one, "-o", both)[2]
    code, out, err = cli("ledger", "merge", two, "-o", both)
    assert code == 0
    assert "2 games added" in out
    assert "has games of goofspiel under different conditions" in err


@pytest.mark.slow
def test_a_ledger_that_does_not_name_a_player_is_told(cli: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "games.db")
    assert cli("match", "random", "random", "--game", "tic_tac_toe", "-n", "2", "--ledger", file)[0] == 0
    with closing(sqlite3.connect(file)) as book:
        book.execute("DELETE FROM players")
        book.commit()
    code, _, err = cli("ledger", "merge", file, "-o", str(tmp_path / "all.db"))
    assert code == 2
    assert (
        err
        == "saddlepoint: game 0 of tournament 1 has a player that the ledger does not name: it is damaged\n"
    )


def test_the_list_is_filtered_by_the_result(cli: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    cli(
        "match",
        "random",
        "best",
        "--game",
        "biased_rps",
        "-n",
        "24",
        "--swap",
        "-j",
        "1",
        "--seed",
        "1",
        "--ledger",
        path,
    )

    def numbers(*words: str) -> set[int]:
        code, out, _ = cli("ledger", "list", path, "--last", "100", "--json", *words)
        assert code == 0
        return {row["id"] for row in json.loads(out)}

    rows = json.loads(cli("ledger", "list", path, "--last", "100", "--json")[1])
    ends = {row["id"]: (row["player 0"], row["player 1"], row["result"]) for row in rows}
    drawn = {one for one, (_, _, result) in ends.items() if result == "0.5-0.5"}
    won = {
        one
        for one, (a, b, result) in ends.items()
        if (a == "random" and result == "1-0") or (b == "random" and result == "0-1")
    }
    assert drawn and won and set(ends) - drawn - won  # of every kind there are some
    assert numbers("--drawn") == numbers("--result", "0") == drawn
    assert numbers("--won-by", "random") == won == numbers("--lost-by", "best")
    assert numbers("--lost-by", "random") == set(ends) - drawn - won
    with Ledger(path) as ledger:
        value = ledger.game(min(won)).played.result
        same = {one for one in ends if ledger.game(one).played.result == value}
    assert numbers("--result", str(value)) == same
    code, _, err = cli("ledger", "list", path, "--drawn", "--won-by", "random")
    assert (code, err) == (
        2,
        "saddlepoint: a game that is --drawn is neither --won-by nor --lost-by anybody; give one of them\n",
    )


def test_a_clock_of_one_player_is_reason_enough_to_look_at_the_machine(
    cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("saddlepoint.arena.workers.oversubscribed", lambda *_: "the machine is busy already")
    assert "busy already" not in cli(*MATCH, "--nodes", "50")[2]
    assert "busy already" in cli(*MATCH, "--nodes", "50", "--time-of", "random=5")[2]
