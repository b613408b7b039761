"""The review of a finished game in words and as plain data, for the command, the page and the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .._text import value_text
from ..algorithms import Algorithm, Limits, StopToken
from ..algorithms.analysis import (
    GameReview,
    Kind,
    Moment,
    ReviewedTurn,
    Standing,
    Verdict,
    review_game,
    searched_form,
)
from ..algorithms.analysis.game_review import Progress
from ..algorithms.analysis.verdict import SERIOUS
from ..game import CHANCE, NO_ACTION, TERMINAL, Ending, Game
from .endings import reasons, told_apart, words_of_faults
from .position_text import text_of_moves
from .replay import Replay, actions_of
from .turns import Turns

_LEAST_SHARE = 0.005
"""Of a strategy that is told: what is played more seldom is left out."""


@dataclass(frozen=True)
class FinishedGame:
    """A game, from whatever recorded it. `states[k]` is the position before `actions[k]`."""

    game: Game
    players: tuple[str, str]
    states: Sequence[Any]
    actions: Sequence[tuple[int, int]]
    result: float | None
    """Player 0's; None of a game that is not over."""
    reason: str = ""
    faults: tuple[str, str] = ("", "")
    """What each player was at fault with, in words; empty for who was not."""

    @cached_property
    def names(self) -> tuple[str, str]:
        """The players' names, told apart where they are the same."""
        return told_apart(self.players)

    @cached_property
    def turns(self) -> Turns:
        """The numbers of its turns."""
        return Turns(self.game, self.states)

    @cached_property
    def endings(self) -> tuple[Ending | None, Ending | None]:
        """What became of each player, as the game says."""
        over = self.game.current_player(self.states[-1]) == TERMINAL
        return self.game.ending(self.states) if over else (None, None)

    def move(self, step: int, player: int) -> str:
        """What a player did at a step, by name; empty where it had no choice."""
        state = self.states[step]
        action = self.actions[step][player]
        if player not in self.game.players_to_act(state) or action == NO_ACTION:
            return ""
        return self.game.action_to_string(state, player, action)

    def outcome(self, step: int) -> str:
        """What chance did at a step; empty where it had no turn."""
        state = self.states[step]
        return self.game.outcome_to_string(state, self.actions[step][0]) if self.game.current_player(state) == CHANCE else ""

    def position_text(self, step: int) -> str:
        """The position before a step, by the moves that lead there, as `--position` takes it."""
        return text_of_moves(self.game, self.states[: step + 1], self.actions[:step])

    def headline(self) -> str:
        """Who played whom, and how it ended."""
        a, b = self.players
        return f"{a} (0) against {b} (1): {', '.join(self._outcome())}"

    def _outcome(self) -> list[str]:
        game, turns = self.game, self.turns
        count = turns.counted()
        if self.result is None:
            return [f"not over after {count}"]
        middle = (game.min_utility + game.max_utility) / 2
        said = "drawn" if self.result == middle else f"{self.names[int(self.result < middle)]} won"
        is_between = self.result not in (game.min_utility, middle, game.max_utility)
        points = f"{value_text(self.result, 'g')} for {self.names[0]}" if is_between else ""
        return [f"{said} after {count}", *filter(None, [points])]


def finished(replay: Replay) -> FinishedGame:
    """The game of a replay."""
    game, states = replay.make_game(), list(replay.states())
    joints = [actions_of(game, state, one) for state, one in zip(states, replay.rounds, strict=False)]
    actions = [(joint[0], joint[1] if len(joint) > 1 else NO_ACTION) for joint in joints]
    faults = words_of_faults(replay.faults, Turns(game, states))
    return FinishedGame(game, replay.players, states, actions, replay.result, replay.reason, faults)


def review_finished(
    played: FinishedGame, algorithm: Algorithm, limits: Limits, *, stop: StopToken | None = None, on_standing: Progress | None = None
) -> GameReview | None:
    """The review of a game; as `review_game`."""
    middle = (played.game.min_utility + played.game.max_utility) / 2
    loser = None if played.result is None or played.result == middle else int(played.result > middle)
    ending = None if loser is None else played.endings[loser]
    return review_game(
        searched_form(played.game, algorithm), played.states, played.actions, played.result, algorithm, limits,
        faults=(bool(played.faults[0]), bool(played.faults[1])), slow=ending is not None and ending.since is not None,
        stop=stop, on_standing=on_standing,
    )  # fmt: skip


def verdict_words(played: FinishedGame, found: GameReview) -> list[str]:
    """The verdict, sentence by sentence: what became of the players, who lost where, and how deep that stands."""
    return [*reasons(played.game, played.states, played.names), *_Words(played, found).sentences()]


