"""Replays: games as JSON lines, and a finished game from whatever recorded it."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Ending, Game, GameError
from ..game.own_games import Finder, origin, parameters_of, recorded_game
from ..game.spec import name_of
from ..game.steps import drawn_by, names_of
from ..players.base import Fault, FaultKind, MoveStatistics
from ..system.text import value_text
from .position_text import text_of_moves
from .record import GameRecord, Turns, distinct_names, points_of, words_of_faults

FORMAT, VERSION = "saddlepoint-game", 3


@dataclass(frozen=True)
class Step:
    """One step of a game: the position before it, the moves, and the position after it."""

    before: Any
    names: tuple[str | None, str | None]
    """The actions by name; None for a player without a choice."""
    chance: int | None
    """The outcome, where it was chance's turn."""
    after: Any


def steps_of(game: Game, start: Any, actions: Sequence[tuple[int, int]]) -> Iterator[Step]:
    """The steps of a game by its rules; raises GameError where an action is not legal."""
    state = start
    for joint in actions:
        node = game.current_player(state)
        to_act = game.players_to_act(state)
        if node == CHANCE:
            after = game.next_state(state, joint[0])
            yield Step(state, (None, None), joint[0], after)
        elif not to_act:
            raise GameError("the game is over")
        else:
            after = game.next_state(state, *(joint if node == SIMULTANEOUS else (joint[node],)))
            yield Step(state, names_of(game, state, joint), None, after)
        state = after


def game_json(
    game: Game,
    played: Any,
    players: tuple[str, str],
    opening: str,
    seed: int | None,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A game as plain data, one line of a file: a GameRecord, or what has its actions, times, searches and faults.

    A record has what programs said as well.
    """
    steps = steps_of(game, game.from_text(opening), played.actions)
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": name_of(game),
        "parameters": parameters_of(game),
        "players": list(players),
        "opening": opening,
        "seed": None if seed is None else str(seed),
        "moves": [list(step.names) if step.chance is None else [step.chance] for step in steps],
        "seconds": [[round(one, 6) for one in side] for side in played.times],
        "searches": [[None if one is None else one._asdict() for one in side] for side in played.searches],
        "result": played.result,
        "reason": played.reason,
        "faults": faults_json(played.faults),
    }
    if settings:
        data["settings"] = dict(settings)
    if rules := origin(game):
        data["rules"] = rules
    if isinstance(played, GameRecord):
        data["banks"] = [
            [round(one.bank, 6) if math.isfinite(one.bank) else None for one in side]
            for side in played.choices
        ]
        data["said"] = [[one.answer and one.answer.said for one in side] for side in played.choices]
        data["warnings"] = [
            [one.answer.warning if one.answer else "" for one in side] for side in played.choices
        ]
    return data


def taken_over_json(since: int, former: tuple[str, str] | None) -> dict[str, Any]:
    """Whose the first moves of a game are, as fields of its line; none where its players made all."""
    return {"since": since} | ({"former": list(former)} if former else {}) if since else {}


def faults_json(faults: Iterable[Fault | None]) -> list[dict[str, Any] | None]:
    """Faults as plain data."""
    return [
        None if one is None else {"kind": one.kind.value, "step": one.step, "text": one.text}
        for one in faults
    ]


def to_line(data: dict[str, Any]) -> str:
    """The line of a game in a file."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True)
class Round:
    """The record of one step (in a turn-based game, one move): one entry for each player."""

    answers: tuple[str | None, str | None]
    """The players' answers; None for no answer."""
    moves: tuple[str | None, str | None]
    """The actions taken, by name; None for a player without a choice."""
    ms: tuple[float, float]
    bank: tuple[float | None, float | None]
    """Milliseconds left after the move; None without a limit."""
    warnings: tuple[str, str] = ("", "")
    chance: int | None = None
    """The outcome, where it was chance's turn."""


def unknown_game(name: str, **parameters: Any) -> Game:
    """Finds no game; raises GameError."""
    raise GameError(f"{name} is not known here")


@dataclass(frozen=True)
class Replay:
    """One game, to be shown. `start` is the first position as the game's text; `result` is player 0's, None of a game that is not over."""

    game: str
    parameters: dict[str, Any]
    players: tuple[str, str]
    start: str
    rounds: tuple[Round, ...]
    result: float | None
    reason: str
    faults: tuple[Fault | None, Fault | None] = (None, None)
    """The fault by which each player was shut down or lost; None for a player without one."""
    seed: int | None = None
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    searches: tuple[tuple[MoveStatistics | None, MoveStatistics | None], ...] = field(
        default=(), compare=False
    )
    """The statistics that each player reported for its moves, for each round; empty where no file has them."""
    since: int = 0
    """How many of the rounds others had played before these players took over."""
    former: tuple[str, str] | None = None
    """Who these others were, where that is known."""
    rules: dict[str, str] = field(default_factory=dict[str, str], compare=False)
    """Of a game that is not this library's: class, file and digest, as `own_games.origin` has them."""
    find: Finder = field(default=unknown_game, compare=False, repr=False)
    """Finds the game by its name."""

    @property
    def resigned(self) -> int | None:
        """The player who gave the game up, if any: its moves are to blame, as in a game that was played to its end."""
        return next((one.player for one in self.faults if one and one.kind == FaultKind.RESIGNED), None)

    def make_game(self) -> Game:
        """The game it is a replay of. One in a file must have been loaded before; raises GameError otherwise."""
        return recorded_game({"name": self.game, "parameters": self.parameters, **self.rules}, self.find)

    def states(self) -> list[Any]:
        """The positions: the start, then the one after each round."""
        return positions_and_actions(self.make_game(), self)[0]


def actions_of(game: Game, state: Any, played: Round) -> list[int]:
    """The round's joint action as numbers, -1 for a player without a choice; raises GameError."""
    if game.current_player(state) == CHANCE and played.chance is not None:
        return [played.chance]
    to_act = game.players_to_act(state)
    if not to_act:
        raise GameError("the game is over")
    actions: list[int] = []
    for player, move in enumerate(played.moves):
        if (player in to_act) != (move is not None):
            raise GameError(f"player {player} {'has' if player in to_act else 'does not have'} a move here")
        actions.append(-1 if move is None else game.string_to_action(state, player, move))
    return actions


def positions_and_actions(game: Game, replay: Replay) -> tuple[list[Any], list[tuple[int, int]]]:
    """The positions, from the start to the one after the last round, and the joint action of each round."""
    states, actions = [game.from_text(replay.start)], list[tuple[int, int]]()
    for played in replay.rounds:
        joint = actions_of(game, states[-1], played)
        states.append(game.next_state(states[-1], *joint))
        actions.append((joint[0], joint[1] if len(joint) > 1 else NO_ACTION))
    return states, actions


def replay_json(replay: Replay) -> dict[str, Any]:
    """A replay as plain data, which `reading.replay_of` reads: one line of a file, whatever kind of file it came from."""
    chosen = [
        [at for at, one in enumerate(replay.rounds) if one.moves[player] is not None] for player in (0, 1)
    ]

    def of_choices(name: str) -> list[list[Any]]:
        return [[getattr(replay.rounds[at], name)[player] for at in chosen[player]] for player in (0, 1)]

    def seconds(name: str) -> list[list[float | None]]:
        return [[None if ms is None else round(ms / 1000, 6) for ms in side] for side in of_choices(name)]

    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": replay.game,
        "parameters": replay.parameters,
        "players": list(replay.players),
        "opening": replay.start,
        "seed": None if replay.seed is None else str(replay.seed),
        "moves": [list(one.moves) if one.chance is None else [one.chance] for one in replay.rounds],
        "seconds": seconds("ms"),
        "result": replay.result,
        "reason": replay.reason,
        "faults": faults_json(replay.faults),
        "banks": seconds("bank"),
        "said": of_choices("answers"),
        "warnings": of_choices("warnings"),
    }
    if replay.searches:
        told = [[replay.searches[at][player] for at in chosen[player]] for player in (0, 1)]
        data["searches"] = [[None if one is None else one._asdict() for one in side] for side in told]
    data |= taken_over_json(replay.since, replay.former)
    if replay.settings:
        data["settings"] = replay.settings
    if replay.rules:
        data["rules"] = replay.rules
    return data


