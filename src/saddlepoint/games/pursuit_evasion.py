"""Pursuit and evasion on a grid: one evader and two pursuers, all of whom move at once; the evader must stay free for a number of moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from .interface import (
    DIRECTIONS,
    SIMULTANEOUS,
    TERMINAL,
    Ending,
    Game,
    Grid,
    Move,
    Number,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    count_of,
    grid_symmetries,
    image_of_cell,
    kernel,
    neighbour,
    parameter,
    read_places,
)


class State(NamedTuple):
    """A position; cells are indices of the game's grid."""

    evader: int
    pursuer0: int
    pursuer1: int
    moves: int
    """Moves made so far."""
    caught: bool


@dataclass(frozen=True)
class PursuitEvasion(Game):
    """Player 0 is the evader on a grid of `width` x `height` cells, player 1 moves both pursuers; nobody may stay.

    The evader is caught by a pursuer on its cell, or by one that crosses the same edge; it wins if it is free after `depth` moves.
    An action is a direction, 0 up, 1 right, 2 down, 3 left; the pursuers' is that of the first times 4 plus that of the second.
    `start` is "corners" (the evader in the middle, the pursuers top left and bottom right) or three cells, such as "2,2 0,0 3,0".

    >>> from saddlepoint import PursuitEvasion
    >>> game = PursuitEvasion(depth=2)
    >>> state = game.initial_state()
    >>> [len(game.legal_actions(state, player)) for player in (0, 1)]
    [4, 4]
    """

    width: int = 4
    height: int = 4
    depth: int = 4
    start: str = parameter("corners")

    name: ClassVar[str] = "pursuit_evasion"
    title: ClassVar[str] = "Pursuit and Evasion"
    summary: ClassVar[str] = "two pursuers and an evader move at once on a grid; who is free to the end wins"
    group: ClassVar[str] = "Laboratory"
    how_to_play: ClassVar[Sequence[str]] = (
        "One player moves the evader, the other one both pursuers, all at the same time; nobody may stay.",
        "The evader is caught if a pursuer reaches its cell, or meets it on the way between two cells.",
        "Who is free until the last move wins.",
    )
    ranges: ClassVar[Ranges] = {"width": (2, 32), "height": (2, 32), "depth": (1, 1000)}
    max_actions: ClassVar[int] = 16

    def __post_init__(self) -> None:
        self.check_parameters(**self.ranges)
        self.initial_state()

    @property
    def grid(self) -> Grid:
        """The field's geometry."""
        return Grid(self.width, self.height)

    @property
    def max_depth(self) -> int:
        return self.depth

    def initial_state(self) -> State:
        places: tuple[tuple[int, int], ...] = (
            (self.width // 2, self.height // 2),
            (0, 0),
            (self.width - 1, self.height - 1),
        )
        if self.start != "corners":
            words = self.start.split()
            places = tuple(
                place for word in words for place in read_places(word, self.width, self.height, "start")
            )
        self.refuse(
            (
                len(places) != 3 or places[0] in places[1:],
                f"start must be corners, or the evader's cell and two others such as '0,0 3,3 3,2', not {self.start!r}",
            )
        )
        evader, first, second = (self.grid.cell(*place) for place in places)
        return State(evader, first, second, 0, False)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.caught or state.moves >= self.depth else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        if player == 0:
            for direction in range(4):
                if neighbour(self.grid, state.evader, direction) >= 0:
                    out[count] = direction
                    count += 1
            return count
        for first in range(4):
            if neighbour(self.grid, state.pursuer0, first) >= 0:
                for second in range(4):
                    if neighbour(self.grid, state.pursuer1, second) >= 0:
                        out[count] = 4 * first + second
                        count += 1
        return count

    @kernel
    def next_state(self, state, action0, action1):
        evader = neighbour(self.grid, state.evader, action0)
        pursuer0 = neighbour(self.grid, state.pursuer0, action1 // 4)
        pursuer1 = neighbour(self.grid, state.pursuer1, action1 % 4)
        caught = evader in (pursuer0, pursuer1)
        caught |= evader == state.pursuer0 and pursuer0 == state.evader
        caught |= evader == state.pursuer1 and pursuer1 == state.evader
        return State(evader, pursuer0, pursuer1, state.moves + 1, caught)

    @kernel
    def returns(self, state):
        return -1.0 if state.caught else 1.0

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        moves = "its last move" if self.depth == 1 else f"all {self.depth} moves"
        return Ending("was caught" if states[-1].caught else f"was free after {moves}"), None

    def symmetries(self, state: State) -> list[Symmetry]:
        """Reflections and half turn of the grid (all eight of a square one); the pursuers may change places."""
        found: list[Symmetry] = []
        for motion in grid_symmetries(self.grid):
            turned = motion.directions
            evader, *pursuers = (motion.cell(int(cell)) for cell in state[:3])
            for exchanged in (False, True):
                if motion.is_identity and not exchanged:
                    continue
                joint = [(turned[a], turned[b]) for a in range(4) for b in range(4)]
                actions1 = tuple(4 * (b if exchanged else a) + (a if exchanged else b) for a, b in joint)
                first, second = pursuers[::-1] if exchanged else pursuers
                found.append(
                    Symmetry(State(evader, first, second, state.moves, state.caught), turned, actions1, False)
                )
        return found

    @kernel
    def canonical(self, state):
        """The image with the least cells, the evader's first."""
        evader, first, second = state.evader, state.pursuer0, state.pursuer1
        for motion in range(self.grid.motion_count):
            here = image_of_cell(self.grid, state.evader, motion)
            one, two = (
                image_of_cell(self.grid, state.pursuer0, motion),
                image_of_cell(self.grid, state.pursuer1, motion),
            )
            one, two = min(one, two), max(one, two)
            if (here, one, two) < (evader, first, second):
                evader, first, second = here, one, two
        return State(evader, first, second, state.moves, state.caught), False

    # -- text and picture --------------------------------------------------------------------------------------------

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return DIRECTIONS[action] if player == 0 else f"{DIRECTIONS[action // 4]} {DIRECTIONS[action % 4]}"

    def from_text(self, text: str) -> State:
        state = super().from_text(text)
        known = {self.grid.cell(x, y) for x in range(self.width) for y in range(self.height)}
        met = state.evader in (state.pursuer0, state.pursuer1)
        self.refuse(
            (
                set(state[:3]) - known or not 0 <= state.moves <= self.depth or (met and not state.caught),
                f"no position of this pursuit on {self.width}x{self.height} cells: {text.strip()!r}",
            )
        )
        for who, here, start in zip(State._fields, state[:3], self.initial_state()[:3], strict=False):
            (x, y), (x0, y0) = self.grid.position(here), self.grid.position(start)
            far = abs(x - x0) + abs(y - y0)
            self.refuse(
                (
                    far > state.moves or (far - state.moves) % 2,
                    f"nobody may stay, so {count_of(state.moves, 'move')} cannot bring {who} from {x0},{y0} to {x},{y}",
                )
            )
        beside = [neighbour(self.grid, state.evader, direction) for direction in range(4)]
        self.refuse(
            (
                state.caught and not met and {state.pursuer0, state.pursuer1}.isdisjoint(beside),
                "no pursuer is at the evader or beside it, so it is not caught",
            )
        )
        return state

    def render(self, state: State) -> str:
        marks = {self.grid.position(int(cell)): "P" for cell in state[1:3]}
        place = self.grid.position(int(state.evader))
        marks[place] = "*" if place in marks else "E"
        rows = [" ".join(marks.get((x, y), ".") for x in range(self.width)) for y in range(self.height)]
        return "\n".join([*rows, f"moves {state.moves} of {self.depth}{'   caught' if state.caught else ''}"])

    def picture(self, state: State) -> Picture:
        pursuers = [
            Piece(*self.grid.position(int(cell)), 1, "square", title="a pursuer") for cell in state[1:3]
        ]
        place = self.grid.position(int(state.evader))
        evader = Piece(
            *place,
            0,
            "cross" if state.caught else "disc",
            title="the evader, caught" if state.caught else "the evader",
        )
        return Picture(
            self.width,
            self.height,
            pieces=(*pursuers, evader),
            numbers=(Number("moves", int(state.moves), most=self.depth),),
            text=self.render(state),
            moves=tuple(
                self._pictured(state, p, a)
                for p in self.players_to_act(state)
                for a in self.legal_actions(state, p)
            ),
        )

    def _pictured(self, state: State, player: int, action: int) -> Move:
        name = self.action_to_string(state, player, action)
        if player == 1:
            return Move(player, action, name)
        return Move(
            player,
            action,
            name,
            self.grid.position(neighbour(self.grid, int(state.evader), action)),
            arrow=name,
        )
