"""Games of a ledger, position by position, as text for people and for other programs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..algorithms.limits import Limits
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, Game, GameError
from ..games.catalogue.own_games import recorded_game
from ..players.clock import Clock
from ..players.fault import Fault
from .ledger import Entry, LedgerError, Tournament
from .schedule import Plan
from .terms import PlayedGame, Terms

FORMAT, VERSION = "saddlepoint-game", 2


@dataclass(frozen=True)
class Step:
    """One step of a game: the position before it, who did what, and the position after it."""

    before: Any
    names: tuple[str | None, str | None]
    """The actions by name; None for a player without a choice."""
    chance: int | None
    """The outcome, where it was chance's turn."""
    after: Any


def game_of(tournament: Tournament) -> Game:
    """The game a tournament is about; raises LedgerError where it cannot be made.

    A game in a user's file must have been loaded before: see `games.catalogue.own_games`.
    """
    try:
        return recorded_game(tournament.settings["terms"]["game"])
    except (KeyError, TypeError, ValueError) as error:
        raise LedgerError(f"tournament {tournament.id}: its game cannot be made: {str(error).splitlines()[0]}") from error


def terms_of(tournament: Tournament) -> Terms:
    """The terms of a tournament's games."""
    data = tournament.settings["terms"]
    limits = None if data["limits"] is None else Limits(**data["limits"])
    clocks = tuple((spec, _clock(clock)) for spec, clock in data.get("clocks", {}).items())
    isolation = data.get("isolation", {})
    return Terms(
        game_of(tournament), _clock(data["clock"]), limits, data["tolerance"], data["isolate"], data["memory"],
        isolation.get("mode", "auto"), isolation.get("sandbox", ""), clocks=clocks,
    )  # fmt: skip


def _clock(data: dict[str, Any]) -> Clock:
    endless = float("inf")
    bank = endless if data["bank"] is None else data["bank"]
    cap = endless if data["bank"] is None and data["cap"] is None else data["cap"]
    return Clock(bank, data["increment"], cap)


def plan_of(tournament: Tournament) -> Plan:
    """The plan of a tournament's games."""
    data = tournament.settings["plan"]
    return Plan(data["games"], tuple(data["openings"]), data["swap"], data["seed"])


def steps_of(game: Game, played: PlayedGame) -> Iterator[Step]:
    """The steps of a game by its rules; raises LedgerError where a recorded move is not legal."""
    try:
        state = game.from_text(played.job.opening)
        for joint in played.actions:
            node = game.current_player(state)
            to_act = game.players_to_act(state)
            if node == CHANCE:
                after = game.next_state(state, joint[0])
                yield Step(state, (None, None), joint[0], after)
            else:
                after = game.next_state(state, *(joint if node == SIMULTANEOUS else (joint[node],)))
                names = [None if joint[p] == NO_ACTION or p not in to_act else game.action_to_string(state, p, joint[p]) for p in (0, 1)]
                yield Step(state, (names[0], names[1]), None, after)
            state = after
    except (GameError, IndexError) as error:
        raise LedgerError(f"game {played.job.number}: {str(error).splitlines()[0]}") from error


def narrated(game: Game, played: PlayedGame) -> Iterator[tuple[str, Any]]:
    """Every position of a game after the opening, each with a line on who did what to get there, and how long it took."""
    at = [0, 0]
    for step in steps_of(game, played):
        said = [] if step.chance is None else [f"chance: outcome {step.chance}"]
        for player, name in enumerate(step.names):
            if name is None:
                continue
            times = played.times[player]
            took = f" ({1000 * times[at[player]]:.0f} ms)" if at[player] < len(times) else ""
            at[player] += 1
            said.append(f"{played.job.players[player]}: {name}{took}")
        yield ", ".join(said), step.after


def export_json(game: Game, entry: Entry) -> dict[str, Any]:
    """A game as plain data: one line of `games export`."""
    played = entry.played
    moves = [[step.chance] if step.chance is not None else list(step.names) for step in steps_of(game, played)]
    return {
        "format": FORMAT, "version": VERSION, "id": entry.id, "tournament": entry.tournament, "number": played.job.number,
        "pair": played.job.pair, "game": game.name or type(game).__name__,
        "players": list(played.job.players), "versions": list(entry.versions),
        "opening": played.job.opening, "seed": str(played.job.seed), "moves": moves, "seconds": [list(t) for t in played.times],
        "searches": [[None if s is None else s._asdict() for s in side] for side in played.searches],
        "result": played.result, "points": played.points, "reason": played.reason,
        "faults": [None if one is None else fault_json(one) for one in played.faults],
        "cause": played.cause, "started": played.started, "duration": played.seconds,
        "load": None if played.load is None else played.load.to_json(),
    }  # fmt: skip


def fault_json(fault: Fault) -> dict[str, Any]:
    """A fault as plain data."""
    return {"kind": fault.kind.value, "step": fault.step, "text": fault.text}


def export_text(game: Game, entry: Entry) -> str:
    """A game as tags and moves, after the manner of PGN."""
    played = entry.played
    tags = {
        "Game": game.name or type(game).__name__, "Id": entry.id, "Tournament": entry.tournament, "Round": played.job.number,
        "Player0": played.job.players[0], "Player1": played.job.players[1], "Seed": played.job.seed,
        "Result": f"{played.points:g}-{1 - played.points:g}", "Termination": played.reason,
    }  # fmt: skip
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    lines.append(f'[Opening "{_quoted(played.job.opening)}"]')
    words: list[str] = []
    for number, step in enumerate(steps_of(game, played), 1):
        said = f"*{step.chance}" if step.chance is not None else "/".join(name or "-" for name in step.names)
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
