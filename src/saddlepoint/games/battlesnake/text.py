"""Positions as text: a line for each snake, its head first, with cells as x,y from the bottom left."""

import re
from typing import Any, NoReturn

from ...game import GameError
from .board import Board
from .body import cells_in, stacks_of
from .chance import SIDES
from .requests import is_request, loaded, parameters_of, position_of
from .state import CAUSES, MAYBE, OFF_BOARD, Snake, State, food_due, sides_due

_HEADER = re.compile(r"battlesnake (?P<width>\d{1,3})x(?P<height>\d{1,3}) round (?P<round>\d{1,9})")
_SNAKE = re.compile(r"snake (?P<player>[01]) health (?P<health>\d{1,9})(?: (?P<cause>[a-z-]+))?: *(?P<cells>.*)")
_CELL = re.compile(r"(-?\d{1,3}),(-?\d{1,3})")
_TAKEN = re.compile("taken: " + " ".join(rf"{side} (\d{{1,3}})" for side in SIDES))
_CHANCE = re.compile(r"chance: food (?P<food>maybe|\d{1,6}) sides (?P<sides>\d{1,6})")
_EXPECTED = "battlesnake 11x11 round 0"


def written(board: Board, state: State) -> str:
    """The position as lines of text."""
    lines = [f"battlesnake {board.width}x{board.height} round {state.round}"]
    for player in (0, 1):
        snake = board.snake(state, player)
        cause = f" {CAUSES[snake.cause]}" if snake.cause else ""
        lines.append(f"snake {player} health {snake.health}{cause}: {_cells_text(board, snake.cells)}")
    lines.append(f"food: {_cells_text(board, by_column(board, cells_in(board.grid, state.food)))}".rstrip())
    hazards = by_column(board, stacks_of(board.grid, state))
    if hazards:
        lines.append(f"hazards: {_cells_text(board, hazards)}")
    if state.taken:
        lines.append("taken: " + " ".join(f"{side} {state.taken >> 8 * k & 255}" for k, side in enumerate(SIDES)))
    if state.due:
        food = food_due(state.due)
        lines.append(f"chance: food {'maybe' if food == MAYBE else food} sides {sides_due(state.due)}")
    return "\n".join(lines)


def by_column(board: Board, cells: list[int]) -> list[int]:
    """Cells ordered by x, then by y, as official lists are."""
    return sorted(cells, key=board.position)


def _cells_text(board: Board, cells: "list[int] | tuple[int, ...]") -> str:
    words: list[str] = []
    for at, cell in enumerate(cells):
        x, y = board.position(cell) if cell >= 0 else board.beyond(cells[at + 1], OFF_BOARD - cell)
        words.append(f"{x},{y}")
    return " ".join(words)


def read(board: Board, royale: bool, text: str) -> State:
    """The position of a text, or of a request in JSON; raises GameError."""
    if is_request(text):
        return position_of(board, royale, text)
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    header = _HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise GameError(f"expected a first line such as {_EXPECTED!r}, not {(lines or [''])[0][:80]!r}")
    if (int(header["width"]), int(header["height"])) != (board.width, board.height):
        raise GameError(f"the position is {header['width']}x{header['height']}, the game {board.width}x{board.height}")
    snakes: dict[int, Snake] = {}
    food: list[int] = []
    hazards: list[int] = []
    taken, food_to_come, sides_to_come = (0, 0, 0, 0), 0, 0
    for line in lines[1:]:
        if found := _SNAKE.fullmatch(line):
            player, cause = int(found["player"]), found["cause"] or ""
            if player in snakes or cause not in CAUSES:
                _refuse(line)
            snakes[player] = Snake(_cells(board, found["cells"], line, head=True), int(found["health"]), CAUSES.index(cause))
        elif line.startswith("food:"):
            food += _cells(board, line.removeprefix("food:"), line)
        elif line.startswith("hazards:"):
            hazards += _cells(board, line.removeprefix("hazards:"), line)
        elif found := _TAKEN.fullmatch(line):
            left, right, bottom, top = map(int, found.groups())
            taken = left, right, bottom, top
        elif found := _CHANCE.fullmatch(line):
            food_to_come = MAYBE if found["food"] == "maybe" else int(found["food"])
            sides_to_come = int(found["sides"])
        else:
            _refuse(line)
    if len(snakes) != 2:
        raise GameError("the position needs two lines, snake 0 and snake 1, such as 'snake 0 health 100: 1,1 1,1 1,1'")
    return board.state_of((snakes[0], snakes[1]), food, hazards, int(header["round"]), taken, food_to_come, sides_to_come)


def told_parameters(text: str) -> dict[str, Any]:
    """The game's parameters that a position's text or request tells; raises GameError for a request that is none."""
    if is_request(text):
        return parameters_of(loaded(text))
    header = _HEADER.match(text.lstrip())
    return {"width": int(header["width"]), "height": int(header["height"])} if header else {}


def _cells(board: Board, text: str, line: str, head: bool = False) -> tuple[int, ...]:
    """The cells of a list; with `head` the first may be off the board, next to the second."""
    found = [_CELL.fullmatch(word) or _refuse(line) for word in text.split()]
    places = [(int(one[1]), int(one[2])) for one in found]
    if head and len(places) > 1 and not board.is_inside(*places[0]) and board.is_inside(*places[1]):
        (x, y), neck = places[0], board.cell(*places[1])
        for direction in range(4):
            if board.beyond(neck, direction) == (x, y):
                return (OFF_BOARD - direction, *(_inside(board, cell, line) for cell in places[1:]))
    return tuple(_inside(board, cell, line) for cell in places)


def _inside(board: Board, place: tuple[int, int], line: str) -> int:
    if not board.is_inside(*place):
        raise GameError(f"{place[0]},{place[1]} is off the {board.width}x{board.height} board: {line[:80]!r}")
    return board.cell(*place)


def _refuse(line: str) -> NoReturn:
    raise GameError(f"{line[:80]!r} is no line of a position; expected lines such as 'snake 0 health 100: 1,1 1,1 1,1', 'food: 5,5'")
