"""The command line: what it prints of games and matches; how the program ends; what is said of a command that takes long."""

import io
import json
import os
import re
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

import saddlepoint.cli
from helpers.bots import command
from helpers.cli_runs import Program, games_in, interrupted, program
from helpers.programs import output_of, run_python, wait_until
from saddlepoint import cli as program_itself
from saddlepoint.cli import end_signals, program as catalogue
from saddlepoint.system.terminal import WaitingLine

SEARCH = "alphabeta(evaluator=voronoi)"
SMALL = ("--size", "8x6")
PLAYED = ("play", "light_riders", SEARCH, "random", *SMALL, "--nodes", "500", "--seed", "3")


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("typed", ["tictactoe", "Tic-tac-toe", "tic tac toe"])
def test_a_game_may_be_called_as_people_call_it(cli: Program, typed: str, tmp_path: Path) -> None:
    """Every command that takes a game: what is recorded has the game's own name, and is found by any."""
    ledger, solved = str(tmp_path / "games.db"), str(tmp_path / "game.sol")
    assert cli.data("play", typed, "random", "random")["game"] == "tic_tac_toe"
    cli("match", "random", "random", "--game", typed, "-n", "2", "-j", "1", "--seed", "1", "--ledger", ledger)
    assert len(cli.data("ledger", "list", ledger, "--game", typed)) == 2
    assert cli.printed("players", "--game", typed) == cli.printed("players", "--game", "tic_tac_toe")
    assert cli("solve", typed, "-o", solved)[0] == 0


@pytest.mark.plain
@pytest.mark.compiles_long
def test_play_says_that_a_player_did_not_search_but_played_from_a_solution(cli: Program) -> None:
    asked = ("play", "goofspiel(cards=3)", "best", "random", "--seed", "1")
    assert "best: played from a solution, without a search\n" in cli.printed(*asked)
    searched = cli.data(*asked)["search"][0]
    assert (searched["searches"], searched["nodes"], searched["known"] > 0) == (0, 0, True)


