"""Replays read from files. They are not trusted: every field is checked, and the moves are played by the game's rules."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from ..game import CHANCE, GameError
from ..json_fields import json_object
from ..players.base import MoveStatistics
from ..players.fault import Fault, FaultKind
from .battlesnake_output import battlesnake_output, is_battlesnake_output
from .endings import fault_words
from .fields import Fields, ReplayError, fail
from .old_replay import is_old_replay, old_replay
from .replay import FORMAT, VERSION, Replay, Round, actions_of
from .turns import Turns

_WHOLE_FILES = (
    (is_old_replay, old_replay),
    (is_battlesnake_output, battlesnake_output),
)
"""Formats in which a file is one game: what tells one by its first line, and what makes a replay of all of its lines."""

_LONGEST_LINE = 4_000_000
_MOST_LINES = 100_000


def read(path: str | Path, number: int = 1) -> Replay:
    """The game of that number in a file, checked against the rules; raises ReplayError in one sentence."""
    with open(path, "rb") as file:
        lines = _lines(file)
        raw = next(lines, None)
        if raw is None:
            raise ReplayError("the file is empty: expected a replay, JSON lines, each of them a game")
        first, there = _object(raw, 1), 1
        for is_of_format, replay_in in _WHOLE_FILES:
            if is_of_format(first):
                if number > 1:
                    raise ReplayError(f"there is 1 game, not {number}")
                replay = replay_in([first, *(_object(raw, at) for at, raw in enumerate(lines, 2))])
                _check_play(replay, lambda at: f"line {at + 2}")
                return replay
        while there < number and (raw := next(lines, None)) is not None:
            there += 1
    if raw is None:
        raise ReplayError(f"there {'is 1 game' if there == 1 else f'are {there} games'}, not {number}")
    replay = replay_of(_object(raw, number), f"line {number}")
    _check_play(replay, lambda at: f"line {number}" + (f", move {at}" if 0 <= at < len(replay.rounds) else ""))
    return replay


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines, each when it is asked for; none is too long, nor are there too many."""
    for number, raw in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), 1):
        if len(raw) > _LONGEST_LINE:
            fail(f"line {number}", f"longer than {_LONGEST_LINE} bytes")
        if number > _MOST_LINES:
            fail(f"line {number}", f"more than {_MOST_LINES} lines")
        yield raw


def _object(raw: bytes, number: int) -> dict[str, Any]:
    try:
        return json_object(raw)
    except ValueError as error:
        fail(f"line {number}", str(error))


def replay_of(data: dict[str, Any], where: str = "line 1") -> Replay:
    """The game of a line's data, each field checked, its moves not yet."""
    line = Fields(data, where)
    if "format" not in line or line.take("format", str) != FORMAT:
        fail(line.where, f"expected the game, with the format {FORMAT!r}")
    if line.take("version", int) not in (1, 2, VERSION):
        fail(line.where, f"version {line.take('version', int)} is not known here: expected {VERSION}")
    settings = line.take("settings", dict) if "settings" in line else {}
    seed = line.take("seed", str, type(None))
    if seed is not None and not (seed.isascii() and seed.isdigit() and len(seed) <= 60):
        fail(line.where, f"'seed' must be a whole number in a string, not {seed[:40]!r}")
    replay = Replay(
        line.take("game", str), line.take("parameters", dict) if "parameters" in line else {}, line.pair("players", str),
        line.take("opening", str), tuple(_rounds(line)), _result(line), line.take("reason", str),
        seed=None if seed is None else int(seed), settings=settings, searches=tuple(_searches(line)), rules=_rules(line),
    )  # fmt: skip
    return replace(replay, faults=_fault_words(line, replay))


def _result(line: Fields) -> float | None:
    """Player 0's result; None of a game that is not over."""
    result = line.take("result", float, int, type(None))
    return None if result is None else float(result)


def _rules(line: Fields) -> dict[str, str]:
    """Where the rules of a game are that is not this library's; empty for one that is."""
    if "rules" not in line:
        return {}
    told = Fields(line.take("rules", dict), line.where)
    return {name: told.take(name, str) for name in ("class", "file", "digest")}


