"""What a command is given: texts, positions, pairs of numbers."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a bot's first answer waits for what is imported here
    from ..game import Game

PLAYER_HELP = "A player: a name of `saddlepoint players`, ./FILE.py, cmd:COMMAND, or http://HOST:PORT for a snake."


def read_text(path: str) -> str:
    """What is in a text file, or on stdin for `-`; raises ValueError in one sentence for what is no text, and OSError as `open` does."""
    import sys

    from .. import foreign_files

    if path != "-":
        return foreign_files.read_text(path)
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] (it was closed before the program began)
        raise ValueError("stdin is closed: there is nothing to read from it")
    bytes_ = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read() if bytes_ is None else foreign_files.text_of(bytes_, "stdin")


def read_position_text(given: str) -> str:
    """A position as a command is given it: its text where that begins with `moves:` or has several lines, else what is in the file.

    Raises ValueError for what is no text, and where there is no such file.
    """
    if given.lstrip().startswith("moves:") or "\n" in given.strip():
        return given
    try:
        return read_text(given)
    except FileNotFoundError:
        raise ValueError(f"there is no file {given!r}; a position given by its moves is written 'moves: 3/5 2/4'") from None


def read_position(game: "Game", given: str | None) -> Any:
    """The position that is given to a command, or the game's start; raises GameError in one sentence."""
    from ..play.position_text import position_of_text

    return game.initial_state() if given is None else position_of_text(game, read_position_text(given))


def read_pair(text: str, between: str, option: str, example: str) -> tuple[int, int]:
    """Two whole numbers with a mark between them."""
    first, mark, second = text.lower().partition(between)
    if not (mark and first.strip().isdigit() and second.strip().isdigit()):
        raise ValueError(f"{option} takes two numbers such as {example}, not {text!r}")
    return int(first), int(second)
