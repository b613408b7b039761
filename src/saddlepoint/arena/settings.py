"""What a tournament's games follow from, besides its players: written into the ledger, and read back, here alone."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ..game import Game
from ..own_games import recorded_game
from ..roster.games import make_game
from .conditions import MatchConditions
from .ledger import Ledger, LedgerError, Tournament
from .schedule import Plan


def settings_of(conditions: MatchConditions, plan: Plan, **more: Any) -> dict[str, Any]:
    """The settings as plain data, as they come out of a ledger again."""
    return json.loads(json.dumps({"terms": conditions.to_json(), "plan": asdict(plan), **more}))


def game_of(tournament: Tournament) -> Game:
    """The game a tournament is about; raises LedgerError where it cannot be made.

    A game in a user's file must have been loaded before: see `own_games`.
    """
    try:
        return recorded_game(tournament.conditions["game"], make_game)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise LedgerError(f"tournament {tournament.id}: its game cannot be made: {reason}") from error


def conditions_of(tournament: Tournament) -> MatchConditions:
    """The conditions of a tournament's games."""
    return MatchConditions.from_json(tournament.conditions, game_of(tournament))


def plan_of(tournament: Tournament) -> Plan:
    """The plan of a tournament's games."""
    data = tournament.plan
    return Plan(data["games"], tuple(data["openings"]), data["swap"], data["seed"])


def find_unfinished(
    ledger: Ledger, kind: str, players: tuple[str, ...], settings_for: Callable[[int], dict[str, Any]], seed: int | None, what: str = ""
) -> Tournament:
    """The last tournament of this kind that is not over, with the settings that its seed gives; `seed` None is any.

    Raises LedgerError, in which it is `what` the user calls it.
    """
    for one in reversed(ledger.tournaments()):
        if one.kind == kind and one.finished is None and one.players == players:
            if one.settings == settings_for(one.plan["seed"] if seed is None else seed):
                return one
    raise LedgerError(f"{str(ledger.path)!r} has no unfinished {what or kind} with these players and settings")
