"""Exploitation at a price: whoever the other is, and whatever it knows, the game costs at most the price."""

import copy
import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from helpers.walks import after_one_step
from saddlepoint.game.base import CHANCE, TERMINAL, Game
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.matrix import solve_matrix
from saddlepoint.policies.opponents import OpponentModel, SafeExploitation, safe_mixture
from saddlepoint.solvers.beforehand import solve_beforehand
from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.check import Erring

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
GAMES = {
    "biased_rps": {},
    "goofspiel": {"cards": 3},
    "oshi_zumo": {"coins": 4},
    "tic_tac_toe": {},
}


def solved(name: str, **parameters: Any) -> Solution:
    found = solve_beforehand(make_game(name, **GAMES[name] | parameters))
    assert found is not None
    return found


def misled(solution: Solution, seed: int) -> OpponentModel:
    """OpponentModel from games in which everybody played as some seed says: they tempt, and are no guide to who plays now."""
    game, draw, habits = solution.game, random.Random(seed), OpponentModel()
    for _ in range(20):
        state = solution.root
        while game.current_player(state) != TERMINAL:
            joint = [-1, -1]
            for player in game.players_to_act(state):
                joint[player] = min(game.legal_actions(state, player), key=lambda one: hash((one, seed)) % 7)
                habits.note(game, state, player, joint[player], solution.at(state).strategies[player])
            if game.current_player(state) == CHANCE:
                joint[0] = draw.choice(game.chance_outcomes(state))[0]
            state = game.advance(state, *joint)
    return habits


def worst(game: Game, one: SafeExploitation, player: int, state: Any) -> float:
    """The least that the player expects from here, against somebody who knows all that it knows, and its mixtures: exactly."""
    return _worst(game, one, player, state, copy.deepcopy, lambda _: None)


def _worst(
    game: Game,
    one: Any,
    player: int,
    state: Any,
    copied: Callable[[Any], Any],
    certain: Callable[[Any], float | None],
) -> float:
    if (known := certain(state)) is not None:
        return known * (1 - 2 * player)
    node = game.current_player(state)
    if node == TERMINAL:
        return game.returns(state) * (1 - 2 * player)
    if node == CHANCE:
        return sum(
            share * _worst(game, one, player, game.next_state(state, outcome), copied, certain)
            for outcome, share in game.chance_outcomes(state)
        )
    one = copied(one)
    one.saw(state)
    own = one.mixture(state) if player in game.players_to_act(state) else {-1: 1.0}
    found = []
    for answer in game.legal_actions(state, 1 - player) or [-1]:
        total = 0.0
        for action, share in own.items():
            if share > 0:
                after = copied(one)
                after.chose(action)
                joint = (action, answer) if player == 0 else (answer, action)
                total += share * _worst(game, after, player, game.advance(state, *joint), copied, certain)
        found.append(total)
    return min(found)


def forked(one: Any) -> Any:
    """A copy that goes on by itself. All that it does to what it shares is to note the last position's action in the model."""
    after, model = copy.copy(one), copy.copy(one._model)
    model._evidence, model._seen, after._model = model._evidence.copy(), model._seen.copy(), model
    if one._before is not None:
        state, other = one._before[0], 1 - one._player
        for key in ((other, state), len(one._solution.game.legal_actions(state, other)), "any"):
            model._seen[key] = model._seen[key].copy()
    return after


def certain_in(game: Game) -> Callable[[Any], float | None]:
    """Gives the result of a position from which all ways end with the same one, else None."""

    @functools.cache
    def certain(state: Any) -> float | None:
        found = set(map(certain, after_one_step(game, state))) or {float(game.returns(state))}
        return found.pop() if len(found) == 1 else None

    return certain


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("risk", [0.0, 0.4])
@pytest.mark.parametrize("cards", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_cheap_copies_without_what_is_certain_count_the_same(cards: int, risk: float, player: int) -> None:
    solution = solved("goofspiel", cards=cards)
    game, erring = solution.game, Erring(solution)
    found = worst(
        game, SafeExploitation(solution, player, risk, misled(solution, 1), erring), player, solution.root
    )
    one = SafeExploitation(solution, player, risk, misled(solution, 1), erring)
    assert _worst(game, one, player, solution.root, forked, certain_in(game)) == pytest.approx(
        found, abs=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize(("risk", "player"), [(0.0, 0), (0.4, 1)])
def test_with_drawn_prizes_and_five_cards_it_never_expects_less_than_the_value_minus_the_price(
    risk: float, player: int
) -> None:
    """Compiled each takes one to two minutes of a core."""
    solution = solved("goofspiel", cards=5)
    game, one = solution.game, SafeExploitation(solution, player, risk, misled(solution, 1), Erring(solution))
    value = solution.value * (1 - 2 * player)
    assert _worst(game, one, player, solution.root, forked, certain_in(game)) >= value - risk - 1e-6


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("risk", [0.0, 0.4])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("biased_rps", {}),
        ("goofspiel", {}),
        pytest.param("goofspiel", {"cards": 4}, marks=pytest.mark.slow),
        pytest.param("goofspiel", {"cards": 5, "order": "descending"}, marks=pytest.mark.slow),
        pytest.param("goofspiel", {"cards": 5, "order": "3 5 1 4 2"}, marks=pytest.mark.slow),
        pytest.param("oshi_zumo", {}, marks=pytest.mark.compiles_long),
    ],
)
def test_against_somebody_who_knows_it_all_it_never_expects_less_than_the_value_minus_the_price(
    name: str, parameters: dict[str, Any], risk: float, player: int
) -> None:
    solution = solved(name, **parameters)
    one = SafeExploitation(solution, player, risk, misled(solution, 1), Erring(solution))
    value = solution.value * (1 - 2 * player)
    assert worst(solution.game, one, player, solution.root) >= value - risk - 1e-6


