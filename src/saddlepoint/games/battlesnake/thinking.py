"""Our players in games over HTTP: the position they search, how they are compiled and made, and the safe move in their place."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any, NamedTuple

from ..interface import (
    DIRECTIONS,
    Clock,
    Deadline,
    GameError,
    LoadMaker,
    Need,
    Player,
    PlayerPool,
    PooledPlayer,
    Preparation,
    Question,
    SpecError,
    int_of,
    safe_action,
    words_of,
)
from .game import Battlesnake, State
from .requests import USUAL_DAMAGE, Cell, Seen, SeenSnake, position, snake_of
from .running import Machine, Rules, Setting, SnakeGame

# The position that our player searches: we and the nearest rival are its two snakes, and all others are walls, which are read anew from
# every request.

_USUAL_ROUNDS = 1000
"""Far from the last round of a game here: the contest knows none."""


def rules_of(seen: Seen) -> Rules:
    """The rules of a request, as far as they are known here; numbers out of range have their usual value."""
    rules = Rules(**seen.parameters)
    may_hurt = bool(seen.hazards) or "royale" in (rules.mode, rules.map)
    # A player of other rules would have to be made.
    return rules if may_hurt else replace(rules, hazard_damage=USUAL_DAMAGE)


def game_of(rules: Rules) -> Battlesnake:
    return Battlesnake(**asdict(rules))


def state_of(game: Battlesnake, seen: Seen) -> State:
    """The position of a request with `you` as player 0 and the nearest other snake.

    Raises ValueError without one.
    """
    rival = seen.nearest()
    if rival is None:
        raise ValueError("there is no other snake")
    state = position(
        game, seen, [snake_of(game, one) for one in (seen.you, rival)], _round(seen.turn, game.shrink_every)
    )
    return with_walls(game, state, _walls(seen, rival) | _deadly(game, seen))


def with_walls(game: Battlesnake, state: State, cells: Iterable[Cell]) -> State:
    """The same position with cells, as far as they are on the board, in which every head dies.

    They become cells of player 1's body that no tail ever leaves: they are not on the way from its tail to its head.
    """
    bits = sum(1 << game.cell(*cell) for cell in set(cells) if game.is_inside(*cell)) | int_of(state.body1)
    words: Any = words_of(bits & ~int_of(state.body0), game.grid.words)
    return state._replace(body1=words)


def _walls(seen: Seen, rival: SeenSnake) -> set[Cell]:
    """The cells of third snakes, and those that we should leave to another head, unless we could then go nowhere."""
    thirds = [one for one in seen.others if one is not rival]
    bodies = {cell for one in thirds for cell in (one.cells if seen.constrictor else one.staying)}
    taken = bodies | {cell for one in (seen.you, rival) for cell in one.cells}
    # In constrictor all are equally long: who meets the rival's head dies with it, and a third wins.
    heads = seen.others if seen.constrictor and thirds else thirds
    feared = {
        there for one in heads if len(one.cells) >= len(seen.you.cells) for _, there in seen.beside(one.head)
    } - taken
    ways = {there for _, there in seen.beside(seen.you.head)} - taken
    return bodies | feared if ways - feared else bodies


def _deadly(game: Battlesnake, seen: Seen) -> set[Cell]:
    """The cells whose hazards are more than the game's positions can have, and kill `you`."""
    return {
        cell
        for cell, times in seen.hazards.items()
        if times > game.hazard_stack
        and times * game.hazard_damage >= seen.you.health
        and cell not in seen.food
    }


