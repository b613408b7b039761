"""Games to step through inside the page: with its script as pictures, without it as the last position and all moves in text."""

from dataclasses import dataclass
from typing import Any

from ...game.base import Game
from ...game.picture import Picture, continued
from ...game.spec import spec_of
from ...play.record import Turns
from ...play.viewer.data import packed, turns_data
from ...system.text import error_line
from ..conditions import renamed
from ..ledger import Entry
from ..replaying import narrated_steps
from .data import clean, clipped

_MOST_STEPS = 2000
UNFOLLOWABLE = (ValueError, LookupError, TypeError, OverflowError)
"""What a position or move that somebody else wrote may raise; GameError and LedgerError are ValueErrors."""


@dataclass(frozen=True)
class ReportedGame:
    """A game, as far as it can be followed."""

    entry: Entry
    data: dict[str, Any] | None
    """What the viewer shows (`play.viewer.data`); None where there is not one position."""
    last: str
    """The last position as text."""
    moves: tuple[str, ...]
    """What led to each position but the first."""
    counted: str = ""
    """How many turns these are."""
    problem: str = ""
    """Why it cannot be followed (to its end)."""


def follow(game: Game | None, entry: Entry) -> ReportedGame:
    """The positions of a game; a ledger whose moves do not fit the rules gives as many as there are, and says so."""
    if game is None:
        return ReportedGame(entry, None, "", (), problem="this game's rules are not at hand")
    shown: list[Picture] = []
    told: list[dict[str, Any]] = []
    moves: list[str] = []
    states: list[Any] = []
    last = problem = ""
    try:
        start = game.from_text(entry.played.job.opening)
        shown, last, states = [game.picture(start)], game.render(start), [start]
        for said, step in narrated_steps(game, entry.played):
            if len(moves) == _MOST_STEPS:
                problem = f"only the first {_MOST_STEPS} steps are kept here"
                break
            picture, last = continued(shown[-1], game.picture(step.after)), game.render(step.after)
            shown.append(picture)
            states.append(step.after)
            drawn = None if step.chance is None else game.outcome_to_string(step.before, step.chance)
            told.append({"names": list(step.names)} if drawn is None else {"chance": drawn})
            moves.append(clipped(said))
    except UNFOLLOWABLE as error:
        problem = error_line(error)
    if not shown:
        return ReportedGame(entry, None, clean(last), tuple(moves), problem=problem)
    data = _data(game, entry, shown, told, states[: len(shown)], not problem)
    return ReportedGame(entry, data, clean(last), tuple(moves), Turns(game, states).counted(), problem)


def _data(
    game: Game,
    entry: Entry,
    shown: list[Picture],
    told: list[dict[str, Any]],
    states: list[Any],
    to_the_end: bool,
) -> dict[str, Any]:
    played = entry.played
    positions = [
        {"picture": picture, **move} for picture, move in zip(packed(shown), [{}, *told], strict=True)
    ]
    data = {
        **turns_data(game, states),
        "game": str(spec_of(game)),
        "players": [clipped(spec, 120) for spec in played.job.players],
        "positions": positions,
        "result": played.result if to_the_end else None,
        "reason": clipped(played.reason),
        "range": [float(game.min_utility), float(game.max_utility)],
    }
    return renamed(data, clean)


def replay_id(number: int) -> str:
    """The anchor of a game's replay."""
    return f"game-{number}"
