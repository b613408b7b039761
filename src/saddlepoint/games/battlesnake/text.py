"""A position as lines of text, its cells as x,y from the bottom left; as lines for a terminal and as a picture; and how a snake died."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NoReturn

from ..interface import DIRECTIONS, Ending, GameError, Mark, Move, Number, Picture, Trail, count_of
from .board import Board, cells_in, stacks_of
from .requests import (
    Cell,
    body_of,
    by_column,
    cell_inside,
    is_json,
    position_of,
    positions_of,
    request_in,
)
from .rules import SIDES, stacked_at, target
from .state import (
    CAUSES,
    FULL_HEALTH,
    HAZARD,
    HEADS,
    MAYBE,
    NO_CELL,
    OTHER,
    SELF,
    STARVED,
    WALL,
    Snake,
    State,
    coiled_of,
    food_due,
    sides_due,
)

_HEADER = re.compile(r"battlesnake (?P<width>\d{1,3})x(?P<height>\d{1,3}) round (?P<round>\d{1,9})")
_SNAKE = re.compile(
    r"snake (?P<player>[01]) health (?P<health>\d{1,9})(?: (?P<cause>[a-z-]+))?: *(?P<cells>.*)"
)
_CELL = re.compile(r"(-?\d{1,3}),(-?\d{1,3})")
_TAKEN = re.compile("taken: " + " ".join(rf"{side} (\d{{1,3}})" for side in SIDES))
_CHANCE = re.compile(r"chance: food (?P<food>maybe|\d{1,6}) sides (?P<sides>\d{1,6})")


def _places(text: str, line: str) -> list[Cell]:
    found = [_CELL.fullmatch(word) or _refuse(line) for word in text.split()]
    return [(int(one[1]), int(one[2])) for one in found]


def _cells(board: Board, text: str, line: str) -> list[int]:
    return [cell_inside(board, place, line) for place in _places(text, line)]


def _refuse(line: str) -> NoReturn:
    raise GameError(
        f"{line[:80]!r} is no line of a position; expected lines such as 'snake 0 health 100: 1,1 1,1 1,1', 'food: 5,5'"
    )


_ARROWS = ("^", ">", "v", "<")
_EMPTY, _FOOD, _HAZARD, _HAZARD_WITH_FOOD = " .", " *", " :", ":*"


_WORDS = {
    HAZARD: "died in a hazard",
    WALL: "left the board",
    SELF: "ran into its own body",
    OTHER: "ran into the other snake",
}


def parameters_in(text: str) -> dict[str, Any]:
    """The game's parameters in a position's text or request; raises GameError for a request that is none."""
    if is_json(text):
        return dict(request_in(text).parameters)
    header = _HEADER.match(text.lstrip())
    return {"width": int(header["width"]), "height": int(header["height"])} if header else {}


class WrittenBoard(Board):
    """A game's board as text, for a terminal and as a picture, and how a snake died on it."""

    def to_text(self, state: State) -> str:
        lines = [f"battlesnake {self.width}x{self.height} round {state.round}"]
        for player in (0, 1):
            snake = self.snake(state, player)
            cause = f" {CAUSES[snake.cause]}" if snake.cause else ""
            lines.append(f"snake {player} health {snake.health}{cause}: {self._cells_text(snake.cells)}")
        lines.append(f"food: {self._cells_text(by_column(self, cells_in(self.grid, state.food)))}".rstrip())
        hazards = by_column(self, stacks_of(self.grid, state))
        if hazards:
            lines.append(f"hazards: {self._cells_text(hazards)}")
        if state.taken:
            lines.append(
                "taken: " + " ".join(f"{side} {state.taken >> 8 * k & 255}" for k, side in enumerate(SIDES))
            )
        if state.due:
            food = food_due(state.due)
            lines.append(f"chance: food {'maybe' if food == MAYBE else food} sides {sides_due(state.due)}")
        return "\n".join(lines)

    def _cells_text(self, cells: Sequence[int]) -> str:
        return " ".join(f"{x},{y}" for x, y in positions_of(self, cells))

    def from_text(self, text: str) -> State:
        """The position of a text, or of a request in JSON; raises GameError."""
        if is_json(text):
            return position_of(self, request_in(text))
        lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
        header = _HEADER.fullmatch(lines[0]) if lines else None
        if header is None:
            raise GameError(
                f"expected a first line such as 'battlesnake 11x11 round 0', not {(lines or [''])[0][:80]!r}"
            )
        if (int(header["width"]), int(header["height"])) != (self.width, self.height):
            raise GameError(
                f"the position is {header['width']}x{header['height']}, the game {self.width}x{self.height}"
            )
        snakes: dict[int, Snake] = {}
        food: list[int] = []
        hazards: list[int] = []
        taken, food_to_come, sides_to_come = (0, 0, 0, 0), 0, 0
        for line in lines[1:]:
            if found := _SNAKE.fullmatch(line):
                player, cause = int(found["player"]), found["cause"] or ""
                if player in snakes or cause not in CAUSES:
                    _refuse(line)
                snakes[player] = Snake(
                    body_of(self, _places(found["cells"], line), line),
                    int(found["health"]),
                    CAUSES.index(cause),
                )
            elif line.startswith("food:"):
                food += _cells(self, line.removeprefix("food:"), line)
            elif line.startswith("hazards:"):
                hazards += _cells(self, line.removeprefix("hazards:"), line)
            elif found := _TAKEN.fullmatch(line):
                left, right, bottom, top = map(int, found.groups())
                taken = left, right, bottom, top
            elif found := _CHANCE.fullmatch(line):
                food_to_come = MAYBE if found["food"] == "maybe" else int(found["food"])
                sides_to_come = int(found["sides"])
            else:
                _refuse(line)
        self.refuse(
            (
                len(snakes) != 2,
                "the position needs two lines, snake 0 and snake 1, such as 'snake 0 health 100: 1,1 1,1 1,1'",
            )
        )
        rounds = int(header["round"])
        for player, snake in snakes.items():
            if not snake.cause and rounds and len(set(snake.cells)) == 1:
                there = self._cells_text(snake.cells[:1])
                raise GameError(
                    f"after {count_of(rounds, 'round')} snake {player} is still coiled up on {there}, and it moves every round"
                )
            if not snake.cause and (eaten := set(snake.cells) & set(food)):
                raise GameError(f"there is food under snake {player} at {self._cells_text(sorted(eaten))}")
        return self.state_of(
            (snakes[0], snakes[1]), food, hazards, rounds, taken, food_to_come, sides_to_come
        )

    # -- what a position looks like ------------------------------------------------------------------------------

    def render(self, state: State) -> str:
        """The rows, two characters a cell: owner and direction of the body, `@` head, `*` food, `:` hazard."""
        grid = self.grid
        marks = dict.fromkeys(cells_in(grid, state.food), _FOOD)
        for cell in stacks_of(grid, state):
            marks[cell] = _HAZARD if marks.get(cell, _HAZARD) == _HAZARD else _HAZARD_WITH_FOOD
        heads: list[int] = []
        lines: list[str] = []
        for player in (0, 1):
            snake = self.snake(state, player)
            cells = snake.cells
            for ahead, cell in reversed(list(pairwise(cells))):
                if cell != ahead:
                    marks[cell] = f"{player}{_ARROWS[self._direction(cell, ahead)]}"
            coiled = int(coiled_of(state.snake1 if player else state.snake0))
            status = f"{player}: health {snake.health}, length {len(cells)}" + (
                f" ({coiled} to unfold)" if coiled else ""
            )
            lines.append(status + (f", dead: {CAUSES[snake.cause]}" if snake.cause else ""))
            heads.append(cells[0])
        for player, head in enumerate(heads):
            if head >= 0:
                marks[head] = "@@" if heads[0] == heads[1] else f"{player}@"
        rows = [
            " ".join(marks.get(grid.cell(x, y), _EMPTY) for x in range(grid.width))
            for y in range(grid.height)
        ]
        return "\n".join([f"round {state.round}", *lines, *rows])

    def _direction(self, cell: int, ahead: int) -> int:
        if ahead < 0:
            return -1 - ahead
        return next(d for d in range(4) if target(self.grid, cell, d, self.wrapped) == ahead)

    def picture(self, state: State) -> Picture:
        """The picture: snakes from tail to head, food, hazards with how often they count, health and length, moves to cells."""
        grid = self.grid
        marks = [
            Mark(*grid.position(cell), "hazard", label=str(times) if times > 1 else "", title="hazard")
            for cell in cells_in(grid, state.hazards)
            for times in [int(stacked_at(grid, state, cell))]
        ]
        marks += [Mark(*grid.position(cell), "food", title="food") for cell in cells_in(grid, state.food)]
        snakes = [(player, self.snake(state, player)) for player in (0, 1)]
        numbers = [
            (
                Number("health", snake.health, player, FULL_HEALTH),
                Number("length", len(snake.cells), player),
            )
            for player, snake in snakes
        ]
        return Picture(
            grid.width,
            grid.height,
            marks=tuple(marks),
            trails=tuple(
                Trail(
                    player,
                    tuple(grid.position(cell) for cell in dict.fromkeys(reversed(snake.cells)) if cell >= 0),
                    head=not snake.cause,
                    moves_on=not self.constrictor,
                )
                for player, snake in snakes
            ),
            numbers=(*numbers[0], *numbers[1]),
            moves=tuple(
                Move(player, action, name, self._place_beside(state, player, action), arrow=name)
                for player in self.players_to_act(state)
                for action, name in enumerate(DIRECTIONS)
            ),
            wraps=self.wrapped,
            text=self.render(state),
        )

    def _place_beside(self, state: State, player: int, direction: int) -> Cell | None:
        there = int(target(self.grid, self.snake(state, player).cells[0], direction, self.wrapped))
        return None if there == NO_CELL else self.grid.position(there)

    # -- of what a snake died ------------------------------------------------------------------------------------

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        return self._fate(states, 0), self._fate(states, 1)

    def _fate(self, states: Sequence[State], player: int) -> Ending | None:
        """The ending of a player's snake after these positions; None while it is alive."""
        dead = self.snake(states[-1], player)
        if not dead.cause:
            return None
        # The position in which the snakes moved for the last time.
        last = next((state for state in reversed(states) if state.round == states[-1].round - 1), None)
        if dead.cause == STARVED:
            return self._starved(states, states[-1] if last is None else last, player)
        if dead.cause == HEADS:
            is_shorter = len(dead.cells) < len(self.snake(states[-1], 1 - player).cells)
            return Ending(
                f"met the other snake head to head, {'which was longer' if is_shorter else 'and neither was longer'}"
            )
        if dead.cause in (WALL, SELF, OTHER) and last is not None and self._is_shut_in(last, player):
            return Ending("was shut in: no way on was left")
        return Ending(_WORDS[dead.cause])

    def _starved(self, states: Sequence[State], last: State, player: int) -> Ending:
        count = len(cells_in(self.grid, last.food))
        food = f"with {count_of(count, 'piece')} of food on the board"
        lengths = [(step, len(self.snake(state, player).cells)) for step, state in enumerate(states)]
        ate = next(
            (step for (_, before), (step, after) in reversed([*pairwise(lengths)]) if after > before), None
        )
        if ate is not None:
            return Ending(f"starved {food}: it had not eaten since turn {states[ate].round}", ate)
        began = self.snake(states[0], player).health == FULL_HEALTH and states[0].round == 0
        return Ending(f"starved {food}" + (": it never ate" if began else ""), 0)

    def _is_shut_in(self, state: State, player: int) -> bool:
        """Whether every way on led off the board or into a body; a tail that moves on is none."""
        snakes = [self.snake(state, one).cells for one in (0, 1)]
        taken = {NO_CELL, *snakes[0][:-1], *snakes[1][:-1]}  # a tail that stays is listed twice
        return all(int(target(self.grid, snakes[player][0], way, self.wrapped)) in taken for way in range(4))
