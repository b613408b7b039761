"""`solve 'GAME(...)' --method own`: the solver that is made for that game alone, by the same form as for any other game."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...game import Game

ONLY_OWN = ("rubiks_flip",)
"""Games that are too large for anything else: their own solver is the usual one."""


def solve_by_own(
    rules: "Game", state: Any, *, output: Path | None, memory: int | None, threads: int, seconds: float | None, as_json: bool
) -> None:
    """Hand a game, and a position of it or None, to its own solver.

    Raises ValueError for a game without one, and for what that solver does not take.
    """
    from ...games.rubiks_flip import RubiksFlip
    from ...games.simplexity import Simplexity

    if isinstance(rules, Simplexity):
        from .simplexity import find_forced

        if output is not None:
            raise ValueError("forced wins of Simplexity are found without keeping positions: without --output, or --method induction")
        if threads > 1:
            raise ValueError("forced wins of Simplexity are searched for with one thread: without -j, or with --method induction")
        start = rules.initial_state() if state is None else state
        find_forced(rules, start, plies=None, only=None, seconds=seconds, memory=memory or 512, as_json=as_json)
    elif isinstance(rules, RubiksFlip):
        from .rubiks_flip import rubiks_flip

        if state is not None:
            raise ValueError(
                "Rubik's Flip is solved as a whole: without --position; "
                "`saddlepoint analyze FILE --game rubiks_flip --algorithm database` tells a position's value"
            )
        if seconds is not None or memory is not None:
            raise ValueError("Rubik's Flip is solved as a whole, in as much memory as that takes: without --time and --memory")
        rubiks_flip(double_lock=rules.double_lock, output=output, keep=11, workers=threads or None, as_json=as_json)
    else:
        raise ValueError(f"{type(rules).__name__} has no solver of its own; the methods are induction, alpha_beta and proof_number")
