"""Rubik's Flip (Rubik's Tile): tumble an opponent's tile, place an own one; three locked tiles in a row win."""

import functools
import itertools
import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..interface import (
    TERMINAL,
    Cell,
    Ending,
    Game,
    IllegalActionError,
    Mark,
    Move,
    Number,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    jit_inline,
    kernel,
    mix,
    parameter,
    popcount,
)
from .patterns import FULL, MOTIONS, NEIGHBOURS, SIDE, SQUARES, enclosed, has_three, moved

FACES = (("R", "B"), ("W", "Y"))
"""The letters of each player's two faces."""
_COLOURS = {"R": "red", "B": "blue", "W": "white", "Y": "yellow"}
NO_FLIP = 0
ACTIONS = 32 * (1 + 4 * SQUARES)
"""Actions are below this number."""

_TURN = re.compile(r"(?:([a-d][1-4])>([a-d][1-4])\s+)?([a-d][1-4])([RBWY])")


class State(NamedTuple):
    """A position as three sets of squares (bit 4 * row + column, rows from the top)."""

    tiles0: int
    tiles1: int
    turned: int
    """Tiles that show their owner's second face: blue, yellow."""


@jit_inline
def number_of_tiles(state):
    return popcount(np.uint64(state.tiles0 | state.tiles1))


@jit_inline
def action_of(flip, square, face):
    """A turn as a number: `flip` is NO_FLIP or what `flip_of` gives, `face` 0 or 1."""
    return 32 * flip + 2 * square + face


@jit_inline
def flip_of(square, direction):
    """A tumble from a square in a direction (up, right, down, left) as a number above NO_FLIP."""
    return 1 + 4 * square + direction


@jit_inline
def has_row(tiles, turned, locked):
    """Whether a player's tiles hold a winning row."""
    return has_three(tiles & locked & turned) or has_three(tiles & locked & ~turned)


