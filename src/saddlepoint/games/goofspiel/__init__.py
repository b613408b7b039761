"""Goofspiel, and what it brings besides its rules: its named players first."""

from .. import interface

PLAYERS = interface.Players("goofspiel")
_PRICE = 0.1
"""What it may lose, from -1 to 1, to errors that it expects and that do not come. Measured for wins alone: docs/best.md."""


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large saddle pruning, transposition table, and the last cards solved while the clock "
    "runs; cards drawn from the mixture",
    evaluator="hands: which cards beat how many of the other's, and the prizes that are left for them; where these come in a known order "
    "the points that are won yet, solved",
    summary="cannot be exploited where the game is solved before its clock runs (up to 7 cards, with points 8); expects errors beyond: "
    "docs/best.md",
)
def goofspiel_best(
    game,
    limits,
    choice: str = "mixture",
    solve: bool = True,
    tremble: float | None = None,
):
    """An equilibrium of the whole game, solved before the clock runs, drawn from.

    A game that is too large for that is searched as far as the time allows, and the hands are valued beyond; the last cards (six or
    seven with 50 ms a move) are solved. With solve=false it always searches. With choice=best it plays the likeliest card instead, which
    can be learnt. Where the whole game is not solved, chance draws the prizes and a win counts, it expects errors, and what the other
    did before in this game: by its own estimates it may lose 0.1 to that, and what the other gives away. With `tremble` it takes the
    other's next card to be any card alike with that probability instead; 0 is the equilibrium. For points it does so with 0.35.
    """
    from ... import SaddlePruning
    from .evaluators import Hands, known_order_of

    expected = float(tremble) if tremble is not None else 0.35 if game.drawn else 0.0
    searches = (SaddlePruning(one, tremble=expected) for one in (Hands(), known_order_of(game)))
    expects = game.drawn and not game.by_points and tremble is None
    return interface.solved_or_searched(
        interface.first_that_takes(game, *searches),
        limits,
        solve,
        choice,
        interface.SolveRest(expected),
        risk=_PRICE if expects else None,
    )


GAME = interface.Description(
    players=PLAYERS,
    levels=(
        interface.Level("gentle", "random", nodes=100),
        interface.Level("club", "saddle(depth=2, choice=mixture)", nodes=10_000),
        interface.Level("strong", "saddle(depth=6, choice=mixture)", nodes=100_000),
    ),
    evaluators=("evaluators:Hands",),
    replay_formats=("game:EPISODE",),
)

__getattr__, __dir__ = interface.attach(__name__, __file__)
