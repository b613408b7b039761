"""A value as text and as plain data, the order of values, and a line by name."""

import math

import pytest
from hypothesis import given, strategies as st

from helpers.small_games import Guess
from saddlepoint.algorithms import BackwardInduction, Limits, search
from saddlepoint.algorithms.result import Line, Value

pytestmark = pytest.mark.plain

REALS = st.floats(allow_nan=False)


@given(
    st.builds(
        Value,
        REALS,
        st.tuples(REALS, REALS),
        st.integers(0, 999),
        st.booleans(),
        st.none() | st.integers(1, 999),
    )
)
def test_text_is_read_as_the_value_that_it_is_of(value: Value) -> None:
    again = Value.of_text(str(value))
    assert again == value
    assert again.plies == value.plies


@pytest.mark.parametrize(
    "text", ["", "0.5", "0.5 [-1.0, 1.0]", "x [-1.0, 1.0] depth 3", "0.5 [-1.0, 1.0] depth 3 proven"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Value.of_text(text)


def test_values_are_ordered_by_what_they_are_for_player_0() -> None:
    values = [Value(value, (-1.0, 1.0)) for value in (0.5, -1.0, 0.0, math.inf)]
    assert [one.value for one in sorted(values)] == [-1.0, 0.0, 0.5, math.inf]


def test_a_searchs_result_is_a_value_and_what_it_cost() -> None:
    game = Guess(rounds=1)
    found = search(game, game.initial_state(), BackwardInduction(), Limits())
    assert isinstance(found, Value)
    assert str(found) == str(Value(found.value, found.bounds, found.depth, exact=True))
    assert Value.to_json(found).items() <= found.to_json().items()


def test_a_line_is_named_for_each_player_and_in_words() -> None:
    game = Guess(rounds=2)
    line, state = Line([(0, 1), (1, 1)]), game.initial_state()
    names = [[game.action_to_string(state, 0, a), game.action_to_string(state, 1, b)] for a, b in line]
    assert line.names(game, state) == names
    assert line.in_words(game, state) == [" ".join(step) for step in names]
    assert line.in_words(game, state, 1) == [" ".join(names[0])]
