"""The command line: what it prints, and errors as one sentence with exit code 2."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from helpers.bots import command
from helpers.cli_runs import cli, games_in, program
from saddlepoint.cli.program import app
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.light_riders import LightRiders

SEARCH = "alphabeta(evaluator=voronoi)"
COMMANDS = (
    "play",
    "match",
    "tournament",
    "league",
    "tune",
    "report",
    "analyze",
    "bot",
    "referee",
    "show",
    "tron41",
    "games",
    "players",
    "ledger",
    "warm",
    "solve",
    "review",
    "puzzles",
)
SMALL = ["--size", "8x6"]

__all__ = ["cli"]  # a fixture


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"])
    assert shown.exit_code == 0
    assert f"saddlepoint {name}" in " ".join(shown.output.split())


def test_version_and_help(cli: Any) -> None:
    assert cli("--version")[1].startswith("saddlepoint ")
    assert "match" in cli("--help")[1]


@pytest.mark.parametrize("typed", ["tictactoe", "Tic-tac-toe", "tic tac toe"])
def test_a_game_may_be_called_as_people_call_it(cli: Any, typed: str, tmp_path: Path) -> None:
    """Every command that takes a game: what is recorded has the game's own name, and is found by any."""
    ledger, solved = str(tmp_path / "games.db"), str(tmp_path / "game.sol")
    assert json.loads(cli("play", typed, "random", "random", "--json")[1])["game"] == "tic_tac_toe"
    cli("match", "random", "random", "--game", typed, "-n", "2", "-j", "1", "--seed", "1", "--ledger", ledger)
    assert len(json.loads(cli("ledger", "list", ledger, "--game", typed, "--json")[1])) == 2
    assert cli("players", "--game", typed)[1] == cli("players", "--game", "tic_tac_toe")[1]
    assert "is played by lines" in cli("bot", typed, "--protocol", "csl")[2]
    assert cli("solve", typed, "-o", solved)[0] == 0


def test_a_contests_game_keeps_its_protocols_by_any_name(cli: Any) -> None:
    assert (
        "light_riders is played by riddles or lines, not by 'csl'"
        in cli("bot", "Light Riders", "--protocol", "csl")[2]
    )
    assert (
        "no puzzle has the theme 'nothing'"
        in cli("puzzles", "Battle-Snake", "random", "--nodes", "1", "--theme", "nothing")[2]
    )


@pytest.mark.parametrize("option", ["--colour", "--color"])
def test_colour_has_both_spellings(cli: Any, option: str) -> None:
    assert "--colour is for battlesnake" in cli("bot", "light_riders", option, "#3355aa")[2]


def test_play_says_that_a_player_did_not_search_but_played_from_a_solution(cli: Any) -> None:
    out = cli("play", "goofspiel(cards=3)", "best", "random", "--seed", "1")[1]
    assert "best: played from a solution, without a search\n" in out
    data = json.loads(cli("play", "goofspiel(cards=3)", "best", "random", "--seed", "1", "--json")[1])[
        "search"
    ][0]
    assert (data["searches"], data["nodes"]) == (0, 0)
    assert data["known"] > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bogus"], "No such command 'bogus'"),
        (
            ["serve", "--nonsense"],
            "No such option: --nonsense; `saddlepoint serve --help` lists those that there are",
        ),
        (["ledger", "list", "--nonsense"], "`saddlepoint ledger list --help`"),
        (["match", "best", "random", "--gamme", "tron"], "No such option: --gamme (Possible options: "),
        (["play", "light_riders", "./none.py", "random"], "./none.py: there is no program './none.py'"),
        (
            ["play", "light_riders", "random"],
            "Missing argument 'player_b'. For example: saddlepoint play light_riders ",
        ),
        (
            ["play", "light_ridders", "random", "random"],
            "no game is called 'light_ridders'; did you mean light_riders?",
        ),
        (["play", "light_riders(width=3)", "random", "random"], "the field must be 4 to 32 cells wide"),
        (["play", "light_riders(colour=3)", "random", "random"], "has no parameter 'colour'"),
        (["play", "light_riders(name=3)", "random", "random"], "has no parameter 'name'"),
        (["play", "light_riders", "random(", "random"], "at position 8: expected an option's name or ')'"),
        (["play", "light_riders", "randon", "random"], "did you mean random?"),
        (
            ["play", "light_riders", "random", "random", "--size", "big"],
            "--size takes two numbers such as 16x16",
        ),
        (
            ["play", "light_riders", "random", "random", "--start", "4"],
            "--start takes two numbers such as 4,7",
        ),
        (["play", "light_riders", "random", "random", "--start", "40,7"], "outside the 16x16 field"),
        (
            ["play", "goofspiel", "random", "random", "--start", "4,7"],
            "--start is for games whose start is a cell",
        ),
        (
            ["play", "light_riders", "random", "random", "--time", "-1"],
            "--time and --bank take seconds above 0",
        ),
        (["match", "random", "human", "-n", "2"], "a match is between programs"),
        (["match", "random", "random", "-n", "0"], "Invalid value for '-n'"),
        (["match", "random", "random", "--nodes", "0"], "nodes must be 1 or more"),
        (["analyze", "/no/such/file", "--algorithm", SEARCH], "there is no file"),
        (["bot", "chess"], "no game is called 'chess'"),
        (["bot", "goofspiel", "--protocol", "csl"], "goofspiel is played by lines, not by 'csl'"),
        (
            ["bot", "light_riders", "--protocol", "csl"],
            "light_riders is played by riddles or lines, not by 'csl'",
        ),
        (["bot", "goofspiel(cards=3)"], "the other side tells the game's parameters"),
        (["bot", "goofspiel", "--player", "human"], "a person cannot play over stdin and stdout"),
        (["referee", "/no/such/bot", "/no/such/bot"], "'/no/such/bot' cannot be started"),
        (
            ["referee", "a", "b", "-o", "/no/such/directory/x"],
            "the folder of '/no/such/directory/x' does not exist",
        ),
        (["show", "/no/such/replay"], "there is no file"),
        (["players", "--game", "chess"], "no game is called 'chess'"),
        (["warm", "--player", "nobody"], "no player is called 'nobody'"),
    ],
)
def test_errors_are_one_sentence(cli: Any, arguments: list[str], message: str) -> None:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("saddlepoint: ")
    assert message in err
    assert err.count("\n") == 1


