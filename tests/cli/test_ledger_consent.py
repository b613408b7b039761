"""A ledger from somebody else starts no programs unless the user agrees."""

import inspect
import os
import pty
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue.commands import reaches_outside
from saddlepoint.games.catalogue.players import roster
from saddlepoint.players.named import NamedPlayer

BOT = """\
from pathlib import Path

Path({mark!r}).touch()


def choose(*arguments):
    return 0
"""

__all__ = ["cli"]  # a fixture


@pytest.fixture
def foreign(cli: Any, tmp_path: Path) -> tuple[str, Path]:
    """A ledger with a game of a Python file, and the mark that the file leaves wherever it runs."""
    mark, bot, ledger = tmp_path / "mark", tmp_path / "bot.py", str(tmp_path / "games.db")
    bot.write_text(BOT.format(mark=str(mark)))
    arguments = [
        "match",
        str(bot),
        "random",
        "-n",
        "1",
        "--game",
        "goofspiel(cards=3)",
        "--bank",
        "30",
        "-j",
        "1",
        "--isolate=supervisor",
    ]
    assert cli(*arguments, "--ledger", ledger)[0] == 0
    mark.unlink()
    return ledger, mark


@pytest.mark.slow
def test_without_a_terminal_it_is_refused_in_one_sentence(foreign: tuple[str, Path], cli: Any) -> None:
    ledger, mark = foreign
    code, out, err = cli("ledger", "replay", ledger, "1")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "bot.py" in err and "--yes" in err
    assert not mark.exists()
    assert cli("ledger", "replay", ledger, "1", "--yes")[0] == 0
    assert mark.exists()


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_on_a_terminal_it_is_asked(foreign: tuple[str, Path], answer: str) -> None:
    ledger, mark = foreign
    controller, terminal = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", "ledger", "replay", ledger, "1"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )
    os.close(terminal)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(controller, 4096)
    assert b"bot.py" in shown
    assert not mark.exists()
    os.write(controller, answer.encode() + b"\n")
    deadline = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < deadline:
        try:
            os.read(controller, 4096)
        except OSError:  # the terminal is closed
            break
    assert running.wait(60) == (0 if answer == "y" else 2)
    assert mark.exists() == (answer == "y")
    os.close(controller)


def test_players_of_the_library_need_no_leave(cli: Any, tmp_path: Path) -> None:
    ledger = str(tmp_path / "games.db")
    cli("match", "random", "random", "-n", "1", "--size", "8x6", "-j", "1", "--ledger", ledger)
    code, out, _ = cli("ledger", "replay", ledger, "1")
    assert code == 0
    assert "the same moves" in out


def test_a_command_before_every_program_needs_leave(cli: Any, tmp_path: Path) -> None:
    ledger = str(tmp_path / "games.db")
    arguments = [
        "match",
        "random",
        "random",
        "-n",
        "1",
        "--game",
        "goofspiel(cards=3)",
        "-j",
        "1",
        "--ledger",
        ledger,
    ]
    assert cli(*arguments, "--isolate=supervisor", "--sandbox", "nice -n 1")[0] == 0
    code, _, err = cli("ledger", "replay", ledger, "1")
    assert code == 2
    assert "nice -n 1" in err and "--yes" in err


@pytest.mark.parametrize(
    "spec",
    ['asp(file="{bot}")', 'asp(file="{bot}", bot=StudentBot)', 'solution("{bot}")', 'best(file="{bot}")'],
)
def test_whatever_starts_or_reads_a_file_needs_leave_by_any_name(spec: str, cli: Any, tmp_path: Path) -> None:
    mark, bot, ledger = tmp_path / "mark", tmp_path / "bot.py", str(tmp_path / "games.db")
    bot.write_text(BOT.format(mark=str(mark)))
    assert (
        cli(
            "match",
            "random",
            "random",
            "-n",
            "1",
            "--game",
            "goofspiel(cards=3)",
            "-j",
            "1",
            "--ledger",
            ledger,
        )[0]
        == 0
    )
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute("UPDATE players SET spec = ?", (spec.format(bot=bot),))
    code, out, err = cli("ledger", "replay", ledger, "1")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "bot.py" in err and "--yes" in err
    assert not mark.exists()


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
