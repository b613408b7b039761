"""Tron-41 as the course plays it: its runner's rules about time and faults, and our players as bots for its own runner."""

import math
import random
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..game import CHANCE, TERMINAL, GameError
from ..games.tron41 import ACTIONS, State, Tron41
from ..players.asp_bot import MAX_WAIT, AspPlayer
from ..players.base import Player
from ..players.clock import Clock
from ..players.make import make_player
from ..players.seeds import SEED_BITS, derived_seed, player_seed

_UP = ACTIONS.index("U")
_SHARE = 0.75
"""Of a move's time that our players plan with: the rest is for Python, and for a busy machine."""


@dataclass(frozen=True)
class CourseRules:
    """What the runner does about time: `max_wait` seconds a move; `tolerance` is forgiven on a busy machine."""

    max_wait: float = MAX_WAIT
    tolerance: float = 0.05

    def __post_init__(self) -> None:
        if not (0 < self.max_wait < math.inf and self.tolerance >= 0):
            raise ValueError(f"max_wait takes seconds above 0, not {self.max_wait}")


def play(
    game: Tron41,
    players: Sequence[Player],
    start: State,
    rules: CourseRules | None = None,
    seed: int | None = None,
    on_step: Callable[[State, str], None] | None = None,
) -> int:
    """Play one game by the runner's rules and give the winner, 0 or 1.

    Too late or an exception is the move U, an answer that is no action an arbitrary one; neither ends the game.
    `on_step` gets each position and a warning, or an empty string.
    """
    rules = rules or CourseRules()
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    draw = random.Random(derived_seed(seed, "chance"))
    for number, player in enumerate(players):
        player.begin(game, number, player_seed(seed, number))
    clock = Clock(rules.max_wait, rules.max_wait)
    state = start
    while (node := game.current_player(state)) != TERMINAL:
        action, warning = _decision(players[node], state, clock, rules, draw)
        state = game.next_state(state, action)
        if game.current_player(state) == CHANCE:
            state = game.next_state(state, draw.randrange(int(game.trap_choices(state))))
        if on_step is not None:
            on_step(state, f"player {node + 1}: {warning}" if warning else "")
    return 0 if game.returns(state) > 0 else 1


def _decision(player: Player, state: State, clock: Clock, rules: CourseRules, draw: random.Random) -> tuple[int, str]:
    """The action that counts, and what was wrong with the player's own."""
    known = len(_faults(player))
    started = time.perf_counter()
    try:
        action = int(player.choose(state, clock))
    except Exception as error:
        return _UP, f"moves U after an exception: {type(error).__name__}: {error}".splitlines()[0]
    faults = _faults(player)
    if len(faults) > known:  # a bot file's fault, dealt with already
        return action, f"moves {ACTIONS[action]}: {faults[-1]}"
    used = time.perf_counter() - started
    if used > rules.max_wait + rules.tolerance:
        return _UP, f"moves U, too late: {used:.3f} s"
    if action not in range(len(ACTIONS)):
        return draw.randrange(len(ACTIONS)), "moves somewhere: its answer was no action"
    return action, ""


def _faults(player: Player) -> list[str]:
    """What went wrong with a bot file in this game."""
    return player.faults if isinstance(player, AspPlayer) else []


# -- our players in the course's own runner ---------------------------------------------------------------------------


def bot_file(player: str = "best", max_wait: float = MAX_WAIT, bot_class: str = "StudentBot") -> str:
    """The text of a bot file for the course's runner; it needs the package saddlepoint installed."""
    if not bot_class.isidentifier():
        raise ValueError(f"{bot_class!r} is no name of a class")
    CourseRules(max_wait)
    return f'''"""A bot for Tron-41: the player {player} of the package saddlepoint."""

from saddlepoint.protocols.asp import CourseBot


class {bot_class}(CourseBot):
    player = {player!r}
    max_wait = {max_wait!r}
'''


