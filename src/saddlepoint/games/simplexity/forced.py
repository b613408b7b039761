"""Forced wins and losses, with their distances by looking one ply further at a time, or without them."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ... import Limits, SearchResult, Statistics, StopToken
from ..interface import (
    Answer,
    Clock,
    EndgamePlan,
    Game,
    GameError,
    Line,
    SearchPlayer,
    int_of,
    run,
)
from .attack import control_of, new_drops, reaches_from
from .facts import new_facts
from .game import FOLDED_MOVES, Simplexity
from .state import RED_WON, UNDECIDED, WHITE_WON, State


class Forced(NamedTuple):
    """The forced result of a position, for the side to move."""

    value: int
    """1 a forced win, -1 a forced loss, 0 nothing found (a draw where `exact`)."""
    plies: int
    """To the end: of the quickest win, the slowest loss; 0 where nothing is forced."""
    searched: int
    """Neither side wins by force within this number of plies; what is beyond was not looked at, or is not there."""
    exact: bool
    """Whether the value is the game's: something is forced, or the search saw every end."""
    nodes: int
    seconds: float


class ForcedAnswer(NamedTuple):
    """The answer to one question of a position: does the side to move win, or does it not lose, within a number of plies?"""

    reached: bool | None
    """None where time was up."""
    plies: int
    """Fewer than asked for where a win or a loss is forced, or the game ends, sooner. Where time was up: none is forced within them."""
    exact: bool
    """Whether a longer look could not change it: a win or a loss is forced, or the search saw every end."""
    nodes: int
    seconds: float


