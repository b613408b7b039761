"""Files of the command line, and those that are dropped on the page: fits and replays."""

import io
import itertools
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..arena.conditions import Job, PlayedGame
from ..game.base import TERMINAL, Game, GameError
from ..games.catalogue.games import game_recognised, read_replay, replay_of
from ..learning.run_folder import folder_of, is_running
from ..play.game import result_of
from ..play.reading import ReplayError, in_form, json_lines
from ..play.record import Turns
from ..play.replay import Replay, game_json, steps_of, taken_over_json
from ..play.viewer import game_data, page
from ..players.base import Fault, FaultKind
from ..system.foreign import ForeignFileError, decoded, json_object, opened_text
from ..system.text import error_line
from . import limits, messages
from .catalogue import KnownGame, KnownGames
from .limits import Refused, refusing


class NamedFile:
    """A file that was named on the command line, as the number of its kind that it is."""

    def __init__(self, number: int, path: str) -> None:
        self.id, self.path = str(number), Path(path)

    def to_json(self) -> dict[str, Any]:
        """Its entry in the catalogue."""
        return {"id": self.id, "name": self.path.name}


def stamp_of(*paths: Path) -> str:
    """A text that changes when one of these files does."""
    parts: list[str] = []
    for path in paths:
        try:
            status = path.stat()
            parts.append(f"{status.st_mtime_ns:x}.{status.st_size:x}")
        except OSError:
            parts.append("0")
    return "-".join(parts)


_LARGEST = 16_000_000
"""Bytes of a file of figures: a damaged folder does not occupy the server."""
_MOST = 1e12
_SHOWN = ("number", "positions", "entropy", "held_out", "nash_conv", "score", "kept")


