"""Bots of the Tron-41 course, run unchanged, and our players as bots of its own runner."""

import gzip
import importlib
import json
import re
import time
from pathlib import Path

import numpy as np
import pytest

from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import ACTIONS, Tron41, course
from saddlepoint.games.tron41.asp import CourseRules, play
from saddlepoint.players.base import Answer, Player, PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation

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


def answered(player, seed=1):
    """The direction, and what was wrong with the player's own answer."""
    game = Tron41("small_room")
    player.begin(game, 0, seed)
    found = Answer.of(player.choose(game.initial_state(), ENDLESS))
    return ACTIONS[found.action], found.warning


def answer(player, seed=1):
    return answered(player, seed)[0]


# -- bot files -------------------------------------------------------------------------------------------------------


def test_a_bot_file_moves_as_it_decides(player):
    bot = player("right")
    assert answered(bot) == ("R", "")


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("slow", "no answer within 0.2 s"),
        ("stubborn", "no answer within 0.2 s"),
        ("raises", "KeyError: 'oh'"),
        ("exits", "SystemExit: 3"),
        ("dies", "no answer within 0.2 s"),
    ],
)
def test_too_late_or_an_exception_is_the_move_u(player, body, fault):
    bot = player(body, max_wait=0.2)
    started = time.perf_counter()
    assert answered(bot) == ("U", fault)
    assert time.perf_counter() - started < 3.0


@pytest.mark.parametrize(("body", "shown"), [("none", "'NoneType'"), ("word", "'RIGHT'")])
def test_what_is_no_direction_is_an_arbitrary_direction(player, body, shown):
    bot = player(body)
    assert {answered(bot, seed) for seed in range(20)} == {
        (direction, f"{shown} is no direction") for direction in "URDL"
    }


def test_a_bot_that_died_is_started_again(player):
    bot = player("dies_once", isolation=Isolation(mode="supervisor"))  # what it writes is still there
    assert answer(bot) == "U"
    assert answered(bot) == ("R", "")


def test_what_a_bot_prints_or_changes_does_not_matter(player):
    assert answer(player("floods")) == "R"
    assert answer(player("meddles")) == "R"


def test_the_clock_bounds_the_time_too(player):
    bot = player("slow", max_wait=30.0)
    game = Tron41("small_room")
    bot.begin(game, 0, 1)
    started = time.perf_counter()
    assert ACTIONS[bot.choose(game.initial_state(), Clock(0.1, 0.0)).action] == "U"
    assert time.perf_counter() - started < 4


def test_a_bot_lives_through_its_games_and_cleans_up_between_them(player):
    bot = player("counts")
    game = Tron41("small_room")
    for _ in range(2):
        bot.begin(game, 0, 1)
        assert "".join(ACTIONS[bot.choose(game.initial_state(), ENDLESS).action] for _ in range(5)) == "URDLL"


def test_a_bot_file_may_hold_several_classes_and_bring_modules(tmp_path):
    (tmp_path / "helper.py").write_text("MOVE = 'L'\n")
    (tmp_path / "bots.py").write_text(
        "from helper import MOVE\n"
        "class UserBot:\n    def decide(self, asp): return 'D'\n"
        "class Other:\n    def decide(self, asp): return MOVE\n    def cleanup(self): pass\n"
    )
    game, file = Tron41("small_room"), tmp_path / "bots.py"
    for spec, expected in [
        (f"{file}", "D"),
        (f"{file}:Other", "L"),
        (f'asp(file="{file}", bot=Other, max_wait=1)', "L"),
    ]:
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


def bot_answers(tmp_path, code, **files):
    """What a bot file of this code answers in the first position of small_room, and what was wrong."""
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "bots.py").write_text(code)
    bot = make_player(str(tmp_path / "bots.py"), Tron41("small_room"))
    bot.max_wait = 20.0
    try:
        return answered(bot)
    finally:
        bot.close()


