"""One game between two players that are not trusted."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple

from ..compiled.clock import forgiving
from ..compiled.errors import is_machine_error
from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, Game
from ..game.steps import random_outcome
from ..players.base import (
    Answer,
    Fault,
    FaultKind,
    MachineFault,
    Player,
    PlayerError,
    TakeBack,
    derived_seed,
    player_seed,
)
from ..players.clock import ENDLESS, Clock
from ..players.waiting import Stopwatch, noticing_stops
from .record import Choice, GameRecord, Turns, points_of, words_of_faults

_TO_ACT = {0: (0,), 1: (1,), SIMULTANEOUS: (0, 1)}
OnStep = Callable[[Any, tuple[int, int]], None]
OnUndo = Callable[[Any, int], None]


class FaultPolicy:
    """The policy on faults: by this one a player at fault loses at once.

    A contest's own may let the game go on.

    A new one for each game.
    """

    restarts = False
    """Whether a player that gave no answer, where one was found for it, begins anew from this position."""
    forfeits = True
    """Whether a player that cannot begin loses; else its exception is the caller's."""

    def stand_in(self, game: Game, state: Any, player: int) -> Answer | None:
        """The action in the place of a player that is not asked any more; None: it is asked."""
        return None

    def judge(
        self, game: Game, state: Any, player: int, answer: Answer | None, fault: Fault | None
    ) -> Answer | None:
        """The answer that counts, given the player's own (None: it gave none) and what is wrong with it.

        Where it gives none, the player loses by its fault.
        """
        return answer if fault is None else None

    def remark(self, turns: Turns) -> str:
        """A remark on the faults that it forgave, beside the reason of the end; empty without any."""
        return ""

    def chance(self, game: Game, state: Any, draw: random.Random) -> int:
        """An outcome of a chance node."""
        return random_outcome(game, state, draw)


class PersonsGame(FaultPolicy):
    """The policy of a game with a person, which no late answer ends: a late answer is taken, a quick one
    stands for a missing one.
    """

    restarts = True

    def judge(
        self, game: Game, state: Any, player: int, answer: Answer | None, fault: Fault | None
    ) -> Answer | None:
        if fault is None or fault.kind != FaultKind.LATE:
            return super().judge(game, state, player, answer, fault)
        choices = game.choices(state, player)
        if answer is not None and answer.action in choices:
            return answer
        return Answer(random.choice(list(choices)), warning=f"{fault.text}: a move was drawn for it")


def play_game(
    game: Game,
    players: Sequence[Player],
    start: Any = None,
    clocks: tuple[Clock, Clock] | None = None,
    seed: int | None = None,
    tolerance: float = 0.0,
    on_step: OnStep | None = None,
    on_undo: OnUndo | None = None,
    policy: FaultPolicy | None = None,
    at_once: bool = True,
) -> GameRecord:
    """Play one game from `start` (the game's standard start if None) on the players' clocks (endless if None).

    Where both move at once they are asked one after the other about the same position; with `at_once` both at the same time
    where one of them thinks elsewhere. An exception, an illegal action or an answer later than the clock's bank is a fault:
    `policy` says what becomes of it, or else the first player's contest. Without one it costs that player
    the game, and nothing else; if it happens to both in one step, the game is drawn. What counts is a player's own time
    (players/waiting.py): seconds in which it had no core, or this thread compiled, do not, within the wall limit of `longest`.
    `tolerance` seconds are forgiven a move. `seed` fixes the players' and chance's random choices, each independent of the others
    for whoever does not know it.

    Raises MachineFault, and the game has no result, where the machine is at fault: a full disk, a failed compilation, an
    answer that is late after this process was stopped. A game with a person goes on: nothing that is late ends it.

    With `on_undo` players may take moves back (raise TakeBack): the game goes on before that player's last move, and
    `on_undo` is called with the position and the number of steps that count. Clocks are not set back.
    """
    start = game.initial_state() if start is None else start
    usual = PersonsGame() if any(player.is_person for player in players) else FaultPolicy()
    policy = policy or next(filter(None, (player.fault_policy(players) for player in players)), usual)
    clocks = clocks or (ENDLESS, ENDLESS)
    is_strict = policy.forfeits and not any(player.is_person for player in players)
    with noticing_stops() if is_strict else nullcontext(lambda: 0) as stops:
        table = _Table(game, players, start, clocks, seed, tolerance, policy, stops, on_undo, at_once)
        while table.step():
            if on_step is not None:
                on_step(table.state, table.actions[-1])
        return table.record(start)


