"""Who looks at which table and room, and what they are sent: the channel between people who play each other.

Everything here runs on the server's event loop; rules are asked in the service's threads. A table's lock lets one change after the
other through. What a guest is sent never holds what another has chosen and not played yet: see `views.table_view`.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Generic
from weakref import WeakValueDictionary

from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from .. import messages
from ..limits import Refused, StillCompiling
from ..messages import AskedAnswer, NewGame
from ..positions import ReferencedPositions
from ..queues import Outbox, Rate
from ..service import Service
from .room import Room, entered, pairs, with_person
from .store import DOOR, FIRST_PERSON, HOST, WATCH, Key, RecordT, Store, enter_in_ledger, ledger_of
from .table import (
    USUAL_NAMES,
    Table,
    by_player,
    chosen,
    declined,
    lost,
    needed_name,
    seated,
    set_up,
    shown_name,
    timed,
    wished,
)
from .views import room_view, table_view

_FIRST_MESSAGE = 10.0
"""Seconds in which a channel must say what it is about."""
_ALONE = 10.0
"""Seconds that somebody on a ladder waits for a person before `best` sits down."""
_THINKING = 1.0
"""Seconds of a move of `best`."""
_TRY_AGAIN = 1.0
_LEFT = 600.0
"""Seconds after which a room's game without a clock ends at which nobody is left."""
_REMOVED = "the host has removed you from this room"
_BUSY = 503
"""The status of a refusal where too many searches wait."""
_TRY_LATER = 1013

Act = Callable[[Table, ReferencedPositions], Table]


class Guest:
    """One channel: somebody's view of a table or a room."""

    def __init__(self, key: Key) -> None:
        self.key, self.outbox = key, Outbox()


class _Opened(Generic[RecordT]):
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


