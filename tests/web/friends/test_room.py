"""Who plays whom in a room."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from saddlepoint.web.friends.room import BEST, Room, entered, pairs
from saddlepoint.web.limits import Refused

pytestmark = pytest.mark.plain


def room(people: int, **more: Any) -> Room:
    """A room with so many people."""
    made = Room(title="Class", game="tic_tac_toe", **more)
    for number in range(people):
        made = entered(made, f"P{number}", 100)
    return made


@given(st.integers(0, 12), st.booleans(), st.data())
def test_everybody_who_is_free_plays_once_and_at_most_one_is_left(people: int, best: bool, data: Any) -> None:
    one = room(people, best=best)
    here = data.draw(st.sets(st.integers(0, people - 1))) if people else set()
    after, found = pairs(one, here, with_best=True)
    seated = Counter(person for pair in found for person in pair)
    assert set(seated.values()) <= {1}
    left = here - set(seated)
    assert len(left) == (0 if best else len(here) % 2)
    assert set(seated) - here == {number for number, it in enumerate(after.people) if it.level}


def test_all_meet_all_before_anybody_meets_again() -> None:
    one, met = room(4), Counter[frozenset[int]]()
    for _ in range(3):
        one, found = pairs(one, range(4), with_best=False)
        met.update(frozenset(pair) for pair in found)
    assert len(met) == 6
    assert one.round == 3


def test_who_stands_nearest_plays_together() -> None:
    one = room(4)
    scores = (0.0, 2.0, 0.0, 2.0)
    one = replace(
        one, people=tuple(replace(it, score=score) for it, score in zip(one.people, scores, strict=True))
    )
    _, found = pairs(one, range(4), with_best=False)
    assert {frozenset(pair) for pair in found} == {frozenset((1, 3)), frozenset((0, 2))}


def test_sides_are_shared_out() -> None:
    one = room(2)
    first = [0, 0]
    for _ in range(6):
        one, [(player, _)] = pairs(one, range(2), with_best=False)
        first[player] += 1
    assert first == [3, 3]


def test_who_plays_already_is_not_paired() -> None:
    one = room(2)
    busy = replace(one, people=(replace(one.people[0], plays=True), one.people[1]))
    assert pairs(busy, range(2), with_best=True)[1] == []


def test_best_sits_down_only_with_somebody_left_over() -> None:
    after, found = pairs(room(3, best=True), range(3), with_best=True)
    assert len(found) == 2
    assert [it.name for it in after.people if it.level] == [BEST]
    assert pairs(room(3, best=True), range(3), with_best=False)[0].people == room(3).people


def test_a_name_belongs_to_one_person_and_a_room_has_its_limit() -> None:
    for name in ("p0", "P0", "Best"):
        with pytest.raises(Refused, match="called"):
            entered(room(1), name, 100)
    with pytest.raises(Refused, match="no place"):
        entered(room(2), "Q", 2)


def test_the_program_takes_the_name_of_nobody_who_is_there() -> None:
    one = entered(room(3, best=True), "Best 2", 100)
    after, [pair] = pairs(one, {0}, with_best=True)
    busy = replace(
        after, people=tuple(replace(it, plays=number in pair) for number, it in enumerate(after.people))
    )
    after, _ = pairs(busy, {1}, with_best=True)
    assert [it.name for it in after.people if it.level] == ["best", "best 3"]