class _Reply(NamedTuple):
    answer: Answer | None
    """None: the player gave none."""
    seconds: float = 0.0
    late: bool = False
    fault: Fault | None = None
    stands_in: bool = False
    """Whether the player was not asked."""


class _Table:
    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        start: Any,
        clocks: tuple[Clock, Clock],
        seed: int | None,
        tolerance: float,
        policy: FaultPolicy,
        stops: Callable[[], int],
        on_undo: OnUndo | None,
        at_once: bool,
    ) -> None:
        self._game, self._players, self._clocks, self._seed = game, players, list(clocks), seed
        self._tolerance, self._policy, self._stops, self._on_undo = tolerance, policy, stops, on_undo
        self._draw = random.Random(None if seed is None else derived_seed(seed, "chance"))
        self.state = start
        self.actions: list[tuple[int, int]] = []
        self._before: list[tuple[Any, int, int]] = []
        """Of each step: the position before it, and how many choices of each player there were."""
        self._choices: tuple[list[Choice], list[Choice]] = ([], [])
        self._faults: list[Fault | None] = [None, None]
        self._late_answers, self._chance = [0, 0], False
        self._at_once = at_once and any(player.is_remote for player in players)
        self._followers = [number for number, player in enumerate(players) if player.follows]
        self._begin()

    def _begin(self) -> None:
        """Tell the players that a game begins, or that it goes on from another position."""
        for number in range(len(self._players)):
            self._begin_player(number)
        self._show()

    def _begin_player(self, number: int) -> None:
        try:
            self._players[number].begin(
                self._game, number, None if self._seed is None else player_seed(self._seed, number)
            )
        except Exception as error:
            if not self._policy.forfeits:
                raise
            kind, text = _fault_of(error)
            self._faults[number] = Fault(kind, number, None, text)

    def _has_begun(self, number: int) -> bool:
        """Whether the player's `begin` went well: one that did not is called no more, since it is only half of a player."""
        fault = self._faults[number]
        return fault is None or fault.step is not None

    def _show(self) -> None:
        """Tell the position to the players that follow the game."""
        for number in filter(self._has_begun, self._followers):
            a, b = (choices[-1].seconds if choices else 0.0 for choices in self._choices)
            self._players[number].follow(self.state, self._clocks[number], (a, b))

    def step(self) -> bool:
        """Play one step; False where the game is over."""
        while not any(self._faults):
            game, state = self._game, self.state
            node = game.current_player(state)
            joint = [NO_ACTION, NO_ACTION]
            before = (state, len(self._choices[0]), len(self._choices[1]))
            if node == CHANCE:
                self._chance = True
                joint[0] = self._policy.chance(game, state, self._draw)
            elif to_act := _TO_ACT.get(node):
                try:
                    replies = self._ask_both() if self._at_once and len(to_act) > 1 else {}
                    for player in to_act:
                        joint[player] = self._judged(player, replies.get(player) or self._ask(player))
                except TakeBack as wish:
                    self._take_back(wish.args[0], before)
                    continue
                if any(self._faults):
                    return False
            else:
                return False
            self._before.append(before)
            self.actions.append((joint[0], joint[1]))
            self.state = game.advance(state, joint[0], joint[1])
            self._show()
            return True
        return False

    def _ask_both(self) -> "dict[int, _Reply]":
        """Both players' replies, asked at the same time: a remote player in a thread, the other one here."""
        elsewhere = next(number for number, player in enumerate(self._players) if player.is_remote)
        # The thread ends with the block, whatever happens in it: before anything else is asked, or, after Ctrl-C, Python ends.
        # Compiled code must not run on in what is taken down.
        with ThreadPoolExecutor(1, "saddlepoint question") as thread:
            asked = thread.submit(self._ask, elsewhere)
            here = self._ask(1 - elsewhere)
        return {elsewhere: asked.result(), 1 - elsewhere: here}

    def _ask(self, player: int) -> "_Reply":
        """The player's timed reply.

        Raises MachineFault where the machine, and not the player, is why there is no answer.
        """
        game, state, clock = self._game, self.state, self._clocks[player]
        if (answer := self._policy.stand_in(game, state, player)) is not None:
            return _Reply(answer, stands_in=True)
        kind: FaultKind | None = None
        text = ""
        asked = self._players[player]
        stops, watch = self._stops(), Stopwatch(asked.threads)
        try:
            with forgiving(clock.forgiven):
                answer = Answer.of(asked.choose(state, clock))
        except TakeBack:
            if self._on_undo is not None:
                raise TakeBack(player) from None
            kind, text = FaultKind.ERROR, "TakeBack: moves may not be taken back in this game"
        except Exception as error:
            kind, text = _fault_of(error)
        used, passed = watch.read(asked.waited)
        late = kind == FaultKind.LATE or clock.is_late(used - self._tolerance, passed - self._tolerance)
        if late and self._stops() != stops:
            raise MachineFault(f"this process was stopped while player {player} was to move")
        if late:
            if kind is None:
                took = (
                    f"{used:.3f} s used"
                    if clock.is_late(used - self._tolerance)
                    else f"{passed:.3f} s passed"
                )
                kind, text = FaultKind.LATE, f"late: {took} of {clock.bank:.3f} s"
        elif answer is not None and answer.action not in game.choices(state, player):
            kind, text = FaultKind.ILLEGAL, answer.warning or f"illegal action {answer.action}"
        return _Reply(
            answer, used, late, None if kind is None else Fault(kind, player, len(self.actions), text)
        )

    def _judged(self, player: int, reply: "_Reply") -> int:
        """The action that counts; NO_ACTION and a fault if the player has none to offer that does."""
        if reply.stands_in:
            assert reply.answer is not None
            self._choices[player].append(Choice(reply.answer, 0.0, self._clocks[player].bank))
            return reply.answer.action
        self._clocks[player] = self._clocks[player].after(reply.seconds)
        self._late_answers[player] += reply.late
        counts = self._policy.judge(self._game, self.state, player, reply.answer, reply.fault)
        self._choices[player].append(Choice(counts or reply.answer, reply.seconds, self._clocks[player].bank))
        if counts is None:
            self._faults[player] = reply.fault
            return NO_ACTION
        if reply.answer is None and self._policy.restarts:
            self._begin_player(player)
        return counts.action

    def _take_back(self, player: int, now: tuple[Any, int, int]) -> None:
        assert self._on_undo is not None
        own = (
            k for k, (earlier, *_) in enumerate(self._before) if player in self._game.players_to_act(earlier)
        )
        keep = max(own, default=len(self.actions))  # without a move of its own there is nothing to take back
        self.state, *counts = [*self._before, now][keep]
        del self._before[keep:], self.actions[keep:]
        for choices, count in zip(self._choices, counts, strict=True):
            del choices[count:]
        self._begin()
        self._on_undo(self.state, keep)

    def record(self, start: Any) -> GameRecord:
        """End the game for the players, and return its record."""
        turns = Turns(self._game, [*(before for before, *_ in self._before), self.state])
        result, reason = result_of(self._game, self.state, self._faults, turns)
        reason = "; ".join(filter(None, (reason, self._policy.remark(turns))))
        for number in filter(self._has_begun, range(len(self._players))):
            with suppress(Exception):  # the game is decided
                self._players[number].end(result)
        return GameRecord(
            start,
            tuple(self.actions),
            result,
            reason,
            (self._faults[0], self._faults[1]),
            (self._late_answers[0], self._late_answers[1]),
            (tuple(self._choices[0]), tuple(self._choices[1])),
            self._chance,
        )


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


def result_of(game: Game, state: Any, faults: Sequence[Fault | None], turns: Turns) -> tuple[float, str]:
    """Player 0's result, and in words why: by the rules, or by the faults of the players."""
    first, second = words_of_faults(faults, turns)
    if first and second:
        return (game.min_utility + game.max_utility) / 2, f"both players at fault: {first}; {second}"
    if first:
        return game.min_utility, f"player 0 at fault: {first}"
    if second:
        return game.max_utility, f"player 1 at fault: {second}"
    result = float(game.returns(state))
    points = points_of(game, result)
    said = "a draw" if points == 0.5 else f"player {int(points == 0)} won"
    return result, f"{said} after {turns.counted()}"
