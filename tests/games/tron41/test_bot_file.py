"""Our players as bot files for the Tron-41 course's own runner: of the standard library alone, with a process behind them."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.programs import wait_until
from saddlepoint.algorithms.turns.turn_algorithm import new_turn_workspace
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.base import GameError
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import Tron41, command
from saddlepoint.games.tron41.bot_file import _Process, empty_walls, roomiest, written
from saddlepoint.games.tron41.command import bot_file, write_bot
from saddlepoint.play.preparation import Need
from saddlepoint.players.protocols.lines_bot import LinesBot

RUNNER = Path(__file__).parents[2] / "helpers" / "course_runner.py"
MAP = "#######/#1    #/#     #/#     #/#     #/#    2#/#######"
IN_3_7 = {
    "json",
    "math",
    "os",
    "random",
    "select",
    "signal",
    "subprocess",
    "sys",
    "time",
    "typing",
    "weakref",
}


def oldest_python():
    """The oldest Python 3.6 or newer on this machine that works; at worst the tests' own."""
    found = [str(path) for path in Path.home().glob(".pyenv/versions/3.*/bin/python")]
    found += [name for minor in range(6, 11) if (name := shutil.which(f"python3.{minor}"))]
    works = []
    for name in found:
        told = subprocess.run(
            [name, "-c", "import sys; print(sys.version_info[1])"],
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode == 0 and int(told.stdout) >= 6:
            works.append((int(told.stdout), name))
    return min(works)[1] if works else sys.executable


def changed(text, **values):
    """The file's text with other values of its constants."""
    for name, value in values.items():
        text, count = re.subn(rf"(?m)^{name} = .*$", lambda _, line=f"{name} = {value!r}": line, text)
        assert count == 1
    return text


def run(file, moves=3, max_wait=1.0, python=None):
    """What the stub of the course's runner reports, and what was written to stderr."""
    words = [python or sys.executable, str(RUNNER), str(file), str(max_wait), str(moves), MAP]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


# -- the file -----------------------------------------------------------------------------------------------------------


def test_a_bot_file_is_python_3_7_and_of_the_standard_library_alone():
    tree = ast.parse(bot_file("wall", make_player, 0.3), feature_version=(3, 7))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= IN_3_7
    assert not any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))
    with pytest.raises(SyntaxError):  # the check itself sees what is newer
        ast.parse("(x := 1)", feature_version=(3, 7))


def test_the_interpreter_and_the_package_are_written_into_the_file():
    space = {}
    exec(compile(bot_file("tron_two_fills", make_player, 1, [(9, 9)]), "bots.py", "exec"), space)
    assert (space["PYTHON"], space["PLAYER"], space["MAX_WAIT"], space["SIZES"]) == (
        sys.executable,
        "tron_two_fills",
        1.0,
        [[9, 9]],
    )
    assert (Path(space["PATH"]) / "saddlepoint" / "__main__.py").is_file()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        *((spec, "is written for a player of this library") for spec in ("{}", "human", 'asp(file="{}")')),
        ("nobody", "no player is called 'nobody'"),
    ],
)
def test_only_players_of_ours_are_written(tmp_path, spec, message):
    (tmp_path / "bots.py").write_text("class StudentBot:\n    def decide(self, asp): return 'U'\n")
    with pytest.raises(SpecError, match=message):
        bot_file(spec.format(tmp_path / "bots.py"), make_player)


def test_the_player_is_compiled_before_the_file_is_there(tmp_path, monkeypatch):
    compiled, file = [], tmp_path / "bots.py"

    def compile_(need, make):
        assert not file.exists()
        compiled.append((need.player, need.game.layout.rows))

    monkeypatch.setattr(Need, "is_missing", property(lambda need: len(need.game.layout.rows) > 7))
    monkeypatch.setattr(Need, "compile", compile_)
    write_bot(str(file), "wall", make_player, 0.3, [(7, 7), (9, 9)])
    assert compiled == [("wall", room((9, 9)).layout.rows)]
    assert file.read_text() == bot_file("wall", make_player, 0.3, [(7, 7), (9, 9)])


