"""Two people at two places: the channel of a guest at a table or in a room, how both are opened, what a guest may say, and who hears it."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from .. import messages
from ..limits import Rate, Refused
from ..service import Service
from .opened import Guest
from .playing import Playing
from .room import Room, entered
from .store import DOOR, FIRST_PERSON, HOST, WATCH, Store
from .table import USUAL_NAMES, Table, chosen, declined, lost, needed_name, seated, shown_name, wished

_FIRST_MESSAGE = 10.0
"""Seconds in which a channel must say what it is about."""
_TRY_LATER = 1013


class Friends:
    """The channels to all tables and rooms of a server."""

    def __init__(self, service: Service, store: Store, entrance: dict[str, str | None]) -> None:
        """entrance: `query`, what a link has behind the address of the page; `outside`, that address for other machines, if known."""
        self._service, self._store, self._given = service, store, service.served
        self._playing = Playing(service, store, entrance)
        self._records = self._playing.records
        self._people = 0
        self.opening = Rate(max(service.served.rooms // 10, 10), 600.0)
        self._messages = Rate(10 * service.served.people, 10.0)
        """What one address may open, and say."""

    def close(self) -> None:
        self._playing.close()

    async def new_table(self, asked: messages.NewTable) -> dict[str, Any]:
        """Open a table; the key of the seat of whoever opened it."""
        names = (shown_name(asked.name) or USUAL_NAMES[0], "")
        table = await self._service.ready(self._playing.set_up, asked, asked, names)
        return {"key": self._store.key(Table.KIND, self._records.add(table), 0)}

    async def new_room(self, asked: messages.NewRoom) -> dict[str, Any]:
        """Open a room; the key of its host."""
        game = (await self._service.ready(self._service.rules, asked.game)).spec
        room = Room(
            title=shown_name(asked.title) or "A room",
            game=game,
            ladder=asked.ladder,
            best=asked.best,
            minutes=asked.minutes,
            increment=asked.increment,
        )
        return {"key": self._store.key(Room.KIND, self._records.add(room), HOST)}

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
            opened = self._records.room(key.id) if key.kind == Room.KIND else self._records.table(key.id)
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
            self._records.tell(opened)
            self._playing.came_or_went(opened)
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
            self._records.tell(opened)
            self._playing.came_or_went(opened)

    async def _take(self, guest: Guest, asked: messages.Spoken) -> None:
        """Do what a message asks; raises Refused."""
        if guest.key.kind == Room.KIND:
            await self._take_in_room(guest, asked)
            return
        opened, person = self._records.table(guest.key.id), guest.key.place
        if person == WATCH:
            raise Refused("you look on at this table; nobody hears you")
        match asked:
            case messages.Sit():
                await self._playing.change(opened, lambda table, _: seated(table, person, asked.name))
            case messages.Look():
                if not opened.record.is_over:
                    raise Refused("the game is not over yet")
                opened.look = min(asked.at, len(opened.record.moves))
                self._records.tell(opened)
            case messages.Choose():
                await self._playing.change(
                    opened,
                    lambda table, rules: chosen(
                        table, table.player_of(person), asked.move, asked.action, rules
                    ),
                )
            case messages.Wish():
                await self._playing.change(
                    opened, lambda table, rules: wished(table, table.player_of(person), asked.what, rules)
                )
            case messages.Decline():
                await self._playing.change(opened, lambda table, _: declined(table))
            case messages.Resign():
                await self._playing.change(
                    opened, lambda table, _: lost(table, table.player_of(person), "resigned")
                )
            case _:
                raise Refused("nobody can ask for that at a table")

    async def _take_in_room(self, guest: Guest, asked: messages.Spoken) -> None:
        opened = self._records.room(guest.key.id)
        if isinstance(asked, messages.Round) and guest.key.place == HOST:
            if opened.record.ladder:
                raise Refused("on a ladder nobody waits for a round")
            if not await self._playing.pair(opened, with_best=True):
                raise Refused("nobody who is here is free to play; two people are needed, or one and `best`")
        elif isinstance(asked, messages.Remove) and guest.key.place == HOST:
            await self._playing.remove(opened, asked.person)
        elif isinstance(asked, messages.Sit) and guest.key.place == DOOR:
            async with opened.lock:
                room = entered(opened.record, needed_name(asked.name), self._given.people)
                self._playing.keep_room(opened, room)
            key = self._store.key(Room.KIND, opened.id, FIRST_PERSON + len(room.people) - 1)
            guest.outbox.put(None, "seat", partial(dict, key=key))
        else:
            raise Refused("nobody but its host can ask for that in a room")
