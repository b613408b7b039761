"""One game between two players that are not trusted."""

import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..compiled.errors import is_machine_error
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, Game
from ..players.base import MachineFault, MoveStatistics, Player, PlayerError, TakeBack
from ..players.clock import Clock
from ..players.fault import Fault, FaultKind
from ..players.seeds import derived_seed, player_seed
from .stalls import StallWatch

_TO_ACT = {0: (0,), 1: (1,), SIMULTANEOUS: (0, 1)}
OnStep = Callable[[Any, tuple[int, int]], None]
Faults = tuple[Fault | None, Fault | None]


@dataclass(frozen=True)
class GameRecord:
    """What happened. The same start and actions give the same game again."""

    start: Any
    actions: tuple[tuple[int, int], ...]
    """Joint actions, -1 for a player without a choice; a chance outcome in the first place."""
    result: float
    """Player 0's, in the game's units; a player at fault has the worst result there is."""
    reason: str
    faults: Faults
    """Why a player lost without playing on: an exception, an illegal action, a late answer; None for who played on."""
    times: tuple[tuple[float, ...], tuple[float, ...]]
    """Seconds of each choice of each player."""
    late: tuple[bool, bool]
    searches: tuple[tuple[MoveStatistics | None, ...], tuple[MoveStatistics | None, ...]] = ((), ())
    """What each player told of the search behind each choice, as many as there are times; None where it told nothing."""
    chance: bool = False
    """Whether anything was left to chance by the rules."""


class Playing:
    """What may be learnt of a game under way."""

    def __init__(
        self, players: Sequence[Player], clocks: tuple[Clock, Clock], tolerance: float, watch: StallWatch, may_undo: bool = False
    ) -> None:
        self.players, self.clocks, self.tolerance = players, list(clocks), tolerance
        self.may_undo = may_undo
        self.times: tuple[list[float], list[float]] = ([], [])
        self.searches: tuple[list[MoveStatistics | None], list[MoveStatistics | None]] = ([], [])
        self.faults: list[Fault | None] = [None, None]
        self.late = [False, False]
        self._watch = watch

    def choose(self, game: Game, state: Any, player: int, step: int) -> int:
        """The player's action, timed; NO_ACTION and a fault if it has none to offer that counts.

        Raises MachineFault where the machine, and not the player, is why there is none.
        """
        clock = self.clocks[player]
        kind: FaultKind | None = None
        text, action, search = "", NO_ACTION, None
        mark, started = self._watch.mark(), time.perf_counter()
        try:
            action = int(self.players[player].choose(state, clock))
            search = self.players[player].last_statistics
        except TakeBack:
            if self.may_undo:
                raise
            kind, text = FaultKind.ERROR, "TakeBack: moves may not be taken back in this game"
        except Exception as error:
            kind, text = _fault_of(error)
        used = time.perf_counter() - started
        self.times[player].append(used)
        self.searches[player].append(search)
        self.clocks[player] = clock.after(used)
        late = clock.is_late(used - self.tolerance)
        if late or kind == FaultKind.LATE:
            lost = self._watch.lost_since(mark)
            if lost and not clock.is_late(used - self.tolerance - lost):
                raise MachineFault(f"the machine stood still or compiled for {lost:.2f} s while player {player} was to move")
        if late:
            self.late[player] = True
            if kind is None:
                kind, text = FaultKind.LATE, f"late: {used:.3f} s used of {clock.bank:.3f} s"
        elif kind is None and action not in game.choices(state, player):
            kind, text = FaultKind.ILLEGAL, f"illegal action {action}"
        if kind is not None:
            self.faults[player] = Fault(kind, player, step, text)
        return action if kind is None else NO_ACTION


def _fault_of(error: Exception) -> tuple[FaultKind, str]:
    """The kind of fault that an exception of a player is, and a line about it; raises MachineFault where it is none."""
    lines = str(error).splitlines() or [""]
    if isinstance(error, MachineFault):
        raise error
    if isinstance(error, PlayerError):
        return error.kind, lines[0] or "an error it did not explain"
    text = f"{type(error).__name__}: {lines[0]}".removesuffix(": ")
    if is_machine_error(error):
        raise MachineFault(text) from error
    return FaultKind.ERROR, text


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
    search in time, but a busy machine may not hand it a core to say so. `seed` fixes the players' and chance's random choices,
    each independent of the others for whoever does not know it.

    Raises MachineFault, and the game has no result, where the machine is at fault: a full disk, a failed compilation, an
    answer that is late only because this process stood still or compiled.

    With `on_undo` players may take moves back (raise TakeBack): the game goes on before that player's last move, and
    `on_undo` is told the position and the number of steps that count. Clocks are not set back.
    """
    start = game.initial_state() if start is None else start
    endless = Clock(math.inf, 0.0)
    clocks = clocks or (endless, endless)
    with StallWatch(any(clock.bank < math.inf for clock in clocks)) as watch:
        table = Playing(players, clocks, tolerance, watch, on_undo is not None)
        return _play(game, table, start, seed, on_step, on_undo)


def _play(
    game: Game, table: Playing, start: Any, seed: int | None, on_step: OnStep | None, on_undo: Callable[[Any, int], None] | None
) -> GameRecord:
    state = start
    draw = random.Random(None if seed is None else derived_seed(seed, "chance"))
    actions: list[tuple[int, int]] = []
    states: list[Any] = []  # before each action
    chance = False
    _begin(game, seed, table)
    while not any(table.faults):
        node = game.current_player(state)
        if node == CHANCE:
            chance = True
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
                _begin(game, seed, table)
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
    for player in table.players:
        with suppress(Exception):  # the game is decided
            player.end(result)
    return GameRecord(
        start, tuple(actions), result, reason, (table.faults[0], table.faults[1]),
        (tuple(table.times[0]), tuple(table.times[1])), (table.late[0], table.late[1]),
        (tuple(table.searches[0]), tuple(table.searches[1])), chance,
    )  # fmt: skip


def _begin(game: Game, seed: int | None, table: Playing) -> None:
    """Tell the players that a game begins, or that it goes on from another position."""
    for number, player in enumerate(table.players):
        try:
            player.begin(game, number, None if seed is None else player_seed(seed, number))
        except Exception as error:
            kind, text = _fault_of(error)
            table.faults[number] = Fault(kind, number, None, text)


def _result(game: Game, state: Any, faults: Sequence[Fault | None], steps: int) -> tuple[float, str]:
    middle = (game.min_utility + game.max_utility) / 2
    if all(faults):
        return middle, f"both players at fault: {faults[0]}; {faults[1]}"
    if faults[0]:
        return game.min_utility, f"player 0 at fault: {faults[0]}"
    if faults[1]:
        return game.max_utility, f"player 1 at fault: {faults[1]}"
    result = game.returns(state)
    return result, ("a draw" if result == middle else f"player {int(result < middle)} won") + f" after {steps} steps"
