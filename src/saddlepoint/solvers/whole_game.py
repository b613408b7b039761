"""One call that solves a game, whether it ends by its rules or its positions come back."""

from collections.abc import Callable
from typing import Any

from ..game import Game
from .cycles import solve_cycles
from .general import Solution
from .general.solve import solve_positions


def solve(
    game: Game,
    state: Any = None,
    *,
    fold: bool = True,
    threads: int = 1,
    discount: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Solution:
    """The value and an equilibrium of every position that can come about from `state`, by default from the start; each is solved once.

    The answer's `value` is player 0's expected result in the game's units; `at(position)` gives a position's value, both players'
    probabilities by action, and the matrix of what joint actions lead to, shape (actions of player 0, of player 1); `len` how many
    positions are kept; `saddlepoint.policies.SolutionPolicy` makes a policy of it, `saddlepoint.solvers.general.save_solution` a file.

    fold: keep one of the positions that the game says are worth the same; every position is answered all the same. threads: how many
    solve at a time. discount: a result counts so much less with each move, for games whose positions come back; these (`Game.clock`, or
    with a discount) are solved without their limit of moves, by one thread. `on_progress` is told now and then how many
    positions are done; what it raises ends the work. All positions must fit into memory, 20 to 75 bytes each; `saddlepoint solve` goes
    on in a file.

    Raises UnsupportedGameError for a game that does not end within `max_depth`, TooManyPositions for more than 2^32, ValueError for a
    discount that is not in (0, 1], and GameError where a rule breaks its own limits.
    """
    if game.clock or discount is not None:
        def tell(count: int, what: str) -> None:
            if on_progress is not None:
                on_progress(count)

        wanted = 1.0 if discount is None else discount
        return solve_cycles(game, state, discount=wanted, check=False, fold=fold, on_progress=tell).solution
    told = None if on_progress is None else lambda counts: on_progress(counts.positions)
    return Solution.of(solve_positions(game, state, threads=threads, fold=fold, on_progress=told))
