"""The safe move, in the place of a player: by the rules of Battlesnake where they have the position, else onto a free cell."""

import pytest
from hypothesis import given, strategies as st

from helpers.snake_requests import asked, snake
from saddlepoint.games.battlesnake import thinking
from saddlepoint.games.battlesnake.requests import STEPS, read_request
from saddlepoint.games.battlesnake.thinking import rules_of


def safe_move(told) -> str:
    """The safe move of a request."""
    seen = read_request(told)
    return thinking.safe_move(seen, rules_of(seen))


def test_neither_walls_nor_bodies() -> None:
    assert (
        safe_move(asked(snake("me", [(0, 0), (1, 0), (2, 0)]), snake("b", [(5, 5), (5, 6), (5, 7)]))) == "up"
    )
    third = snake("c", [(4, 6), (4, 5), (4, 4), (4, 3), (4, 2)])
    assert (
        safe_move(
            asked(snake("me", [(3, 3), (3, 2), (3, 1)]), snake("b", [(2, 5), (2, 4), (2, 3), (2, 2)]), third)
        )
        == "up"
    )


def test_a_tail_that_moves_on_is_free_and_a_doubled_one_is_not() -> None:
    other = snake("b", [(8, 8), (8, 9)])
    assert safe_move(asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1)]), other)) == "up"
    assert (
        safe_move(asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 1)]), other)) in STEPS
    )  # every move kills


def test_a_longer_head_is_avoided_and_one_as_long() -> None:
    for body in ([(5, 7), (5, 8), (5, 9), (5, 10)], [(5, 7), (5, 8), (5, 9)]):
        assert safe_move(asked(snake("me", [(5, 5), (5, 4), (5, 3)]), snake("b", body))) != "up"


def test_the_longer_head_of_a_third_snake_is_avoided() -> None:
    third = snake("c", [(6, 6), (7, 6), (8, 6), (9, 6), (10, 6)])
    assert (
        safe_move(asked(snake("me", [(5, 5), (5, 4), (5, 3)]), snake("b", [(3, 5), (2, 5)]), third)) == "left"
    )


def test_food_before_starving() -> None:
    told = asked(
        snake("me", [(5, 5), (5, 4), (5, 3)], health=1), snake("b", [(0, 10), (0, 9), (0, 8)]), food=[(6, 5)]
    )
    assert safe_move(told) == "right"


def test_a_deadly_hazard_is_avoided() -> None:
    told = asked(
        snake("me", [(5, 5), (5, 4), (5, 3)], health=15),
        snake("b", [(0, 10), (0, 9)]),
        hazards=[(5, 6), (4, 5)],
    )
    assert safe_move(told) == "right"


def test_across_an_edge_where_it_is_wrapped() -> None:
    told = asked(
        snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]), snake("b", [(8, 8), (8, 9)]), mode="wrapped"
    )
    assert safe_move(told) in ("left", "down")


@pytest.mark.parametrize("size", [11, 1000])
def test_alone_on_the_board_and_on_one_that_is_too_large_for_the_rules(size: int) -> None:
    assert safe_move(asked(snake("me", [(0, 0), (1, 0), (2, 0)]), size=size)) == "up"
    last = size - 1
    assert (
        safe_move(
            asked(
                snake("me", [(0, 0), (1, 0), (2, 0)]), snake("b", [(last, last), (last, last - 1)]), size=size
            )
        )
        == "up"
    )


def test_where_there_is_nowhere_to_go() -> None:
    assert safe_move(asked(snake("me", [(0, 0)]), size=1)) == "up"


cells = st.tuples(st.integers(-1, 8), st.integers(-1, 8))
bodies = st.lists(cells, min_size=1, max_size=12)


@pytest.mark.full
@given(
    st.lists(bodies, min_size=1, max_size=8),
    st.lists(cells, max_size=9),
    st.lists(cells, max_size=9),
    st.integers(0, 100),
    st.sampled_from(["standard", "wrapped", "constrictor", "royale", "unknown"]),
)
def test_whatever_is_on_the_board_there_is_a_move(snakes, food, hazards, health, mode) -> None:
    you, *others = (snake(f"s{k}", body, health) for k, body in enumerate(snakes))
    assert safe_move(asked(you, *others, size=7, food=food, hazards=hazards, mode=mode)) in STEPS
