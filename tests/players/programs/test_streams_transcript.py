"""What is said to programs, and what they say, is kept on request, in files of bounded size."""

import errno
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from helpers.bots import command
from saddlepoint.players.programs import streams as transcript
from saddlepoint.players.programs.streams import Transcript

BOT = """
import sys
def choose(game, state, clock, player):
    print("thinking", file=sys.stderr)
    sys.stderr.write("\\x1b[31mred\\n")
    return game.legal_actions(state, player)[0]
"""


def test_every_game_and_player_has_its_file(cli: Any, tmp_path: Path) -> None:
    bot, logs = tmp_path / "bot.py", tmp_path / "logs"
    bot.write_text(BOT)
    match = f"match {bot} random --game goofspiel(cards=4) -n 2 --swap -j 1 --time 30 --logs {logs} --json"
    assert json.loads(cli.printed(*match.split()))["games"] == 2
    names = sorted(file.name for file in logs.iterdir())
    assert [name[:18] for name in names] == [
        "game000000-player0",
        "game000001-player1",
    ]  # `random` has nothing to say
    for file in logs.iterdir():
        text = file.read_text()
        for part in (" > game goofspiel", " < ready", " > go", " < move ", " ! thinking", "\\x1b[31mred"):
            assert part in text, text
        assert "\x1b" not in text


CHATTY = """
import sys
print("import out")
print("import error", file=sys.stderr)
def choose(game, state, clock, player):
    print("choosing")
    print("half a line", end="")
    return game.legal_actions(state, player)[0]
"""


def test_all_that_a_file_prints_is_in_the_logs(cli: Any, tmp_path: Path) -> None:
    """Nothing is flushed; what it writes at its import, when it is warmed up, is in its first game's log."""
    (tmp_path / "bot.py").write_text(CHATTY)
    match = (
        f"match {tmp_path}/bot.py random --game goofspiel(cards=3) -n 2 -j 1 --time 30 --logs {tmp_path}/logs"
    )
    assert cli(*match.split())[0] == 0
    told = [
        [line[12:] for line in log.read_text().splitlines() if line[10] == "!"]
        for log in sorted((tmp_path / "logs").iterdir())
    ]
    assert told[0][:3] == ["import out", "import error", "choosing"]
    assert told[1][0] == "choosing"
    for lines in told:
        assert "".join(lines).count("choosing") == "".join(lines).count("half a line") == 3, told


def test_one_game_and_the_contests_protocol_are_logged_too(cli: Any, tmp_path: Path) -> None:
    bot = command(tmp_path, "crash_later", moves="pass")
    logs = str(tmp_path / "logs")
    game = "light_riders(width=8, height=6)"
    assert (
        cli("play", game, f"cmd:{bot}", "random", "--time", "30", "--seed", "1", "--logs", logs, "--json")[0]
        == 0
    )
    (file,) = (tmp_path / "logs").iterdir()
    text = file.read_text()
    assert " > settings your_bot player0" in text
    assert " > update game round 0" in text
    assert " < pass" in text


def test_a_file_has_a_size_and_shows_control_characters(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(transcript, "_MOST", 500)
    kept = Transcript(tmp_path / "new" / "log")
    kept.write("<", "\x1b[2J\x07\ud800")
    for number in range(1000):
        kept.write(">", f"line {number}")
    kept.errors(bytearray(b"whole\nhalf"))
    kept.close()
    text = (tmp_path / "new" / "log").read_text()
    assert r"< \x1b[2J\x07" in text
    assert "line 3" in text
    assert text.endswith("the rest is left out\n")
    assert len(text) < 700


def noted(log: Path, mark: str) -> list[str]:
    """What follows a mark in the lines of a log."""
    return [line.partition(f"{mark} ")[2] for line in log.read_text().splitlines()]


def test_errors_are_noted_once_and_by_the_line(tmp_path: Path) -> None:
    kept = Transcript(tmp_path / "log")
    stream = bytearray(b"one\ntw")
    kept.errors(stream)
    stream += b"o\nthree"
    kept.errors(stream)
    kept.errors(stream, all_of_it=True)
    kept.close()
    kept.write("!", "late, and left out")
    assert noted(tmp_path / "log", "!") == ["one", "two", "three"]


class FullDisk(io.StringIO):
    """A file that takes nothing."""

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_log_that_could_not_be_written_has_no_hole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full for a moment costs all that follows, and not the game."""
    kept = Transcript(tmp_path / "log")
    kept.write("<", "one")
    with monkeypatch.context() as disk:
        disk.setattr(kept, "_file", FullDisk())
        kept.write("<", "two")
    kept.write("<", "three")
    kept.close()
    assert noted(tmp_path / "log", "<") == ["one"]
