"""Goofspiel, and what it brings besides its rules: its named players first."""

from .. import interface

PLAYERS = interface.Players("goofspiel")


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
    can be learnt. Where the whole game is not solved it takes the other's next card to be any card alike with the probability `tremble`,
    and so gets more where the other errs; 0 is the equilibrium. By default it is 0.35, and 0 where the order of the prizes is known.
    """
    from ... import SaddlePruning
    from .evaluators import Hands, known_order_of

    expected = float(tremble) if tremble is not None else 0.35 if game.drawn else 0.0
    searches = (SaddlePruning(one, tremble=expected) for one in (Hands(), known_order_of(game)))
    return interface.solved_or_searched(
        interface.first_that_takes(game, *searches), limits, solve, choice, interface.SolveRest(expected)
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
