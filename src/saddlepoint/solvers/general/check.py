"""Whether a solution is one: every position, every value and what is claimed of it, compared with the rules.

Values that agree with their successors' everywhere are the true ones, by induction from the ends, but for what the tolerance adds up
to on the longest way.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .certificate import BrokenSolution, Certificate, examined
from .reached import check_reached

if TYPE_CHECKING:
    from ...game import Game
    from .solution import Solution

TOLERANCE = 1e-9
"""What a value, or a bound, may differ from what it should be, as a share of the range of results. Rounding takes some 1e-15."""


def span(game: "Game") -> float:
    """The range of a game's results."""
    return game.max_utility - game.min_utility


def check_values(
    solution: "Solution", on_progress: Callable[[int], None] | None = None, *, threads: int = 1
) -> Certificate:
    """The certificate of a solution whose positions are the game's; raises BrokenSolution where a value differs from its successors'.

    `on_progress` is told now and then how many positions are done.
    """
    certificate, error = examined(solution, on_progress, threads=threads)
    if not error <= TOLERANCE * span(solution.game):
        raise BrokenSolution(f"a value differs by {error:.2g} from what those of its successors give")
    return certificate


def check_claim(found: Certificate, claimed: Certificate | None, tolerance: float) -> None:
    """Raise BrokenSolution where a file claims another certificate than was found."""
    if claimed is None:
        return
    pairs = ((found.lower, claimed.lower), (found.upper, claimed.upper), (found.worst_gap, claimed.worst_gap))
    if claimed.positions != found.positions or not all(abs(one - other) <= tolerance for one, other in pairs):
        raise BrokenSolution("the certificate that it carries is not its own")


def check_solution(
    solution: "Solution", claimed: Certificate | None = None, on_progress: Callable[[int, str], None] | None = None, *, threads: int = 1
) -> Certificate:
    """The certificate of a solution that anybody may have made; raises BrokenSolution where anything in it is wrong.

    Compared are all positions with those that can come about, every value with what those of its successors give, and `claimed` with
    what is found. `on_progress` is told how many positions are done, and what is done.
    """

    def told(what: str) -> Callable[[int], None]:
        return lambda done: None if on_progress is None else on_progress(done, what)

    check_reached(solution, told("positions; looking whether all can come about"))
    certificate = check_values(solution, told("positions; comparing values, checking best responses"), threads=threads)
    check_claim(certificate, claimed, TOLERANCE * span(solution.game))
    return certificate
