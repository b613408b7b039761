"""A finished game reviewed, and several of them as plain data: a row for each, and the moves of each player over all of them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..algorithms import Algorithm, Limits, StopToken
from ..algorithms.analysis import GameReview, Kind, ReviewedTurn, Standing, review_game, searched_form
from ..algorithms.analysis.game_review import Progress
from ..algorithms.chance import passes_over_chance
from ..algorithms.searcher import search
from ..game.spec import name_of
from .record import points_of
from .replay import FinishedGame
from .review_numbers import is_proven, numbers, numbers_json
from .review_words import moment_words, stands_on, story, verdict_words

_WARMING = Limits(depth=1, nodes=1000)


def review_finished(
    played: FinishedGame,
    algorithm: Algorithm,
    limits: Limits,
    *,
    stop: StopToken | None = None,
    on_standing: Progress | None = None,
    besides: float | None = None,
) -> GameReview | None:
    """The review of a game; as `review_game`."""
    points = 0.5 if played.result is None else points_of(played.game, played.result)
    ending = None if points == 0.5 else played.endings[int(points)]
    game = searched_form(played.game, algorithm)
    found = review_game(
        game,
        played.states,
        played.actions,
        played.result,
        algorithm,
        limits,
        faults=(bool(played.faults[0]), bool(played.faults[1])),
        slow=ending is not None and ending.since is not None,
        stop=stop,
        on_standing=on_standing,
        besides=besides,
        since=played.since,
    )
    is_other = passes_over_chance(game) and not passes_over_chance(played.game)
    return replace(found, without_chance=True) if found is not None and is_other else found


def warm_review(played: FinishedGame, algorithm: Algorithm, stop: StopToken | None = None) -> None:
    """Compile what a review needs, before any clock runs."""
    search(
        searched_form(played.game, algorithm),
        played.states[0],
        algorithm,
        _WARMING,
        stop=stop,
        variation=False,
    )


def review_json(played: FinishedGame, found: GameReview) -> dict[str, Any]:
    """All of a review as plain data, steps and turns side by side."""
    verdict, turns = found.verdict, played.turns

    def numbered(step: int | None) -> dict[str, int | None]:
        return {"step": step, "turn": None if step is None else turns.number(step)}

    looked = {one.step: one for one in found.turns}
    return {
        "turn_word": turns.word,
        "turn_count": turns.count,
        "turns": [
            numbered(one.step) | _standing_json(played, one, looked.get(one.step)) for one in found.standings
        ],
        "verdict": numbered(verdict.step)
        | {
            "kind": str(verdict.kind),
            "loser": verdict.loser,
            "until": numbered(verdict.until),
            "last_chance": numbered(verdict.last_chance),
            "before": verdict.before,
            "after": verdict.after,
            "depth": found.depth,
            "exact": found.exact,
        },
        "losing_move": _losing_move(played, found),
        "endings": [None if one is None else one.words for one in played.endings],
        "moments": [
            numbered(one.step)
            | {
                "label": turns.label(one.step),
                "says": moment_words(played, found, one),
                "position": played.position_text(one.step),
            }
            for one in found.moments
        ],
        "says": verdict_words(played, found),
        "stands": stands_on(found),
        "story": [numbered(one.step) | {"kind": one.kind, "says": one.says} for one in story(played, found)],
        **numbers_json(played, found),
    }


def _losing_move(played: FinishedGame, found: GameReview) -> dict[str, Any] | None:
    """The loser's move at the last position in which it stood even; None where there is none, or chance moved."""
    verdict = found.verdict
    turn = found.turn_at(verdict.step)
    if (
        verdict.kind not in (Kind.MOVE, Kind.SLIDE)
        or turn is None
        or verdict.loser is None
        or verdict.step is None
    ):
        return None
    return {
        "step": verdict.step,
        "turn": played.turns.number(verdict.step),
        "player": verdict.loser,
        "move": played.move(verdict.step, verdict.loser) or None,
        "loss": turn.loss[verdict.loser],
    }


def _standing_json(played: FinishedGame, one: Standing, turn: ReviewedTurn | None) -> dict[str, Any]:
    state = played.states[one.step]
    mixtures = _strategies(played, one, turn)
    return {
        "moves": [played.move(one.step, p) or None for p in (0, 1)],
        "value": one.value,
        "bounds": list(one.bounds),
        "depth": one.depth,
        "exact": one.exact,
        "loss": None if turn is None else list(turn.loss),
        "strategies": [
            {played.game.action_to_string(state, p, a): share for a, share in mixtures[p].items()}
            for p in (0, 1)
        ],
    }


def _strategies(
    played: FinishedGame, one: Standing, turn: ReviewedTurn | None
) -> tuple[dict[int, float], dict[int, float]]:
    """Both players' right strategies: by the proving search if it moved one of them, else by the turn's own
    search.

    A played move with a loss is not in them.
    """
    if turn is None:
        return one.best
    mover = played.game.current_player(played.states[one.step])
    is_proven = (
        one.exact and mover in (0, 1) and (turn.loss[mover] == 0 or turn.played[mover] not in one.best[mover])
    )
    return one.best if is_proven else turn.mixtures


# Several games that were reviewed, as plain data: a row for each, and the moves of each player over all of them.

_SUMS = ("games", "finished", "points", "faults", "judged", "lost", "large")


def game_row(file: str, played: FinishedGame, found: GameReview) -> dict[str, Any]:
    """A game with its result, player 0's points, and the numbers of both players."""
    return {
        "file": file,
        "game": name_of(played.game),
        "players": list(played.players),
        "result": played.result,
        "points": None if played.result is None else points_of(played.game, played.result),
        "turns": played.turns.counted(),
        "faults": list(played.faults),
        "exact": is_proven(played, found),
        "numbers": [
            {
                "judged": one.judged,
                "mean_loss": one.mean_loss,
                "accuracy": one.accuracy,
                "mistakes": list(one.mistakes),
            }
            for one in numbers(played, found)
        ],
    }


def player_rows(games: Iterable[tuple[dict[str, Any], tuple[str, str]]]) -> list[dict[str, Any]]:
    """The losses of each player over all its games, in each game's units; the best player first.

    Each game comes with the names of its players, distinguished where they are the same.
    """
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for game, names in games:
        points = (0.0, 0.0) if game["points"] is None else (game["points"], 1 - game["points"])
        for player, (name, told) in enumerate(zip(names, game["numbers"], strict=True)):
            row = {
                "game": game["game"],
                "player": name,
                "games": 1,
                "finished": int(game["points"] is not None),
                "points": points[player],
                "faults": int(bool(game["faults"][player])),
                "judged": told["judged"],
                "lost": (told["mean_loss"] or 0.0) * told["judged"],
                "large": told["mistakes"][-1],
                "exact": game["exact"],
            }
            if before := rows.get((game["game"], name)):
                row |= {key: before[key] + row[key] for key in _SUMS}
                row["exact"] = before["exact"] and row["exact"]
            rows[game["game"], name] = row
    for row in rows.values():
        row["mean_loss"] = row["lost"] / row["judged"] if row["judged"] else None
    return sorted(rows.values(), key=lambda row: (row["game"], row["mean_loss"] is None, row["mean_loss"]))
