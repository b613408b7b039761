"""Which search plays a game best that brings no player of its own: found by games between candidates, and kept on this machine."""

import hashlib
import math
import random
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from filelock import FileLock

from ...algorithms import Algorithm
from ...algorithms.algorithm import UnsupportedGameError
from ...algorithms.limits import Limits
from ...compiled.directory import warn_once
from ...compiled.identity import identity
from ...evaluators.from_rules import ActionCounts, ResultSoFar
from ...evaluators.network.fitted import Fitted
from ...game.base import Game
from ...game.spec import Spec, name_of, parse_spec, without_folders
from ...game.steps import after_random_steps
from ...play.game import play_game
from ...players.clock import Clock
from ...players.searching import SearchPlayer
from ...system.cluster import usable_cores
from ...system.files import whole_file
from ...system.patience import MEASURING_SAID
from ...system.terminal import WaitingLine
from .quick_fit import MOST_AT_ONCE, fit_quickly, fitted_spec, searches_with
from .searches import make_algorithm
from .solved_games import folder

CANDIDATES = {
    True: ("mcts(prior=16)", "mcts(mast=0.4,prior=16)", "mcts(grave=25)", "pvs"),
    False: ("rm", "duct"),
}
"""Specs of searches, for games in turn and others. The first one plays where nothing was measured."""
SECONDS = 6.0
"""Of a core, in which a further candidate plays against the best so far."""
A_MOVE = 0.02
"""Seconds of a move in these games."""
_NODES = (
    2_000_000  # instead of SECONDS, where moves are limited by nodes: the choice is then the same each time
)
_MOST_NODES = 20_000  # of a move, however many were asked for
_MOST_PAIRS = 50
_FEW, _LONGEST = 6, 3.0
"""A match of fewer games, or one that is not decided, goes on, for so many times as long at most."""
_CLOCK = Clock(60.0, 60.0, 60.0)
"""Of the games' moves, which their own limits end long before: on a clock a wait for a core does not count."""
_SURE = 1.64
"""Standard deviations: the chance that the better side is the other one is below one in twenty."""
_OPENING = 2
"""Steps at random before a game begins; it is played twice, with sides swapped."""


class Choice(msgspec.Struct, frozen=True):
    """A search that was chosen for a game, and the games it was chosen by."""

    spec: str
    games: tuple[tuple[str, int, int, int], ...]
    """Of each match: the other candidate, and the games that the chosen side won, drew and lost."""
    limit: str
    """Of a move."""

    @property
    def finalists(self) -> tuple[str, ...]:
        """The search that was chosen, and the one that was best against it."""
        others = sorted(self.games, key=lambda match: (match[3] - match[1]) / max(1, sum(match[1:])))
        return (self.spec, *(match[0] for match in others[-1:]))

    @property
    def is_sure(self) -> bool:
        """Whether each match is decided for the search that was chosen."""
        return all(won - lost > _SURE * math.sqrt(won + lost) for _, won, _, lost in self.games)

    def __str__(self) -> str:
        """One sentence: "mcts: won 34 and lost 6 of 40 against pvs, at 0.02 s a move"."""
        scores = ", ".join(
            f"won {won} and lost {lost} of {won + drawn + lost} against {other}"
            for other, won, drawn, lost in self.games
        )
        doubt = "" if self.is_sure else "; too few games to be sure"
        return without_folders(f"{self.spec}: {scores}, at {self.limit} a move{doubt}")


def chosen_search(game: Game, choice: Choice | None) -> Algorithm:
    """The search that was chosen, the first candidate without a choice."""
    return make_algorithm(parse_spec(CANDIDATES[game.turn_based][0] if choice is None else choice.spec))


def fitted_file(game: Game) -> Path | None:
    """The weights beside a game's file, mygame.weights beside mygame.py, where they are fitted to this game."""
    source = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    if source is None or not (file := Path(source).with_suffix(".weights")).is_file():
        return None
    try:
        Fitted(str(file)).check_game(game)
    except ValueError as error:
        warn_once(f"the weights beside the game are not used: {error}")
        return None
    return file


