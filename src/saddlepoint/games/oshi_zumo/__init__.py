"""Oshi-Zumo, and what it brings besides its rules: its named player `best`."""

from dataclasses import replace

from .. import interface

PLAYERS = interface.Players("oshi_zumo")


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large backward induction one step deep, transposition table, above 128 coins a stage of "
    "128 bids; bids drawn from the mixture",
    evaluator="purses: a game with fewer coins in the same proportion, solved; with a horizon for each number of rounds left",
    summary="cannot be exploited where the game is solved before its clock runs (some 100 coins); else not surely behind any bot "
    "in the games played so far: docs/best.md",
)
def oshi_zumo_best(game, limits, choice: str = "mixture", solve: bool = True):
    """An equilibrium of the whole game, solved before the clock runs, drawn from.

    A game that is too large for that, or with solve=false, is searched one step deep (another depth may be asked for), and what is left
    of it is valued by a smaller game that was solved: exactly where no player has more coins than that. With more bids than a stage has
    room for, some stand for those beside them. With choice=best it bids the likeliest number of coins instead, which can be learnt.
    """
    from ... import BackwardInduction, Limits, RegretMatchingTree
    from .purses import MOST_BIDS, FewBids, purses_of

    evaluator = purses_of(game)
    if game.max_actions > MOST_BIDS:
        return interface.solved_or_searched(
            RegretMatchingTree(), limits, solve, choice, FewBids(evaluator), always=True
        )
    bounded = Limits(1) if limits is None else replace(limits, depth=limits.depth or 1)
    return interface.solved_or_searched(BackwardInduction(evaluator), bounded, solve, choice)


GAME = interface.Description(players=PLAYERS, replay_formats=("game:EPISODE",))

__getattr__, __dir__ = interface.attach(__name__, __file__)
