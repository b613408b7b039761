"""Othello on 4 x 4, 6 x 6 or 8 x 8 cells, on bitboards: discs that are enclosed are turned over, the most discs win."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..interface import (
    TERMINAL,
    Game,
    Grid,
    KaggleGame,
    Move,
    Number,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    bit,
    grid_symmetries,
    jit_inline,
    kernel,
    least_image,
    parameter,
    popcount,
)

PASS = 64
"""The action of a player that can place no disc, while the other can."""
_STRIDE = 8
_MARKS = "xo"
_FIRST_COLUMN, _LAST_COLUMN = 0x0101010101010101, 0x8080808080808080


@jit_inline
def shifted(discs, direction):
    """The discs one cell on in one of 8 directions, 0 to the right and on clockwise; none comes in at the other side."""
    if direction in (7, 0, 1):
        discs &= ~np.uint64(_LAST_COLUMN)
    elif direction in (3, 4, 5):
        discs &= ~np.uint64(_FIRST_COLUMN)
    # A row is 8 bits further, the cell beside it 7 or 9, and the four directions back are the opposite ones of the first four.
    way = direction & 3
    step = np.uint64(1 if way == 0 else 10 - way)
    return discs << step if direction < 4 else discs >> step


@jit_inline
def around(cells):
    """The cells next to these, in any of the 8 directions."""
    beside = shifted(cells, 0) | shifted(cells, 4)
    row = cells | beside
    return beside | shifted(row, 2) | shifted(row, 6)


@jit_inline
def sides(size, board):
    """The outermost rows and the outermost columns."""
    last = np.uint64(size - 1)
    row = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    column = np.uint64(_FIRST_COLUMN) & board
    return row | row << (np.uint64(8) * last), column | column << last


@jit_inline
def stable(rows, columns, discs):
    """Discs with a neighbour that is stable, or the edge, on one side at least along each of the four lines."""
    edge = rows | columns
    found = np.uint64(0)
    reached = discs & rows & columns
    while reached != found:
        found = reached
        along = columns | shifted(found, 0) | shifted(found, 4)
        upright = rows | shifted(found, 2) | shifted(found, 6)
        falling = edge | shifted(found, 1) | shifted(found, 5)
        rising = edge | shifted(found, 3) | shifted(found, 7)
        reached = discs & along & upright & falling & rising
    return found


class State(NamedTuple):
    """Both players' discs; cell (x, y) is bit 8 * y + x, whatever the size."""

    discs0: np.uint64
    discs1: np.uint64
    turn: int
    """The player to move."""