class Friends:
    """All tables and rooms of a server."""

    def __init__(self, service: Service, store: Store, entrance: dict[str, str | None]) -> None:
        """entrance: `query`, what a link has behind the address of the page; `outside`, that address for other machines, if known."""
        self._service, self._store, self._entrance = service, store, entrance
        self._given = service.served
        # What nobody looks at, no clock keeps and nothing works on is in the file alone; there are never two of one record.
        self._tables: WeakValueDictionary[int, _Opened[Table]] = WeakValueDictionary()
        self._rooms: WeakValueDictionary[int, _Opened[Room]] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._people = 0
        self.opening = Rate(max(service.served.rooms // 10, 10), 600.0)
        self._messages = Rate(10 * service.served.people, 10.0)
        """What one address may open, and say."""

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for one in self._tables.values():
            for timer in (one.timer, one.leaving):
                if timer is not None:
                    timer.cancel()
        self._store.close()

    # -- opening -----------------------------------------------------------------------------------------------------------

    async def new_table(self, asked: messages.NewTable) -> dict[str, Any]:
        """Open a table; the key of the seat of whoever opened it."""
        names = (shown_name(asked.name) or USUAL_NAMES[0], "")
        table = await self._service.ready(
            lambda service: self._set_up(NewGame(asked.game, asked.start, asked.seed), asked, names)
        )
        return {"key": self._store.key(Table.KIND, self._add(table), 0)}

    async def new_room(self, asked: messages.NewRoom) -> dict[str, Any]:
        """Open a room; the key of its host."""
        game = (await self._service.ready(lambda service: service.rules(asked.game))).spec
        room = Room(
            title=shown_name(asked.title) or "A room",
            game=game,
            ladder=asked.ladder,
            best=asked.best,
            minutes=asked.minutes,
            increment=asked.increment,
        )
        return {"key": self._store.key(Room.KIND, self._add(room), HOST)}

    def _set_up(
        self, game: NewGame, asked: messages.NewTable | Room, names: tuple[str, str], **more: Any
    ) -> Table:
        begun = self._service.new(game)
        table = Table(
            game=begun["game"],
            start=begun["start"],
            names=names,
            minutes=asked.minutes,
            increment=asked.increment,
            **more,
        )
        return set_up(table, self._service.positions)

    def _add(self, record: Table | Room) -> int:
        """Keep a new record; what somebody looks at makes no room for it. Raises Refused."""
        return self._store.add(record, [*self._tables, *self._rooms])

    def _table(self, id: int) -> _Opened[Table]:
        """A table; one that nobody looked at since the server began is read, and its clock goes on."""
        opened = self._tables.get(id)
        if opened is None:
            opened = self._tables[id] = _Opened(id, self._store.read(Table, id))
            self._wake(opened)
        return opened

    def _room(self, id: int) -> _Opened[Room]:
        opened = self._rooms.get(id)
        if opened is None:
            opened = self._rooms[id] = _Opened(id, self._store.read(Room, id))
        return opened

    # -- a channel ---------------------------------------------------------------------------------------------------------

    async def serve(self, socket: WebSocket, address: str) -> None:
        """Serve one guest, who comes from this address, until it goes."""
        if self._people >= self._given.people:
            await socket.close(_TRY_LATER, "the server has as many people as it takes")
            return
        self._people += 1
        try:
            await socket.accept()
            await self._serve(socket, address)
        finally:
            self._people -= 1

    async def _serve(self, socket: WebSocket, address: str) -> None:
        try:
            self._messages.take(address)
            text = await asyncio.wait_for(socket.receive_text(), _FIRST_MESSAGE)
            asked = messages.read_spoken(text)
            if not isinstance(asked, messages.Open):
                raise Refused("the first message must be 'open', with the key of a link")
            key = self._store.read_key(asked.key)
            opened = self._room(key.id) if key.kind == Room.KIND else self._table(key.id)
        except (TimeoutError, WebSocketDisconnect, KeyError, Refused) as error:
            with suppress(RuntimeError, WebSocketDisconnect):
                if isinstance(error, Refused):
                    await socket.send_json({"id": None, "kind": "gone", "error": error.sentence})
                await socket.close()
            return
        guest = Guest(key)
        opened.guests.append(guest)
        sender = asyncio.create_task(guest.outbox.send_all(socket.send_text))
        try:
            self._tell(opened)
            self._came_or_went(opened)
            while True:
                text = await socket.receive_text()
                try:
                    self._messages.take(address)
                    await self._take(guest, messages.read_spoken(text))
                except Refused as refused:
                    guest.outbox.put(None, "error", partial(dict, error=refused.sentence))
        except (WebSocketDisconnect, RuntimeError, KeyError):  # it is gone, or sent what is no text
            pass
        finally:
            guest.outbox.close()
            sender.cancel()
            opened.guests.remove(guest)
            self._tell(opened)
            self._came_or_went(opened)

    async def _take(self, guest: Guest, asked: messages.Spoken) -> None:
        """Do what a message asks; raises Refused."""
        if guest.key.kind == Room.KIND:
            await self._take_in_room(guest, asked)
            return
        opened, person = self._table(guest.key.id), guest.key.place
        if person == WATCH:
            raise Refused("you look on at this table; nobody hears you")
        match asked:
            case messages.Sit():
                await self._change(opened, lambda table, _: seated(table, person, asked.name))
            case messages.Look():
                if not opened.record.is_over:
                    raise Refused("the game is not over yet")
                opened.look = min(asked.at, len(opened.record.moves))
                self._tell(opened)
            case messages.Choose():
                await self._change(
                    opened,
                    lambda table, rules: chosen(
                        table, table.player_of(person), asked.move, asked.action, rules
                    ),
                )
            case messages.Wish():
                await self._change(
                    opened, lambda table, rules: wished(table, table.player_of(person), asked.what, rules)
                )
            case messages.Decline():
                await self._change(opened, lambda table, _: declined(table))
            case messages.Resign():
                await self._change(opened, lambda table, _: lost(table, table.player_of(person), "resigned"))
            case _:
                raise Refused("nobody can ask for that at a table")

    async def _take_in_room(self, guest: Guest, asked: messages.Spoken) -> None:
        opened = self._room(guest.key.id)
        if isinstance(asked, messages.Round) and guest.key.place == HOST:
            if opened.record.ladder:
                raise Refused("on a ladder nobody waits for a round")
            if not await self._pair(opened, with_best=True):
                raise Refused("nobody who is here is free to play; two people are needed, or one and `best`")
        elif isinstance(asked, messages.Remove) and guest.key.place == HOST:
            await self._remove(opened, asked.person)
        elif isinstance(asked, messages.Sit) and guest.key.place == DOOR:
            async with opened.lock:
                room = entered(opened.record, needed_name(asked.name), self._given.people)
                self._keep_room(opened, room)
            key = self._store.key(Room.KIND, opened.id, FIRST_PERSON + len(room.people) - 1)
            guest.outbox.put(None, "seat", partial(dict, key=key))
        else:
            raise Refused("nobody but its host can ask for that in a room")

    async def _remove(self, opened: _Opened[Room], person: int) -> None:
        """Remove somebody from a room, who loses the game under way; raises Refused."""
        async with opened.lock:
            one = next(iter(opened.record.people[person : person + 1]), None)
            if one is None or one.level:
                raise Refused("there is no person of that number in this room")
            self._keep_room(opened, with_person(opened.record, person, replace(one, removed=True)))
        if one.plays and one.table is not None:
            table = self._table(one.table)
            player = table.record.player_of(table.record.pair.index(person))
            with suppress(Refused):  # the game is over meanwhile
                await self._change(table, lambda found, _: lost(found, player, "left"))

    def _look_for_left(self, room: _Opened[Room]) -> None:
        """See to the end of games without a clock at which nobody is left; whoever comes back in time plays on."""
        if room.record.minutes is not None:
            return
        here = self._here(room)
        for id in {one.table for one in room.record.people if one.plays and one.table is not None}:
            table = self._table(id)
            if table.leaving is not None and not here.isdisjoint(table.record.pair):
                table.leaving.cancel()
                table.leaving = None
            elif table.leaving is None and here.isdisjoint(table.record.pair):
                table.leaving = asyncio.get_running_loop().call_later(
                    _LEFT,
                    lambda table=table: self._start(
                        self._change(table, lambda found, _: lost(found, -1, "left"))
                    ),
                )

    def _came_or_went(self, opened: _Opened[Any]) -> None:
        """Whoever is free on a ladder is paired."""
        record: Table | Room = opened.record
        number = opened.id if isinstance(record, Room) else record.room
        with suppress(Refused):  # its room may be kept no longer
            room = None if number is None else self._room(number)
            if room is not None:
                self._tell(room)
                self._look_for_left(room)
                if room.record.ladder:
                    self._start(self._pair_now_and_then(room))

    async def _pair_now_and_then(self, room: _Opened[Room]) -> None:
        await self._pair(room, with_best=False)
        if room.record.best:
            await asyncio.sleep(_ALONE)
            await self._pair(room, with_best=True)

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)

        def over(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                if not isinstance(error, Refused):
                    logging.getLogger(__name__).error("a table failed", exc_info=error)

        task.add_done_callback(over)

    # -- changes -----------------------------------------------------------------------------------------------------------

    async def _change(self, opened: _Opened[Table], act: Act) -> None:
        """Change a table, its clocks first: whose time is over has lost, whatever is asked. Raises Refused."""
        async with opened.lock:
            now, games_before = time.monotonic(), opened.record.games
            before, late = timed(opened.record, now - opened.since)
            if late is not None:  # in no thread: a busy server would refuse
                after = lost(before, late, "late")
            else:
                after = await self._service.ready(lambda service: act(before, service.positions))
            if after == before:
                return
            self._store.save(opened.id, after, bool(after.moves) or after.room is not None, after.room)
            opened.record, opened.since = after, now
            if len(after.moves) != len(before.moves):
                opened.look = None
            if after.room is not None and after.games > games_before:
                self._start(self._finished(after))
        self._tell(opened)
        self._wake(opened)

    def _wake(self, opened: _Opened[Table]) -> None:
        """See to what happens at a table by itself: the end of somebody's time, the moves of `best`."""
        table = opened.record
        if opened.timer is not None:
            opened.timer.cancel()
            opened.timer = None
        waited = table.waits_for()
        if table.minutes is not None and table.has_begun and waited:
            left = min(table.left[player] for player in waited) - (time.monotonic() - opened.since)
            opened.timer = asyncio.get_running_loop().call_later(
                max(left, 0.0) + 0.01, lambda: self._start(self._change(opened, lambda table, _: table))
            )
        levels, turn = by_player(table, table.levels), (table.games, len(table.moves))
        for player in waited:
            if levels[player] and turn not in opened.thinking:
                opened.thinking.add(turn)
                self._start(self._answer(opened, player, turn))

    async def _answer(self, opened: _Opened[Table], player: int, turn: tuple[int, int]) -> None:
        """The move of a player of the library at a table."""
        table = opened.record
        asked = AskedAnswer(
            table.game,
            table.start,
            table.moves,
            player=player,
            by=by_player(table, table.levels)[player],
            seconds=_THINKING,
        )
        try:
            while True:
                try:
                    answer = await self._service.ready(lambda service: service.answer(asked), search=True)
                except Exception as error:  # nobody is to wait for a move that never comes
                    waits = isinstance(error, StillCompiling) or getattr(error, "status", None) == _BUSY
                    if not waits:
                        await self._change(opened, lambda table, _: lost(table, player, "resigned"))
                        raise
                    await asyncio.sleep(_TRY_AGAIN)
                else:
                    break
        finally:
            opened.thinking.discard(turn)
        await self._change(
            opened, lambda table, rules: chosen(table, player, turn[1], answer["action"], rules)
        )

    async def _pair(self, opened: _Opened[Room], with_best: bool) -> bool:
        """Let everybody who is here and free play; whether anybody does."""
        async with opened.lock:
            room, found = pairs(opened.record, self._here(opened), with_best)
            met = opened.record.met
            try:
                for pair in found:
                    one, other = (room.people[person] for person in pair)
                    table = await self._service.ready(
                        lambda service, room=room, pair=pair, one=one, other=other: self._set_up(
                            NewGame(room.game),
                            room,
                            (one.name, other.name),
                            levels=(one.level, other.level),
                            room=opened.id,
                            pair=pair,
                        )
                    )
                    id = self._add(table)
                    self._store.save(id, table, True)
                    for person in pair:
                        room = with_person(room, person, replace(room.people[person], table=id, plays=True))
                    self._table(id)
                    met = (*met, pair)
            finally:  # where one table is refused, those before it have begun
                if met != opened.record.met:
                    self._keep_room(opened, replace(room, met=met))
        return bool(found)

    async def _finished(self, table: Table) -> None:
        """A game of a room is over: its people's score, and the ledger."""
        assert table.room is not None and table.points is not None
        opened = self._room(table.room)
        async with opened.lock:
            room = opened.record
            for person, points in zip(
                table.pair, by_player(table, (table.points, 1 - table.points)), strict=True
            ):
                one = room.people[person]
                room = with_person(
                    room, person, replace(one, score=one.score + points, games=one.games + 1, plays=False)
                )
            self._keep_room(opened, room)
            number = sum(one.games for one in room.people) // 2 - 1
            ledger = ledger_of(self._store.path)
            try:
                room = await self._service.ready(
                    lambda service: enter_in_ledger(service, ledger, room, table, number)
                )
            except Exception:  # whatever fails there, the people play on
                logging.getLogger(__name__).exception("a game of a room is not in its ledger")
            else:
                self._keep_room(opened, room)
        self._came_or_went(opened)

    def _keep_room(self, opened: _Opened[Room], room: Room) -> None:
        opened.record = room
        self._store.save(opened.id, room, bool(room.people))
        self._tell(opened)
        for person in room.people:
            if person.table is not None and (opened_table := self._tables.get(person.table)) is not None:
                self._tell(opened_table)
        for one in list(self._tables.values()):  # at an earlier table somebody waits for the next
            if one.record.room == opened.id and one.record.is_over:
                self._tell(one)

    def _here(self, opened: _Opened[Room]) -> set[int]:
        """The people of a room who look at it, or at a table of theirs."""
        found = {guest.key.place - FIRST_PERSON for guest in opened.guests if guest.key.place >= FIRST_PERSON}
        for one in self._tables.values():
            if one.record.room == opened.id:
                found |= {
                    one.record.pair[guest.key.place] for guest in one.guests if guest.key.place != WATCH
                }
        people = opened.record.people
        return {person for person in found if person < len(people) and not people[person].removed}

    # -- what is sent ------------------------------------------------------------------------------------------------------

    def _tell(self, opened: _Opened[Any]) -> None:
        is_room = isinstance(opened.record, Room)
        for guest in opened.guests:
            person = guest.key.place - FIRST_PERSON
            if is_room and 0 <= person < len(opened.record.people) and opened.record.people[person].removed:
                guest.outbox.put(None, "gone", partial(dict, error=_REMOVED))
                continue
            view = partial(self._room_view if is_room else self._table_view, opened, guest.key.place)
            guest.outbox.put(None, "room" if is_room else "table", view)

    def _table_view(self, opened: _Opened[Table], place: int) -> dict[str, Any]:
        """A table as whoever sits there, or looks on, may see it."""
        table = opened.record
        present = [guest.key.place for guest in opened.guests]
        now, _ = timed(table, time.monotonic() - opened.since)
        view = table_view(now, place, present, partial(self._store.key, Table.KIND, opened.id))
        view |= {"look": opened.look, "entrance": self._entrance}
        if table.room is not None:
            view["room"] = self._way_back(table, table.room, opened.id, place)
        return view

    def _way_back(self, table: Table, room: int, id: int, place: int) -> dict[str, Any] | None:
        """For a table of a room: the keys of the room, and of the next game where it has begun."""
        with suppress(Refused):  # the room may be kept no longer
            if place != WATCH:
                person, people = table.pair[place], self._room(room).record.people
                later = people[person].table if person < len(people) else None
                return {
                    "key": self._store.key(Room.KIND, room, FIRST_PERSON + person),
                    "next": None if later in (None, id) else self._seat(later, person),
                }
        return None

    def _seat(self, id: int | None, person: int) -> str | None:
        """The key of a person's seat at a table of its room."""
        if id is None:
            return None
        with suppress(Refused):
            return self._store.key(Table.KIND, id, self._table(id).record.pair.index(person))
        return None

    def _room_view(self, opened: _Opened[Room], place: int) -> dict[str, Any]:
        """A room as whoever is at this place sees it."""
        room, person = opened.record, place - FIRST_PERSON
        view = room_view(room, place, self._here(opened), self._store.key) | {"entrance": self._entrance}
        if place == HOST:
            view["door"] = self._store.key(Room.KIND, opened.id, DOOR)
            view["ledger"] = ledger_of(self._store.path).name
        if 0 <= person < len(room.people) and room.people[person].plays:
            view["seat"] = self._seat(room.people[person].table, person)
        return view
