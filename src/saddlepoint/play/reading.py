"""Games read from files: the library's own lines, the formats that games bring, and what was chosen in the games of any file."""

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO, TypeVar

import msgspec

from ..game.base import CHANCE, Game, GameError
from ..game.own_games import Finder, described
from ..game.spec import canonical
from ..players.base import Fault, FaultKind, MoveStatistics, Seen
from ..players.programs.isolation import is_ledger
from ..system.foreign import ForeignFileError, Number, converted, json_object, opened_text
from ..system.text import error_line
from .ledger_file import LedgerFile
from .replay import FORMAT, VERSION, Replay, Round, actions_of, positions_and_actions, steps_of

FormT = TypeVar("FormT")


class ReplayError(ValueError):
    """A file that is no replay; the message says where, and what was expected."""


def fail(where: str, problem: str) -> NoReturn:
    """Refuse a file."""
    raise ReplayError(f"{where}: {problem}")


# Files of games in other formats than the library's own: what a game brings to read one.


@dataclass(frozen=True)
class ReplayFormat:
    """A format in which a file is one game, or several, one after the other."""

    recognises: Callable[[bytes], bool]
    """Whether a game of this format begins with this line, which may be no JSON; of an object over many lines all of them."""
    read: Callable[[Sequence[bytes]], Replay]
    """The game of its lines, whose moves are checked afterwards; raises ReplayError in one sentence."""


# Replays read from files. They are not trusted: every field is checked, and the moves are played by the game's rules.

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
        if is_ledger(str(path)):
            raise ReplayError(
                "it is a ledger: `saddlepoint ledger list` lists its games, and `saddlepoint ledger show` shows one"
            ) from None
        raise ReplayError(f"it {error.problem}") from None
    if raw is None:
        raise _too_few(there, number)
    replay = replay_of(object_in(raw, number), find, f"line {number}")
    _check_play(
        replay, lambda at: f"line {number}" + (f", move {at}" if 0 <= at < len(replay.rounds) else "")
    )
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


def in_form(data: Any, form: type[FormT], where: str) -> FormT:
    """Data of a file as a struct, its fields checked; raises ReplayError with the field and what was expected."""
    return converted(data, form, where, ReplayError)


SidesT = TypeVar("SidesT")
Sides = tuple[list[SidesT], list[SidesT]]
"""A list for each player, an entry for each of its choices."""


class _Search(msgspec.Struct):
    seconds: Number = 0.0
    depth: int | None = None
    nodes: int | None = None
    value: Number | None = None


class _Fault(msgspec.Struct):
    kind: FaultKind
    step: int | None
    text: str


class _Rules(msgspec.Struct):
    class_: str = msgspec.field(name="class")
    file: str
    digest: str


class _GameLine(msgspec.Struct):
    game: str
    parameters: dict[str, Any]
    players: tuple[str, str]
    opening: str
    seed: Annotated[str, msgspec.Meta(pattern="^[0-9]{0,60}$")] | None
    moves: list[list[str | int | None]]
    result: Number | None
    reason: str
    faults: tuple[_Fault | None, _Fault | None]
    settings: dict[str, Any] = {}
    rules: _Rules | None = None
    seconds: Sides[Number] = ([], [])
    banks: Sides[Number | None] = ([], [])
    said: Sides[str | None] = ([], [])
    warnings: Sides[str] = ([], [])
    searches: Sides[_Search | None] | None = None
    since: Annotated[int, msgspec.Meta(ge=0)] = 0
    former: tuple[str, str] | None = None


def replay_of(data: dict[str, Any], find: Finder, where: str = "line 1") -> Replay:
    """The game of a line's data, each field checked, its moves not yet."""
    if data.get("format") != FORMAT:
        fail(
            where,
            f"expected the game, with the format {FORMAT!r}, as `play -o`, `referee -o` and `ledger export` write it",
        )
    if data.get("version") != VERSION:
        fail(
            where,
            f"version {data.get('version')} of the format is not read here: export or play the game with this version",
        )
    line = in_form(data, _GameLine, where)
    steps = list(_steps(line, where))
    a, b = (
        None if one is None else Fault(one.kind, player, one.step, one.text)
        for player, one in enumerate(line.faults)
    )
    return Replay(
        line.game,
        line.parameters,
        line.players,
        line.opening,
        tuple(played for played, _ in steps),
        line.result,
        line.reason,
        (a, b),
        int(line.seed) if line.seed else None,
        line.settings,
        () if line.searches is None else tuple(found for _, found in steps),
        line.since,
        line.former,
        {} if line.rules is None else msgspec.to_builtins(line.rules),
        find,
    )


Searches = tuple[MoveStatistics | None, MoveStatistics | None]


