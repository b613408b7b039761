"""A ledger's rows as values, and back."""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ...players.base import Fault, FaultKind, MoveStatistics
from ..conditions import Job, Load, PlayedGame, VoidGame
from .file import LedgerError

GAME_COLUMNS = (
    "g.id, g.tournament, g.number, g.pair, a.spec, b.spec, g.opening, g.seed, g.result, g.points, g.reason, g.kind0, g.step0, "
    "g.fault0, g.kind1, g.step1, g.fault1, g.late0, g.late1, g.actions, g.times, g.searches, g.started, g.seconds, g.chance, "
    "g.load, a.version, b.version"
)
GAMES = "FROM games g JOIN players a ON a.id = g.player0 JOIN players b ON b.id = g.player1"
VOID_COLUMNS = "id, tournament, number, player0, player1, opening, seed, reason, started, seconds, load"


@dataclass(frozen=True)
class Tournament:
    """A tournament as the ledger knows it."""

    id: int
    kind: str
    players: tuple[str, ...]
    settings: dict[str, Any]
    """What its games follow from; `conditions` and `plan` are parts of it. Raises LedgerError where these are not there."""
    planned: int | None
    created: str
    finished: str | None
    games: int
    """Finished games."""

    @property
    def conditions(self) -> dict[str, Any]:
        """The conditions of its games as plain data."""
        return self._setting("terms")

    @property
    def plan(self) -> dict[str, Any]:
        """The plan of its games as plain data."""
        return self._setting("plan")

    @property
    def paired(self) -> bool:
        """Whether its games come in pairs."""
        swap = self.plan.get("swap")
        if not isinstance(swap, bool):
            raise LedgerError(
                f"tournament {self.id} of the ledger cannot be read: its plan does not say whether games are paired"
            )
        return swap

    @property
    def described_game(self) -> tuple[str, dict[str, Any]]:
        """The game's name and parameters."""
        game = self.conditions.get("game")
        if not (
            isinstance(game, dict)
            and isinstance(game.get("name"), str)
            and isinstance(game.get("parameters"), dict)
        ):
            raise LedgerError(f"tournament {self.id} of the ledger cannot be read: its settings name no game")
        return game["name"], game["parameters"]

    def _setting(self, name: str) -> dict[str, Any]:
        settings: Any = self.settings
        found = settings.get(name) if isinstance(settings, dict) else None  # pyright: ignore[reportUnknownMemberType]
        if not isinstance(found, dict):
            raise LedgerError(
                f"tournament {self.id} of the ledger cannot be read: its settings have no {name}"
            )
        return found  # pyright: ignore[reportUnknownVariableType]


@dataclass(frozen=True)
class Entry:
    """One game of the ledger."""

    id: int
    tournament: int
    played: PlayedGame
    versions: tuple[str, str]


@dataclass(frozen=True)
class VoidEntry:
    """One game of the ledger that a failure of the machine ended."""

    id: int
    tournament: int
    void: VoidGame


def tournament_of(row: Any) -> Tournament:
    """From the columns in the order of the fields; raises LedgerError."""
    try:
        players, settings = json.loads(row[2]), json.loads(row[3])
        _expect((row[1], row[5], *players), str, "texts")
        _expect((settings,), dict, "settings")
        _expect([number for number in (row[4], row[7]) if number is not None], int, "whole numbers")
        _expect([row[6]] if row[6] is not None else [], str, "a date")
        return Tournament(row[0], row[1], tuple(players), settings, *row[4:])
    except (ValueError, TypeError, RecursionError) as error:
        raise LedgerError(f"tournament {row[0]} of the ledger cannot be read: {error}") from error


def game_row(played: PlayedGame) -> dict[str, Any]:
    """The columns of a game but those that name its tournament and players."""
    job = played.job
    row: dict[str, Any] = {
        "number": job.number,
        "pair": job.pair,
        "opening": job.opening,
        "seed": str(job.seed),
        "result": played.result,
        "points": played.points,
        "steps": played.steps,
        "cause": played.cause,
        "reason": played.reason,
        "late0": played.late[0],
        "late1": played.late[1],
        "actions": json_text(played.actions),
        "times": json_text([[round(t, 6) for t in side] for side in played.times]),
        "searches": json_text([[_search_json(s) for s in side] for side in played.searches]),
        "started": iso_date(played.started),
        "seconds": round(played.seconds, 6),
        "chance": played.chance,
        "load": load_text(played.load),
    }
    for side, fault in enumerate(played.faults):
        row[f"kind{side}"] = None if fault is None else fault.kind.value
        row[f"step{side}"] = None if fault is None else fault.step
        row[f"fault{side}"] = "" if fault is None else fault.text
    return row


