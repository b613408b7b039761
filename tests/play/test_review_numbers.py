"""A review in numbers: accuracy, mistakes by size, and what a result was made of, which adds up and tells luck from choices."""

import math
import random
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from saddlepoint.algorithms import BackwardInduction, Limits, PrincipalVariation
from saddlepoint.algorithms.analysis import GameReview, ReviewedTurn, judge
from saddlepoint.compiled import kernel, mix
from saddlepoint.game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from saddlepoint.games.biased_rps import BiasedRPS
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.play.finished_game import FinishedGame
from saddlepoint.play.review import review_finished, review_json
from saddlepoint.play.review_numbers import (
    Balance,
    balance,
    balance_rows,
    balance_words,
    judged_words,
    mistakes,
    number_rows,
    numbers,
    rounded,
    tolerance,
)
from small_games import Guess, Turns

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

FAR = Limits(depth=12)


class Nothing(NamedTuple):
    step: int


@dataclass(frozen=True)
class NoChoice(Game):
    """Player 0 has one move each time, player 1 two that are worth the same: nobody ever chooses anything."""

    name: ClassVar[str] = "no_choice"
    max_actions: ClassVar[int] = 2
    max_depth: ClassVar[int] = 2

    def initial_state(self) -> Nothing:
        return Nothing(0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.step == 2 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        out[1] = 1
        return 1 + player

    @kernel
    def next_state(self, state, action0, action1):
        return Nothing(state.step + 1)

    @kernel
    def returns(self, state):
        return 1.0

    @kernel
    def hash(self, state):
        return mix(np.uint64(state.step))


def played(game: Game, joints: list[tuple[int, int]], names: tuple[str, str] = ("You", "best")) -> FinishedGame:
    states: list[Any] = [game.initial_state()]
    for joint in joints:
        states.append(game.advance(states[-1], *joint))
    over = game.current_player(states[-1]) == TERMINAL
    return FinishedGame(game, names, states, joints, float(game.returns(states[-1])) if over else None)


def at_random(game: Game, seed: int, most: int = 100) -> FinishedGame:
    """A game in which everybody draws a move."""
    draw, state, joints = random.Random(seed), game.initial_state(), list[tuple[int, int]]()
    while game.current_player(state) != TERMINAL and len(joints) < most:
        if game.current_player(state) == CHANCE:
            joint = draw.choice(game.chance_outcomes(state))[0], NO_ACTION
        else:
            to_act = game.players_to_act(state)
            a, b = (draw.choice(list(game.legal_actions(state, p))) if p in to_act else NO_ACTION for p in (0, 1))
            joint = a, b
        joints.append(joint)
        state = game.advance(state, *joint)
    return played(game, joints)


def in_turn(*cells: int) -> list[tuple[int, int]]:
    return [(cell, -1) if place % 2 == 0 else (-1, cell) for place, cell in enumerate(cells)]


def reviewed(one: FinishedGame, limits: Limits = FAR) -> GameReview:
    algorithm = PrincipalVariation() if one.game.turn_based else BackwardInduction()
    found = review_finished(one, algorithm, limits)
    assert found is not None
    return found


def with_losses(one: FinishedGame, *losses: tuple[float, dict[int, float]]) -> GameReview:
    """A review that found of player 0's moves, one a step, what was lost and what each move would have lost."""
    turns = tuple(
        ReviewedTurn(step, 0.0, (0, -1), ({0: 1.0}, {}), one.actions[step], (loss, 0.0), 1, True, -loss, (choices, {}))
        for step, (loss, choices) in enumerate(losses)
    )  # fmt: skip
    verdict = judge([0.0] * len(one.states), one.result, -1.0, 1.0)
    return GameReview((), verdict, 1, True, (), turns)


def adds_up(one: FinishedGame, found: GameReview) -> Balance:
    made = balance(one, found)
    assert made is not None
    assert math.fsum(part.value for part in made.parts) == pytest.approx(made.result, abs=1e-9)
    for player in (0, 1):
        *parts, whole = (round(100 * float(row.values[player])) for row in balance_rows(one, found))
        assert sum(parts) == whole, "the numbers add up as they are shown, too"
    return made


# -- accuracy and mistakes --------------------------------------------------------------------------------------------


def test_accuracy_is_what_was_kept_of_what_could_have_been_given_away() -> None:
    one = played(TicTacToe(), [(0, -1), (1, -1), (2, -1)])
    a, b = numbers(one, with_losses(one, (0.5, {0: 0.5, 1: 0.0, 2: 2.0}), (0.0, {0: 0.0, 1: 0.0}), (0.0, {2: 0.0, 3: 1.0})))
    assert (a.judged, b.judged) == (2, 0), "a move is judged where another one is worth something else"
    assert a.accuracy == pytest.approx(100 * (1 - 0.5 / 3.0))
    assert a.mean_loss == pytest.approx(0.25)


def test_the_best_move_every_time_is_100_percent_and_the_worst_0() -> None:
    one = played(TicTacToe(), [(0, -1), (1, -1)])
    assert numbers(one, with_losses(one, (0.0, {0: 0.0, 5: 1.0}), (0.0, {1: 0.0, 5: 1.0})))[0].accuracy == 100.0
    assert numbers(one, with_losses(one, (1.0, {0: 1.0, 5: 0.0}), (2.0, {1: 2.0, 5: 0.0})))[0].accuracy == 0.0


@pytest.mark.parametrize(
    ("loss", "size"), [(0.09, ""), (0.1, "small"), (0.39, "small"), (0.4, "medium"), (0.79, "medium"), (0.8, "large"), (2.0, "large")]
)
def test_mistakes_have_sizes_that_are_shares_of_the_range_of_results(loss: float, size: str) -> None:
    """The range is 2: a twentieth, a fifth and two fifths of it."""
    one = played(TicTacToe(), [(0, -1)])
    found = with_losses(one, (loss, {0: loss, 1: 0.0, 2: 2.0}))
    assert [mistake.size for mistake in mistakes(one, found)] == ([size] if size else [])
    assert sum(numbers(one, found)[0].mistakes) == bool(size)
    assert (loss < tolerance(one)) == (not size), "what is tolerated is no mistake, and what is not is one"


def test_where_nothing_was_judged_there_is_no_number() -> None:
    one = played(NoChoice(), [(0, 0), (0, 1)])
    found = reviewed(one)
    for own in numbers(one, found):
        assert (own.judged, own.accuracy, own.mean_loss, sum(own.mistakes)) == (0, None, None, 0)
    assert number_rows(one, found) == []
    assert judged_words(one, found) == ["No move was judged: in every position the moves were worth the same, or there was only one."]
    assert mistakes(one, found) == []
    adds_up(one, found)


def test_a_move_of_the_equilibriums_mixture_is_no_mistake() -> None:
    one = played(BiasedRPS(), [(0, 1)])
    found = reviewed(one)
    assert mistakes(one, found) == []
    made = adds_up(one, found)
    assert made.of("met") == pytest.approx(made.result), "all of the result is how both moves met"
    assert made.exact


# -- what the result was made of --------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([Goofspiel(cards=3), Goofspiel(cards=3, utility="points"), Guess(), Turns(), TicTacToe()]), st.integers(0, 10**6))
def test_the_parts_add_up_to_the_result_of_any_game_however_shallow_the_search(game: Game, seed: int) -> None:
    one = at_random(game, seed)
    found = reviewed(one, Limits(nodes=200))
    adds_up(one, found)
    for own in numbers(one, found):
        assert own.accuracy is None or 0.0 <= own.accuracy <= 100.0


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_in_a_solved_game_nothing_is_left_that_only_later_searches_saw(seed: int) -> None:
    one = at_random(Goofspiel(cards=3), seed)
    found = reviewed(one)
    made = adds_up(one, found)
    assert made.exact
    assert "seen" not in [part.kind for part in made.parts]
    assert made.of("choices 0") <= 0.0 <= made.of("choices 1"), "nobody gains by the own choice"
    luck = math.fsum(turn["luck"] or 0.0 for turn in review_json(one, found)["turns"])
    assert luck == pytest.approx(made.of("drawn") + made.of("met"), abs=1e-9), "step by step it is the same luck"


def test_what_chance_draws_brings_nothing_on_average() -> None:
    """Over all prizes that may come first, by their probabilities."""
    game, brought = Goofspiel(cards=3, utility="points"), 0.0
    for outcome, probability in game.chance_outcomes(game.initial_state()):
        state, joints = game.advance(game.initial_state(), outcome, NO_ACTION), [(outcome, NO_ACTION)]
        found = reviewed(replace(played(game, joints), result=0.0))
        turn = next(one for one in found.turns if one.step == 0)
        brought += probability * (turn.after - turn.value)
        assert game.current_player(state) == SIMULTANEOUS
    assert brought == pytest.approx(0.0, abs=1e-9)


def test_a_game_in_turn_without_chance_has_no_luck() -> None:
    one = played(TicTacToe(), in_turn(0, 3, 1, 4, 8, 5))
    found = reviewed(one)
    made = adds_up(one, found)
    assert [part.kind for part in made.parts] == ["start", "choices 0", "choices 1"]
    assert made.exact
    said = " ".join(balance_words(one, found))
    assert "hance" not in said and "met" not in said and "about" not in said
    assert said == f"Your own choices cost {-made.of('choices 0'):.2f}. The choices of best cost {made.of('choices 1'):.2f}."
    assert all(turn["luck"] is None for turn in review_json(one, found)["turns"])


def test_what_is_only_estimated_is_said_with_about() -> None:
    one = played(TicTacToe(), in_turn(0, 3, 1, 4, 8, 5))
    found = reviewed(one, Limits(depth=1))
    made = adds_up(one, found)
    assert not made.exact
    said = " ".join(balance_words(one, found))
    assert "about" in said or "that the searches saw" in said


def test_a_resignation_and_a_fault_are_parts_of_their_own() -> None:
    begun = played(TicTacToe(), in_turn(0, 4, 8, 1, 7))
    for ended, label in (
        (replace(begun, result=-1.0), "the resignation"), (replace(begun, result=-1.0, faults=("it was late", "")), "the fault")
    ):  # fmt: skip
        found = reviewed(ended)
        made = adds_up(ended, found)
        assert made.of("ended") == pytest.approx(-1.0), "the position was even"
        assert balance_rows(ended, found)[-2].label == label


def test_of_a_game_that_goes_on_no_result_is_told_but_its_moves_are_judged() -> None:
    one = played(TicTacToe(), in_turn(0, 1, 4, 3))
    found = reviewed(one)
    assert balance(one, found) is None
    assert balance_rows(one, found) == balance_words(one, found) == []
    assert numbers(one, found)[1].mistakes[-1] == 1


def test_a_mistake_is_told_with_what_every_move_would_have_given_away() -> None:
    one = played(TicTacToe(), in_turn(0, 3, 1, 4, 8, 5))
    told = review_json(one, reviewed(one))
    last = next(mistake for mistake in told["mistakes"] if mistake["step"] == 4)
    assert (last["player"], last["move"], last["loss"], last["size"], last["exact"]) == (0, "8", 2.0, "large", True)
    losses = {choice["name"]: choice["loss"] for choice in last["choices"]}
    assert losses["2"] == 0.0 and losses["8"] == 2.0
    assert set(losses) == {"2", "5", "6", "7", "8"}


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8))
def test_rounded_numbers_add_up_and_are_off_by_a_hundredth_at_most(values: list[float]) -> None:
    whole = math.fsum(values)
    shown = rounded(values, whole)
    assert round(100 * sum(shown)) == round(100 * whole)
    assert all(abs(a - b) < 0.0101 for a, b in zip(values, shown, strict=True))
    assert rounded([0.0, 1 / 3, 1 / 3, 1 / 3], 1.0)[0] == 0.0, "what is nothing stays nothing"
