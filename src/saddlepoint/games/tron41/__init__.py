"""Tron-41, the alternating Tron with power-ups of a university course (rules of 2018 to 2021).

What it brings besides its rules is here: its named players first.
"""

from dataclasses import replace

from .. import interface
from .bot_file import MAX_WAIT

_PLIES = 3
_TRAPS = 24
"""Outcomes of a trap that `best` looks at, of up to 560."""

PLAYERS = interface.Players("tron41")


@PLAYERS.named(
    "tron_freespace",
    origin="the Tron bot this game comes from",
    algorithm="alpha-beta, 5 to 7 plies, depending on the free cells",
    evaluator="share of free space, distance to power-ups, armor",
    summary="implemented as its description says, not as its code does",
)
def tron_freespace(game, limits):
    """Alpha-beta to 7 plies below 100 free cells, 6 below 250, else 5; free space, power-ups, armor.

    The original never finds the opponent reachable, adds a stray 0.5 and does not cut off at minimising nodes; it is
    built here as it was described. A trap's outcome is drawn, as its engine's transition does.
    """
    from .published import CutoffByRoom, TronFreespace

    return interface.PublishedPlayer(CutoffByRoom(TronFreespace()), 5, limits=limits)


@PLAYERS.named(
    "tron_own_fill",
    origin="the Tron-41 course",
    algorithm="alpha-beta, 3 plies, safe actions in random order",
    evaluator="own flood fill",
    summary="the first of the course's two stronger opponents; ignores power-ups",
)
def own_fill(game, limits):
    """The course's first 3-ply opponent: own flood fill."""
    from .published import SafeMoves, TronOwnFill

    return interface.PublishedPlayer(SafeMoves(TronOwnFill()), _PLIES, shuffled=True, limits=limits)


@PLAYERS.named(
    "tron_two_fills",
    origin="the Tron-41 course",
    algorithm="alpha-beta, 3 plies, safe actions in random order",
    evaluator="flood fill from both heads",
    summary="the second of the course's two stronger opponents; ignores power-ups",
)
def two_fills(game, limits):
    """The course's second 3-ply opponent: a flood fill from both heads."""
    from .published import SafeMoves, TronTwoFills

    return interface.PublishedPlayer(SafeMoves(TronTwoFills()), _PLIES, shuffled=True, limits=limits)


PLAYERS.extend(
    [
        replace(PLAYERS[-2], name="ta1", summary="what the course's runner calls tron_own_fill"),
        replace(PLAYERS[-1], name="ta2", summary="what the course's runner calls tron_two_fills"),
    ]
)


@PLAYERS.named(
    "best",
    algorithm="principal-variation search with chance nodes (traps sampled), transposition table, history; beam search when separated",
    evaluator="a network over territories by turns and their power-ups; when separated the moves that are left",
    summary="plans the longest survival when separated; by games ahead of the other players here: docs/contests-others.md",
)
def tron_best(game, limits):
    """The player of Tron-41 that scores best in games here."""
    from ... import PrincipalVariation
    from .evaluators import TronControl, TronProspects
    from .survival import TronSurvival

    return interface.SearchPlayer(
        PrincipalVariation(TronProspects(), samples=_TRAPS),
        limits=limits,
        policy=interface.Adaptive(),
        plans=[TronSurvival(TronControl())],
    )


@PLAYERS.named(
    "wall",
    origin="the Tron-41 course",
    algorithm="a fixed rule, no search",
    summary="follows walls and trails; the order of directions is random in each game",
)
def wall(game, limits):
    """The course's wall bot."""
    from .published import WallPlayer

    return WallPlayer()


@PLAYERS.named(
    "safe",
    origin="the Tron-41 course, where it is called random",
    algorithm="uniform random",
    summary="any direction except into a wall, barrier or player; never uses armor",
)
def safe(game, limits):
    """The course's random bot, which does not know what armor is for."""
    from .published import SafePlayer

    return SafePlayer()


@PLAYERS.named(
    "asp",
    origin="a bot file of the Tron-41 course",
    algorithm="the file's",
    evaluator="the file's",
    summary='a class of a bot file, such as asp(file="bots.py", bot=StudentBot, max_wait=1.0)',
)
def bot_of_file(game, limits, file: interface.File, bot: str | None = None, max_wait: float = MAX_WAIT):
    """A bot file of the course, in a process of its own."""
    from .asp import AspPlayer

    return AspPlayer(file, bot, float(max_wait))


GAME = interface.Description(
    players=PLAYERS,
    levels=(
        interface.Level("gentle", "wall", nodes=100),
        interface.Level("club", "tron_own_fill", nodes=10_000),
        interface.Level("strong", "best", nodes=10_000),
    ),
    evaluators=(
        "evaluators:TronControl", "published:TronOwnFill", "published:TronTwoFills", "published:TronFreespace",
        "evaluators:TronProspects",
    ),
    protocols=(
        interface.Protocol(
            "asp", f"{__package__}", "tron41", title="no protocol: a bot class of the Tron-41 course", player="asp:asp_player",
            claims="asp:is_bot_file",
        ),
    ),
    commands={"tron41": "command:tron41_command"},
)  # fmt: skip

__getattr__, __dir__ = interface.attach(__name__, __file__)
