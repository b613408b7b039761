"""Bots of the Tron-41 course, run unchanged, and our players as bots of its own runner."""

import gzip
import importlib.util
import json
import sys
import time
from pathlib import Path

import pytest

import saddlepoint.cli
from saddlepoint.games.tron41 import ACTIONS, Tron41
from saddlepoint.players import asp_course as course
from saddlepoint.players.base import Player, PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.isolation import Isolation
from saddlepoint.players.make import make_player
from saddlepoint.players.spec import SpecError
from saddlepoint.protocols.asp import CourseBot, CourseRules, bot_file, play, roomiest

ENDLESS = Clock(float("inf"), 0.0)
HEAD = """#!/usr/bin/python
from tronproblem import *
from trontypes import CellType, PowerupType
import random, math, time, os, copy

class StudentBot:
    def __init__(self):
        self.moves = 0

    def cleanup(self):
        self.moves = 0

    def decide(self, asp):
        self.moves += 1
        state = asp.get_start_state()
"""

BODIES = {
    "right": "return 'R'",
    "safe": "return sorted(TronProblem.get_safe_actions(state.board, state.player_locs[state.ptm]) or 'U')[0]",
    "counts": "return 'URDL'[min(self.moves, 4) - 1]",
    "slow": "time.sleep(5)\n        return 'R'",
    "stubborn": "while True:\n            try: time.sleep(5)\n            except Exception: pass",
    "raises": "raise KeyError('oh')",
    "exits": "raise SystemExit(3)",
    "dies": "os._exit(4)",
    "dies_once": "if not os.path.exists('mark'):\n            open('mark', 'w').close()\n            os._exit(4)\n        return 'R'",
    "none": "return None",
    "word": "return 'RIGHT'",
    "floods": "print('x' * 3_000_000)\n        os.write(1, b'{\"answer\": \"L\"}\\n')\n        return 'R'",
    "meddles": "state.board[1][1] = 'x'; state.player_locs[0] = None; asp.set_start_state(None)\n        return 'R'",
}


def write_bot(directory, body, name="studentbot.py"):
    path = directory / name
    path.write_text(HEAD + "        " + BODIES[body] + "\n")
    return str(path)


@pytest.fixture
def player(tmp_path):
    made = []

    def make(body, **options):
        made.append(make_player(write_bot(tmp_path, body), Tron41("small_room")))
        vars(made[-1]).update(options)
        return made[-1]

    yield make
    for one in made:
        one.close()


def answer(player, seed=1):
    game = Tron41("small_room")
    player.begin(game, 0, seed)
    return ACTIONS[player.choose(game.initial_state(), ENDLESS)]


# -- bot files -------------------------------------------------------------------------------------------------------


def test_a_bot_file_moves_as_it_decides(player):
    bot = player("right")
    assert answer(bot) == "R"
    assert bot.faults == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [("slow", "no answer within 0.2 s"), ("stubborn", "no answer within 0.2 s"), ("raises", "KeyError: 'oh'"),
     ("exits", "SystemExit: 3"), ("dies", "no answer within 0.2 s")],
)  # fmt: skip
def test_too_late_or_an_exception_is_the_move_u(player, body, fault):
    bot = player(body, max_wait=0.2)
    started = time.perf_counter()
    assert answer(bot) == "U"
    assert time.perf_counter() - started < 3.0
    assert bot.faults == [fault]


@pytest.mark.parametrize(("body", "shown"), [("none", "'NoneType'"), ("word", "'RIGHT'")])
def test_what_is_no_direction_is_an_arbitrary_direction(player, body, shown):
    bot = player(body)
    assert {answer(bot, seed) for seed in range(20)} == set("URDL")
    assert bot.faults == [f"{shown} is no direction"]


def test_a_bot_that_died_is_started_again(player):
    bot = player("dies_once", isolation=Isolation(mode="supervisor"))  # what it writes is still there
    assert answer(bot) == "U"
    assert answer(bot) == "R"
    assert bot.faults == []