def test_a_file_of_others_is_never_replaced_and_one_of_ours_is(tmp_path):
    file = tmp_path / "bots.py"
    for player in ("wall", "safe"):
        write_bot(str(file), player, make_player, 0.3, [(7, 7)])
        assert f"PLAYER = '{player}'" in file.read_text()
    file.write_text("# a student's work of a month\n")
    for place, message in (
        (file, "was not written by this command"),
        (tmp_path / "nowhere" / "bots.py", "no directory"),
    ):
        with pytest.raises(GameError, match=message):
            write_bot(str(place), "wall", make_player, 0.3, [(7, 7)])
    assert file.read_text() == "# a student's work of a month\n"


@pytest.mark.slow
def test_the_runner_of_the_oldest_python_here_plays_it(tmp_path):
    file = tmp_path / "bots.py"
    path = os.pathsep.join([str(Path(command.__file__).parents[3]), os.environ.get("PYTHONPATH", "")])
    file.write_text(changed(bot_file("wall", make_player, 1.0, [(7, 7)]), PATH=path))
    report, errors = run(file, moves=4, max_wait=5.0, python=oldest_python())
    assert report["faults"] == []
    assert all(report["safe"])
    assert len(report["answers"]) == 4
    assert "saddlepoint: " not in errors


QUESTIONS = """
def questions():
    for line in sys.stdin:
        if line == "begin\\n":
            print("ready", flush=True)
        elif line == "go\\n":
            yield

def say(text):
    for _ in questions():
        print(text, flush=True)

"""
SILENT = "for _ in questions():\n    time.sleep(60)"
PROCESSES = {
    "is not there": None,
    "dies at once": "pass",
    "dies at its first question": "next(questions())",
    "never answers": SILENT,
    "writes rubbish": "print('[]\\n5\\n\\nrubbish', flush=True)\nsay('moved U\\n\\xff')",
    "answers no direction": "say('move up')",
    "reports errors": "say('error oh')",
    "cannot play": "for line in sys.stdin:\n    print('error oh', flush=True)",
}


@pytest.fixture
def bots(tmp_path):
    """Writes a bot file whose process runs that code; none where there is no code."""

    def write(code, **values):
        python, file = tmp_path / "python", tmp_path / "bots.py"
        if code is not None:
            (tmp_path / "stub.py").write_text(f"import sys, time\n{QUESTIONS}{code}\n")
            python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{tmp_path / "stub.py"}"\n')
            python.chmod(0o755)
        file.write_text(changed(bot_file("wall", make_player, 1.0, [(7, 7)]), PYTHON=str(python), **values))
        return file

    return write


@pytest.mark.parametrize(
    "what",
    [pytest.param(what, marks=pytest.mark.slow) if what == "writes rubbish" else what for what in PROCESSES],
)
def test_whatever_becomes_of_the_process_a_safe_move_comes_in_time(bots, what):
    report, errors = run(bots(PROCESSES[what], WAITING=0.2, PATIENCE=5.0), moves=3, max_wait=2.0)
    assert report["faults"] == []
    assert report["safe"] == [True, True, True]
    assert "Traceback" not in errors
    assert "3 of 3 moves of this game were the plain rule's, not wall's: " in errors
    assert errors.count("saddlepoint: oh") == (what in ("reports errors", "cannot play"))
    assert "saddlepoint: " in errors or what not in ("is not there", "dies at once")


def recorded(file):
    """Code that keeps all lines in that file, and goes right."""
    return (
        f"file = open({str(file)!r}, 'a')\nfor line in sys.stdin:\n    print(line, end='', file=file, flush=True)\n"
        "    if line in ('begin\\n', 'go\\n'):\n        print('ready' if line == 'begin\\n' else 'move R', flush=True)\n"
    )


def test_the_time_for_a_move_is_the_runners(bots, tmp_path):
    report, _ = run(bots(recorded(tmp_path / "asked")), moves=2, max_wait=8.0)
    assert report["answers"] == ["R", "R"]
    words = [line.split() for line in (tmp_path / "asked").read_text().splitlines()]
    clocks = [words for words in words if words[:1] == ["clock"]]
    assert len(clocks) == 2
    # 0.75 of what the timer has left, for each move as much
    assert all(3.0 < float(number) <= 6.0 for _, *numbers in clocks for number in numbers)


def test_what_it_writes_is_the_librarys_protocol(bots, tmp_path):
    run(bots(recorded(tmp_path / "asked")), moves=2, max_wait=8.0)
    told = []
    bot = LinesBot(lambda game: make_player("wall", game), told.append, make_game, only=Tron41())
    for line in (tmp_path / "asked").read_text().splitlines():
        bot.handle(line)
    assert told[:2] == ["ready\n", "ready\n"]
    assert [line.split()[0] for line in told[2:]] == ["move", "move"]