def entry_of(row: Any) -> Entry:
    """From the columns of `GAME_COLUMNS`; raises LedgerError."""
    try:
        searches = tuple(
            tuple(None if s is None else MoveStatistics(*s) for s in side) for side in json.loads(row[21])
        )
        actions = tuple((int(a), int(b)) for a, b in json.loads(row[19]))
        times = tuple(tuple(float(t) for t in side) for side in json.loads(row[20]))
        job = Job(row[2], row[3], (row[4], row[5]), row[6], int(row[7]))
        faults = (_fault(0, *row[11:14]), _fault(1, *row[14:17]))
        played = PlayedGame(
            job,
            row[8],
            row[9],
            row[10],
            faults,
            (int(row[17]), int(row[18])),
            actions,
            times,  # type: ignore[arg-type]
            searches,  # type: ignore[arg-type]
            _seconds(row[22]),
            row[23],
            bool(row[24]),
            _load(row[25]),
        )
        _check(played, (row[26], row[27]))
        _expect((row[1], row[24]), int, "whole numbers")
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise LedgerError(f"game {row[0]} of the ledger cannot be read: {error}") from error
    return Entry(row[0], row[1], played, (row[26], row[27]))


def _check(played: PlayedGame, versions: tuple[Any, Any]) -> None:
    """A file that somebody else wrote may hold anything; what is counted and shown later has to be of its kind."""
    job = played.job
    if played.points not in (0, 0.5, 1):
        raise ValueError(f"a game gives 0, 0.5 or 1 points, not {played.points!r}")
    faults = [fault for fault in played.faults if fault is not None]
    _expect(
        (*job.players, job.opening, played.reason, *versions, *(fault.text for fault in faults)), str, "texts"
    )
    _expect((job.number, job.pair), int, "whole numbers")
    if len(played.times) != 2 or len(played.searches) != 2:
        raise ValueError("expected the times and searches of two players")
    told = [said for side in played.searches for said in side if said is not None]
    numbers = [value for said in told for value in said if value is not None]
    _expect_finite((played.result, played.seconds, *played.times[0], *played.times[1], *numbers))


def _expect(values: Iterable[Any], kind: type, what: str) -> None:
    if any(type(value) is not kind for value in values):
        raise ValueError(f"expected {what}")


def _expect_finite(values: Iterable[Any]) -> None:
    if not all(isinstance(value, (int, float)) and math.isfinite(value) for value in values):
        raise ValueError("expected finite numbers")


def spec_of(row: Any) -> str:
    """A league's player, from a row's only column; raises LedgerError."""
    if not isinstance(row[0], str):
        raise LedgerError(f"a league of the ledger cannot be read: a player's spec is a text, not {row[0]!r}")
    return row[0]


def void_row(void: VoidGame) -> dict[str, Any]:
    """The columns of a void game but its tournament."""
    job = void.job
    return {
        "number": job.number,
        "player0": job.players[0],
        "player1": job.players[1],
        "opening": job.opening,
        "seed": str(job.seed),
        "reason": void.reason,
        "started": iso_date(void.started),
        "seconds": round(void.seconds, 6),
        "load": load_text(void.load),
    }


def void_of(row: Any) -> VoidEntry:
    """From the columns of `VOID_COLUMNS`; raises LedgerError."""
    try:
        job = Job(row[2], row[2], (row[3], row[4]), row[5], int(row[6]))
        _expect((*job.players, job.opening), str, "texts")
        _expect((row[1], job.number), int, "whole numbers")
        _expect_finite((row[9],))
        return VoidEntry(row[0], row[1], VoidGame(job, str(row[7]), _seconds(row[8]), row[9], _load(row[10])))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise LedgerError(f"void game {row[0]} of the ledger cannot be read: {error}") from error


def json_text(data: Any) -> str:
    """JSON, the same for equal data."""
    return json.dumps(data, separators=(",", ":"), sort_keys=True, allow_nan=False)


def iso_date(seconds: float) -> str:
    """Seconds since 1970 as a date, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def load_text(load: Load | None) -> str | None:
    """A load as it is kept."""
    return None if load is None else json_text(load.to_json())


def _seconds(date: str) -> float:
    return datetime.fromisoformat(date).timestamp()


def _load(text: str | None) -> Load | None:
    return None if text is None else Load.from_json(json.loads(text))


def _fault(player: int, kind: str | None, step: int | None, text: str) -> Fault | None:
    return None if kind is None else Fault(FaultKind(kind), player, None if step is None else int(step), text)


def _search_json(search: MoveStatistics | None) -> list[Any] | None:
    if search is None:
        return None
    seconds, *told = search
    return [round(seconds, 6), *(None if isinstance(v, float) and not math.isfinite(v) else v for v in told)]
