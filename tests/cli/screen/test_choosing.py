"""The arrow keys among moves."""

from saddlepoint.cli.screen.choosing import Choosing
from saddlepoint.picture import Cell, Move


def moves(*cells: Cell | None) -> list[Move]:
    return [Move(0, number, str(number), cell) for number, cell in enumerate(cells)]


def test_it_begins_in_the_middle_and_goes_to_the_nearest_cell() -> None:
    choosing = Choosing(moves((0, 0), (2, 2), (4, 4), (3, 2), (2, 0)))
    assert choosing.cell == (2, 2)
    for way, cell in (("right", (3, 2)), ("right", (4, 4)), ("left", (3, 2)), ("up", (2, 0)), ("up", (2, 0)), ("left", (0, 0))):
        choosing.go(way)
        assert choosing.cell == cell


def test_every_move_is_reached_also_those_of_one_cell_and_those_without() -> None:
    choosing = Choosing(moves((1, 0), None, (0, 0), (1, 0), None))
    seen = set()
    for _ in range(5):
        assert choosing.move is not None
        seen.add(choosing.move.action)
        choosing.next()
    assert seen == {0, 1, 2, 3, 4}
    while choosing.move is None or choosing.move.action != 2:
        choosing.next()
    choosing.go("down")  # below the board is the list
    assert choosing.move is not None and choosing.move.to is None
    choosing.go("down")
    choosing.go("up")
    choosing.go("up")
    assert choosing.cell == (1, 0)


def test_a_list_is_gone_through_and_nothing_is_nothing() -> None:
    choosing = Choosing(moves(None, None, None))
    choosing.go("up")
    assert choosing.move is not None and choosing.move.action == 2
    choosing.go("down")
    assert choosing.at == 0
    empty = Choosing(())
    empty.go("up")
    empty.next()
    assert empty.move is None and empty.cell is None and empty.arrows == {}


def test_directions_have_arrows_only_if_all_have() -> None:
    assert set(Choosing([Move(0, 0, "up", arrow="up"), Move(0, 1, "left", arrow="left")]).arrows) == {"up", "left"}
    assert Choosing([Move(0, 0, "up", arrow="up"), Move(0, 1, "pass")]).arrows == {}
