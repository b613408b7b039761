"""The review of a finished game, also as plain data, for the command, the page and the terminal."""

from dataclasses import replace
from typing import Any

from ..algorithms import Algorithm, Limits, StopToken
from ..algorithms.analysis import (
    GameReview,
    Kind,
    ReviewedTurn,
    Standing,
    review_game,
    searched_form,
)
from ..algorithms.analysis.game_review import Progress
from ..algorithms.analysis.without_chance import passes_over_chance
from .finished_game import FinishedGame
from .review_numbers import luck_of, numbers_json
from .review_words import moment_words, stands_on, story, verdict_words


def review_finished(
    played: FinishedGame, algorithm: Algorithm, limits: Limits, *, stop: StopToken | None = None, on_standing: Progress | None = None,
    besides: float | None = None,
) -> GameReview | None:
    """The review of a game; as `review_game`."""
    middle = (played.game.min_utility + played.game.max_utility) / 2
    loser = None if played.result is None or played.result == middle else int(played.result > middle)
    ending = None if loser is None else played.endings[loser]
    game = searched_form(played.game, algorithm)
    found = review_game(
        game, played.states, played.actions, played.result, algorithm, limits,
        faults=(bool(played.faults[0]), bool(played.faults[1])), slow=ending is not None and ending.since is not None,
        stop=stop, on_standing=on_standing, besides=besides,
    )  # fmt: skip
    is_other = passes_over_chance(game) and not passes_over_chance(played.game)
    return replace(found, without_chance=True) if found is not None and is_other else found


def review_json(played: FinishedGame, found: GameReview) -> dict[str, Any]:
    """All of a review as plain data, steps and turns side by side."""
    verdict, turns = found.verdict, played.turns

    def numbered(step: int | None) -> dict[str, int | None]:
        return {"step": step, "turn": None if step is None else turns.number(step)}

    looked = {one.step: one for one in found.turns}
    return {
        "turn_word": turns.word, "turn_count": turns.count,
        "turns": [numbered(one.step) | _standing_json(played, one, looked.get(one.step)) for one in found.standings],
        "verdict": numbered(verdict.step) | {
            "kind": str(verdict.kind), "loser": verdict.loser, "until": numbered(verdict.until),
            "last_chance": numbered(verdict.last_chance),
            "before": verdict.before, "after": verdict.after, "depth": found.depth, "exact": found.exact,
        },
        "losing_move": _losing_move(played, found),
        "endings": [None if one is None else one.words for one in played.endings],
        "moments": [
            numbered(one.step)
            | {"label": turns.label(one.step), "says": moment_words(played, found, one), "position": played.position_text(one.step)}
            for one in found.moments
        ],
        "says": verdict_words(played, found),
        "stands": stands_on(played, found),
        "story": [numbered(one.step) | {"kind": one.kind, "says": one.says} for one in story(played, found)],
        **numbers_json(played, found),
    }  # fmt: skip


def _losing_move(played: FinishedGame, found: GameReview) -> dict[str, Any] | None:
    """The loser's move at the last position in which it stood even; None where there is none, or chance moved."""
    verdict = found.verdict
    turn = found.turn_at(verdict.step)
    if verdict.kind not in (Kind.MOVE, Kind.SLIDE) or turn is None or verdict.loser is None or verdict.step is None:
        return None
    return {
        "step": verdict.step, "turn": played.turns.number(verdict.step), "player": verdict.loser,
        "move": played.move(verdict.step, verdict.loser) or None, "loss": turn.loss[verdict.loser],
    }  # fmt: skip


def _standing_json(played: FinishedGame, one: Standing, turn: ReviewedTurn | None) -> dict[str, Any]:
    state = played.states[one.step]
    mixtures = _strategies(played, one, turn)
    return {
        "moves": [played.move(one.step, p) or None for p in (0, 1)], "value": one.value, "bounds": list(one.bounds),
        "depth": one.depth, "exact": one.exact, "loss": None if turn is None else list(turn.loss),
        "luck": None if turn is None else luck_of(played, turn),
        "strategies": [{played.game.action_to_string(state, p, a): share for a, share in mixtures[p].items()} for p in (0, 1)],
    }  # fmt: skip


def _strategies(played: FinishedGame, one: Standing, turn: ReviewedTurn | None) -> tuple[dict[int, float], dict[int, float]]:
    """What both should have played: by the search that proved the value, where it did and one of them moved, else by the turn's own search.

    What was played and gave something away is none of it.
    """
    if turn is None:
        return one.best
    mover = played.game.current_player(played.states[one.step])
    is_proven = one.exact and mover in (0, 1) and (turn.loss[mover] == 0 or turn.played[mover] not in one.best[mover])
    return one.best if is_proven else turn.mixtures
