"""One game as environments need it: found by its text, seen as arrays and masks, with chance drawn."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..compiled import put_words, run, word_count
from ..compiled.states import as_machine_words
from ..game.base import NO_ACTION, TERMINAL, Game, GameError
from ..game.picture import Cell, Owner, Picture, Piece, continued
from ..game.probe import moves_of
from ..games.catalogue.games import read_game
from .batch_kernels import TRIES


def game_of(game: Game | str) -> Game:
    """The game itself, or the one that a text names, with parameters if wanted: `name(width=8)`, `./FILE.py:CLASS`.

    The file is code, and it is run. Raises GameError, SpecError or KernelError for what there is not, or what cannot be right.
    """
    return game if isinstance(game, Game) else read_game(game)


# Whether a game's planes fit the shape that it tells: compiled code would write beyond an array.

_POSITIONS = 12
"""Positions of a random game in which the planes are tried."""


def checked_plane_shape(game: Game) -> tuple[int, int, int]:
    """The shape of the game's planes, which are written as plain Python at the start and in some positions after it.

    Raises GameError where there are none, or they do not fit. That is a test of some positions: `check_game` tries those of whole games.
    """
    if not game.has_planes:
        raise GameError(
            f"{type(game).__name__} has no planes: take other observations, or write the kernel planes"
        )
    state, draw = game.initial_state(), random.Random(0)
    shape = _written(game, state)
    for _ in range(_POSITIONS - 1):
        if game.current_player(state) == TERMINAL:
            break
        rows, columns, _ = moves_of(game, state)
        state = game.advance(state, draw.choice(rows), draw.choice(columns))
        _written(game, state)
    return shape


def _written(game: Game, state: Any) -> tuple[int, int, int]:
    """The shape, if both players' planes of the position fit it."""
    try:
        shape = tuple(int(size) for size in game.plane_shape)
        board = np.zeros(shape, np.uint8)
        with np.errstate(over="ignore"):  # compiled code wraps around in silence, too
            for player in (0, 1):
                game.plain.planes(as_machine_words(state), player, board)
    except (TypeError, ValueError, IndexError) as error:
        raise GameError(
            f"{type(game).__name__}.planes does not fit plane_shape, {game.plane_shape!r}: {error}"
        ) from error
    if len(shape) != 3:
        raise GameError(
            f"{type(game).__name__}.plane_shape is (planes, rows, columns), not {game.plane_shape!r}"
        )
    return shape


# One game as environments need it: what a player sees as arrays, masks, chance drawn, an illegal action as a loss, drawings.

RENDER_MODES = ["ansi", "rgb_array"]
OBSERVATIONS = ("planes", "bits", "words")


class Observer:
    """Makes arrays of what a player sees of a position.

    "planes": uint8, `game.plane_shape`, as this player sees it, for games with `planes`. "bits": uint8, 0 and 1, the bits of all words
    of the state, 64 each, the lowest first. "words": uint64, the words themselves (`BatchEnv.states`). None: planes where the game has
    them, else bits.
    """

    def __init__(self, game: Game, kind: str | None = None) -> None:
        self.kind = kind or ("planes" if game.has_planes else "bits")
        if self.kind not in OBSERVATIONS:
            raise ValueError(f"observations are planes, bits or words, not {kind!r}")
        self._game = game
        self._words = int(word_count(as_machine_words(game.initial_state())))
        self.shape: tuple[int, ...] = (self._words * (64 if self.kind == "bits" else 1),)
        if self.kind == "planes":
            self.shape = checked_plane_shape(game)
        self.dtype: Any = np.uint64 if self.kind == "words" else np.uint8

    @property
    def highest(self) -> int:
        """The greatest number that may occur; the least one is 0."""
        return {"words": 2**64 - 1, "bits": 1, "planes": 255}[self.kind]

    def seen(self, state: Any, player: int) -> Any:
        """The position as the player sees it, a new array."""
        if self.kind == "planes":
            found = np.zeros(self.shape, self.dtype)
            run(self._game.kernels["planes"], self._game, state, player, found)
            return found
        words = np.zeros(self._words, np.uint64)
        put_words(as_machine_words(state), words)
        return self.of_words(words[None])[0]

    def of_words(self, words: Any) -> Any:
        """Observations of positions given by their words, uint64 (count, words): a new array with a row for
        each.
        """
        if self.kind == "words":
            return words.copy()
        return np.unpackbits(
            words.astype("<u8", copy=False).view(np.uint8).reshape(len(words), -1), axis=1, bitorder="little"
        )


