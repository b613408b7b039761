"""Replays read from files. They are not trusted: every field is checked, and the moves are played by the game's rules."""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from .._text import error_line
from ..foreign_files import ForeignFileError, opened_text
from ..game import CHANCE, GameError
from ..json_fields import json_object
from ..own_games import Finder
from ..players.base import MoveStatistics
from ..players.fault import Fault, FaultKind
from .fields import ReplayError, ReplayFields, fail
from .formats import ReplayFormat
from .replay import FORMAT, VERSION, Replay, Round, actions_of

_LONGEST_LINE = 32_000_000
"""Characters: a game of language models is one line with all that they wrote. A game in many lines has no more."""
_MOST_LINES = 100_000


def read(path: str | Path, number: int, find: Finder, formats: Sequence[ReplayFormat] = ()) -> Replay:
    """The game of that number in a file, which is of one of these formats or the library's own, checked against the rules.

    `find` finds games by their names. Raises ReplayError in one sentence.
    """
    try:
        with opened_text(path) as file:
            lines = json_lines(file)
            raw = next(lines, None)
            if raw is None:
                raise ReplayError("the file is empty: expected a replay, JSON lines, each of them a game")
            for one in formats:
                if one.recognises(raw):
                    return _read_in(one, _of_game(one, raw, lines, number), number)
            there = 1
            while there < number and (raw := next(lines, None)) is not None:
                there += 1
    except ForeignFileError as error:
        raise ReplayError(f"it {error.problem}") from None
    if raw is None:
        raise _too_few(there, number)
    replay = replay_of(object_in(raw, number), find, f"line {number}")
    _check_play(replay, lambda at: f"line {number}" + (f", move {at}" if 0 <= at < len(replay.rounds) else ""))
    return replay


def _too_few(there: int, number: int) -> ReplayError:
    return ReplayError(f"there {'is 1 game' if there == 1 else f'are {there} games'}, not {number}")


def json_lines(file: TextIO) -> Iterator[bytes]:
    """The lines of a file, each when it is asked for; none is too long, nor are there too many.

    A JSON object that is written over many lines, as programs write it for people, is one line.
    """
    lines = _lines(file)
    first = next(lines, b"")
    if first.lstrip().startswith(b"{") and not first.rstrip().endswith(b"}"):
        others = _together(lines)
        whole = b"".join([first, *others])
        if first.strip() == b"{" or _is_object(whole):
            yield whole
            return
        lines = iter(others)
    if first:
        yield first
    yield from lines


def _lines(file: TextIO) -> Iterator[bytes]:
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), ""), 1):
        if len(line) > _LONGEST_LINE:
            fail(f"line {number}", f"longer than {_LONGEST_LINE} characters")
        if number > _MOST_LINES:
            fail(f"line {number}", f"more than {_MOST_LINES} lines")
        yield line.encode()


def _is_object(raw: bytes) -> bool:
    try:
        json_object(raw)
    except ValueError:
        return False
    return True


def _together(lines: Iterator[bytes], first: bytes = b"") -> list[bytes]:
    """Lines of one game; they are not too long together."""
    found, size = [first] if first else [], len(first)
    for raw in lines:
        size += len(raw)
        if size > _LONGEST_LINE:
            raise ReplayError(f"one game in more than {_LONGEST_LINE} bytes")
        found.append(raw)
    return found


def _of_game(one: ReplayFormat, first: bytes, others: Iterator[bytes], number: int) -> list[bytes]:
    """The lines of the game of that number in a file of a format: each begins with a line by which the format is recognised."""
    there, begin = 1, first
    while there < number:
        begin = next((raw for raw in others if one.recognises(raw)), b"")
        if not begin:
            raise _too_few(there, number)
        there += 1
    return _together(itertools.takewhile(lambda raw: not one.recognises(raw), others), begin)


def _read_in(one: ReplayFormat, lines: Sequence[bytes], number: int) -> Replay:
    try:
        replay = one.read(lines)
        _check_play(replay, lambda at: f"line {at + 2}")
        return replay
    except ReplayError as error:
        raise error if number == 1 else ReplayError(f"game {number}, its {error}") from None


def object_in(raw: bytes, number: int) -> dict[str, Any]:
    """The JSON object of a line of that number; raises ReplayError."""
    try:
        return json_object(raw)
    except ValueError as error:
        fail(f"line {number}", str(error))