# A game that was played, from whatever recorded it: its positions, its actions, and what they are called.


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
    """Each player's fault, in words; empty for a player without one."""
    since: int = 0
    """The first step that is these players' own: they went on from a position that others had reached."""
    former: tuple[str, str] | None = None
    """Who these others were, where that is known."""

    @cached_property
    def names(self) -> tuple[str, str]:
        """The players' names, distinguished where they are the same."""
        return distinct_names(self.players)

    @cached_property
    def turns(self) -> Turns:
        """The numbers of its turns."""
        return Turns(self.game, self.states)

    @cached_property
    def endings(self) -> tuple[Ending | None, Ending | None]:
        """The ending of each player, in the game's words."""
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
        return (
            self.result is not None
            and not any(self.faults)
            and self.game.current_player(self.states[-1]) != TERMINAL
        )

    def move(self, step: int, player: int) -> str:
        """The name of a player's action at a step; empty where it had no choice."""
        if step >= len(self.actions):
            return ""
        state, action = self.states[step], self.actions[step][player]
        if player not in self.game.players_to_act(state) or action == NO_ACTION:
            return ""
        return self.game.action_to_string(state, player, action)

    def outcome(self, step: int) -> str:
        """The name of chance's outcome at a step; empty where it had no turn."""
        is_over = step >= len(self.actions)
        return "" if is_over else drawn_by(self.game, self.states[step], self.actions[step])

    def position_text(self, step: int) -> str:
        """The position before a step, by the moves that lead there, as `--position` takes it."""
        return text_of_moves(self.game, self.states[: step + 1], self.actions[:step])

    def headline(self) -> str:
        """The players' names, and the result."""
        a, b = self.players
        told = f"{a} (0) against {b} (1): {', '.join(self._outcome())}"
        others = " and ".join(self.former) if self.former else "others"
        return f"{told}; {others} played before {self.turns.label(self.since)}" if self.since else told

    def _outcome(self) -> list[str]:
        game, count = self.game, self.turns.counted()
        if self.result is None:
            return [f"not over after {count}"]
        points = points_of(game, self.result)
        if points == 0.5:
            return [f"drawn after {count}"]
        won = f"{self.names[int(points == 0)]} won after {count}"
        is_whole = self.result in (game.min_utility, game.max_utility)
        return [won] if is_whole else [won, f"{value_text(self.result, 'g')} for {self.names[0]}"]


def finished(replay: Replay) -> FinishedGame:
    """The game of a replay."""
    game = replay.make_game()
    states, actions = positions_and_actions(game, replay)
    told = [None if player == replay.resigned else fault for player, fault in enumerate(replay.faults)]
    faults = words_of_faults(told, Turns(game, states))
    return FinishedGame(
        game,
        replay.players,
        states,
        actions,
        replay.result,
        replay.reason,
        faults,
        replay.since,
        replay.former,
    )
