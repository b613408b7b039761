"""The arrow keys among moves."""

from saddlepoint.cli.screen.play import middle, neighbour
from saddlepoint.game.picture import Cell, Move


def moves(*cells: Cell | None) -> list[Move]:
    return [Move(0, number, str(number), cell) for number, cell in enumerate(cells)]


def test_it_begins_in_the_middle_and_goes_to_the_nearest_cell() -> None:
    choices = moves((0, 0), (2, 0), (2, 2), (3, 2), (4, 4))
    at = middle(choices)
    assert choices[at].to == (2, 2)
    for way, cell in (
        ("right", (3, 2)),
        ("right", (4, 4)),
        ("left", (3, 2)),
        ("up", (2, 0)),
        ("up", (2, 0)),
        ("left", (0, 0)),
    ):
        at = neighbour(choices, at, way)
        assert choices[at].to == cell


def test_below_the_board_is_the_list_of_moves_without_a_cell() -> None:
    choices = moves((0, 0), (1, 0), (1, 0), None, None)
    assert neighbour(choices, 1, "left") == 0
    assert neighbour(choices, 0, "down") == 3
    assert neighbour(choices, 3, "down") == 4
    assert neighbour(moves((0, 0)), 0, "down") == 0


def test_a_list_is_gone_through_and_nothing_is_nothing() -> None:
    choices = moves(None, None, None)
    assert neighbour(choices, 0, "up") == 2
    assert neighbour(choices, 2, "down") == 0
    assert middle(choices) == middle(()) == 0