def test_play_shows_the_board_and_what_the_search_did(cli: Program, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    out = cli.printed(*PLAYED, "-o", str(path))
    assert f"{SEARCH} (0) against random (1)\n" in out
    for shown in ("after round 1:", "result ", "nodes, ", "a second"):
        assert shown in out
    assert "\nrandom: " not in out  # it does not search
    data = cli.data(*PLAYED)
    assert data["search"][0]["searches"] > 0 and data["search"][1] is None
    shown = cli.data("show", str(path))
    assert shown["moves"] == data["moves"]
    path.write_text(json.dumps(shown))  # it is a replay again
    assert cli.data("show", str(path)) == shown


def test_what_chance_does_is_told_and_is_no_turn(cli: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    game = "goofspiel(cards=3, order=random)"
    asked = ("play", game, "random", "random", "--seed", "1")
    heads = [line for line in cli.printed(*asked).splitlines() if line.startswith("after round")]
    assert all(re.fullmatch(r"after round \d: (chance: prize [123]|[123] [123])", line) for line in heads)
    assert [line.split()[2] for line in heads] == ["0:", "1:", "1:", "2:", "2:", "3:"]
    moves = cli.data(*asked)["moves"]
    drawn = [names[0] for names in moves if len(names) == 1]
    assert len(drawn) >= 2 and all(name.startswith("prize") for name in drawn)
    assert all(None not in names for names in moves)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n2\n3\n"))
    assert (
        len(
            re.findall(
                r"^chance: prize [123]$",
                cli.printed("play", game, "human", "random", "--seed", "1"),
                re.MULTILINE,
            )
        )
        == 3
    )


def test_a_person_may_play(cli: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("left\n" * 40))
    out = cli.printed("play", "light_riders", "human", "random", *SMALL, "--start", "1,2")
    assert "your move" in out
    assert "you lost: player 1 won" in out or "a draw" in out


def test_match_prints_the_score_with_its_interval(cli: Program) -> None:
    asked = ("match", SEARCH, "random", "-n", "6", "--swap", "--nodes", "200", *SMALL, "-j", "1")
    out = cli.printed(*asked)
    for text in (
        "won, ",
        "drawn, ",
        "lost",
        "95 % interval",
        "games/s",
        "steps a game",
        "over time: 0 and 0",
        "(99 %)",
    ):
        assert text in out
    data = cli.data(*asked)
    assert data["games"] == data["wins"] + data["draws"] + data["losses"] == 6
    assert data["interval95"][0] <= data["score"] <= data["interval95"][1]
    assert data["latency"]["a"]["median"] <= data["latency"]["a"]["p99"]


def test_referee_writes_a_replay_that_show_steps_through(cli: Program, tmp_path: Path) -> None:
    path = str(tmp_path / "game.jsonl")
    straight, gone = command(tmp_path, "good"), command(tmp_path, "crash_after_a_move", name="gone")
    out = cli.printed("referee", straight, gone, "--start", "4,7", "-o", path)
    assert "result 0 for player 0 after 4 rounds" in out
    assert f"{gone} was shut down: the program exited with code 3, in round 1" in " ".join(out.split())
    shown = cli.printed("show", path)
    assert len(re.findall(r"^after \d of 4 rounds: ", shown, re.MULTILINE)) == 4
    assert f"result 0 for {straight} (0)" in shown
    for name in ("--step", "--turn"):
        assert cli.printed("show", path, name, "2").startswith(f"after 2 of 4 rounds: {straight} right")
    assert cli.data("show", path, "--turn", "2")["moves"] == ["right", "left"]
    assert (
        cli.refused("show", path, "--step", "9")
        == f"saddlepoint: {path}: the game has 4 steps; --step takes 0 to 4\n"
    )


def test_games_players_versions_and_warm(cli: Program) -> None:
    assert cli.printed("--version").startswith("saddlepoint ")
    assert "light_riders" in cli.printed("games")
    assert {"light_riders", "goofspiel"} <= {row["name"] for row in cli.data("games")}
    assert "random" in cli.printed("players")
    assert "random" in {row["name"] for row in cli.data("players", "--game", "goofspiel")}
    assert "1 players of light_riders are compiled" in cli.printed(
        "warm", "light_riders(width=8, height=6)", "--player", "random"
    )


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_ends_it_quietly() -> None:
    running = program("play", "light_riders", "random", "random", "--delay", "0.05")
    assert running.stdout and running.stderr
    running.stdout.readline()
    running.stdout.close()
    assert running.wait(60) == 1
    assert running.stderr.read() == ""
    running.stderr.close()


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_an_interrupted_match_prints_what_was_played(concurrency: str, tmp_path: Path) -> None:
    bot, ledger = "cmd:" + command(tmp_path, "notes", "up left"), tmp_path / "games.db"
    more = (
        "--bank",
        "10",
        "-n",
        "100000",
        "-j",
        concurrency,
        "--isolate=supervisor",
        "--ledger",
        str(ledger),
    )
    running = program("match", "random", bot, *SMALL, *more, start_new_session=True)
    wait_until(lambda: games_in(ledger))
    out, err = interrupted(running, group=True)
    said = [
        line for line in err.splitlines() if not re.search("the machine (is busy already|became busy)", line)
    ]
    kept = f"saddlepoint: {ledger} has the finished games; the same command with --resume goes on"
    assert sorted(said) == sorted([kept, "saddlepoint: programs run under a supervisor only"])
    assert "of 100000 games were played" in out
    assert "95 % interval" in out
    wait_until(lambda: _left_running(running.pid, str(tmp_path)) == [], seconds=10)


def _left_running(group: int, text: str) -> list[str]:
    """Processes of the group, or with the text in their command, that have not ended."""
    listed = subprocess.run(
        ["ps", "-axo", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [row.split(None, 2) for row in listed.splitlines()]
    return [" ".join(r) for r in rows if "Z" not in r[1] and (int(r[0]) == group or text in r[-1])]


def test_the_bot_listens_before_anything_heavy_is_imported() -> None:
    """On a busy machine the imports alone may take longer than a short bank."""
    assert (
        output_of(
            "-c",
            "import saddlepoint.cli.program, saddlepoint.games.light_riders.bot, sys; print({'numpy', 'numba'} & set(sys.modules))",
        )
        == "set()\n"
    )


# -- how it ends ---------------------------------------------------------------------------------------------------------

INTERRUPTED = 130
SECONDS = 10.0
"""Until a command has come to its end; the fault was a command that ran on for minutes."""
LONG: list[tuple[str, ...]] = [
    ("analyze", "moves: up/left", "--depth", "30"),
    ("analyze", "--game", "connect_four", "moves: 1", "--depth", "40"),
    ("compare", "moves: up/left", "--time", "60", "--algorithm", "smab", "--algorithm", "do"),
    ("play", "connect_four", "pvs", "pvs", "--time", "60"),
    ("match", "pvs", "pvs", "--game", "connect_four", "--time", "60", "-n", "2"),
    ("tournament", "pvs", "mcts", "--game", "connect_four", "--time", "60", "-n", "2"),
    ("solve", "connect_four"),
    ("solve", "game", "goofspiel(cards=9)"),
    ("solve", "game", "soccer(width=60,height=40)"),
    ("solve", "tron", "--width", "14", "--height", "14", "--no-symmetry"),
    ("solve", "simplexity"),
    ("solve", "rubiks_flip"),
    ("exploit", "oos", "--game", "goofspiel(cards=5)", "--nodes", "100000"),
    ("puzzles", "battlesnake", "best", "--time", "60"),
    ("warm", "all"),
    ("literature",),
]


@pytest.mark.slow
@pytest.mark.parametrize("command", LONG, ids=" ".join)
@pytest.mark.parametrize("wait", [1.5, 5.0], ids=["at its beginning", "at work"])
def test_it_ends_on_a_terminal(terminal: Any, command: tuple[str, ...], wait: float, tmp_path: Path) -> None:
    running = terminal(*command, XDG_DATA_HOME=str(tmp_path))
    time.sleep(wait)
    running.press("\x03")
    pressed = time.monotonic()
    assert running.end() == INTERRUPTED, running.shown[-500:]
    assert time.monotonic() - pressed < SECONDS
    assert "Traceback" not in running.shown


@pytest.mark.slow
def test_analyze_prints_what_it_has_found_so_far() -> None:
    running = program("analyze", "moves: up/left", "--depth", "30")
    while not running.stdout.readline().strip().startswith("5 "):
        assert running.poll() is None
    time.sleep(0.3)
    shown = interrupted(running)[0]
    assert "\nvalue " in shown
    assert "\nplayer 1: " in shown
    assert "\nprincipal variation: " in shown


@pytest.mark.slow
def test_analyze_prints_whole_json_where_it_is_interrupted() -> None:
    asked = ("analyze", "--game", "connect_four", "moves: 1", "--json")
    program(*asked, "--depth", "1").communicate(timeout=300)  # compiled
    running = program(*asked, "--time", "600")
    time.sleep(8)  # it says nothing before
    assert not json.loads(interrupted(running)[0])["complete"]


@pytest.mark.parametrize(
    "code", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"], ids=["in a file", "in a text"]
)
def test_an_interruption_ends_with_130(code: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(code)
    done = run_python("-m", "saddlepoint", "check", f"{path}:Mine", SADDLEPOINT_QUIET="1")
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize(
    ("command", "closed"),
    [
        ("games", ">&-"),
        ("--help", ">&- 2>&-"),
        ("play tic_tac_toe random random", "2>&-"),
        ("play tic_tac_toe random random", ">&- 2>&-"),
        ("play tic_tac_toe random random --json", ">&-"),
    ],
)
def test_an_output_that_was_closed_before_is_no_error(command: str, closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m saddlepoint {command} {closed}', sys.executable],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")


class Thing:
    pass


@pytest.mark.parametrize(
    "soon", [program_itself._SOON, 0.0]
)  # without a pause the main thread may still be where it would be dropped again
def test_ctrl_c_that_python_drops_in_the_callback_of_a_weak_reference_is_raised_a_moment_later(
    soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_itself, "_SOON", soon)
    called = []

    def interrupted(_: object) -> None:
        called.append(True)
        raise KeyboardInterrupt

    thing = Thing()
    reference = weakref.ref(thing, interrupted)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), end_signals():
        del thing
        time.sleep(20)
    assert called
    assert reference() is None
    assert time.monotonic() - begun < 10


# -- what is said meanwhile ----------------------------------------------------------------------------------------------

SPOKEN = [name for names in catalogue.commands().values() for name in names if name != "bot"]


class _Heard(io.StringIO):
    """A stderr that is no terminal; `line` is set when something is written."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.line, self._terminal = threading.Event(), terminal

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        written = super().write(text)
        self.line.set()
        return written


def run(
    monkeypatch: pytest.MonkeyPatch,
    *words: str,
    terminal: bool = False,
    wait: float = 60.0,
    after: float = 0.0,
) -> str:
    """What stderr has of a command that works until something stands there, or so many seconds; it would be said `after` so many."""
    heard = _Heard(terminal)
    monkeypatch.setattr(sys, "stderr", heard)
    monkeypatch.setattr(saddlepoint.cli, "COMMAND_SAID", after)
    monkeypatch.setattr(catalogue, "call", lambda arguments: heard.line.wait(wait))
    saddlepoint.cli._run(list(words))
    heard.line.wait(3 * after)
    return heard.getvalue()


@pytest.mark.parametrize("name", SPOKEN)
def test_every_command_says_what_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        run(monkeypatch, name, "game one", "--json", "two")
        == f"saddlepoint: running: {name} 'game one' ...\n"
    )


def test_nothing_is_said_on_a_terminal_or_where_quiet_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "solve", terminal=True, wait=0.3) == ""
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    assert run(monkeypatch, "solve", wait=0.3) == ""


def test_nothing_is_said_of_what_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "games", wait=0.0, after=0.2) == ""


def test_a_waiting_line_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = WaitingLine("compiling", "compiled", 60.0)
    try:
        monkeypatch.setattr(WaitingLine, "shown", {shown})
        assert run(monkeypatch, "solve", wait=0.3) == ""
    finally:
        shown.close(finished=True)


@pytest.mark.slow
def test_json_stays_alone_on_stdout() -> None:
    done = run_python(
        "-m", "saddlepoint", "analyze", "moves: up/left", "--size", "8x6", "--time", "3", "--json"
    )
    assert done.stderr.startswith("saddlepoint: ")
    assert json.loads(done.stdout)["depth"] >= 1
