"""The base class of players, and the player that chooses at random."""

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ..compiled.errors import MachineFault
from ..game.base import Game
from .clock import Clock

if TYPE_CHECKING:
    from ..algorithms.result import SearchResult


class FaultKind(StrEnum):
    """The kinds of faults, set where a fault is noticed and never read from its text."""

    LATE = "late"
    """A time forfeit: no answer, or one over time."""
    ILLEGAL = "illegal move"
    """An answer that is not a legal action."""
    MEMORY = "memory"
    """More memory than the player may have."""
    FLOOD = "flood"
    """Too much output."""
    CRASH = "crash"
    """Its process ended, or closed its output."""
    ESCAPE = "escape"
    """It stopped or killed the process that supervises it, or otherwise left its bounds."""
    RESIGNED = "resigned"
    """A person gave the game up: its moves are judged as any others."""
    ERROR = "error"
    """It raised an exception, reported an error itself, broke the protocol, or could not be started."""


@dataclass(frozen=True)
class Fault:
    """A player's fault, by which it lost a game without playing on."""

    kind: FaultKind
    player: int
    """0 or 1."""
    step: int | None
    """The number of joint actions before it; None before the game's first question."""
    text: str
    """One line for people. It may hold what the player wrote."""

    def __str__(self) -> str:
        return self.text


# The interface every player has.

__all__ = ["Answer", "MachineFault", "MakePlayer", "MoveStatistics", "Player", "PlayerError", "TakeBack"]

_HASTY = Clock(0.02, 0.02)
_LONGEST_OPENING = 100
"""Moves, and outcomes of chance, before a player's first choice."""


class PlayerError(Exception):
    """A player that cannot go on: its program is gone, says nothing, or has no move to offer; the message says which.

    `kind` is the kind of fault that the game's record will carry.
    """

    def __init__(self, text: str, kind: FaultKind = FaultKind.ERROR) -> None:
        super().__init__(text)
        self.kind = kind


class TakeBack(Exception):
    """Raised by a player that wants its last move back; a game that does not allow it counts it as a fault."""


class MoveStatistics(NamedTuple):
    """The statistics of the search behind a move; None for what is not known."""

    seconds: float
    depth: int | None = None
    nodes: int | None = None
    value: float | None = None
    """The expected result for player 0, in the game's units."""


class Answer(NamedTuple):
    """A player's action, and what it found out on the way there."""

    action: int
    findings: "SearchResult | MoveStatistics | None" = None
    """The result of the search behind it; None without one, or where it is not reported."""
    said: str | None = None
    """A program's answer, word for word."""
    warning: str = ""
    """A problem that the player itself has made good."""

    @classmethod
    def of(cls, chosen: Any) -> "Answer":
        """The answer that `choose` gave: where it gave a bare action, one without findings. Raises TypeError or ValueError."""
        return chosen._replace(action=int(chosen.action)) if isinstance(chosen, cls) else cls(int(chosen))

    @property
    def statistics(self) -> MoveStatistics | None:
        """Seconds, depth, nodes and value of the search, as far as they are known."""
        found = self.findings
        return (
            found
            if found is None or isinstance(found, MoveStatistics)
            else MoveStatistics(found.seconds, found.depth, found.statistics.nodes, found.value)
        )


