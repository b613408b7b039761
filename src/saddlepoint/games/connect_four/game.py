"""Connect Four on a bitboard, any size and length of line that fits 64 bits.

The board is the one of John Tromp's Fhourstones: a column takes `rows` + 1 bits from the bottom up, the top one always
empty, so that a line in any direction is a run of bits at one distance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..interface import (
    TERMINAL,
    Bits,
    Columns,
    Ending,
    Game,
    GameError,
    KaggleGame,
    Mark,
    Move,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    bit,
    formula,
    kernel,
    mix,
    popcount,
)


@formula
def has_line(columns: Columns, discs: Bits) -> bool:
    """Whether discs make a line."""
    return columns.any_run(discs)


@formula
def mirrored(columns: Columns, discs: Bits) -> Bits:
    """The discs with left and right exchanged."""
    return columns.mirrored(discs)


@formula
def winning_cells(columns: Columns, own: Bits, other: Bits) -> Bits:
    """The cells on which a disc of one's own comes to rest and completes a line."""
    _, _, wins = columns.prospects(own, columns.inside & ~(own | other))
    return wins & columns.landings(own | other)


@formula
def line_features(columns: Columns, own: Bits, other: Bits) -> tuple[int, int, int, int, int, int, Bits]:
    """Lines still open, those that lack two discs, and the empty cells that complete one: those that can be reached now, later ones in
    even rows, later ones in odd rows, pairs above each other; and which cells they are."""
    empty = columns.inside & ~(own | other)
    open_, pairs, wins = columns.prospects(own, empty)
    later = wins & ~columns.landings(own | other)
    now = Bits.size(wins) - Bits.size(later)
    return (
        open_,
        pairs,
        now,
        Bits.size(later & columns.even_rows),
        Bits.size(later & ~columns.even_rows),
        Bits.size(wins & (wins >> 1)),
        wins,
    )


MARKS = {".": 0, "x": 1, "o": 2}


class State(NamedTuple):
    """Both players' discs as bits, column by column from the left, each from the bottom up."""

    discs0: np.uint64
    discs1: np.uint64
    turn: int
    """The player to move."""
    winner: int
    """Of the last move: its player if it completed a line, else -1."""