class CourseBot:
    """A player of ours with the course's methods, `decide(asp)` and `cleanup()`.

    Rules are compiled, or loaded, beside the game; until that is done, a move comes from a plain rule: towards the
    most room.
    """

    player: ClassVar[str] = "best"
    max_wait: ClassVar[float] = MAX_WAIT
    sizes: ClassVar[tuple[str, ...]] = ("joust", "empty_room_13")
    """Maps whose sizes are made ready when the bot is made."""

    def __init__(self) -> None:
        self._games: dict[tuple[str, ...], Tron41] = {}
        self._players: dict[tuple[int, int], Player] = {}
        self._at_work: dict[tuple[int, int], threading.Thread] = {}
        self._clock = Clock(_SHARE * self.max_wait, _SHARE * self.max_wait)
        self._playing: Tron41 | None = None
        for name in self.sizes:
            self._get_ready(Tron41(name))

    def decide(self, asp: Any) -> str:
        """The direction for the position that `asp` holds."""
        told = asp.get_start_state()
        rows = ["".join(row) for row in told.board]
        armor = [int(told.player_has_armor(player)) for player in (0, 1)]
        speed = [int(told.get_remaining_turns_speed(player)) for player in (0, 1)]
        started = time.perf_counter()
        game = self._game(rows)
        ready = self._player(game)
        if ready is None:
            return roomiest(rows, told.player_locs[told.ptm], armor[told.ptm] > 0)
        state = game.from_field(rows, told.ptm, armor, speed)
        if self._playing is not game:
            ready.begin(game, told.ptm)
            self._playing = game
        left = max(0.01, self._clock.bank - (time.perf_counter() - started))
        return ACTIONS[ready.choose(state, Clock(left, left))]

    def cleanup(self) -> None:
        """The game is over."""
        self._playing = None

    def _game(self, rows: list[str]) -> Tron41:
        """The game on a map with these walls; what else is on the board changes from game to game."""
        walls = tuple("".join("#" if mark == "#" else "?" for mark in row) for row in rows)
        if walls not in self._games:
            marks = [list(row) for row in walls]
            open_cells = [(r, c) for r, row in enumerate(walls) for c, mark in enumerate(row) if mark == "?"]
            if len(open_cells) < 2:
                raise GameError("the board has no room for two players")
            for player, (r, c) in zip("12", open_cells, strict=False):
                marks[r][c] = player
            self._games[walls] = Tron41("\n".join("".join(row) for row in marks))
        return self._games[walls]

    def _player(self, game: Tron41) -> Player | None:
        """The player for games of this size, None as long as it is not ready."""
        size = game.grid.width, game.grid.height
        if size not in self._players:
            self._get_ready(game)
            self._at_work[size].join(0.5 * self._clock.bank)
        return self._players.get(size)

    def _get_ready(self, game: Tron41) -> None:
        size = game.grid.width, game.grid.height

        def work() -> None:
            player = make_player(self.player, game)
            player.warm(game, game.initial_state(), (0, 1))
            self._players[size] = player

        if size not in self._at_work:
            self._at_work[size] = threading.Thread(target=work, daemon=True)
            self._at_work[size].start()


def roomiest(rows: Sequence[str], place: tuple[int, int], armored: bool) -> str:
    """The direction from which the most cells can be reached; U where every direction crashes."""
    best, most = "U", -1
    for letter, (dr, dc) in zip("UDLR", ((-1, 0), (1, 0), (0, -1), (0, 1)), strict=True):
        there = place[0] + dr, place[1] + dc
        mark = rows[there[0]][there[1]]
        if mark not in " *^!@" and not (armored and mark == "x"):
            continue
        seen, waiting = {there}, [there]
        while waiting:
            r, c = waiting.pop()
            for cell in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if cell not in seen and rows[cell[0]][cell[1]] in " *^!@":
                    seen.add(cell)
                    waiting.append(cell)
        if len(seen) > most:
            best, most = letter, len(seen)
    return best
