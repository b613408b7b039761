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


ME = snake("me", [(5, 5), (5, 4), (5, 3)])
CORNERED = snake("me", [(0, 0), (1, 0), (2, 0)])
AFAR = snake("b", [(8, 8), (8, 9)])
MOVES = [
    pytest.param(
        asked(CORNERED, snake("b", [(5, 5), (5, 6), (5, 7)])), ["up"], id="no walls and no own body"
    ),
    pytest.param(
        asked(
            snake("me", [(3, 3), (3, 2), (3, 1)]),
            snake("b", [(2, 5), (2, 4), (2, 3), (2, 2)]),
            snake("c", [(4, 6), (4, 5), (4, 4), (4, 3), (4, 2)]),
        ),
        ["up"],
        id="no other bodies",
    ),
    pytest.param(
        asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1)]), AFAR), ["up"], id="a tail that moves on is free"
    ),
    pytest.param(
        asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 1)]), AFAR),
        STEPS,
        id="any where every move kills",
    ),
    *(
        pytest.param(
            asked(ME, snake("b", [(5, y) for y in range(7, end)])),
            ["right", "left"],
            id=f"no cell that a head as long or longer may come to: {end - 7} cells",
        )
        for end in (10, 11)
    ),
    pytest.param(
        asked(
            ME,
            snake("b", [(3, 5), (2, 5)]),
            snake("c", [(6, 6), (7, 6), (8, 6), (9, 6), (10, 6)]),
        ),
        ["left"],
        id="nor that of a third snake",
    ),
    pytest.param(
        asked(
            ME | {"health": 1},
            snake("b", [(0, 10), (0, 9), (0, 8)]),
            food=[(6, 5)],
        ),
        ["right"],
        id="food before starving",
    ),
    pytest.param(
        asked(
            ME | {"health": 15},
            snake("b", [(0, 10), (0, 9)]),
            hazards=[(5, 6), (4, 5)],
        ),
        ["right"],
        id="no deadly hazard",
    ),
    pytest.param(
        asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]), AFAR, mode="wrapped"),
        ["left", "down"],
        id="across an edge where it is wrapped",
    ),
    *(
        pytest.param(asked(CORNERED, *others, size=size), ["up"], id=f"{1 + len(others)} on {size}x{size}")
        for size in (11, 1000)  # which is too large for the rules
        for others in ([], [snake("b", [(size - 1, size - 1), (size - 1, size - 2)])])
    ),
    pytest.param(asked(snake("me", [(0, 0)]), size=1), ["up"], id="somewhere where there is nowhere to go"),
]


@pytest.mark.parametrize(("told", "moves"), MOVES)
def test_the_safe_move_is(told, moves) -> None:
    assert safe_move(told) in moves


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