def test_a_file_uses_what_the_courses_problem_has_besides_its_interface(tmp_path):
    code = (
        HEAD
        + """
        places = asp._player_locs_from_board(state.board)
        assert places == [(1, 1), (5, 5)] == TronProblem._player_locs_from_board(state.board), places
        assert asp._num_players == 2
        with open('map.txt', 'w') as file:
            file.write('\\n'.join(''.join(row) for row in state.board))
        other = TronProblem('map.txt', 1)
        assert other.get_start_state().board == state.board and other.get_start_state().player_to_move() == 1
        assert BoardPrinter.state_to_string(state, False).count('#') == 24
        return 'D'
"""
    )
    assert bot_answers(tmp_path, code) == ("D", "")


def test_a_file_finds_the_names_of_the_numpy_and_python_it_was_written_for(tmp_path):
    code = """
import random, time, fractions, collections
import numpy as np
class StudentBot:
    def decide(self, asp):
        assert np.Inf == np.Infinity == -np.NINF == float('inf') and np.NaN != np.NaN
        assert np.float(1) == 1.0 and np.int(1) == 1 and np.product([2, 3]) == 6 and np.float_(2) == 2.0
        assert time.clock() >= 0 and fractions.gcd(4, 6) == 2
        assert isinstance({}, collections.Mapping)
        assert random.sample([1], 1) == [1] and random.Random(1).sample({3}, 1) == [3]
        return random.sample({'D'}, 1)[0]
    def cleanup(self): pass
"""
    assert bot_answers(tmp_path, code) == ("D", "")


def test_old_names_are_given_back_to_bot_files_alone():
    importlib.import_module("saddlepoint.games.tron41.bot_host")
    assert not hasattr(time, "clock")
    assert "Inf" not in vars(np) or np.__version__ < "2"


OWN_PROBLEM = """
from adversarialsearchproblem import AdversarialSearchProblem, GameState

class TronState(GameState):
    def __init__(self, board, player_locs, ptm, player_powerups):
        self.board, self.player_locs, self.ptm, self.player_powerups = board, player_locs, ptm, player_powerups
    def corner(self): return 'mine'

class TronProblem(AdversarialSearchProblem):
    def __init__(self, board_file_loc, first_player):
        self.seen = open(board_file_loc).read()
        self.first = first_player
    def favourite(self): return 'D'
    def get_available_actions(self, state): return {'D'}
"""


def test_the_methods_of_a_files_own_problem_win(tmp_path):
    code = """
from tronproblem import TronProblem
class StudentBot:
    def decide(self, asp):
        assert isinstance(asp, TronProblem) and asp.get_start_state().corner() == 'mine'
        assert asp.first == 0 and '#1    #' in asp.seen and asp.get_available_actions(None) == {'D'}
        return asp.favourite()
    def cleanup(self): pass
"""
    assert bot_answers(tmp_path, code, tronproblem=OWN_PROBLEM) == ("D", "")
    # Made in another way than the course's: its methods are there all the same.
    (tmp_path / "bots.py").unlink()
    other = (
        OWN_PROBLEM.replace("def __init__(self, board_file_loc, first_player):", "def __init__(self):")
        .replace("self.seen = open(board_file_loc).read()", "pass")
        .replace("self.first = first_player", "pass")
    )
    simple = (
        "class StudentBot:\n    def decide(self, asp): return asp.favourite()\n    def cleanup(self): pass\n"
    )
    assert bot_answers(tmp_path, simple, tronproblem=other) == ("D", "")


def test_a_broken_module_that_the_bot_does_not_use_is_nothing_to_it(tmp_path):
    simple = "class StudentBot:\n    def decide(self, asp): return sorted(asp.get_available_actions(asp.get_start_state()))[0]\n"
    assert bot_answers(tmp_path, simple, tronproblem="import nowhere_to_be_found\n") == ("D", "")


def test_a_bot_catches_its_own_runners_time_out(tmp_path):
    code = """
import time
from support import TimeoutException
class StudentBot:
    def decide(self, asp):
        try:
            time.sleep(5)
        except TimeoutException:
            return 'L'
    def cleanup(self): pass
"""
    (tmp_path / "support.py").write_text("class TimeoutException(Exception):\n    pass\n")
    (tmp_path / "bots.py").write_text(code)
    bot = make_player(str(tmp_path / "bots.py"), Tron41("small_room"))
    bot.max_wait = 0.3
    try:
        assert answer(bot) == "L"
    finally:
        bot.close()


