"""What a player was seen to do gives what is expected of it, and the answer to that is the best one."""

import pytest

from saddlepoint.games import BiasedRPS, Goofspiel, Soccer
from saddlepoint.policies import BestResponse, UniformPolicy, best_response, nash_conv, probabilities
from saddlepoint.policies.evaluation import WrittenPolicy, all_choices
from saddlepoint.policies.opponents import Habits, choices_within

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
ROCK, PAPER, SCISSORS = range(3)
RPS, SHORT = BiasedRPS(), Goofspiel(cards=3)
START = RPS.initial_state()


def habits_of(*actions: int, player: int = 1) -> Habits:
    habits = Habits(RPS, all_choices(RPS))
    for action in actions:
        habits.see(START, player, action)
    return habits


def test_without_any_game_all_actions_are_expected_alike():
    assert probabilities(RPS, START, Habits(RPS), 0) == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3})


def test_what_was_seen_is_smoothed_by_one_choice_that_is_shared_out():
    expected = habits_of(ROCK, ROCK, PAPER)(START)[1]
    assert expected == pytest.approx({ROCK: (2 + 1 / 3) / 4, PAPER: (1 + 1 / 3) / 4, SCISSORS: (1 / 3) / 4})


def test_each_side_has_habits_of_its_own():
    habits = habits_of(*[ROCK] * 20, player=1)
    assert habits(START)[0] == habits_of()(START)[0]
    assert habits.met == 1


@pytest.mark.parametrize(("shown", "answer"), [(ROCK, PAPER), (PAPER, SCISSORS), (SCISSORS, ROCK)])
def test_the_answer_beats_what_is_shown_most(shown: int, answer: int):
    (first, _), expected = habits_of(*[shown] * 20).answers()
    assert first(START) == answer
    assert expected is not None and expected > 0


def test_the_answers_are_best_responses_to_what_is_expected():
    choices = all_choices(SHORT)
    habits = Habits(SHORT, choices)
    prize = SHORT.next_state(SHORT.initial_state(), SHORT.chance_outcomes(SHORT.initial_state())[0][0])
    for bid in (0, 0, 2):
        habits.see(prize, 1, SHORT.legal_actions(prize, 1)[bid])
    answers, expected = habits.answers()
    assert expected == pytest.approx(nash_conv(SHORT, habits) / 2)
    for player in (0, 1):
        best: BestResponse = best_response(SHORT, habits, player)
        given = best.policy(prize)[player]
        assert given[answers[player](prize)] == 1.0


def test_an_answer_that_looks_ahead_finds_the_same_where_it_sees_the_end():
    habits = Habits(RPS)
    for _ in range(20):
        habits.see(START, 1, ROCK)
    (first, _), expected = habits.answers(look=10)
    assert first(START) == PAPER
    assert expected is None  # nobody went through all positions


def test_without_all_positions_the_clock_makes_no_difference():
    game = Soccer(max_moves=6)
    begun = game.next_state(game.initial_state(), 0)
    habits = Habits(game)
    habits.see(begun, 0, 4)
    assert habits(begun._replace(moves=3)) == habits(begun)
    assert habits(begun)[0][4] > habits(begun)[0][0]


def test_all_positions_are_gone_through_where_they_fit():
    assert choices_within(SHORT, SHORT.initial_state(), 1e9) is not None
    assert choices_within(Goofspiel(cards=6), Goofspiel(cards=6).initial_state(), 1e5) is None


def test_a_written_policy_plays_what_is_written():
    choices, even = all_choices(SHORT), UniformPolicy(SHORT)
    written = WrittenPolicy(choices, choices.weights(even))
    assert nash_conv(SHORT, written) == pytest.approx(nash_conv(SHORT, even))
