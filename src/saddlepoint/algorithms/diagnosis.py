"""The reasons why a search of a user's game is wrong: kernels that fail, wrong numbers of actions, games
without an end.

The rules are asked as plain Python, which is checked where compiled code is not.
"""

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..compiled import Component
from ..compiled.call import run_error
from ..compiled.endless_loops import Patience, TooLong
from ..compiled.errors import KernelRunError
from ..compiled.states import as_machine_words
from ..game.base import TERMINAL, Game, GameError, brings
from ..game.checker import QUICK, TOO_LONG, play
from ..game.probe import BrokenPromise, Probe

_FIRST_PLAYOUTS = 3
_FIRST_STEPS = 200
_PLAYOUTS = 100
_POSITIONS = 3000


def distrusting(search: Callable[..., Any], searcher: Any, state: Any, *args: Any, **kwargs: Any) -> Any:
    """The result of a `Searcher.search` that checks the rules of its game."""
    game = searcher.game
    if not getattr(searcher, "_rules_checked", False):
        check_rules(game, state)
        searcher._rules_checked = True
    try:
        result = search(searcher, state, *args, **kwargs)
    except KernelRunError as error:
        raise diagnose(game, searcher.algorithm.leaf, state, error) from None
    # A value of ended games may be a bound alone: then every line of play did end.
    unfinished = result.depth >= game.max_depth and not searcher.ended and result.statistics.evaluations > 0
    if unfinished and not getattr(searcher, "_end_checked", False):
        check_end(game, state)
        searcher._end_checked = True
    return result


def check_rules(game: Game, state: Any) -> None:
    """Play a few random games from here, and raise GameError for a wrong number of actions, say, or a game that does not end.

    A search sizes its memory by `max_actions` and `max_depth`, and must not begin where they are too small. What a rule raises the
    search meets, or does not.
    """
    steps = 0
    try:
        with Patience() as patience:
            probe = Probe(game, patience, seed=0)
            for _ in range(_FIRST_PLAYOUTS):
                path = play(probe, QUICK, as_machine_words(state)) if steps <= _FIRST_STEPS else []
                steps += len(path)
                for position in path[:-1]:
                    _ask_more(probe, position)
    except BrokenPromise as broken:
        if broken.cause is None or isinstance(broken.cause, TooLong):
            raise _in_words(game, broken) from None


def diagnose(game: Game, evaluator: Component, state: Any, error: Exception) -> Exception:
    """The error of a search with the kernel, the line and the position, if one of some thousand positions shows it."""
    with Patience() as patience, np.errstate(all="ignore", divide="raise"):  # compiled code raises there, too
        probe = Probe(game, patience, seed=0)
        playouts = (play(probe, QUICK, as_machine_words(state))[:-1] for _ in range(_PLAYOUTS))
        try:
            for position in itertools.chain(
                itertools.chain.from_iterable(playouts), _positions(probe, state, deque.popleft)
            ):
                _ask_more(probe, position, evaluator)
        except BrokenPromise as broken:
            return _in_words(game, broken)
    return error


def check_end(game: Game, state: Any) -> None:
    """Raise GameError if a line of play from here is longer than `max_depth`; some thousand positions are tried."""
    try:
        with Patience() as patience:
            for _ in _positions(Probe(game, patience, seed=0), state, deque.pop):
                pass
    except BrokenPromise as broken:
        if broken.cause is None:  # else the search did not meet it
            raise _in_words(game, broken) from None


def _ask_more(probe: Probe, position: Any, evaluator: Any = None) -> None:
    """Ask what a search asks of a position, which is no end, besides the rules by which it is played."""
    if brings(probe.game, "search_actions"):
        probe.actions(position, probe.node(position), "search_actions")
    probe.plain("hash", position)
    if probe.game.has_bounds:
        probe.plain("bounds", position)
    if evaluator is not None:
        probe.answer("evaluate", position, evaluator.plain.evaluate, probe.rules, position)


def _positions(probe: Probe, state: Any, take: Callable[[deque[Any]], Any]) -> Iterator[Any]:
    """Some thousand positions from this one on, ends left out, the nearest first or the deepest, by where they are taken from."""
    waiting = deque([(as_machine_words(state), 0)])
    seen = set(waiting)
    while waiting:
        position, steps = take(waiting)
        probe.state = position
        node = probe.node(position)
        if node == TERMINAL:
            probe.result(position)
            continue
        yield position
        probe.must(steps < probe.game.max_depth, TOO_LONG, probe.game.max_depth)
        for pair in itertools.product(*probe.actions(position, node, "search_actions")):
            after = (as_machine_words(probe.successor(position, *pair)), steps + 1)
            if after not in seen and len(seen) < _POSITIONS:
                seen.add(after)
                waiting.append(after)


def _in_words(game: Game, broken: BrokenPromise) -> Exception:
    """The error of a rule that failed; GameError for one that gave what it must not."""
    return (
        GameError(broken.message(game))
        if broken.cause is None
        else run_error(broken.cause, game, broken.state)
    )
