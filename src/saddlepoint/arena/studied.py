"""What can be won from a player, whatever it is, by somebody who has studied it: learned by games, and shown in fresh ones.

The study counts what the player does in which position, and answers (`Habits`). Then the answer is frozen. What it wins on average in
games that were not there before bounds what the player loses, whatever the model is worth.
"""

import random
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from ..compiled.errors import MachineFault
from ..game.base import Game, GameError
from ..play.game import play_game
from ..play.record import GameRecord
from ..players.base import Player, Seen, derived_seed
from ..players.clock import ENDLESS, Clock
from ..policies import mean_at_least
from ..policies.opponents import Answer, Habits
from .conditions import MatchConditions
from .workers import MatchPlayers

_ANSWERS = 50
"""How often the study answers anew."""
_RANDOM_GAMES, _RANDOM_MOVES = 4, 0.1
"""Of the study: every how many games all answers are random, and the share of random ones in the others."""
_MOST_FAULTS = 10
"""Games on end that the player may lose by faults; then no more are played, since each may take seconds, and tells nothing new."""
_MOST_VOID = 5
"""Games, one after another, in which the machine may fail."""


class _Student(Player):
    """Plays answers, and at times at random."""

    def __init__(self) -> None:
        self.answers: tuple[Answer, Answer] | None = None
        self.at_random = 0.0
        """The share of random moves."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._draw = random.Random(seed)

    def choose(self, state: Any, clock: Clock) -> int:
        if self.answers is None or self._draw.random() < self.at_random:
            return self._draw.choice(self.game.search_actions(state, self.player))
        return self.answers[self.player](state)


@dataclass
class Study:
    """A player that is studied, and then played against; its figures are true at any time, and after Ctrl-C."""

    player: str
    """Its spec."""
    conditions: MatchConditions
    state: Any
    """Where every game begins."""
    habits: Habits
    games: int
    """Fresh games, an even number."""
    seed: int = 1
    look: int = 100
    """See `Responder`."""
    tell: Callable[[int, str], None] = lambda done, what: None
    """Called with how many games were played, and what for."""
    studied: int = 0
    """Games of the study so far."""
    expected: float | None = None
    """What the frozen answer wins a game, if the player does what the model says; None where nobody can tell."""
    won: list[float] = field(default_factory=list[float])
    """In each fresh game so far, from the answer's view: as player 0, as player 1, and so on."""
    faults: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """The player's, each of which lost a game: in the study, and in the fresh games."""
    _failed: int = 0
    """Games on end that it lost by faults."""

    @property
    def only_fails(self) -> bool:
        """Whether it lost so many games on end by faults that no more are played."""
        return self._failed >= _MOST_FAULTS

    def learn(self, games: Iterable[list[Seen]]) -> int:
        """Note what the player chose in earlier games, in positions that come about from the start; how many games there are."""
        count = 0
        for choices in games:
            count += 1
            for state, side, action in choices:
                with suppress(GameError):
                    self.habits.see(state, side, action)
        return count

    def run(self, study: int) -> None:
        """Study for so many games, and play the fresh ones. Raises MachineFault where a game has no result since the machine fails."""
        with (
            closing(MatchPlayers()) as made,
            made.seated(self.conditions, self.player, self.state) as player,
        ):
            self.meet(player, study)

    def meet(self, player: Player, study: int) -> None:
        """The same, of a player that is made already."""
        student = _Student()
        while self.studied < study and not self.only_fails:
            if self.studied % max(1, study // _ANSWERS) == 0:
                student.answers = self.habits.answers(self.look, self.seed)[0]
            student.at_random = 1.0 if self.studied // 2 % _RANDOM_GAMES == 0 else _RANDOM_MOVES
            seat = self.studied % 2
            self._note(self._played(student, player, seat, "study", self.studied), 1 - seat)
            self.studied += 1
            self.tell(self.studied, "study")
        student.at_random, student.answers, self._failed = 0.0, self.freeze(), 0
        while len(self.won) < self.games and not self.only_fails:
            number = len(self.won)
            record = self._played(student, player, number % 2, "fresh", number)
            self.won.append((1, -1)[number % 2] * record.result)
            self.tell(study + number + 1, "fresh games")

    def freeze(self) -> tuple[Answer, Answer]:
        """The answers to what is known of the player now; what they are expected to win is noted."""
        answers, self.expected = self.habits.answers(self.look, self.seed)
        return answers

    def _played(
        self, student: Player, player: Player, seat: int, what: str, number: int, again: int = 0
    ) -> GameRecord:
        """A game in which the student has this seat; one in which the machine failed is played again."""
        conditions, clock = self.conditions, self.conditions.clock_of(self.player)
        try:
            record = play_game(
                conditions.game,
                (student, player) if seat == 0 else (player, student),
                self.state,
                (ENDLESS, clock) if seat == 0 else (clock, ENDLESS),
                derived_seed(self.seed, what, number, again),
                conditions.tolerance,
                at_once=not conditions.sequential,
            )
        except MachineFault:
            if again == _MOST_VOID:
                raise
            return self._played(student, player, seat, what, number, again + 1)
        if (own := record.faults[seat]) is not None:
            raise RuntimeError(f"the answer failed: {own}")
        fault = record.faults[1 - seat]
        self._failed = 0 if fault is None else self._failed + 1
        if fault is not None:
            self.faults[what == "fresh"].append(str(fault))
        return record

    def _note(self, record: GameRecord, player: int) -> None:
        state, game = self.state, self.conditions.game
        for joint in record.actions:
            if player in game.players_to_act(state):
                self.habits.see(state, player, joint[player])
            state = game.advance(state, *joint)

    def figures(self) -> dict[str, Any]:
        """The figures as plain data. Fresh games count in pairs, one on each side: no side is better."""
        game, count = self.conditions.game, len(self.won) // 2 * 2
        first, second = self.won[0:count:2], self.won[1:count:2]
        pairs = [(a + b) / 2 for a, b in zip(first, second, strict=True)]
        most = float(game.max_utility - game.min_utility) / 2
        return {
            "player": self.player,
            "method": "studied",
            "studied": self.studied,
            "positions": self.habits.met,
            "is_exact": self.habits.choices is not None,
            "expected": self.expected,
            "games": count,
            "mean": sum(pairs) / len(pairs) if pairs else None,
            "at_least": mean_at_least(pairs, -most, most, self.games // 2) if pairs else None,
            "results": [sum(one) / len(pairs) if pairs else None for one in (first, second)],
            "faults": [len(one) for one in self.faults],
            "only_fails": self.only_fails,
            "first_fault": next((text for one in self.faults for text in one), None),
        }
