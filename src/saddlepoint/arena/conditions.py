"""The conditions that all games of a match share: made from options by the command line, entered in the ledger, read back."""

import functools
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..algorithms.limits import Limits
from ..game import Game
from ..own_games import described
from ..players.clock import ENDLESS, Clock
from ..programs.hidden import Hidden
from ..programs.isolation import Isolation


@dataclass(frozen=True)
class MatchConditions:
    """Everything but players, openings and seeds that a game depends on."""

    game: Game
    clock: Clock = ENDLESS
    limits: Limits | None = None
    """What bounds a searching player's move besides the clock."""
    tolerance: float = 0.0
    """Seconds a move may be late; see play_game."""
    isolation: Isolation = Isolation(programs_only=True)
    """How players are isolated; programs and bot files have processes of their own anyway."""
    logs: str | None = None
    """A folder for what is said to programs, one file a game and player. It decides nothing, and is not in the plain data."""
    clocks: tuple[tuple[str, Clock], ...] = ()
    """Players, by their specs, whose clock is another one."""
    sequential: bool = False
    """Whether players that could be asked at once are asked one after the other."""

    def clock_of(self, spec: str) -> Clock:
        """The clock of a player."""
        return dict(self.clocks).get(spec, self.clock)

    def hiding(self, players: Iterable[str], ledger: str | Path | None = None) -> "MatchConditions":
        """The same for a run that begins now: programs see nothing that it writes, and of the files that specs name only their own.

        Conditions of a run that has begun are left as they are.
        """
        if self.isolation.hidden.since:
            return self
        return replace(self, isolation=replace(self.isolation, hidden=Hidden.of([self.logs], players, ledger)))

    @functools.cached_property
    def timed(self) -> bool:
        """Whether a clock may decide what a player does."""
        return is_timed(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The conditions as plain data; equal conditions give equal data."""
        data: dict[str, Any] = {
            "game": described(self.game), "clock": _clock_json(self.clock),
            "limits": None if self.limits is None else asdict(self.limits),
            "tolerance": self.tolerance, "isolate": not self.isolation.programs_only, "memory": self.isolation.memory,
        }  # fmt: skip
        if self.clocks:
            data["clocks"] = {spec: _clock_json(clock) for spec, clock in self.clocks}
        if self.sequential:
            data["sequential"] = True
        if self.isolation.mode != "auto" or self.isolation.sandbox:
            data["isolation"] = {"mode": self.isolation.mode, "sandbox": self.isolation.sandbox}
        if self.isolation.shown:
            data["shown"] = list(self.isolation.shown)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any], game: Game) -> "MatchConditions":
        """The inverse of `to_json`; the game is made by whoever may run its file."""
        return cls(
            game, _clock(data["clock"]), None if data["limits"] is None else Limits(**data["limits"]), data["tolerance"],
            Isolation(data["memory"], programs_only=not data["isolate"], shown=tuple(data.get("shown", ())), **data.get("isolation", {})),
            clocks=tuple((spec, _clock(clock)) for spec, clock in data.get("clocks", {}).items()),
            sequential=data.get("sequential", False),
        )  # fmt: skip


def is_timed(data: dict[str, Any]) -> bool:
    """Whether a clock may decide a game under these conditions, given as plain data; what cannot be read may be a clock."""
    others, limits = data.get("clocks"), data.get("limits")
    clocks = [data.get("clock"), *(others.values() if isinstance(others, dict) else ())]
    limited = isinstance(limits, dict) and limits.get("seconds") is not None
    return limited or any(not isinstance(clock, dict) or clock.get("bank") is not None for clock in clocks)


def in_words(data: dict[str, Any]) -> str:
    """Clocks and limits of conditions that are given as plain data, for people."""
    clock, limits = (found if isinstance(found, dict) else {} for found in (data.get("clock"), data.get("limits")))
    said: list[str] = []
    if clock.get("bank") is not None:
        same = clock["bank"] == clock.get("increment")
        said.append(f"{clock['bank']} s a move" if same else f"{clock['bank']} s and {clock.get('increment')} s a move")
    said += [f"{value} {name} a move" for name, value in limits.items() if value is not None]
    if data.get("clocks"):
        said.append("some players with clocks of their own")
    return ", ".join(said) or "no limit"


def _clock_json(clock: Clock) -> dict[str, float | None]:
    told = {"bank": clock.bank, "increment": clock.increment, "cap": clock.cap}
    return {key: value if value is None or math.isfinite(value) else None for key, value in told.items()}


def _clock(data: dict[str, Any]) -> Clock:
    bank = math.inf if data["bank"] is None else data["bank"]
    return Clock(bank, data["increment"], math.inf if data["bank"] is None and data["cap"] is None else data["cap"])