def _round(turn: int, shrink_every: int) -> int:
    """The round, less as many of royale's periods as keep it away from the end of a game here."""
    if turn <= _USUAL_ROUNDS:
        return turn
    if shrink_every > _USUAL_ROUNDS:
        return _USUAL_ROUNDS
    return turn - -(-(turn - _USUAL_ROUNDS) // shrink_every) * shrink_every


# How players are compiled and made, and what they are asked.

_NICE = 10
"""Games go before all that is compiled but the first: until then none can be played."""
_AT_ONCE = 2
"""The usual boards are compiled one after the other, and one that a game waits for beside them."""


class EndedError(Exception):
    """The server ends."""


class Compilation:
    """Compiles what is not on disk already, two boards at a time. `compile` may be called from any thread."""

    def __init__(self, load: LoadMaker, is_apart: bool = False) -> None:
        """Unless it `is_apart` all is compiled by the thread that needs it."""
        self._preparation = Preparation(load, _AT_ONCE)
        self._is_apart, self._is_first = is_apart, True

    @property
    def is_under_way(self) -> bool:
        return self._preparation.is_under_way

    def compile(self, rules: Rules, player: str, is_awaited: bool = False) -> None:
        """Compile that player, if need be; where that fails, making the player shows why. Raises EndedError when it was closed.

        With `is_awaited` a game waits for it.
        """
        need = Need(game_of(rules.compiled), player)
        if self._is_apart and need.is_missing:
            niceness, self._is_first = 0 if self._is_first or is_awaited else _NICE, False
            with suppress(Exception):
                self._preparation.begin(need, niceness).future.result()
        if self._preparation.closed:
            raise EndedError("the server ends")

    def close(self) -> None:
        """End what is under way, without waiting for that: answers are due."""
        self._preparation.closed = True
        threading.Thread(target=self._preparation.close, name="compilation ends", daemon=True).start()


_BEGINNING = 60.0  # seconds
NOT_READY, NO_POSITION, LATE = "not ready yet", "no position by the rules", "no answer in time"


@lru_cache(64)
def _quiet(rules: Rules) -> Battlesnake:
    return game_of(rules).quiet()


def safe_move(seen: Seen, rules: Rules) -> str:
    """A direction that does not lose at once where another does not; one onto a free cell where the rules do not have the position."""
    try:
        return DIRECTIONS[safe_action(_quiet(rules), state_of(_quiet(rules), with_rival(seen)), 0)]
    except ValueError:
        taken = {cell for snake in (seen.you, *seen.others) for cell in snake.staying}
        return next((name for name, there in seen.beside(seen.you.head) if there not in taken), "up")


def with_rival(seen: Seen) -> Seen:
    """The same position; where we are alone, with another snake on the free cell that is farthest away: the rules are for two."""
    if seen.others:
        return seen
    x, y = seen.you.head
    cells = {(column, row) for column in range(seen.width) for row in range(seen.height)} - set(
        seen.you.cells
    )
    far = max(cells, key=lambda cell: (abs(cell[0] - x) + abs(cell[1] - y), cell), default=seen.you.head)
    return replace(seen, others=(SeenSnake("", "", (far,) * 3, 100, 0.0),))


class FoundMove(NamedTuple):
    """A move, and why it is not the player's; empty if it is."""

    move: str
    why: str = ""
    seconds: float = 0.0
    """What the player had to think, where its time ended that; else 0."""


class MoveQuestion(Question):
    """A wanted move; `future` gets the answer, in the event loop."""

    def __init__(
        self, game: SnakeGame, seen: Seen, asked: float, deadline: Deadline, machine: Machine
    ) -> None:
        super().__init__(deadline, asked)
        self.why = LATE
        self.game, self.seen, self.machine = game, seen, machine
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[FoundMove] = self._loop.create_future()
        self.safe = safe_move(seen, game.rules)
        self.is_searched = False
        """Whether a player was asked."""

    def deliver(self, answer: FoundMove | None) -> None:
        """Send the move that was found; for None the one that is safe for now."""
        found = answer or FoundMove(self.safe, self.why)
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._arrived, found, time.monotonic())

    def _arrived(self, found: FoundMove, sent: float) -> None:
        self.machine.note_loop(time.monotonic() - sent)
        if not self.future.done():
            self.future.set_result(found)


