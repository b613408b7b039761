"""The games of a room in a ledger, which `report`, `review` and the Arena read."""

import time
from pathlib import Path

from msgspec.structs import replace

from ...arena.conditions import Job, MatchConditions, PlayedGame
from ...arena.ledger import Ledger
from ...arena.schedule import Plan, settings_of
from ...game.spec import name_of
from ...play.game import result_of
from ...play.record import Turns
from ...players.base import Fault, FaultKind
from ...players.clock import ENDLESS, Clock
from ..service import Service
from .room import Room
from .table import Table, by_player

KIND = "room"


def ledger_of(kept: Path) -> Path:
    """The ledger beside the file of the tables."""
    return kept.with_name(f"{kept.stem}-rooms.db")


def enter(service: Service, path: Path, room: Room, table: Table, number: int) -> Room:
    """Enter a finished game; the room with its number in the ledger."""
    known, places = service.positions.line(table.reference)
    game, states = known.game, [place.state for place in places]
    faults: list[Fault | None] = [None, None]
    if table.ended is not None:
        how, player = table.ended
        kind = FaultKind.RESIGNED if how == "resigned" else FaultKind.LATE
        faults[player] = Fault(
            kind, player, len(table.moves), "resigned" if how == "resigned" else "its time was over"
        )
    result, reason = result_of(game, states[-1], faults, Turns(game, states))
    assert table.points is not None
    names = by_player(table, table.names)
    job = Job(number, number, names, game.to_text(states[0]), 0)
    played = PlayedGame(
        job,
        result,
        table.points,
        reason,
        (faults[0], faults[1]),
        actions=table.moves,
        started=time.time(),
    )
    everybody = tuple(one.name for one in room.people)
    clock = ENDLESS if room.minutes is None else Clock(60 * room.minutes, 60 * room.minutes, room.increment)
    settings = settings_of(
        MatchConditions(game, clock),
        Plan(1, (job.opening,), swap=False),
        title=room.title,
        game=name_of(game),
    )
    with Ledger(path) as ledger:
        if room.tournament is None:
            room = replace(room, tournament=ledger.begin(KIND, everybody, settings, None))
        assert room.tournament is not None
        ledger.extend(room.tournament, everybody, settings, None)
        ledger.add(room.tournament, played)
    return room
