"""One game between two players that are not trusted."""

import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, Game
from ..players.base import MoveStatistics, Player, TakeBack
from ..players.clock import Clock

_TO_ACT = {0: (0,), 1: (1,), SIMULTANEOUS: (0, 1)}
OnStep = Callable[[Any, tuple[int, int]], None]


@dataclass(frozen=True)
class GameRecord:
    """What happened. The same start and actions give the same game again."""

    start: Any
    actions: tuple[tuple[int, int], ...]
    """Joint actions, -1 for a player without a choice; a chance outcome in the first place."""
    result: float
    """Player 0's, in the game's units; a player at fault has the worst result there is."""
    reason: str
    faults: tuple[str, str]
    """Why a player lost without playing on: an exception, an illegal action, a late answer. Empty strings else."""
    times: tuple[tuple[float, ...], tuple[float, ...]]
    """Seconds of each choice of each player."""
    late: tuple[bool, bool]
    searches: tuple[tuple[MoveStatistics | None, ...], tuple[MoveStatistics | None, ...]] = ((), ())
    """What each player told of the search behind each choice, as many as there are times; None where it told nothing."""


class Playing:
    """What may be learnt of a game under way."""

    def __init__(
        self, players: Sequence[Player], clocks: tuple[Clock, Clock], tolerance: float, may_undo: bool = False
    ) -> None:
        self.players, self.clocks, self.tolerance = players, list(clocks), tolerance
        self.may_undo = may_undo
        self.times: tuple[list[float], list[float]] = ([], [])
        self.searches: tuple[list[MoveStatistics | None], list[MoveStatistics | None]] = ([], [])
        self.faults, self.late = ["", ""], [False, False]

    def choose(self, game: Game, state: Any, player: int, step: int) -> int:
        """The player's action, timed; NO_ACTION and a fault if it has none to offer that counts."""
        clock = self.clocks[player]
        problem, action, search = "", NO_ACTION, None
        started = time.perf_counter()
        try:
            action = int(self.players[player].choose(state, clock))
            search = self.players[player].last_statistics
        except TakeBack:
            if self.may_undo:
                raise
            problem = "TakeBack: moves may not be taken back in this game"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}".splitlines()[0]
        used = time.perf_counter() - started
        self.times[player].append(used)
        self.searches[player].append(search)
        self.clocks[player] = clock.after(used)
        if clock.is_late(used - self.tolerance):
            self.late[player] = True
            problem = problem or f"late: {used:.3f} s used of {clock.bank:.3f} s"
        elif not problem and action not in game.choices(state, player):
            problem = f"illegal action {action}"
        if problem:
            self.faults[player] = f"{problem}, at step {step}"
        return NO_ACTION if problem else action


def play_game(
    game: Game,
    players: Sequence[Player],
    start: Any = None,
    clocks: tuple[Clock, Clock] | None = None,
    seed: int | None = None,
    tolerance: float = 0.0,
    on_step: OnStep | None = None,
    on_undo: Callable[[Any, int], None] | None = None,
) -> GameRecord:
    """Play one game from `start` (the game's standard start if None) on the players' clocks (endless if None).

    An exception, an illegal action or an answer later than the clock's bank costs that player the game, and nothing
    else; if it happens to both in one step, the game is drawn. `tolerance` seconds are forgiven a move: a player stops its
    search in time, but a busy machine may not hand it a core to say so. `seed` fixes the players' and chance's random choices.

    With `on_undo` players may take moves back (raise TakeBack): the game goes on before that player's last move, and
    `on_undo` is told the position and the number of steps that count. Clocks are not set back.
    """
    state = start = game.initial_state() if start is None else start
    endless = Clock(float("inf"), 0.0)
    table = Playing(players, clocks or (endless, endless), tolerance, on_undo is not None)
    draw = random.Random(f"chance {seed}" if seed is not None else None)
    actions: list[tuple[int, int]] = []
    states: list[Any] = []  # before each action
    _begin(game, players, seed, table)
    while not any(table.faults):
        node = game.current_player(state)
        if node == CHANCE:
            outcomes = game.chance_outcomes(state)
            drawn = draw.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
            joint = (drawn, NO_ACTION)
            states.append(state)
            state = game.advance(state, *joint)
        elif to_act := _TO_ACT.get(node):
            chosen = [NO_ACTION, NO_ACTION]
            player = to_act[0]
            try:
                for player in to_act:
                    chosen[player] = table.choose(game, state, player, len(actions))
            except TakeBack:
                assert on_undo is not None
                before = [k for k, earlier in enumerate(states) if player in game.players_to_act(earlier)]
                keep = before[-1] if before else 0
                state = states[keep] if before else state
                del states[keep:], actions[keep:]
                _begin(game, players, seed, table)
                on_undo(state, keep)
                continue
            if any(table.faults):
                break
            joint = (chosen[0], chosen[1])
            states.append(state)
            state = game.advance(state, *joint)
        else:
            break
        actions.append(joint)
        if on_step is not None:
            on_step(state, joint)
    result, reason = _result(game, state, table.faults, len(actions))
    faults, late = (table.faults[0], table.faults[1]), (table.late[0], table.late[1])
    times = (tuple(table.times[0]), tuple(table.times[1]))
    searches = (tuple(table.searches[0]), tuple(table.searches[1]))
    for player in players:
        with suppress(Exception):  # the game is decided
            player.end(result)
    return GameRecord(start, tuple(actions), result, reason, faults, times, late, searches)


def _begin(game: Game, players: Sequence[Player], seed: int | None, table: Playing) -> None:
    """Tell the players that a game begins, or that it goes on from another position."""
    for number, player in enumerate(players):
        try:
            player.begin(game, number, None if seed is None else random.Random(f"{number} {seed}").getrandbits(32))
        except Exception as error:
            table.faults[number] = f"{type(error).__name__}: {error}".splitlines()[0] + ", before the game"


def _result(game: Game, state: Any, faults: Sequence[str], steps: int) -> tuple[float, str]:
    middle = (game.min_utility + game.max_utility) / 2
    if all(faults):
        return middle, f"both players at fault: {faults[0]}; {faults[1]}"
    if faults[0]:
        return game.min_utility, f"player 0 at fault: {faults[0]}"
    if faults[1]:
        return game.max_utility, f"player 1 at fault: {faults[1]}"
    result = game.returns(state)
    return result, ("a draw" if result == middle else f"player {int(result < middle)} won") + f" after {steps} steps"
