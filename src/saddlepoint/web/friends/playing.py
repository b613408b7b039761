"""What happens at tables and in rooms: moves and clocks, `best` at its turn, who plays whom, and the standing.

Everything here runs on the server's event loop; rules are asked in the service's threads. A table's lock lets one change after the
other through.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from .. import messages
from ..limits import Refused, StillCompiling
from ..messages import AskedAnswer, NewGame
from ..positions import ReferencedPositions
from ..service import Service
from .opened import Opened, Records
from .room import Room, pairs, with_person
from .store import Store, enter_in_ledger, ledger_of
from .table import Table, by_player, chosen, lost, set_up, timed

_ALONE = 10.0
"""Seconds that somebody on a ladder waits for a person before `best` sits down."""
_THINKING = 1.0
"""Seconds of a move of `best`."""
_TRY_AGAIN = 1.0
_LEFT = 600.0
"""Seconds after which a room's game without a clock ends at which nobody is left."""
_BUSY = 503
"""The status of a refusal where too many searches wait."""

Act = Callable[[Table, ReferencedPositions], Table]


class Playing:
    """The games of a server's tables and rooms."""

    def __init__(self, service: Service, store: Store, entrance: dict[str, str | None]) -> None:
        self._service = service
        self.records = Records(store, entrance, self._wake)
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """End all that is under way; the file has what is kept."""
        for task in self._tasks:
            task.cancel()
        for one in self.records.tables.values():
            for timer in (one.timer, one.leaving):
                if timer is not None:
                    timer.cancel()
        self.records.store.close()

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)

        def over(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                if not isinstance(error, Refused):
                    logging.getLogger(__name__).error("a table failed", exc_info=error)

        task.add_done_callback(over)

    # -- tables ----------------------------------------------------------------------------------------------------------

    def set_up(
        self, game: NewGame, asked: messages.NewTable | Room, names: tuple[str, str], **more: Any
    ) -> Table:
        """A new table, its game begun; asks the rules, so in a thread of the service."""
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

    async def change(self, opened: Opened[Table], act: Act) -> None:
        """Change a table, its clocks first: whose time is over has lost, whatever is asked. Raises Refused."""
        async with opened.lock:
            now, games_before = time.monotonic(), opened.record.games
            before, late = timed(opened.record, now - opened.since)
            if late is not None:  # in no thread: a busy server would refuse
                after = lost(before, late, "late")
            else:
                after = await self._service.ready(act, before, self._service.positions)
            if after == before:
                return
            self.records.store.save(opened.id, after, bool(after.moves) or after.room is not None, after.room)
            opened.record, opened.since = after, now
            if len(after.moves) != len(before.moves):
                opened.look = None
            if after.room is not None and after.games > games_before:
                self._start(self._finished(after))
        self.records.tell(opened)
        self._wake(opened)

    def _wake(self, opened: Opened[Table]) -> None:
        """See to what happens at a table by itself: the end of somebody's time, the moves of `best`."""
        table = opened.record
        if opened.timer is not None:
            opened.timer.cancel()
            opened.timer = None
        waited = table.waits_for()
        if table.minutes is not None and table.has_begun and waited:
            left = min(table.left[player] for player in waited) - (time.monotonic() - opened.since)
            opened.timer = asyncio.get_running_loop().call_later(
                max(left, 0.0) + 0.01, lambda: self._start(self.change(opened, lambda table, _: table))
            )
        levels, turn = by_player(table, table.levels), (table.games, len(table.moves))
        for player in waited:
            if levels[player] and turn not in opened.thinking:
                opened.thinking.add(turn)
                self._start(self._answer(opened, player, turn))

    async def _answer(self, opened: Opened[Table], player: int, turn: tuple[int, int]) -> None:
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
                    answer = await self._service.search(self._service.answer, asked)
                except Exception as error:  # nobody is to wait for a move that never comes
                    waits = isinstance(error, StillCompiling) or getattr(error, "status", None) == _BUSY
                    if not waits:
                        await self.change(opened, lambda table, _: lost(table, player, "resigned"))
                        raise
                    await asyncio.sleep(_TRY_AGAIN)
                else:
                    break
        finally:
            opened.thinking.discard(turn)
        await self.change(
            opened, lambda table, rules: chosen(table, player, turn[1], answer["action"], rules)
        )

    # -- rooms -----------------------------------------------------------------------------------------------------------

    def keep_room(self, opened: Opened[Room], room: Room) -> None:
        """Keep what a room has become, and show it to everybody concerned."""
        opened.record = room
        self.records.store.save(opened.id, room, bool(room.people))
        self.records.tell(opened)
        for person in room.people:
            if (
                person.table is not None
                and (opened_table := self.records.tables.get(person.table)) is not None
            ):
                self.records.tell(opened_table)
        for one in list(self.records.tables.values()):  # at an earlier table somebody waits for the next
            if one.record.room == opened.id and one.record.is_over:
                self.records.tell(one)

    async def pair(self, opened: Opened[Room], with_best: bool) -> bool:
        """Let everybody who is here and free play; whether anybody does."""
        async with opened.lock:
            room, found = pairs(opened.record, self.records.here(opened), with_best)
            met = opened.record.met
            try:
                for pair in found:
                    one, other = (room.people[person] for person in pair)
                    table = await self._service.ready(
                        self.set_up,
                        NewGame(room.game),
                        room,
                        (one.name, other.name),
                        levels=(one.level, other.level),
                        room=opened.id,
                        pair=pair,
                    )
                    id = self.records.add(table)
                    self.records.store.save(id, table, True)
                    for person in pair:
                        room = with_person(room, person, replace(room.people[person], table=id, plays=True))
                    self.records.table(id)
                    met = (*met, pair)
            finally:  # where one table is refused, those before it have begun
                if met != opened.record.met:
                    self.keep_room(opened, replace(room, met=met))
        return bool(found)

    async def _pair_now_and_then(self, room: Opened[Room]) -> None:
        await self.pair(room, with_best=False)
        if room.record.best:
            await asyncio.sleep(_ALONE)
            await self.pair(room, with_best=True)

    def came_or_went(self, opened: Opened[Any]) -> None:
        """Whoever is free on a ladder is paired."""
        record: Table | Room = opened.record
        number = opened.id if isinstance(record, Room) else record.room
        with suppress(Refused):  # its room may be kept no longer
            room = None if number is None else self.records.room(number)
            if room is not None:
                self.records.tell(room)
                self._look_for_left(room)
                if room.record.ladder:
                    self._start(self._pair_now_and_then(room))

    def _look_for_left(self, room: Opened[Room]) -> None:
        """See to the end of games without a clock at which nobody is left; whoever comes back in time plays on."""
        if room.record.minutes is not None:
            return
        here = self.records.here(room)
        for id in {one.table for one in room.record.people if one.plays and one.table is not None}:
            table = self.records.table(id)
            if table.leaving is not None and not here.isdisjoint(table.record.pair):
                table.leaving.cancel()
                table.leaving = None
            elif table.leaving is None and here.isdisjoint(table.record.pair):
                table.leaving = asyncio.get_running_loop().call_later(
                    _LEFT,
                    lambda table=table: self._start(
                        self.change(table, lambda found, _: lost(found, -1, "left"))
                    ),
                )

    async def remove(self, opened: Opened[Room], person: int) -> None:
        """Remove somebody from a room, who loses the game under way; raises Refused."""
        async with opened.lock:
            one = next(iter(opened.record.people[person : person + 1]), None)
            if one is None or one.level:
                raise Refused("there is no person of that number in this room")
            self.keep_room(opened, with_person(opened.record, person, replace(one, removed=True)))
        if one.plays and one.table is not None:
            table = self.records.table(one.table)
            player = table.record.player_of(table.record.pair.index(person))
            with suppress(Refused):  # the game is over meanwhile
                await self.change(table, lambda found, _: lost(found, player, "left"))

    async def _finished(self, table: Table) -> None:
        """A game of a room is over: its people's score, and the ledger."""
        assert table.room is not None and table.points is not None
        opened = self.records.room(table.room)
        async with opened.lock:
            room = opened.record
            for person, points in zip(
                table.pair, by_player(table, (table.points, 1 - table.points)), strict=True
            ):
                one = room.people[person]
                room = with_person(
                    room, person, replace(one, score=one.score + points, games=one.games + 1, plays=False)
                )
            self.keep_room(opened, room)
            number = sum(one.games for one in room.people) // 2 - 1
            ledger = ledger_of(self.records.store.path)
            try:
                room = await self._service.ready(enter_in_ledger, self._service, ledger, room, table, number)
            except Exception:  # whatever fails there, the people play on
                logging.getLogger(__name__).exception("a game of a room is not in its ledger")
            else:
                self.keep_room(opened, room)
        self.came_or_went(opened)
