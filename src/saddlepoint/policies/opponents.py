"""What an opponent is expected to do, by what it was seen to do; and the answers to that, the best ones and the safe ones."""

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.algorithm import UnsupportedGameError
from ..game.base import CHANCE, NO_ACTION, Game
from ..solvers.general import Solution
from ..solvers.general.check import Erring
from ..solvers.general.positions import TooManyPositions
from ..solvers.general.reached import Walks, enumerate_positions
from ..solvers.general.successors import without_clock
from .evaluation import Choices, Evaluation, WrittenPolicy
from .lower_bound import RandomGames, Responder
from .policy import Mixtures, UniformPolicy

PRIOR = 1.0
"""Choices that count as seen in each position beforehand, shared out evenly among all legal actions: Dirichlet's prior."""


_KEPT = 50_000
"""Positions of which an answer remembers what was found."""

_WALKS, _LEAST = 1024, 60
"""Random walks that tell how many positions there are, and the least bytes that one takes."""

Answer = Callable[[Any], int]
"""Gives an action in a position in which the player that answers has a choice."""


def shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of choices that were made so often, with `PRIOR`."""
    known = counts + PRIOR / len(counts)
    return known / known.sum()


class Habits:
    """How often somebody took which action, by position, on either side; as a policy what is expected of it next.

    For studies of many games, which are answered exactly. Few games tell `OpponentModel` more, which guesses across positions; its guesses
    would take ten times as long here, and expect gains where nothing can be won. What is expected is (times that it took the action + the
    action's share of `PRIOR`) / (choices seen there + `PRIOR`): where it was never met, all legal actions alike. With `choices` the
    answers are exact best responses in all positions. Without, they look ahead, and a position is the same whatever the game's clock says.
    """

    def __init__(self, game: Game, choices: Choices | None = None) -> None:
        self.game, self.choices = game, choices
        self._seen: dict[tuple[Any, int], NDArray[np.float64]] = {}
        self._places: dict[tuple[Any, int], int] = {}
        if choices is not None:
            self._even = PRIOR * choices.weights(UniformPolicy(game))
            ends = np.unique(np.concatenate([choices.starts, choices.splits]))
            self._blocks, self._sizes = ends[:-1], np.diff(ends)

    @property
    def met(self) -> int:
        """In how many positions it was seen to choose."""
        return len(self._seen)

    def see(self, state: Any, player: int, action: int) -> None:
        """It was this player and took this action; raises GameError for a position that is none of `choices`."""
        legal, key = self.game.legal_actions(state, player), self._key(state, player)
        if key not in self._seen:
            if self.choices is not None:
                number = self.choices.positions.number_of(state)
                self._places[key] = int((self.choices.starts, self.choices.splits)[player][number])
            self._seen[key] = np.zeros(len(legal))
        self._seen[key][legal.index(action)] += 1

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        first, second = (self._expected(state, player) for player in (0, 1))
        return first, second

    def _key(self, state: Any, player: int) -> tuple[Any, int]:
        return (state if self.choices is not None else without_clock(self.game, state)), player

    def _expected(self, state: Any, player: int) -> dict[int, float]:
        legal = self.game.legal_actions(state, player)
        if not legal:
            return {}
        seen = self._seen.get(self._key(state, player), np.zeros(len(legal)))
        return dict(zip(legal, shares(seen).tolist(), strict=True))

    def answers(self, look: int = 100, seed: int = 0) -> tuple[tuple[Answer, Answer], float | None]:
        """The answers of player 0 and of player 1 to what is expected now, and what they then win a game, on both sides in turn, or None.

        - `look`: of answers that look ahead, see `Responder`.
        - `seed`: of the random games at the end of the looking.
        """
        if self.choices is None:
            known: Any = functools.lru_cache(_KEPT)(self)
            leaf = RandomGames(self.game, seed=seed)
            first, second = (Responder(self.game, known, player, leaf, look).choose for player in (0, 1))
            return (first, second), None
        weights = self._even.copy()
        for key, counts in self._seen.items():
            weights[self._places[key] :][: len(counts)] += counts
        weights /= np.repeat(np.add.reduceat(weights, self._blocks), self._sizes)
        evaluation = Evaluation(self.choices, WrittenPolicy(self.choices, weights))
        first, second = (_pure(evaluation.response(player).policy, player) for player in (0, 1))
        return (first, second), evaluation.nash_conv / 2


def _pure(policy: Callable[[Any], Mixtures], player: int) -> Answer:
    @functools.lru_cache(_KEPT)
    def action(state: Any) -> int:
        given = policy(state)[player]
        return max(given, key=lambda choice: given[choice])

    return action


def choices_within(game: Game, state: Any, memory: float) -> Choices | None:
    """All positions from one on, each with its clock; None where they take more than so many bytes, or never end."""
    if Walks(game, state, fold=False).size(_WALKS).positions * _LEAST > memory:
        return None
    try:
        return Choices(enumerate_positions(game, state, memory=memory), memory)
    except (UnsupportedGameError, TooManyPositions):
        return None


# The model that few games are enough for.

_STEADY = 0.95
"""How sure the guess is that the other plays the solution: the rest is any action alike."""


class OpponentModel:
    """What a player has done so far, and by that what it is expected to do next.

    For few games of a solved game: it guesses across positions. By positions alone, as `Habits`, it would win less of the same bots.

    Five guesses are made: it plays the solution; any action alike; as before in this position; the same place in the list of its
    actions as before among as many; the same action as before wherever it could. Each weighs as much as its product of probabilities
    for all that was seen (Bayes' rule, with all alike before).
    """

    def __init__(self) -> None:
        self._seen: defaultdict[Hashable, Counter[int]] = defaultdict(Counter)
        self._evidence = np.zeros(5)
        """The logarithm of each guess's probability for what was seen."""

    @property
    def steadiness(self) -> float:
        """The weight of the first guess: how likely it is that the solution is played."""
        weights = np.exp(self._evidence - self._evidence.max())
        return float(weights[0] / weights.sum())

    def expected(
        self, game: Game, state: Any, player: int, solved: Mapping[int, float]
    ) -> NDArray[np.float64]:
        """The probabilities of a player's legal actions, in their order; `solved` are the solution's.

        - `game`, `state`, `player`: the rules, the position, and whose choice it is.
        - `solved`: its probabilities by action in the solution.
        """
        weights = np.exp(self._evidence - self._evidence.max())
        return np.asarray(weights @ self._guesses(game, state, player, solved) / weights.sum())

    def note(self, game: Game, state: Any, player: int, action: int, solved: Mapping[int, float]) -> None:
        """Learn from an action that a player took in a position."""
        actions = game.legal_actions(state, player)
        place = actions.index(action)
        self._evidence += np.log(self._guesses(game, state, player, solved)[:, place])
        self._seen[player, state][place] += 1
        self._seen[len(actions)][place] += 1
        self._seen["any"][action] += 1

    def _guesses(
        self, game: Game, state: Any, player: int, solved: Mapping[int, float]
    ) -> NDArray[np.float64]:
        """The guesses, a row for each."""
        actions = game.legal_actions(state, player)
        alike = np.full(len(actions), 1 / len(actions))
        rows = [
            _STEADY * np.array([solved.get(action, 0.0) for action in actions]) + (1 - _STEADY) * alike,
            alike,
        ]
        for seen, keys in (
            (self._seen.get((player, state), {}), range(len(actions))),
            (self._seen.get(len(actions), {}), range(len(actions))),
            (self._seen.get("any", {}), actions),
        ):
            rows.append(shares(np.array([seen.get(key, 0) for key in keys])))
        return np.array(rows)


# Taking what another player gives away, without risking more than was given, or than a stated price.
#
# In a solved game each position has a value v and a matrix of the values that follow. Whoever plays the mixture x against the column b
# expects (x M)_b. A player with a budget k may choose any x with (x M)_b >= v - k for each b, and among these the one that gets most
# against what the other is expected to do. When the other has chosen b, what it gave away is added: k + (x M)_b - v, which is never
# negative. So at every position the player still expects at least v - k, whoever the other is and whatever it knows, and the whole game
# costs at most the budget at its beginning: by induction from the end, since the mean of v' - k' over what both do next is at least
# v - k by the choice of k'. (Ganzfried and Sandholm, Safe Opponent Exploitation, 2015, "risk what you have won in expectation";
# McCracken and Bowling, Safe Strategies for Agent Modelling in Games, 2004, for a price.)

_ROUNDING = 1e-10


def safe_mixture(
    hopes: NDArray[np.float64], expected: NDArray[np.float64], matrix: NDArray[np.float64], least: float
) -> NDArray[np.float64] | None:
    """The row player's mixture with the best hopes against the expected columns, of those that are sure of `least` against each column.

    - `hopes`: what the row player hopes for, shape (rows, columns).
    - `expected`: the column player's probabilities, shape (columns,).
    - `matrix`: what the row player can be sure of, shape (rows, columns).
    - `least`: the value of the matrix, or less.

    None where rounding leaves no such mixture.

    >>> import numpy as np
    >>> from saddlepoint.policies import safe_mixture
    >>> pennies, heads = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, 0.0])
    >>> [safe_mixture(pennies, heads, pennies, least).round(6).tolist() for least in (0.0, -0.5)]
    [[0.5, 0.5], [0.75, 0.25]]
    """
    from scipy.optimize import linprog

    rows = len(matrix)
    if rows == 1:
        return np.ones(1)
    found = linprog(
        -(hopes @ expected),
        A_ub=-matrix.T,
        b_ub=np.full(matrix.shape[1], _ROUNDING - least),
        A_eq=np.ones((1, rows)),
        b_eq=[1.0],
        method="highs",
    )
    if not found.success:
        return None
    weights = np.maximum(found.x, 0.0)
    return weights / weights.sum()


class SafeExploitation:
    """One player's choices in one game of a solved game.

    `saw` is called at every position of the game, or at least where the player chooses, and `chose` with its choice there.
    """

    def __init__(
        self, solution: Solution, player: int, risk: float, model: OpponentModel, erring: Erring | None = None
    ) -> None:
        self._solution, self._player, self._model, self._erring = solution, player, model, erring
        self.budget = risk
        """What may be lost of the position's value, in the game's units."""
        self._before: tuple[Any, NDArray[np.float64], NDArray[np.float64], float] | None = None
        """Of the last position in which anybody chose: itself, the player's mixture, its matrix and value for the player."""
        self._action = NO_ACTION

    def saw(self, state: Any) -> None:
        """This is the position now: what the other has given away since the last one is counted, and its habit noted."""
        game, solution = self._solution.game, self._solution
        self._settle(state)
        self._before = None
        if game.players_to_act(state) and solution.has(state):
            stage = solution.at(state)
            sign = 1 - 2 * self._player
            matrix = np.array(stage.matrix) if self._player == 0 else -np.array(stage.matrix).T
            self._before = (
                state,
                self._mixture_in(state, stage.strategies, matrix, sign * stage.value),
                matrix,
                sign * stage.value,
            )
            self._action = NO_ACTION

    def mixture(self, state: Any) -> dict[int, float]:
        """The player's probabilities by action in the position that was seen last."""
        if self._before is None or self._before[0] != state:
            self.saw(state)
        assert self._before is not None
        actions = self._solution.game.legal_actions(state, self._player)
        return dict(zip(actions, self._before[1].tolist(), strict=True))

    def chose(self, action: int) -> None:
        """The player has drawn this action from the mixture."""
        self._action = action
        game, state = self._solution.game, self._before[0] if self._before is not None else None
        if state is not None and game.players_to_act(state) == (self._player,):
            after = game.advance(state, *((action, NO_ACTION) if self._player == 0 else (NO_ACTION, action)))
            if game.players_to_act(after):  # else chance says what comes
                self.saw(after)

    def _mixture_in(
        self,
        state: Any,
        solved: tuple[dict[int, float], dict[int, float]],
        matrix: NDArray[np.float64],
        value: float,
    ) -> NDArray[np.float64]:
        other = 1 - self._player
        own = solved[self._player]
        steady = np.array(list(own.values())) if own else np.ones(1)
        if not own:
            return steady
        expected = (
            self._model.expected(self._solution.game, state, other, solved[other])
            if solved[other]
            else np.ones(1)
        )
        hopes = self._hopes(state, matrix)
        found = safe_mixture(hopes, expected, matrix, value - self.budget)
        # Of two that get the same the solution's is played.
        return steady if found is None or (found - steady) @ hopes @ expected < _ROUNDING else found

    def _hopes(self, state: Any, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values that follow, and as far as the other does not play the solution what is won from somebody who errs everywhere."""
        if self._erring is None or (worths := self._erring.after(state, self._player)) is None:
            return matrix
        steady = self._model.steadiness
        return steady * matrix + (1 - steady) * worths

    def _settle(self, state: Any) -> None:
        """Count what the other gave away by what led to this position; of several choices that may have, the one that gave least."""
        if self._before is None or state == self._before[0]:
            return
        before, mixture, matrix, value = self._before
        game, other = self._solution.game, 1 - self._player
        columns = game.legal_actions(before, other) or [NO_ACTION]
        kept = mixture @ matrix
        joint = [(self._action, one) if self._player == 0 else (one, self._action) for one in columns]
        possible = [k for k, both in enumerate(joint) if _leads_to(game, before, both, state)]
        given = min(kept[k] for k in possible) if possible else kept.min()
        self.budget = max(self.budget + float(given) - value, 0.0)
        if len(possible) == 1 and columns != [NO_ACTION]:
            solved = self._solution.at(before).strategies[other]
            self._model.note(game, before, other, columns[possible[0]], solved)


def _leads_to(game: Game, state: Any, joint: tuple[int, int], target: Any) -> bool:
    """Whether a joint action, and any outcomes of chance after it, lead from a position to another."""
    waiting = [game.advance(state, *joint)]
    while waiting:
        if (after := waiting.pop()) == target:
            return True
        if game.current_player(after) == CHANCE:
            waiting += [game.next_state(after, outcome) for outcome, _ in game.chance_outcomes(after)]
    return False
