"""Players compiled side by side, before a game or ahead of all games, with one line on how far that is."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from .terminal import Status, print_error

if TYPE_CHECKING:
    from ..game import Game
    from ..players.needs import Need
    from ..players.preparation import Standing

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
    """Compile them; `line` is told what stays to be read, `update` what is shown until the next moment."""
    from ..compiled import forecast
    from ..players.preparation import compile_side_by_side
    from ..roster.make import make_player

    began, ready, missing = time.monotonic(), 0, sum(need.seconds > 0 for need in needs)
    with closing(compile_side_by_side(make_player, needs)) as standings:
        for number, standing in enumerate(standings):
            if number == 0 and missing:
                line(f"{missing} of {len(needs)} players are to be compiled: {forecast.about(standing.seconds)}")
            left = _left(standing)
            if standing.ready is not None:
                ready += 1
                after = f"ready after {time.monotonic() - began:.1f} s{left and '; '}{left}"
                line(f"[{ready}/{len(needs)}] {standing.ready.task} {after}")
            update(left or "all compiled")


def _left(standing: "Standing") -> str:
    from ..compiled import forecast

    if not standing.under_way:
        return ""
    others = f" and {standing.waiting} more" if standing.waiting else ""
    return f"{forecast.about(standing.seconds)} left: {', '.join(need.task for need in standing.under_way)}{others}"
