"""Files of `kaggle_environments`: OpenSpiel's soccer there, where the ball lies loose at first."""

from collections.abc import Mapping
from typing import Any

from ..interface import GameError, KaggleGame, whole
from .game import Soccer

_STEPS = (0, 2, 3, 1, 4)
"""Our steps by the numbers there: up, down, left, right, stand."""
_USUAL = ".....\n..OB.\n.AO..\n....."


def _game_of(environment: str, told: Mapping[str, Any]) -> Soccer:
    horizon, rows = whole(told, "horizon", 1000), str(told.get("grid", _USUAL)).strip().split("\n")
    if horizon < 3:
        raise GameError(f"horizon={horizon} ends the game before anybody can score")
    game = Soccer(max(map(len, rows)), len(rows), 0.0, horizon - 2, "loose")
    if _drawn(game) != rows:
        raise GameError("the players, the ball or the goals are elsewhere in the grid that it is played on")
    return game


def _drawn(game: Soccer) -> list[str]:
    """The grid that is the start of a game, as it is written there."""
    start = game.initial_state()
    cells = ["."] * game.cells
    cells[start.cell0], cells[start.cell1] = "A", "B"
    for outcome, _ in game.chance_outcomes(start):
        cells[game.next_state(start, outcome).ball - 2] = "O"
    return ["".join(cells[row * game.width : (row + 1) * game.width]) for row in range(game.height)]


def _step(number: int) -> int:
    return _STEPS[number] if 0 <= number < len(_STEPS) else number


def _outcome(number: int) -> int:
    """There 0 and 1 are who steps first, 2 and more where the ball lies, by rows."""
    return number - 2 if number >= 2 else number


EPISODE = KaggleGame(
    ("open_spiel_markov_soccer",), _game_of, ("horizon", "grid"), _step, _outcome, most_left=2
).format()