def _rounds(line: Fields) -> Iterator[Round]:
    """What each step was, with what is told of each player's choices in their order."""
    told = {
        name: [iter(line.checked(name, side, (list,))) for side in line.pair(name, list)] if name in line else None
        for name in ("seconds", "said", "warnings", "banks")
    }
    kinds = {"seconds": (float, int), "said": (str, type(None)), "warnings": (str,), "banks": (float, int, type(None))}

    def of_choice(name: str, player: int, move: str | None, usual: Any) -> Any:
        sides = told[name]
        if move is None or sides is None:
            return usual
        return line.checked(name, next(sides[player], usual), kinds[name])

    for joint in line.take("moves", list):
        joint = line.checked("moves", joint, (list,))
        if len(joint) == 1:
            yield Round((None, None), (None, None), (0.0, 0.0), (None, None), chance=line.checked("moves", joint[0], (int,)))
            continue
        if len(joint) != 2:
            fail(line.where, "a move has one entry for each player, or one for chance")
        a, b = (line.checked("moves", name, (str, type(None))) for name in joint)
        sides = [
            (
                of_choice("said", p, name, name), round(of_choice("seconds", p, name, 0.0) * 1000, 1),
                _milliseconds(of_choice("banks", p, name, None)), of_choice("warnings", p, name, ""),
            )
            for p, name in enumerate((a, b))
        ]  # fmt: skip
        answers, ms, bank, warnings = zip(*sides, strict=True)
        yield Round(answers, (a, b), ms, bank, warnings)


def _searches(line: Fields) -> Iterator[tuple[MoveStatistics | None, MoveStatistics | None]]:
    """What was told of the searches behind the moves of each step."""
    if "searches" not in line:
        return
    told = [iter(line.checked("searches", side, (list,))) for side in line.pair("searches", list)]
    for joint in line.take("moves", list):
        names = joint if len(joint) == 2 else (None, None)
        a, b = (None if name is None else _statistics(line, next(told[player], None)) for player, name in enumerate(names))
        yield a, b


def _statistics(line: Fields, told: Any) -> MoveStatistics | None:
    if line.checked("searches", told, (dict, type(None))) is None:
        return None
    one = Fields(told, line.where)
    depth, nodes = (one.take(name, int, type(None)) if name in one else None for name in ("depth", "nodes"))
    value = one.take("value", float, int, type(None)) if "value" in one else None
    return MoveStatistics(one.take("seconds", float, int) if "seconds" in one else 0.0, depth, nodes, value)


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 1)


def _fault_words(line: Fields, replay: Replay) -> tuple[str, str]:
    words: list[str] = []
    for player, fault in enumerate(line.pair("faults", dict, str, type(None))):
        if isinstance(fault, dict):
            one = Fields(fault, line.where)
            fault = _words_of(Fault(FaultKind.ERROR, player, one.take("step", int, type(None)), one.take("text", str)), replay)
        words.append(fault or "")
    return words[0], words[1]


def _words_of(fault: Fault, replay: Replay) -> str:
    """With the turn of the game, where its moves can be followed; those that cannot are told of by whoever follows them."""
    try:
        return fault_words(fault, Turns(replay.make_game(), list(replay.states())))
    except (GameError, ValueError):
        return fault.text


def _check_play(replay: Replay, where: Callable[[int], str]) -> None:
    """Play it by the rules: legal moves, and, unless somebody was at fault, the result that the rules give, none of a game that goes on."""
    try:
        game = replay.make_game()
        state = game.from_text(replay.start)
    except (GameError, ValueError) as error:
        fail(where(-1), str(error).splitlines()[0])
    for at, played in enumerate(replay.rounds):
        try:
            state = game.next_state(state, *actions_of(game, state, played))
        except GameError as error:
            fail(where(at), str(error).splitlines()[0])
    end = where(len(replay.rounds))
    if not game.players_to_act(state) and game.current_player(state) != CHANCE:
        if game.returns(state) != replay.result:
            told = "none" if replay.result is None else f"{replay.result:g}"
            fail(end, f"the result is {game.returns(state):g} by the rules, not {told}")
    elif any(replay.faults) and replay.result is None:
        fail(end, "somebody is at fault, and there is no result")
    elif not any(replay.faults) and replay.result is not None:
        fail(end, "the game is not over, and nobody is at fault, so its result must be null")
