"""A move for every question, in time: the event loop keeps the clock."""

import asyncio
import functools
import threading
import time
import traceback
from collections.abc import Mapping
from typing import Any

from ..interface import (
    LoadMaker,
    PlayerPool,
)
from .requests import Seen, object_in, read_request, text_in, timeout_of
from .running import CORES, Key, Log, Machine, RunningGames, SnakeGame
from .thinking import (
    NOT_READY,
    Beginning,
    Compilation,
    GamePlayer,
    MoveQuestion,
    Rules,
    Setting,
    rules_of,
    safe_move,
)

WARMED = Rules(11, 11), Rules(7, 7), Rules(19, 19), Rules(11, 11, hazard_stack=4)
"""What is compiled, or loaded, before it is asked for: the official boards, and what maps that pile up hazards need."""
_LOOK = 0.1  # seconds
_MOST_BOARDS = 24
"""Sizes of boards for which rules are compiled: what is compiled stays in memory."""
_LARGEST = 25
_OFTEN, _SELDOM = 0.01, 0.1  # seconds
_READY = 4
"""Players for the usual board that are made before the first game, as many as the arena's games have snakes: making one takes time
from the others."""
_KEPT = 5.0
"""Seconds for which a game keeps its player though nothing is heard of it."""
BUSY, CANNOT, AGAIN = "too many games at once", "it cannot play this", "asked again"
DEFECT = "a defect"


