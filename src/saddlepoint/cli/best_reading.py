"""What `best` itself reads in a position that another search analyses."""

from typing import TYPE_CHECKING, Any, NamedTuple

from .._text import value_text
from ..console.terminal import print_wrapped

if TYPE_CHECKING:
    from ..algorithms import Algorithm, Limits, StopToken
    from ..game import Game

SHARE = 0.05
"""Of the range of results: two values that are further apart differ."""


class Reading(NamedTuple):
    """A value that `best` goes by."""

    player: int | None
    """Whose search it is; None where it is the same for both."""
    algorithm: str
    value: float
    depth: int
    exact: bool
    differs: bool
    """Whether it is more than `SHARE` of the range of results away from the analysis."""


def read_best(
    game: "Game", state: Any, analysed: "Algorithm", value: float, limits: "Limits | None", stop: "StopToken"
) -> list[Reading]:
    """What the searches of `best` read within the same limits, each of them; empty where `best` searches as the analysis does.

    Those that `stop` ends are left out.
    """
    from ..algorithms import Limits, search  # type: ignore[attr-defined]
    from ..algorithms.analysis import searched_form
    from ..roster.analysing import described, searches_of_best

    found: list[Reading] = []
    for player, algorithm in searches_of_best(game, analysed):
        if stop.stopped:
            break
        searched = searched_form(game, algorithm, state)
        search(searched, state, algorithm, Limits(depth=1), variation=False)  # compiled before the clock runs
        result: Any = search(searched, state, algorithm, limits=limits, stop=stop, variation=False)
        if stop.stopped:
            break
        away = abs(result.value - value) > SHARE * (game.max_utility - game.min_utility)
        found.append(Reading(player, described(game, algorithm), result.value, result.depth, result.exact, away))
    return found


def signed(value: float) -> str:
    """Four places with a sign, never a negative zero."""
    return value_text(value, "+.4f")


def print_best(found: list[Reading]) -> None:
    """What `best` reads, and whether that is something else."""
    for one in found:
        known = "exact" if one.exact else f"depth {one.depth}"
        whose = "best" if one.player is None else f"best as player {one.player}"
        print_wrapped(f"{whose} reads {signed(one.value)} ({known}) by its own search in the same time: {one.algorithm}")
    if found:
        print_wrapped("what best reads is of other searches: it bounds nothing of the value above")
    if any(one.differs for one in found):
        print_wrapped(f"they differ: more than {SHARE:.0%} of the range of results is between this analysis and what best goes by")
