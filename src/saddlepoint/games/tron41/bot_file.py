"""A bot for the runner of the Tron-41 course: a player of Saddlepoint, in a process of its own.

It needs Python 3.6 and the standard library alone; Saddlepoint itself runs under the interpreter named below. The first
start on a machine may have to compile the player, and says so. `saddlepoint tron41 --write-bot FILE` writes such files.
"""

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
import weakref
from typing import Any

PYTHON = sys.executable
PATH = ""
PLAYER = "best"
MAX_WAIT = 0.3  # seconds a move in the course's runner of 2018 and 2019; later 1.0
SIZES = [[17, 17], [13, 13], [7, 7]]

PATIENCE = 900.0  # seconds for compiling, when the bot is made: no clock runs then
THINKING = 0.75  # of a move's time
WAITING = 0.9  # of a move's time; then the plain rule below moves
MOST_STARTS = 4
MOST_SILENT = 10  # moves without an answer after which the process is taken to hang
STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
FREE = " *^!@"


class StudentBot:
    """Asks the process of the player; where that does not answer in time, goes where the most room is."""

    def __init__(self):
        self._moves = self._fallbacks = 0
        self._player = _Process()
        self._player.prepare(PATIENCE)

    def decide(self, asp: Any) -> str:
        started = time.monotonic()
        # The runner's own clock, where it has set one; the rest of this move's time.
        limit = signal.getitimer(signal.ITIMER_REAL)[0] or MAX_WAIT
        state = asp.get_start_state()
        rows = ["".join(row) for row in state.board]
        armor = [int(state.player_has_armor(player)) for player in (0, 1)]
        speed = [int(state.get_remaining_turns_speed(player)) for player in (0, 1)]
        status = (
            f"tron41 turn {state.ptm + 1} armor {armor[0]} {armor[1]} speed {speed[0]} {speed[1]} trap none"
        )
        answer = self._player.ask(rows, state.ptm, status, THINKING * limit, started + WAITING * limit)
        self._moves += 1
        if answer in STEPS:
            return answer
        self._fallbacks += 1
        return roomiest(rows, state.player_locs[state.ptm], armor[state.ptm] > 0)

    def cleanup(self) -> None:
        self._player.end_game()
        if self._fallbacks:
            _say(
                "{} of {} moves of this game were the plain rule's, not {}'s: {}".format(
                    self._fallbacks, self._moves, PLAYER, self._player.trouble or "it had no answer in time"
                )
            )
        self._moves = self._fallbacks = 0