class ForcedSearch:
    """Searches positions of one game on a board of at most 64 bits, (rows + 1) x cols.

    The table of `megabytes` is fixed; what it holds stays true from search to search. Threads that share a search wait
    for each other. Raises GameError for larger boards.
    """

    def __init__(self, game: Simplexity, megabytes: float = 128) -> None:
        if game.columns.words > 1:
            raise GameError(
                f"forced wins are searched on boards of at most 64 bits, (rows + 1) x cols, not {game.rows}x{game.cols}"
            )
        self.game = game
        self._table = new_facts(megabytes)
        self._drops = new_drops(game.columns)
        self._history = np.zeros((2, 2 * (game.rows + 1) * game.cols), np.int64)
        self._control, self._age, self._lock = control_of(game), 0, threading.Lock()
        with self._asking(game.initial_state()):
            self._ask(game.initial_state(), 0, True)  # compiles, so that no clock runs while that goes on

    @property
    def nodes(self) -> int:
        """Positions visited so far; any thread may ask."""
        return int(self._control["nodes"])

    def search(
        self,
        state: State,
        plies: int | None = None,
        seconds: float | None = None,
        on_step: Callable[[int, int, float], None] | None = None,
        nodes: int | None = None,
        stop: StopToken | None = None,
    ) -> Forced:
        """The forced result within `plies` (by default, to the end of the game), as far as `seconds` and `nodes` allow.

        After each ply `on_step` is called with the plies within which nothing is forced, the positions visited and the seconds. An
        interruption (Ctrl-C) goes through at once, and so does a `stop`.
        """
        left = self.game.last_move - state.moves
        plies = left if plies is None else min(plies, left)
        value, found, searched = _result(state), 0, 0
        with self._asking(state, seconds, nodes, stop) as (started, before):
            while value == 0 and state.result == UNDECIDED and searched < plies:
                wins = self._ask(state, searched + 1, True)
                stays = None if wins is None else wins or self._ask(state, searched + 1, False)
                if stays is None:
                    break
                if wins or not stays:
                    value, found = 1 if wins else -1, searched + 1
                else:
                    searched += 1
                    if on_step is not None:
                        on_step(searched, self.nodes - before, time.perf_counter() - started)
        exact = value != 0 or state.result != UNDECIDED or searched == left
        return Forced(value, found, searched, exact, self.nodes - before, time.perf_counter() - started)

    def ask(
        self,
        state: State,
        attacking: bool,
        plies: int | None = None,
        seconds: float | None = None,
        on_step: Callable[[int, int, float], None] | None = None,
        nodes: int | None = None,
        stop: StopToken | None = None,
    ) -> ForcedAnswer:
        """Whether the side to move wins by force (`attacking`), or else does not lose, within `plies`; see `search`.

        Quicker than `search` where the distance does not matter: it looks four plies further at a time, so `plies` of the answer is none.
        """
        left = self.game.last_move - state.moves
        plies = left if plies is None else min(plies, left)
        if state.result != UNDECIDED:
            return ForcedAnswer(_result(state) > 0 if attacking else _result(state) >= 0, 0, True, 0, 0.0)
        with self._asking(state, seconds, nodes, stop) as (started, before):
            within = 0
            reached: bool | None = not attacking
            for near in (
                *range(13 if attacking else 12, plies, 4),
                plies,
            ):  # what is found nearby orders the drops of the long search
                reached = self._ask(state, near, attacking)
                if reached is None:
                    break
                within = near
                if reached == attacking:
                    break
                if on_step is not None:
                    on_step(near, self.nodes - before, time.perf_counter() - started)
            exact = reached is not None and (reached == attacking or within == left)
            return ForcedAnswer(reached, within, exact, self.nodes - before, time.perf_counter() - started)

    def choice(
        self,
        state: State,
        found: Forced,
        seconds: float | None = None,
        nodes: int | None = None,
        stop: StopToken | None = None,
    ) -> int:
        """The action to take where `found`, the answer to the search before, is forced: by the quickest win, or the slowest loss.

        The one that reached it, as far as the limits do not allow to ask for it.
        """
        player, drop = state.moves & 1, int(self._control["best"])
        likely = 2 * (drop // 2 // (self.game.rows + 1)) + (player ^ drop & 1)
        legal = sorted(self.game.search_actions(state, player), key=lambda action: action != likely)
        with self._asking(state, seconds, nodes, stop):
            return next((a for a in legal if self._keeps(state, a, found.value, found.plies)), legal[0])

    def line(self, state: State, found: Forced) -> tuple[int, ...]:
        """The actions of best play, up to the end of the game, from a position where `found` is forced.

        The winner wins as soon as it can, the loser loses as late as it can; of equal actions the first.
        """
        actions: list[int] = []
        value, plies = found.value, found.plies
        with self._asking(state):
            while plies > 0:
                legal = self.game.legal_actions(state, state.moves & 1)
                action = next(a for a in legal if self._keeps(state, a, value, plies))
                actions.append(action)
                state, value, plies = self.game.next_state(state, action), -value, plies - 1
        return tuple(actions)

    def _keeps(self, state: State, action: int, value: int, plies: int) -> bool:
        """Whether after the action the result is still the same, one ply nearer."""
        after = self.game.next_state(state, action)
        if after.result != UNDECIDED:
            return plies == 1 and _result(after) == -value
        # After a win the other side does not hold out; where every action loses, this one must not lose sooner.
        return plies > 1 and self._ask(after, plies - (1 if value > 0 else 2), value < 0) is False

    @contextmanager
    def _asking(
        self,
        state: State,
        seconds: float | None = None,
        nodes: int | None = None,
        stop: StopToken | None = None,
    ) -> Generator[tuple[float, int]]:
        """For the questions of one position, with limits for all of them: (when it began, positions visited before)."""
        with self._lock:
            before, self._age = self.nodes, (self._age + 1) % 256
            columns = np.arange(self._history.shape[1]) // 2 // (self.game.rows + 1)
            self._history[:] = self.game.cols - np.abs(2 * columns - self.game.cols + 1)
            control = control_of(self.game, None if nodes is None else before + nodes, seconds)
            control["nodes"], control["age"] = before, self._age
            control["folding"] = state.moves <= FOLDED_MOVES
            self._control, stop = control, stop or StopToken()
            stop.attach(control)
            try:
                yield time.perf_counter(), before
            finally:
                stop.detach(control)

    def _ask(self, state: State, plies: int, attacking: bool) -> bool | None:
        """Whether the side to move wins within `plies`, or else does not lose; None where a limit came first."""
        arrays = self._table, self._drops, self._history, self._control
        reached = run(reaches_from, self.game.columns, *_words(state), plies, attacking, *arrays)
        return None if self._control["stop"] else bool(reached)


def _words(state: State) -> tuple[np.uint64, np.uint64, np.uint64]:
    """(pieces in the colour of the side to move, pieces in its shape, all pieces)."""
    white, round_, filled = int_of(state.white), int_of(state.round), int_of(state.filled)
    if state.moves & 1:
        white, round_ = filled ^ white, filled ^ round_
    return np.uint64(white), np.uint64(round_), np.uint64(filled)


def _result(state: State) -> int:
    """For the side to move, where the game is over."""
    if state.result not in (WHITE_WON, RED_WON):
        return 0
    return 1 if (state.result == WHITE_WON) == (state.moves & 1 == 0) else -1


# The plan of the best player: forced wins and losses are looked for before the search, and after it.

_MEGABYTES = 16.0
_FIRST, _LOOKED, _SEARCHED, _CHECKED, _AGAIN = 0.15, 0.6, 0.6, 0.9, 0.03
"""Shares of what is left of a move's time, or nodes, at most: for the forced result, a look at the actions, the search, the check of its
action, another search."""
_NEAR = 13
"""Plies within which an action is seen to lose before the search; most that lose at all lose so soon, and few looks take all their time."""


class ForcedFirst(EndgamePlan):
    """Takes a forced win and puts off a forced loss; else the search's action, unless that is seen to lose by force.

    On boards of at most 64 bits, (rows + 1) x cols; with a limit of depth alone the search plays alone.
    """

    def begin(self, searching: SearchPlayer) -> None:
        self._forced = _new_search(searching.game)  # a limit of nodes gives the same game again

    def warm(self, game: Game, state: Any) -> None:
        _new_search(game)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        started, limits, forced = searching.now(), searching.limits, self._forced
        actions = searching.game.search_actions(state, searching.player)
        seconds = searching.seconds(searching.deadline(clock).depth)
        if (
            forced is None or len(actions) == 1 or limits == Limits(limits.depth) != Limits()
        ):  # of depth alone
            return None
        searched, result, looks = -forced.nodes, None, dict[int, ForcedAnswer]()

        def within(share: float) -> dict[str, Any]:
            """That share of what is left."""
            nodes = limits.nodes and max(1, int(share * (limits.nodes - searched - forced.nodes)))
            left = seconds and max(1e-6, share * (seconds + started - searching.now()))
            return {"nodes": nodes, "seconds": left, "stop": searching.stop}

        def look(action: int, share: float, plies: int | None = None) -> None:
            """Note whether the action loses by force, where that can be told; then it is no longer among the actions."""
            # When time is up, on a busy machine even the moments that a look takes are long.
            if not seconds or searching.now() < started + seconds:
                asked = forced.ask(searching.game.next_state(state, action), True, plies, **within(share))
                if asked.plies:
                    looks[action] = asked
                if asked.reached:
                    actions.remove(action)

        found = forced.search(state, _NEAR + 1, **within(_FIRST))
        if found.value != 0:
            action = forced.choice(state, found, **within(_SEARCHED))
            return Answer(action, _result_of(found, searching.player, action, searching.now() - started))
        for left in range(len(actions), 0, -1):  # removed from behind, as they are seen to lose
            look(actions[left - 1], _LOOKED / left, _NEAR)
        while actions:
            part = within(_AGAIN if result else _SEARCHED)
            limit = Limits(limits.depth, part["nodes"], part["seconds"])
            result = searching.search(state, limit, among=actions)
            searched += result.statistics.nodes
            action = searching.chosen(result)
            look(action, _CHECKED)
            actions = [one for one in actions if one in looks] or actions
            if action in actions:
                return Answer(action, result)
        return Answer(max(looks, key=lambda one: looks[one].plies), result)


def _new_search(game: Game) -> ForcedSearch | None:
    """None for a board that is too large."""
    assert isinstance(game, Simplexity)
    return ForcedSearch(game, _MEGABYTES) if game.columns.words == 1 else None


def _result_of(found: Forced, player: int, action: int, seconds: float) -> SearchResult:
    """A forced result as that of a search."""
    value = float(found.value if player == 0 else -found.value)
    choice = {action: 1.0}
    return SearchResult(
        value=value,
        bounds=(value, value),
        strategies=(choice, {}) if player == 0 else ({}, choice),
        principal_variation=Line(((action, -1) if player == 0 else (-1, action),)),
        depth=found.plies,
        exact=True,
        complete=True,
        seconds=seconds,
        statistics=Statistics(nodes=found.nodes),
        plies=found.plies,
    )