class Player(ABC):
    """Chooses actions in one game at a time; reused from game to game."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        """A new game begins, in which this is player 0 or 1; `seed` fixes every random choice."""
        self.game, self.player, self.seed = game, player, seed

    @abstractmethod
    def choose(self, state: Any, clock: Clock) -> Answer | int:
        """An action in this position, within the clock's bank: an Answer, or the bare action without
        statistics.
        """

    is_remote: ClassVar[bool] = False
    """Whether it thinks elsewhere, so that it can be asked while another player of this process thinks."""

    @property
    def waited(self) -> float | None:
        """Of its last `choose`, the seconds in which processes that it plays by waited for a core; None where it thinks in this one."""
        return None

    is_person: ClassVar[bool] = False
    """Whether a person plays, whose game no machine's lateness ends."""
    threads = 1
    """Cores that it searches on."""
    follows: ClassVar[bool] = False
    """Whether it wants every position, by `follow`."""

    def check(self) -> None:
        """Raise PlayerError, in one sentence, where it cannot play now: called before the first game, when no clock runs."""

    def try_start(self, game: Game) -> None:
        """Raise PlayerError where it cannot play this game: a program is started, asked whether it is ready,
        and ended.
        """
        self.check()

    def follow(self, state: Any, clock: Clock, seconds: tuple[float, float]) -> None:
        """This is the position now, its own clock, and the seconds that both players' last answers took; at first after `begin`."""

    def fault_policy(self, players: Sequence["Player"]) -> Any:
        """The FaultPolicy (play/game.py) of a game among these players, where its contest has one; None: the usual one."""
        return None

    def end(self, result: float) -> None:
        """The game is over; `result` is player 0's, in the game's units."""

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Compile, or load from disk, whatever `choose` will need in this game, before any clock runs.

        `seats`: which player it may be. By default a hasty move for each, in the first position after this one in which it chooses.
        Call `begin` again before the game.
        """
        for player in seats:
            asked = next_choice(game, state, player)
            if asked is not None:
                self.begin(game, player, 0)
                self.choose(asked, _HASTY)

    def strategy(self, game: Game) -> Any:
        """The player's Policy (policies/policy.py): its probabilities in any position.

        None where they are not known.
        """
        return None

    def isolate(self, isolation: Any) -> bool:
        """Keep the program that this player is within an Isolation (programs/isolation.py), from its next start; False where it is none."""
        return False

    def log_to(self, file: Path | None) -> None:
        """Write what is said to a program in the games from now on into this file (None: nowhere); others have nothing to say."""

    def close(self) -> None:
        """Give back processes and memory; called once, when no more games follow."""


def next_choice(game: Game, state: Any, player: int) -> Any:
    """The first position from this one on in which a player chooses, by first moves and outcomes; None where none is found soon."""
    for _ in range(_LONGEST_OPENING):
        to_act = game.players_to_act(state)
        if player in to_act:
            return state
        if to_act:
            state = game.next_state(state, *(game.legal_actions(state, one)[0] for one in to_act))
        elif outcomes := game.chance_outcomes(state):
            state = game.next_state(state, outcomes[0][0])
        else:
            break
    return None


Seen = tuple[Any, int, int]
"""A position, the player who chose there, and the action."""
MakePlayer = Callable[[str, Game], Player]
"""From a spec to a player of a game: what a bot is handed, which knows no catalogue."""


# The player that every other one must beat, and random choices from one seed, each independent of all others.

SEED_BITS = 128
PLAYER_SEED_BITS = 63
"""A player's seed fits a signed number of 64 bits: programs in any language can read it."""


def derived_seed(seed: int, *purpose: object, bits: int = SEED_BITS) -> int:
    """The seed for one purpose, a number below 2^bits (at most 512), by a hash whose key is `seed`.

    The seeds of other purposes, with their purposes, reveal nothing about this one, except to somebody who
    tries out all values that `seed` may have: a seed that is to be a secret has 128 bits
    (`secrets.randbits(SEED_BITS)`).
    """
    key = hashlib.blake2b(str(seed).encode(), digest_size=32).digest()
    words = "\0".join(str(word) for word in purpose).encode()
    found = hashlib.blake2b(words, digest_size=-(-bits // 8), key=key).digest()
    return int.from_bytes(found) & ((1 << bits) - 1)


def player_seed(game_seed: int, player: int) -> int:
    """The seed of a player of a game."""
    return derived_seed(game_seed, "player", player, bits=PLAYER_SEED_BITS)


# The player that every other one must beat.


class RandomPlayer(Player):
    """A player that chooses uniformly among the actions worth searching: those that do not lose at once, if
    known.
    """

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = random.Random(seed)

    def choose(self, state: Any, clock: Clock) -> int:
        actions = self.game.search_actions(state, self.player)
        if not actions:
            raise PlayerError(f"player {self.player} has no choice in this position")
        return self._random.choice(actions)

    def strategy(self, game: Game) -> Any:
        """Every action that is searched is as likely."""
        from ..policies import UniformPolicy

        return UniformPolicy(game, only_searched=True)