class _Process:
    """The player's process, asked by the library's line protocol; nothing here waits for it beyond a given time, or raises."""

    def __init__(self):
        self._process: Any = None
        self._end: Any = None
        self._unsent = self._unread = b""
        self._starts = self._silent = self._owed = 0
        self._walls: list[str] = []
        self._goods = 0
        self._seat: Any = None
        """In the game that was begun; None where none was."""
        self._ready: Any = None
        """Whether the player can play it; None while that is not known."""
        self.trouble = ""

    def prepare(self, seconds: float) -> None:
        """Start it, and wait until the player is loaded for the usual maps, which may take a compilation."""
        until = time.monotonic() + seconds
        self._start()
        for rows, columns in SIZES:
            self._begin(empty_walls(rows, columns), 0, 0)
            if not self._is_ready(until):
                self._tell(f"the player {PLAYER} is not ready, a plain rule moves")
                break
        self.end_game()

    def ask(self, rows: Any, seat: int, status: str, seconds: float, until: float) -> Any:
        """The player's answer, or None if there is none by then."""
        if self._process is None or self._process.poll() is not None or self._silent >= MOST_SILENT:
            self._start()
        walls = ["".join("#" if mark == "#" else " " for mark in row) for row in rows]
        goods = sum(mark in "*^!@" for row in rows for mark in row)
        if (walls, seat) != (self._walls, self._seat) or goods > self._goods:
            # With the same text the player goes on to the next game of a map as it is.
            self._begin(walls, max(goods, self._goods) if walls == self._walls else goods, seat)
        if not self._is_ready(until):
            return None
        self._send(f"position {len(rows) + 1}", status, *rows, "clock" + f" {seconds:.6f}" * 3, "go")
        verb, text, self._owed = "", "", self._owed + 1
        while self._owed:  # a late answer to an earlier question comes first
            verb, text = self._answer(("move", "error"), until) or ("", "")
            if not verb:
                self._silent += 1
                return None
            self._owed -= 1
        self._silent = 0
        return text if verb == "move" else self._tell(text)

    def end_game(self) -> None:
        self._seat = None

    def _start(self) -> None:
        """Start it (again), unless that has been tried often enough."""
        if self._process is not None:
            self._end()
            self._process = None
        if self._starts >= MOST_STARTS:
            return
        self._starts += 1
        self._unsent = self._unread = b""
        self._silent = self._owed = 0
        self.end_game()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment["PYTHONPATH"] = PATH
        try:
            self._process = subprocess.Popen(
                [
                    PYTHON,
                    "-P",
                    "-m",
                    "saddlepoint",
                    "bot",
                    "tron41",
                    "--protocol",
                    "lines",
                    "--player",
                    PLAYER,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            self._tell(f"{PYTHON} cannot be started: {error}")
            return
        self._end = weakref.finalize(self, _end, self._process)  # with this bot, or with the program
        os.set_blocking(self._process.stdin.fileno(), False)

    def _begin(self, walls: "list[str]", goods: int, seat: int) -> None:
        """Begin a game on a map with these walls, and as many power-ups at most."""
        self._walls, self._goods, self._seat, self._ready = walls, goods, seat, None
        self._owed = 0  # what comes before it is ready is no answer to a later question
        self._send(
            f"game tron41(map={json.dumps(written(walls, goods))})", f"seat {seat}", "seed none", "begin"
        )

    def _is_ready(self, until: float) -> bool:
        if self._ready is None:
            verb, text = self._answer(("ready", "error"), until) or ("", "")
            self._ready = verb == "ready" if verb else None
            if verb == "error":
                self._tell(text)
        return bool(self._ready)

    def _send(self, *lines: str) -> None:
        if self._process is None:
            return
        self._unsent += "".join(line + "\n" for line in lines).encode()
        try:
            # Of what does not fit into the pipe, the rest goes with the next lines.
            self._unsent = self._unsent[os.write(self._process.stdin.fileno(), self._unsent) :]
        except OSError:  # full, or closed
            pass

    def _answer(self, verbs: "tuple[str, ...]", until: float) -> Any:
        """(the first word of the next line that begins with one of these, its rest); None where there is none by then."""
        while self._process is not None:
            line, found, rest = self._unread.partition(b"\n")
            if found:
                self._unread = rest
                verb, _, text = line.decode(errors="replace").strip().partition(" ")
                if verb in verbs:
                    return verb, text
                continue
            output = self._process.stdout.fileno()
            if not select.select([output], [], [], max(0.0, until - time.monotonic()))[0]:
                return None
            chunk = os.read(output, 65536)
            if not chunk:
                return None
            self._unread += chunk
        return None

    def _tell(self, text: str) -> None:
        """A line for people, on the first thing that went wrong."""
        if not self.trouble:
            _say(text)
            self.trouble = text


def empty_walls(rows: int, columns: int) -> "list[str]":
    """The rows of an empty map with a border."""
    return ["#" * columns, *["#" + " " * (columns - 2) + "#"] * (rows - 2), "#" * columns]


def written(walls: "list[str]", goods: int) -> str:
    """A map of these walls with the players and so many power-ups on the first cells, as text."""
    marks = iter("12" + "?" * goods)
    return "\n".join("".join(mark if mark == "#" else next(marks, " ") for mark in row) for row in walls)


def _say(text: str) -> None:
    print("saddlepoint: " + text, file=sys.stderr, flush=True)


def _end(process: Any) -> None:
    """End a process that nobody asks any more."""
    process.kill()
    process.stdin.close()
    process.stdout.close()
    process.wait()


def roomiest(rows: "list[str]", place: "tuple[int, int]", armored: bool) -> str:
    """The direction from which the most cells can be reached, armor kept where that is equal; U where every direction crashes."""
    best, chosen = (-1, False), "U"
    for letter, (down, right) in STEPS.items():
        there = (place[0] + down, place[1] + right)
        mark = rows[there[0]][there[1]]
        if mark not in FREE and not (armored and mark == "x"):
            continue
        seen, waiting = {there}, [there]
        while waiting:
            row, column = waiting.pop()
            for step in STEPS.values():
                cell = (row + step[0], column + step[1])
                if cell not in seen and rows[cell[0]][cell[1]] in FREE:
                    seen.add(cell)
                    waiting.append(cell)
        room = (len(seen) - (mark not in FREE), mark in FREE)
        if room > best:
            best, chosen = room, letter
    return chosen


# The course's two plainest bots, so that this file can stand where its bots.py stood.


def _safe(board: Any, place: "tuple[int, int]") -> "list[str]":
    """The directions whose target is no wall, barrier or player."""
    return [
        letter for letter in "UDLR" if board[place[0] + STEPS[letter][0]][place[1] + STEPS[letter][1]] in FREE
    ]


class RandBot:
    """Any safe direction, U if there is none."""

    def decide(self, asp: Any) -> str:
        state = asp.get_start_state()
        return random.choice(_safe(state.board, state.player_locs[state.ptm]) or ["U"])

    def cleanup(self) -> None:
        """Nothing is kept."""


class WallBot:
    """Keeps to walls: the first safe direction, in an order drawn for each game, with fewer than 3 ways on."""

    def __init__(self):
        self._order = list(STEPS)
        self.cleanup()

    def decide(self, asp: Any) -> str:
        """Along the wall; else any safe direction, U if there is none."""
        state = asp.get_start_state()
        place = state.player_locs[state.ptm]
        safe = sorted(_safe(state.board, place), key=self._order.index)
        for letter in safe:
            if len(_safe(state.board, (place[0] + STEPS[letter][0], place[1] + STEPS[letter][1]))) < 3:
                return letter
        return safe[0] if safe else "U"

    def cleanup(self) -> None:
        random.shuffle(self._order)
