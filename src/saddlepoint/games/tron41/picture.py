"""What a position of Tron-41 looks like."""

from collections.abc import Iterable, Mapping

from ...boards.grid import Grid, neighbour
from ...picture import Cell, Mark, Move, Number, Picture, Piece, Trail
from .layout import ARMOR, BARRIER, BOMB, SPEED, TRAP, WALL
from .rules import FAST_MOVES
from .state import State
from .text import board_rows

_POWERUPS = {
    TRAP: ("T", "trap: three barriers around the opponent"),
    SPEED: ("S", "speed: four moves that keep the turn"),
    BOMB: ("B", "bomb: clears the barriers around it"),
    ARMOR: ("A", "armor: enters one barrier unharmed"),
}
_ARROWS = ("up", "right", "down", "left")


def picture_of(
    grid: Grid, state: State, names: Mapping[int, tuple[int, str]], pending: Iterable[Cell], text: str
) -> Picture:
    """The picture: `names` are player and name of the legal actions, `pending` the (row, column) cells on the map that a
    trap may take.
    """
    walls: list[Cell] = []
    barriers: list[Piece] = []
    marks: list[Mark] = []
    for y, row in enumerate(board_rows(grid, state)[1:-1]):
        for x, mark in enumerate(row[1:-1]):
            if mark == WALL:
                walls.append((x, y))
            elif mark == BARRIER:
                barriers.append(Piece(x, y, None, "square", title="barrier"))
            elif mark in _POWERUPS:
                label, title = _POWERUPS[mark]
                marks.append(Mark(x, y, "bonus", None, label, title))
    marks += [Mark(column - 1, row - 1, "hazard", title="a trap may fall here") for row, column in pending]
    heads = (int(state.head0), int(state.head1))
    moves: list[Move] = []
    for action, (player, name) in names.items():
        there = neighbour(grid, heads[player], action)
        moves.append(Move(player, action, name, grid.position(there) if there >= 0 else None, arrow=_ARROWS[action]))
    armor, speed = (state.armor0, state.armor1), (state.speed0, state.speed1)
    return Picture(
        grid.width, grid.height, walls=tuple(walls), pieces=tuple(barriers), marks=tuple(marks), moves=tuple(moves), text=text,
        trails=tuple(Trail(player, (grid.position(head),)) for player, head in enumerate(heads) if head >= 0),
        numbers=tuple(
            number
            for player in (0, 1)
            for number in (Number("armor", int(armor[player]), player, 1), Number("fast moves", int(speed[player]), player, FAST_MOVES))
        ),
        column_names=tuple(str(x + 1) for x in range(grid.width)), row_names=tuple(str(y + 1) for y in range(grid.height)),
    )  # fmt: skip
