"""What a guest is sent of a table or a room: all that leaves the server about another's choice is that there is one."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from .room import Room
from .store import FIRST_PERSON, HOST, WATCH
from .table import Table, by_player


def table_view(table: Table, place: int, present: Sequence[int], key: Callable[[int], str]) -> dict[str, Any]:
    """A table, with its clocks as they are now, for a place there.

    present: the places of all who are there; key: gives the secret of a place. Pairs are by player.
    """
    seat = None if place == WATCH else table.player_of(place)
    view: dict[str, Any] = {
        "game": table.game,
        "start": table.start,
        "moves": table.moves,
        "seat": seat,
        "names": by_player(table, table.names),
        "levels": by_player(table, table.levels),
        "here": by_player(table, (0 in present, 1 in present)),
        "watching": present.count(WATCH),
        "chosen": [one is not None for one in table.chosen],
        "own": None if seat is None else table.chosen[seat],
        "wish": table.wish,
        "ended": table.ended,
        "points": table.points,
        "score": by_player(table, table.score),
        "games": table.games,
        "minutes": table.minutes,
        "increment": table.increment,
        "left": None if table.minutes is None else table.left,
        "runs": [table.has_begun and player in table.waits_for() for player in (0, 1)],
        "watch": key(WATCH),
    }
    if place == 0 and not table.names[1]:
        view["invite"] = key(1)
    return view


def room_view(
    room: Room, place: int, here: Collection[int], key: Callable[[str, int, int], str]
) -> dict[str, Any]:
    """A room for a place in it; here: the people who are there; key: gives the secret of a record's place."""
    return {
        "title": room.title,
        "game": room.game,
        "ladder": room.ladder,
        "best": room.best,
        "minutes": room.minutes,
        "increment": room.increment,
        "round": room.round,
        "person": place - FIRST_PERSON if place >= FIRST_PERSON else None,
        "host": place == HOST,
        "people": [
            {
                "name": one.name,
                "score": one.score,
                "games": one.games,
                "plays": one.plays,
                "level": one.level,
                "removed": one.removed,
                "here": number in here or bool(one.level),
                "watch": key(Table.KIND, one.table, WATCH) if one.plays and one.table is not None else None,
            }
            for number, one in enumerate(room.people)
        ],
    }