def test_a_late_answer_is_not_taken_for_that_to_the_next_question(bots):
    code = "for number, _ in enumerate(questions()):\n    time.sleep(0 if number else 0.8)\n    print('move', 'DR'[number > 0], flush=True)"
    report, errors = run(bots(code, WAITING=0.2), moves=3, max_wait=3.0)
    assert report["answers"][-1] == "R"
    assert "of 3 moves of this game were the plain rule's" in errors


def test_a_process_that_hangs_is_ended_and_started_again(bots, tmp_path):
    code = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')\n{SILENT}"
    report, _ = run(bots(code, WAITING=0.2, PATIENCE=10.0, MOST_SILENT=1), moves=3, max_wait=2.0)
    assert report["faults"] == []
    assert len((tmp_path / "starts").read_text()) > 1


RING = ["######", "#x1  #", "# ## #", "#    #", "#  2 #", "######"]


@pytest.mark.parametrize(
    ("board", "place", "armor", "moves"),
    [
        (["#######", "#  #  #", "# 1#  #", "#    2#", "#######"], (2, 2), False, "U"),
        (["######", "# x  #", "##1#2#", "# x  #", "######"], (2, 2), True, "UD"),
        (["######", "# x  #", "##1#2#", "# x  #", "######"], (2, 2), False, "U"),
        (["######", "#x1 x#", "#2x  #", "######"], (1, 2), False, "R"),
        (RING, (1, 2), True, "R"),
        ([*RING[:1], "#x1 ##", *RING[2:]], (1, 2), True, "L"),
    ],
)
def test_the_plain_rule_goes_where_most_room_is_and_keeps_its_armor(board, place, armor, moves):
    assert roomiest(board, place, armor) in moves


# -- the games that it begins ------------------------------------------------------------------------------------------------


def room(size):
    return Tron41(written(empty_walls(*size), 0))


def test_the_player_begins_anew_with_each_game_and_each_side_and_goes_on_with_the_map():
    process, begun = _Process(), []
    process._start, process._is_ready = lambda: None, lambda until: False
    process._send = lambda *lines: begun.append(lines)
    rows, more = MAP.split("/"), MAP.replace("#     #", "#^ ! @#").split("/")
    for seat in (0, 0, 1):
        process.ask(rows, seat, "", 1.0, 0.0)
    process.end_game()
    process.ask(more, 1, "", 1.0, 0.0)
    process.end_game()
    process.ask(rows, 1, "", 1.0, 0.0)
    assert [seat for _, seat, *_ in begun] == ["seat 0", "seat 1", "seat 1", "seat 1"]
    maps = [json.loads(game[len("game tron41(map=") : -1]) for game, *_ in begun]
    assert maps[0] == maps[1] != maps[2] == maps[3]
    for board in (rows, more):
        assert Tron41(maps[2]).from_field(board)


def test_maps_of_one_size_need_one_compilation():
    # What a search is compiled for: the game's type, and its memory's. The longest game there can be is part of neither.
    empty = "#" + " " * 11 + "#"
    rows = ["#" * 13, "#1" + "?" * 10 + "#", *[empty] * 9, "#" + " " * 10 + "2#", "#" * 13]
    plain, rich = room((13, 13)), Tron41("\n".join(rows))
    assert plain.max_depth != rich.max_depth
    assert plain._numba_type_ == rich._numba_type_ == Tron41("empty_room_13")._numba_type_
    assert new_turn_workspace(plain).dtype == new_turn_workspace(rich).dtype


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_a_compilation_goes_on_when_who_asked_is_killed(tmp_path):
    (file := tmp_path / "bots.py").write_text(bot_file("random", make_player, 1.0, [(5, 6)]))
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", f"exec(open({str(file)!r}).read()); StudentBot()"], env=environment
    ) as bot:
        wait_until(lambda: list(tmp_path.rglob("*.nbc")), 60)  # it is under way
        bot.kill()
    count = len(list(tmp_path.rglob("*.nbc")))
    wait_until(lambda: len(list(tmp_path.rglob("*.nbc"))) > count, 60)


def test_the_process_ends_with_its_input():
    words = [sys.executable, "-m", "saddlepoint", "bot", "tron41", "--protocol", "lines", "--player", "wall"]
    assert subprocess.run(words, input=b"", capture_output=True, check=True).stdout == b""