def whole(action: Any) -> int:
    """An action as a number; raises ValueError for what is no whole number, which would be cut to one."""
    given = np.asarray(action)
    if given.size != 1 or given.dtype.kind not in "iu":
        raise ValueError(f"an action is a whole number, not {action!r}")
    return int(given.item())


class OneGame:
    """A game under way, in which chance never has the turn: what it does is drawn at once."""

    def __init__(self, game: Game | str, observations: str | None, render_mode: str | None) -> None:
        self.game = game_of(game)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is {' or '.join(RENDER_MODES)}, not {render_mode!r}")
        self.observer, self.render_mode = Observer(self.game, observations), render_mode
        self.actions = int(self.game.distinct_actions)
        self.state: Any = self.game.initial_state()
        self.forfeits: tuple[int, ...] = ()
        """The players whose actions were illegal, which ended the game."""
        self._picture: Picture | None = None

    def begin(self, draw: Any, start: Any = None) -> None:
        """A new game, from a position or its text; `draw` is NumPy's generator."""
        self.forfeits, self._picture = (), None
        first = (
            self.game.initial_state()
            if start is None
            else self.game.from_text(start)
            if isinstance(start, str)
            else start
        )
        for _ in range(TRIES):
            self.state = self._settled(first, draw)
            if self.game.current_player(self.state) != TERMINAL:
                self._draw()
                return
        raise GameError(
            f"{type(self.game).__name__}: nobody moves in the game that begins here:\n{self.game.render(first)}"
        )

    @property
    def movers(self) -> Sequence[int]:
        """The players that choose now; () where the game is over."""
        return () if self.forfeits else self.game.players_to_act(self.state)

    @property
    def is_over(self) -> bool:
        return not self.movers

    def result(self, player: int) -> float:
        """The result of a finished game for a player: the worst after an illegal action, the middle if both
        were illegal.
        """
        if self.forfeits:
            low, high = self.game.min_utility, self.game.max_utility
            first = (low + high) / 2 if len(self.forfeits) == 2 else low if self.forfeits == (0,) else high
        else:
            first = float(self.game.returns(self.state))
        return float(first if player == 0 else -first)

    def mask(self, player: int) -> Any:
        """int8 (actions,): 1 for each legal action, a new array; all 0 where the player does not choose."""
        found = np.zeros(self.actions, np.int8)
        if player in self.movers:
            legal = self.game.choices(self.state, player)
            for action in (min(legal, default=0), max(legal, default=0)):
                if not 0 <= action < self.actions:
                    raise GameError(
                        f"{type(self.game).__name__} has the legal action {action}, and they are numbered from 0 to {self.actions - 1}: "
                        "set distinct_actions to the greatest one and 1"
                    )
            found[legal] = 1
        return found

    def play(self, actions: dict[int, Any], draw: Any) -> None:
        """Play the movers' actions; an illegal one loses, two are a draw, and the position stays as it is.

        Raises ValueError for what is no whole number.
        """
        movers, joint = self.movers, [NO_ACTION, NO_ACTION]
        for player in movers:
            action = actions.get(player)
            joint[player] = NO_ACTION if action is None else whole(action)
        self.forfeits = tuple(
            player for player in movers if joint[player] not in self.game.choices(self.state, player)
        )
        if self.forfeits:
            return
        self.state = self._settled(self.game.advance(self.state, joint[0], joint[1]), draw)
        self._draw()

    def render(self) -> Any:
        """The position as text, or uint8 (height, width, 3) of a game that draws a board, as `render_mode` says; None without one."""
        if self.render_mode == "ansi":
            return self.game.render(self.state)
        return (
            pixels_of(self._picture or self.game.picture(self.state))
            if self.render_mode == "rgb_array"
            else None
        )

    def _draw(self) -> None:
        """Draw the present picture, with the trails continued from the picture before."""
        if self.render_mode == "rgb_array":
            now = self.game.picture(self.state)
            self._picture = now if self._picture is None else continued(self._picture, now)

    def _settled(self, state: Any, draw: Any) -> Any:
        for _ in range(int(self.game.max_depth) + 1):
            outcomes = self.game.chance_outcomes(state)
            if not outcomes:
                return state
            ends = np.cumsum([share for _, share in outcomes])
            place = int(np.searchsorted(ends, draw.random() * ends[-1], side="right"))
            state = self.game.next_state(state, outcomes[min(place, len(outcomes) - 1)][0])
        raise GameError(
            f"{type(self.game).__name__}: chance moves more often in a row than max_depth, {self.game.max_depth}"
        )


# A picture as pixels, by NumPy alone: coarse, for videos of training and for renderers that want an array.

