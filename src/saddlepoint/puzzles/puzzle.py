"""A puzzle, and files of puzzles: JSON lines, a puzzle a line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from .._text import error_line
from ..foreign_files import ForeignFileError, read_text
from ..game import Game
from ..json_fields import Fields, json_object
from ..own_games import Finder
from ..play.position_text import position_of_text, taken_apart
from ..play.replay import unknown_game

_LONGEST = 20_000_000
_DEEPEST = 64


class PuzzleError(ValueError):
    """A file that is no set of puzzles; the message says where, and what was expected."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which one player has one good move.

    It is the only move that this player makes in any equilibrium of the game without chance that is called a draw after `depth`
    steps. `loss` is what every other move gives away there at least, in units of the game: 1 from a win to a draw, or from a
    draw to a loss. Some moves that are none of a stage's (they lose at once) are not even looked at.
    """

    game: str
    parameters: dict[str, Any]
    position: str
    """The position as the game's text."""
    player: int
    """Who is to find the move."""
    solution: str
    """The move, by name."""
    depth: int
    shown: int
    """The least depth from which on the move is the only good one."""
    loss: float
    theme: str
    find: Finder = field(default=unknown_game, compare=False, repr=False)
    """Finds the game by its name."""

    def make_game(self) -> Game:
        """The game that it is a position of; raises GameError."""
        return self.find(self.game, **self.parameters).fitted_to(taken_apart(self.position).own)

    def to_json(self) -> dict[str, Any]:
        """The line of a file."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "find"}

    def state(self, game: Game) -> Any:
        """The position, in the game that `make_game` gives; raises GameError."""
        return position_of_text(game, self.position)


def read_puzzles(path: str | Path, find: Finder) -> list[Puzzle]:
    """The puzzles in a file, each checked against the rules; `find` finds games by name. Raises PuzzleError in one sentence."""
    try:
        content = read_text(path, _LONGEST)
    except ForeignFileError as error:
        raise PuzzleError(str(error)) from None
    found: list[Puzzle] = []
    for number, line in enumerate(content.removesuffix("\n").split("\n") if content else (), 1):
        where = f"{path}: line {number}"
        try:
            found.append(_read(_Fields(json_object(line), where), find))
        except PuzzleError:
            raise
        except (ValueError, RecursionError) as error:
            raise PuzzleError(f"{where}: {error_line(error)}") from None
    if not found:
        raise PuzzleError(f"{path}: the file is empty: expected puzzles, JSON lines")
    return found


class _Fields(Fields):
    error = PuzzleError


def _read(line: Fields, find: Finder) -> Puzzle:
    depth = line.integer("depth", 1, _DEEPEST)
    puzzle = Puzzle(
        line.take("game", str), line.take("parameters", dict, default={}), line.take("position", str), line.take("player", int),
        line.take("solution", str), depth, line.take("shown", int, default=depth), float(line.take("loss", float, int, default=0.0)),
        line.take("theme", str, default=""), find,
    )  # fmt: skip
    game = puzzle.make_game()
    state = puzzle.state(game)
    if puzzle.player not in game.players_to_act(state):
        line.refuse(f"player {puzzle.player} has no move in this position")
    game.string_to_action(state, puzzle.player, puzzle.solution)
    return puzzle


def lines_of(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """The lines of a file of puzzles."""
    for puzzle in puzzles:
        yield json.dumps(puzzle.to_json(), separators=(", ", ": "))