# -- the course's problem ----------------------------------------------------------------------------------------------


def trace_games():
    with gzip.open(Path(__file__).parents[2] / "data" / "tron41_traces.jsonl.gz", "rt") as lines:
        return [json.loads(line) for number, line in enumerate(lines) if number % 4 == 0]


def course_state(recorded):
    owned = {
        p: {**({"@": 1} if armor else {}), **({"^": speed} if speed else {})}
        for p, (armor, speed) in enumerate(recorded["pw"])
    }
    locs = [tuple(loc) if loc else None for loc in recorded["locs"]]
    return course.TronState([list(row) for row in recorded["board"]], locs, recorded["ptm"], owned)


def problem_of(state):
    problem = course.TronProblem.__new__(course.TronProblem)  # without its map file
    problem.set_start_state(state)
    return problem


def test_the_problem_handed_to_bots_makes_the_recorded_moves():
    traps = 0
    for record in trace_games():
        before = record["start"]
        for step in record["steps"]:
            problem = problem_of(course_state(before))
            state = problem.get_start_state()
            after = problem.transition(state, step["a"])
            expected = course_state(step)
            assert vars(state) == vars(course_state(before))  # a new state: the old one is as it was
            assert (after.player_locs, after.ptm) == (expected.player_locs, expected.ptm)
            assert after.player_powerups == expected.player_powerups
            if "trap" in step:
                traps += 1
                new = {
                    (r, c) for r, row in enumerate(after.board) for c, mark in enumerate(row) if mark == "x"
                }
                old = {
                    (r, c)
                    for r, row in enumerate(before["board"])
                    for c, mark in enumerate(row)
                    if mark == "x"
                }
                room = {tuple(cell) for cell in step["trap"]["cand"]}
                assert len(new - old) == 1 + len(step["trap"]["placed"])
                assert new - old - {tuple(before["locs"][step["p"]])} <= room
            else:
                assert after.board == expected.board
            assert problem.is_terminal_state(after) == step["term"]
            if step["term"]:
                assert problem.evaluate_state(after) == step["eval"]
            else:
                assert problem.get_safe_actions(step["board"], tuple(step["locs"][step["ptm"]])) == set(
                    step["safe"]
                )
            before = step
    assert traps > 20


def test_static_helpers_and_guards():
    told = {"board": ["#####", "#1x2#", "#####"], "locs": [(1, 1), (1, 3)], "ptm": 0, "pw": [[1, 0], [0, 3]]}
    problem = problem_of(course_state(told))
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
    winner = play(
        game,
        (first, Scripted(3)),
        game.initial_state(),
        on_step=lambda state, player, warning: seen.append(warning),
    )
    assert winner == 1
    assert seen == ["", "", "moves U after an exception: ValueError: oh"]
    seen.clear()
    rules = CourseRules(max_wait=0.05, tolerance=0.0)
    play(
        game,
        (Scripted(0.2), Scripted()),
        game.initial_state(),
        rules,
        on_step=lambda s, player, warning: seen.append(warning),
    )
    used = re.fullmatch(r"moves U, too late: (0\.\d+) s used of 0\.050 s", seen[0])
    assert used is not None
    assert float(used[1]) > 0.05
    seen.clear()
    play(
        game,
        (Scripted(17), Scripted()),
        game.initial_state(),
        on_step=lambda s, player, warning: seen.append(warning),
    )
    assert seen[0] == "moves somewhere: its answer was no action"


def test_a_bot_files_faults_are_told(player):
    game = Tron41("small_room")
    seen = []
    players = (player("raises"), Scripted())
    assert (
        play(game, players, game.initial_state(), on_step=lambda state, player, warning: seen.append(warning))
        == 1
    )
    assert seen == ["moves U: KeyError: 'oh'"]


def test_the_same_seed_draws_the_same_game():
    game = Tron41("hunger_games")
    players = [make_player(spec, game) for spec in ("safe", "wall")]
    for one in players:
        one.warm(game, game.initial_state())

    def boards():
        seen = []
        play(
            game,
            players,
            game.initial_state(2),
            seed=5,
            on_step=lambda state, player, warning: seen.append(state),
        )
        return seen

    assert boards() == boards()
