"""A room: people who came in by one link, paired round by round or as they become free, and their standing."""

from collections import Counter
from collections.abc import Collection
from itertools import count
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from ..limits import Refused

BEST = "best"
"""The name and the player of whoever fills an odd place."""


class Person(Struct, frozen=True):
    """Somebody in a room, numbered in the order of coming."""

    name: str
    level: str = ""
    """The player's spec, where the program plays."""
    score: float = 0.0
    games: int = 0
    table: int | None = None
    """The last table at which this person sat down."""
    plays: bool = False
    """Whether the game there is under way."""
    removed: bool = False
    """Whether the host has removed this person."""


class Room(Struct, frozen=True, kw_only=True):
    """A room's people and their games so far."""

    KIND: ClassVar[str] = "r"
    title: str
    game: str
    ladder: bool = False
    """Whether whoever is free is paired at once; else the host begins each round."""
    best: bool = False
    """Whether `best` plays where somebody would be left alone."""
    minutes: float | None = None
    increment: float = 0.0
    people: tuple[Person, ...] = ()
    met: tuple[tuple[int, int], ...] = ()
    """Who has played whom, a pair for each game; the first was player 0."""
    round: int = 0
    tournament: int | None = None
    """The number in the ledger, from the first finished game on."""


def entered(room: Room, name: str, most: int) -> Room:
    """With one more person; raises Refused for a name that is there already, or where the room is full."""
    if any(one.name.casefold() == name.casefold() for one in room.people) or name.casefold() == BEST:
        raise Refused(f"somebody here is called {name} already; choose another name")
    if len(room.people) >= most:
        raise Refused(f"the room has {most} people, and no place for more")
    return replace(room, people=(*room.people, Person(name)))


def with_person(room: Room, number: int, person: Person) -> Room:
    people = list(room.people)
    people[number] = person
    return replace(room, people=tuple(people))


def pairs(room: Room, here: Collection[int], with_best: bool) -> tuple[Room, list[tuple[int, int]]]:
    """Who plays whom next, of the people who are here and free; the room with its round, and `best` where it is needed.

    Who stands nearest plays together, who has not met yet before who has, and who was player 0 less often is it now: the Swiss
    system by its simplest rule.
    """
    met = Counter(frozenset(pair) for pair in room.met)
    first = Counter(pair[0] for pair in room.met)
    free = sorted(
        (one for one in here if not room.people[one].plays and not room.people[one].level),
        key=lambda one: (-room.people[one].score, room.people[one].games, one),
    )
    found: list[tuple[int, int]] = []
    while len(free) > 1:
        one = free.pop(0)
        other = min(free, key=lambda two: (met[frozenset((one, two))], free.index(two)))
        free.remove(other)
        found.append((one, other))
    if free and room.best and with_best:
        bot = next((at for at, one in enumerate(room.people) if one.level and not one.plays), None)
        if bot is None:
            bot = len(room.people)
            room = replace(room, people=(*room.people, Person(_bot_name(room), BEST)))
        found.append((free[0], bot))
    found = [pair if first[pair[0]] <= first[pair[1]] else (pair[1], pair[0]) for pair in found]
    return replace(room, round=room.round + bool(found), met=(*room.met, *found)), found


def _bot_name(room: Room) -> str:
    taken = {one.name.casefold() for one in room.people}
    return next(
        name for number in count(1) if (name := f"{BEST} {number}" if number > 1 else BEST) not in taken
    )