class _Words:
    def __init__(self, played: FinishedGame, found: GameReview) -> None:
        self._played, self._found, self._verdict = played, found, found.verdict
        self._sign = -1.0 if found.verdict.loser else 1.0
        self._turns = played.turns

    def sentences(self) -> list[str]:
        verdict, played = self._verdict, self._played
        if verdict.kind == Kind.OPEN:
            return ["The game is not over."]
        if verdict.loser is None:
            return ["The game was drawn; no move lost it."]
        name = played.names[verdict.loser]
        if verdict.kind == Kind.FAULT:
            return [f"{name} lost by a fault: {played.faults[verdict.loser]}. Its moves are not to blame."]
        if verdict.step is None:
            return [f"{name} had lost before the first move."]
        return [*self._where(name, verdict), self._depth()]

    def _where(self, name: str, verdict: Verdict) -> list[str]:
        step, turns = verdict.step, self._turns
        assert step is not None and verdict.until is not None
        before, after = self._own(verdict.before), self._own(verdict.after)
        chance = bool(self._played.outcome(step))
        drawn = f"what chance drew before {turns.label(step)} ({self._played.outcome(step)})" if chance else ""
        if verdict.kind == Kind.CHANCE:
            return [f"{drawn[0].upper()}{drawn[1:]} lost the game for {name}: it stood at {before} before and at {after} after it, "
                    "and never stood even again. No move is to blame."]  # fmt: skip
        if verdict.kind == Kind.NEVER_EVEN:
            largest = f"Its largest loss came with {drawn}" if chance else f"Its largest loss was in {turns.label(step)}{self._with(step)}"
            if verdict.fall < 0.5 * SERIOUS * self._extent():
                return [f"{name} never stood even in this game, and no turn changed much."]
            return [f"{name} never stood even in this game. {largest}: from {before} to {after}.", *self._better(step)]
        if verdict.kind == Kind.MOVE:
            return [f"{name} lost the game in {turns.label(step)}{self._with(step)}: it stood at {before} before and at {after} after it, "
                    "and never stood even again.", *self._better(step)]  # fmt: skip
        began = f" It began with {drawn}." if chance else ""
        return [f"{name} lost the game over {turns.span(step, verdict.until)}: it stood even for the last time in {turns.label(step)} "
                f"({before}, then {after}){self._as_good_as_lost()}.{began}", *self._better(step)]  # fmt: skip

    def _as_good_as_lost(self) -> str:
        """Of a slide: since when the game was lost."""
        until, played = self._verdict.until, self._played
        assert until is not None
        if until >= len(played.actions):
            return ""
        return f", and had as good as lost from {self._turns.label(until)} on"

    def _better(self, step: int) -> list[str]:
        """What the loser's move gave away, and what was better."""
        turn, loser = self._found.turn_at(step), self._verdict.loser
        if turn is None or loser is None or not turn.mixtures[loser]:
            return []
        if turn.loss[loser] < 0.5 * SERIOUS * self._extent():
            move = self._played.move(step, loser)
            return [f"In {self._turns.label(step)} no other move than {move} was better by much, as deep as this search saw."]
        loss, better = value_text(turn.loss[loser], ".2f"), better_words(self._played, turn, loser)
        return [f"{self._played.move(step, loser)} gave away {loss}; better was {better}."]

    def _depth(self) -> str:
        if self._found.exact:
            return "These values are proven."
        return f"The verdict stands on searches to depth {self._found.depth}; more time a turn may find another."

    def _with(self, step: int) -> str:
        move = self._played.move(step, self._verdict.loser or 0)
        return f" with {move}" if move else ""

    def _own(self, value: float) -> str:
        return value_text(self._sign * value)

    def _extent(self) -> float:
        return self._played.game.max_utility - self._played.game.min_utility


def better_words(played: FinishedGame, turn: ReviewedTurn, player: int) -> str:
    """A player's equilibrium strategy, the likeliest move first."""
    state = played.states[turn.step]
    mixture = sorted(turn.mixtures[player].items(), key=lambda item: -item[1])
    shown = [(played.game.action_to_string(state, player, action), share) for action, share in mixture if share >= _LEAST_SHARE]
    if len(shown) == 1:
        return shown[0][0]
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in shown)


def moment_words(played: FinishedGame, found: GameReview, moment: Moment) -> str:
    """What happened at a moment, and what it changed."""
    step, turns, serious = moment.step, played.turns, 0.5 * SERIOUS * (played.game.max_utility - played.game.min_utility)
    moves = ", ".join(f"{played.names[player]} {played.move(step, player)}" for player in (0, 1) if played.move(step, player))
    said = f"{turns.label(step)}: {moves or f'chance: {played.outcome(step)}'}".replace(turns.word, turns.word.capitalize(), 1)
    values = {one.step: one.value for one in found.standings}
    later = next((values[one] for one in sorted(values) if one > step), played.result)
    if step in values:
        said += f"; worth {value_text(values[step])} for {played.names[0]}" + (f", then {value_text(later)}" if later is not None else "")
    if moment.turn is not None:
        for player in (0, 1):
            if moment.turn.loss[player] >= serious:
                better = better_words(played, moment.turn, player)
                said += f"; {played.names[player]} gave away {value_text(moment.turn.loss[player], '.2f')}, better was {better}"
    return said


def review_json(played: FinishedGame, found: GameReview) -> dict[str, Any]:
    """All of a review as plain data, steps and turns side by side."""
    verdict, turns = found.verdict, played.turns

    def numbered(step: int | None) -> dict[str, int | None]:
        return {"step": step, "turn": None if step is None else turns.number(step)}

    moments = {one.step: one for one in found.moments}
    return {
        "turn_word": turns.word, "turn_count": turns.count,
        "turns": [numbered(one.step) | _standing_json(played, one, moments.get(one.step)) for one in found.standings],
        "verdict": numbered(verdict.step) | {
            "kind": verdict.kind.value, "loser": verdict.loser, "until": numbered(verdict.until),
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


def _standing_json(played: FinishedGame, one: Standing, moment: Moment | None) -> dict[str, Any]:
    state, turn = played.states[one.step], None if moment is None else moment.turn
    mixtures = one.best if turn is None else turn.mixtures
    return {
        "moves": [played.move(one.step, p) or None for p in (0, 1)], "value": one.value, "bounds": list(one.bounds),
        "depth": one.depth, "exact": one.exact, "loss": None if turn is None else list(turn.loss),
        "strategies": [{played.game.action_to_string(state, p, a): share for a, share in mixtures[p].items()} for p in (0, 1)],
    }  # fmt: skip
