"""`analyze` where chance is to move: what each of its outcomes is worth, and the mean."""

from typing import TYPE_CHECKING, Any

from ..console.tables import Column
from ..console.terminal import print, print_json, print_table
from .best_reading import signed

if TYPE_CHECKING:
    from ..algorithms import Algorithm, Limits, StopToken
    from ..game import Game


def analyze_chance(
    game: "Game", state: Any, algorithm: "Algorithm", limits: "Limits", stop: "StopToken", as_json: bool, board: str
) -> None:
    """Search what follows every outcome, deeper and deeper, and print the values under the position as it is drawn."""
    from ..algorithms import Limits
    from ..algorithms.analysis import TurnValues, find_alternatives
    from ..roster.analysing import described

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
    assert isinstance(found, TurnValues)
    chances = dict(game.chance_outcomes(state))
    named = {action: game.outcome_to_string(state, action) for action in found.actions}
    rows = list(zip(found.actions, found.values, found.exact, strict=True))
    if as_json:
        print_json({
            "position": game.to_text(state), "algorithm": about, "value": found.value, "depth": found.finished, "exact": all(found.exact),
            "outcomes": [
                {"outcome": action, "name": named[action], "probability": chances[action], "value": value, "exact": exact}
                for action, value, exact in rows
            ],
        })  # fmt: skip
        return
    known = "exact" if all(found.exact) else "the mean over the outcomes"
    print(f"\nvalue {signed(found.value or 0.0)} for player 0 ({known}), depth {found.finished}")
    print_table(
        [Column("outcome", text=True), Column("probability"), Column("value")],
        [[named[action], f"{chances[action]:.6f}", "" if value is None else signed(value)] for action, value, _ in rows],
    )
