"""Replays for the page: those of the command line by id, those that are dropped on it, and games that were played on it."""

import io
import itertools
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..arena.job import Job, PlayedGame
from ..foreign_files import ForeignFileError, decoded, opened_text
from ..game import TERMINAL, Game, GameError
from ..json_fields import json_object
from ..play.fields import ReplayError, ReplayFields
from ..play.game import result_of
from ..play.reading import json_lines
from ..play.replay import Replay, game_json, steps_of
from ..play.turns import Turns
from ..play.viewer.data import game_data
from ..play.viewer.export import page
from ..players.fault import Fault, FaultKind
from ..roster.replays import game_recognised, read_replay, replay_of
from . import limits
from .errors import Refused, first_line
from .games import KnownGame, KnownGames
from .references import Joint


class ReplayFile:
    """A file named on the command line."""

    def __init__(self, number: int, path: str) -> None:
        self.id, self.path = str(number), Path(path)

    def to_json(self) -> dict[str, Any]:
        """What the catalogue says of it."""
        return {"id": self.id, "name": self.path.name}

    def read(self, number: int) -> Replay:
        """The game of that number in the file."""
        return _read(self.path, number)

    def variations(self, number: int) -> str | None:
        """What an analysis saved with that game."""
        with opened_text(self.path) as file:
            return variations_in(json_lines(file), number)


def uploaded(games: KnownGames, text: bytes, number: int) -> Replay:
    """A game of a file that a client sent: only one that it might have named, too."""
    game_of_upload(games, text, number)
    is_own = game_recognised(next(lines_of(text), b"")) is None
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(text)
        file.flush()
        replay = _read(Path(file.name), number)
    if not is_own:  # which board it is about is known only now
        games.make(replay.game, replay.parameters)
    return replay


def game_of_upload(games: KnownGames, text: bytes, number: int) -> KnownGame:
    """The game that an uploaded file is about; of a game's own format the game on its usual board."""
    lines = list(lines_of(text)) or [b""]
    if (name := game_recognised(lines[0])) is not None:
        return games.make(name, {})
    try:
        data = json_object(lines[min(number, len(lines)) - 1])
    except ValueError:
        raise Refused("the file holds no game: expected a replay, JSON lines, each of them a game", 422) from None
    try:
        fields = ReplayFields(data, f"line {number}")
        name, parameters = fields.take("game", str), fields.take("parameters", dict, default={})
    except ReplayError as error:
        raise Refused(first_line(error), 422) from None
    return games.make(name, parameters)


def lines_of(text: bytes) -> Iterator[bytes]:
    """The lines of a file that a client sent."""
    try:
        with decoded(io.BytesIO(text), "the file") as file:
            yield from json_lines(file)
    except (ForeignFileError, ReplayError) as error:
        raise Refused(first_line(error), 422) from None


def variations_in(lines: Iterator[bytes], number: int) -> str | None:
    """What an analysis saved with a game, for the page to read or refuse; None where there is nothing."""
    try:
        text = json_object(next(itertools.islice(lines, number - 1, number), b"")).get("variations")
    except (ValueError, Refused):
        return None  # of a game's own format, or no file of games, which is told where it is read
    if text is None:
        return None
    return (text if isinstance(text, str) else json.dumps(text))[: limits.VARIATIONS + 1]  # one too many is told on the page


def _read(path: Path, number: int) -> Replay:
    try:
        return read_replay(path, number)
    except (ReplayError, GameError) as error:
        raise Refused(first_line(error), 422) from None
    except OSError as error:
        raise Refused(f"{path.name}: {error.strerror or 'it cannot be read'}", 404) from None


def replay_data(replay: Replay, games: KnownGames, game: Game | None = None) -> dict[str, Any]:
    """A replay as the viewer shows it, its game named as clients may name it."""
    game = replay.make_game() if game is None else game
    data = game_data(game, replay)
    own = next((text for text, one in games.own.items() if one == game), None)
    return data if own is None else data | {"game": own}


def exported(known: KnownGame, line: dict[str, Any], values: list[float | None]) -> str:
    """A page of its own that shows a game, with player 0's value of each position where that is known."""
    data = game_data(known.game, replay_of(line))
    for position, value in zip(data["positions"], values, strict=False):
        if value is not None:
            position["value"] = value
    return page(data)


def played_on_page(
    known: KnownGame, start: Any, moves: tuple[Joint, ...], players: tuple[str, str], seed: int | None, resigned: int | None
) -> dict[str, Any]:
    """A game that was played on the page, as the line of a replay file; without a result where it is not over and nobody resigned."""
    game = known.game
    states = [start, *(step.after for step in steps_of(game, start, moves))]
    state = states[-1]
    is_over = game.current_player(state) == TERMINAL
    faults: list[Fault | None] = [None, None]
    if resigned is not None and not is_over:
        faults[resigned] = Fault(FaultKind.RESIGNED, resigned, len(moves), "resigned")
    ended = is_over or resigned is not None
    result, reason = result_of(game, state, faults, Turns(game, states)) if ended else (0.0, "the game is not over")
    opening = game.to_text(start)
    played = PlayedGame(Job(0, 0, players, opening, 0), result, 0.0, reason, (faults[0], faults[1]), actions=moves)
    line = game_json(game, played, players, opening, seed)
    return line if ended else line | {"result": None}
