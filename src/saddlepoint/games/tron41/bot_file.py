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
        self._player.start()
        self._player.await_ready(PATIENCE)

    def decide(self, asp: Any) -> str:
        started = time.monotonic()
        # The runner's own clock, where it has set one; the rest of this move's time.
        limit = signal.getitimer(signal.ITIMER_REAL)[0] or MAX_WAIT
        state = asp.get_start_state()
        rows = ["".join(row) for row in state.board]
        armor = [int(state.player_has_armor(player)) for player in (0, 1)]
        speed = [int(state.get_remaining_turns_speed(player)) for player in (0, 1)]
        position = {"board": rows, "turn": state.ptm, "armor": armor, "speed": speed}
        answer = self._player.ask(position, THINKING * limit, started + WAITING * limit)
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
    """The player's process at the end of two pipes; nothing here waits for it beyond a given time, or raises."""

    def __init__(self):
        self._process: Any = None
        self._end: Any = None
        self._unsent = self._unread = b""
        self._number = self._starts = self._silent = 0
        self._ready = self._told = False
        self.trouble = ""

    def start(self) -> None:
        """Start it (again), unless that has been tried often enough."""
        self._stop()
        if self._starts >= MOST_STARTS:
            return
        self._starts += 1
        self._unsent = self._unread = b""
        self._ready, self._silent = False, 0
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment["PYTHONPATH"] = PATH
        try:
            self._process = subprocess.Popen(
                [PYTHON, "-P", "-m", "saddlepoint.games.catalogue.process", "tron41", PLAYER],
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
        self._send({"prepare": SIZES})

    def await_ready(self, seconds: float) -> None:
        """Wait until the player is loaded, which may take a compilation."""
        until = time.monotonic() + seconds
        while not self._ready:
            message = self._read(until)
            if message is None:
                self._tell(f"the player {PLAYER} is not ready, a plain rule moves")
                return

    def ask(self, position: "dict[str, Any]", seconds: float, until: float) -> Any:
        """The player's answer, or None if there is none by then."""
        if self._process is None or self._process.poll() is not None or self._silent >= MOST_SILENT:
            self.start()
        self._number += 1
        self._send(dict(position, move=self._number, seconds=seconds))
        while True:
            message = self._read(until)
            if message is None:
                self._silent += self._ready
                return None
            if message.get("move") == self._number:
                self._silent = 0
                if "error" in message:
                    self._tell(message["error"])
                return message.get("answer")

    def end_game(self) -> None:
        self._send({"over": True})

    def _send(self, message: "dict[str, Any]") -> None:
        if self._process is None:
            return
        self._unsent += json.dumps(message).encode() + b"\n"
        try:
            # Of what does not fit into the pipe, the rest goes with the next message.
            self._unsent = self._unsent[os.write(self._process.stdin.fileno(), self._unsent) :]
        except OSError:  # full, or closed
            pass

    def _read(self, until: float) -> "dict[str, Any] | None":
        """The next message, None where there is none by then, or the process has ended."""
        while self._process is not None:
            line, found, rest = self._unread.partition(b"\n")
            if found:
                self._unread = rest
                try:
                    message = json.loads(line.decode())
                except ValueError:
                    continue
                if not isinstance(message, dict):
                    continue
                if "compiling" in message:
                    rows, columns = message["compiling"]
                    self._tell(
                        f"compiling {PLAYER} for maps of {rows}x{columns} (once; later games load it) ...",
                        True,
                    )
                self._ready = self._ready or "ready" in message
                return message
            output = self._process.stdout.fileno()
            if not select.select([output], [], [], max(0.0, until - time.monotonic()))[0]:
                return None
            chunk = os.read(output, 65536)
            if not chunk:
                return None
            self._unread += chunk
        return None

    def _tell(self, text: str, always: bool = False) -> None:
        """A line for people; what went wrong is said once."""
        if always or not self._told:
            _say(text)
        if not always:
            self._told, self.trouble = True, text

    def _stop(self) -> None:
        if self._process is not None:
            self._end()
            self._process = None


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
