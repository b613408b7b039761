"""The review of a game for the page without a server: the Python of the program, translated to JavaScript.

What it asks of a game and of searches is written in JavaScript (`page/review.js`): there they are modules of WebAssembly.
"""

from collections.abc import Callable
from typing import Any

from ...algorithms import Limits, StopToken
from ...algorithms.analysis import GameReview, Standing, searched_form
from ...algorithms.analysis.fair import fair_searcher
from ...algorithms.analysis.review import ReviewedTurn, review
from ...export.translating import translated_functions
from ...game import Game
from ...play.finished_game import FinishedGame
from ...play.review import review_finished, review_json
from ..analysis_messages import reviewed_position


def _finished(
    game: Game, players: tuple[str, str], states: list[Any], actions: list[tuple[int, int]], result: float | None, faults: tuple[str, str]
) -> FinishedGame:
    """The whole game."""
    return FinishedGame(game, players, states, actions, result, faults=faults)


def _reviewed(
    played: FinishedGame, algorithm: Any, nodes: int | None, seconds: float | None, on_standing: Callable[[Standing, int, int], None]
) -> GameReview | None:
    """Look at the whole game."""
    return review_finished(played, algorithm, Limits(nodes=nodes, seconds=seconds), on_standing=on_standing)


def _turn(
    step: int, value: float, best: tuple[int, int], mixtures: tuple[dict[int, float], dict[int, float]], played: tuple[int, int],
    loss: tuple[float, float], depth: int, exact: bool, after: float, losses: tuple[dict[int, float], dict[int, float]],
) -> ReviewedTurn:  # fmt: skip
    """A step of the game that was looked at move by move."""
    return ReviewedTurn(step, value, best, mixtures, played, loss, depth, exact, after, losses)


_FUNCTIONS: dict[str, Any] = {
    "finished": _finished, "reviewed": _reviewed, "position": reviewed_position, "json": review_json, "turn": _turn,
}  # fmt: skip
_GIVEN = ((fair_searcher, "fairSearcher"), (review, "lookedAt"), (searched_form, "searchedForm"), (StopToken, "neverStopped"))
_ATTRIBUTES = (
    *dir(Game), "quiet_outcome", "words", "since",  # of a game, and what it says of its end
    "nodes", "ended", "search", "value", "bounds", "depth", "exact", "best", "stopped",  # of searches
)  # fmt: skip


def review_script() -> str:
    """A module that has the review as JavaScript."""
    script = translated_functions("makeReview", _FUNCTIONS, _GIVEN, _ATTRIBUTES)
    return f'import {{ python }} from "./python.js";\n{script}\nexport {{ makeReview }};\n'
