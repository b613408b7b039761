"""The rules of Simplexity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..interface import (
    TERMINAL,
    Columns,
    Ending,
    Game,
    GameError,
    IllegalActionError,
    Mark,
    Move,
    Number,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    constant,
    has_bit,
    int_of,
    kernel,
    mix,
    parameter,
    words_of,
)
from .state import (
    DRAW,
    KINDS,
    PIECES,
    RED_WON,
    ROUND,
    SHAPES,
    SQUARE,
    UNDECIDED,
    WHITE,
    WHITE_WON,
    State,
    action_of,
    actions_of,
    dropped,
    in_column,
    keys,
    kinds_of,
    mirror_image,
    questions,
    rounds_of,
    rows_of,
    sensible_drops,
    winning_drops,
)

_NAMES = ("white round", "white square", "red round", "red square")
_STATUS = {WHITE_WON: "White won", RED_WON: "Red won", DRAW: "a draw"}
FOLDED_MOVES = 8
"""With more pieces on the board, hardly any two positions that follow are mirror images."""


@dataclass(frozen=True)
class Simplexity(Game):
    """Simplexity on `rows` x `cols` cells: `win` in a row, each player with `round` round and `square` square pieces.

    Player 0 is White, who moves first and wins with round or white; player 1 is Red, who wins with square or red. With
    `supply="own"` White has `square` round and `round` square pieces, so that both have as many of the own shape.

    Action 2 * column + shape drops a piece of that shape (0 round, 1 square) of the own colour; row 0 is the bottom,
    column 0 the left.

    >>> from saddlepoint import Simplexity
    >>> game = Simplexity()
    >>> len(game.legal_actions(game.initial_state(), 0))
    14
    """

    rows: int = constant(6)
    cols: int = constant(7)
    win: int = constant(4)
    round: int = 10
    square: int = 11
    supply: str = parameter("same")

    max_side: ClassVar[int] = 48
    name: ClassVar[str] = "simplexity"
    summary: ClassVar[str] = "pieces with colour and shape fall into columns; four of either in a row"
    group: ClassVar[str] = "Boards"
    how_to_play: ClassVar[Sequence[str]] = (
        "In turn, drop a piece of your own colour into a column, and choose its shape: round or square.",
        "White wins with four round or four white pieces in a row, Red with four square or four red ones: across, up or diagonally.",
        "Shape counts before colour: if one move completes both kinds of lines, the shape decides.",
        "Each player has 10 round and 11 square pieces. A full board without a line is a draw.",
    )
    ranges: ClassVar[Ranges] = {
        "rows": (1, 16),
        "cols": (1, 16),
        "win": (1, 16),
        "round": (0, 256),
        "square": (0, 256),
        "supply": ("same", "own"),
    }
    parameter_titles: ClassVar[Mapping[str, str]] = {
        "win": "In a row to win",
        "round": "Round pieces",
        "square": "Square pieces",
    }

    def __post_init__(self) -> None:
        self.refuse(
            (
                not (1 <= self.rows <= self.max_side and 1 <= self.cols <= self.max_side),
                f"the board must have 1 to {self.max_side} rows and columns, not {self.rows}x{self.cols}",
            ),
            (self.win < 1, f"win must be 1 or more in a row, not {self.win}"),
            (
                self.rows < self.win and self.cols < self.win,
                f"no line of {self.win} fits on a board of {self.rows}x{self.cols}",
            ),
            (
                self.round < 0 or self.square < 0,
                f"piece counts must be 0 or more, not {self.round} round and {self.square} square",
            ),
        )
        self.check_parameters(supply=("same", "own"))

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
    def _supply(self) -> tuple[int, int, int, int]:
        return self.rounds[0], self.squares[0], self.rounds[1], self.squares[1]

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
        with_round, with_square = self.has_pieces(state, player)
        count = 0
        for column in range(self.cols):
            count = self.add_drops(state, column, 0, with_round, with_square, out, count)
        return count

    @kernel
    def search_actions(self, state, player, out):
        """The actions that win at once, or do not lose by the next move; all where there is none.

        Columns from the middle outwards, in each the own winning shape first.
        """
        with_round, with_square = self.has_pieces(state, player)
        first, second = (with_round, with_square) if player == WHITE else (with_square, with_round)
        count = 0
        if state.moves + 1 < self.last_move:
            left = self.left(state, 1 - player)
            its_own = left[1] if player == WHITE else left[0]
            own, other = sensible_drops(
                self.columns, state.white, state.round, state.filled, player == WHITE, its_own > 0
            )
            for k in range(self.cols):  # without a branch: what does not count is overwritten by the next
                column = self.middle_out[k]
                out[count] = 2 * column + player
                count += int(in_column(self.columns, own, column)) & first
                out[count] = 2 * column + 1 - player
                count += int(in_column(self.columns, other, column)) & second
            if count > 0:
                return count
        for k in range(self.cols):
            count = self.add_drops(state, self.middle_out[k], player, first, second, out, count)
        return count

    @kernel
    def round_first_actions(self, state, player, out):
        """All legal actions, columns from the middle outwards, round before square: the order of AIDEN."""
        with_round, with_square = self.has_pieces(state, player)
        count = 0
        for k in range(self.cols):
            count = self.add_drops(state, self.middle_out[k], 0, with_round, with_square, out, count)
        return count

    @kernel
    def winning_actions(self, state, player, out):
        """Fill `out` with the actions by which the player, were it to move now, would win at once; their number.

        Columns from the middle outwards.
        """
        own, other, any_ = winning_drops(
            self.columns, state.white, state.round, state.filled, player == WHITE
        )
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
    def add_drops(self, state, column, shape, with_it, with_other, out, count):
        """Append the drops into a column to the list, that shape first; returns the new count.

        Without a branch: what does not count is overwritten by the next.
        """
        free = 1 - int(has_bit(state.filled, column * (self.rows + 1) + self.rows - 1))
        out[count] = 2 * column + shape
        count += free & with_it
        out[count] = 2 * column + 1 - shape
        return count + (free & with_other)

    @kernel
    def has_pieces(self, state, player):
        """1 or 0: whether a player has round, and square pieces left."""
        round_left, square_left = self.left(state, player)
        return int(round_left > 0), int(square_left > 0)

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
        return self.mixed(keys(self.columns, state.white, state.round, state.filled))

    @kernel
    def mirror_hash(self, state):
        """The mirror image's hash."""
        white, rounds, filled = mirror_image(self.columns, state.white, state.round, state.filled)
        return self.mixed(keys(self.columns, white, rounds, filled))

    @kernel
    def canonical_hash(self, state):
        """One hash for a position and its mirror image, as long as both are likely to be met."""
        key = self.hash(state)
        if state.moves > FOLDED_MOVES:
            return key, False
        image = self.mirror_hash(state)
        return min(key, image), image < key

    @kernel
    def canonical(self, state):
        """The one of a position and its mirror image with the lesser sets."""
        white, rounds, filled = mirror_image(self.columns, state.white, state.round, state.filled)
        if (filled, white, rounds) < (state.filled, state.white, state.round):
            return State(white, rounds, filled, state.moves, state.result), False
        return state, False

    @kernel
    def image_action(self, action):
        """The same column and shape in the mirror image."""
        return 2 * (self.cols - 1 - (action >> 1)) + (action & 1)

    @kernel
    def mixed(self, boards):
        """A hash of two sets: every word mixed with a constant of its own, added up."""
        salt, key = np.uint64(0), np.uint64(0)
        for board in boards:
            for word in board:
                salt += np.uint64(0x9E3779B97F4A7C15)
                key += mix(word ^ salt)
        return key

    # -- questions for Python --------------------------------------------------------------------------------------

    def supplies(self, state: State) -> tuple[int, ...]:
        """Pieces left: White's round and square ones, Red's round and square ones."""
        placed = (pieces.bit_count() for pieces in kinds_of(state).values())
        return tuple(most - here for most, here in zip(self._supply, placed, strict=True))

    def full_columns(self, state: State) -> list[int]:
        """The columns without a free cell."""
        filled = int_of(state.filled)
        return [col for col, mask in enumerate(self.columns.masks) if filled & mask == mask]

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        won = Ending(f"has a line of {self.win}")
        result = states[-1].result
        return won if result == WHITE_WON else None, won if result == RED_WON else None

    def why_over(self, state: State) -> str:
        return (
            f"The last move is played, and nobody has a line of {self.win}." if state.result == DRAW else ""
        )

    def winning_line(self, state: State) -> list[tuple[int, int]]:
        """The (row, column) cells of the line that won; empty where nobody has.

        It is the first one of the kind that decides, met over rows, columns, "/" and "\\" diagonals as the
        framework walks them (see `Columns.lines`).
        """
        for _, pieces in questions(int_of(state.white), int_of(state.round), int_of(state.filled)):
            if self.columns.any_run(pieces):
                return [self.columns.position(cell) for cell in self.columns.first_run(pieces)]
        return []

    def why_illegal(self, state: State, column: int, shape: int) -> str:
        """The reason why a drop is illegal: game over, invalid column, no piece of that shape, column full.

        Empty if it is legal.
        """
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
        boards: list[Any] = [
            words_of(self.columns.mirrored(int_of(board)), self.columns.words) for board in state[:3]
        ]
        renamed = tuple(
            2 * (self.cols - 1 - (action >> 1)) + (action & 1) for action in range(self.max_actions)
        )
        return [
            Symmetry(
                state._replace(white=boards[0], round=boards[1], filled=boards[2]), renamed, renamed, False
            )
        ]

    # -- text ----------------------------------------------------------------------------------------------------

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        """Column and shape, for example 3r or 0s."""
        return f"{action >> 1}{SHAPES[action & 1]}"

    def string_to_action(self, state: State, player: int, text: str) -> int:
        action = action_of(text)
        if action is None:
            raise self.illegal(state, player, text)
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
        return "/".join(rows_of(self.columns, state))

    def from_text(self, text: str) -> State:
        """The position given by rows, or by a list of moves from the start: `3r,3s,0r`, `-` for none."""
        text = text.strip()
        if text == "-" or any(mark.isdigit() for mark in text):
            return self.after(text)
        return self.of_rows(text)

    def of_rows(self, text: str) -> State:
        """The position of rows joined by `/`, bottom row first; raises GameError where there is none."""
        columns, rows = self.columns, text.split("/")
        self.refuse(
            (
                len(rows) != self.rows or any(len(row) != self.cols for row in rows),
                f"expected {self.rows} rows of {self.cols} cells, bottom row first, joined by '/'",
            )
        )
        kinds = dict.fromkeys(PIECES, 0)
        for y, row in enumerate(rows):
            for x, mark in enumerate(row):
                if mark not in "." + PIECES:
                    raise GameError(
                        f"{mark!r} in row {y}, column {x} is no cell: expected '.', 'w', 'W', 'r' or 'R'"
                    )
                if mark != ".":
                    if y > 0 and rows[y - 1][x] == ".":
                        raise GameError(f"the piece in row {y}, column {x} hangs in the air")
                    kinds[mark] |= 1 << columns.cell(y, x)
        white, red, round_ = kinds["w"] | kinds["W"], kinds["r"] | kinds["R"], kinds["w"] | kinds["r"]
        ahead = white.bit_count() - red.bit_count()
        filled = white | red
        moves = filled.bit_count()
        won = (winner for winner, pieces in questions(white, round_, filled) if columns.any_run(pieces))
        result = next(won, DRAW if moves == self.last_move else UNDECIDED)
        last, name = (white, "White") if moves & 1 else (red, "Red")
        lanes = [sum(1 << columns.cell(y, x) for y in range(self.rows)) for x in range(self.cols)]
        tops = [1 << (filled & lane).bit_length() - 1 for lane in lanes if filled & lane]
        before = [questions(white & ~top, round_ & ~top, filled & ~top) for top in tops if last & top]
        is_late = all(any(columns.any_run(pieces) for _, pieces in asked) for asked in before)
        counted = [
            (kind, pieces.bit_count() - most)
            for kind, pieces, most in zip(_NAMES, kinds.values(), self._supply, strict=True)
        ]
        self.refuse(
            (
                ahead not in (0, 1),
                f"White must have as many pieces on the board as Red or one more, not {ahead} more",
            ),
            *(
                (over > 0, f"there are {over} more {kind} pieces on the board than there are")
                for kind, over in counted
            ),
            (
                result in (WHITE_WON, RED_WON) and is_late,
                f"the game ends with the first line of four, and no last piece of {name} makes all that are here",
            ),
        )
        boards: list[Any] = [words_of(board, columns.words) for board in (white, round_, filled)]
        return State(boards[0], boards[1], boards[2], moves, result)

    def after(self, moves: str) -> State:
        """The position after a list of moves from the start, like `3r,3s,0r`; `-` is the empty list."""
        state = self.initial_state()
        for action in actions_of(moves):
            state = self.next_state(state, action)
        return state

    def moves_to_text(self, actions: Sequence[int]) -> str:
        """A list of moves as `after` reads it."""
        return ",".join(self.action_to_string(None, 0, action) for action in actions) or "-"

    def render(self, state: State) -> str:
        """Top row first, with column numbers below, and what each player has left."""
        width = len(str(self.cols - 1))
        rows = [" ".join(mark.rjust(width) for mark in row) for row in reversed(rows_of(self.columns, state))]
        numbers = " ".join(str(col).rjust(width) for col in range(self.cols))
        status = _STATUS.get(state.result) or ("White to move", "Red to move")[state.moves & 1]
        left = "White {} round (w), {} square (W), Red {} round (r), {} square (R)".format(
            *self.supplies(state)
        )
        return "\n".join([*rows, numbers, f"{status}; left: {left}"])

    def picture(self, state: State) -> Picture:
        """The board in its frame; a drop falls into the lowest free cell of its column."""
        rows, top = rows_of(self.columns, state), self.rows - 1

        def piece(x: int, y: int, mark: str) -> Piece:
            owner, shape, title = KINDS[mark]
            return Piece(x, top - y, owner, shape, title=title)

        moves: list[Move] = []
        for player in self.players_to_act(state):
            for action in self.legal_actions(state, player):
                x = action >> 1
                height = sum(row[x] in KINDS for row in rows)
                dropped = piece(x, height, PIECES[2 * player + (action & 1)])
                name = self.action_to_string(state, player, action)
                moves.append(Move(player, action, name, (x, dropped.y), piece=dropped))
        return Picture(
            self.cols,
            self.rows,
            "frame",
            pieces=tuple(
                piece(x, y, mark) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark in KINDS
            ),
            moves=tuple(moves),
            text=self.render(state),
            marks=tuple(Mark(x, top - y, "winning") for y, x in self.winning_line(state)),
            numbers=tuple(
                Number("square left" if shape == "square" else "round left", here, owner, all_)
                for (owner, shape, _), here, all_ in zip(
                    KINDS.values(), self.supplies(state), self._supply, strict=True
                )
            ),
            column_names=tuple(map(str, range(self.cols))),
        )