@dataclass(frozen=True)
class Othello(Game):
    """`size` x `size` cells; player 0 has the black discs and begins. Action a places a disc on cell (a % 8, a // 8), 64 passes.

    A disc must enclose some of the other's in a straight line, which are turned over. Who can place none passes; it ends when neither
    can. `utility` is "win" (+1, 0, -1) or "discs" (player 0's minus player 1's).
    """

    size: int = 8
    utility: str = parameter("win")

    name: ClassVar[str] = "othello"
    summary: ClassVar[str] = "enclosed discs are turned over, in turn; the most discs win"
    group: ClassVar[str] = "Boards"
    how_to_play: ClassVar[Sequence[str]] = (
        "In turn, place a disc so that it and another of your discs enclose discs of the other in a straight line.",
        "All discs that are enclosed so turn over and are yours. Black begins.",
        "Who can place no disc passes. When neither can, the game ends, and the most discs win.",
        "Option: with utility discs the result is the difference in discs.",
    )
    ranges: ClassVar[Ranges] = {"size": (4, 8), "utility": ("win", "discs")}
    parameter_titles: ClassVar[Mapping[str, str]] = {"utility": "Result"}

    def __post_init__(self) -> None:
        self.check_parameters(size=(4, 6, 8), utility=("win", "discs"))

    @property
    def max_actions(self) -> int:
        return self.size * self.size

    @property
    def distinct_actions(self) -> int:
        """The cells of the largest board, and the pass."""
        return PASS + 1

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        return 2, self.size, self.size

    @property
    def max_depth(self) -> int:
        return 2 * (self.size * self.size - 4)

    @property
    def by_discs(self) -> bool:
        return self.utility == "discs"

    @property
    def max_utility(self) -> float:
        return float(self.size * self.size) if self.by_discs else 1.0

    @property
    def min_utility(self) -> float:
        return -self.max_utility

    @property
    def board(self) -> np.uint64:
        """All cells."""
        return np.uint64(sum(((1 << self.size) - 1) << _STRIDE * y for y in range(self.size)))

    def initial_state(self) -> State:
        low = self.size // 2 - 1
        black = 1 << (_STRIDE * low + low + 1) | 1 << (_STRIDE * (low + 1) + low)
        white = 1 << (_STRIDE * low + low) | 1 << (_STRIDE * (low + 1) + low + 1)
        return State(np.uint64(black), np.uint64(white), 0)

    @kernel
    def placements(self, own, other):
        """The cells on which a disc encloses some of the other's."""
        empty = self.board & ~(own | other)
        found = np.uint64(0)
        for direction in range(8):
            run = shifted(own, direction) & other
            for _ in range(self.size - 3):
                run |= shifted(run, direction) & other
            found |= shifted(run, direction) & empty
        return found

    @kernel
    def turned(self, own, other, disc):
        """The other's discs that a disc placed there encloses."""
        found = np.uint64(0)
        for direction in range(8):
            run, at = np.uint64(0), shifted(disc, direction)
            while at & other != np.uint64(0):
                run |= at
                at = shifted(at, direction)
            if at & own != np.uint64(0):
                found |= run
        return found

    @kernel
    def features(self, state, player):
        """How well the player stands: placements; empty cells next to the other's discs, which may become placements; discs that nobody
        can turn over any more; discs diagonally next to an empty corner, and directly; whether an odd number of cells is empty."""
        own, other = (state.discs0, state.discs1) if player == 0 else (state.discs1, state.discs0)
        empty = self.board & ~(own | other)
        rows, columns = sides(self.size, self.board)
        open_ = rows & columns & empty
        beside = shifted(open_, 0) | shifted(open_, 2) | shifted(open_, 4) | shifted(open_, 6)
        across = shifted(open_, 1) | shifted(open_, 3) | shifted(open_, 5) | shifted(open_, 7)
        return (
            popcount(self.placements(own, other)),
            popcount(around(other) & empty),
            popcount(stable(rows, columns, own)),
            popcount(own & across),
            popcount(own & beside),
            popcount(empty) & 1,
        )

    @kernel
    def planes(self, state, player, out):
        """The player's own discs, and the other's."""
        own, other = (state.discs0, state.discs1) if player == 0 else (state.discs1, state.discs0)
        for y in range(self.size):
            for x in range(self.size):
                cell = np.uint64(_STRIDE * y + x)
                out[0, y, x] = (own >> cell) & np.uint64(1)
                out[1, y, x] = (other >> cell) & np.uint64(1)

    @kernel
    def current_player(self, state):
        if self.placements(state.discs0, state.discs1) == np.uint64(0):
            if self.placements(state.discs1, state.discs0) == np.uint64(0):
                return TERMINAL
        return state.turn

    @kernel
    def legal_actions(self, state, player, out):
        own, other = (state.discs0, state.discs1) if player == 0 else (state.discs1, state.discs0)
        cells, count = self.placements(own, other), 0
        for cell in range(PASS):
            if cells & bit(cell) != np.uint64(0):
                out[count] = cell
                count += 1
        if count == 0:
            out[0] = PASS
            return 1
        return count

    @kernel
    def next_state(self, state, action):
        if action == PASS:
            return State(state.discs0, state.discs1, 1 - state.turn)
        disc = bit(action)
        own, other = (state.discs0, state.discs1) if state.turn == 0 else (state.discs1, state.discs0)
        turned = self.turned(own, other, disc)
        own, other = own | turned | disc, other & ~turned
        return State(own, other, 1) if state.turn == 0 else State(other, own, 0)

    @kernel
    def returns(self, state):
        lead = popcount(state.discs0) - popcount(state.discs1)
        return float(lead) if self.by_discs else float(int(lead > 0) - int(lead < 0))

    def why_over(self, state: State) -> str:
        black, white = (int(discs).bit_count() for discs in state[:2])
        full = black + white == self.size * self.size
        return f"{'The board is full' if full else 'Neither player can place a disc'}: {black} black discs, {white} white."

    def symmetries(self, state: State) -> list[Symmetry]:
        """The motions of the square, also with the players exchanged."""
        found: list[Symmetry] = []
        for motion in grid_symmetries(Grid(self.size, self.size)):
            cells = {
                y * _STRIDE + x: motion.cell(y * _STRIDE + x)
                for y in range(self.size)
                for x in range(self.size)
            }
            actions = (*(cells.get(cell, cell) for cell in range(PASS)), PASS)
            discs = [
                np.uint64(sum(1 << image for cell, image in cells.items() if int(own) >> cell & 1))
                for own in state[:2]
            ]
            if not motion.is_identity:
                found.append(Symmetry(State(discs[0], discs[1], state.turn), actions, actions, False))
            found.append(Symmetry(State(discs[1], discs[0], 1 - state.turn), actions, actions, True))
        return found

    @kernel
    def canonical(self, state):
        """With player 0 to move, the image with the least discs."""
        own, other = (state.discs0, state.discs1) if state.turn == 0 else (state.discs1, state.discs0)
        own, other = least_image(own, other, self.size)
        return State(own, other, 0), state.turn == 1

    # -- text and picture --------------------------------------------------------------------------------------------

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return "pass" if action == PASS else f"{chr(ord('a') + action % _STRIDE)}{action // _STRIDE + 1}"

    def rows(self, state: State) -> list[str]:
        """The cells by rows from the top: `x` player 0's, `o` player 1's, `.` empty."""

        def mark(cell: int) -> str:
            return "x" if int(state.discs0) >> cell & 1 else "o" if int(state.discs1) >> cell & 1 else "."

        return ["".join(mark(_STRIDE * y + x) for x in range(self.size)) for y in range(self.size)]

    def to_text(self, state: State) -> str:
        """The rows from the top, and the player to move."""
        return "/".join([*self.rows(state), _MARKS[state.turn]])

    def from_text(self, text: str) -> State:
        *rows, turn = text.replace("/", " ").split() or [""]
        sides = [len(rows), *map(len, rows)]
        self.refuse(
            (
                sides != [self.size] * (self.size + 1)
                or set("".join(rows)) - set(".xo")
                or turn not in ("x", "o"),
                f"expected {self.size} rows of {self.size} marks of .xo, and x or o to move, not {text.strip()!r}",
            )
        )
        cells = [(y * _STRIDE + x, row[x]) for y, row in enumerate(rows) for x in range(self.size)]
        discs = [np.uint64(sum(1 << cell for cell, found in cells if found == mark)) for mark in _MARKS]
        state, start = State(discs[0], discs[1], _MARKS.index(turn)), self.initial_state()
        taken, middle = int(state.discs0 | state.discs1), int(start.discs0 | start.discs1)
        reached = middle
        for _ in cells:
            reached |= int(around(np.uint64(reached))) & taken
        empty, lost = (
            self.action_to_string(state, 0, (found & -found).bit_length() - 1)
            for found in (middle & ~taken, taken & ~reached)
        )
        self.refuse(
            (middle & ~taken, f"the four cells in the middle are always taken, and {empty} is empty"),
            (
                taken == middle and state != start,
                f"x begins, from {self.to_text(start)}, so the first four discs do not lie like this",
            ),
            (taken & ~reached, f"a disc is put beside others, and from {lost} no discs lead to the middle"),
        )
        put, black = taken & ~middle, int(discs[0])
        flipped, own, waits = black & int(start.discs1), int(start.discs0), 1 - state.turn
        is_first = taken.bit_count() == middle.bit_count() + 1
        has_begun = put & black and not own & ~black and self._runs(put, flipped, own)
        movers = [waits] if self._runs(int(discs[waits]), int(discs[state.turn]), ~taken) else [0, 1]
        last = [self._runs(int(discs[mover]) & put, int(discs[mover]), int(discs[mover])) for mover in movers]
        self.refuse(
            (
                is_first and not (state.turn == 1 and flipped.bit_count() == 1 and has_begun),
                f"no first move to {self.action_to_string(state, 0, put.bit_length() - 1)} leads here",
            ),
            (
                put and not any(last),
                f"no disc of {' or '.join([_MARKS[mover] for mover in movers])} can be the last one: beside it there is none that it "
                "turned over, with another one behind",
            ),
        )
        return state

    def _runs(self, cells: int, along: int, to: int) -> bool:
        """Whether in some direction from one of the cells one or more of `along` lead to one of `to`."""
        for direction in range(8):
            run = cells
            for _ in range(self.size - 2):
                run = int(shifted(np.uint64(run), direction)) & along
                if int(shifted(np.uint64(run), direction)) & int(self.board) & to:
                    return True
        return False

    def render(self, state: State) -> str:
        names = " ".join(chr(ord("a") + x) for x in range(self.size))
        rows = [f"{y + 1} {' '.join(row)}" for y, row in enumerate(self.rows(state))]
        return "\n".join([f"  {names}", *rows, f"{_MARKS[state.turn]} to move"])

    def picture(self, state: State) -> Picture:
        rows = self.rows(state)
        cells = [(x, y) for y in range(self.size) for x in range(self.size) if rows[y][x] != "."]
        owners = {(x, y): _MARKS.index(rows[y][x]) for x, y in cells}
        return Picture(
            self.size,
            self.size,
            column_names=tuple(chr(ord("a") + x) for x in range(self.size)),
            row_names=tuple(str(y + 1) for y in range(self.size)),
            text=self.render(state),
            pieces=tuple(
                Piece(x, y, owner, title=f"player {owner}'s disc") for (x, y), owner in owners.items()
            ),
            numbers=tuple(Number("discs", list(owners.values()).count(player), player) for player in (0, 1)),
            moves=tuple(
                Move(
                    player,
                    action,
                    self.action_to_string(state, player, action),
                    None if action == PASS else (action % _STRIDE, action // _STRIDE),
                )
                for player in self.players_to_act(state)
                for action in self.legal_actions(state, player)
            ),
        )


EPISODE = KaggleGame(("open_spiel_othello",), lambda environment, told: Othello())
"""Files of `kaggle_environments`: OpenSpiel's Othello there."""
