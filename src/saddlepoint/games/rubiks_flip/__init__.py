"""Rubik's Flip, and what it brings besides its rules: its named players first."""

from .. import interface

_WINDOW = 1000.0
"""Ace and Bob begin with alpha -1000 and beta 1000."""


PLAYERS = interface.Players("rubiks_flip")


@PLAYERS.named(
    "ace",
    origin="Ace, a Rubik's Tile player",
    algorithm="minimax, alpha-beta, 2 plies",
    evaluator="results alone; a draw counts as +7 of 10 for the searching side",
    summary="published: 89-4-7 against random",
)
def ace(game, limits, depth: int = 2):
    """Minimax with alpha-beta over a turn and the reply.

    A draw is worth 7 of a win's 10 to the searching player.

    Both sides' searches like a draw, so this is no negamax. The program behind the published figures undid the flip after
    the first placement it tried; that slip is not built.
    """
    from .evaluators import Ace

    return interface.PublishedPlayer(interface.Manner(Ace()), depth, largest=_WINDOW, limits=limits)


@PLAYERS.named(
    "bob",
    origin="Bob, a Rubik's Tile player",
    algorithm="minimax, alpha-beta, 2 plies",
    evaluator="results; a draw counts as +2 of 10 for the searching side; locked pairs",
    summary="published: 94-2-4 against random",
)
def bob(game, limits, depth: int = 2):
    """As Ace, with a draw worth 2 and locked pairs worth 3."""
    from .evaluators import Bob

    return interface.PublishedPlayer(interface.Manner(Bob()), depth, largest=_WINDOW, limits=limits)


@PLAYERS.named(
    "database",
    algorithm="the solved game, looked up (file=...); without it alpha-beta, iterative deepening, transposition table",
    evaluator="none: positions at the depth limit count as draws",
    summary="perfect with the database: the shortest wins, the longest losses, and draws that are difficult for the opponent",
)
def solved_flip(game, limits, file: interface.File = ""):
    """A solved game from its database: `file`, or where `saddlepoint solve` puts it.

    Where there is none and none was named it searches, to the end where the limits allow it.
    """
    from .database_player import FlipDatabasePlayer

    return FlipDatabasePlayer(_database(game, file), limits)


def _database(game, file):
    from .database import Database, default_path

    path = file or default_path(game.double_lock)
    if not file and not path.exists():
        return None
    found = Database(path)
    if found.game != game:
        raise ValueError(
            f"{path} solves double_lock={found.game.double_lock}, the game is {game.double_lock}"
        )
    found.check()
    return found


@PLAYERS.named(
    "best",
    algorithm="the solved game, looked up; with solve=false alpha-beta, iterative deepening, transposition table",
    evaluator="none: positions at the depth limit count as draws",
    summary="perfect: it solves the game once, which takes half a minute, and keeps 113 MB",
)
def flip_best(game, limits, file: interface.File = "", solve: bool = True):
    """As `database`; where there is none it solves the game before a clock runs, and keeps it where `saddlepoint solve` puts it."""
    from .database_player import FlipDatabasePlayer

    return FlipDatabasePlayer(_database(game, file) if solve or file else None, limits, solves=solve)


GAME = interface.Description(
    players=PLAYERS,
    levels=(
        interface.Level("gentle", "ace(depth=1)", nodes=10_000),
        interface.Level("club", "bob", nodes=100_000),
        interface.Level("strong", "pvs(depth=4)", nodes=200_000),
    ),
    evaluators=("evaluators:Ace", "evaluators:Bob"),
    solve="command:SOLVER",
)

__getattr__, __dir__ = interface.attach(__name__, __file__)