SIDE = 24
"""Pixels of a cell's side."""
_GROUND, _OTHER_GROUND, _LINE, _WALL = (250, 249, 246), (236, 233, 226), (214, 210, 201), (86, 88, 94)
_COLOURS: dict[Owner, tuple[int, int, int]] = {0: (31, 104, 178), 1: (204, 90, 32), None: (110, 112, 118)}
_MARKS = {
    "food": (46, 140, 70),
    "hazard": (225, 190, 190),
    "target": (205, 225, 205),
    "winning": (240, 215, 110),
}
_FONT = {
    "0": ("111", "101", "101", "101", "111"),
    "1": ("010", "110", "010", "010", "111"),
    "2": ("111", "001", "111", "100", "111"),
    "3": ("111", "001", "111", "001", "111"),
    "4": ("101", "101", "111", "001", "001"),
    "5": ("111", "100", "111", "001", "111"),
    "6": ("111", "100", "111", "101", "111"),
    "7": ("111", "001", "001", "001", "001"),
    "8": ("111", "101", "111", "101", "111"),
    "9": ("111", "101", "111", "001", "111"),
}
_ROWS, _COLUMNS = np.mgrid[0:SIDE, 0:SIDE]
_X, _Y = (_COLUMNS - (SIDE - 1) / 2) / (SIDE / 2), (_ROWS - (SIDE - 1) / 2) / (SIDE / 2)
_SHAPES: dict[str, Callable[[], Any]] = {
    "disc": lambda: _X**2 + _Y**2 <= 0.72**2,
    "square": lambda: np.maximum(abs(_X), abs(_Y)) <= 0.74,
    "ring": lambda: abs(np.sqrt(_X**2 + _Y**2) - 0.6) <= 0.14,
    "cross": lambda: (abs(abs(_X) - abs(_Y)) <= 0.17) & (np.maximum(abs(_X), abs(_Y)) <= 0.7),
    "diamond": lambda: abs(_X) + abs(_Y) <= 0.8,
    "card": lambda: (abs(_X) <= 0.62) & (abs(_Y) <= 0.86),
    "none": lambda: np.zeros((SIDE, SIDE), np.bool_),
}


def pixels_of(picture: Picture) -> Any:
    """The board of a picture: uint8 (height, width, 3), red, green and blue, `SIDE` pixels a cell.

    Colours are the players': blue is player 0, orange player 1. Of labels only digits are drawn; names of rows and columns, numbers beside
    the board and the list of moves are left out. Raises GameError for a picture without a board, which is a text.
    """
    if not picture.width:
        raise GameError("this game draws no board, only text: take render_mode 'ansi'")
    found = np.empty((picture.height * SIDE, picture.width * SIDE, 3), np.uint8)
    for y in range(picture.height):
        for x in range(picture.width):
            tile = _tile(found, (x, y))
            tile[...] = _OTHER_GROUND if picture.board == "checkered" and (x + y) % 2 else _GROUND
            if picture.board != "table":
                tile[0], tile[:, 0] = _LINE, _LINE
    for cell in picture.walls:
        _tile(found, cell)[1:, 1:] = _WALL
    for mark in picture.marks:
        _tile(found, (mark.x, mark.y))[2:-1, 2:-1] = _MARKS.get(mark.kind) or _lighter(_COLOURS[mark.owner])
    for trail in picture.trails:
        for cell in trail.cells:
            _tile(found, cell)[1:, 1:] = _lighter(_COLOURS[trail.owner])
        if trail.head:
            _tile(found, trail.cells[-1])[_SHAPES["disc"]()] = _COLOURS[trail.owner]
    for piece in picture.pieces:
        _put_piece(_tile(found, (piece.x, piece.y)), piece)
    return found


def _tile(pixels: Any, cell: Cell) -> Any:
    x, y = cell
    return pixels[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE]


def _lighter(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    red, green, blue = ((3 * 255 + 2 * part) // 5 for part in colour)
    return red, green, blue


def _put_piece(tile: Any, piece: Piece) -> None:
    colour = _COLOURS[piece.owner]
    tile[_SHAPES.get(piece.shape, _SHAPES["disc"])()] = (
        _WALL if piece.owner is None and piece.shape == "square" else colour
    )
    digits = [_FONT[character] for character in piece.label if character in _FONT]
    if not digits:
        return
    ink, left = (
        (255, 255, 255) if piece.shape in ("disc", "square", "diamond", "card") else colour,
        SIDE // 2 - 4 * len(digits),
    )
    for digit in digits:
        for y, row in enumerate(digit):
            for x, dot in enumerate(row):
                if dot == "1":
                    tile[7 + 2 * y : 9 + 2 * y, max(left + 2 * x, 0) : max(left + 2 * x + 2, 0)] = ink
        left += 8
