"""The analysis of the position on the screen: a search in a thread of its own, and the lines that the panel shows of it."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...algorithms.analysis import (
    Alternatives,
    Analysis,
    Counters,
    FoundDepth,
    Standing,
    find_alternatives,
)
from ...algorithms.limits import Limits, StopToken
from ...algorithms.searcher import search
from ...game.base import CHANCE, Game
from ...games.catalogue.make import analysis_of, review_search_of, stage_search_of
from ...play.replay import FinishedGame
from ...play.review import review_finished, warm_review
from ...play.review_words import moment_words, verdict_words
from ...system.text import error_line, one_line, value_text
from ..analyze import outcome_in_words
from .board import owner_colour

_SECONDS = 60.0
"""A position is searched no longer."""
REVIEW_SECONDS = 0.3
"""Of search for each turn, as for the command `review`."""
_WARMING = Limits(depth=2, nodes=1000)
_COMPILING = "compiling; the first time takes a while"
_MOST_MOVES, _MOST_ROWS, _MOST_STEPS = 8, 16, 12
_CELL = 8
"""Columns of a value in a matrix."""
_LEAST = 0.0005
"""Shares of a mixture below this are left out."""


class Task:
    """Work in a daemon thread, its latest result, and the token that ends it; `wake` is called at each result.

    `work` is called with the task, and calls `show`. What it raises is its last result, in a line.
    """

    def __init__(self, work: "Callable[[Task], None]", wake: Callable[[], None], found: Any) -> None:
        self.found, self.token = found, StopToken()
        self._work, self._wake = work, wake
        threading.Thread(target=self._run, name="saddlepoint analysis", daemon=True).start()

    def show(self, found: Any) -> None:
        """Keep and show a result, unless the task was stopped."""
        if not self.token.stopped:
            self.found = found
            self._wake()

    def _run(self) -> None:
        try:
            self._work(self)
        except (
            Exception
        ) as error:  # of the rules, or of a search that is not made for the game: the game goes on
            self.show(error_line(error))


@dataclass(frozen=True)
class Findings:
    state: Any
    doing: str = ""
    """The present step of the work; empty when it is over."""
    found: FoundDepth | None = None
    alternatives: Alternatives | None = None
    known: tuple[tuple[str, str], ...] = ()
    """Every move with its outcome in a database, in place of a search."""
    running: Analysis | None = None
    """The search under way, which has counters."""


class Analyst:
    """Searches the position that is shown, until another one is; `wake` is called from its thread at each result.

    `quiet` is the context in which it compiles, which takes seconds of Python's lock.
    """

    def __init__(
        self, game: Game, wake: Callable[[], None], quiet: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._game, self._wake, self._quiet = game, wake, quiet
        self._lock = threading.Lock()
        self._task: Task | None = None
        self._asked: tuple[Any, bool] | None = None
        self._compiled: set[bool] = set()

    @property
    def found(self) -> Findings | str:
        """The latest result, or the error that ended the search."""
        return "" if self._task is None else self._task.found

    @property
    def is_searching(self) -> bool:
        """Whether there are counters to be drawn."""
        return isinstance(self.found, Findings) and self.found.running is not None

    def show(self, state: Any, values: bool = False) -> None:
        """Search this position, or with `values` each of its moves; None ends the search."""
        asked = None if state is None else (state, values)
        if asked == self._asked:
            return
        if self._task is not None:
            self._task.token.stop()
        self._asked = asked
        self._task = (
            Task(lambda task: self._analyse(task, state, values), self._wake, Findings(state, "searching"))
            if asked
            else None
        )

    def _analyse(self, task: Task, state: Any, values: bool) -> None:
        game, stop = self._game, task.token
        act = game.players_to_act(state)
        with self._lock:  # one search at a time: the one before ends within milliseconds
            if stop.stopped:
                return
            if not act and not game.chance_outcomes(state):
                task.show(Findings(state))
                return
            turns, algorithm = analysis_of(game, state)
            if turns is not None:
                names = [game.action_to_string(state, act[0], one.action) for one in turns]
                known = zip(names, (outcome_in_words(one.outcome) for one in turns), strict=True)
                task.show(Findings(state, known=tuple(known)))
                return
            if values or algorithm is None:
                algorithm = stage_search_of(game).algorithm
            if values not in self._compiled:
                task.show(Findings(state, _COMPILING))
                with self._quiet():
                    if values:
                        find_alternatives(game, state, algorithm, _WARMING, stop=stop)
                    else:
                        search(game, state, algorithm, _WARMING, stop=stop)
                self._compiled |= set() if stop.stopped else {values}
            if values:

                def note(found: Alternatives) -> None:
                    task.show(Findings(state, "searching", alternatives=found))

                note(
                    find_alternatives(
                        game, state, algorithm, Limits(seconds=_SECONDS), stop=stop, on_update=note
                    )
                )
                return
            analysis = Analysis(game, state, algorithm, Limits(seconds=_SECONDS), stop=stop)
            task.show(Findings(state, "searching", running=analysis))
            task.show(
                Findings(
                    state,
                    found=analysis.run(
                        lambda found: task.show(Findings(state, "searching", found, running=analysis))
                    ),
                )
            )


class Reviewed(NamedTuple):
    doing: str = ""
    """The present step of the work; empty when it is over."""
    says: tuple[str, ...] = ()
    """The verdict, sentence by sentence."""
    moments: tuple[tuple[int, str], ...] = ()
    """The moments that mattered: which position of the game, and what happened there."""


def review_task(played: FinishedGame, wake: Callable[[], None]) -> Task:
    """A task that reviews a game: the loser, the losing move and its cause, and the key moments, as
    `Reviewed`.
    """

    def work(task: Task) -> None:
        if not played.actions:
            task.show(Reviewed(says=("nobody made a move in this game",)))
            return
        algorithm = review_search_of(played.game).algorithm
        warm_review(played, algorithm, task.token)

        def note(one: Standing, done: int, expected: int) -> None:
            task.show(Reviewed(f"{played.turns.label(one.step)}: {done} of at most {expected} searches"))

        found = review_finished(
            played, algorithm, Limits(seconds=REVIEW_SECONDS), stop=task.token, on_standing=note
        )
        if found is not None:
            task.show(
                Reviewed(
                    "",
                    tuple(verdict_words(played, found)),
                    tuple((one.step, moment_words(played, found, one)) for one in found.moments),
                )
            )

    return Task(work, wake, Reviewed(_COMPILING))


def analysis_lines(
    game: Game, found: Findings | str, width: int, plain: bool = False
) -> Iterator[RenderableType]:
    """The lines of the panel, of at most `width` columns."""
    yield Text("analysis", "bold")
    if isinstance(found, str):
        yield Text(one_line(found))
    elif found.known:
        yield _table([Text(name), Text(what)] for name, what in found.known)
    elif found.alternatives is not None:
        yield from _alternatives(game, found.state, found.alternatives, width)
    elif found.found is not None or found.running is not None:
        yield from _search(
            game, found.state, found.found, found.running.counters() if found.running else None, plain
        )
    else:
        yield Text(found.doing or "the game is over")


def value_bar(game: Game, found: Findings | str, width: int, plain: bool = False) -> Text | None:
    """The value that a search has found as a bar: player 0's part of it against player 1's; None without one."""
    seen = None if isinstance(found, str) else found.alternatives or found.found
    if seen is None or seen.value is None:
        return None
    low, high = game.min_utility, game.max_utility
    full = round(width * min(max((seen.value - low) / (high - low), 0.0), 1.0))
    signs = ("#", ":") if plain else ("█", "▒")
    bar = Text(signs[0] * full, owner_colour(0)).append(signs[1] * (width - full), owner_colour(1))
    return bar.append(f"  {_worth(seen.value)} for player 0", "default")


def _search(
    game: Game, state: Any, found: FoundDepth | None, counters: Counters | None, plain: bool
) -> Iterator[RenderableType]:
    if found is not None:
        yield Text(f"value {_worth(found.value)}", "bold")
    if seen := counters or (found and found.counters):
        proven = ", proven" if found is not None and found.exact else ""
        speed = f"{_count(seen.nodes)} nodes, {_count(seen.nodes_per_second)}/s"
        yield Text(f"depth {found.depth if found else 0}{proven}; {speed}")
    if found is None:
        return
    for player, mixture in enumerate(found.strategies):
        chosen = sorted(((p, a) for a, p in mixture.items() if p >= _LEAST), key=lambda one: -one[0])
        if chosen:
            yield Text(f"player {player}", f"bold {owner_colour(player)}")
            bar = (("#", ":") if plain else ("█", "▒"))[player]
            yield _table(
                [
                    Text(_name(game, state, player, action)),
                    Text(f"{100 * share:.0f}%", justify="right"),
                    Text(bar * max(round(10 * share), 1), owner_colour(player)),
                ]
                for share, action in chosen[:_MOST_MOVES]
            )
        if len(chosen) > _MOST_MOVES:
            yield Text(f"and {len(chosen) - _MOST_MOVES} more")
    if found.line:
        yield Text("main line", "bold")
        yield Text(one_line(" | ".join(found.line.in_words(game, state, _MOST_STEPS))))


def _alternatives(game: Game, state: Any, found: Alternatives, width: int) -> Iterator[RenderableType]:
    if found.value is not None:
        yield Text(f"value {_worth(found.value)}", "bold")
    yield Text(f"depth {found.finished}; worth for player 0:")
    if found.is_stage:
        yield _matrix(game, state, found, width)
        return
    sign = -1 if found.node == 1 else 1
    rows = sorted(found.moves, key=lambda row: (row[1] is None, -sign * (row[1] or 0.0)))
    colour = "" if found.node < 0 else owner_colour(found.node)
    yield _table(
        [
            Text(_name(game, state, found.node, action), colour),
            Text(_worth(value), colour),
            Text("proven" if exact else "", colour),
        ]
        for action, value, exact in rows[:_MOST_ROWS]
    )
    if len(rows) > _MOST_ROWS:
        yield Text(f"and {len(rows) - _MOST_ROWS} more")


def _matrix(game: Game, state: Any, found: Alternatives, width: int) -> Table:
    """The stage: rows are player 0's moves, columns player 1's, each with its share of the mixture; the likeliest come first."""
    mixtures = found.mixtures or ((0.0,) * len(found.rows), (0.0,) * len(found.columns))
    rows, columns = (sorted(range(len(shares)), key=lambda k: -shares[k]) for shares in mixtures)
    columns = columns[: max((width - 2 * _CELL) // _CELL, 1)]

    def head(player: int, action: int, share: float) -> str:
        name = _name(game, state, player, action)[: _CELL - 1]
        return f"{name} {100 * share:.0f}%" if found.mixtures else name

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style=owner_colour(1))
    table.add_column("", style=owner_colour(0))
    for j in columns:
        table.add_column(head(1, found.columns[j], mixtures[1][j]), justify="right", width=_CELL - 1)
    for i in rows[:_MOST_ROWS]:
        table.add_row(head(0, found.rows[i], mixtures[0][i]), *(_worth(found.values[i][j]) for j in columns))
    if len(columns) < len(found.columns) or len(rows) > _MOST_ROWS:
        table.add_row("likely ones")
    return table


def _table(rows: Iterable[list[Text]]) -> Table:
    """Rows without borders; what is too long is cut."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for row in rows:
        for text in row:
            text.no_wrap, text.overflow = True, "crop"
        table.add_row(*row)
    return table


def _name(game: Game, state: Any, player: int, action: int) -> str:
    return (
        one_line(game.outcome_to_string(state, action))
        if player == CHANCE
        else one_line(game.action_to_string(state, player, action))
    )


def _worth(value: float | None) -> str:
    return "?" if value is None else value_text(value, "+.3f" if abs(value) < 100 else "+.3g")


def _count(number: float) -> str:
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:.3g}{letter}"
    return f"{number:.0f}"