def test_play_shows_the_board_and_what_the_search_did(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    code, out, _ = cli(
        "play", "light_riders", SEARCH, "random", *SMALL, "--nodes", "500", "--seed", "3", "-o", str(path)
    )
    assert code == 0
    assert f"{SEARCH} (0) against random (1)\n" in out
    assert "after round 1:" in out
    assert "result " in out
    assert "nodes, " in out and "a second" in out
    assert "random: no search" in out
    again = cli("play", "light_riders", SEARCH, "random", *SMALL, "--nodes", "500", "--seed", "3", "--json")[
        1
    ]
    data = json.loads(again)
    assert data["search"][0]["searches"] > 0 and data["search"][1] is None
    shown = json.loads(cli("show", str(path), "--json")[1])
    assert shown["moves"] == data["moves"]
    path.write_text(json.dumps(shown))  # it is a replay again
    assert json.loads(cli("show", str(path), "--json")[1]) == shown


def test_play_as_json_names_what_chance_drew(cli: Any) -> None:
    out = cli("play", "goofspiel(cards=3)", "random", "random", "--seed", "3", "--json")[1]
    moves = json.loads(out)["moves"]
    drawn = [names[0] for names in moves if len(names) == 1]
    assert len(drawn) >= 2 and all(name.startswith("prize") for name in drawn)
    assert all(None not in names for names in moves)


def test_a_game_of_another_kind(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    code, out, _ = cli(
        "play", "goofspiel(cards=3, order=descending)", "random", "random", "--json", "-o", str(path)
    )
    assert code == 0
    assert json.loads(out)["steps"] >= 2


def test_what_chance_does_is_told_and_is_no_turn(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    game = "goofspiel(cards=3, order=random)"
    out = cli("play", game, "random", "random", "--seed", "1")[1]
    heads = [line for line in out.splitlines() if line.startswith("after round")]
    assert all(re.fullmatch(r"after round \d: (chance: prize [123]|[123] [123])", line) for line in heads)
    assert [line.split()[2] for line in heads] == ["0:", "1:", "1:", "2:", "2:", "3:"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n2\n3\n"))
    told = cli("play", game, "human", "random", "--seed", "1")[1]
    assert len(re.findall(r"^chance: prize [123]$", told, re.MULTILINE)) == 3


def test_a_person_may_play(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("left\n" * 40))
    code, out, _ = cli("play", "light_riders", "human", "random", *SMALL, "--start", "1,2")
    assert code == 0
    assert "your move" in out
    assert "result -1 for player 0" in out or "a draw" in out


def test_match_prints_the_score_with_its_interval(cli: Any) -> None:
    arguments = [
        "match",
        SEARCH,
        "random",
        "-n",
        "6",
        "--swap",
        "--nodes",
        "200",
        "--game",
        "light_riders",
        *SMALL,
        "-j",
        "1",
    ]
    code, out, _ = cli(*arguments)
    assert code == 0
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
    data = json.loads(cli(*arguments, "--json")[1])
    assert data["games"] == data["wins"] + data["draws"] + data["losses"] == 6
    assert data["interval95"][0] <= data["score"] <= data["interval95"][1]
    assert data["latency"]["a"]["median"] <= data["latency"]["a"]["p99"]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_analyze_prints_the_table_and_both_mixtures(cli: Any, tmp_path: Path) -> None:
    game = LightRiders(8, 6)
    path = tmp_path / "position.txt"
    path.write_text(game.to_text(game.initial_state(2, 2)))
    arguments = ["analyze", str(path), "--algorithm", "bi(evaluator=voronoi)", "--depth", "3"]
    code, out, _ = cli(*arguments, "--time", "20")
    assert code == 0
    assert "\n    3 " in out
    assert "player 0: " in out and "player 1: " in out
    assert "principal variation: " in out
    data = json.loads(cli(*arguments, "--json")[1])
    assert data["depth"] == 3
    assert sum(data["strategies"][0].values()) == pytest.approx(1)
    assert set(data["strategies"][0]) <= {"up", "right", "down", "left"}


README_POSITION = """light_riders 6x5 round 3 facing up left alive 01
......
.0.1x.
.x..x.
.xx.x.
......
"""


small_positions = pytest.mark.skipif(not PLAIN_PYTHON, reason="another evaluator is another compilation")


@pytest.mark.plain
@small_positions
def test_analyze_finds_the_equilibrium_where_both_move_at_once(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text(README_POSITION)
    out = cli("analyze", str(path), "--depth", "20")[1]
    assert (
        "Double oracle with serialised bounds, evaluator Prospects (do_alphabeta, Nash equilibrium search)"
        in out
    )
    assert "value -0.3333 for player 0 (exact)" in out
    assert "player 0: left 66.7 %, right 33.3 %" in out
    out = cli("analyze", str(path), "--algorithm", "best", "--depth", "30")[1]
    assert (
        "Serialised alpha-beta, evaluator Prospects (alphabeta, player 0 commits first: the value is a lower bound of the "
        in out
    )
    assert "equilibrium's at the same depth by the same evaluator)" in out
    assert "value -1.0000 for player 0 (player 0 commits first; proven bounds -1.0000 to +1.0000), " in out
    assert " plies to the end, depth " in out


@pytest.mark.plain
@small_positions
def test_analyze_says_which_bound_a_one_sided_search_proves(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("goofspiel hand0=7 hand1=7 deck=5 prize=1 points=0")
    asked = "analyze", str(path), "--game", "goofspiel(cards=3,utility=points)", "--depth", "6"
    out = cli(*asked)[1]
    assert (
        "Double oracle with serialised bounds, evaluator Hands (do_alphabeta, Nash equilibrium search)" in out
    )
    assert "value +0.0000 for player 0 (exact)" in out
    out = cli(*asked, "--algorithm", "alphabeta(first=1)")[1]
    assert (
        "(alphabeta, player 1 commits first: the value is an upper bound of the equilibrium's at the same depth by the same "
        in out
    )
    assert "(player 1 commits first; proven bounds -6.0000 to +" in out
    data = json.loads(cli(*asked, "--algorithm", "alphabeta", "--json")[1])
    assert data["exact"] is False
    assert data["bounds"][1] == 6.0
    assert data["algorithm"].startswith("Serialised alpha-beta, no evaluator (alphabeta, player")


def test_analyze_without_a_database_says_what_makes_one(cli: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "position.txt"
    path.write_text("RB../.W../..../....")
    code, _, err = cli("analyze", str(path), "--game", "rubiks_flip", "--algorithm", "database")
    assert code == 2
    assert "finds no database of this game; solve first: saddlepoint solve rubiks_flip" in err


def test_analyze_says_how_long_separated_riders_can_go_on(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("..x..xxx\n0.x.1xxx\n..x.xxxx\n" + "xxxxxxxx\n" * 3)
    code, out, err = cli("analyze", str(path), "--algorithm", SEARCH, "--depth", "2")
    assert code == 0, err
    assert "longest path, player 0: 5 steps (proven" in out
    assert "longest path, player 1: 4 steps (proven" in out
    code, out, err = cli("analyze", str(path), "--algorithm", SEARCH, "--depth", "2", "--json")
    assert [(one["lower"], one["upper"]) for one in json.loads(out)["alone"]] == [(5, 5), (4, 4)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 16 rows of 16 cells"),
        ("0.1\n...\n", "the field must be 4 to 32"),
        (
            "light_riders 8x6 round 2 facing right left alive 0\n" + "0......1\n" + "........\n" * 5,
            "the game is over",
        ),
        ("0.......\n" * 6, "player 0 has two heads"),
    ],
)
def test_analyze_refuses_what_is_no_position(cli: Any, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "position.txt"
    path.write_text(text)
    code, out, err = cli("analyze", str(path), "--algorithm", SEARCH)
    assert (code, out) == (2, "")
    assert message in err
    assert (
        "does not search" in cli("analyze", str(path), "--algorithm", "random")[2]
        or "position" in err
        or message in err
    )


def test_analyze_without_a_database_says_how_to_get_one(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from saddlepoint.games.rubiks_flip import RubiksFlip

    for folder in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    game, path = RubiksFlip("mover"), tmp_path / "position.txt"
    path.write_text(game.to_text(game.initial_state()))
    code, out, err = cli(
        "analyze", str(path), "--game", "rubiks_flip(double_lock=mover)", "--algorithm", "database"
    )
    assert (code, out) == (2, "")
    assert err.endswith("solve first: saddlepoint solve rubiks_flip --double-lock mover\n")


def test_referee_writes_a_replay_that_show_steps_through(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    straight, gone = command(tmp_path, "good"), command(tmp_path, "crash_after_a_move", name="gone")
    code, out, _ = cli("referee", straight, gone, "--start", "4,7", "-o", str(path))
    assert code == 0
    assert "result 0 for player 0 after 4 rounds" in out
    assert f"{gone} was shut down: the program exited with code 3, in round 1" in " ".join(out.split())
    shown = cli("show", str(path))[1]
    assert len(re.findall(r"^after \d of 4 rounds: ", shown, re.MULTILINE)) == 4
    assert f"result 0 for {straight} (0)" in shown
    for name in ("--step", "--turn"):
        assert cli("show", str(path), name, "2")[1].startswith(f"after 2 of 4 rounds: {straight} right")
    assert json.loads(cli("show", str(path), "--turn", "2", "--json")[1])["moves"] == ["right", "left"]
    code, _, err = cli("show", str(path), "--step", "9")
    assert (code, err) == (2, f"saddlepoint: {path}: there are 4 steps; --step takes 0 to 4\n")
    path.write_text("{}\n")
    code, _, err = cli("show", str(path))
    assert code == 2
    assert "line 1: expected the game" in err


def test_games_players_and_warm(cli: Any) -> None:
    assert "light_riders" in cli("games")[1]
    assert {"light_riders", "goofspiel"} <= {row["name"] for row in json.loads(cli("games", "--json")[1])}
    assert "random" in cli("players")[1]
    assert "random" in {row["name"] for row in json.loads(cli("players", "--game", "goofspiel", "--json")[1])}
    assert (
        "1 players of light_riders are compiled"
        in cli("warm", "light_riders(width=8, height=6)", "--player", "random")[1]
    )


def test_as_a_program() -> None:
    out, err = program("play", "light_riders", "random", "random", *SMALL, "--seed", "2").communicate(
        timeout=60
    )
    assert "result " in out
    assert err == ""
    failed = program("play", "light_riders", "nobody", "random")
    assert failed.communicate(timeout=60)[1].count("\n") == 1
    assert failed.returncode == 2


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
    options = [
        "--bank",
        "10",
        "-n",
        "100000",
        "-j",
        concurrency,
        "--isolate=supervisor",
        "--ledger",
        str(ledger),
    ]
    running = program("match", "random", bot, *SMALL, *options, start_new_session=True)
    deadline = time.monotonic() + 60
    while not games_in(ledger):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)  # as the terminal does it: to every process of the job
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    said = [
        line for line in err.splitlines() if not re.search("the machine (is busy already|became busy)", line)
    ]
    kept = f"saddlepoint: {ledger} has the finished games; the same command with --resume goes on"
    assert sorted(said) == sorted([kept, "saddlepoint: programs run under a supervisor only"])
    assert "of 100000 games were played" in out
    assert "95 % interval" in out
    deadline = time.monotonic() + 10
    while (left := _left_running(running.pid, str(tmp_path))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def _left_running(group: int, text: str) -> list[str]:
    """Processes of the group, or with the text in their command, that have not ended."""
    listed = subprocess.run(
        ["ps", "-axo", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [row.split(None, 2) for row in listed.splitlines()]
    return [" ".join(r) for r in rows if "Z" not in r[1] and (int(r[0]) == group or text in r[-1])]


def test_the_bot_listens_before_anything_heavy_is_imported() -> None:
    """On a busy machine the imports alone may take longer than a short bank."""
    code = "import saddlepoint.cli.program, saddlepoint.games.light_riders.bot, sys; print({'numpy', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