def square_name(square: int) -> str:
    """Column letter and row number from the top."""
    return "abcd"[square % SIDE] + str(square // SIDE + 1)


def square_of(name: str) -> int:
    """The inverse of `square_name`."""
    return SIDE * (int(name[1]) - 1) + "abcd".index(name[0])


@dataclass(frozen=True)
class RubiksFlip(Game):
    """Rubik's Flip: player 0 has the red/blue tiles, player 1 the white/yellow ones.

    `double_lock` is the winner where both have a winning row after a turn: nobody ("draw"), the player who
    did not move ("opponent") or the one who did ("mover").

    An action is a whole turn, see `action_of`.

    >>> from saddlepoint import RubiksFlip
    >>> game = RubiksFlip()
    >>> len(game.legal_actions(game.initial_state(), 0))
    32
    """

    double_lock: str = parameter("draw")

    name: ClassVar[str] = "rubiks_flip"
    title: ClassVar[str] = "Rubik's Flip"
    summary: ClassVar[str] = "tumble an opponent's tile, place an own one; three locked in a row win"
    group: ClassVar[str] = "Boards"
    how_to_play: ClassVar[Sequence[str]] = (
        "The first player places one tile, either face up. After that every turn has two parts.",
        "First tumble one of the other's tiles into an empty square beside it: it shows its other face. Then place one of your own tiles.",
        "A tile is locked when all squares beside it are taken; the edge counts as taken. Nobody can tumble it any more.",
        "Three of your tiles in a row that show the same face and are all locked win, also if the other's turn made them.",
    )
    ranges: ClassVar[Ranges] = {"double_lock": ("draw", "opponent", "mover")}
    max_actions: ClassVar[int] = 252
    distinct_actions: ClassVar[int] = ACTIONS
    max_depth: ClassVar[int] = SQUARES

    def __post_init__(self) -> None:
        self.check_parameters(double_lock=("draw", "opponent", "mover"))

    @property
    def double_lock_for_mover(self) -> int:
        """The result of a double lock for the player who made it."""
        return {"draw": 0, "opponent": -1, "mover": 1}[self.double_lock]

    def initial_state(self) -> State:
        return State(0, 0, 0)

    # -- the rules -----------------------------------------------------------------------------------------------

    @kernel
    def rows(self, state):
        """The players with a winning row: bit 0 player 0, bit 1 player 1."""
        locked = enclosed(state.tiles0 | state.tiles1)
        row_of_1 = has_row(state.tiles1, state.turned, locked)
        return int(has_row(state.tiles0, state.turned, locked)) | int(row_of_1) << 1

    @kernel
    def current_player(self, state):
        if (state.tiles0 | state.tiles1) == FULL or self.rows(state) != 0:
            return TERMINAL
        return number_of_tiles(state) & 1

    @kernel
    def flips(self, state, player, out):
        """Fill `out` with the tumbles open to a player; returns their number."""
        tiles = state.tiles1 if player == 0 else state.tiles0
        occupied = state.tiles0 | state.tiles1
        count = 0
        for square in range(SQUARES):
            if tiles >> square & 1:
                for direction in range(4):
                    there = NEIGHBOURS[square, direction]
                    if there >= 0 and not occupied >> there & 1:
                        out[count] = flip_of(square, direction)
                        count += 1
        return count

    @kernel
    def legal_actions(self, state, player, out):
        flips = np.empty(4 * SQUARES, np.int64)
        number = self.flips(state, player, flips)
        if number == 0:
            flips[0] = NO_FLIP
            number = 1
        occupied = state.tiles0 | state.tiles1
        count = 0
        for k in range(number):
            free = ~occupied & FULL
            if flips[k] != NO_FLIP:
                square = (flips[k] - 1) >> 2
                free ^= 1 << square | 1 << NEIGHBOURS[square, (flips[k] - 1) & 3]
            for square in range(SQUARES):
                if free >> square & 1:
                    out[count] = action_of(flips[k], square, 0)
                    out[count + 1] = action_of(flips[k], square, 1)
                    count += 2
        return count

    @kernel
    def next_state(self, state, action):
        player = number_of_tiles(state) & 1
        own = state.tiles0 if player == 0 else state.tiles1
        other = state.tiles1 if player == 0 else state.tiles0
        turned = state.turned
        flip = action >> 5
        if flip != NO_FLIP:
            square = (flip - 1) >> 2
            there = NEIGHBOURS[square, (flip - 1) & 3]
            other ^= 1 << square | 1 << there
            if turned >> square & 1:
                turned ^= 1 << square
            else:
                turned |= 1 << there
        placed = 1 << (action >> 1 & 15)
        own |= placed
        if action & 1:
            turned |= placed
        return State(own, other, turned) if player == 0 else State(other, own, turned)

    @kernel
    def returns(self, state):
        rows = self.rows(state)
        if rows == 3:
            by_first = number_of_tiles(state) & 1 == 1
            return float(self.double_lock_for_mover if by_first else -self.double_lock_for_mover)
        return float(int(rows == 1) - int(rows == 2))

    @kernel
    def hash(self, state):
        """A bijection of the position: no two share it."""
        return mix(np.uint64(1 + (state.tiles0 | state.tiles1 << 16 | state.turned << 32)))

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        rows = int(self.rows(states[-1]))
        a, b = (
            Ending("has three locked tiles in a row") if rows >> player & 1 else None for player in (0, 1)
        )
        return a, b

    def why_over(self, state: State) -> str:
        rows = int(self.rows(state))
        if rows == 0:
            return "All tiles are placed, and nobody has three locked in a row."
        if rows == 3:
            result = {
                "draw": "is a draw",
                "opponent": "wins for who did not move",
                "mover": "wins for who moved",
            }[self.double_lock]
            return f"A double lock {result}."
        return ""

    # -- symmetries ----------------------------------------------------------------------------------------------

    def symmetries(self, state: State) -> list[Symmetry]:
        """The board's eight symmetries, each with either player's faces exchanged: 32, the identity left out."""
        found: list[Symmetry] = []
        for motion in range(MOTIONS):
            tiles0, tiles1, turned = (int(moved(int(squares), motion)) for squares in state)
            for exchange0, exchange1 in itertools.product((False, True), repeat=2):
                if motion > 0 or exchange0 or exchange1:
                    faces = turned ^ (tiles0 if exchange0 else 0) ^ (tiles1 if exchange1 else 0)
                    names = _renamed(motion, exchange0), _renamed(motion, exchange1)
                    found.append(Symmetry(State(tiles0, tiles1, faces), *names, False))
        return found

    # -- text ----------------------------------------------------------------------------------------------------

    def action_to_string(self, state: State, player: int, action: int) -> str:
        """`b2>c2 a4R`: flip b2 to c2, place on a4 red up; without a flip `a4R`."""
        flip, square = action >> 5, action >> 1 & 15
        placed = square_name(square) + FACES[player][action & 1]
        if flip == NO_FLIP:
            return placed
        origin, direction = divmod(flip - 1, 4)
        return f"{square_name(origin)}>{square_name(int(NEIGHBOURS[origin, direction]))} {placed}"

    def string_to_action(self, state: State, player: int, text: str) -> int:
        words = _TURN.fullmatch(text.strip())
        if words is not None and words[4] in FACES[player]:
            flip = NO_FLIP
            if words[1] is not None:
                steps = NEIGHBOURS[square_of(words[1])].tolist()
                there = square_of(words[2])
                flip = flip_of(square_of(words[1]), steps.index(there)) if there in steps else -1
            action = action_of(flip, square_of(words[3]), FACES[player].index(words[4]))
            if action in self.legal_actions(state, player):
                return action
        raise self.illegal(state, player, text)

    def to_text(self, state: State) -> str:
        """Four rows from the top, separated by `/`."""
        return "/".join(self.board(state))

    def board(self, state: State) -> list[str]:
        """The squares as letters, one string a row, `.` for an empty one."""
        marks = ""
        for square in range(SQUARES):
            face = state.turned >> square & 1
            owner = 0 if state.tiles0 >> square & 1 else 1 if state.tiles1 >> square & 1 else None
            marks += "." if owner is None else FACES[owner][face]
        return [marks[start : start + SIDE] for start in range(0, SQUARES, SIDE)]

    def from_text(self, text: str) -> State:
        rows = text.strip().split("/")
        self.refuse(
            (
                len(rows) != SIDE or any(len(row) != SIDE or set(row) - set(".RBWY") for row in rows),
                f"expected four rows of four squares such as RB../.W../..../...., not {text.strip()!r}",
            )
        )
        marks = "".join(rows)

        def squares(letters: str) -> int:
            return sum(1 << square for square, mark in enumerate(marks) if mark in letters)

        state = State(squares("RB"), squares("WY"), squares("BY"))
        lead = state.tiles0.bit_count() - state.tiles1.bit_count()
        self.refuse(
            (
                lead not in (0, 1),
                "red/blue begins, so it has as many tiles as white/yellow or one more; "
                f"{text.strip()!r} has {state.tiles0.bit_count()} and {state.tiles1.bit_count()}",
            )
        )
        late = state.tiles0 and all(self.current_player(one) == TERMINAL for one in self._before(state, lead))
        name = ("white/yellow", "red/blue")[lead]
        self.refuse((late, f"no last turn of {name} leads to {text.strip()!r}: the game was over before it"))
        return state

    def _before(self, state: State, lead: int) -> Iterator[State]:
        """The positions before each last turn that may have led here; who can tumble a tile must."""
        own, other = (state.tiles0, state.tiles1) if lead else (state.tiles1, state.tiles0)
        for placed in _squares(own):
            left, turned = own & ~(1 << placed), state.turned & ~(1 << placed)
            tumbled = [
                (other ^ (1 << there | 1 << came), turned & ~(1 << there) | (~turned >> there & 1) << came)
                for there in _squares(other)
                for came in NEIGHBOURS[there].tolist()
                if came >= 0 and not (left | other) >> came & 1
            ]
            for others, faces in tumbled or [(other, turned)]:
                yield State(left, others, faces) if lead else State(others, left, faces)

    def render(self, state: State) -> str:
        rows = self.board(state)
        return "\n".join(["  a b c d", *(f"{number} {' '.join(row)}" for number, row in enumerate(rows, 1))])

    def picture(self, state: State) -> Picture:
        """The first faces are squares, the second ones diamonds; a turn tumbles from `start` to `via`, then places at `to`."""
        locked = int(enclosed(int(state.tiles0) | int(state.tiles1)))
        pieces: list[Piece] = []
        marks: list[Mark] = []
        for player, tiles in enumerate((int(state.tiles0), int(state.tiles1))):
            for face in (0, 1):
                shown = tiles & (int(state.turned) if face else ~int(state.turned))
                for square in _squares(shown):
                    pieces.append(_tile(square, player, face, bool(locked >> square & 1)))
                marks += [
                    Mark(*_cell(square), "winning", player) for square in _squares(_in_rows(shown & locked))
                ]
        return Picture(
            SIDE,
            SIDE,
            pieces=tuple(pieces),
            marks=tuple(marks),
            column_names=tuple("abcd"),
            row_names=tuple("1234"),
            numbers=tuple(
                Number("tiles left", SQUARES // 2 - int(tiles).bit_count(), player, SQUARES // 2)
                for player, tiles in enumerate((state.tiles0, state.tiles1))
            ),
            moves=tuple(
                self._pictured(state, p, a)
                for p in self.players_to_act(state)
                for a in self.legal_actions(state, p)
            ),
            text=self.render(state),
        )

    def _pictured(self, state: State, player: int, action: int) -> Move:
        flip, square = action >> 5, action >> 1 & 15
        start = via = None
        if flip != NO_FLIP:
            origin, direction = divmod(flip - 1, 4)
            start, via = _cell(origin), _cell(int(NEIGHBOURS[origin, direction]))
        name = self.action_to_string(state, player, action)
        return Move(
            player, action, name, _cell(square), start, piece=_tile(square, player, action & 1), via=via
        )

    def illegal(self, state: State, player: int, tried: object) -> IllegalActionError:
        """As every game's, without listing hundreds of turns."""
        legal = [self.action_to_string(state, player, a) for a in self.legal_actions(state, player)]
        more = f", ... ({len(legal)} turns)" if len(legal) > 6 else ""
        return IllegalActionError(
            f"{tried!r} is not a legal action of player {player} here; legal: {', '.join(legal[:6]) or 'none'}{more}\n"
            f"{self.render(state)}"
        )


def _cell(square: int) -> Cell:
    return square % SIDE, square // SIDE


def _squares(tiles: int) -> list[int]:
    return [square for square in range(SQUARES) if tiles >> square & 1]


def _in_rows(tiles: int) -> int:
    """The tiles that are part of three in a row."""
    rows = (1 << a | 1 << b | 1 << c for a, b, c in itertools.combinations(_squares(tiles), 3))
    return functools.reduce(operator.or_, (row for row in rows if has_three(row)), 0)


def _tile(square: int, player: int, face: int, locked: bool = False) -> Piece:
    up, down = FACES[player][face], FACES[player][1 - face]
    title = f"{_COLOURS[up]}, {_COLOURS[down]} below{', locked' if locked else ''}"
    return Piece(*_cell(square), player, ("square", "diamond")[face], up, title, locked)


@functools.cache
def _renamed(motion: int, exchange: bool) -> tuple[int, ...]:
    """Every action after a motion of the board, its placed tile's face exchanged or not."""
    images = [int(moved(1 << square, motion)).bit_length() - 1 for square in range(SQUARES)]
    names: list[int] = []
    for action in range(ACTIONS):
        flip, square, face = action >> 5, action >> 1 & 15, action & 1
        if flip != NO_FLIP:
            origin, direction = divmod(flip - 1, 4)
            flip = flip_of(images[origin], _turned_direction(images, direction))
        names.append(action_of(flip, images[square], face ^ exchange))
    return tuple(names)


def _turned_direction(images: list[int], direction: int) -> int:
    """The direction after a motion: seen at a square that has a neighbour on every side."""
    inner = SIDE + 1
    return NEIGHBOURS[images[inner]].tolist().index(images[int(NEIGHBOURS[inner, direction])])
