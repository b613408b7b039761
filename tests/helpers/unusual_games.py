"""Games that are odd in one way each, and allowed: more outcomes than actions, outcomes that never come, -0.0, a range without 0."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import CHANCE, SIMULTANEOUS, TERMINAL, Game, kernel
from saddlepoint.game.base import Symmetry


@dataclass(frozen=True)
class TwoActions(Game):
    """Whoever chooses has two actions."""

    max_actions: ClassVar[int] = 2

    @kernel
    def legal_actions(self, state, player, out):
        out[0], out[1] = 0, 1
        return 2


class Rolled(NamedTuple):
    step: int
    number: int


@dataclass(frozen=True)
class Die(TwoActions):
    """A die is rolled, then player 0 doubles the number or not."""

    faces: int = 6

    name: ClassVar[str] = "die"
    max_depth: ClassVar[int] = 2
    min_utility: ClassVar[float] = 0.0

    @property
    def max_outcomes(self) -> int:
        return self.faces

    @property
    def max_utility(self) -> float:
        return 2.0 * self.faces

    def initial_state(self) -> Rolled:
        return Rolled(0, 0)

    @kernel
    def current_player(self, state):
        return CHANCE if state.step == 0 else 0 if state.step == 1 else TERMINAL

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        for face in range(self.faces):
            out[face], probabilities[face] = face, 1.0 / self.faces
        return self.faces

    @kernel
    def next_state(self, state, action):
        return Rolled(state.step + 1, action if state.step == 0 else state.number * (1 + action))

    @kernel
    def returns(self, state):
        return float(state.number)


class Path(NamedTuple):
    choice: int
    steps: int


@dataclass(frozen=True)
class OneIsBest(Game):
    """Player 0 chooses one of three results, of which the last one is the best; player 1 has no choice."""

    name: ClassVar[str] = "one_is_best"
    max_actions: ClassVar[int] = 3
    max_depth: ClassVar[int] = 2

    def initial_state(self) -> Path:
        return Path(0, 0)

    @kernel
    def current_player(self, state):
        return state.steps if state.steps < 2 else TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        count = 3 if state.steps == 0 else 1
        for action in range(count):
            out[action] = action
        return count

    @kernel
    def next_state(self, state, action):
        return Path(action if state.steps == 0 else state.choice, state.steps + 1)

    @kernel
    def returns(self, state):
        return -0.5 if state.choice == 0 else 0.25 if state.choice == 2 else -1.0


class Drawn(NamedTuple):
    step: int
    outcome: int
    result: int


@dataclass(frozen=True)
class NeverDrawn(TwoActions):
    """Two rounds of matching pennies with a draw between them, whose second outcome never comes."""

    name: ClassVar[str] = "never_drawn"
    max_actions: ClassVar[int] = 3
    max_depth: ClassVar[int] = 3

    def initial_state(self) -> Drawn:
        return Drawn(0, 0, 0)

    @kernel
    def current_player(self, state):
        return CHANCE if state.step == 1 else SIMULTANEOUS if state.step < 3 else TERMINAL

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0], out[1], out[2] = 0, 1, 2
        probabilities[0], probabilities[1], probabilities[2] = 0.25, 0.0, 0.75
        return 3

    @kernel
    def next_state(self, state, action0, action1):
        if state.step == 1:
            return Drawn(2, action0, state.result)
        gain = (1 if action0 == action1 else -1) * (state.outcome + 1) + action0
        return Drawn(state.step + 1, state.outcome, state.result + gain)

    @kernel
    def returns(self, state):
        return state.result / 6.0


class Ahead(NamedTuple):
    round: int
    turned: bool
    lead: float


@dataclass(frozen=True)
class TurnedLead(TwoActions):
    """Who is ahead after four rounds, in which the players change places; turning 0.0 gives -0.0."""

    name: ClassVar[str] = "turned_lead"
    max_depth: ClassVar[int] = 4
    min_utility: ClassVar[float] = -4.0
    max_utility: ClassVar[float] = 4.0

    def initial_state(self) -> Ahead:
        return Ahead(0, False, 0.0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == 4 else SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        return Ahead(state.round + 1, not state.turned, state.lead + float(action0 - action1))

    @kernel
    def returns(self, state):
        return state.lead

    def symmetries(self, state: Ahead) -> list[Symmetry]:
        return [Symmetry(Ahead(state.round, not state.turned, -state.lead), (0, 1), (0, 1), True)]

    @kernel
    def canonical(self, state):
        if state.turned:
            return Ahead(state.round, False, -state.lead), True
        return state, False


@dataclass(frozen=True)
class Costly(Die):
    """All results lie between 20 and 30."""

    name: ClassVar[str] = "costly"
    min_utility: ClassVar[float] = 20.0
    max_utility: ClassVar[float] = 30.0

    @kernel
    def returns(self, state):
        return 20.0 + state.number
