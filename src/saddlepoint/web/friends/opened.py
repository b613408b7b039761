"""The tables and rooms in use: who looks at which, and what each of them is sent.

What a guest is sent never holds what another has chosen and not played yet.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Generic
from weakref import WeakValueDictionary

from ..limits import Outbox, Refused
from .room import Room
from .store import DOOR, FIRST_PERSON, HOST, WATCH, Key, RecordT, Store, ledger_of
from .table import Table, by_player, timed

_REMOVED = "the host has removed you from this room"


class Guest:
    """One channel: somebody's view of a table or a room."""

    def __init__(self, key: Key) -> None:
        self.key, self.outbox = key, Outbox()


class Opened(Generic[RecordT]):
    """A record that somebody looks at, or whose clock runs."""

    def __init__(self, id: int, record: RecordT) -> None:
        self.id, self.record = id, record
        self.lock = asyncio.Lock()
        self.guests: list[Guest] = []
        self.since = time.monotonic()
        """When `left` of a table's clocks was right."""
        self.timer: asyncio.TimerHandle | None = None
        self.leaving: asyncio.TimerHandle | None = None
        """When a game at which nobody is left ends."""
        self.look: int | None = None
        """The position that everybody looks at after a game."""
        self.thinking: set[tuple[int, int]] = set()
        """Moves that `best` is choosing: the number of the game and of the move."""


class Records:
    """The tables and rooms of a server, of which those are read that are in use."""

    def __init__(
        self, store: Store, entrance: dict[str, str | None], wake: Callable[[Opened[Table]], None]
    ) -> None:
        """entrance: `query`, what a link has behind the address of the page; `outside`, that address for other machines, if known.

        wake: is given each table that is read, whose clock goes on.
        """
        self.store, self._entrance, self._wake = store, entrance, wake
        # What nobody looks at, no clock keeps and nothing works on is in the file alone; there are never two of one record.
        self.tables: WeakValueDictionary[int, Opened[Table]] = WeakValueDictionary()
        self._rooms: WeakValueDictionary[int, Opened[Room]] = WeakValueDictionary()

    def add(self, record: Table | Room) -> int:
        """Keep a new record; what somebody looks at makes no room for it. Raises Refused."""
        return self.store.add(record, [*self.tables, *self._rooms])

    def table(self, id: int) -> Opened[Table]:
        """A table; one that nobody looked at since the server began is read, and its clock goes on."""
        opened = self.tables.get(id)
        if opened is None:
            opened = self.tables[id] = Opened(id, self.store.read(Table, id))
            self._wake(opened)
        return opened

    def room(self, id: int) -> Opened[Room]:
        """A room, likewise."""
        opened = self._rooms.get(id)
        if opened is None:
            opened = self._rooms[id] = Opened(id, self.store.read(Room, id))
        return opened

    def here(self, opened: Opened[Room]) -> set[int]:
        """The people of a room who look at it, or at a table of theirs."""
        found = {guest.key.place - FIRST_PERSON for guest in opened.guests if guest.key.place >= FIRST_PERSON}
        for one in self.tables.values():
            if one.record.room == opened.id:
                found |= {
                    one.record.pair[guest.key.place] for guest in one.guests if guest.key.place != WATCH
                }
        people = opened.record.people
        return {person for person in found if person < len(people) and not people[person].removed}

    def tell(self, opened: Opened[Any]) -> None:
        """Send everybody who looks at it what may be seen from their place."""
        is_room = isinstance(opened.record, Room)
        for guest in opened.guests:
            person = guest.key.place - FIRST_PERSON
            if is_room and 0 <= person < len(opened.record.people) and opened.record.people[person].removed:
                guest.outbox.put(None, "gone", partial(dict, error=_REMOVED))
                continue
            view = partial(self._room_view if is_room else self._table_view, opened, guest.key.place)
            guest.outbox.put(None, "room" if is_room else "table", view)

    def _table_view(self, opened: Opened[Table], place: int) -> dict[str, Any]:
        """A table, with its clocks as they are now, as whoever sits there, or looks on, may see it. Pairs are by player.

        All that leaves the server about another's choice is that there is one.
        """
        table, _ = timed(opened.record, time.monotonic() - opened.since)
        seat = None if place == WATCH else table.player_of(place)
        present = [guest.key.place for guest in opened.guests]
        key = partial(self.store.key, Table.KIND, opened.id)
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
            "look": opened.look,
            "entrance": self._entrance,
        }
        if place == 0 and not table.names[1]:
            view["invite"] = key(1)
        if table.room is not None:
            view["room"] = self._way_back(table, table.room, opened.id, place)
        return view

    def _way_back(self, table: Table, room: int, id: int, place: int) -> dict[str, Any] | None:
        """For a table of a room: the keys of the room, and of the next game where it has begun."""
        with suppress(Refused):  # the room may be kept no longer
            if place != WATCH:
                person, people = table.pair[place], self.room(room).record.people
                later = people[person].table if person < len(people) else None
                return {
                    "key": self.store.key(Room.KIND, room, FIRST_PERSON + person),
                    "next": None if later in (None, id) else self._seat(later, person),
                }
        return None

    def _seat(self, id: int | None, person: int) -> str | None:
        """The key of a person's seat at a table of its room."""
        if id is None:
            return None
        with suppress(Refused):
            return self.store.key(Table.KIND, id, self.table(id).record.pair.index(person))
        return None

    def _room_view(self, opened: Opened[Room], place: int) -> dict[str, Any]:
        """A room as whoever is at this place sees it."""
        room, here, key = opened.record, self.here(opened), self.store.key
        person = place - FIRST_PERSON if place >= FIRST_PERSON else None
        view: dict[str, Any] = {
            "title": room.title,
            "game": room.game,
            "ladder": room.ladder,
            "best": room.best,
            "minutes": room.minutes,
            "increment": room.increment,
            "round": room.round,
            "person": person,
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
                    "watch": key(Table.KIND, one.table, WATCH)
                    if one.plays and one.table is not None
                    else None,
                }
                for number, one in enumerate(room.people)
            ],
            "entrance": self._entrance,
        }
        if place == HOST:
            view["door"] = key(Room.KIND, opened.id, DOOR)
            view["ledger"] = ledger_of(self.store.path).name
        if person is not None and person < len(room.people) and room.people[person].plays:
            view["seat"] = self._seat(room.people[person].table, person)
        return view
