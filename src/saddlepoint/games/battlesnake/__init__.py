"""Battlesnake for two snakes: standard, wrapped, constrictor and royale, by the rules of the official engine.

What it brings besides its rules is here: its named players first.
"""

from .. import interface

PLAYERS = interface.Players("battlesnake")


@PLAYERS.named(
    "snake_starter",
    origin="the official starter snake, before anybody has improved it",
    algorithm="uniform random",
    summary="any direction but back onto its own neck",
)
def snake_starter(game, limits):
    """The official starter snake: it only knows not to turn back."""
    from .snakes import StarterSnake

    return StarterSnake()


@PLAYERS.named(
    "snake_space",
    origin="what most snakes are that search nothing",
    algorithm="a fixed rule, no search",
    evaluator="flood fill",
    summary="the largest room, away from longer heads, food when hungry or not longer",
)
def snake_space(game, limits):
    """Where the most room is; food when it is hungry or not longer than the other."""
    from .snakes import SpaceSnake

    return SpaceSnake()


@PLAYERS.named(
    "snake_voronoi",
    origin="what most strong public snakes are",
    algorithm="serialised alpha-beta without chance: transposition table, killers, history",
    evaluator="snake_voronoi: who reaches a cell first, the longer snake at a tie; length, the way to food",
    summary="commits first: expects the other to know its move",
)
def snake_voronoi(game, limits):
    """Paranoid alpha-beta with Voronoi: the other is taken to know this player's move, and a draw is as bad as a loss."""
    from ... import SerialisedAlphaBeta
    from .voronoi import SnakeVoronoi

    algorithm = SerialisedAlphaBeta(
        SnakeVoronoi(), killers=True, history=True, discount=1e-6, contempt=1.0, chance="quiet"
    )
    return interface.SearchPlayer(algorithm, limits=limits, policy=interface.Adaptive())


def contempt_in(game) -> float:
    """The contempt of `best` for a draw.

    Two heads on one cell are a draw while lengths are equal. Where snakes grow at different times there is more to win by giving way; on a
    small board what was given up is not won back.
    """
    from .snake_prospects import MOST_SMALL_CELLS

    return 0.0 if game.constrictor or game.width * game.height <= MOST_SMALL_CELLS else 0.6


def best_search(contempt: float = 0.6):
    """The search of `best` in Battlesnake."""
    from ... import SerialisedAlphaBeta
    from .snake_prospects import SnakeProspects

    return SerialisedAlphaBeta(
        SnakeProspects(),
        killers=True,
        history=True,
        null_windows=True,
        discount=1e-6,
        by_choices=True,
        deeper_entries=True,
        contempt=contempt,
        keep_estimates=True,
        chance="quiet",
    )


@PLAYERS.named(
    "best",
    algorithm="serialised alpha-beta without chance: null windows, fractional plies, transposition table, killers, history, contempt",
    evaluator="snake_prospects: a network over what each reaches first while tails move on, food, lengths, room that lasts",
    summary="by games ahead of the other players here on 11x11 and on 7x7 (docs/battlesnake.md, docs/measurements.md)",
)
def snake_best(game, limits):
    """The player of Battlesnake that scores best in games here."""
    return interface.SearchPlayer(best_search(contempt_in(game)), limits=limits, policy=interface.Adaptive())


GAME = interface.Description(
    players=PLAYERS,
    levels=(
        interface.Level("gentle", "snake_space", nodes=100),
        interface.Level("club", "snake_voronoi", nodes=300),
        interface.Level("strong", "best", nodes=10_000),
    ),
    evaluators=("snake_prospects:SnakeProspects", "voronoi:SnakeVoronoi"),
    protocols=(
        interface.Protocol(
            "battlesnake", f"{__package__}", "battlesnake", title="HTTP, as Battlesnake has it", client="player:snake_player",
            http="server:run_http", looks="server:Looks", version="player:version_of", quiet=True,
        ),
    ),
    replay_formats=("output:OUTPUT",),
    puzzles="puzzles.jsonl",
)  # fmt: skip

__getattr__, __dir__ = interface.attach(__name__, __file__)
