"""The review of a finished game in words: the verdict, the moments that mattered, and the story of a loss."""

from typing import NamedTuple

from ..algorithms.analysis import GameReview, Kind, Moment, ReviewedTurn
from ..algorithms.analysis.verdict import SERIOUS
from ..game.base import TERMINAL
from ..system.text import value_text, worth_text
from .record import YOU, in_a_sentence, reasons
from .replay import FinishedGame

_LEAST_SHARE = 0.005
"""The least probability of a move that is named."""
_MOST_WAYS = 6
"""How many moves are named at most."""


def verdict_words(played: FinishedGame, found: GameReview) -> list[str]:
    """The verdict, sentence by sentence: the endings, the losing move, and the depth of the search behind it."""
    return [*reasons(played.game, played.states, played.names), *_Words(played, found).sentences()]


class _Words:
    """The sentences on the lost game; in the second person for a person that reads."""

    def __init__(self, played: FinishedGame, found: GameReview) -> None:
        self._played, self._found, self._verdict = played, found, found.verdict
        self._sign = -1.0 if found.verdict.loser else 1.0
        self._turns = played.turns
        loser = found.verdict.loser
        self._name = "" if loser is None else played.names[loser]
        is_you = self._name == YOU
        self._object = in_a_sentence(self._name)
        self._it, self._its = ("you", "your") if is_you else ("it", "its")

    def sentences(self) -> list[str]:
        verdict, played, name = self._verdict, self._played, self._name
        if verdict.kind == Kind.OPEN:
            return ["The game is not over."]
        if verdict.loser is None:
            return ["The game was drawn; no move lost it."]
        if verdict.kind == Kind.FAULT:
            return [
                f"{name} lost by a fault: {played.faults[verdict.loser]}. {self._its.capitalize()} moves are not to blame."
            ]
        if verdict.step is None:
            return [f"{name} had lost before {self._its + ' ' if played.since else 'the '}first move."]
        return [*self.where(), *self.last_chance(), stands_on(self._found)]

    def last_chance(self) -> list[str]:
        """The last turn in which the loser stood clearly better than in the end, after the one that lost the game."""
        step = self._verdict.last_chance
        if step is None:
            return []
        values = {one.step: one.value for one in self._found.standings}
        after = next((values[one] for one in sorted(values) if one > step), self._played.result)
        assert after is not None
        return [
            f"{self._name} stood clearly better than in the end for the last time in {self._turns.label(step)}{self._with(step)}: "
            f"at {self._own(values[step])} before and at {self._own(after)} after it.",
            *self._better(step),
        ]

    def by_the_rules(self) -> str:
        """What the result alone says of the end."""
        result = self._own(self._played.result or 0.0)
        return (
            f"By the rules the game was over after {self._turns.counted()}, with {result} for {self._object}."
        )

    def where(self) -> list[str]:
        """A sentence on the step at which the game was lost."""
        verdict, turns, name, it = self._verdict, self._turns, self._name, self._it
        step = verdict.step
        assert step is not None and verdict.until is not None
        before, after = self._own(verdict.before), self._own(verdict.after)
        if verdict.kind == Kind.RESIGNED:
            return [f"{name} resigned in a position that was not as good as lost: {it} stood at {before}."]
        chance = bool(self._played.outcome(step))
        drawn = (
            f"what chance drew before {turns.label(step)} ({self._played.outcome(step)})" if chance else ""
        )
        if verdict.kind == Kind.CHANCE:
            return [
                f"{drawn[0].upper()}{drawn[1:]} lost the game for {self._object}: "
                f"{it} stood at {before} before and at {after} after it, and never stood even again. No move is to blame."
            ]
        if verdict.kind == Kind.NEVER_EVEN:
            since = self._played.since
            never = f"{name} never stood even " + (
                f"after {it} took over in {turns.label(since)}" if since else "in this game"
            )
            largest = f"{self._its.capitalize()} largest loss "
            largest += f"came with {drawn}" if chance else f"was in {turns.label(step)}{self._with(step)}"
            if step == len(self._played.actions) or verdict.fall < 0.5 * SERIOUS * self._played.margin:
                return [f"{never}, and no turn changed much."]
            return [
                f"{never}. {largest}: from {before} to {after}.",
                *self._better(step),
            ]
        if verdict.kind == Kind.MOVE:
            return [
                f"{name} lost the game in {turns.label(step)}{self._with(step)}: "
                f"{it} stood at {before} before and at {after} after it, and never stood even again.",
                *self._better(step),
            ]
        began = f" It began with {drawn}." if chance else ""
        has_lost = verdict.until < len(self._played.actions)
        lost = f", and had as good as lost from {turns.label(verdict.until)} on" if has_lost else ""
        return [
            f"{name} lost the game over {turns.span(step, verdict.until)}: {it} stood even for the last time in {turns.label(step)} "
            f"({before}, then {after}){lost}.{began}",
            *self._better(step),
        ]

    def _better(self, step: int) -> list[str]:
        """A sentence on the loss by the loser's move, and the better one."""
        turn, loser = self._found.turn_at(step), self._verdict.loser
        if turn is None or loser is None or not turn.mixtures[loser]:
            return []
        if turn.loss[loser] < 0.5 * SERIOUS * self._played.margin:
            move = self._played.move(step, loser)
            return [
                f"In {self._turns.label(step)} no move was much better than {move}, as far as this search saw."
            ]
        loss, better = value_text(turn.loss[loser], ".2f"), better_words(self._played, turn, loser)
        return [f"{self._played.move(step, loser)} gave away {loss}; better was {better}."]

    def _with(self, step: int) -> str:
        move = self._played.move(step, self._verdict.loser or 0)
        return f" with {move}" if move else ""

    def _own(self, value: float) -> str:
        return worth_text(self._sign * value)


