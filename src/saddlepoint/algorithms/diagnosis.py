"""Why a search of somebody's own game cannot be right: kernels that fail, wrong numbers of actions, games without an end.

The rules are asked as plain Python, which is checked where compiled code is not.
"""

import functools
import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

import numpy as np

from ..checked_rules import refuse_dropped
from ..compiled import Component, KernelError
from ..compiled.errors import KernelRunError
from ..compiled.patience import Patience, TooLong
from ..compiled.rules import in_package
from ..compiled.running import run_error
from ..compiled.states import as_machine_words
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game, GameError

_SPARE = 64  # cells behind the last that may be written, to notice a kernel that writes there
_FIRST_PLAYOUTS = 3
_FIRST_STEPS = 200
_PLAYOUTS = 100
_POSITIONS = 3000
Search = TypeVar("Search", bound=Callable[..., Any])


def watched(search: Search) -> Search:
    """A `Searcher.search` that does not trust the rules of games that are not this library's."""

    @functools.wraps(search)
    def watching(self: Any, state: Any, *args: Any, **kwargs: Any) -> Any:
        game = self.game
        if in_package(type(game)):
            return search(self, state, *args, **kwargs)
        if not getattr(self, "_rules_checked", False):
            check_rules(game, state)
            self._rules_checked = True
        try:
            result = search(self, state, *args, **kwargs)
        except KernelRunError as error:
            raise diagnose(game, self.algorithm.leaf, state, error) from None
        # A value of ended games may be a bound alone: then every line of play did end.
        unfinished = result.depth >= game.max_depth and not self.ended and result.statistics.evaluations > 0
        if unfinished and not getattr(self, "_end_checked", False):
            check_end(game, state)
            self._end_checked = True
        return result

    return cast(Search, watching)


def check_rules(game: Game, state: Any) -> None:
    """Play a few random games from here, and raise GameError for a wrong number of actions or a game that does not end.

    A search sizes its memory by `max_actions` and `max_depth`, and must not begin where they are too small.
    """
    steps = 0
    with Patience() as patience:
        rules = _Rules(game, patience=patience)
        for seed in range(_FIRST_PLAYOUTS):
            if steps > _FIRST_STEPS:
                return
            try:
                for _ in rules.playout(state, seed):
                    steps += 1
            except EndlessRule:
                raise
            except KernelError:
                return  # the search meets it, or does not: it is not about limits


def diagnose(game: Game, evaluator: Component, state: Any, error: KernelError) -> Exception:
    """The error of a search with the kernel, the line and the position, if one of some thousand positions shows it."""
    rules = _Rules(game, evaluator)
    try:
        for seed in range(_PLAYOUTS):
            for _ in rules.playout(state, seed):
                pass
        for _ in rules.nearest(state):
            pass
    except (KernelError, GameError) as found:
        return found
    return error


def check_end(game: Game, state: Any) -> None:
    """Raise GameError if a line of play from here is longer than `max_depth`; some thousand positions are tried."""
    rules = _Rules(game)
    waiting = [(as_machine_words(state), 0)]
    seen: set[tuple[Any, int]] = set()
    try:
        while waiting and len(seen) < _POSITIONS:
            position, steps = waiting.pop()
            if (position, steps) not in seen:
                seen.add((position, steps))
                waiting += [(after, steps + 1) for after in rules.followers(position, steps)]
    except KernelError:
        pass  # what the search did not meet


class EndlessRule(KernelRunError):
    """A rule that did not come to an end as plain Python, where compiled code could not be stopped."""


class _Rules:
    """A game's rules as plain Python, every answer of theirs checked."""

    def __init__(self, game: Game, evaluator: Component | None = None, patience: Patience | None = None) -> None:
        self._game, self._plain, self._patience = game, game.plain, patience
        self._evaluator: Any = None if evaluator is None else evaluator.plain

    def playout(self, state: Any, seed: int) -> Iterator[Any]:
        """The positions of a random game."""
        rng = random.Random(seed)
        state, steps = as_machine_words(state), 0
        while True:
            yield state
            after = self.followers(state, steps, rng)
            if not after:
                return
            state, steps = after[0], steps + 1

    def nearest(self, state: Any) -> Iterator[Any]:
        """The positions that are the fewest steps away, some thousand of them."""
        waiting = deque([(as_machine_words(state), 0)])
        seen = {waiting[0][0]}
        while waiting:
            position, steps = waiting.popleft()
            yield position
            for after in self.followers(position, steps):
                if after not in seen and len(seen) < _POSITIONS:
                    seen.add(after)
                    waiting.append((after, steps + 1))

    def followers(self, state: Any, steps: int, rng: random.Random | None = None) -> list[Any]:
        """The positions after this one, all or a random one; empty at an end. Asks every kernel on the way."""
        node = int(self._ask("current_player", state))
        if node == TERMINAL:
            self._ask("returns", state)
            return []
        refuse_dropped(self._game, node)
        if steps >= self._game.max_depth:
            raise GameError(
                f"{self._game!r} must end within max_depth = {self._game.max_depth} steps, and this game goes on: set "
                f"max_depth to the most steps there are, or let current_player say TERMINAL\n{self._shown(state)}"
            )
        self._ask("hash", state)
        if self._game.has_bounds:
            self._ask("bounds", state)
        if self._evaluator is not None:
            self._guarded(self._evaluator.evaluate, state, self._plain, state)
        if node == CHANCE:
            joint = [(outcome, NO_ACTION) for outcome in self._actions("chance_outcomes", state)]
        else:
            own = [self._actions("search_actions", state, p) if node in (p, SIMULTANEOUS) else [NO_ACTION] for p in (0, 1)]
            joint = [(a, b) for a in own[0] for b in own[1]]
        if rng is not None:
            joint = [rng.choice(joint)]
        return [as_machine_words(self._ask("successor", state, np.int64(a), np.int64(b))) for a, b in joint]

    def _actions(self, name: str, state: Any, *player: int) -> list[int]:
        limit = "max_outcomes" if name == "chance_outcomes" else "max_actions"
        room = int(getattr(self._game, limit))
        out, chances = np.full(room + _SPARE, -99, np.int64), np.full(room + _SPARE, -99.0)
        count = int(self._ask(name, state, *player, out, *(() if player else (chances,))))
        if not 1 <= count <= room or (out[room:] != -99).any() or (chances[room:] != -99.0).any():
            raise GameError(
                f"{name} of {self._game!r} must give 1 to {limit} = {room} {limit.removeprefix('max_')}, and gives {count}"
                f"{'' if count > room or count < 1 else ' and writes more'}\n{self._shown(state)}"
            )
        return out[:count].tolist()

    def _ask(self, name: str, state: Any, *args: Any) -> Any:
        return self._guarded(getattr(self._plain, name), state, state, *args)

    def _guarded(self, function: Any, state: Any, *args: Any) -> Any:
        try:
            with np.errstate(all="ignore", divide="raise"):
                return function(*args) if self._patience is None else self._patience.call(function, *args)
        except TooLong as error:
            raise EndlessRule(str(run_error(error, self._game, state))) from None
        except Exception as error:
            raise run_error(error, self._game, state) from None

    def _shown(self, state: Any) -> str:
        try:
            return f"  in the position {self._game.to_text(state)}"
        except Exception:
            return f"  in the position {state!r}"