class FitView(NamedFile):
    """A fit, by the file that it writes."""

    def figures(self, since: str | None) -> dict[str, Any] | None:
        """The generations so far, their picture in SVG, and how far the next one is; None where nothing has changed `since` that stamp.

        Raises Refused, in one sentence, for a folder that holds no fit.
        """
        folder, runs = folder_of(self.path), is_running(self.path)
        state_file, step_file = folder / "state.json", folder / "step.json"
        stamp = f"{stamp_of(state_file, step_file)}-{runs:d}"
        if since == stamp:
            return None
        data: dict[str, Any] = {
            "changed": stamp,
            "name": self.path.name,
            "game": None,
            "generations": [],
            "drawn": "",
            "step": None,
        }
        if not state_file.exists():
            return data
        try:
            state, step = _json_of(state_file), _step(step_file) if runs else None
            generations = [_checked(one, number) for number, one in enumerate(state["generations"], 1)]
            drawn = _picture(generations, f"A fit of {state['game']['name']}") if generations else ""
            return data | {
                "game": str(state["game"]["name"]),
                "generations": generations,
                "drawn": drawn,
                "step": step,
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise Refused(f"{folder.name} holds no fit that can be read", 422) from None


def _picture(generations: list[dict[str, Any]], title: str) -> str:
    from ..interop.plots import plot_fit, svg_of  # half a second, which is only needed to show a fit

    return svg_of(plot_fit(generations, title), title)


def _checked(record: dict[str, Any], number: int) -> dict[str, Any]:
    """The shown fields of a generation; raises ValueError for a field that is no figure."""
    gate = [record["gate"][key] for key in ("wins", "draws", "losses")]
    figures = [
        record["entropy"],
        record["held_out"],
        record["score"],
        record["nash_conv"] or 0.0,
        record["positions"],
        *gate,
    ]
    if record["number"] != number or not all(
        isinstance(one, int | float) and 0 <= one < _MOST for one in figures
    ):
        raise ValueError
    return {key: record[key] for key in _SHOWN} | {"gate": gate}


def _step(path: Path) -> dict[str, Any] | None:
    """The progress of a running fit; None where it has written nothing yet."""
    try:
        found = _json_of(path)
    except FileNotFoundError:
        return None
    return {
        "generation": int(found["generation"]),
        "what": str(found["what"]),
        "done": int(found["done"]),
        "total": int(found["total"]),
        "standing": str(found["standing"]),
    }


def _json_of(path: Path) -> Any:
    if path.stat().st_size > _LARGEST:
        raise ValueError
    return json.loads(path.read_text(encoding="utf-8"))


# Replays for the page: those of the command line by id, those that are dropped on it, and games that were played on it.


class ReplayFile(NamedFile):
    def read(self, number: int) -> Replay:
        return _read(self.path, number)

    def variations(self, number: int) -> str | None:
        """The variations that an analysis saved with that game."""
        with opened_text(self.path) as file:
            return variations_in(json_lines(file), number)


def uploaded(games: KnownGames, text: bytes, number: int) -> Replay:
    """A game of a file that a client sent, of which `game_of_upload` is known: only one that it might have named, too."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(text)
        file.flush()
        replay = _read(Path(file.name), number)
    games.make(replay.game, replay.parameters)  # which board it is about is known only now
    return replay


class _NamedGame(msgspec.Struct):
    """The game that the line of a replay is of."""

    game: str
    parameters: dict[str, Any] | None = None


def game_of_upload(games: KnownGames, text: bytes, number: int) -> KnownGame:
    """The game that an uploaded file is about; of a game's own format the game on its usual board."""
    lines = list(lines_of(text)) or [b""]
    if (name := game_recognised(lines[0])) is not None:
        return games.make(name, {})
    place = min(number, len(lines))
    try:
        data = json_object(lines[place - 1])
    except ValueError as error:
        if place > 1:  # there are games before it
            raise Refused(f"line {place} of the file is damaged: {error}", 422) from None
        raise Refused(
            "the file holds no game: expected a replay, JSON lines, each of them a game", 422
        ) from None
    with refusing(ReplayError, status=422):
        named = in_form(data, _NamedGame, f"line {number}")
    return games.make(named.game, named.parameters or {})


def lines_of(text: bytes) -> Iterator[bytes]:
    with refusing(ForeignFileError, ReplayError, status=422), decoded(io.BytesIO(text), "the file") as file:
        yield from json_lines(file)


def variations_in(lines: Iterator[bytes], number: int) -> str | None:
    """The variations that an analysis saved with a game, unchecked; None without any."""
    try:
        text = json_object(next(itertools.islice(lines, number - 1, number), b"")).get("variations")
    except (ValueError, Refused):
        return None  # of a game's own format, or no file of games, which is said where it is read
    # One character too many is reported on the page.
    return (
        None
        if text is None
        else (text if isinstance(text, str) else json.dumps(text))[: limits.VARIATIONS + 1]
    )


def _read(path: Path, number: int) -> Replay:
    try:
        return read_replay(path, number)
    except (ReplayError, GameError) as error:
        raise Refused(error_line(error), 422) from None
    except OSError as error:
        raise Refused(f"{path.name}: {error.strerror or 'it cannot be read'}", 404) from None


def replay_data(replay: Replay, games: KnownGames, game: Game | None = None) -> dict[str, Any]:
    """A replay as the viewer shows it, its game named as clients may name it."""
    game = replay.make_game() if game is None else game
    data = game_data(game, replay)
    own = next((text for text, one in games.own.items() if one == game), None)
    return data if own is None else data | {"game": own}


def exported(known: KnownGame, line: dict[str, Any], values: Sequence[float | None]) -> str:
    """A page of its own that shows a game, with player 0's value of each position where that is known."""
    data = game_data(known.game, replay_of(line))
    for position, value in zip(data["positions"], values, strict=False):
        if value is not None:
            position["value"] = value
    return page(data)


def played_on_page(known: KnownGame, start: Any, asked: messages.PlayedGame) -> dict[str, Any]:
    """A game that was played on the page, as the line of a replay file; without a result where it is not over and nobody resigned."""
    game, moves, players, resigned = known.game, asked.moves, asked.players, asked.resigned
    states = [start, *(step.after for step in steps_of(game, start, moves))]
    state = states[-1]
    is_over = game.current_player(state) == TERMINAL
    faults: list[Fault | None] = [None, None]
    if resigned is not None and not is_over:
        faults[resigned] = Fault(FaultKind.RESIGNED, resigned, len(moves), "resigned")
    ended = is_over or resigned is not None
    result, reason = (
        result_of(game, state, faults, Turns(game, states)) if ended else (0.0, "the game is not over")
    )
    opening = game.to_text(start)
    played = PlayedGame(
        Job(0, 0, players, opening, 0), result, 0.0, reason, (faults[0], faults[1]), actions=moves
    )
    line = game_json(game, played, players, opening, asked.seed)
    line |= taken_over_json(min(asked.since, len(moves)), asked.former)
    return line if ended else line | {"result": None}
