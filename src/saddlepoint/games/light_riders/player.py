"""riddles.io's protocol of Light Riders, the engine's side: the lines that a program is sent, what its answers mean, and the referee."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..interface import (
    NO_ACTION,
    Answer,
    Clock,
    Fault,
    FaultKind,
    FaultPolicy,
    Game,
    Isolation,
    LineProcess,
    Opening,
    PlayerError,
    ProgramPlayer,
    Referee,
    SpecError,
    count_of,
    distinct_names,
    game_json,
    play_game,
    words_in,
)
from .game import DIRECTIONS, LightRiders, State

NO_MOVE = ("pass", "no_moves", "")
MOVES = (*DIRECTIONS, "pass", "no_moves")
"""The words that are a move, in small letters."""
OPPOSITE = "Can't move opposite of current direction"
INVALID = "Move isn't valid"
_USUAL = Clock(10.0, 0.2)  # what is sent to a bot where its moves have no limit


def finite_clock(clock: Clock) -> Clock:
    """The clock that is sent to a bot: the contest's where there is no limit."""
    return clock if math.isfinite(clock.bank) else _USUAL


def settings_lines(game: LightRiders, player: int, clock: Clock) -> list[str]:
    clock = finite_clock(clock)
    assert clock.cap is not None
    lines = [
        "settings player_names player0,player1",
        f"settings your_bot player{player}",
        f"settings timebank {round(clock.cap * 1000)}",
        f"settings time_per_move {round(clock.increment * 1000)}",
        f"settings your_botid {player}",
        f"settings field_width {game.width}",
        f"settings field_height {game.height}",
    ]
    return [*lines, f"settings max_rounds {game.max_rounds}"] if game.max_rounds else lines


def round_lines(game: LightRiders, state: State, clock: Clock) -> list[str]:
    cells = ",".join(",".join(row) for row in game.field(state))
    return [
        f"update game round {state.round}",
        f"update game field {cells}",
        f"action move {int(finite_clock(clock).bank * 1000)}",
    ]


def direction_taken(answer: str | None, direction: int, round_: int) -> tuple[int, str]:
    """The direction a rider takes after an answer (None: no answer), and the engine's warning or an empty string."""
    word = " ".join(words_in(answer or "")).lower()
    if word in NO_MOVE:
        return direction, ""
    if word not in DIRECTIONS:
        return direction, INVALID
    wanted = DIRECTIONS.index(word)
    if round_ > 0 and wanted == direction ^ 2:
        return direction, OPPOSITE
    return wanted, ""


_LONGEST_ANSWER = 1000  # characters of an answer that are worth keeping


def opening(game: Game) -> Opening:
    """The settings and the first round: a bot answers with its first move."""
    assert isinstance(game, LightRiders)
    lines = (*settings_lines(game, 0, _USUAL), *round_lines(game, game.initial_state(), _USUAL))
    return Opening(
        lines,
        lambda line: " ".join(words_in(line)).lower() in MOVES,
        "a direction such as up after `action move 10000`",
    )


