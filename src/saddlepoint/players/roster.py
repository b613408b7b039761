"""The players that have a name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..evaluators import Chambers, Prospects, QueueTerritory
from ..game import Game
from ..search import SMAB, AlphaBeta, Limits, SaddlePruning
from .asp_bot import MAX_WAIT, AspPlayer
from .base import Player
from .random_player import RandomPlayer
from .searching import SearchPlayer
from .timing import Adaptive, NashClock, Uniform
from .tron_wall import SafePlayer, WallPlayer


@dataclass(frozen=True)
class RosterEntry:
    """A named player. `factory(game, limits, **options)` makes it; its keyword parameters are the spec's options."""

    name: str
    game: str
    """The only game it plays, or an empty string for any."""
    origin: str
    """Where it comes from: a program, a paper, this library."""
    algorithm: str
    evaluator: str
    summary: str
    factory: Callable[..., Player]
    """Called with the game and the Limits a move has besides its clock (or None)."""


ROSTER: dict[str, RosterEntry] = {}


def register(entry: RosterEntry) -> None:
    """Give a player its name."""
    if entry.name in ROSTER:
        raise ValueError(f"there is a player {entry.name!r} already")
    ROSTER[entry.name] = entry


def _random(game: Game, limits: Limits | None) -> Player:
    return RandomPlayer()


def riders_smab(game: Game, limits: Limits | None, choice: str = "best") -> Player:
    """SMAB with chambers, as the first Light Riders program describes its default.

    Its depth follows that program's rule where the clock has a bank (a depth there is a move of one player, two to a
    round); with a fixed time a move it deepens until the time is up.
    """
    algorithm = SMAB(Chambers(), window_depth=2)
    return SearchPlayer(
        algorithm, limits=limits, policy=Uniform(1.0), choice=_choice(choice), depth_rule=True, rounds_a_step=0.5
    )


def riders_killer(game: Game, limits: Limits | None) -> Player:
    """Serialised alpha-beta with the cached tree, killers first, chambers and the endgame: what that program shipped.

    Its backtracking endgame is ours, which looks deeper; depth as for riders_smab.
    """
    algorithm = AlphaBeta(Chambers(), table=True, killers=True)
    return SearchPlayer(
        algorithm, limits=limits, policy=Uniform(1.0), depth_rule=True, rounds_a_step=0.5, endgame=True
    )


def riders_nash(game: Game, limits: Limits | None, choice: str = "best") -> Player:
    """Iterative deepening over stage equilibria with saddle pruning; finished games are worth their territory too.

    No new depth after a fifth of the move's time, a third when separated; then the longest path.
    """
    algorithm = SaddlePruning(QueueTerritory(scale=0.0), evaluate_ends=True)
    return SearchPlayer(algorithm, limits=limits, policy=NashClock(), choice=_choice(choice), endgame=True)


def riders_best(game: Game, limits: Limits | None) -> Player:
    """The strongest Light Riders player here: it looks deeper than the others, along the lines that matter."""
    algorithm = AlphaBeta(Prospects(), table=True, killers=True, scout=True, reduction=1, distance=1e-6)
    return SearchPlayer(algorithm, limits=limits, policy=Adaptive(), endgame=True)


def wall(game: Game, limits: Limits | None) -> Player:
    """The course's wall bot."""
    return WallPlayer()


def safe(game: Game, limits: Limits | None) -> Player:
    """The course's random bot, which does not know what armor is for."""
    return SafePlayer()


def asp(game: Game, limits: Limits | None, file: str, bot: str | None = None, max_wait: float = MAX_WAIT) -> Player:
    """A bot file of the course, in a process of its own."""
    return AspPlayer(file, bot, float(max_wait))


def database(game: Game, limits: Limits | None, file: str = "") -> Player:
    """A solved game from its database: `file`, or where `saddlepoint solve` puts it.

    Where there is none and none was named it searches, and plays the last plies exactly.
    """
    from ..games.rubiks_flip import RubiksFlip
    from ..solvers.rubiks_flip import Database, default_path
    from .flip_database import FlipDatabasePlayer

    assert isinstance(game, RubiksFlip)
    path = file or default_path(game.double_lock)
    found = Database(path) if file or default_path(game.double_lock).exists() else None
    if found is not None and found.game != game:
        raise ValueError(f"{path} solves double_lock={found.game.double_lock}, the game is {game.double_lock}")
    return FlipDatabasePlayer(found)


def _choice(word: str) -> Literal["best", "mixture"]:
    if word == "best":
        return "best"
    if word == "mixture":
        return "mixture"
    raise ValueError(f"choice is best or mixture, not {word!r}")


register(
    RosterEntry(
        name="random",
        game="",
        origin="this library",
        algorithm="uniform random",
        evaluator="none",
        summary="any move that does not lose at once",
        factory=_random,
    )
)
register(
    RosterEntry(
        name="riders_smab",
        game="light_riders",
        origin="a Light Riders bot with SMAB and chambers",
        algorithm="SMAB",
        evaluator="chambers",
        summary="simultaneous-move alpha-beta to a depth that follows the clock",
        factory=riders_smab,
    )
)
register(
    RosterEntry(
        name="riders_killer",
        game="light_riders",
        origin="the same program, as it was shipped",
        algorithm="alpha-beta, cached tree, killers",
        evaluator="chambers",
        summary="commits first; drives the longest path once separated",
        factory=riders_killer,
    )
)
register(
    RosterEntry(
        name="riders_nash",
        game="light_riders",
        origin="a Light Riders bot with Nash equilibria",
        algorithm="saddle pruning, iterative deepening",
        evaluator="queue territory, raw",
        summary="equilibria of stage games; the most probable move, or drawn (choice=mixture)",
        factory=riders_nash,
    )
)
register(
    RosterEntry(
        name="best",
        game="light_riders",
        origin="this library",
        algorithm="principal-variation search with late-move reductions, table, killers",
        evaluator="prospects: chambers and openness; fill bounds once separated",
        summary="the strongest we can make",
        factory=riders_best,
    )
)
register(
    RosterEntry(
        name="wall",
        game="tron41",
        origin="the Tron-41 course",
        algorithm="rule",
        evaluator="none",
        summary="keeps to walls and trails, in an order of directions drawn for each game",
        factory=wall,
    )
)
register(
    RosterEntry(
        name="safe",
        game="tron41",
        origin="the Tron-41 course, where it is called random",
        algorithm="uniform random",
        evaluator="none",
        summary="any direction but into wall, barrier or player; never uses armor",
        factory=safe,
    )
)
register(
    RosterEntry(
        name="asp",
        game="tron41",
        origin="a bot file of the Tron-41 course",
        algorithm="the file's",
        evaluator="the file's",
        summary='a class of a bot file, such as asp(file="bots.py", bot=StudentBot, max_wait=1.0)',
        factory=asp,
    )
)
register(
    RosterEntry(
        name="database",
        game="rubiks_flip",
        origin="this library",
        algorithm="the solved game, looked up (file=...); without it alpha-beta, the last 6 plies exact",
        evaluator="none",
        summary="perfect: quickest wins, slowest losses, and draws that are hard to hold",
        factory=database,
    )
)
