"""How far a player is from an equilibrium, where the game is small enough to tell."""

from ..algorithms.algorithm import UnsupportedGameError
from ..game import Game
from ..policies import Evaluation, all_choices
from ..roster.policies import policy_of
from ..solvers.general.positions import TooManyPositions
from ..solvers.general.size import Walks
from ..solvers.general.solve import SolveCounts

_BYTES = 1e9
_WALKS = 256


def nash_conv_of(game: Game, spec: str, nodes: int, most: int, seed: int) -> float | None:
    """NashConv of a player who searches so many nodes in each position.

    None for a game in turn, where a search is asked for one action and a table for each position takes the time; for one of more
    positions than `most`, and for one whose positions come back.

    Random walks tell of most large games that they are large, but not of those in which random players soon lose. So positions are
    counted too while they are found, and finding them ends at that number or little later.
    """

    def count(so_far: SolveCounts) -> None:
        if so_far.positions > most:
            raise TooManyPositions(f"{game!r} has more than {most:,} positions")

    if game.turn_based or game.clock:
        return None
    start = game.initial_state()
    try:
        if Walks(game, start, fold=False).size(_WALKS).positions > most:
            return None
        choices = all_choices(game, start, memory=_BYTES, on_progress=count)
        if len(choices.positions) > most:
            return None
        return Evaluation(choices, policy_of(spec, game, start, nodes=nodes, seed=seed).policy).nash_conv
    except (UnsupportedGameError, TooManyPositions):
        return None