class Beginning(Question):
    """A game begins: what its player has to do before the first move, it does now."""

    def __init__(self, game: SnakeGame) -> None:
        super().__init__(Deadline(_BEGINNING))
        self.game = game


_NOBODY_YET = object()
"""The match of a player that has begun, and has not moved: it is ready for any."""


class GamePlayer(PooledPlayer[Setting]):
    """The player of a setting, in one game at a time.

    It is made anew where the rules of a game are others than those before; that compiles nothing on a board of the same size.
    """

    loading = threading.Lock()
    """One gets ready at a time: the other core is for games."""

    def __init__(self, compilation: Compilation, setting: Setting, pool: PlayerPool[Setting]) -> None:
        self._compilation = compilation
        self._match: object = None
        self._refused: set[Rules] = set()
        super().__init__(setting, pool)

    @property
    def is_wanted(self) -> bool:
        with self.pool.lock:  # the game that has it made gets it before that is released
            return self.match is not None or self.waiting > 0

    def failed_to(self, prepare: bool, error: Exception) -> None:
        if isinstance(error, EndedError):
            return
        # A solution of another board, say, is a player all the same, for its own.
        is_known = bool(self.pool.warmed) or isinstance(error.__cause__, GameError)
        if prepare and isinstance(error, SpecError) and not is_known:
            self.pool.refusal = str(error)
        elif prepare:
            self.pool.warn(
                f"{self.setting.player} cannot play {self.setting.rules}, safe moves instead: {error}"
            )
        else:
            self._match = None  # the next move begins anew
            self.pool.warn(f"{self.setting.player} failed, a safe move instead: {error}")

    def made(self) -> tuple[Callable[[MoveQuestion | Beginning], FoundMove | None], Callable[[], None]]:
        rules, spec = self.setting
        self._make_player = self.pool.load()
        began, known = time.monotonic(), rules.compiled in self.pool.warmed
        self._make(rules)
        if not known:
            self.pool.warn(f"preparing {spec} for {rules}; until then a safe move is the answer")
            self._compilation.compile(rules, spec, self.is_wanted)
        with self.loading:
            if not known:
                self._player.warm(self._game, self._game.initial_state(), (0,))
            self._begin()
        if not known:
            self.pool.warmed.add(rules.compiled)
            self.pool.warn(f"{spec} is ready for {rules} ({time.monotonic() - began:.1f} s)")
        return self._think, self._end

    def _end(self) -> None:
        self._player.close()

    def _make(self, rules: Rules) -> None:
        game = game_of(rules)
        self._player: Player = self._make_player(self.setting.player, game)
        self._game, self._rules = game, rules

    def _begin(self) -> None:
        self._player.begin(self._game, 0)
        self._match = _NOBODY_YET

    def _turn_to(self, match: object, rules: Rules) -> bool:
        """Be ready for the next move of that game; False where the player cannot play by its rules."""
        if rules in self._refused:
            return False
        if rules != self._rules:
            try:
                self._make(rules)
            except ValueError:
                self._refused.add(rules)
                return False
            self._begin()
        elif self._match not in (match, _NOBODY_YET):
            self._begin()
        self._match = match
        return True

    def _think(self, question: MoveQuestion | Beginning) -> FoundMove | None:
        rules = question.game.rules
        is_able = self._turn_to(question.game, rules)
        if isinstance(question, Beginning):
            return None
        if not is_able:
            return FoundMove(question.safe, f"it cannot play {rules}")
        try:
            state = state_of(self._game, with_rival(question.seen))
        except ValueError:
            return FoundMove(question.safe, NO_POSITION)
        began = time.monotonic()
        seconds = max(0.0, question.search_until - began)
        answer = question.answer_of(self._player, state, Clock(seconds, seconds, seconds, is_net=True))
        ended = time.monotonic()
        question.machine.overrun.note(ended - question.search_until)
        is_whole = getattr(answer.findings, "complete", True)
        return FoundMove(DIRECTIONS[answer.action], seconds=0.0 if is_whole else ended - began)