def better_words(played: FinishedGame, turn: ReviewedTurn, player: int) -> str:
    """A player's equilibrium strategy, the likeliest move first."""
    state = played.states[turn.step]
    mixture = sorted(turn.mixtures[player].items(), key=lambda item: -item[1])
    shown = [
        (played.game.action_to_string(state, player, action), share)
        for action, share in mixture
        if share >= _LEAST_SHARE
    ]
    several = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shown)
    return shown[0][0] if len(shown) == 1 else several


def moment_words(played: FinishedGame, found: GameReview, moment: Moment) -> str:
    """The moves at a moment, and the change that they made."""
    step, turns, serious = moment.step, played.turns, 0.5 * SERIOUS * played.margin
    moves = ", ".join(
        f"{played.names[player]} {played.move(step, player)}"
        for player in (0, 1)
        if played.move(step, player)
    )
    said = f"{turns.label(step)}: {moves or f'chance: {played.outcome(step)}'}".replace(
        turns.word, turns.word.capitalize(), 1
    )
    values = {one.step: one.value for one in found.standings}
    later = next((values[one] for one in sorted(values) if one > step), played.result)
    if step in values:
        said += f"; worth {worth_text(values[step])} for {in_a_sentence(played.names[0])}"
        said += f", then {worth_text(later)}" if later is not None else ""
    if moment.turn is not None:
        for player in (0, 1):
            if moment.turn.loss[player] >= serious:
                better = better_words(played, moment.turn, player)
                said += f"; {played.names[player]} gave away {value_text(moment.turn.loss[player], '.2f')}, better was {better}"
    return said


def stands_on(found: GameReview) -> str:
    """A sentence on the certainty of the verdict; empty where it needs no search."""
    if found.verdict.loser is None or found.verdict.step is None:
        return ""
    if found.exact:
        quiet = " for the game in which chance does nothing" if found.without_chance else ""
        return f"These values are proven{quiet}."
    return f"The verdict stands on searches to depth {found.depth}; more time a turn may find another."


class StoryStep(NamedTuple):
    """A step of the story of a lost game."""

    kind: str
    """`end`: what ended it; `chance`: the last turn that could have changed it; `lost`: where it was lost."""
    step: int
    """The position in which it happened."""
    says: list[str]


def story(played: FinishedGame, found: GameReview) -> list[StoryStep]:
    """The way in which a game was lost, from its end backwards, in three steps at most.

    [] of a game without a loser.
    """
    verdict, words, last = found.verdict, _Words(played, found), len(played.actions) - 1
    if verdict.loser is None or last < 0:
        return []
    if verdict.kind == Kind.FAULT:
        return [StoryStep("end", last, words.sentences())]
    why = reasons(played.game, played.states, played.names) or [words.by_the_rules()]
    ended = [*why, *_ways_on(played, verdict.loser)]
    if played.given_up:
        last, ended = (
            last + 1,
            [f"{played.names[verdict.loser]} resigned."] if verdict.kind != Kind.RESIGNED else words.where(),
        )
    steps = [
        ("end", last, ended),
        ("chance", verdict.last_chance, words.last_chance()),
        (
            "lost",
            verdict.step,
            words.where() if verdict.step is not None and verdict.kind != Kind.RESIGNED else [],
        ),
    ]
    told: list[StoryStep] = []
    for kind, step, says in steps:
        if step is None or not says:
            continue
        if told and told[-1].step == step:  # what happened in one position is one step
            told[-1].says.extend(says)
        else:
            told.append(StoryStep(kind, step, says))
    return told


def _ways_on(played: FinishedGame, loser: int) -> list[str]:
    """Which other moves would not have ended the game in its last turn, by the rules; nothing where the loser had no move then."""
    game, state, joint = played.game, played.states[-2], played.actions[-1]
    move = played.move(len(played.actions) - 1, loser)
    if not move or game.current_player(played.states[-1]) != TERMINAL:
        return []
    ways: list[str] = []
    for action in game.legal_actions(state, loser):
        other = (action, joint[1]) if loser == 0 else (joint[0], action)
        if game.current_player(game.advance(state, *other)) != TERMINAL:
            ways.append(game.action_to_string(state, loser, action))
    shown = ", ".join(ways[:_MOST_WAYS]) + (" and others" if len(ways) > _MOST_WAYS else "")
    return [f"The last move was {move}; the game would have gone on with {shown}."] if ways else []