class ProcessPlayer(ProgramPlayer):
    """Starts `command` afresh for every game, and ends it with all its children after the game.

    `forgives` is how often in a game it may give no answer before it is ended.
    """

    def __init__(
        self, command: str, game: Game, isolation: Isolation | None = None, forgives: int = 0
    ) -> None:
        if not isinstance(game, LightRiders):
            raise SpecError(f"riddles.io's protocol is for light_riders; there is none for {game.name}")
        super().__init__()
        self.command, self.isolation, self.forgives = command, isolation, forgives
        self.beside: ProcessPlayer | None = None
        """Another program, which is listened to while this one is waited for."""
        self.is_silent = False
        """Whether it gave no answer in its trial: it may speak another protocol."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._end()
        self._settings_sent, self._unanswered = False, 0
        self._begin_transcript()
        self._start(LineProcess(self.command, self.isolation))

    def try_start(self, game: Game) -> None:
        """The protocol has no word that a bot is ready: it is one that is there still when it is asked for a move."""
        try:
            self.begin(game, 0)
            self._unanswered = -1  # it is still there to say its last words
            self.choose(game.initial_state(), _USUAL)
        except PlayerError as error:
            self.is_silent = error.kind == FaultKind.LATE
            if error.kind == FaultKind.CRASH:
                raise PlayerError(
                    f"{error}{self.process.last_words() if self.process is not None else ''}", error.kind
                ) from error
        finally:
            self._end()

    def choose(self, state: Any, clock: Clock) -> Answer:
        """The direction its answer means; an illegal action where it means none. Raises PlayerError where there is no answer."""
        assert isinstance(self.game, LightRiders)
        if self.process is None:
            raise PlayerError("the program was ended before", FaultKind.CRASH)
        if not self._settings_sent:
            self.process.send(settings_lines(self.game, self.player, clock))
            self._settings_sent = True
        beside = [self.beside.process] if self.beside is not None and self.beside.process is not None else []
        reply = self.process.ask(round_lines(self.game, state, clock), finite_clock(clock).bank, beside)
        if reply.line is None:
            error = reply.error or PlayerError("no answer")
            if error.kind is FaultKind.LATE:
                error = PlayerError(f"{error}{self.process.unfinished}", FaultKind.LATE)
            self._unanswered += 1
            if self._unanswered > self.forgives:
                self._end()  # its processes are gone before anybody hears of the fault
            raise error
        said, direction = (
            reply.line[:_LONGEST_ANSWER],
            state.direction0 if self.player == 0 else state.direction1,
        )
        taken, warning = direction_taken(said, direction, state.round)
        if warning == INVALID:
            return Answer(NO_ACTION, None, said, f"{said[:40]!r} is no move{_meant(said)}")
        return Answer(taken, None, said, warning)


def _meant(said: str) -> str:
    """A hint at the right form of an answer, where it can be seen; else ""."""
    match words_in(said.lower()):
        case ["move", word] if word in MOVES:
            return f"; expected was the direction alone, {word}"
        case _:
            return ""


_GRACE = 0.25  # seconds a bot has to leave by itself after the game


@dataclass(frozen=True)
class RefereeRules:
    """Seconds of the bank at the start (and at most), seconds added a move, errors that are forgiven."""

    timebank: float = 10.0
    time_per_move: float = 0.2
    max_timeouts: int = 0

    def __post_init__(self) -> None:
        if self.timebank <= 0 or self.time_per_move < 0 or self.max_timeouts < 0:
            raise ValueError("the time bank must be above 0, the time per move and the timeouts 0 or more")


class _Engine(FaultPolicy):
    """Replaces an answer that is no move, or is missing, by straight on with a warning.

    Too many shut a bot down.
    """

    forfeits = False

    def __init__(self, bots: tuple[ProcessPlayer, ProcessPlayer]) -> None:
        self._bots = bots
        self.shut_down: list[Fault | None] = [None, None]

    def stand_in(self, game: Game, state: State, player: int) -> Answer | None:
        return Answer(_straight(state, player)) if self.shut_down[player] is not None else None

    def judge(
        self, game: Game, state: State, player: int, answer: Answer | None, fault: Fault | None
    ) -> Answer:
        if fault is None and answer is not None:
            return answer
        if answer is not None:
            return Answer(_straight(state, player), None, answer.said, INVALID)
        if self._bots[player].process is None:
            self.shut_down[player] = fault
        return Answer(_straight(state, player))


def _straight(state: State, player: int) -> int:
    return int(state.direction1 if player else state.direction0)


def referee(
    game: LightRiders,
    commands: tuple[str, str],
    start: State,
    rules: RefereeRules | None = None,
    seed: int | None = None,
    isolation: Isolation | None = None,
) -> dict[str, Any]:
    """Play one game between two programs; its replay, as plain data. Raises PlayerError where one cannot even be started.

    Both are asked one after the other about the same position. At its first error too many a bot is shut down; its
    rider then goes straight on until it dies, and may still win.
    """
    rules = rules or RefereeRules()
    clock = Clock(rules.timebank, rules.time_per_move, rules.timebank)
    bots = (
        ProcessPlayer(commands[0], game, isolation, rules.max_timeouts),
        ProcessPlayer(commands[1], game, isolation, rules.max_timeouts),
    )
    bots[0].beside, bots[1].beside = bots[1], bots[0]
    engine, states = _Engine(bots), [start]

    def on_step(state: State, joint: tuple[int, int]) -> None:
        states.append(state)

    try:
        # A bot's process is waited for until its bank is used up: there is nothing to forgive.
        record = play_game(game, bots, start, (clock, clock), None, math.inf, on_step, policy=engine)
    finally:
        for bot in bots:
            bot.close(_GRACE)  # the end of its input is the end of the game
    faults = (engine.shut_down[0], engine.shut_down[1])
    record = replace(record, faults=faults, reason=how_it_ended(game, states, commands))
    return game_json(game, record, commands, game.to_text(start), seed, asdict(rules))


def how_it_ended(game: LightRiders, states: Sequence[State], players: Sequence[str]) -> str:
    """The crashes of the last round, given the game's positions and the players' names."""
    end = states[-1]
    if end.alive == 3:
        return f"both are alive after {count_of(end.round, 'round')}, the limit"
    if len(states) < 2:
        return "the game was over at the start"
    ends = zip(distinct_names(players), game.ending(states), strict=True)
    fates = [f"{name} {one.words}" for name, one in ends if one is not None]
    return f"{' and '.join(fates)} in round {states[-2].round}"


REFEREE = Referee(ProcessPlayer, RefereeRules, referee)