def test_what_a_bot_prints_or_changes_does_not_matter(player):
    assert answer(player("floods")) == "R"
    assert answer(player("meddles")) == "R"


def test_the_clock_bounds_the_time_too(player):
    bot = player("slow", max_wait=30.0)
    game = Tron41("small_room")
    bot.begin(game, 0, 1)
    started = time.perf_counter()
    assert ACTIONS[bot.choose(game.initial_state(), Clock(0.1, 0.0))] == "U"
    assert time.perf_counter() - started < 4


def test_a_bot_lives_through_its_games_and_cleans_up_between_them(player):
    bot = player("counts")
    game = Tron41("small_room")
    for _ in range(2):
        bot.begin(game, 0, 1)
        assert "".join(ACTIONS[bot.choose(game.initial_state(), ENDLESS)] for _ in range(5)) == "URDLL"


def test_a_bot_file_may_hold_several_classes_and_bring_modules(tmp_path):
    (tmp_path / "helper.py").write_text("MOVE = 'L'\n")
    (tmp_path / "bots.py").write_text(
        "from helper import MOVE\n"
        "class UserBot:\n    def decide(self, asp): return 'D'\n"
        "class Other:\n    def decide(self, asp): return MOVE\n    def cleanup(self): pass\n"
    )
    game, file = Tron41("small_room"), tmp_path / "bots.py"
    for spec, expected in [(f"{file}", "D"), (f"{file}:Other", "L"), (f'asp(file="{file}", bot=Other, max_wait=1)', "L")]:
        bot = make_player(spec, game)
        assert answer(bot) == expected
        bot.close()


