"""Replays: one game as JSON lines. First what was played, then a line a round, last the result.

A replay from elsewhere is not trusted: `read` checks every line, plays the moves by the game's rules, and complains
in one sentence.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ..game import Game, GameError
from ..games.catalogue import make_game

FORMAT, VERSION = "saddlepoint-replay", 1
_LONGEST_LINE = 200_000
_MOST_ROUNDS = 100_000


class ReplayError(ValueError):
    """A file that is no replay; the message says which line and what was expected."""


@dataclass(frozen=True)
class Round:
    """What happened in one round (in a game of turns, one move): one entry for each player."""

    answers: tuple[str | None, str | None]
    """What the players said; None for no answer."""
    moves: tuple[str | None, str | None]
    """The actions taken, by name; None for a player without a choice."""
    ms: tuple[float, float]
    bank: tuple[float | None, float | None]
    """Milliseconds left after the move; None without a limit."""
    warnings: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Replay:
    """One game. `start` is the first position as the game's text; `result` is player 0's."""

    game: str
    parameters: dict[str, Any]
    players: tuple[str, str]
    start: str
    rounds: tuple[Round, ...]
    result: float
    reason: str
    faults: tuple[str, str] = ("", "")
    """Why a player was shut down or lost without playing on; empty strings otherwise."""
    seed: int | None = None
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    def make_game(self) -> Game:
        """The game it is a replay of."""
        return make_game(self.game, **self.parameters)

    def states(self) -> Iterator[Any]:
        """The positions: the start, then the one after each round."""
        game = self.make_game()
        state = game.from_text(self.start)
        yield state
        for played in self.rounds:
            state = game.next_state(state, *actions_of(game, state, played))
            yield state

    def to_json(self) -> list[dict[str, Any]]:
        """The lines as plain data."""
        header = {"type": "game", "format": FORMAT, "version": VERSION}
        for name in ("game", "parameters", "players", "start", "seed", "settings"):
            header[name] = getattr(self, name)
        lines = [header]
        lines += [{"type": "round", "round": number, **asdict(played)} for number, played in enumerate(self.rounds)]
        end = {"type": "result", "result": self.result, "rounds": len(self.rounds), "reason": self.reason, "faults": self.faults}
        return [*lines, end]


def actions_of(game: Game, state: Any, played: Round) -> list[int]:
    """The round's joint action as numbers, -1 for a player without a choice; raises GameError."""
    to_act = game.players_to_act(state)
    if not to_act:
        raise GameError("the game is over")
    actions: list[int] = []
    for player, move in enumerate(played.moves):
        if (player in to_act) != (move is not None):
            raise GameError(f"player {player} {'has' if player in to_act else 'does not have'} a move here")
        actions.append(-1 if move is None else game.string_to_action(state, player, move))
    return actions


def to_lines(replay: Replay) -> list[str]:
    """The lines of a replay's file."""
    return [json.dumps(line, separators=(",", ":"), allow_nan=False) for line in replay.to_json()]


def read(path: str | Path) -> Replay:
    """The replay in a file, checked against the rules; raises ReplayError in one sentence."""
    lines: list[dict[str, Any]] = []
    with open(path, "rb") as file:
        while raw := file.readline(_LONGEST_LINE + 1):
            number = len(lines) + 1
            if len(raw) > _LONGEST_LINE:
                _fail(number, f"longer than {_LONGEST_LINE} bytes")
            if number > _MOST_ROUNDS:
                _fail(number, f"more than {_MOST_ROUNDS} lines")
            lines.append(_object(raw, number))
    if not lines:
        raise ReplayError("the file is empty: expected a replay, JSON lines that begin with the game")
    replay = _assemble(lines)
    _check_play(replay)
    return replay


