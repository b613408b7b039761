"""Parameters: paths into specs, ranges, and what is said of those that are none."""

import pytest
from hypothesis import given, strategies as st

from helpers.arena_games import SMALL
from saddlepoint.arena.tuning_plan import (
    Parameter,
    check_parameters,
    compiled_in,
    values_of,
    with_values,
)

PLAYER = "alphabeta(evaluator=voronoi_edges(k1=0.1), depth=2)"


def parameters(*texts: str) -> tuple[Parameter, ...]:
    return tuple(Parameter.parse(text) for text in texts)


@pytest.mark.parametrize(
    ("text", "parameter", "written"),
    [
        ("evaluator.k1=0..1", Parameter("evaluator.k1", 0.0, 1.0), "evaluator.k1=0..1"),
        (" depth = 1 .. 8:int", Parameter("depth", 1.0, 8.0, whole=True), "depth=1..8:int"),
        ("a.b=1e-3..+.5:log", Parameter("a.b", 0.001, 0.5, log=True), "a.b=0.001..0.5:log"),
        ("n=1..64:int:log", Parameter("n", 1.0, 64.0, True, True), "n=1..64:int:log"),
        ("k=-0.2..-0.1", Parameter("k", -0.2, -0.1), "k=-0.2..-0.1"),
    ],
)
def test_a_parameter_is_a_path_and_a_range(text: str, parameter: Parameter, written: str) -> None:
    assert Parameter.parse(text) == parameter
    assert str(parameter) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("evaluator.k1", "a parameter is PATH=LOW..HIGH"),
        ("evaluator.k1=1", "a parameter is PATH=LOW..HIGH"),
        ("=0..1", "a parameter is PATH=LOW..HIGH"),
        ("k=0..1:float", "a parameter is PATH=LOW..HIGH"),
        ("k=0..__import__('os')", "a parameter is PATH=LOW..HIGH"),
        ("k=1..0", "from low to high, not from 1 to 0"),
        ("k=1..1", "from low to high"),
        ("k=0..1e999", "from low to high"),
        ("k=0..1:log", "begins above 0"),
        ("k=0.5..3:int", "between whole numbers"),
    ],
)
def test_what_is_no_parameter_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refusal:
        Parameter.parse(text)
    assert "\n" not in str(refusal.value)


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.floats(-1e4, 1e4))
def test_values_that_are_tried_lie_in_the_range_and_near_what_was_wanted(
    low: float, width: float, wanted: float
) -> None:
    one = Parameter("k", low, low + width)
    value = one.fitting(wanted)
    assert one.low <= value <= one.high
    assert abs(value - min(max(wanted, one.low), one.high)) <= width * 1e-4
    assert one.fitting(value) == value
    assert repr(Parameter("depth", 1, 8, whole=True).fitting(3.4)) == "3", "a whole number stays one"


@pytest.mark.parametrize(
    ("player", "values", "changed"),
    [
        (
            PLAYER,
            {"evaluator.k1": 0.5, "depth": 3},
            "alphabeta(evaluator=voronoi_edges(k1=0.5), depth=3)",
        ),
        (
            "alphabeta(evaluator=voronoi_edges)",
            {"evaluator.k2": -1.0},
            "alphabeta(evaluator=voronoi_edges(k2=-1.0))",
        ),
        ("alphabeta", {"depth": 2}, "alphabeta(depth=2)"),
    ],
)
def test_values_go_where_their_path_leads(player: str, values: dict[str, float], changed: str) -> None:
    assert with_values(player, values) == changed


def test_a_path_that_leads_nowhere_is_told() -> None:
    said = r"evaluator.k1 is a path into the player's spec, but alphabeta has no evaluator\(...\) there"
    with pytest.raises(ValueError, match=said):
        with_values("alphabeta", {"evaluator.k1": 0.5})


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("evaluator.k3=0..1",), "voronoi_edges has no option 'k3'; known: k1, k2, scale"),
        (("evaluator.scale=-1..1",), "scale must be 0"),
        (("depth=1..4",), "depth takes a whole number"),
        (("evaluator.k1=0..1", "evaluator.k1=0..2"), "evaluator.k1 has two"),
        ((), "a tuning needs a parameter"),
    ],
)
def test_a_player_must_be_possible_at_both_ends_of_every_range(texts: tuple[str, ...], message: str) -> None:
    check_parameters(PLAYER, parameters("evaluator.k1=0..1", "depth=1..4:int"), SMALL)
    with pytest.raises(ValueError, match=message) as refusal:
        check_parameters(PLAYER, parameters(*texts), SMALL)
    assert "\n" not in str(refusal.value)


def test_the_values_of_a_player_are_those_of_its_spec_or_its_defaults() -> None:
    assert values_of(
        PLAYER, parameters("evaluator.k1=0..1", "evaluator.k2=0..1", "depth=1..4:int"), SMALL
    ) == {
        "evaluator.k1": 0.1,
        "evaluator.k2": 0.194,
        "depth": 2,
    }
    assert values_of("alphabeta(evaluator=voronoi)", parameters("depth=1..4:int"), SMALL) == {}


def test_it_is_known_which_values_need_a_compilation() -> None:
    some = parameters("evaluator.k1=0..1", "evaluator.scale=1..9", "depth=1..4:int")
    assert compiled_in(PLAYER, some, SMALL) == ["evaluator.scale"]
