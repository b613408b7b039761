"""What Take-away brings besides its rules; saddlepoint finds it by the entry point in pyproject.toml."""

from saddlepoint.games.interface import Description, Level, Players

PLAYERS = Players("take_away")


@PLAYERS.named("heaps", algorithm="principal variation search, one ply", evaluator="heaps", summary="knows which heaps are lost")
def heaps(game, limits):
    """Looks one ply ahead."""
    from saddlepoint import Limits, PrincipalVariation
    from saddlepoint.games.interface import SearchPlayer

    from .heaps import Heaps

    return SearchPlayer(PrincipalVariation(Heaps()), limits=Limits(depth=1))


GAME = Description(
    rules="game:TakeAway",
    players=PLAYERS,
    levels=(Level("gentle", "random", nodes=100), Level("club", "pvs(depth=2)", nodes=1000), Level("strong", "heaps", nodes=1000)),
    evaluators=("heaps:Heaps",),
)
