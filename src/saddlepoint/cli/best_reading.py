"""What `analyze` says besides: what `best` itself reads in a position, and what each outcome of chance is worth."""

from typing import TYPE_CHECKING, Any, NamedTuple

from ..system.tables import Column
from ..system.terminal import print, print_json, print_table, print_wrapped
from ..system.text import value_text

if TYPE_CHECKING:
    from ..algorithms import Algorithm, Limits, StopToken
    from ..game.base import Game


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
    from ..algorithms.chance import searched_form
    from ..games.catalogue.make import described, searches_of_best

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
        found.append(
            Reading(player, described(game, algorithm), result.value, result.depth, result.exact, away)
        )
    return found


def signed(value: float) -> str:
    """Four places with a sign, never a negative zero."""
    return value_text(value, "+.4f")


def print_best(found: list[Reading]) -> None:
    """What `best` reads, and whether that is something else."""
    for one in found:
        known = "exact" if one.exact else f"depth {one.depth}"
        whose = "best" if one.player is None else f"best as player {one.player}"
        print_wrapped(
            f"{whose} reads {signed(one.value)} ({known}) by its own search in the same time: {one.algorithm}"
        )
    if found:
        print_wrapped("what best reads is of other searches: it bounds nothing of the value above")
    if any(one.differs for one in found):
        print_wrapped(
            f"they differ: more than {SHARE:.0%} of the range of results is between this analysis and what best goes by"
        )


# `analyze` where chance is to move: what each of its outcomes is worth, and the mean.


def analyze_chance(
    game: "Game",
    state: Any,
    algorithm: "Algorithm",
    limits: "Limits",
    stop: "StopToken",
    as_json: bool,
    board: str,
) -> None:
    """Search what follows every outcome, deeper and deeper, and print the values under the position as it is drawn."""
    from ..algorithms import Limits
    from ..algorithms.analysis import find_alternatives
    from ..games.catalogue.make import described

    about = f"{described(game, algorithm)}; chance is to move: the value is the mean over its outcomes"
    find_alternatives(game, state, algorithm, Limits(depth=1))  # compiled before the clock runs
    if not as_json:
        print(f"{board}\n\n{about}\n\ndepth   value")
    told = 0

    def on_update(found: Any) -> None:
        nonlocal told
        if found.finished > told and found.value is not None and not as_json:
            told = found.finished
            print(f"{told:5} {signed(found.value):>8}", flush=True)

    with stop.at_interrupt():  # what was found so far is printed
        found = find_alternatives(game, state, algorithm, limits, stop=stop, on_update=on_update)
    chances = dict(game.chance_outcomes(state))
    named = {action: game.outcome_to_string(state, action) for action in found.rows}
    rows = found.moves
    if as_json:
        print_json(
            {
                "position": game.to_text(state),
                "algorithm": about,
                "value": found.value,
                "depth": found.finished,
                "exact": found.is_proven,
                "outcomes": [
                    {
                        "outcome": action,
                        "name": named[action],
                        "probability": chances[action],
                        "value": value,
                        "exact": exact,
                    }
                    for action, value, exact in rows
                ],
            }
        )
        return
    known = "exact" if found.is_proven else "the mean over the outcomes"
    print(f"\nvalue {signed(found.value or 0.0)} for player 0 ({known}), depth {found.finished}")
    print_table(
        [Column("outcome", text=True), Column("probability"), Column("value")],
        [
            [named[action], f"{chances[action]:.6f}", "" if value is None else signed(value)]
            for action, value, _ in rows
        ],
    )
