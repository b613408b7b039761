"""`ledger`: what the list says, what a merged one mixes; one from somebody else starts nothing unasked, and no cell of it shows a trace."""

import inspect
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import Program
from saddlepoint.arena.conditions import Job, VoidGame
from saddlepoint.arena.ledger import Ledger
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue.commands import reaches_outside
from saddlepoint.games.catalogue.players import roster
from saddlepoint.players.named import NamedPlayer

MATCH = ["match", "random", "random", "-n", "2", "--game", "goofspiel(cards=3)", "-j", "1"]


def test_the_list_tells_how_many_games_were_void(cli: Program, tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    cli(*MATCH, "--nodes", "50", "--ledger", path)
    with Ledger(path) as ledger:
        ledger.add_void(1, VoidGame(Job(0, 0, ("random", "random"), "", 1), "a full disk"))
    assert cli("ledger", "list", path)[2] == "2 of 2 games; 1 more were void, because the machine failed\n"


def test_merging_tells_where_games_had_different_conditions(cli: Program, tmp_path: Path) -> None:
    one, two, both = (str(tmp_path / name) for name in ("one.db", "two.db", "both.db"))
    cli(*MATCH, "--nodes", "50", "--ledger", one)
    cli(*MATCH, "--nodes", "60", "--ledger", two)
    assert "different conditions" not in cli("ledger", "merge", one, "-o", both)[2]
    out, err = cli.ended(0, "ledger", "merge", two, "-o", both)
    assert "2 games added" in out
    assert "has games of goofspiel under different conditions" in err


@pytest.mark.slow
def test_a_ledger_that_does_not_name_a_player_is_told(cli: Program, tmp_path: Path) -> None:
    file = str(tmp_path / "games.db")
    cli.printed("match", "random", "random", "--game", "tic_tac_toe", "-n", "2", "--ledger", file)
    with closing(sqlite3.connect(file)) as book:
        book.execute("DELETE FROM players")
        book.commit()
    assert (
        "game 0 of tournament 1 has a player that the ledger does not name: it is damaged\n"
        in cli.refused("ledger", "merge", file, "-o", str(tmp_path / "all.db"))
    )


def test_the_list_is_filtered_by_the_result(cli: Program, tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    more = ("-n", "24", "--swap", "-j", "1", "--seed", "1", "--ledger", path)
    # This player always shows paper.
    cli.printed("match", "random", "saddle", "--game", "biased_rps", "--nodes", "10", *more)
    asked = ("ledger", "list", path, "--last", "100")

    def numbers(*words: str) -> set[int]:
        return {row["id"] for row in cli.data(*asked, *words)}

    rows = cli.data(*asked)
    ends = {row["id"]: (row["player 0"], row["player 1"], row["result"]) for row in rows}
    drawn = {one for one, (_, _, result) in ends.items() if result == "0.5-0.5"}
    won = {
        one
        for one, (a, b, result) in ends.items()
        if (a == "random" and result == "1-0") or (b == "random" and result == "0-1")
    }
    assert drawn and won and set(ends) - drawn - won  # of every kind there are some
    assert numbers("--drawn") == numbers("--result", "0") == drawn
    assert numbers("--won-by", "random") == won == numbers("--lost-by", "saddle")
    assert numbers("--lost-by", "random") == set(ends) - drawn - won
    with Ledger(path) as ledger:
        value = ledger.game(min(won)).played.result
        same = {one for one in ends if ledger.game(one).played.result == value}
    assert numbers("--result", str(value)) == same
    assert (
        "a game that is --drawn is neither --won-by nor --lost-by anybody; give one of them\n"
        in cli.refused(*asked, "--drawn", "--won-by", "random")
    )


def test_a_clock_of_one_player_is_reason_enough_to_look_at_the_machine(
    cli: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("saddlepoint.cli.arena_runs.oversubscribed", lambda *_: "the machine is busy already")
    assert "busy already" not in cli(*MATCH, "--nodes", "50")[2]
    assert "busy already" in cli(*MATCH, "--nodes", "50", "--time-of", "random=5")[2]


ONE_GAME = ("--game", "goofspiel(cards=3)", "-n", "1", "-j", "1")
BOT = """\
from pathlib import Path

Path({mark!r}).touch()


def choose(*arguments):
    return 0
"""


@pytest.fixture
def foreign(cli: Program, tmp_path: Path) -> tuple[str, Path]:
    """A ledger with a game of a Python file, and the mark that the file leaves wherever it runs."""
    mark, bot, ledger = tmp_path / "mark", tmp_path / "bot.py", str(tmp_path / "games.db")
    bot.write_text(BOT.format(mark=str(mark)))
    cli.printed(
        "match", str(bot), "random", *ONE_GAME, "--bank", "30", "--isolate=supervisor", "--ledger", ledger
    )
    mark.unlink()
    return ledger, mark


@pytest.mark.slow
def test_without_a_terminal_it_is_refused_in_one_sentence(foreign: tuple[str, Path], cli: Program) -> None:
    ledger, mark = foreign
    err = cli.refused("ledger", "replay", ledger, "1")
    assert "bot.py" in err and "--yes" in err
    assert not mark.exists()
    assert cli("ledger", "replay", ledger, "1", "--yes")[0] == 0
    assert mark.exists()


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_on_a_terminal_it_is_asked(foreign: tuple[str, Path], terminal: Any, answer: str) -> None:
    ledger, mark = foreign
    asked = terminal("ledger", "replay", ledger, "1")
    asked.wait_for("[y/N]")
    assert "bot.py" in asked.shown
    assert not mark.exists()
    asked.press(f"{answer}\n")
    assert asked.end() == (0 if answer == "y" else 2)
    assert mark.exists() == (answer == "y")


def test_a_command_before_every_program_needs_leave(cli: Program, tmp_path: Path) -> None:
    ledger = str(tmp_path / "games.db")
    cli.printed(
        "match",
        "random",
        "random",
        *ONE_GAME,
        "--ledger",
        ledger,
        "--isolate=supervisor",
        "--sandbox",
        "nice -n 1",
    )
    err = cli.refused("ledger", "replay", ledger, "1")
    assert "nice -n 1" in err and "--yes" in err


@pytest.mark.parametrize(
    ("spec", "outside"),
    [
        ("random", False),
        ("smab(depth=3, evaluator=voronoi)", False),
        ("alphabeta(evaluator=voronoi_edges(k1=-0.8))", False),
        ("best(choice=mixture)", False),
        ("./bot.py", True),
        ("cmd:true", True),
        ("http://127.0.0.1:1", True),
        ("asp(file=bots)", True),
        ("asp(file=bots, bot=StudentBot)", True),
        ('solution("book")', True),
        ("best(file=book)", True),
        ("solution(file=book)", True),
        ("database", False),
        ("later(inner=asp(file=bots))", True),
        ("later(inner=deeper(x=cmd(command=true)))", True),
        ('later(model="weights.bin")', True),
        ('alphabeta(evaluator=net("w.npz"))', True),
    ],
)
def test_what_a_spec_reaches_is_found_at_any_depth(spec: str, outside: bool) -> None:
    assert reaches_outside(parse_spec(spec)) is outside


@pytest.mark.parametrize("entry", roster(), ids=lambda entry: f"{entry.name}-{entry.game}")
def test_every_text_of_a_named_player_is_a_file_or_a_word(entry: NamedPlayer) -> None:
    options = list(inspect.signature(entry.factory).parameters.values())[2:]
    texts = {option.name for option in options if "str" in str(option.annotation)}
    assert texts - set(entry.files) <= {"choice", "bot"}, (
        "an option with a text is declared to be a File, or named here as a word"
    )


# -- any cell may hold anything ------------------------------------------------------------------------------------------

WRONG = (None, "x", b"\xff\xfe", -1, 2**62, float("inf"), 1.5, "", "[]", "{}", "null", '{"a": 1}', "[[1]]")
COMMANDS = (
    ("report", "-o", "report.html"),
    ("ledger list",),
    ("ledger show", "1", "--step", "1"),
    ("ledger show", "1", "--json"),
    ("ledger export",),
    ("ledger export", "--format", "text"),
    ("ledger replay", "1", "--yes"),
    ("review", "--number", "1", "--nodes", "10"),
)
LEAGUE = (("league show",),)


def cells(path: Path) -> list[tuple[str, str]]:
    """The tables that have rows, with each of their columns."""
    with closing(sqlite3.connect(path)) as book, book:
        tables = [name for (name,) in book.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        filled = [name for name in tables if book.execute(f"SELECT count(*) FROM {name}").fetchone()[0]]
        return [(name, row[1]) for name in filled for row in book.execute(f"PRAGMA table_info({name})")]


@pytest.mark.slow
@pytest.mark.parametrize("commands", [COMMANDS, LEAGUE], ids=["games", "league"])
@pytest.mark.usefixtures("here")
def test_whatever_stands_in_a_cell_no_command_shows_a_trace(
    commands: tuple[tuple[str, ...], ...], cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    if commands is LEAGUE:
        cli("league", "add", "whole.db", "random", "--game", "tic_tac_toe", "--time", "0.1")
        cli("league", "add", "whole.db", "pvs(depth=1)", "--game", "tic_tac_toe", "--time", "0.1")
        assert cli("league", "run", "whole.db", "-n", "2", "-j", "1")[0] == 0
    else:
        assert (
            cli(
                "match",
                "random",
                "random",
                "-n",
                "2",
                "--game",
                "tic_tac_toe",
                "--time",
                "0.1",
                "-j",
                "1",
                "--ledger",
                "whole.db",
            )[0]
            == 0
        )
    for place, (table, column) in enumerate(cells(tmp_path / "whole.db")):
        # Every value is put into every column, and a third of the commands are asked, others in the next column; ratings take their time,
        # so the league's columns get two or three of the values each.
        for number, wrong in (
            list(enumerate(WRONG))[place % 6 :: 6] if commands is LEAGUE else enumerate(WRONG)
        ):
            shutil.copyfile("whole.db", "changed.db")
            with closing(sqlite3.connect("changed.db")) as book, book:
                try:
                    book.execute(
                        f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT min(rowid) FROM {table})",
                        (wrong,),
                    )
                except sqlite3.Error:  # the table takes no such value
                    continue
            book.close()
            for command, *more in commands if commands is LEAGUE else commands[(place + number) % 3 :: 3]:
                code, _, err = cli(*command.split(), "changed.db", *more)
                assert code in (0, 2) and "Traceback" not in err, (table, column, wrong, command, err)