def candidates(game: Game, with_fitted: bool = True) -> tuple[str, ...]:
    """The specs of all searches that are tried for a game."""
    file = fitted_file(game) if with_fitted else None
    evaluators = [] if file is None else [fitted_spec(file)]
    for name, evaluator in (("result_so_far", ResultSoFar()), ("action_counts", ActionCounts())):
        with suppress(ValueError):
            evaluator.check_game(game)
            evaluators.append(Spec(name))
    return (*CANDIDATES[game.turn_based], *(spec for one in evaluators for spec in searches_with(game, one)))


def kept_choice(
    game: Game, nodes: int | None = None, with_fitted: bool = True, seconds: float = A_MOVE
) -> Choice | None:
    """What was measured on this machine, for moves of so many seconds, or of so many nodes; None where nothing was."""
    with suppress(OSError, msgspec.MsgspecError):
        choice = msgspec.json.decode(choice_file(game, nodes, with_fitted, seconds).read_bytes(), type=Choice)
        quick = _quick_file(game, nodes)
        return None if str(quick) in choice.spec and not quick.is_file() else choice
    return None


def measured_choice(
    game: Game, nodes: int | None = None, with_fitted: bool = True, seconds: float = A_MOVE
) -> Choice:
    """The choice that is kept, or else is measured now: in some tens of seconds, compilation not counted.

    Without `with_fitted` the weights beside the game's file are left out. With other `seconds` of a move than `A_MOVE` the choice is
    between the two that were best with those, and takes as many times as long.
    """
    if (kept := kept_choice(game, nodes, with_fitted, seconds)) is not None:
        return kept
    usual = seconds == A_MOVE or nodes is not None
    finalists = () if usual else measured_choice(game, None, with_fitted).finalists
    file = choice_file(game, nodes, with_fitted, seconds)
    file.parent.mkdir(exist_ok=True)
    with FileLock(file.with_suffix(".lock"), thread_local=False):  # other processes wait for the same
        if (kept := kept_choice(game, nodes, with_fitted, seconds)) is not None:
            return kept
        name = name_of(game)
        line = WaitingLine(
            f"measuring which search plays {name} best (once)",
            f"measured which search plays {name} best",
            MEASURING_SAID,
            for_all=True,
        )
        finished = False
        try:
            # Of two as good the first stays: a search that knows positions makes more of a weak player's mistakes.
            specs = finalists or (*_quick_specs(game, nodes), *candidates(game, with_fitted))
            choice = choice_among(game, specs, nodes, seconds)
            finished = True
        finally:
            line.close(finished)
        with whole_file(file) as out:
            out.write(msgspec.json.encode(choice))
        return choice


def _quick_file(game: Game, nodes: int | None) -> Path:
    """Where the weights lie that are fitted in seconds."""
    digest = hashlib.sha256(repr((identity(game), nodes is None)).encode()).hexdigest()[:24]
    return folder() / digest / "quick.weights"


def quick_evaluator(game: Game) -> str | None:
    """The spec of the evaluator with the weights that were fitted in seconds, before `best` was measured; None where there are none."""
    file = _quick_file(game, None)
    return str(fitted_spec(file)) if file.is_file() else None


def _quick_specs(game: Game, nodes: int | None) -> tuple[str, ...]:
    """The searches with these weights, which are fitted now where there are none; none if the game's states are no network's inputs."""
    file = _quick_file(game, nodes)
    file.parent.mkdir(exist_ok=True, parents=True)
    # Another process may measure the same game with other weights beside these.
    with FileLock(file.with_suffix(".lock"), thread_local=False):
        try:
            if not file.is_file():
                fit_quickly(game, file, by_nodes=nodes is not None)
        except (UnsupportedGameError, ValueError):
            return ()
    return searches_with(game, fitted_spec(file))


def choice_file(game: Game, nodes: int | None, with_fitted: bool, seconds: float = A_MOVE) -> Path:
    """Where the choice is kept."""
    weights = fitted_file(game) if with_fitted else None
    basis = (
        identity(game),
        CANDIDATES[game.turn_based],
        None if weights is None else (str(weights), weights.read_bytes()),
        seconds if nodes is None else min(nodes, _MOST_NODES),
    )
    return folder() / f"{hashlib.sha256(repr(basis).encode()).hexdigest()[:24]}.json"


