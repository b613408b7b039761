"""Which search analyses a game, unless somebody says so."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ..spec import SpecError, parse_spec
from .algorithms import make_evaluator
from .catalogue import entries_of
from .make import make_player

if TYPE_CHECKING:
    from ..algorithms import Algorithm
    from ..game import Game


def search_of(game: "Game", player: str | None = None, evaluator: str | None = None) -> "Algorithm":
    """The search of a player that is given as a spec, with another evaluator if wanted.

    Without a player it is the search of `best`; where that does not search, or there is none, an equilibrium search if both
    players may move at once, else principal-variation search. Raises SpecError in one sentence.
    """
    from ..algorithms import DoubleOracleBounds, PrincipalVariation

    named = any(entry.game == game.name for entry in entries_of("best"))
    found = getattr(make_player(player or "best", game), "algorithm", None) if player or named else None
    if found is None and player is not None:
        raise SpecError(f"{player} does not search; choose another of `saddlepoint players`")
    if found is None:
        found = PrincipalVariation() if game.turn_based else DoubleOracleBounds()
    return found if evaluator is None else replace(found, evaluator=make_evaluator(parse_spec(evaluator)))


def stage_search_of(game: "Game", player: str | None = None, evaluator: str | None = None) -> "Algorithm":
    """The search for the values of alternatives: as `search_of`, but one that goes by depth, and without a player's word one
    for equilibria where both may move at once, with the evaluator of `best`.
    """
    from ..algorithms import DoubleOracleBounds, MonteCarlo, PrincipalVariation, ProofNumber

    found = search_of(game, player, evaluator)
    if not game.turn_based and (player is None or isinstance(found, MonteCarlo)):
        return DoubleOracleBounds(found.evaluator)
    return PrincipalVariation(found.evaluator) if isinstance(found, (MonteCarlo, ProofNumber)) else found
