"""Where -o writes; a position written by its moves is taken wherever a position is, and printed so that it can be pasted back."""

import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import Program
from saddlepoint import GameError, Goofspiel
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.openings import make_openings, openings_from
from saddlepoint.play.position_text import position_of_text
from saddlepoint.system.files import check_folder, check_ledger, check_output, write_lines
from saddlepoint.web.catalogue import KnownGames
from saddlepoint.web.positions import position_of

PLAY = ["play", "light_riders", "random", "random", "--size", "8x6", "--seed", "2"]


def test_a_device_is_written_to_and_stays_a_device(cli: Program, tmp_path: Path) -> None:
    assert cli(*PLAY, "-o", "/dev/null")[0] == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_lines(str(pipe), ["one", "two"])
    reader.join(10)
    assert read == ["one\ntwo\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_is_followed_and_stays_and_permissions_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "file", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    write_lines(str(link), ["after"])
    assert link.is_symlink()
    assert target.read_text() == "after\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.usefixtures("here")
def test_dash_is_stdout_and_nothing_else_is_printed(cli: Program, tmp_path: Path) -> None:
    out = cli.printed(*PLAY, "-o", "-")
    assert all(line.startswith("{") for line in out.splitlines())
    (tmp_path / "game.jsonl").write_text(out)
    assert "result" in cli.printed("show", "game.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


@pytest.fixture
def protected(tmp_path: Path) -> Iterator[Path]:
    """A folder that takes no files, root's neither."""
    if os.geteuid():
        folder = tmp_path / "protected"
        folder.mkdir(0o555)
        yield folder
        folder.chmod(0o755)
    elif Path("/sys/kernel").is_dir():
        yield Path("/sys/kernel")  # Linux: files of the kernel, and no others
    else:
        pytest.skip("root may write everywhere here")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (PLAY, "-o"),
        (PLAY, "--logs"),
        (["referee", "{bot}", "{bot}"], "-o"),
        (["match", "{bot}", "{bot}", "-n", "2", "-j", "1"], "--ledger"),
        (["tournament", "{bot}", "random", "-n", "2", "-j", "1"], "--ledger"),
        (["tune", "smab(depth=2)", "--param", "depth=1..3", "--against", "{bot}"], "--ledger"),
        (["league", "add"], ""),
        (["solve", "goofspiel(cards=3)"], "-o"),
        (["solve", "rubiks_flip"], "-o"),
        (["solve", "soccer", "--discount", "0.9"], "-o"),
        (["report", "{there}"], "-o"),
        (["ledger", "merge", "{there}"], "-o"),
        (["ledger", "export", "{there}"], "-o"),
        (["tron41"], "--write-bot"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else value,
)
def test_where_nothing_can_be_written_is_said_before_anything_is_done(
    cli: Program, tmp_path: Path, protected: Path, arguments: list[str], option: str
) -> None:
    """A bot is not started, a ledger not read, nothing computed or shown."""
    started, there = tmp_path / "started", tmp_path / "there.db"
    Ledger(there).close()
    words = [word.format(bot=f"cmd:touch {started}", there=there) for word in arguments]
    words += [option] * bool(option) + [str(protected / "file")] + ["random"] * (arguments[0] == "league")
    said = cli.refused(*words)
    assert re.fullmatch(rf"saddlepoint: '{protected}/file' cannot be written: [A-Z][a-z -]+\n", said), said
    assert not started.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into protected files")
def test_a_ledger_that_is_write_protected_is_told(tmp_path: Path) -> None:
    (tmp_path / "games.db").touch(0o444)
    with pytest.raises(ValueError, match="the file is write-protected"):
        check_ledger(str(tmp_path / "games.db"))


def test_a_folder_for_logs_that_takes_no_files_is_named_itself(protected: Path) -> None:
    with pytest.raises(ValueError, match=f"^'{protected}' cannot be written: "):
        check_folder(protected)


def test_that_a_file_could_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_output(str(path))
    check_ledger(str(path))
    check_folder(tmp_path / "logs")
    assert [one.name for one in tmp_path.iterdir()] == ["logs"]
    assert not list((tmp_path / "logs").iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_one_sentence(cli: Program) -> None:
    code, _, err = cli(*PLAY, "-o", "/dev/full")
    assert (code, err) == (2, "saddlepoint: '/dev/full' cannot be written: No space left on device\n")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "saddlepoint", "players", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "SADDLEPOINT_QUIET": "1"},
        )
    assert (done.returncode, done.stderr) == (
        2,
        "saddlepoint: the output cannot be written: No space left on device\n",
    )


def test_nothing_is_left_of_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    def lines() -> Any:
        yield "the first line"
        raise OSError(28, "No space left on device")

    kept = tmp_path / "kept"
    kept.write_text("as it was")
    for name in ("new", "kept"):
        with pytest.raises(ValueError, match="cannot be written: No space left on device"):
            write_lines(str(tmp_path / name), lines())
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert kept.read_text() == "as it was"


def test_what_is_read_again_needs_a_file(cli: Program) -> None:
    for path in ("-", "/dev/null"):
        assert "cannot be read again" in cli.refused("solve", "rubiks_flip", "-o", path)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


# -- positions by their moves --------------------------------------------------------------------------------------------

GAME = "goofspiel(cards=3)"
MOVES = "moves: prize_1 1/1 prize_3"
"""Prize 1, a card 1 by each, and prize 3: two cards are left to each, and the higher wins it."""


@pytest.fixture
def replay(cli: Program, tmp_path: Path) -> str:
    path = str(tmp_path / "game.jsonl")
    assert cli("play", GAME, "random", "random", "--seed", "3", "-o", path)[0] == 0
    return path


def after(text: str = MOVES) -> str:
    return Goofspiel(3).to_text(position_of_text(Goofspiel(3), text))


@pytest.mark.compiles_long
@pytest.mark.plain
def test_analyze_takes_moves_and_prints_them(cli: Program) -> None:
    assert f"\n{MOVES}\n" in cli.printed("analyze", MOVES, "--game", GAME)
    data = cli.data("analyze", MOVES, "--game", GAME)
    assert data["position"] == after()
    assert data["strategies"] == [{"3": 1.0, "2": 0.0}] * 2


@pytest.mark.compiles_long
@pytest.mark.plain
@pytest.mark.parametrize("word", ["solve", "file"])
def test_solve_takes_moves(cli: Program, tmp_path: Path, word: str) -> None:
    path = str(tmp_path / "g.sol")
    asked = [GAME] if word == "solve" else [path]
    if word == "file":
        cli("solve", GAME, "-o", path)
    assert cli.data("solve", *asked, "--position", MOVES)["position"] == after()


@pytest.mark.plain
@pytest.mark.compiles_long
def test_the_solvers_of_one_game_take_moves(cli: Program) -> None:
    assert cli.printed(
        "solve", "tron", "--width", "4", "--height", "4", "--position", "moves: right/left"
    ).startswith("x0..\n....\n....\n..1x\n")
    moves = ("--position", "moves: 3r 3r 3r 3s")
    own = cli.data("solve", "simplexity", *moves, "--plies", "2", "--memory", "8")
    general = ("solve", "simplexity(rows=6, cols=7)", "--method", "own", *moves, "--time", "0.1")
    assert own["position"] == cli.data(*general)["position"]


@pytest.mark.plain
def test_openings_and_the_page_take_moves(tmp_path: Path) -> None:
    game, path = Goofspiel(3), tmp_path / "openings.txt"
    path.write_text(f"{MOVES}\n\n{game.to_text(game.initial_state())}\n")
    assert openings_from(game, path) == [after(), game.to_text(game.initial_state())]
    assert make_openings(game, MOVES, 5, 1) == [after()]
    with pytest.raises(GameError, match="--openings: the game is over there"):
        make_openings(game, "moves: prize_1 1/1 prize_2 2/2 prize_3 3/3", 5, 1)
    with pytest.raises(
        GameError, match="--openings: move 2 of 2: '4' is no legal move of player 1 there; legal: 1, 2, 3"
    ):
        make_openings(game, "moves: prize_1 1/4", 5, 1)
    known = KnownGames().find(GAME)
    assert known.game.to_text(position_of(known.game, MOVES)) == after()


@pytest.mark.compiles_long
@pytest.mark.plain
def test_what_show_games_and_review_print_is_taken_back(cli: Program, replay: str, tmp_path: Path) -> None:
    shown = cli.printed("show", replay, "--turn", "2").splitlines()[-1]
    told = cli.data("show", replay, "--turn", "2")
    assert (shown, after(shown)) == (told["moves_to_it"], told["position"])
    ledger = str(tmp_path / "games.db")
    cli(
        "match",
        "random",
        "random",
        "--game",
        GAME,
        "-n",
        "1",
        "-j",
        "1",
        "--seed",
        "1",
        "--openings",
        "start",
        "--ledger",
        ledger,
    )
    moves = cli.printed("ledger", "show", ledger, "1", "--step", "3").splitlines()[-1]
    assert len(moves.split()) == 1 + 3
    assert after(moves)
    for moment in cli.data("review", replay, "--nodes", "2000")["moments"]:
        assert len(moment["position"].split()) == 1 + moment["step"]
        assert moment["position"] in cli.printed("review", replay, "--nodes", "2000")
