"""What a player did wrong, as a value that travels unchanged from where it happens to the report."""

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of faults. Whoever notices a fault says its kind; nobody reads it from the text."""

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
    """Why a player lost a game without playing on."""

    kind: FaultKind
    player: int
    """0 or 1."""
    step: int | None
    """The number of joint actions before it; None before the game's first question."""
    text: str
    """One line for people. It may hold what the player wrote."""

    def __str__(self) -> str:
        return self.text