class Answers:
    """The games of a server and the players that think in them. All methods are called in the event loop."""

    def __init__(self, player: str, load: LoadMaker, log: Log, compiles_apart: bool = False) -> None:
        self.player, self.log = player, log
        self.machine = Machine()
        self._compilation = Compilation(load, compiles_apart)
        self._closing = threading.Event()
        self.pool: PlayerPool[Setting] = PlayerPool(
            functools.partial(GamePlayer, self._compilation), load, log.write, kept=_KEPT, made_at_once=1
        )
        self.games = RunningGames(self.pool, self.machine, log.write)
        self._open: set[MoveQuestion] = set()
        self._boards: set[Rules] = {rules.compiled for rules in WARMED}
        self.pool.prepare(Setting(WARMED[0], player))
        threading.Thread(target=self._warm, name="warming", daemon=True).start()

    def _warm(self) -> None:
        for least, rules in ((1, WARMED[0]), (_READY, WARMED[0]), *((1, rules) for rules in WARMED[1:])):
            player = self.pool.prepare(Setting(rules, self.player), least)
            while player is not None and not player.prepared.wait(_LOOK):
                if self._closing.is_set():
                    return
            if self.pool.refusal or self._closing.is_set():
                return

    def start(self, data: Mapping[str, Any]) -> None:
        """A game begins: have its player made. Raises ValueError where there is no position."""
        game, _ = self._game(data)
        game.is_known = True
        if not self._is_played(game.rules):
            return
        player = self.pool.for_match(
            game, game.setting, may_make=not self._searches, may_take=False
        )  # making one takes time from those that think
        if player is not None:
            player.ask(Beginning(game))
            player.used = 0.0  # a game that asks for a move may have it

    def is_under_way(self, data: Mapping[str, Any]) -> bool:
        """Whether this is asked in a game that has gone on for a while."""
        game = self.games.known(_key(data))
        return game is not None and game.answers > 0

    async def move(self, data: Mapping[str, Any], asked: float) -> str:
        """The move in a position that was asked for at that moment (time.monotonic()); raises ValueError where there is none."""
        game, seen = self._game(data)
        try:
            return await self._found(game, seen, data, asked)
        except Exception as error:  # a status in the place of a move would let the snake go straight on
            if DEFECT not in game.fallbacks:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{frame.name}, line {frame.lineno}"
                self.log.write(
                    f"{game.name}, turn {game.turns}: a safe move, not {self.player}: {error!r} in {where}"
                )
            game.fallbacks[DEFECT] += 1
            return safe_move(seen, game.rules)

    async def _found(self, game: SnakeGame, seen: Seen, data: Mapping[str, Any], asked: float) -> str:
        timeout = game.timeout
        game.way.note_latency(seen.turn, seen.you.latency / 1000, timeout)
        self._look_at_making()
        question = MoveQuestion(
            game, seen, asked, self.machine.deadline(timeout, game.way, self._searches + 1), self.machine
        )
        self._open.add(question)
        loop = asyncio.get_running_loop()
        timers = (
            loop.call_at(question.search_until, question.cancel),
            loop.call_at(question.answer_until, question.fall_back),
        )
        is_first, game.is_asked = not game.is_asked, True
        try:
            why = self._hand_over(question) if is_first else AGAIN
            if why:
                question.fall_back(why)  # the safe move: the player cannot find one in time
            found = await question.future
        finally:
            for timer in timers:
                timer.cancel()
            self._open.discard(question)
            game.is_known = True
            if is_first:
                game.is_asked = False
        if found.seconds:
            game.thought.append(found.seconds)
        if found.why:
            if found.why not in game.fallbacks:
                self.log.write(f"{game.name}, turn {game.turns}: a safe move, not {self.player}: {found.why}")
            game.fallbacks[found.why] += 1
        return found.move

    def sent(self, data: Mapping[str, Any], asked: float) -> None:
        """The answer to a question is on its way."""
        game = self.games.known(_key(data))
        if game is not None:
            seconds = time.monotonic() - asked
            game.answers += 1
            game.slowest = max(game.slowest, seconds)
            game.way.answered(game.turns, seconds)

    def end(self, data: Mapping[str, Any]) -> None:
        """A game is over; its line goes into the log."""
        game = self.games.end(_key(data))
        if game is None:
            return
        try:
            seen = read_request(data)
        except ValueError:
            self.log.write(game.summary("over"))
            return
        game.turns = max(game.turns, seen.turn)
        self.log.write(game.summary(_result(game, seen)))

    def close(self) -> None:
        """Answer what is asked at once, and let all threads end."""
        self._closing.set()
        self._compilation.close()
        for question in list(self._open):
            question.fall_back("the server ends")

    def ended(self, until: float) -> bool:
        return self.pool.close(until)

    def _game(self, data: Mapping[str, Any]) -> tuple[SnakeGame, Seen]:
        seen = read_request(data)
        game = self.games.under(_key(data), Setting(rules_of(seen), self.player))
        game.see(seen, timeout_of(data))
        return game, seen

    async def watch(self) -> None:
        """Measure the delays of the event loop, often while there is something to do.

        Ends where the player does not exist and no game is under way.
        """
        while not self.pool.refusal or self.games.are_under_way:
            is_busy = bool(self._open) or self.pool.compiling
            wait = _OFTEN if is_busy else _SELDOM
            due = time.monotonic() + wait
            await asyncio.sleep(wait)
            self._look_at_making()
            if is_busy:
                self.machine.note_loop(time.monotonic() - due)

    def _look_at_making(self) -> None:
        """Note whether a player is being made in this process.

        Compiling in another process does not delay this one.
        """
        self.machine.is_making = self.pool.compiling and not self._compilation.is_under_way

    def _hand_over(self, question: MoveQuestion) -> str:
        """The reason why the player is not asked; empty if it is."""
        game = question.game
        if self.pool.refusal:
            return self.pool.refusal
        if not self._is_played(game.rules):
            return CANNOT
        searches = self._searches
        if searches >= self.pool.at_once or (searches >= max(1, CORES - 1) and not game.is_known):
            return BUSY
        player, is_warm = self.pool.for_match(game, game.setting), game.rules.compiled in self.pool.warmed
        if player is None:
            return BUSY if is_warm else NOT_READY
        if player.failed:
            return CANNOT
        if not player.ready and not is_warm:
            return NOT_READY
        question.is_searched = True
        player.ask(question)
        if not game.is_known:  # that may have been all of it
            player.used = 0.0
        return ""

    @property
    def _searches(self) -> int:
        return sum(question.is_searched for question in self._open)

    def _is_played(self, rules: Rules) -> bool:
        if rules.compiled not in self._boards:
            if (
                len(self._boards) >= _MOST_BOARDS
                or max(rules.width, rules.height) > _LARGEST
                or min(rules.width, rules.height) < 3
            ):
                return False
            self._boards.add(rules.compiled)
        return True


def _result(game: SnakeGame, seen: Seen) -> str:
    if not game.against or (seen.is_there and seen.others):
        return "over"
    return "won" if seen.is_there else "lost" if seen.others else "drawn"


def _key(data: Mapping[str, Any]) -> Key:
    return text_in(object_in(data, "game"), "id"), text_in(object_in(data, "you"), "id")