def _object(raw: bytes, number: int) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        _fail(number, f"no JSON: {str(error).splitlines()[0]}")
    return data if isinstance(data, dict) else _fail(number, "expected a JSON object")  # pyright: ignore[reportUnknownVariableType]


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _fail(number: int, problem: str) -> NoReturn:
    raise ReplayError(f"line {number}: {problem}")


class _Line:
    """One line's fields, each taken with its type checked."""

    def __init__(self, data: dict[str, Any], number: int) -> None:
        self._data, self.number = data, number

    def take(self, name: str, *kinds: type) -> Any:
        if name not in self._data:
            _fail(self.number, f"{name!r} is missing")
        return self._checked(name, self._data[name], kinds)

    def pair(self, name: str, *kinds: type) -> Any:
        values = self.take(name, list)
        if len(values) != 2:
            _fail(self.number, f"{name!r} must have one entry for each player")
        return tuple(self._checked(name, value, kinds) for value in values)

    def _checked(self, name: str, value: Any, kinds: tuple[type, ...]) -> Any:
        # To Python true is a whole number; to a replay it is not.
        if not isinstance(value, kinds) or isinstance(value, bool):
            wanted = " or ".join(_KIND_NAMES[kind] for kind in kinds)
            _fail(self.number, f"{name!r} must be {wanted}, not {json.dumps(value)[:40]}")
        if isinstance(value, (int, float)) and not (math.isfinite(value) and abs(value) < 1e15):
            _fail(self.number, f"{name!r} is too large")
        return value


_KIND_NAMES = {
    str: "a string", int: "a whole number", float: "a number", list: "a list", dict: "an object", type(None): "null"
}


def _assemble(lines: list[dict[str, Any]]) -> Replay:
    first, last = _Line(lines[0], 1), _Line(lines[-1], len(lines))
    if lines[0].get("type") != "game" or lines[0].get("format") != FORMAT:
        _fail(1, f"expected the game, with the format {FORMAT!r}")
    if lines[0].get("version") != VERSION:
        _fail(1, f"version {lines[0].get('version')!r} is not known here: expected {VERSION}")
    if len(lines) < 2 or lines[-1].get("type") != "result":
        _fail(len(lines), "expected the result as the last line; the file is incomplete")
    rounds: list[Round] = []
    for number, data in enumerate(lines[1:-1], 2):
        line = _Line(data, number)
        if data.get("type") != "round" or data.get("round") != number - 2:
            _fail(number, f"expected round {number - 2}")
        rounds.append(
            Round(
                line.pair("answers", str, type(None)),
                line.pair("moves", str, type(None)),
                line.pair("ms", float, int),
                line.pair("bank", float, int, type(None)),
                line.pair("warnings", str),
            )
        )
    if last.take("rounds", int) != len(rounds):
        _fail(last.number, f"{len(rounds)} rounds are there, not {last.take('rounds', int)}")
    return Replay(
        first.take("game", str),
        first.take("parameters", dict),
        first.pair("players", str),
        first.take("start", str),
        tuple(rounds),
        float(last.take("result", float, int)),
        last.take("reason", str),
        last.pair("faults", str),
        first.take("seed", int, type(None)),
        first.take("settings", dict),
    )


def _check_play(replay: Replay) -> None:
    """Play it by the rules: legal moves, and, unless somebody was at fault, the result that the rules give."""
    try:
        game = replay.make_game()
        state = game.from_text(replay.start)
    except (GameError, ValueError) as error:
        _fail(1, str(error).splitlines()[0])
    for number, played in enumerate(replay.rounds, 2):
        try:
            state = game.next_state(state, *actions_of(game, state, played))
        except GameError as error:
            _fail(number, str(error).splitlines()[0])
    last = len(replay.rounds) + 2
    if not game.players_to_act(state):
        if game.returns(state) != replay.result:
            _fail(last, f"the result is {game.returns(state):g} by the rules, not {replay.result:g}")
    elif not any(replay.faults):
        _fail(last, "the game is not over, and nobody is at fault")
