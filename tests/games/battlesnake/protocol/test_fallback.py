"""The moves in plain Python: safe ones at once, and what a look ahead finds."""

import math
import time
from itertools import islice

import pytest
from hypothesis import given, strategies as st

from games.battlesnake.protocol.snake_requests import asked, snake
from saddlepoint.games.battlesnake.protocol.fallback import looked_ahead, safe_move
from saddlepoint.games.battlesnake.protocol.seen import STEPS, Seen, read_seen
from saddlepoint.games.battlesnake.protocol.territory import Area, freed, race

ROUNDS = 3


def best(seen: Seen, rounds: int = ROUNDS) -> str:
    """The move after a look so many rounds ahead."""
    found = list(islice(looked_ahead(seen, math.inf), rounds))
    return found[-1] if found else safe_move(seen)


def both(seen: Seen) -> set[str]:
    return {safe_move(seen), best(seen)}


def test_neither_walls_nor_bodies() -> None:
    corner = read_seen(asked(snake("me", [(0, 0), (1, 0), (2, 0)]), snake("b", [(5, 5), (5, 6), (5, 7)])))
    assert both(corner) == {"up"}
    between = read_seen(asked(snake("me", [(3, 3), (3, 2), (3, 1)]), snake("b", [(2, 5), (2, 4), (2, 3), (2, 2)]), snake(
        "c", [(4, 6), (4, 5), (4, 4), (4, 3), (4, 2)]
    )))  # fmt: skip
    assert both(between) == {"up"}


def test_a_tail_that_moves_on_is_free_and_a_doubled_one_is_not() -> None:
    ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert both(read_seen(asked(snake("me", ring), snake("b", [(8, 8), (8, 9)])))) == {"up"}
    coiled = read_seen(asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 1)]), snake("b", [(8, 8), (8, 9)])))
    assert best(coiled) in STEPS  # every move kills


def test_a_longer_head_is_avoided() -> None:
    told = asked(snake("me", [(5, 5), (5, 4), (5, 3)]), snake("b", [(5, 7), (5, 8), (5, 9), (5, 10)]))
    assert "up" not in both(read_seen(told))


def test_a_shorter_one_is_driven_out() -> None:
    """The other can only go to the cell that we can enter too, and is shorter."""
    told = asked(snake("me", [(0, 2), (1, 2), (2, 2), (3, 2)]), snake("b", [(0, 0), (1, 0), (2, 0)]), size=7)
    assert best(read_seen(told)) == "down"


def test_food_before_starving() -> None:
    told = asked(snake("me", [(5, 5), (5, 4), (5, 3)], health=2), snake("b", [(0, 10), (0, 9), (0, 8)]), food=[(4, 6)])
    assert best(read_seen(told)) in ("up", "left")
    told = asked(snake("me", [(5, 5), (5, 4), (5, 3)], health=1), snake("b", [(0, 10), (0, 9), (0, 8)]), food=[(6, 5)])
    assert both(read_seen(told)) == {"right"}


def test_a_deadly_hazard_is_avoided() -> None:
    told = asked(snake("me", [(5, 5), (5, 4), (5, 3)], health=15), snake("b", [(0, 10), (0, 9)]), hazards=[(5, 6), (4, 5)])
    assert both(read_seen(told)) == {"right"}


def test_across_an_edge_where_it_is_wrapped() -> None:
    told = asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]), snake("b", [(8, 8), (8, 9)]), mode="wrapped")
    assert both(read_seen(told)) <= {"left", "down"}


def test_the_larger_room() -> None:
    barrier = [(x, 2) for x in range(11)]
    told = asked(snake("me", [*barrier, (10, 3)]), snake("b", [(9, 9), (9, 8), (9, 7)]))
    assert both(read_seen(told)) == {"up"}


def test_alone_on_the_board() -> None:
    assert both(read_seen(asked(snake("me", [(0, 0), (1, 0), (2, 0)])))) == {"up"}


def test_where_there_is_nowhere_to_go() -> None:
    seen = read_seen(asked(snake("me", [(0, 0)]), size=1))
    assert best(seen) == safe_move(seen) == "up"


def test_it_ends_in_time() -> None:
    told = asked(snake("me", [(12, 12), (12, 11)]), snake("b", [(3, 3), (3, 4)]), size=25)
    began = time.monotonic()
    found = list(looked_ahead(read_seen(told), began + 0.05))
    assert time.monotonic() - began < 2.0
    assert set(found) <= set(STEPS)


def test_a_board_that_is_too_large_has_a_safe_move() -> None:
    seen = read_seen(asked(snake("me", [(0, 0), (1, 0)]), snake("b", [(500, 500), (500, 501)]), size=1000))
    assert list(looked_ahead(seen, math.inf)) == [] and safe_move(seen) == "up"


def test_a_race_counts_what_tails_free_and_who_is_longer() -> None:
    told = asked(snake("me", [(0, 0), (1, 0)]), snake("b", [(4, 0), (3, 0), (3, 0)]), size=5)
    seen = read_seen(told)
    area = Area(seen)
    me, rival = area.body(seen.you), area.body(seen.others[0])
    found = race(area, me, rival, [], area.bits([(0, 3)]), False)
    assert found.mine + found.theirs == 25 and found.theirs > found.mine and found.food == 3
    taken, leaving = freed([me.cells, rival.cells])
    assert taken == area.bits([(0, 0), (1, 0), (3, 0), (4, 0)])
    assert leaving == [area.bits([(1, 0)]), area.bits([(0, 0), (3, 0)]), area.bits([(4, 0)])]


cells = st.tuples(st.integers(-1, 8), st.integers(-1, 8))
bodies = st.lists(cells, min_size=1, max_size=12)


@pytest.mark.full
@given(st.lists(bodies, min_size=1, max_size=8), st.lists(cells, max_size=9), st.sampled_from(["standard", "wrapped", "constrictor"]))
def test_whatever_is_on_the_board_there_is_a_move(snakes, food, mode) -> None:
    you, *others = (snake(f"s{k}", body) for k, body in enumerate(snakes))
    seen = read_seen(asked(you, *others, size=7, food=food, mode=mode))
    assert safe_move(seen) in STEPS
    assert set(islice(looked_ahead(seen, math.inf), 1)) <= set(STEPS)
