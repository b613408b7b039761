"""The puzzles that come with the games, and those in files."""

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from .games import GAMES, make_game

if TYPE_CHECKING:  # a list of games is there before NumPy and Numba are
    from ...play.puzzles import Puzzle


def names_of_sets() -> list[str]:
    """The games that bring puzzles."""
    return sorted(name for name, entry in GAMES.items() if entry.description.puzzles)


def read_set(game: str) -> "list[Puzzle]":
    """The puzzles that a game brings; raises PuzzleError where there are none."""
    from ...play.puzzles import PuzzleError

    if game not in names_of_sets():
        raise PuzzleError(
            f"there are no puzzles of {game}; there are of {', '.join(names_of_sets())}; your own: --set FILE"
        )
    entry = GAMES[game]
    return read_own(Path(str(files(entry.package).joinpath(entry.description.puzzles))))


def read_own(path: str | Path) -> "list[Puzzle]":
    """The puzzles in a file, each checked against the rules; raises PuzzleError in one sentence."""
    from ...play.puzzles import read_puzzles

    return read_puzzles(path, make_game)
