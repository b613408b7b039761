"""Our players as bot files for the Tron-41 course's own runner: of the standard library alone, with a process behind them."""

import ast
import io
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
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import Tron41, bot_process
from saddlepoint.games.tron41.bot_file import roomiest
from saddlepoint.games.tron41.bot_process import Answerer, Message, bot_file, room, serve, write_bot
from saddlepoint.play.preparation import Need

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
    assert (Path(space["PATH"]) / "saddlepoint" / "games" / "catalogue" / "process.py").is_file()


@pytest.mark.parametrize(
    ("spec", "max_wait", "message"),
    [
        *(
            (spec, 0.3, "is written for a player of this library")
            for spec in ("{}", "human", 'asp(file="{}")')
        ),
        ("nobody", 0.3, "no player is called 'nobody'"),
        ("wall", 0.0, "max_wait takes seconds above 0"),
    ],
)
def test_only_players_of_ours_are_written(tmp_path, spec, max_wait, message):
    (tmp_path / "bots.py").write_text("class StudentBot:\n    def decide(self, asp): return 'U'\n")
    with pytest.raises((SpecError, ValueError), match=message):
        bot_file(spec.format(tmp_path / "bots.py"), make_player, max_wait)


def test_the_player_is_compiled_before_the_file_is_there(tmp_path, monkeypatch):
    compiled, told, here, file = [], [], [], tmp_path / "bots.py"

    def compile_apart(player, size, announce):
        assert not file.exists()
        announce()
        compiled.append((player, size))
        return size != (9, 9)

    def loaded(make, player, size):
        here.append(size)
        return make(player, room(size))

    monkeypatch.setattr(bot_process, "compile_apart", compile_apart)
    monkeypatch.setattr(bot_process, "loaded", loaded)
    write_bot(str(file), "wall", make_player, 0.3, [(7, 7), (9, 9)], told.append)
    assert compiled == [("wall", (7, 7)), ("wall", (9, 9))]
    assert told == [(7, 7), (9, 9)]
    assert here == [(9, 9)]  # what no other process could compile
    assert file.read_text() == bot_file("wall", make_player, 0.3, [(7, 7), (9, 9)])


def test_a_file_of_others_is_never_replaced_and_one_of_ours_is(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_process, "compile_apart", lambda *_: True)
    file = tmp_path / "bots.py"
    for player in ("wall", "safe"):
        write_bot(str(file), player, make_player, 0.3, [(7, 7)], print)
        assert f"PLAYER = '{player}'" in file.read_text()
    file.write_text("# a student's work of a month\n")
    for place, message in (
        (file, "was not written by this command"),
        (tmp_path / "nowhere" / "bots.py", "no directory"),
    ):
        with pytest.raises(GameError, match=message):
            write_bot(str(place), "wall", make_player, 0.3, [(7, 7)], print)
    assert file.read_text() == "# a student's work of a month\n"


@pytest.mark.slow
def test_the_runner_of_the_oldest_python_here_plays_it(tmp_path):
    file = tmp_path / "bots.py"
    path = os.pathsep.join([str(Path(bot_process.__file__).parents[4]), os.environ.get("PYTHONPATH", "")])
    file.write_text(changed(bot_file("wall", make_player, 1.0, [(7, 7)]), PATH=path))
    report, errors = run(file, moves=4, max_wait=5.0, python=oldest_python())
    assert report["faults"] == []
    assert all(report["safe"])
    assert len(report["answers"]) == 4
    assert errors == "" or errors.startswith("saddlepoint: compiling wall for maps of 7x7")


READY = "print('{\"ready\": true}', flush=True)\n"
SILENT = READY + "time.sleep(60)"
PROCESSES = {
    "is not there": None,
    "dies at once": "pass",
    "dies at its first question": READY + "sys.stdin.readline(); sys.stdin.readline()",
    "never answers": SILENT,
    "writes rubbish": "print('[]\\n5\\n{}\\nrubbish\\n{\"ready\": true}', flush=True)\n"
    'for line in sys.stdin: print(\'{"move": 999, "answer": "U"}\\n{"move": null}\\n\\xff\', flush=True)',
    "answers no direction": READY
    + "for line in sys.stdin: print(json.dumps({'move': json.loads(line).get('move'), 'answer': 'up'}), flush=True)",
    "reports errors": READY
    + "for line in sys.stdin: print(json.dumps({'move': json.loads(line).get('move'), 'error': 'oh'}), flush=True)",
}


@pytest.fixture
def bots(tmp_path):
    """Writes a bot file whose process runs that code; none where there is no code."""

    def write(code, **values):
        python, file = tmp_path / "python", tmp_path / "bots.py"
        if code is not None:
            (tmp_path / "stub.py").write_text(f"import json, sys, time\n{code}\n")
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
    assert errors.count("saddlepoint: oh") == (what == "reports errors")
    assert "saddlepoint: " in errors or what not in ("is not there", "dies at once")


