"""The record of a game: what happened, choice by choice."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..players.base import Answer, MoveStatistics
from ..players.fault import Fault

Faults = tuple[Fault | None, Fault | None]


class Choice(NamedTuple):
    """What a player did when it was asked."""

    answer: Answer | None
    """The answer that counts; where none did, the player's own, None if it gave none."""
    seconds: float
    bank: float
    """Seconds left after it."""


@dataclass(frozen=True)
class GameRecord:
    """What happened. The same start and actions give the same game again."""

    start: Any
    actions: tuple[tuple[int, int], ...]
    """Joint actions, -1 for a player without a choice; a chance outcome in the first place."""
    result: float
    """Player 0's, in the game's units; a player who loses by a fault has the worst result there is."""
    reason: str
    faults: Faults
    """Why a player lost without playing on, or was shut down; None for who played on."""
    late: tuple[bool, bool]
    choices: tuple[tuple[Choice, ...], tuple[Choice, ...]]
    """Each player's, in their order."""
    chance: bool
    """Whether anything was left to chance by the rules."""
    late_answers: tuple[int, int] = (0, 0)
    """How many of each player were late; more than one where its contest forgives them."""

    @property
    def times(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Seconds of each choice of each player."""
        a, b = (tuple(choice.seconds for choice in side) for side in self.choices)
        return a, b

    @property
    def searches(self) -> tuple[tuple[MoveStatistics | None, ...], tuple[MoveStatistics | None, ...]]:
        """What each player told of the search behind each choice, as many as there are times; None where it told nothing."""
        a, b = (tuple(choice.answer.statistics if choice.answer else None for choice in side) for side in self.choices)
        return a, b
