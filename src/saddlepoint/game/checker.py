"""One checker of a game's rules with two levels: a quick look before a game of one's own is used, and the whole check.

`CHECKS` is the list of all that is checked: another check is a function and a line there. What shows in the text of a class alone is
said when the class is made (`class_checks.py`).
"""

import contextlib
import dataclasses
import io
import math
import os
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ..compiled import Component, KernelError, run
from ..compiled.endless_loops import Patience
from ..compiled.errors import in_words, place_of_class, position_text
from ..compiled.rules import in_package
from ..compiled.states import as_machine_words
from . import equivalences as same, promises
from .base import TERMINAL, Game, brings
from .probe import BrokenPromise, Probe, moves_of

QUICK, WHOLE = "quick", "whole"
CLASS, START, POSITION, END, INNER, STEP, GAME, GAMES = (
    "class",
    "start",
    "position",
    "end",
    "inner",
    "step",
    "game",
    "games",
)
TOO_LONG = "current_player must say TERMINAL in time: a game must end within max_depth = {} steps; set max_depth to the most there are"
_QUICK_GAMES = 20
_SECONDS = 1.0
_OPTIONAL = ("hash", "bounds", "canonical", "without_score", "relabelled")


class Check(NamedTuple):
    """One promise that is checked."""

    what: str
    level: str
    """QUICK: in plain Python, before a game is used. WHOLE: by `check_game`, also compiled, and once more what is quick."""
    of: str
    """CLASS, START: once. POSITION, END, INNER: in each position, where a game is over, where it is not. STEP: where it is not, and gives
    the next position. GAME: of all positions of a finished game. GAMES: after the last one.
    """
    function: Callable[..., Any]
    needs: str = ""
    """The attribute of a game that says whether it brings what is checked; empty where every game does."""


CHECKS = (
    Check("a frozen dataclass", QUICK, CLASS, promises.is_frozen_dataclass),
    Check("no rule is missing", QUICK, CLASS, promises.has_all_rules),
    Check("max_actions and the other limits", QUICK, CLASS, promises.has_limits),
    Check("the same game when pickled", WHOLE, CLASS, promises.is_equal_when_pickled),
    Check("what a game shows is text", QUICK, START, promises.shown_start_is_text),
    Check("next_state takes both actions", QUICK, INNER, promises.takes_both_actions),
    Check("results are in range", QUICK, END, promises.result_is_in_range),
    Check("legal actions, probabilities, next states", QUICK, STEP, promises.random_step),
    Check("choices matter", QUICK, GAMES, promises.choices_matter),
    Check("who moves", WHOLE, POSITION, promises.current_player_is_the_same_compiled),
    Check("texts can be read again", WHOLE, POSITION, promises.text_is_read_again),
    Check("pictures", WHOLE, POSITION, promises.own_picture_is_sound),
    Check("ends", WHOLE, END, promises.end_is_an_end),
    Check("outcomes of chance", WHOLE, INNER, promises.outcomes_are_named, "has_chance"),
    Check("legal actions", WHOLE, INNER, promises.actions_are_legal),
    Check("evaluators", WHOLE, INNER, promises.evaluators_are_the_same_compiled),
    Check("canonical", WHOLE, INNER, same.canonical_is_an_image, "has_canonical"),
    Check("without_score", WHOLE, POSITION, same.score_is_apart, "has_score"),
    Check("relabelled", WHOLE, INNER, same.relabelled_plays_the_same, "has_relabelled"),
    Check("features", WHOLE, INNER, same.features_suit_images, "has_features"),
    Check("planes", WHOLE, POSITION, same.planes_suit_images, "has_planes"),
    Check("hashes", WHOLE, INNER, same.hash_tells_apart),
    Check("bounds", WHOLE, POSITION, same.bounds_are_a_range, "has_bounds"),
    Check("next states and symmetries", WHOLE, STEP, promises.every_step),
    Check("bounds along a game", WHOLE, GAME, same.bounds_tighten, "has_bounds"),
    Check("why a game is over", WHOLE, GAME, promises.end_is_told),
    Check("values of small trees", WHOLE, GAME, same.small_trees_agree),
)


def look_at(game: Game, state: Any = None) -> Game:
    """The game, checked in some random games from `state` (by default the initial state).

    They are played in plain Python, for a second at most: most mistakes show at once, and Python reports
    their line. Then every rule is compiled.

    Raises KernelError with the method, the line and the position where it does not. This library's own games are not looked at.
    """
    if in_package(type(game)):
        return game
    try:
        with Patience() as patience:
            probe = Probe(game, patience, seed=0)
            _check(probe, QUICK, (CLASS,))
            start = probe.start() if state is None else state
            with contextlib.redirect_stdout(
                io.StringIO()
            ):  # what rules print for their author is for the games that were asked for
                _play_quick_games(probe, start)
            probe.state = start
            _check(probe, QUICK, (START,), start)
            _compile(probe)
    except BrokenPromise as broken:
        raise KernelError(broken.message(game)) from None
    return game


