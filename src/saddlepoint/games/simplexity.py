"""Simplexity (ColorShapeLinks): connect four of a colour or of a shape; shape counts first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..boards.columns import Columns, any_run, completing, first_run, landings, mirrored
from ..boards.formula import Bits, choose, formula, nonzero, pick, size
from ..boards.grid import has_bit, int_of, words_of
from ..compiled import kernel, mix
from ..game import TERMINAL, Game, GameError, IllegalActionError, Symmetry

WHITE, RED = 0, 1
ROUND, SQUARE = 0, 1
UNDECIDED, WHITE_WON, RED_WON, DRAW = 0, 1, 2, 3
MAX_SIDE = 48
SHAPES = "rs"
_MOVE = re.compile(r"(?P<column>[0-9]+)(?P<shape>[rs])")
_PIECES = "wWrR"
_PIECE_NAMES = ("white round", "white square", "red round", "red square")
_RESULTS = {WHITE_WON: "White won", RED_WON: "Red won", DRAW: "a draw"}


class State(NamedTuple):
    """A position: three sets of cells of the game's `columns`, each a tuple of words.

    The number of words is part of the compiled type. The boards of 6x7 and all others of up to 64 bits are one word,
    which the compiler keeps in a register; larger boards run through the same formulas as longer integers.
    """

    white: tuple[np.uint64, ...]
    """The white pieces, of either shape."""
    round: tuple[np.uint64, ...]
    """The round pieces, of either colour."""
    filled: tuple[np.uint64, ...]
    """All pieces."""
    moves: int
    """Pieces dropped so far; White moves at even numbers."""
    result: int
    """UNDECIDED, WHITE_WON, RED_WON or DRAW."""


@formula
def dropped(
    columns: Columns, white: Bits, round_: Bits, filled: Bits, column: int, by_white: bool, is_round: bool
) -> tuple[Bits, Bits, Bits, bool, bool]:
    """The sets after a drop, and whether the pieces of its shape and those of its colour hold a line.

    Before the drop there was none, so these are lines that it made.
    """
    cell = landings(columns, filled) & pick(columns.masks, column, filled)
    white, round_, filled = white | choose(by_white, cell, 0), round_ | choose(is_round, cell, 0), filled | cell
    alike = choose(is_round, round_, filled ^ round_)
    own = choose(by_white, white, filled ^ white)
    return white, round_, filled, any_run(columns, alike), any_run(columns, own)


@formula
def rounds_of(columns: Columns, white: Bits, round_: Bits, of_white: bool) -> int:
    """How many round pieces a player has dropped."""
    return size(choose(of_white, round_ & white, round_ & ~white))


@formula
def winning_drops(
    columns: Columns, white: Bits, round_: Bits, filled: Bits, for_white: bool
) -> tuple[Bits, Bits, bool]:
    """Where a player wins at once with the own shape, where with the other one, and whether anywhere."""
    places = landings(columns, filled)
    own_shape = choose(for_white, round_, filled ^ round_)
    colour_line = completing(columns, choose(for_white, white, filled ^ white), places)
    own = completing(columns, own_shape, places) | colour_line
    # The other shape's line is the opponent's, and counts before the own colour's.
    other = colour_line & ~completing(columns, filled ^ own_shape, places)
    return own, other, nonzero(own | other)


@formula
def in_column(columns: Columns, cells: Bits, column: int) -> bool:
    """Whether one of the cells is in that column."""
    return nonzero(cells & pick(columns.masks, column, cells))


@formula
def keys(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits]:
    """Two sets that differ for different positions: a bit above each column tells how far it is filled."""
    return white | (filled + columns.bottoms), round_


@dataclass(frozen=True)
class Simplexity(Game):
    """Simplexity on `rows` x `cols` cells: `win` in a row, each player with `round` round and `square` square pieces.

    Player 0 is White, who moves first and wins with round or white; player 1 is Red, who wins with square or red. With
    `supply="own"` White has `square` round and `round` square pieces, so that both have as many of the own shape.

    Action 2 * column + shape drops a piece of that shape (0 round, 1 square) of the own colour; row 0 is the bottom,
    column 0 the left.
    """

    rows: int = 6
    cols: int = 7
    win: int = 4
    round: int = 10
    square: int = 11
    supply: str = "same"

    name: ClassVar[str] = "simplexity"

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= MAX_SIDE and 1 <= self.cols <= MAX_SIDE):
            raise GameError(f"the board must have 1 to {MAX_SIDE} rows and columns, not {self.rows}x{self.cols}")
        if self.win < 1:
            raise GameError(f"win must be 1 or more in a row, not {self.win}")
        if self.rows < self.win and self.cols < self.win:
            raise GameError(f"no line of {self.win} fits on a board of {self.rows}x{self.cols}")
        if self.round < 0 or self.square < 0:
            raise GameError(f"piece counts must be 0 or more, not {self.round} round and {self.square} square")
        if self.supply not in ("same", "own"):
            raise GameError(f"supply must be same or own, not {self.supply!r}")

    @property
    def columns(self) -> Columns:
        """The board's geometry."""
        return Columns(self.rows, self.cols, self.win)

    @property
    def max_actions(self) -> int:
        return 2 * self.cols

    @property
    def last_move(self) -> int:
        """The number of moves after which the board is full or nobody has a piece left."""
        return min(self.rows * self.cols, 2 * (self.round + self.square))

    @property
    def max_depth(self) -> int:
        return max(1, self.last_move)

    @property
    def rounds(self) -> tuple[int, int]:
        """Each player's round pieces at the start."""
        return (self.square if self.supply == "own" else self.round, self.round)

    @property
    def squares(self) -> tuple[int, int]:
        """Each player's square pieces at the start."""
        return (self.round if self.supply == "own" else self.square, self.square)

    @property
    def middle_out(self) -> np.ndarray[Any, Any]:
        """The columns from the middle outwards, the left one of two first: 3, 2, 4, 1, 5, 0, 6 of seven."""
        middle = self.cols // 2
        return np.array(sorted(range(self.cols), key=lambda col: (abs(col - middle), col)), np.int64)

    def initial_state(self) -> State:
        nothing: Any = (0,) * self.columns.words
        return State(nothing, nothing, nothing, 0, UNDECIDED if self.last_move else DRAW)

    # -- the rules -----------------------------------------------------------------------------------------------

    @kernel
    def current_player(self, state):
        return TERMINAL if state.result != UNDECIDED else state.moves & 1

    @kernel
    def next_state(self, state, action):
        by_white, is_round = (state.moves & 1) == WHITE, (action & 1) == ROUND
        white, round_, filled, shape_line, colour_line = dropped(
            self.columns, state.white, state.round, state.filled, action >> 1, by_white, is_round
        )
        moves = state.moves + 1
        result = DRAW if moves == self.last_move else UNDECIDED
        if shape_line:
            result = WHITE_WON if is_round else RED_WON
        elif colour_line:
            result = WHITE_WON if by_white else RED_WON
        return State(white, round_, filled, moves, result)

    @kernel
    def legal_actions(self, state, player, out):
        round_left, square_left = self.left(state, player)
        count = 0
        for column in range(self.cols):
            count = self.add_drops(state, column, round_left > 0, square_left > 0, out, count)
        return count

    @kernel
    def search_actions(self, state, player, out):
        """All legal actions, columns from the middle outwards, in each the own winning shape first."""
        round_left, square_left = self.left(state, player)
        count = 0
        for k in range(self.cols):
            column = self.middle_out[k]
            if player == WHITE:
                count = self.add_drops(state, column, round_left > 0, square_left > 0, out, count)
            else:
                count = self.add_drops(state, column, False, square_left > 0, out, count)
                count = self.add_drops(state, column, round_left > 0, False, out, count)
        return count

    @kernel
    def round_first_actions(self, state, player, out):
        """All legal actions, columns from the middle outwards, round before square: the order of AIDEN."""
        round_left, square_left = self.left(state, player)
        count = 0
        for k in range(self.cols):
            count = self.add_drops(state, self.middle_out[k], round_left > 0, square_left > 0, out, count)
        return count

    @kernel
    def winning_actions(self, state, player, out):
        """Fill `out` with the actions by which the player, were it to move now, would win at once; their number.

        Columns from the middle outwards.
        """
        own, other, any_ = winning_drops(self.columns, state.white, state.round, state.filled, player == WHITE)
        if not any_:
            return 0
        left = self.left(state, player)
        own_left, other_left = (left[0], left[1]) if player == WHITE else (left[1], left[0])
        count = 0
        for k in range(self.cols):
            column = self.middle_out[k]
            if own_left > 0 and in_column(self.columns, own, column):
                out[count] = 2 * column + player
                count += 1
            if other_left > 0 and in_column(self.columns, other, column):
                out[count] = 2 * column + 1 - player
                count += 1
        return count

    @kernel
    def add_drops(self, state, column, with_round, with_square, out, count):
        """Append the drops into a column to the list, round first; returns the new count."""
        if not has_bit(state.filled, column * (self.rows + 1) + self.rows - 1):
            if with_round:
                out[count] = 2 * column
                count += 1
            if with_square:
                out[count] = 2 * column + 1
                count += 1
        return count

    @kernel
    def left(self, state, player):
        """A player's remaining round and square pieces."""
        rounds = rounds_of(self.columns, state.white, state.round, player == WHITE)
        placed = (state.moves + 1 - player) >> 1
        if player == WHITE:
            return self.rounds[0] - rounds, self.squares[0] - (placed - rounds)
        return self.rounds[1] - rounds, self.squares[1] - (placed - rounds)

    @kernel
    def returns(self, state):
        return float(int(state.result == WHITE_WON) - int(state.result == RED_WON))

    @kernel
    def hash(self, state):
        """Every word mixed with a constant of its own, added up."""
        one, two = keys(self.columns, state.white, state.round, state.filled)
        salt, key = np.uint64(0), np.uint64(0)
        for word in one:
            salt += np.uint64(0x9E3779B97F4A7C15)
            key += mix(word ^ salt)
        for word in two:
            salt += np.uint64(0x9E3779B97F4A7C15)
            key += mix(word ^ salt)
        return key

    # -- questions for Python --------------------------------------------------------------------------------------

    def supplies(self, state: State) -> tuple[int, int, int, int]:
        """Pieces left: White's round and square ones, Red's round and square ones."""
        kinds = self._kinds(state)
        return (
            self.rounds[0] - kinds["w"].bit_count(), self.squares[0] - kinds["W"].bit_count(),
            self.rounds[1] - kinds["r"].bit_count(), self.squares[1] - kinds["R"].bit_count(),
        )  # fmt: skip

    def full_columns(self, state: State) -> list[int]:
        """The columns without a free cell."""
        filled = int_of(state.filled)
        return [col for col, mask in enumerate(self.columns.masks) if filled & mask == mask]

    def winning_line(self, state: State) -> list[tuple[int, int]]:
        """The (row, column) cells of the line that won; empty where nobody has.

        It is the first one of the kind that decides, met over rows, columns, "/" and "\\" diagonals as the
        framework walks them (see `boards.columns.lines`).
        """
        for _, pieces in self._questions(int_of(state.white), int_of(state.round), int_of(state.filled)):
            if any_run(self.columns, pieces):
                return [self.columns.position(cell) for cell in first_run(self.columns, pieces)]
        return []

    def why_illegal(self, state: State, column: int, shape: int) -> str:
        """Why a drop is refused: game over, invalid column, no piece of that shape, column full; empty if it is legal."""
        if state.result != UNDECIDED:
            return "game over"
        if not (0 <= column < self.cols and shape in (ROUND, SQUARE)):
            return "invalid column"
        if self.supplies(state)[2 * (state.moves & 1) + shape] == 0:
            return "no piece of that shape"
        return "column full" if column in self.full_columns(state) else ""

    def symmetries(self, state: State) -> list[Symmetry]:
        """The mirror image.

        Exchanging the colours together with the shapes gives no position of this game: Red would move first.
        """
        words: list[Any] = [
            words_of(mirrored(self.columns, int_of(board)), self.columns.words)
            for board in (state.white, state.round, state.filled)
        ]
        renamed = tuple(2 * (self.cols - 1 - (action >> 1)) + (action & 1) for action in range(self.max_actions))
        return [Symmetry(State(*words, state.moves, state.result), renamed, renamed, False)]

    def _questions(self, white: int, round_: int, filled: int) -> list[tuple[int, int]]:
        """Who wins by a line of which pieces, in the order in which it is asked."""
        return [(WHITE_WON, round_), (RED_WON, filled ^ round_), (WHITE_WON, white), (RED_WON, filled ^ white)]

    def _kinds(self, state: State) -> dict[str, int]:
        """The cells of each kind of piece, by its letter, in the order of `supplies`."""
        white, round_, filled = int_of(state.white), int_of(state.round), int_of(state.filled)
        red, square = filled ^ white, filled ^ round_
        return {"w": white & round_, "W": white & square, "r": red & round_, "R": red & square}

    # -- text ----------------------------------------------------------------------------------------------------

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        """Column and shape, such as 3r or 0s."""
        return f"{action >> 1}{SHAPES[action & 1]}"

    def string_to_action(self, state: State, player: int, text: str) -> int:
        found = _MOVE.fullmatch(text.strip().lower())
        if found is None:
            raise self.illegal(state, player, text)
        action = 2 * int(found["column"]) + SHAPES.index(found["shape"])
        if self.why_illegal(state, action >> 1, action & 1) or player != state.moves & 1:
            raise self.illegal(state, player, action)
        return action

    def illegal(self, state: State, player: int, tried: object) -> IllegalActionError:
        """The error for an illegal action: why it is refused, the position and what was legal."""
        if not isinstance(tried, int):
            return super().illegal(state, player, tried)
        reason = self.why_illegal(state, tried >> 1, tried & 1) or "not to move"
        error = super().illegal(state, player, self.action_to_string(state, player, tried))
        return IllegalActionError(f"{reason}: {error}")

    def to_text(self, state: State) -> str:
        """The rows joined by `/`, bottom row first: `.` empty, `w` `W` White's round and square, `r` `R` Red's."""
        return "/".join(self._rows(state))

    def from_text(self, text: str) -> State:
        """The position of such rows, or the one after a list of moves from the start: `3r,3s,0r`, `-` for none."""
        text = text.strip()
        if text == "-" or any(mark.isdigit() for mark in text):
            return self.after(text)
        return self._from_rows(text.split("/"))

    def after(self, moves: str) -> State:
        """The position after a list of moves from the start, such as `3r,3s,0r`; `-` is the empty list."""
        state = self.initial_state()
        for action in self._actions(moves):
            state = self.next_state(state, action)
        return state

    def moves_to_text(self, actions: Sequence[int]) -> str:
        """A list of moves as `after` reads it."""
        return ",".join(self.action_to_string(None, 0, action) for action in actions) or "-"

    def _actions(self, moves: str) -> list[int]:
        words = [] if moves.strip() == "-" else moves.split(",")
        found = [_MOVE.fullmatch(word.strip().lower()) for word in words]
        if not all(found):
            raise GameError(f"expected moves like 3r,3s,0r (column, then r or s), or -, not {moves!r}")
        return [2 * int(move["column"]) + SHAPES.index(move["shape"]) for move in found if move]

    def _from_rows(self, rows: list[str]) -> State:
        columns = self.columns
        if len(rows) != self.rows or any(len(row) != self.cols for row in rows):
            raise GameError(f"expected {self.rows} rows of {self.cols} cells, bottom row first, joined by '/'")
        kinds = dict.fromkeys(_PIECES, 0)
        for y, row in enumerate(rows):
            for x, mark in enumerate(row):
                if mark not in ".wWrR":
                    raise GameError(f"{mark!r} in row {y}, column {x} is no cell: expected '.', 'w', 'W', 'r' or 'R'")
                if mark != ".":
                    if y > 0 and rows[y - 1][x] == ".":
                        raise GameError(f"the piece in row {y}, column {x} hangs in the air")
                    kinds[mark] |= 1 << columns.cell(y, x)
        whites, reds = (kinds["w"] | kinds["W"]), (kinds["r"] | kinds["R"])
        ahead = whites.bit_count() - reds.bit_count()
        if ahead not in (0, 1):
            raise GameError(f"White must have as many pieces on the board as Red or one more, not {ahead} more")
        white, round_, filled = whites, kinds["w"] | kinds["r"], whites | reds
        won = (winner for winner, pieces in self._questions(white, round_, filled) if any_run(columns, pieces))
        moves = filled.bit_count()
        result = next(won, DRAW if moves == self.last_move else UNDECIDED)
        words: list[Any] = [words_of(board, columns.words) for board in (white, round_, filled)]
        state = State(*words, moves, result)
        for count, name in zip(self.supplies(state), _PIECE_NAMES, strict=True):
            if count < 0:
                raise GameError(f"there are {-count} more {name} pieces on the board than there are")
        return state

    def _rows(self, state: State) -> list[str]:
        kinds = self._kinds(state)

        def mark(cell: int) -> str:
            return next((letter for letter, board in kinds.items() if board >> cell & 1), ".")

        columns = self.columns
        return ["".join(mark(columns.cell(y, x)) for x in range(self.cols)) for y in range(self.rows)]

    def render(self, state: State) -> str:
        """Top row first, with column numbers below, and what each player has left."""
        left, width = self.supplies(state), len(str(self.cols - 1))
        status = ("White to move", "Red to move")[state.moves & 1] if state.result == UNDECIDED else _RESULTS[state.result]
        lines = [" ".join(mark.rjust(width) for mark in row) for row in reversed(self._rows(state))]
        return "\n".join(
            [
                *lines,
                " ".join(str(col).rjust(width) for col in range(self.cols)),
                f"{status}; left: White {left[0]} round (w), {left[1]} square (W), "
                f"Red {left[2]} round (r), {left[3]} square (R)",
            ]
        )
