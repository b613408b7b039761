"""Base of the searches of turn-based games."""

import math
from typing import Any, ClassVar

from ...game import NO_ACTION, Game
from ..algorithm import Algorithm
from ..result import Partial
from .workspace import AT_MOST, NOT_TRIED, forget, new_turn_workspace


class TurnAlgorithm(Algorithm):
    """It finds one best action at the root."""

    turns_only: ClassVar[bool] = True

    def workspace(self, game: Game) -> Any:
        return new_turn_workspace(game, self)

    def reset(self, ws: Any) -> None:
        forget(ws)

    def begin(self, ws: Any) -> None:
        ws["root_known"] = NOT_TRIED

    def strategies(self, game: Game, state: Any, ws: Any) -> tuple[dict[int, float], dict[int, float]]:
        player = game.current_player(state)
        if player not in (0, 1):
            return {}, {}
        best = int(ws["preferred"][player])
        mixture = {int(action): float(action == best) for action in ws["actions"][0, : int(ws["root_count"])]}
        return (mixture, {}) if player == 0 else ({}, mixture)

    def line(self, game: Game, state: Any, ws: Any) -> tuple[tuple[int, int], ...]:
        joints: list[tuple[int, int]] = []
        for action in ws["line"][0, : int(ws["line_length"][0])]:
            player = game.current_player(state)
            joints.append((NO_ACTION, int(action)) if player == 1 else (int(action), NO_ACTION))
            state = game.next_state(state, *joints[-1])
        return tuple(joints)

    def partial(self, ws: Any, depth: int) -> Partial:
        """The root actions that the unfinished iteration has searched; the one that leads."""
        player = int(ws["root_player"])
        cells: dict[tuple[int, int], tuple[float, float]] = {}
        for k in range(int(ws["root_count"])):
            known, value = int(ws["root_known"][k]), self.game_value(float(ws["root_values"][k]), ws).value
            if known == NOT_TRIED:
                continue
            action = int(ws["actions"][0, k])
            joint = (action, NO_ACTION) if player == 0 else (NO_ACTION, action)
            low = -math.inf if known == AT_MOST and player == 0 else value
            high = math.inf if known == AT_MOST and player == 1 else value
            cells[joint] = (low, high)
        best = (int(ws["preferred"][0]), int(ws["preferred"][1]))
        return Partial(depth, cells, best if cells and best[player] != NO_ACTION else None)
