"""`solve GAME --method alpha_beta` or `proof_number`: a game in turn, its value and best first moves, without keeping its positions."""

import time
from typing import TYPE_CHECKING, Any

from ..._text import value_text
from ...console.terminal import Status, fail, print, print_json
from ...spec import name_of

if TYPE_CHECKING:
    from ...game import Game
    from ...solvers.turns import TurnSearch, TurnValue

MEGABYTES = 256
"""For the table, where nothing else is said."""
_NAMES = {"alpha_beta": "alpha-beta", "proof_number": "proof-number search"}


def solve_in_turn(
    rules: "Game", state: Any, *, method: str, megabytes: int | None, all_moves: bool, seconds: float | None, as_json: bool
) -> None:
    """Search one position to the end of the game and say what is proven."""
    from ...solvers.turns import TurnSearch

    with Status("compiling") as status:
        search, started = TurnSearch(rules, method, megabytes or MEGABYTES), time.perf_counter()

        def on_wait(nodes: int) -> None:
            passed = time.perf_counter() - started
            status.update(f"{nodes:,} positions, {passed:.0f} s, the value for player 0 is {proven(rules, search.low, search.high)}")

        try:
            found = search.solve(state, all_moves=all_moves, seconds=seconds, on_wait=on_wait)
        except KeyboardInterrupt:
            fail(f"interrupted; the value for player 0 is {proven(rules, search.low, search.high)}")
            raise
    if as_json:
        print_json(_row(rules, state, method, found))
    else:
        _show(rules, state, search, found)


def proven(rules: "Game", low: float, high: float) -> str:
    """In words between which bounds a value is proven to lie; a bound next to an end of the range is that end, left out."""
    worst, best = float(rules.min_utility), float(rules.max_utility)
    near = 1e-9 * max(abs(worst), abs(best))
    if low == high:
        return value_text(low, "+.9g")
    above, below = f"at least {value_text(low, '+.9g')}", f"at most {value_text(high, '+.9g')}"
    if worst < low < worst + near:
        above = f"above {value_text(worst, '+.9g')}"
    if best - near < high < best:
        below = f"below {value_text(best, '+.9g')}"
    known = [text for text, is_known in ((above, low > worst), (below, high < best)) if is_known]
    return " and ".join(known) or "not known"


def _named(rules: "Game", state: Any, moves: tuple[int, ...]) -> list[str]:
    player = rules.current_player(state)
    return [rules.action_to_string(state, player, action) for action in moves]


def _row(rules: "Game", state: Any, method: str, found: "TurnValue") -> dict[str, Any]:
    return {
        "game": name_of(rules), "rules": repr(rules), "position": rules.to_text(state), "method": method,
        "value": found.low if found.exact else None, "bounds": [found.low, found.high], "proven": found.exact,
        "moves": _named(rules, state, found.moves), "all_moves": found.all_moves, "nodes": found.nodes, "seconds": found.seconds,
    }  # fmt: skip


def _show(rules: "Game", state: Any, search: "TurnSearch", found: "TurnValue") -> None:
    print(rules.render(state), end="\n\n")
    known = proven(rules, found.low, found.high)
    print(f"value {known} for player 0, proven" if found.exact else f"the value for player 0 is {known}; no more is proven")
    if found.moves:
        names = ", ".join(_named(rules, state, found.moves))
        if found.all_moves:
            print(f"best first moves, all of them: {names}")
        else:
            print(f"a best first move: {names} (--all-moves looks for others)")
    print(
        f"{found.nodes:,} positions in {found.seconds:.3g} s ({found.nodes / max(found.seconds, 1e-9):,.0f} a second), "
        f"{_NAMES[search.method]} with a table of at most {search.megabytes:g} MB"
    )