def check_game(
    game: Game,
    *,
    playouts: int = 50,
    seed: int | None = None,
    states: Iterable[Any] | None = None,
    evaluators: Iterable[Component] = (),
) -> None:
    """Play random games and hold every position to what a game promises; silent when all is well.

    The first games are played in plain Python alone, where a rule that does not come to an end is stopped.

    - `game`: the rules.
    - `playouts`: how many games are played.
    - `seed`: the same seed draws the same games; None: each call draws others, and the message of a failure gives the seed.
    - `states`: where games start, in turn; None: from the initial state.
    - `evaluators`: each must give every position that is not over the same value, a finite number, compiled and as plain Python.

    Raises AssertionError with a sentence that names the rule, the line, and the position where it is broken
    (SADDLEPOINT_TRACE=1 adds the trace).

    >>> from saddlepoint import BiasedRPS, check_game
    >>> check_game(BiasedRPS(), playouts=5)  # silent: the rules hold
    """
    if not isinstance(game, Game):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise AssertionError(_no_game(game))
    drawn = int(np.random.default_rng().integers(2**32)) if seed is None else seed
    try:
        with Patience() as patience:
            _check_whole(Probe(game, patience, drawn, tuple(evaluators)), playouts, states)
        return
    except BrokenPromise as error:
        broken = error
    except KernelError as error:
        first, *rest = str(error).splitlines()
        broken = BrokenPromise(first, place="".join(f"\n{line}" for line in rest), cause=error)
    except Exception as error:
        found = in_words(error)
        if not found.method:
            raise
        name = found.method.removeprefix(f"{type(game).__qualname__}.")
        broken = BrokenPromise(f"{name} must not raise: {found.sentence()}", place=found.place, cause=error)
    where = "" if broken.state is None else f"\nin the position {position_text(game, broken.state)}"
    shown = repr(game) if dataclasses.is_dataclass(game) else f"{type(game).__name__}()"
    message = (
        f"{shown}: {broken.rule}{broken.place}{where}\n(check_game(..., seed={drawn}) plays the same games)"
    )
    raise AssertionError(message) from (broken.cause if os.environ.get("SADDLEPOINT_TRACE") else None)


def _no_game(given: Any) -> str:
    cls = given if isinstance(given, type) else type(given)
    return (
        f"{cls.__name__} is a class: check_game takes a game, {cls.__name__}(){place_of_class(cls)}"
        if issubclass(cls, Game)
        else f"{cls.__name__} must be made of saddlepoint.Game: write class {cls.__name__}(Game){place_of_class(cls)}"
    )


def _check_whole(probe: Probe, playouts: int, states: Iterable[Any] | None) -> None:
    _check(probe, QUICK, (CLASS,))
    starts = (
        [probe.start()]
        if states is None
        else [probe.state_of_its_kind("initial_state", state) for state in states]
    )
    if not in_package(type(probe.game)):
        _play_quick_games(probe, starts[0])
    probe.state = None
    _check(probe, WHOLE, (CLASS,))
    probe.rng = np.random.default_rng(
        probe.seed
    )  # the same games, however many quick ones there was time for
    for number in range(playouts):
        _check(probe, WHOLE, (GAME,), play(probe, WHOLE, starts[number % len(starts)]))


def _play_quick_games(probe: Probe, start: Any) -> None:
    """Play random games in plain Python, as many as there is time for."""
    end = time.monotonic() + _SECONDS
    for number in range(_QUICK_GAMES):
        if number == 0 or time.monotonic() < end:
            play(probe, QUICK, as_machine_words(start), end)
    probe.state = None
    _check(probe, QUICK, (GAMES,))


def play(probe: Probe, level: str, start: Any, end: float = math.inf) -> list[Any]:
    """The positions of a random game, each held to the checks of a level, as far as they come until that time."""
    path = [start]
    while True:
        state = probe.state = path[-1]
        node = probe.node(state if level == QUICK else as_machine_words(state))
        probe.memory["met", node] = state
        _check(probe, level, (POSITION, END if node == TERMINAL else INNER), state, node)
        if node == TERMINAL or (len(path) > 1 and time.monotonic() >= end):
            return path
        probe.must(len(path) <= probe.game.max_depth, TOO_LONG, probe.game.max_depth)
        path.append(_check(probe, level, (STEP,), state, node))


def _check(probe: Probe, level: str, of: tuple[str, ...], *args: Any) -> Any:
    """Make the checks of a level and of some kinds; gives what the last one gives."""
    found = None
    for check in CHECKS:
        if check.level == level and check.of in of and (not check.needs or getattr(probe.game, check.needs)):
            found = check.function(probe, *args)
    return found


def _compile(probe: Probe) -> None:
    """Ask every rule once, compiled, in a position of each kind: what cannot be compiled is found before a game begins."""
    game = probe.game
    for node, state in [(key[1], value) for key, value in probe.memory.items() if key[0] == "met"]:
        if node == TERMINAL:
            game.returns(state)
            continue
        own = moves_of(game, state)
        for player in game.players_to_act(state) if brings(game, "search_actions") else ():
            game.search_actions(state, player)
        game.advance(state, own[0][0], own[1][0])
        for name in _OPTIONAL:
            if brings(game, name):
                run(type(game).kernels[name], game, state)
