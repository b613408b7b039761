"""The named players of Tron-41."""

from ...game import Game
from ...search import Limits
from ..asp_bot import MAX_WAIT, AspPlayer
from ..base import Player
from ..entry import RosterEntry
from ..tron_wall import SafePlayer, WallPlayer


def wall(game: Game, limits: Limits | None) -> Player:
    """The course's wall bot."""
    return WallPlayer()


def safe(game: Game, limits: Limits | None) -> Player:
    """The course's random bot, which does not know what armor is for."""
    return SafePlayer()


def asp(game: Game, limits: Limits | None, file: str, bot: str | None = None, max_wait: float = MAX_WAIT) -> Player:
    """A bot file of the course, in a process of its own."""
    return AspPlayer(file, bot, float(max_wait))


ENTRIES = (
    RosterEntry(
        name="wall",
        game="tron41",
        origin="the Tron-41 course",
        algorithm="rule",
        evaluator="none",
        summary="keeps to walls and trails, in an order of directions drawn for each game",
        factory=wall,
    ),
    RosterEntry(
        name="safe",
        game="tron41",
        origin="the Tron-41 course, where it is called random",
        algorithm="uniform random",
        evaluator="none",
        summary="any direction but into wall, barrier or player; never uses armor",
        factory=safe,
    ),
    RosterEntry(
        name="asp",
        game="tron41",
        origin="a bot file of the Tron-41 course",
        algorithm="the file's",
        evaluator="the file's",
        summary='a class of a bot file, such as asp(file="bots.py", bot=StudentBot, max_wait=1.0)',
        factory=asp,
    ),
)
