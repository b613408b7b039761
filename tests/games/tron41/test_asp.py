"""Bots of the Tron-41 course, run unchanged, and our players as bots of its own runner."""

import gzip
import importlib
import json
import re
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import ACTIONS, Tron41, course
from saddlepoint.games.tron41.asp import play
from saddlepoint.players.base import Answer, Player, PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation

ENDLESS = Clock(float("inf"), 0.0)
GAME = Tron41("small_room")
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
RIGHT = HEAD + "return 'R'"
RAISES = HEAD + "raise KeyError('oh')"
SLEEPS = HEAD + "time.sleep(100)\n        return 'R'"
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
OTHERWISE_MADE = (
    OWN_PROBLEM.replace("def __init__(self, board_file_loc, first_player):", "def __init__(self):")
    .replace("self.seen = open(board_file_loc).read()", "pass")
    .replace("self.first = first_player", "pass")
)


@pytest.fixture
def player(tmp_path):
    """Makes the player of a bot file of that code, with other modules beside it."""
    made = []

    def make(code, modules=None, **options):
        (tmp_path / "studentbot.py").write_text(code)
        for name, text in (modules or {}).items():
            (tmp_path / f"{name}.py").write_text(text)
        made.append(make_player(str(tmp_path / "studentbot.py"), GAME))
        vars(made[-1]).update(options)
        return made[-1]

    yield make
    for one in made:
        one.close()


def answered(player, seed=1, clock=ENDLESS):
    """The direction, and what was wrong with the player's own answer."""
    player.begin(GAME, 0, seed)
    found = Answer.of(player.choose(GAME.initial_state(), clock))
    return ACTIONS[found.action], found.warning


# -- bot files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "max_wait", "bank", "expected"),
    [
        (RIGHT, 20.0, float("inf"), ("R", "")),
        # Too late or an exception is the move U.
        (SLEEPS, 0.2, float("inf"), ("U", "no answer within 0.2 s")),
        (SLEEPS, 30.0, 0.1, ("U", "no answer within 0.1 s")),
        (
            HEAD + "while True:\n            try: time.sleep(100)\n            except Exception: pass",
            0.2,
            float("inf"),
            ("U", "no answer within 0.2 s"),
        ),
        (RAISES, 20.0, float("inf"), ("U", "KeyError: 'oh'")),
        (HEAD + "raise SystemExit(3)", 20.0, float("inf"), ("U", "SystemExit: 3")),
        (HEAD + "os._exit(4)", 0.2, float("inf"), ("U", "no answer within 0.2 s")),
        # What a bot prints or changes does not matter.
        (
            HEAD
            + "print('x' * 3_000_000)\n        os.write(1, b'{\"answer\": \"L\"}\\n')\n        return 'R'",
            20.0,
            float("inf"),
            ("R", ""),
        ),
        (
            HEAD
            + "state.board[1][1] = 'x'; state.player_locs[0] = None; asp.set_start_state(None)\n        return 'R'",
            20.0,
            float("inf"),
            ("R", ""),
        ),
    ],
)
def test_a_bot_file_moves_as_it_decides_and_u_where_it_is_late_or_fails(
    player, code, max_wait, bank, expected
):
    assert answered(player(code, max_wait=max_wait), clock=Clock(bank, 0.0)) == expected


@pytest.mark.parametrize(("code", "shown"), [("return None", "'NoneType'"), ("return 'RIGHT'", "'RIGHT'")])
def test_what_is_no_direction_is_an_arbitrary_direction(player, code, shown):
    bot = player(HEAD + code)
    assert {answered(bot, seed) for seed in range(20)} == {
        (direction, f"{shown} is no direction") for direction in "URDL"
    }


def test_a_bot_that_died_is_started_again(player):
    once = "if not os.path.exists('mark'):\n            open('mark', 'w').close()\n            os._exit(4)\n        return 'R'"
    bot = player(HEAD + once, isolation=Isolation(mode="supervisor"))  # what it writes is still there
    assert [answered(bot)[0] for _ in range(2)] == ["U", "R"]


def test_a_bot_lives_through_its_games_and_cleans_up_between_them(player):
    bot = player(HEAD + "return 'URDL'[min(self.moves, 4) - 1]")
    for _ in range(2):
        bot.begin(GAME, 0, 1)
        assert "".join(ACTIONS[bot.choose(GAME.initial_state(), ENDLESS).action] for _ in range(5)) == "URDLL"


@pytest.mark.parametrize(
    ("spec", "expected"), [("{}", "D"), ("{}:Other", "L"), ('asp(file="{}", bot=Other, max_wait=1)', "L")]
)
def test_a_bot_file_may_hold_several_classes_and_bring_modules(tmp_path, spec, expected):
    (tmp_path / "helper.py").write_text("MOVE = 'L'\n")
    (tmp_path / "bots.py").write_text(
        "from helper import MOVE\n"
        "class UserBot:\n    def decide(self, asp): return 'D'\n"
        "class Other:\n    def decide(self, asp): return MOVE\n    def cleanup(self): pass\n"
    )
    with closing(make_player(spec.format(tmp_path / "bots.py"), GAME)) as bot:
        assert answered(bot) == (expected, "")


