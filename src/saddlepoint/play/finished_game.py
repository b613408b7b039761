"""A game that was played, from whatever recorded it: its positions, its actions, and what they are called."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .._text import value_text
from ..game import CHANCE, NO_ACTION, TERMINAL, Ending, Game
from ..players.fault import FaultKind
from .endings import told_apart, words_of_faults
from .position_text import text_of_moves
from .replay import Replay, actions_of
from .turns import Turns


@dataclass(frozen=True)
class FinishedGame:
    """A game, from whatever recorded it. `states[k]` is the position before `actions[k]`."""

    game: Game
    players: tuple[str, str]
    states: Sequence[Any]
    actions: Sequence[tuple[int, int]]
    result: float | None
    """Player 0's; None of a game that is not over."""
    reason: str = ""
    faults: tuple[str, str] = ("", "")
    """What each player was at fault with, in words; empty for who was not."""

    @cached_property
    def names(self) -> tuple[str, str]:
        """The players' names, told apart where they are the same."""
        return told_apart(self.players)

    @cached_property
    def turns(self) -> Turns:
        """The numbers of its turns."""
        return Turns(self.game, self.states)

    @cached_property
    def endings(self) -> tuple[Ending | None, Ending | None]:
        """What became of each player, as the game says."""
        over = self.game.current_player(self.states[-1]) == TERMINAL
        return self.game.ending(self.states) if over else (None, None)

    @property
    def margin(self) -> float:
        """Twice what the loser is below the middle: the range of results of a game that was lost whole; else that range."""
        low, high = self.game.min_utility, self.game.max_utility
        lost = 0.0 if self.result is None else 2 * abs(self.result - (low + high) / 2)
        return lost or high - low

    @cached_property
    def given_up(self) -> bool:
        """Whether it has a result that neither the rules nor a fault made: somebody resigned."""
        return self.result is not None and not any(self.faults) and self.game.current_player(self.states[-1]) != TERMINAL

    def move(self, step: int, player: int) -> str:
        """What a player did at a step, by name; empty where it had no choice."""
        if step >= len(self.actions):
            return ""
        state, action = self.states[step], self.actions[step][player]
        if player not in self.game.players_to_act(state) or action == NO_ACTION:
            return ""
        return self.game.action_to_string(state, player, action)

    def outcome(self, step: int) -> str:
        """What chance did at a step; empty where it had no turn."""
        if step >= len(self.actions):
            return ""
        state = self.states[step]
        return self.game.outcome_to_string(state, self.actions[step][0]) if self.game.current_player(state) == CHANCE else ""

    def position_text(self, step: int) -> str:
        """The position before a step, by the moves that lead there, as `--position` takes it."""
        return text_of_moves(self.game, self.states[: step + 1], self.actions[:step])

    def headline(self) -> str:
        """Who played whom, and how it ended."""
        a, b = self.players
        return f"{a} (0) against {b} (1): {', '.join(self._outcome())}"

    def _outcome(self) -> list[str]:
        game, turns = self.game, self.turns
        count = turns.counted()
        if self.result is None:
            return [f"not over after {count}"]
        middle = (game.min_utility + game.max_utility) / 2
        said = "drawn" if self.result == middle else f"{self.names[int(self.result < middle)]} won"
        is_between = self.result not in (game.min_utility, middle, game.max_utility)
        points = f"{value_text(self.result, 'g')} for {self.names[0]}" if is_between else ""
        return [f"{said} after {count}", *filter(None, [points])]


def finished(replay: Replay) -> FinishedGame:
    """The game of a replay."""
    game, states = replay.make_game(), list(replay.states())
    joints = [actions_of(game, state, one) for state, one in zip(states, replay.rounds, strict=False)]
    actions = [(joint[0], joint[1] if len(joint) > 1 else NO_ACTION) for joint in joints]
    told = [None if fault is not None and fault.kind == FaultKind.RESIGNED else fault for fault in replay.faults]
    faults = words_of_faults(told, Turns(game, states))
    return FinishedGame(game, replay.players, states, actions, replay.result, replay.reason, faults)
