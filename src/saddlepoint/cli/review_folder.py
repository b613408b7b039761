"""`review` of a folder: every game in it, and each player's moves over all of them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._text import value_text
from ..console.tables import Column
from ..console.terminal import print, print_json, print_records, print_wrapped, warn

if TYPE_CHECKING:
    from ..algorithms.analysis import GameReview
    from ..play.finished_game import FinishedGame
    from ..play.review_numbers import PlayerNumbers

_SUFFIXES = (".json", ".jsonl")
_NONE = "-"


def review_folder(
    folder: Path, read: Callable[[str], "FinishedGame"], judge: Callable[["FinishedGame"], tuple["FinishedGame", "GameReview"]],
    as_json: bool,
) -> None:
    """Review the first game of every file of a folder; a file that is no game is told, and left out.

    `read` reads a file, and raises ValueError in one sentence; `judge` gives the game with the names that are shown, and its review.
    """
    files = sorted(one for one in folder.iterdir() if one.suffix in _SUFFIXES and one.is_file())
    if not files:
        raise ValueError(f"{folder} has no file that ends with {' or '.join(_SUFFIXES)}")
    games: list[dict[str, Any]] = []
    for file in files:
        try:
            played = read(str(file))
            if not played.actions:
                raise ValueError(f"{file}: nobody made a move in this game")
        except ValueError as error:
            warn(f"{error}; it is left out")
            continue
        games.append(_game(file, *judge(played)))
    if not games:
        raise ValueError(f"{folder} has no game that could be read")
    players = _players(games)
    if as_json:
        print_json({"games": games, "players": players})
        return
    _print(games, players)


def _game(file: Path, played: "FinishedGame", found: "GameReview") -> dict[str, Any]:
    from ..play.review_numbers import balance, numbers

    made, low, high = balance(played, found), played.game.min_utility, played.game.max_utility
    points = None if played.result is None else (0.5 if 2 * played.result == low + high else float(2 * played.result > low + high))
    return {
        "file": file.name, "game": played.game.name, "players": list(played.players), "result": played.result, "points": points,
        "turns": played.turns.counted(), "faults": list(played.faults), "exact": made is not None and made.exact,
        "numbers": [_numbers(one) for one in numbers(played, found)],
    }  # fmt: skip


def _numbers(one: "PlayerNumbers") -> dict[str, Any]:
    return {"judged": one.judged, "mean_loss": one.mean_loss, "accuracy": one.accuracy, "mistakes": list(one.mistakes)}


def _players(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each player gave away in each game's units, over all of its games; the best first."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for game in games:
        for player, name in enumerate(game["players"]):
            one = found.setdefault((game["game"], name), {
                "game": game["game"], "player": name, "games": 0, "points": 0.0, "faults": 0, "judged": 0, "lost": 0.0, "large": 0,
                "exact": True,
            })  # fmt: skip
            told = game["numbers"][player]
            one["games"] += 1
            one["points"] += 0.0 if game["points"] is None else (1 - game["points"] if player else game["points"])
            one["faults"] += bool(game["faults"][player])
            one["judged"] += told["judged"]
            one["lost"] += (told["mean_loss"] or 0.0) * told["judged"]
            one["large"] += told["mistakes"][-1]
            one["exact"] &= game["exact"]
    for one in found.values():
        one["mean_loss"] = one["lost"] / one["judged"] if one["judged"] else None
    return sorted(found.values(), key=lambda one: (one["game"], one["mean_loss"] is None, one["mean_loss"]))


def _print(games: list[dict[str, Any]], players: list[dict[str, Any]]) -> None:
    def loss(told: dict[str, Any]) -> str:
        return _NONE if told["mean_loss"] is None else value_text(told["mean_loss"], ".3f")

    rows = [
        {
            "file": game["file"], "game": game["game"], "player 0": game["players"][0], "player 1": game["players"][1],
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
            "game": one["game"], "player": one["player"], "games": one["games"], "points": f"{one['points']:g}", "faults": one["faults"],
            "moves judged": one["judged"], "loss a move": loss(one), "large mistakes": one["large"],
            "proven": "yes" if one["exact"] else "no",
        }
        for one in players
    ]  # fmt: skip
    print_records(tuple(Column(name, text=name in ("game", "player", "proven")) for name in rows[0]), rows)
    print_wrapped(
        "loss a move: what a judged move gave away on average, in the game's units, of player 0 and of player 1; moves without a clearly "
        "better or worse one beside them are not judged; proven: whether all of these values are exact, else they are those of the searches"
    )
