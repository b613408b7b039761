"""Compilation ahead of games, in processes of its own.

Whoever waits for them sees how far that is, and may end it at any time.
"""

import os
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import Any, NamedTuple

from ..compiled import PLAIN_PYTHON, directory as finished
from ..compiled.rules import in_package
from ..game.base import TERMINAL, Game
from ..game.spec import spec_of
from ..game.steps import random_step
from ..players.base import MakePlayer
from ..system.processes import Processes


class Need(NamedTuple):
    """A player that shall be compiled for a game."""

    game: Game
    player: str

    @property
    def task(self) -> str:
        """The name of the task: the game with its unusual parameters, and the player."""
        return f"{spec_of(self.game)} {self.player}"

    @property
    def is_missing(self) -> bool:
        """Whether something of it may have to be compiled yet."""
        return not (PLAIN_PYTHON or (self.is_named and finished.is_compiled(self.task)))

    @property
    def is_named(self) -> bool:
        """Whether the name says what is compiled: the rules of a game that is not this library's may change under theirs."""
        return in_package(type(self.game))

    def compile(self, make: MakePlayer, niceness: int = 0) -> None:
        """Make the player, and compile or load all that it and the game's rules need."""
        if niceness:
            os.setpriority(os.PRIO_PROCESS, 0, niceness)
        with closing(make(self.player, self.game)) as player:
            start = self.game.initial_state()
            asked = warm_rules(self.game, start)
            for seat in (0, 1):
                player.warm(self.game, asked.get(seat, start), (seat,))
        self.note_compiled()

    def note_compiled(self) -> None:
        """All of it is compiled: processes that begin later need not look."""
        if self.is_named:
            finished.note_compiled(self.task)


# Compiled in processes of their own.

_LOOK = 0.25  # seconds between looks at what is done
_KEPT = 512
_MOST_STEPS = 3000


class BusyError(Exception):
    """So much is being compiled that nothing more is begun, or it was closed."""


class Task(NamedTuple):
    """A player that is compiled, or waits for that; `asked` is a moment of time.monotonic()."""

    need: Need
    future: "Future[None]"
    asked: float


class Preparation:
    """Compiles players ahead of their first answer, in the order in which they are asked for; from any thread.

    `load` gives what makes players. What is finished stays on disk, however this ends.
    """

    def __init__(self, load: Callable[[], MakePlayer], processes: int = 1, most: int | None = None) -> None:
        """So many processes at a time, which end where nothing is left to do; with none this process compiles in `wait`.

        With `most` players that wait for it `missing` raises BusyError.
        """
        self._load, self._count, self._most = load, processes, most
        self._lock = threading.RLock()
        self._processes: Processes | None = None
        self._tasks: list[Task] = []
        self._asked: dict[Need, Task] = {}
        self._ready: deque[Need] = deque(maxlen=_KEPT)
        self.closed = False

    @property
    def is_under_way(self) -> bool:
        """Whether something is being compiled."""
        return bool(self._left())

    def missing(self, need: Need) -> Task | None:
        """The compilation of this, which is begun if need be; None where it is compiled.

        Raises what has gone wrong with it, once, and BusyError where it was closed before that was known.
        """
        with self._lock:
            task = self._asked.get(need)
            if task is None:
                if need in self._ready or not need.is_missing:
                    return None
                if self._most is not None and len(self._asked) >= self._most:
                    raise BusyError
                task = self._asked[need] = self.begin(need)
            elif self.closed:
                raise BusyError
            if not task.future.done():
                return task
            del self._asked[need]
            error = task.future.exception()
            # A process that died is no error: it is compiled where it is needed.
            if error is not None and not isinstance(error, BrokenProcessPool):
                raise error
            self._ready.append(need)
            return None

    def begin(self, need: Need, niceness: int = 0) -> Task:
        """Compile this, after all that was asked for before, at this niceness."""
        make = self._load()
        with self._lock:
            if self.closed:
                raise BusyError
            task = Task(need, self._sent(make, need, niceness) if self._count else Future(), time.monotonic())
            self._tasks.append(task)
        task.future.add_done_callback(
            lambda _: threading.Thread(target=self._over, name="compiled", daemon=True).start()
        )
        return task

    def wait(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks that are over; it waits a moment for the first one."""
        if tasks and not self._count:
            tasks[0].need.compile(self._load())
            tasks[0].future.set_result(None)
        wait([task.future for task in tasks], _LOOK, FIRST_COMPLETED)
        return [task for task in tasks if task.future.done()]

    def ahead(self, task: Task) -> int:
        """The number of others that are compiled before this one; 0 where its turn has come."""
        left = self._left()
        place = left.index(task) if task in left else 0
        return place if place >= self._count else 0

    def close(self) -> None:
        """End what is being compiled."""
        with self._lock:
            self.closed = True
            self._tasks.clear()
            processes, self._processes = self._processes, None
        if processes is not None:
            processes.close(at_once=True)

    def _sent(self, make: MakePlayer, need: Need, niceness: int) -> "Future[None]":
        self._processes = self._processes or Processes(self._count)
        try:
            return self._processes.run(Need.compile, need, make, niceness)
        except BrokenProcessPool:  # one died a moment ago, and all that was sent before with it
            self._processes = Processes(self._count)
            return self._processes.run(Need.compile, need, make, niceness)

    def _over(self) -> None:
        """A task is over; without another one the processes end. Not in the thread of their executor, which cannot wait for itself."""
        with self._lock:
            if self._left() or self._processes is None:
                return
            processes, self._processes = self._processes, None
        processes.close()

    def _left(self) -> list[Task]:
        """The task that is compiled now, and those waiting."""
        with self._lock:
            self._tasks = [task for task in self._tasks if not task.future.done()]
            return self._tasks


def warm_rules(game: Game, start: Any) -> dict[int, Any]:
    """Compile, or load, the rules by playing one random game with all calls of the arena and of simple
    players.

    Returns a position in which each player, 0 or 1, chooses; without players that never had a choice.
    """
    draw = random.Random(0)
    asked: dict[int, Any] = {}
    state = start
    game.from_text(game.to_text(state))
    for _ in range(_MOST_STEPS):
        if game.current_player(state) == TERMINAL:
            game.returns(state)
            break
        for player in game.players_to_act(state):
            asked.setdefault(player, state)
            game.action_to_string(state, player, game.legal_actions(state, player)[0])
        state = random_step(game, state, draw)
    return asked
