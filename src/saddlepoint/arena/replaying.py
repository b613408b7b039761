"""Games of a ledger, position by position, as text for people and for other programs."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from ..game.base import NO_ACTION, Game, GameError
from ..game.picture import Picture, continued
from ..game.spec import name_of, spec_of
from ..play import replay
from ..play.record import Turns, words_of_faults
from ..play.replay import FinishedGame, Step
from ..play.viewer import packed, turns_data
from ..system.text import error_line
from .conditions import PlayedGame, renamed
from .ledger import Entry, Ledger, LedgerError
from .report import clean, clipped
from .schedule import game_of


def steps_of(game: Game, played: PlayedGame) -> Iterator[Step]:
    """The steps of a game by its rules; raises LedgerError where a recorded move is not legal."""
    with _by_the_rules(played):
        yield from replay.steps_of(game, game.from_text(played.job.opening), played.actions)


def finished_of(game: Game, played: PlayedGame) -> FinishedGame:
    """The game with its positions; raises LedgerError where a recorded move is not legal."""
    states = [game.from_text(played.job.opening), *(step.after for step in steps_of(game, played))]
    actions = [(int(joint[0]), int(joint[1]) if len(joint) > 1 else NO_ACTION) for joint in played.actions]
    faults = words_of_faults(played.faults, Turns(game, states))
    a, b = played.job.players
    return FinishedGame(game, (a, b), states, actions, played.result, played.reason, faults)


def turn_count(book: Ledger, entry: Entry) -> int | None:
    """The number of turns of a game; None where its rules are not at hand, or its moves do not fit them."""
    try:
        return finished_of(game_of(book.tournament(entry.tournament)), entry.played).turns.count
    except (GameError, LedgerError):
        return None


@contextmanager
def _by_the_rules(played: PlayedGame) -> Generator[None]:
    try:
        yield
    except (GameError, IndexError) as error:
        raise LedgerError(f"game {played.job.number}: {error_line(error)}") from error


def narrated_steps(game: Game, played: PlayedGame) -> Iterator[tuple[str, Step]]:
    """Every step of a game, with a line of text: each player's move and its time."""
    at = [0, 0]
    for step in steps_of(game, played):
        said = [] if step.chance is None else [f"chance: {game.outcome_to_string(step.before, step.chance)}"]
        for player, name in enumerate(step.names):
            if name is None:
                continue
            times = played.times[player]
            took = f" ({1000 * times[at[player]]:.0f} ms)" if at[player] < len(times) else ""
            at[player] += 1
            said.append(f"{played.job.players[player]}: {name}{took}")
        yield ", ".join(said), step


def export_json(game: Game, entry: Entry) -> dict[str, Any]:
    """A game as plain data: one line of `ledger export`."""
    played, job = entry.played, entry.played.job
    with _by_the_rules(played):
        data = replay.game_json(game, played, job.players, job.opening, job.seed)
    return data | {
        "id": entry.id,
        "tournament": entry.tournament,
        "number": job.number,
        "pair": job.pair,
        "versions": list(entry.versions),
        "points": played.points,
        "cause": played.cause,
        "started": played.started,
        "duration": played.seconds,
        "load": None if played.load is None else asdict(played.load),
    }


def export_text(game: Game, entry: Entry) -> str:
    """A game as tags and moves, after the manner of PGN."""
    played = entry.played
    tags = {
        "Game": name_of(game),
        "Id": entry.id,
        "Tournament": entry.tournament,
        "Round": played.job.number,
        "Player0": played.job.players[0],
        "Player1": played.job.players[1],
        "Seed": played.job.seed,
        "Result": f"{played.points:g}-{1 - played.points:g}",
        "Termination": played.reason,
    }
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    lines.append(f'[Opening "{_quoted(played.job.opening)}"]')
    words: list[str] = []
    for number, step in enumerate(steps_of(game, played), 1):
        drawn = None if step.chance is None else game.outcome_to_string(step.before, step.chance)
        said = "/".join(name or "-" for name in step.names) if drawn is None else f"{{{drawn}}}"
        words.append(f"{number}. {said}")
    words.append(str(tags["Result"]))
    lines += ["", *_wrapped(words), ""]
    return "\n".join(lines)


def _quoted(value: object) -> str:
    return str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _wrapped(words: list[str], width: int = 100) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


# Games to step through inside the page of a report: with its script as pictures, without it as the last position and all moves in text.


_MOST_STEPS = 2000
UNFOLLOWABLE = (ValueError, LookupError, TypeError, OverflowError)
"""The errors of a wrong position or move in a ledger; GameError and LedgerError are ValueErrors."""


@dataclass(frozen=True)
class ReportedGame:
    """A game, as far as it can be followed."""

    entry: Entry
    data: dict[str, Any] | None
    """The data for the viewer (`play.viewer`); None without any position."""
    last: str
    """The last position as text."""
    moves: tuple[str, ...]
    """The moves that led to each position but the first."""
    counted: str = ""
    """How many turns these are."""
    problem: str = ""
    """Why it cannot be followed (to its end)."""


def follow(game: Game | None, entry: Entry) -> ReportedGame:
    """The positions of a game; where its moves do not fit the rules, those up to that step, with the problem."""
    if game is None:
        return ReportedGame(entry, None, "", (), problem="this game's rules are not at hand")
    shown: list[Picture] = []
    told: list[dict[str, Any]] = []
    moves: list[str] = []
    states: list[Any] = []
    last = problem = ""
    try:
        start = game.from_text(entry.played.job.opening)
        shown, last, states = [game.picture(start)], game.render(start), [start]
        for said, step in narrated_steps(game, entry.played):
            if len(moves) == _MOST_STEPS:
                problem = f"only the first {_MOST_STEPS} steps are kept here"
                break
            picture, last = continued(shown[-1], game.picture(step.after)), game.render(step.after)
            shown.append(picture)
            states.append(step.after)
            drawn = None if step.chance is None else game.outcome_to_string(step.before, step.chance)
            told.append({"names": list(step.names)} if drawn is None else {"chance": drawn})
            moves.append(clipped(said))
    except UNFOLLOWABLE as error:
        problem = error_line(error)
    if not shown:
        return ReportedGame(entry, None, clean(last), tuple(moves), problem=problem)
    played = entry.played
    data = {
        **turns_data(game, states[: len(shown)]),
        "game": str(spec_of(game)),
        "players": [clipped(spec, 120) for spec in played.job.players],
        "positions": [
            {"picture": picture, **move} for picture, move in zip(packed(shown), [{}, *told], strict=True)
        ],
        "result": None if problem else played.result,
        "reason": clipped(played.reason),
        "range": [float(game.min_utility), float(game.max_utility)],
    }
    counted = Turns(game, states).counted()
    return ReportedGame(entry, renamed(data, clean), clean(last), tuple(moves), counted, problem)


def replay_id(number: int) -> str:
    """The anchor of a game's replay."""
    return f"game-{number}"