@dataclass(frozen=True)
class ConnectFour(Game):
    """Drop discs in turn; `line` in a row wins, a full board is a draw. Action a drops into column a.

    >>> from saddlepoint import ConnectFour
    >>> game = ConnectFour()
    >>> game.legal_actions(game.initial_state(), 0)
    [0, 1, 2, 3, 4, 5, 6]
    """

    columns: int = 7
    rows: int = 6
    line: int = 4

    name: ClassVar[str] = "connect_four"
    summary: ClassVar[str] = "discs fall into columns in turn; four in a row win"
    group: ClassVar[str] = "Boards"
    how_to_play: ClassVar[Sequence[str]] = (
        "In turn, drop a disc into a column; it falls to the lowest free cell.",
        "Four of your discs in a row win: across, up or diagonally.",
        "A full board without a line is a draw.",
    )
    ranges: ClassVar[Ranges] = {"columns": (1, 12), "rows": (1, 12), "line": (2, 12)}
    parameter_titles: ClassVar[Mapping[str, str]] = {"line": "In a row to win"}

    def __post_init__(self) -> None:
        self.refuse(
            (
                not (self.columns >= 1 and self.rows >= 1 and self.columns * (self.rows + 1) <= 64),
                f"columns x (rows + 1) must fit 64 bits, not {self.columns} x ({self.rows} + 1)",
            ),
            (self.line < 2, f"line must be 2 or more, not {self.line}"),
        )

    @property
    def max_actions(self) -> int:
        return self.columns

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        return 2, self.rows, self.columns

    @property
    def max_depth(self) -> int:
        return self.columns * self.rows

    @property
    def field(self) -> Columns:
        """The board's geometry."""
        return Columns(self.rows, self.columns, self.line)

    @property
    def middle_first(self) -> Any:
        """The columns, those in the middle of most lines first; an array, because a tuple's length is part of its type."""
        return np.array(sorted(range(self.columns), key=lambda c: abs(2 * c - self.columns + 1)))

    @property
    def bottom(self) -> np.uint64:
        """The lowest bit of every column."""
        return np.uint64(sum(1 << (c * (self.rows + 1)) for c in range(self.columns)))

    @property
    def board(self) -> np.uint64:
        """All cells."""
        return np.uint64(int(self.bottom) * ((1 << self.rows) - 1))

    def initial_state(self, moves: str = "") -> State:
        """The start, or the position after the columns given, numbered from 1."""
        state = State(np.uint64(0), np.uint64(0), 0, -1)
        for column in moves:
            state = self.next_state(state, int(column) - 1)
        return state

    @kernel
    def planes(self, state, player, out):
        """The player's own discs, and the other's; the first row is the top one."""
        own, other = (state.discs0, state.discs1) if player == 0 else (state.discs1, state.discs0)
        for row in range(self.rows):
            for column in range(self.columns):
                cell = np.uint64(column * (self.rows + 1) + self.rows - 1 - row)
                out[0, row, column] = (own >> cell) & np.uint64(1)
                out[1, row, column] = (other >> cell) & np.uint64(1)

    @kernel
    def current_player(self, state):
        if state.winner >= 0 or (state.discs0 | state.discs1) == self.board:
            return TERMINAL
        return state.turn

    @kernel
    def column_is_free(self, taken, column):
        return (taken >> np.uint64(column * (self.rows + 1) + self.rows - 1)) & np.uint64(1) == np.uint64(0)

    @kernel
    def legal_actions(self, state, player, out):
        taken, count = state.discs0 | state.discs1, 0
        if self.current_player(state) != player:
            return 0
        for column in range(self.columns):
            if self.column_is_free(taken, column):
                out[count] = column
                count += 1
        return count

    @kernel
    def search_actions(self, state, player, out):
        taken, count = state.discs0 | state.discs1, 0
        for column in self.middle_first:
            if self.column_is_free(taken, column):
                out[count] = column
                count += 1
        return count

    @kernel
    def landing_cell(self, taken, column):
        """The bit on which a disc comes to rest."""
        low = bit(column * (self.rows + 1))
        return (taken + low) & (low * np.uint64((1 << (self.rows + 1)) - 1))

    @kernel
    def next_state(self, state, action):
        cell = self.landing_cell(state.discs0 | state.discs1, action)
        if state.turn == 0:
            discs = state.discs0 | cell
            return State(discs, state.discs1, 1, 0 if has_line(self.field, (discs,)) else -1)
        discs = state.discs1 | cell
        return State(state.discs0, discs, 0, 1 if has_line(self.field, (discs,)) else -1)

    @kernel
    def winning_actions(self, state, player, out):
        taken, count = state.discs0 | state.discs1, 0
        own, other = (state.discs0, state.discs1) if player == 0 else (state.discs1, state.discs0)
        cells = winning_cells(self.field, (own,), (other,))[0]
        if cells == np.uint64(0):
            return 0
        for column in self.middle_first:
            if cells & self.landing_cell(taken, column) != np.uint64(0):
                out[count] = column
                count += 1
        return count

    @kernel
    def features(self, state, player):
        """The features of the player's lines, see `line_features`."""
        own, other = (state.discs0, state.discs1) if player == 0 else (state.discs1, state.discs0)
        found = line_features(self.field, (own,), (other,))
        return found[:-1] + found[-1]

    @kernel
    def returns(self, state):
        return 1.0 if state.winner == 0 else -1.0 if state.winner == 1 else 0.0

    @kernel
    def hash(self, state):
        # Discs of the one who began, and the first empty cell of every column: unique, and cheaper than Zobrist's. The
        # turn matters only where somebody passed.
        return mix(state.discs0 + (state.discs0 | state.discs1) + self.bottom) ^ np.uint64(state.turn)

    @kernel
    def pass_turn(self, state):
        return State(state.discs0, state.discs1, 1 - state.turn, state.winner)

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        a, b = (
            Ending(f"has {self._length} in a row") if states[-1].winner == player else None
            for player in (0, 1)
        )
        return a, b

    @property
    def _length(self) -> str:
        return {3: "three", 4: "four", 5: "five"}.get(self.line, str(self.line))

    def why_over(self, state: State) -> str:
        return "" if state.winner >= 0 else f"The board is full, and nobody has {self._length} in a row."

    def symmetries(self, state: State) -> list[Symmetry]:
        """The mirror image, and both with the players exchanged."""
        same, turned = tuple(range(self.columns)), tuple(reversed(range(self.columns)))
        discs0, discs1, turn, winner = state
        image0, image1 = (mirrored(self.field, (discs,))[0] for discs in (discs0, discs1))
        exchanged = (1 - turn, winner if winner < 0 else 1 - winner)
        return [
            Symmetry(State(image0, image1, turn, winner), turned, turned, False),
            Symmetry(State(discs1, discs0, *exchanged), same, same, True),
            Symmetry(State(image1, image0, *exchanged), turned, turned, True),
        ]

    @kernel
    def canonical(self, state):
        """With player 0 to move, and of this and its mirror image the one with the lesser discs."""
        own, other = (state.discs0, state.discs1) if state.turn == 0 else (state.discs1, state.discs0)
        winner = state.winner if state.turn == 0 or state.winner < 0 else 1 - state.winner
        image, image_of_other = mirrored(self.field, (own,))[0], mirrored(self.field, (other,))[0]
        if image < own or (image == own and image_of_other < other):
            own, other = image, image_of_other
        return State(own, other, 0, winner), state.turn == 1

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return str(action + 1)

    def to_text(self, state: State) -> str:
        """Rows from the top, `x` for player 0, `o` for player 1."""
        return "\n".join(
            "".join(
                "x"
                if int(state.discs0) >> (c * (self.rows + 1) + r) & 1
                else "o"
                if int(state.discs1) >> (c * (self.rows + 1) + r) & 1
                else "."
                for c in range(self.columns)
            )
            for r in reversed(range(self.rows))
        )

    def from_text(self, text: str) -> State:
        """The inverse of `to_text`; player 0 began.

        Raises GameError for what no game comes to: a disc without one below it, a line of both players, a line that was not the
        end, or that the last disc did not make.
        """
        lines = text.split()
        self.refuse(
            (
                len(lines) != self.rows
                or any(len(row) != self.columns or set(row) - set(MARKS) for row in lines),
                f"expected {self.rows} rows of {self.columns} marks of .xo, not {text!r}",
            )
        )
        discs = [0, 0, 0]
        for r, row in enumerate(reversed(lines)):
            for c, mark in enumerate(row):
                discs[MARKS[mark]] |= 1 << (c * (self.rows + 1) + r)
                if mark != "." and r and lines[self.rows - r][c] == ".":
                    raise GameError(
                        f"the {mark} in row {self.rows - r} from the top, column {c + 1} hangs in the air"
                    )
        words = np.uint64(discs[1]), np.uint64(discs[2])
        turn = int(popcount(words[0])) - int(popcount(words[1]))
        self.refuse((turn not in (0, 1), "player 0 begins, so x has as many discs as o or one more"))
        winners = [player for player in (0, 1) if self.field.in_lines(discs[1 + player])]
        winner = winners[0] if winners else -1
        if winners and (len(winners) == 2 or turn != 1 - winner or not self._made_at_once(discs, winner)):
            raise GameError(
                f"the game ends with the first line of {self.line}; {self._after_the_end(winners, turn)}"
            )
        return State(words[0], words[1], turn, winner)

    def _made_at_once(self, discs: Sequence[int], winner: int) -> bool:
        """Whether one disc, on top of its column, may have made all lines of the winner."""
        own, all_ = discs[1 + winner], discs[1] | discs[2]
        columns = [((1 << self.rows) - 1) << column * (self.rows + 1) for column in range(self.columns)]
        tops = [1 << (all_ & column).bit_length() - 1 for column in columns if all_ & column]
        return any(own & top and not self.field.in_lines(own & ~top) for top in tops)

    def _after_the_end(self, winners: Sequence[int], turn: int) -> str:
        """What is wrong with a position that has a line."""
        if len(winners) == 2:
            return "here both x and o have one"
        mark = "xo"[winners[0]]
        if turn != 1 - winners[0]:
            return f"here {'xo'[1 - winners[0]]} went on after that of {mark}"
        return f"no last disc of {mark} makes all of its lines"

    def picture(self, state: State) -> Picture:
        rows = self.to_text(state).splitlines()
        winning = self.field.in_lines(int(state[state.winner])) if state.winner >= 0 else 0
        cells = [(x, y) for y in range(self.rows) for x in range(self.columns)]
        return Picture(
            self.columns,
            self.rows,
            "frame",
            column_names=tuple(str(c + 1) for c in range(self.columns)),
            text=self.render(state),
            pieces=tuple(
                Piece(x, y, "xo".index(rows[y][x]), title=f"player {'xo'.index(rows[y][x])}'s disc")
                for x, y in cells
                if rows[y][x] != "."
            ),
            marks=tuple(
                Mark(x, y, "winning")
                for x, y in cells
                if winning >> (x * (self.rows + 1) + self.rows - 1 - y) & 1
            ),
            moves=tuple(
                Move(player, column, str(column + 1), (column, [row[column] for row in rows].count(".") - 1))
                for player in self.players_to_act(state)
                for column in self.legal_actions(state, player)
            ),
        )


# Files of `kaggle_environments`: its `connectx`, and OpenSpiel's Connect Four there.


def _game_of(environment: str, told: Mapping[str, Any]) -> ConnectFour:
    line = "inarow" if environment == "connectx" else "x_in_row"
    return ConnectFour(
        KaggleGame.whole(told, "columns", 7),
        KaggleGame.whole(told, "rows", 6),
        KaggleGame.whole(told, line, 4),
    )


EPISODE = KaggleGame(
    ("connectx", "open_spiel_connect_four"),
    _game_of,
    ("columns", "rows", "x_in_row", "egocentric_obs_tensor"),
)