def _steps(line: _GameLine, where: str) -> Iterator[tuple[Round, Searches]]:
    """The steps, each with what belongs to each player's choice there, and what was reported of the searches behind these."""
    columns: list[Sides[Any]] = [
        line.said,
        line.seconds,
        line.banks,
        line.warnings,
        line.searches or ([], []),
    ]
    said, seconds, banks, warnings, searches = ([iter(side) for side in sides] for sides in columns)
    for joint in line.moves:
        match joint:
            case [int(outcome)]:
                yield (
                    Round((None, None), (None, None), (0.0, 0.0), (None, None), chance=outcome),
                    (None, None),
                )
            case [str() | None as a, str() | None as b]:
                sides = [
                    (name, 0.0, None, "", None)
                    if name is None
                    else (
                        next(said[player], name),
                        _milliseconds(next(seconds[player], 0.0)),
                        _milliseconds(next(banks[player], None)),
                        next(warnings[player], ""),
                        (one := next(searches[player], None))
                        and MoveStatistics(*msgspec.structs.astuple(one)),
                    )
                    for player, name in enumerate((a, b))
                ]
                answers, ms, bank, warned, found = zip(*sides, strict=True)
                yield Round(answers, (a, b), ms, bank, warned), found
            case _:
                fail(where, "a move has one entry for each player, or the outcome of chance")


def _milliseconds(seconds: float | None) -> Any:
    return None if seconds is None else round(seconds * 1000, 1)


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
    if replay.since > len(replay.rounds):
        fail(end, f"others played the first {replay.since} moves, and there are only {len(replay.rounds)}")
    if not game.players_to_act(state) and game.current_player(state) != CHANCE:
        if game.returns(state) != replay.result:
            told = "none" if replay.result is None else f"{replay.result:g}"
            fail(end, f"the result is {game.returns(state):g} by the rules, not {told}")
    elif any(replay.faults) and replay.result is None:
        fail(end, "somebody is at fault, and there is no result")
    elif not any(replay.faults) and replay.result is not None:
        fail(end, "the game is not over, and nobody is at fault, so its result must be null")


# What was chosen in the games of a file, a ledger or replays: from that somebody's habits are learned.

_Moves = Iterable[tuple[Any, Sequence[int]]]
"""The positions of a game, each with the joint action that was taken."""
_PLAYED = """
    SELECT json_extract(t.settings, '$.terms.game'), a.spec, b.spec, g.opening, g.actions FROM games g
    JOIN tournaments t ON t.id = g.tournament JOIN players a ON a.id = g.player0 JOIN players b ON b.id = g.player1 ORDER BY g.id
"""


def choices_in(path: str | Path, game: Game, player: str, find: Finder) -> Iterator[list[Seen]]:
    """What was chosen in each game of a file by these rules, which is a ledger or has replays as `ledger export` writes them.

    - `path`: the file.
    - `game`: the rules; games by others are passed over.
    - `player`: whose choices, on either side; games without it are passed over. "" means everybody's. A spec may be written otherwise
      there: `./bot.py` is `cmd:./bot.py`.
    - `find`: finds games by their names.

    Raises ReplayError in one sentence.
    """
    games = _of_ledger(path, game) if is_ledger(str(path)) else _of_replays(path, game, find)
    wanted = canonical(player)
    try:
        for players, moves in games:
            is_wanted = [player == "" or canonical(name) == wanted for name in players]
            if any(is_wanted):
                yield [
                    (before, side, joint[side])
                    for before, joint in moves
                    for side in game.players_to_act(before)
                    if is_wanted[side]
                ]
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error_line(error)
        raise ReplayError(
            f"habits takes a ledger, or a file of games as `ledger export` writes it; {path}: {problem}"
        ) from None


def _of_ledger(path: str | Path, game: Game) -> Iterator[tuple[Sequence[str], _Moves]]:
    wanted = json.loads(json.dumps(described(game)))
    with closing(LedgerFile(Path(path), create=False)) as book, book.reading() as connection:
        for rules, *players, opening, actions in connection.execute(_PLAYED):
            if json.loads(rules) == wanted:
                joints = msgspec.json.decode(actions, type=list[tuple[int, int]])
                yield (
                    players,
                    (
                        (step.before, joint)
                        for step, joint in zip(steps_of(game, game.from_text(opening), joints), joints)
                    ),
                )


def _of_replays(path: str | Path, game: Game, find: Finder) -> Iterator[tuple[Sequence[str], _Moves]]:
    with opened_text(path) as lines:
        for number, line in enumerate(json_lines(lines), 1):
            replay = replay_of(object_in(line, number), find, f"line {number}")
            if replay.make_game() == game:
                yield replay.players, zip(*positions_and_actions(game, replay), strict=False)