@pytest.mark.parametrize(
    ("spec", "kind", "message"),
    [
        *(
            (spec, SpecError, "is a Python file with a bot class")
            for spec in ("./nowhere.py", "./nowhere.py:Bot", 'cmd(command="{}", protocol=asp)')
        ),
        ('asp(file="{}/empty.py", max_wait=0)', SpecError, "max_wait takes seconds above 0"),
        ("{}/empty.py", PlayerError, "has no class StudentBot or UserBot"),
        ("{}/broken.py", PlayerError, "SyntaxError"),
    ],
)
def test_what_is_no_bot_file_is_refused_in_one_sentence(tmp_path, spec, kind, message):
    (tmp_path / "empty.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("x = = 1\n")
    with pytest.raises(kind, match=message) as error:
        make_player(spec.format(tmp_path), GAME).begin(GAME, 0, 1)
    assert "\n" not in str(error.value)


FAVOURITE = (
    "class StudentBot:\n    def decide(self, asp): return asp.favourite()\n    def cleanup(self): pass\n"
)
FIRST = "class StudentBot:\n    def decide(self, asp): return sorted(asp.get_available_actions(asp.get_start_state()))[0]\n"
WRITTEN_FOR_THE_COURSE = {
    "what the course's problem has besides its interface": (
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
""",
        {},
    ),
    "the names of the NumPy and Python it was written for": (
        """
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
""",
        {},
    ),
    "the methods of the file's own problem": (
        """
from tronproblem import TronProblem
class StudentBot:
    def decide(self, asp):
        assert isinstance(asp, TronProblem) and asp.get_start_state().corner() == 'mine'
        assert asp.first == 0 and '#1    #' in asp.seen and asp.get_available_actions(None) == {'D'}
        return asp.favourite()
    def cleanup(self): pass
""",
        {"tronproblem": OWN_PROBLEM},
    ),
    "the same of one that is made in another way than the course's": (
        FAVOURITE,
        {"tronproblem": OTHERWISE_MADE},
    ),
    "its way past a broken module that it does not use": (
        FIRST,
        {"tronproblem": "import nowhere_to_be_found\n"},
    ),
}


@pytest.mark.parametrize(
    ("code", "modules"), WRITTEN_FOR_THE_COURSE.values(), ids=list(WRITTEN_FOR_THE_COURSE)
)
def test_a_file_written_for_the_course_finds(player, code, modules):
    assert answered(player(code, modules, max_wait=20.0)) == ("D", "")


def test_old_names_are_given_back_to_bot_files_alone():
    importlib.import_module("saddlepoint.games.tron41.bot_host")
    assert not hasattr(time, "clock")
    assert "Inf" not in vars(np) or np.__version__ < "2"


def test_a_bot_catches_its_own_runners_time_out(player):
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
    support = {"support": "class TimeoutException(Exception):\n    pass\n"}
    assert answered(player(code, support, max_wait=0.3)) == ("L", "")


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


def barriers(board):
    return {(r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark == "x"}


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
            if "trap" in step:
                traps += 1
                new = barriers(after.board) - barriers(before["board"])
                room = {tuple(cell) for cell in step["trap"]["cand"]}
                assert len(new) == 1 + len(step["trap"]["placed"])
                assert new - {tuple(before["locs"][step["p"]])} <= room
                expected.board = after.board
            assert vars(after) == vars(expected)
            assert problem.is_terminal_state(after) == step["term"]
            if step["term"]:
                assert problem.evaluate_state(after) == step["eval"]
            else:
                here = tuple(step["locs"][step["ptm"]])
                assert problem.get_safe_actions(step["board"], here) == set(step["safe"])
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
    assert problem.get_safe_actions(state.board, (1, 1), True) == {"R"}
    assert [state.player_has_armor(p) for p in (0, 1)] == [True, False]
    assert [state.get_remaining_turns_speed(p) for p in (0, 1)] == [0, 3]
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


def watched(game, players, seed=2, **rules):
    """Who wins, the positions, and what was wrong with the moves before them."""
    seen = []
    winner = play(
        game, players, game.initial_state(2), seed=seed, on_step=lambda *step: seen.append(step), **rules
    )
    return winner, [state for state, _, _ in seen], [warning for _, _, warning in seen]


@pytest.mark.parametrize(
    ("answers", "max_wait", "warnings"),
    [
        ((1, ValueError("oh")), 10.0, ["", "", "moves U after an exception: ValueError: oh"]),
        ((0.2,), 0.05, [r"moves U, too late: (?!0\.0[0-4])0\.\d+ s used of 0\.050 s"]),
        ((17, 0), 10.0, ["moves somewhere: its answer was no action", "", ""]),
    ],
)
def test_faults_are_moves_and_warnings_not_the_end(answers, max_wait, warnings):
    players = Scripted(*answers), Scripted(3)
    winner, _, told = watched(GAME, players, seed=1, max_wait=max_wait, tolerance=0.0)
    assert winner == 1
    assert len(told) == len(warnings)
    for found, expected in zip(told, warnings):
        assert re.fullmatch(expected, found)


def test_a_bot_files_faults_are_told(player):
    winner, _, told = watched(GAME, (player(RAISES), Scripted()))
    assert (winner, told) == (1, ["moves U: KeyError: 'oh'"])


def test_the_same_seed_draws_the_same_game():
    game = Tron41("hunger_games")
    players = [make_player(spec, game) for spec in ("safe", "wall")]
    for one in players:
        one.warm(game, game.initial_state())
    assert watched(game, players) == watched(game, players)
