"""The contest's referee for two Light Riders bots: its rules, its clock, and what it does about errors."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from ...boards.grid import int_of, neighbour
from ...game import TERMINAL
from ...games.light_riders import DIRECTIONS, LightRiders, State
from ...play.replay import Replay, Round
from ...players.clock import Clock
from ...programs.isolation import Isolation
from .player import ProcessPlayer
from .words import direction_taken

_GRACE = 0.25  # seconds a bot has to leave by itself after the game
_LONGEST_ANSWER = 1000  # characters of an answer that are worth keeping


@dataclass(frozen=True)
class RefereeRules:
    """Seconds of the bank at the start (and at most), seconds added a move, errors that are forgiven."""

    timebank: float = 10.0
    time_per_move: float = 0.2
    max_timeouts: int = 0

    def __post_init__(self) -> None:
        if self.timebank <= 0 or self.time_per_move < 0 or self.max_timeouts < 0:
            raise ValueError("the time bank must be above 0, the time per move and the timeouts 0 or more")


class _Seat:
    """One bot at the table: its program, its clock, its errors."""

    def __init__(
        self, command: str, game: LightRiders, player: int, rules: RefereeRules, isolation: Isolation | None
    ) -> None:
        self.player, self.rules = player, rules
        self.bot = ProcessPlayer(command, game, isolation)
        self.bot.begin(game, player)
        self.clock = Clock(rules.timebank, rules.time_per_move, rules.timebank)
        self.errors, self.fault = 0, ""

    def answer(self, state: State, other: "_Seat") -> tuple[str | None, float]:
        """The bot's line in this round and the seconds it took; None for no line."""
        if self.fault or self.bot.process is None:
            return None, 0.0
        beside = [other.bot.process] if other.bot.process is not None else []
        reply = self.bot.ask(state, self.clock, beside)
        self.clock = self.clock.after(reply.seconds)
        if reply.line is None:
            self.errors += 1
            if self.errors > self.rules.max_timeouts:
                self.fault = f"{reply.fault}, in round {state.round}"
                self.bot.close()
            return None, reply.seconds
        return reply.line[:_LONGEST_ANSWER], reply.seconds

    def close(self) -> None:
        """The game is over: the end of its input tells the bot."""
        if self.bot.process is not None:
            self.bot.process.close(_GRACE)
        self.bot.close()


def referee(
    game: LightRiders,
    commands: tuple[str, str],
    start: State,
    rules: RefereeRules | None = None,
    seed: int | None = None,
    on_round: Callable[[State, Round], None] | None = None,
    isolation: Isolation | None = None,
) -> Replay:
    """Play one game between two programs. Raises PlayerError where a program cannot even be started.

    Both are asked one after the other about the same position. At its first error too many a bot is shut down; its
    rider then goes straight on until it dies, and may still win.
    """
    rules = rules or RefereeRules()
    rounds: list[Round] = []
    state, before = start, start
    with ExitStack() as table:
        seats: list[_Seat] = []
        for player in (0, 1):
            seats.append(_Seat(commands[player], game, player, rules, isolation))
            table.callback(seats[player].close)
        while game.current_player(state) != TERMINAL:
            before = state
            answers = [seats[player].answer(state, seats[1 - player]) for player in (0, 1)]
            facing = (state.direction0, state.direction1)
            taken = [direction_taken(answers[p][0], facing[p], state.round) for p in (0, 1)]
            state = game.next_state(state, taken[0][0], taken[1][0])
            rounds.append(
                Round(
                    (answers[0][0], answers[1][0]),
                    (DIRECTIONS[taken[0][0]], DIRECTIONS[taken[1][0]]),
                    (round(answers[0][1] * 1000, 1), round(answers[1][1] * 1000, 1)),
                    (round(seats[0].clock.bank * 1000, 1), round(seats[1].clock.bank * 1000, 1)),
                    (taken[0][1], taken[1][1]),
                )
            )
            if on_round is not None:
                on_round(state, rounds[-1])
        return Replay(
            game.name,
            {"width": game.width, "height": game.height, "max_rounds": game.max_rounds},
            commands,
            game.to_text(start),
            tuple(rounds),
            game.returns(state),
            how_it_ended(game, before, state),
            (seats[0].fault, seats[1].fault),
            seed,
            {"timebank": rules.timebank, "time_per_move": rules.time_per_move, "max_timeouts": rules.max_timeouts},
        )


def how_it_ended(game: LightRiders, before: State, end: State) -> str:
    """Who ran into what in the last round, given the position before it."""
    if end.alive == 3:
        return f"both are alive after {end.round} rounds, the limit"
    if before is end:
        return "the game was over at the start"
    fates = [_fate(game, before, end, player) for player in (0, 1) if not end.alive >> player & 1]
    return f"{' and '.join(fates)} in round {before.round}"


def _fate(game: LightRiders, before: State, end: State, player: int) -> str:
    grid: Any = game.grid
    heads, directions = (before.head0, before.head1), (end.direction0, end.direction1)
    cells = [neighbour(grid, heads[p], directions[p]) for p in (0, 1)]
    if cells[player] < 0:
        return f"player {player} left the field"
    if int_of(before.walls) >> cells[player] & 1:
        return f"player {player} ran into a trail"
    return f"player {player} met the other rider"