def test_the_time_for_a_move_is_the_runners(bots, tmp_path):
    code = (
        f"{READY}for line in sys.stdin:\n"
        f"    open({str(tmp_path / 'asked')!r}, 'a').write(line)\n"
        "    print(json.dumps({'move': json.loads(line).get('move'), 'answer': 'R'}), flush=True)\n"
    )
    report, _ = run(bots(code), moves=2, max_wait=8.0)
    assert report["answers"] == ["R", "R"]
    prepared, *asked = [json.loads(line) for line in (tmp_path / "asked").read_text().splitlines()]
    assert prepared == {"prepare": [[7, 7]]}
    assert all(3.0 < message["seconds"] <= 6.0 for message in asked[:2])  # 0.75 of what the timer has left


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


# -- the process behind it -------------------------------------------------------------------------------------------------


def question(number, board=MAP, turn=0, seconds=60.0, **more):
    return {
        "move": number,
        "board": board.split("/"),
        "turn": turn,
        "armor": [0, 0],
        "speed": [0, 0],
        "seconds": seconds,
        **more,
    }


class Lines:
    """An input that ends when so many answers are there."""

    def __init__(self, messages, answers, count):
        lines = [one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in messages]
        self.lines, self.answers, self.count = lines, answers, count

    def readline(self):
        if self.lines:
            return self.lines.pop(0)
        wait_until(lambda: self.answers.getvalue().count(b"\n") >= self.count, 60)
        return b""


def served(monkeypatch, count, *messages):
    """What the process answers to these lines, when it has said so many."""
    monkeypatch.setattr(
        bot_process, "compile_apart", lambda player, size, announce=None: announce and announce()
    )
    answers = io.BytesIO()
    serve("wall", make_player, Lines(messages, answers, count), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_the_process_answers_positions_of_any_map(monkeypatch):
    other = "#########/#1  ^  *#/#   x   #/#      2#/#########"
    told = served(
        monkeypatch,
        5,
        {"prepare": [[7, 7]]},
        b"no message\n",
        b"[1]\n",
        question(1),
        question(2, other, turn=1),
        question(3, "####/#12#"),
    )
    assert told[:2] == [{"compiling": [7, 7]}, {"ready": True}]
    assert told[2]["move"] == 1 and told[2]["answer"] in set("DR")
    assert told[3]["move"] == 2 and told[3]["answer"] in set("UL")
    assert told[4]["move"] == 3 and told[4]["error"]


def test_a_question_that_nobody_waits_for_any_longer_gets_no_answer(monkeypatch):
    told = served(monkeypatch, 1, question(1, seconds=-1.0), question(2))
    assert [message["move"] for message in told] == [2]


def test_the_player_begins_anew_with_each_game_and_each_side():
    answerer, begun = Answerer("wall", make_player), []
    player = answerer._players[7, 7] = make_player("wall", room((7, 7)))
    begin = player.begin
    player.begin = lambda game, seat: (begun.append(seat), begin(game, seat))
    for turn in (0, 0, 1):
        answerer.move(Message(question(1, turn=turn), print))
    answerer.end_game()
    answerer.move(Message(question(1, turn=1), print))
    assert begun == [0, 1, 1]


def test_a_game_with_more_power_ups_than_the_last_on_the_same_walls_is_played():
    answerer = Answerer("wall", make_player)
    for board in (MAP, MAP.replace("#     #", "#^ ! @#")):
        game = answerer._game(board.split("/"))
        game.from_field(board.split("/"))
    assert game.layout.powerups >= 9


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
def test_a_compilation_goes_on_when_who_asked_is_killed_and_is_not_done_again(tmp_path):
    asks = "from saddlepoint.games.tron41.bot_process import *; compile_apart('random', (5, 6), lambda: print(flush=True))"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", asks], env=environment, start_new_session=True, stdout=subprocess.PIPE
    ) as first:
        assert first.stdout.readline() == b"\n"
        wait_until(lambda: list(tmp_path.rglob("*.nbc")))  # it is under way
        first.kill()
    task = f"{Need(room((5, 6)), 'random').task}\n"
    wait_until(lambda: any(path.read_text() == task for path in tmp_path.rglob("players")))
    again = subprocess.run([sys.executable, "-c", asks], env=environment, capture_output=True, check=True)
    assert again.stdout == b"", "there was nothing to wait for"


def test_the_process_ends_with_its_input():
    command = [sys.executable, "-m", "saddlepoint.games.catalogue.process", "tron41", "wall"]
    assert subprocess.run(command, input=b"", capture_output=True, check=True).stdout == b""
