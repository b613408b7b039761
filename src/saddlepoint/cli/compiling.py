"""Players compiled side by side, before a game or ahead of all games, with one line on how far that is."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from ..console.terminal import Status, print_error

if TYPE_CHECKING:
    from ..game import Game
    from ..players.needs import Need

_WORTH_A_PROCESS = 3.0
"""Seconds of a core: starting a process takes one."""


def compile_players(needs: "list[Need]") -> None:
    """Compile, or load, what these players need."""
    several = sum(need.seconds > 0 for need in needs) > 1  # a single one is compiled here, and tells of itself
    if several and sys.stderr is not None and sys.stderr.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        with Status("compiling") as status:
            _compile(needs, status.line, status.update)
    else:
        _compile(needs, print_error, lambda text: None)


def compile_missing(game: "Game", players: Iterable[str]) -> None:
    """Compile the players of a game side by side, if several are known to take long; others are compiled when they are made.

    What goes wrong here will go wrong where the player plays, and be dealt with there.
    """
    from ..compiled import forecast
    from ..players.needs import Need

    needs = [Need(game, spec) for spec in dict.fromkeys(players)]
    long = [need for need in needs if forecast.expected(need.task) is not None and need.seconds >= _WORTH_A_PROCESS]
    if len(long) > 1:
        with suppress(Exception):
            if os.environ.get("SADDLEPOINT_QUIET", "") in ("", "0"):
                compile_players(long)
            else:
                _compile(long, lambda text: None, lambda text: None)


def _compile(needs: "list[Need]", line: "Callable[[str], None]", update: "Callable[[str], None]") -> None:
    """Compile them, the longest first; `line` is told what stays to be read, `update` what is shown until the next moment."""
    from ..cluster.cores import usable_cores
    from ..compiled import forecast
    from ..play.preparation import Preparation
    from ..roster.make import make_player

    began, ready, missing = time.monotonic(), 0, sum(need.seconds > 0 for need in needs)
    processes = min(usable_cores() + 1, missing) if missing > 1 else 0  # one waits now and then for what another compiles
    with closing(Preparation(lambda: make_player, processes)) as preparation:
        tasks = [preparation.begin(need) for need in sorted(needs, key=lambda need: -need.seconds)]
        if missing:
            line(f"{missing} of {len(needs)} players are to be compiled: {forecast.about(preparation.left())}")
        while tasks:
            done = preparation.wait(tasks)
            tasks = [task for task in tasks if task not in done]
            seconds, under_way = preparation.left(), [task.need.task for task in tasks if task.began is not None]
            others = f" and {len(tasks) - len(under_way)} more" if len(tasks) > len(under_way) else ""
            left = f"{forecast.about(seconds)} left: {', '.join(under_way)}{others}" if tasks else ""
            for task in done:
                task.future.result()  # raises what went wrong
                ready += 1
                line(f"[{ready}/{len(needs)}] {task.need.task} ready after {time.monotonic() - began:.1f} s{left and '; '}{left}")
            update(left or "all compiled")
