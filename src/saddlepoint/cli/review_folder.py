"""`review` of a folder: every game in it, and each player's moves over all of them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._text import error_line, value_text
from ..console.tables import Column
from ..console.terminal import print, print_json, print_records, print_wrapped, warn

if TYPE_CHECKING:
    from ..algorithms.analysis import GameReview
    from ..play.finished_game import FinishedGame
    from ..play.review_numbers import PlayerNumbers
    from .aliases import Aliases

_SUFFIXES = (".json", ".jsonl")
_NONE = "-"
_SUMS = ("games", "finished", "points", "faults", "judged", "lost", "large")


def review_folder(
    folder: Path, read: Callable[[str], "FinishedGame"], judge: Callable[["FinishedGame"], "GameReview"], aliases: "Aliases", as_json: bool
) -> None:
    """Review the first game of every file of a folder; a file that is no game, or cannot be reviewed, is told, and left out.

    `read` reads a file, and raises ValueError in one sentence that names it; `judge` reviews a game, and raises what searches raise.
    """
    from ..compiled import KernelError

    files = sorted(one for one in folder.iterdir() if one.suffix in _SUFFIXES and (one.is_file() or _leads_nowhere(one)))
    if not files:
        raise ValueError(f"{folder} has no file that ends with {' or '.join(_SUFFIXES)}")
    games: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for file in files:
        try:
            played = read(str(file))
            if not played.actions:
                raise ValueError(f"{file}: nobody made a move in this game")
        except (ValueError, OSError) as error:
            warn(f"{_told(error, file)}; it is left out")
            continue
        try:
            found = judge(played)
        except (ValueError, OSError, KernelError) as error:  # a search for games in turn alone, or a rule that fails
            warn(f"{file}: {error_line(error)}; it is left out")
            continue
        games.append(_game(file, played, found))
        rows += _rows(games[-1], played.names)
    if not games:
        raise ValueError(f"{folder} has no game that could be reviewed")
    players = _players(rows)
    if as_json:
        print_json(aliases.beside({"games": games, "players": players}))
        return
    _print(games, players, aliases)


def _leads_nowhere(file: Path) -> bool:
    return file.is_symlink() and not file.exists()


def _told(error: Exception, file: Path) -> str:
    """What is wrong with a file, which is named."""
    return f"{file}: {error.strerror or error_line(error)}" if isinstance(error, OSError) else error_line(error)


def _game(file: Path, played: "FinishedGame", found: "GameReview") -> dict[str, Any]:
    from ..play.review_numbers import is_proven, numbers
    from ..spec import name_of

    low, high = played.game.min_utility, played.game.max_utility
    points = None if played.result is None else (0.5 if 2 * played.result == low + high else float(2 * played.result > low + high))
    return {
        "file": file.name, "game": name_of(played.game), "players": list(played.players), "result": played.result, "points": points,
        "turns": played.turns.counted(), "faults": list(played.faults), "exact": is_proven(played, found),
        "numbers": [_numbers(one) for one in numbers(played, found)],
    }  # fmt: skip


def _numbers(one: "PlayerNumbers") -> dict[str, Any]:
    return {"judged": one.judged, "mean_loss": one.mean_loss, "accuracy": one.accuracy, "mistakes": list(one.mistakes)}


def _rows(game: dict[str, Any], names: tuple[str, str]) -> list[dict[str, Any]]:
    """What a game adds to either player; `names` are told apart where both are the same."""
    points = (0.0, 0.0) if game["points"] is None else (game["points"], 1 - game["points"])
    return [
        {
            "game": game["game"], "player": name, "games": 1, "finished": int(game["points"] is not None), "points": points[player],
            "faults": int(bool(game["faults"][player])), "judged": told["judged"], "lost": (told["mean_loss"] or 0.0) * told["judged"],
            "large": told["mistakes"][-1], "exact": game["exact"],
        }
        for player, (name, told) in enumerate(zip(names, game["numbers"], strict=True))
    ]  # fmt: skip


def _players(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each player gave away in each game's units, over all of its games; the best first."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        one = found.setdefault((row["game"], row["player"]), row)
        if one is not row:
            one |= {name: one[name] + row[name] for name in _SUMS} | {"exact": one["exact"] and row["exact"]}
    for one in found.values():
        one["mean_loss"] = one["lost"] / one["judged"] if one["judged"] else None
    return sorted(found.values(), key=lambda one: (one["game"], one["mean_loss"] is None, one["mean_loss"]))


def _print(games: list[dict[str, Any]], players: list[dict[str, Any]], aliases: "Aliases") -> None:
    def loss(told: dict[str, Any]) -> str:
        return _NONE if told["mean_loss"] is None else value_text(told["mean_loss"], ".3f")

    rows = [
        {
            "file": game["file"], "game": game["game"], "player 0": aliases.name(game["players"][0]),
            "player 1": aliases.name(game["players"][1]),
            "result": _NONE if game["result"] is None else value_text(game["result"], "g"), "length": game["turns"],
            "loss a move": " ".join(map(loss, game["numbers"])), "proven": "yes" if game["exact"] else "no",
        }
        for game in games
    ]  # fmt: skip
    columns = [Column(name, text=name not in ("result",)) for name in rows[0]]
    columns[5] = Column("length", weight=1, text=True)
    print_records(tuple(columns), rows)
    print()
    rows = [
        {
            "game": one["game"], "player": aliases.name(one["player"]), "games": one["games"],
            "points": f"{one['points']:g} of {one['finished']}", "faults": one["faults"],
            "moves judged": one["judged"], "loss a move": loss(one), "large mistakes": one["large"],
            "proven": "yes" if one["exact"] else "no",
        }
        for one in players
    ]  # fmt: skip
    print_records(tuple(Column(name, text=name in ("game", "player", "proven")) for name in rows[0]), rows)
    print_wrapped(
        "points: 1 for a game won, a half for one drawn, of so many that have a result; loss a move: what a judged move gave away on "
        "average, in the game's units, of player 0 and of player 1; moves without a clearly better or worse one beside them are not "
        "judged; proven: whether all of these losses are exact, else they are those of the searches"
    )