def test_a_price_that_may_be_paid_is_paid_where_habits_mislead() -> None:
    solution = solved("biased_rps")
    one = SafeExploitation(solution, 0, 5.0, misled(solution, 1))
    assert worst(solution.game, one, 0, solution.root) < solution.value - 1.0


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6), st.floats(0, 2))
def test_of_all_mixtures_that_keep_the_least_none_gets_more(m: int, n: int, seed: int, budget: float) -> None:
    draw = np.random.default_rng(seed)
    hopes, matrix = draw.integers(-3, 4, (2, m, n)).astype(float)
    expected = draw.dirichlet(np.ones(n))
    least = solve_matrix(matrix).value - budget
    found = safe_mixture(hopes, expected, matrix, least)
    assert found is not None
    assert found.sum() == pytest.approx(1)
    assert (found @ matrix).min() >= least - 1e-6
    for other in (*np.eye(m), *draw.dirichlet(np.ones(m), 50)):
        if (other @ matrix).min() >= least:
            assert other @ hopes @ expected <= found @ hopes @ expected + 1e-6


def test_what_the_other_gives_away_may_be_risked_later() -> None:
    """In Goofspiel with win or loss: whoever bids the 3 for the 1, against the equilibrium, has given something away."""
    solution = solved("goofspiel")
    game = solution.game
    state = next(
        after
        for outcome, _ in game.chance_outcomes(solution.root)
        if (after := game.next_state(solution.root, outcome)).prize == 0
    )
    one = SafeExploitation(solution, 0, 0.0, OpponentModel())
    one.saw(state)
    own = one.mixture(state)
    stage = solution.at(state)
    expected = np.array(list(own.values())) @ np.array(stage.matrix)
    action = max(own, key=lambda each: own[each])
    one.chose(action)
    after = game.advance(state, action, 2)
    while game.current_player(after) == CHANCE:
        after = game.next_state(after, game.chance_outcomes(after)[0][0])
    one.saw(after)
    assert one.budget == pytest.approx(expected[2] - stage.value)
    assert one.budget > 0.01


def test_who_errs_in_turn_games_is_seen_to() -> None:
    solution = solved("tic_tac_toe")
    game = solution.game
    one = SafeExploitation(solution, 0, 0.0, OpponentModel())
    state = solution.root
    one.saw(state)
    one.chose(4)
    for own in (game.next_state(state, 4),):
        one.saw(own)
        one.saw(game.next_state(own, 1))  # an edge against the centre loses
    assert one.budget == pytest.approx(1.0)


def test_told_only_where_it_chooses_it_counts_the_same_and_learns_the_same() -> None:
    """So does a process of its own, which is asked for moves alone."""
    solution, models = solved("tic_tac_toe"), (OpponentModel(), OpponentModel())
    game, budgets, state = solution.game, list[float](), solution.root
    for model, is_told in zip(models, (True, False), strict=True):
        one, state = SafeExploitation(solution, 0, 0.0, model), solution.root
        for own, others in ((4, 1), (0, 8)):
            one.saw(state)
            one.chose(own)
            between = game.next_state(state, own)
            if is_told:
                one.saw(between)
            state = game.next_state(between, others)
        one.saw(state)
        budgets.append(one.budget)
    assert budgets[0] == budgets[1] == pytest.approx(1.0)
    after = game.next_state(state, 2)
    alike = dict.fromkeys(game.legal_actions(after, 1), 0.5)
    first, second = (model.expected(game, after, 1, alike).tolist() for model in models)
    assert first == second


def test_a_habit_is_expected_where_it_was_seen_and_where_it_was_not() -> None:
    """Who always plays its highest card is expected to play it at a prize that has not come up yet."""
    game, habits = make_game("goofspiel", cards=4), OpponentModel()
    *seen, new = [game.next_state(game.initial_state(), prize) for prize in range(4)]
    alike = dict.fromkeys(range(4), 0.25)
    assert habits.expected(game, new, 1, alike).tolist() == pytest.approx([0.25] * 4)
    for _ in range(5):
        for state in seen:
            habits.note(game, state, 1, 3, alike)
    assert habits.expected(game, seen[0], 1, alike)[3] > 0.9
    assert habits.expected(game, new, 1, alike)[3] > 0.9


def test_who_is_lost_for_certain_may_be_paid_to_last() -> None:
    """The evader's value is -0.875: for the eighth that is left it goes where pursuers who err lose its track."""
    solution = solve_beforehand(make_game("pursuit_evasion"))
    assert solution is not None
    game, model = solution.game, OpponentModel()
    alike = dict.fromkeys(game.legal_actions(solution.root, 1), 1 / 4)
    for action in [*alike] * 5:
        model.note(game, solution.root, 1, action, solution.at(solution.root).strategies[1])
    for risk, expected in ((0.0, {1, 2}), (0.125, {0, 3})):
        one = SafeExploitation(solution, 0, risk, model, Erring(solution))
        one.saw(solution.root)
        assert {action for action, share in one.mixture(solution.root).items() if share > 0.01} <= expected


def test_nothing_known_the_solution_is_played() -> None:
    solution = solved("oshi_zumo")
    one = SafeExploitation(solution, 0, 0.0, OpponentModel())
    one.saw(solution.root)
    least = solution.value
    mixture = one.mixture(solution.root)
    matrix = np.array(solution.at(solution.root).matrix)
    assert (np.array(list(mixture.values())) @ matrix).min() >= least - 1e-6