def replay_of(data: dict[str, Any], find: Finder, where: str = "line 1") -> Replay:
    """The game of a line's data, each field checked, its moves not yet."""
    line = ReplayFields(data, where)
    if "format" not in line or line.take("format", str) != FORMAT:
        fail(line.where, f"expected the game, with the format {FORMAT!r}, as `play -o`, `referee -o` and `ledger export` write it")
    if line.take("version", int) != VERSION:
        fail(line.where, f"version {line.take('version', int)} of the format is not read here: export or play the game with this version")
    settings = line.take("settings", dict) if "settings" in line else {}
    seed = line.take("seed", str, type(None))
    if seed is not None and not (seed.isascii() and seed.isdigit() and len(seed) <= 60):
        fail(line.where, f"'seed' must be a whole number in a string, not {seed[:40]!r}")
    return Replay(
        line.take("game", str), line.take("parameters", dict), line.pair("players", str), line.take("opening", str),
        tuple(_rounds(line)), _result(line), line.take("reason", str), (_fault(line, 0), _fault(line, 1)),
        None if seed is None else int(seed), settings, tuple(_searches(line)), _rules(line), find,
    )  # fmt: skip


def _result(line: ReplayFields) -> float | None:
    """Player 0's result; None of a game that is not over."""
    result = line.take("result", float, int, type(None))
    return None if result is None else float(result)


def _rules(line: ReplayFields) -> dict[str, str]:
    """Where the rules of a game are that is not this library's; empty for one that is."""
    if "rules" not in line:
        return {}
    told = ReplayFields(line.take("rules", dict), line.where)
    return {name: told.take(name, str) for name in ("class", "file", "digest")}


def _rounds(line: ReplayFields) -> Iterator[Round]:
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


def _searches(line: ReplayFields) -> Iterator[tuple[MoveStatistics | None, MoveStatistics | None]]:
    """What was told of the searches behind the moves of each step."""
    if "searches" not in line:
        return
    told = [iter(line.checked("searches", side, (list,))) for side in line.pair("searches", list)]
    for joint in line.take("moves", list):
        names = joint if len(joint) == 2 else (None, None)
        a, b = (None if name is None else _statistics(line, next(told[player], None)) for player, name in enumerate(names))
        yield a, b


def _statistics(line: ReplayFields, told: Any) -> MoveStatistics | None:
    if line.checked("searches", told, (dict, type(None))) is None:
        return None
    one = ReplayFields(told, line.where)
    depth, nodes = (one.take(name, int, type(None)) if name in one else None for name in ("depth", "nodes"))
    value = one.take("value", float, int, type(None)) if "value" in one else None
    return MoveStatistics(one.take("seconds", float, int) if "seconds" in one else 0.0, depth, nodes, value)


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 1)


def _fault(line: ReplayFields, player: int) -> Fault | None:
    """What a player was at fault with."""
    told = line.pair("faults", dict, type(None))[player]
    if told is None:
        return None
    one = ReplayFields(told, line.where)
    kind = one.take("kind", str)
    if kind not in list(FaultKind):
        fail(line.where, f"'kind' must be one of {', '.join(FaultKind)}, not {json.dumps(kind)[:40]}")
    return Fault(FaultKind(kind), player, one.take("step", int, type(None)), one.take("text", str))


def _check_play(replay: Replay, where: Callable[[int], str]) -> None:
    """Play it by the rules: legal moves, and, unless somebody was at fault, the result that the rules give, none of a game that goes on."""
    try:
        game = replay.make_game()
        state = game.from_text(replay.start)
    except (GameError, ValueError) as error:
        fail(where(-1), error_line(error))
    for at, played in enumerate(replay.rounds):
        try:
            state = game.next_state(state, *actions_of(game, state, played))
        except GameError as error:
            fail(where(at), error_line(error))
    end = where(len(replay.rounds))
    if not game.players_to_act(state) and game.current_player(state) != CHANCE:
        if game.returns(state) != replay.result:
            told = "none" if replay.result is None else f"{replay.result:g}"
            fail(end, f"the result is {game.returns(state):g} by the rules, not {told}")
    elif any(replay.faults) and replay.result is None:
        fail(end, "somebody is at fault, and there is no result")
    elif not any(replay.faults) and replay.result is not None:
        fail(end, "the game is not over, and nobody is at fault, so its result must be null")