def test_what_is_no_bot_file_is_refused_in_one_sentence(tmp_path):
    game = Tron41("small_room")
    for spec in ("./nowhere.py", "./nowhere.py:Bot", f'cmd(command="{tmp_path}", protocol=asp)'):
        with pytest.raises(SpecError, match="is a Python file with a bot class"):
            make_player(spec, game)
    with pytest.raises(SpecError, match="max_wait takes seconds above 0"):
        make_player(f'asp(file="{write_bot(tmp_path, "right")}", max_wait=0)', game)
    (tmp_path / "empty.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("x = = 1\n")
    for name, message in [("empty.py", "has no class StudentBot or UserBot"), ("broken.py", "SyntaxError")]:
        with pytest.raises(PlayerError, match=message) as error:
            make_player(str(tmp_path / name), game).begin(game, 0, 1)
        assert "\n" not in str(error.value)


# -- the course's problem ----------------------------------------------------------------------------------------------


def trace_games():
    with gzip.open(Path(__file__).parent.parent / "data" / "tron41_traces.jsonl.gz", "rt") as lines:
        return [json.loads(line) for number, line in enumerate(lines) if number % 4 == 0]


def course_state(recorded):
    owned = {p: {**({"@": 1} if armor else {}), **({"^": speed} if speed else {})} for p, (armor, speed) in enumerate(recorded["pw"])}
    locs = [tuple(loc) if loc else None for loc in recorded["locs"]]
    return course.TronState([list(row) for row in recorded["board"]], locs, recorded["ptm"], owned)


def test_the_problem_handed_to_bots_makes_the_recorded_moves():
    traps = 0
    for record in trace_games():
        before = record["start"]
        for step in record["steps"]:
            problem = course.TronProblem(course_state(before))
            state = problem.get_start_state()
            after = problem.transition(state, step["a"])
            expected = course_state(step)
            assert vars(state) == vars(course_state(before))  # a new state: the old one is as it was
            assert (after.player_locs, after.ptm) == (expected.player_locs, expected.ptm)
            assert after.player_powerups == expected.player_powerups
            if "trap" in step:
                traps += 1
                new = {(r, c) for r, row in enumerate(after.board) for c, mark in enumerate(row) if mark == "x"}
                old = {(r, c) for r, row in enumerate(before["board"]) for c, mark in enumerate(row) if mark == "x"}
                room = {tuple(cell) for cell in step["trap"]["cand"]}
                assert len(new - old) == 1 + len(step["trap"]["placed"])
                assert new - old - {tuple(before["locs"][step["p"]])} <= room
            else:
                assert after.board == expected.board
            assert problem.is_terminal_state(after) == step["term"]
            if step["term"]:
                assert problem.evaluate_state(after) == step["eval"]
            else:
                assert problem.get_safe_actions(step["board"], tuple(step["locs"][step["ptm"]])) == set(step["safe"])
            before = step
    assert traps > 20


def test_static_helpers_and_guards():
    told = {"board": ["#####", "#1x2#", "#####"], "locs": [(1, 1), (1, 3)], "ptm": 0, "pw": [[1, 0], [0, 3]]}
    problem = course.TronProblem(course_state(told))
    state = problem.get_start_state()
    assert problem.get_available_actions(state) == set("UDLR")
    assert problem.move((1, 1), "R") == (1, 2)
    with pytest.raises(ValueError, match="a direction is U, D, L or R"):
        problem.move((1, 1), "X")
    assert problem.get_safe_actions(state.board, (1, 1)) == set()
    assert problem.get_safe_actions(state.board, (1, 1), True) == {"R"}
    assert state.player_has_armor(0)
    assert not state.player_has_armor(1)
    assert (state.get_remaining_turns_speed(0), state.get_remaining_turns_speed(1)) == (0, 3)
    with pytest.raises(AssertionError):
        problem.evaluate_state(state)


# -- the runner's rules ------------------------------------------------------------------------------------------------


class Scripted(Player):
    def __init__(self, *answers):
        self.answers = list(answers)

    def choose(self, state, clock):
        found = self.answers.pop(0) if self.answers else 0
        if isinstance(found, Exception):
            raise found
        if isinstance(found, float):
            time.sleep(found)
            return 1
        return found


def test_faults_are_moves_and_warnings_not_the_end():
    game = Tron41("small_room")
    seen = []
    first = Scripted(1, ValueError("oh"))
    winner = play(game, (first, Scripted(3)), game.initial_state(), on_step=lambda state, warning: seen.append(warning))
    assert winner == 1
    assert seen == ["", "", "player 1: moves U after an exception: ValueError: oh"]
    seen.clear()
    rules = CourseRules(max_wait=0.05, tolerance=0.0)
    play(game, (Scripted(0.2), Scripted()), game.initial_state(), rules, on_step=lambda s, warning: seen.append(warning))
    assert seen[0].startswith("player 1: moves U, too late: 0.2")
    seen.clear()
    play(game, (Scripted(17), Scripted()), game.initial_state(), on_step=lambda s, warning: seen.append(warning))
    assert seen[0] == "player 1: moves somewhere: its answer was no action"


def test_a_bot_files_faults_are_told(player):
    game = Tron41("small_room")
    seen = []
    players = (player("raises"), Scripted())
    assert play(game, players, game.initial_state(), on_step=lambda state, warning: seen.append(warning)) == 1
    assert seen == ["player 1: moves U: KeyError: 'oh'"]


def test_the_same_seed_draws_the_same_game():
    game = Tron41("hunger_games")
    players = [make_player(spec, game) for spec in ("safe", "wall")]
    for one in players:
        one.warm(game, game.initial_state())

    def boards():
        seen = []
        play(game, players, game.initial_state(2), seed=5, on_step=lambda state, warning: seen.append(state))
        return seen

    assert boards() == boards()


# -- our players in the course's own runner ----------------------------------------------------------------------------


def course_game(bots, start, limit=60):
    """What the course's runner does, time aside; returns (winner, moves)."""
    problem, moves = course.TronProblem(start), []
    while not problem.is_terminal_state(problem.get_start_state()) and len(moves) < limit:
        state = problem.get_start_state()
        moves.append(bots[state.ptm].decide(problem))
        assert moves[-1] in problem.get_available_actions(state)
        problem.set_start_state(problem.transition(state, moves[-1]))
    for bot in bots:
        bot.cleanup()
    return problem.evaluate_state(problem.get_start_state()), moves


def written_bot(tmp_path, player):
    path = tmp_path / "ours.py"
    path.write_text(bot_file(player, 0.3))
    spec = importlib.util.spec_from_file_location("ours", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.StudentBot


def test_a_player_of_ours_is_an_importable_bot(tmp_path):
    kind = written_bot(tmp_path, "wall")
    assert issubclass(kind, CourseBot)
    assert (kind.player, kind.max_wait) == ("wall", 0.3)
    game = Tron41("joust")
    bots = [kind(), kind()]
    for bot in bots:
        for thread in bot._at_work.values():
            thread.join()
    for seed in (1, 2):
        told = {"board": game.field(game.initial_state(seed)), "locs": [(5, 8), (11, 8)], "ptm": 0, "pw": [[0, 0], [0, 0]]}
        result, moves = course_game(bots, course_state(told), limit=400)
        assert sorted(result) == [0.0, 1]
        assert len(moves) >= 4 and set(moves) <= set("UDLR")  # the order of directions is drawn: games may be short


def test_until_its_rules_are_ready_it_goes_where_most_room_is():
    class Unready(CourseBot):
        sizes = ()

        def _player(self, game):
            return None

    told = {"board": ["#######", "#  #  #", "# 1#  #", "#    2#", "#######"], "locs": [(2, 2), (3, 5)], "ptm": 0, "pw": [[0, 0]] * 2}
    assert Unready().decide(course.TronProblem(course_state(told))) == "U"
    assert roomiest(["######", "# x  #", "##1#2#", "# x  #", "######"], (2, 2), True) in "UD"
    assert roomiest(["######", "# x  #", "##1#2#", "# x  #", "######"], (2, 2), False) == "U"
    assert roomiest(["######", "#x1 x#", "#2x  #", "######"], (1, 2), False) == "R"


def test_a_bot_file_wants_a_class_name_and_a_time():
    with pytest.raises(ValueError, match="is no name of a class"):
        bot_file("wall", 0.3, "Student Bot")
    with pytest.raises(ValueError, match="max_wait takes seconds above 0"):
        bot_file("wall", 0.0)


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """Exit code, stdout and stderr of the program, run in an empty directory."""

    def run(*arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["saddlepoint", *arguments])
        monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
        with pytest.raises(SystemExit) as left:
            saddlepoint.cli.main()
        return (left.value.code or 0, *capsys.readouterr())

    return run


def test_the_runners_options(cli, tmp_path):
    write_bot(tmp_path, "safe", "bots.py")
    code, out, _ = cli(
        "tron41", "-bots", "student", "wall", "-map", "small_room", "-max_wait", "1", "-multi_test", "4", "-no_image",
        "-no_color", "--seed", "3",
    )  # fmt: skip
    lines = out.splitlines()
    assert code == 0
    assert [line.split(" won ")[0] for line in lines] == ["Player 1", "Player 2"]
    assert sum(int(line.split()[3]) for line in lines) == 4
    assert all(line.endswith("out of 4 times") for line in lines)


def test_boards_are_shown_unless_asked_not_to(cli):
    code, out, _ = cli("tron41", "-bots", "random", "wall", "-map", "small_room", "-image_delay", "0")
    assert code == 0
    assert out.count("#######") >= 2 * 3
    assert out.splitlines()[-1] in ("Player 1 won!", "Player 2 won!")


def test_a_bot_is_written_for_the_courses_runner(cli, tmp_path):
    _, out, _ = cli("tron41", "-bots", "wall", "wall", "--write-bot", "ours.py", "-max_wait", "1")
    assert out == "ours.py: the class StudentBot plays as wall\n"
    assert (tmp_path / "ours.py").read_text() == bot_file("wall", 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-map", "nowhere"), "no map is called 'nowhere'"),
        (("-bots", "nobody", "wall"), "no player is called 'nobody'"),
        (("-bots", "./none.py", "wall"), "is a Python file with a bot class"),
        (("-max_wait", "0"), "max_wait takes seconds above 0"),
    ],
)
def test_errors_are_one_sentence(cli, options, message):
    code, out, err = cli("tron41", *options)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