def choice_among(
    game: Game, specs: Iterable[str], nodes: int | None = None, seconds: float = A_MOVE
) -> Choice:
    """The choice among searches, by games played now: with so many seconds a move, or with about so many nodes."""
    limits = Limits(seconds=seconds) if nodes is None else Limits(nodes=min(nodes, _MOST_NODES))
    best, *others = _usable(game, limits, specs)
    games: list[tuple[str, int, int, int]] = []
    for other in others:
        won, drawn, lost = _Match(game, limits, best, other).play()
        if lost - won > math.sqrt(won + lost):  # the order of the candidates counts for something, too
            best, other, won, lost = other, best, lost, won
            games = []
        games.append((other, won, drawn, lost))
    return Choice(best, tuple(games), f"{seconds:g} s" if nodes is None else f"{limits.nodes} nodes")


def _usable(game: Game, limits: Limits, specs: Iterable[str]) -> list[str]:
    """The candidates that take the game, compiled before time counts. Raises the last one's error where none does."""
    usable: list[str] = []
    problem: Exception | None = None
    for spec in specs:
        try:
            _player(game, limits, spec).begin(game, 0)
        except (UnsupportedGameError, ValueError) as error:  # too many actions for its memory, say
            problem = error
        else:
            usable.append(spec)
    if problem is not None and not usable:
        raise problem
    return usable


def _player(game: Game, limits: Limits, spec: str) -> SearchPlayer:
    choice = "best" if game.turn_based else "mixture"
    return SearchPlayer(make_algorithm(parse_spec(spec)), limits=limits, choice=choice)


class _TimeUp(Exception):
    """Raised within a game that has taken too long."""


class _Match:
    """Games between two searches, in whole pairs with sides swapped, until the time or the nodes are used up.

    Each core plays a pair. They count in the order in which they began, as if one had been played after the other.
    """

    def __init__(self, game: Game, limits: Limits, one: str, other: str) -> None:
        self._game, self._limits = game, limits
        self._at_once = min(MOST_AT_ONCE, usable_cores())
        self._free = [
            tuple(_player(game, limits, spec) for spec in (one, other)) for _ in range(self._at_once)
        ]
        self._counts = [0, 0, 0]
        """Games that the first search won, drew and lost."""
        self._spent: list[float] = []
        """By each pair, of the match's time."""
        self._over = threading.Event()

    def play(self) -> tuple[int, int, int]:
        draw, began = random.Random(0), deque[Future[tuple[float, float]]]()
        with ThreadPoolExecutor(self._at_once) as pool:
            try:
                for pair in range(_MOST_PAIRS):
                    while len(began) < self._at_once:
                        start = after_random_steps(self._game, self._game.initial_state(), _OPENING, draw)
                        self._spent.append(0.0)
                        began.append(pool.submit(self._play_pair, len(self._spent) - 1, start))
                    future = began.popleft()
                    while not wait([future], timeout=0.1).done and not (pair and self._is_used_up(pair)):
                        pass
                    if pair and self._is_used_up(pair):
                        break
                    for worth in future.result():
                        self._counts[0 if worth > 0 else 2 if worth < 0 else 1] += 1
                    won, _, lost = self._counts
                    if self._is_used_up(pair) or abs(won - lost) > 3.0 * math.sqrt(won + lost + 1):
                        break
            finally:
                self._over.set()
        won, drawn, lost = self._counts
        return won, drawn, lost

    def _is_used_up(self, pair: int) -> bool:
        """Whether the pairs up to this one have used what there is, by the games that count so far."""
        won, drawn, lost = self._counts
        is_decided = won + drawn + lost >= _FEW and abs(won - lost) > _SURE * math.sqrt(won + lost)
        return sum(self._spent[: pair + 1]) >= (1.0 if is_decided else _LONGEST)

    def _play_pair(self, pair: int, start: Any) -> tuple[float, float]:
        """What two games from one position are worth for the first search."""
        started, steps = time.thread_time(), 0

        def count_step(state: Any, actions: Any) -> None:
            nonlocal steps
            steps += 1
            self._spent[pair] = (
                (time.thread_time() - started) / SECONDS * A_MOVE / self._limits.seconds
                if self._limits.seconds is not None
                else steps * (self._limits.nodes or 0) / _NODES
            )
            if self._over.is_set():
                raise _TimeUp

        one, other = sides = self._free.pop()
        middle = (self._game.max_utility + self._game.min_utility) / 2.0
        first, second = (
            play_game(self._game, players, start, (_CLOCK, _CLOCK), seed=pair, on_step=count_step).result
            - middle
            for players in ((one, other), (other, one))
        )
        self._free.append(sides)
        return first, -second
