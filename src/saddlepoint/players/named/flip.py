"""The named players of Rubik's Flip."""

from ...game import Game
from ...search import Limits
from ..base import Player
from ..entry import RosterEntry


def database(game: Game, limits: Limits | None, file: str = "") -> Player:
    """A solved game from its database: `file`, or where `saddlepoint solve` puts it.

    Where there is none and none was named it searches, and plays the last plies exactly.
    """
    from ...games.rubiks_flip import RubiksFlip
    from ...solvers.rubiks_flip import Database, default_path
    from ..flip_database import FlipDatabasePlayer

    assert isinstance(game, RubiksFlip)
    path = file or default_path(game.double_lock)
    found = Database(path) if file or default_path(game.double_lock).exists() else None
    if found is not None and found.game != game:
        raise ValueError(f"{path} solves double_lock={found.game.double_lock}, the game is {game.double_lock}")
    return FlipDatabasePlayer(found)


ENTRIES = (
    RosterEntry(
        name="database",
        game="rubiks_flip",
        origin="this library",
        algorithm="the solved game, looked up (file=...); without it alpha-beta, the last 6 plies exact",
        evaluator="none",
        summary="perfect: quickest wins, slowest losses, and draws that are hard to hold",
        factory=database,
    ),
)
