"""A runner as the Tron-41 course has one, for Python 3.6 and newer, without power-ups: run as a script by any Python.

    python course_runner.py BOT_FILE MAX_WAIT MOVES MAP

StudentBot of the file plays RandBot of the same file. Prints JSON: the student's answers, which of them were safe, and
what went wrong.
"""

import copy
import importlib.util
import json
import signal
import sys

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


class Late(Exception):
    pass


class State:
    def __init__(self, board, player_locs, ptm):
        self.board, self.player_locs, self.ptm = board, player_locs, ptm
        self.player_powerups = {0: {}, 1: {}}

    def player_has_armor(self, player):
        return "@" in self.player_powerups[player]

    def get_remaining_turns_speed(self, player):
        return self.player_powerups[player].get("^", 0)


class Problem:
    def __init__(self, state):
        self._start_state = state

    def get_start_state(self):
        return self._start_state


def late(number, frame):
    raise Late()


def ask(bot, problem, max_wait, report):
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max_wait)
    try:
        return bot.decide(copy.deepcopy(problem))
    except Exception as error:
        report["faults"].append(type(error).__name__)
        return "U"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main():
    file, max_wait, moves, rows = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split("/")
    spec = importlib.util.spec_from_file_location("bots", file)
    bots = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bots)
    players = [bots.StudentBot(), bots.RandBot()]
    report = {"python": list(sys.version_info[:2]), "answers": [], "safe": [], "faults": []}
    board = [list(row) for row in rows]
    locs = [next((r, row.index(mark)) for r, row in enumerate(rows) if mark in row) for mark in "12"]
    problem = Problem(State(board, locs, 0))
    while len(report["answers"]) < moves:
        state = problem.get_start_state()
        answer = ask(players[state.ptm], problem, max_wait, report)
        r, c = state.player_locs[state.ptm]
        safe = [step for step, (dr, dc) in STEPS.items() if state.board[r + dr][c + dc] == " "]
        if state.ptm == 0:
            report["answers"].append(answer)
            report["safe"].append(answer in safe or not safe)
        if answer not in safe:
            break
        board = [list(row) for row in state.board]
        there = (r + STEPS[answer][0], c + STEPS[answer][1])
        board[r][c], board[there[0]][there[1]] = "x", str(state.ptm + 1)
        locs = list(state.player_locs)
        locs[state.ptm] = there
        problem._start_state = State(board, locs, 1 - state.ptm)
    for player in players:
        player.cleanup()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
