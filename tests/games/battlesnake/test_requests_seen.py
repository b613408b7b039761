"""What is read of a request, with forgiveness."""

import pytest
from hypothesis import given, strategies as st

from helpers.snake_requests import asked, duel, snake
from saddlepoint.games.battlesnake.requests import read_request, timeout_of
from saddlepoint.system.json_fields import json_object

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def test_everything_that_is_told() -> None:
    seen = read_request(
        asked(
            snake("me", [(1, 1), (1, 2)], 40),
            snake("b", [(5, 5), (5, 5), (5, 4)]),
            size=9,
            food=[(2, 2)],
            hazards=[(0, 0), (0, 0)],
            turn=12,
            mode="wrapped_constrictor",
        )
    )
    assert (seen.width, seen.height, seen.turn, seen.wrapped, seen.constrictor, seen.is_there) == (
        9,
        9,
        12,
        True,
        True,
        True,
    )
    assert (seen.you.cells, seen.you.health, seen.you.name) == (((1, 1), (1, 2)), 40, "ME")
    assert [one.id for one in seen.others] == ["b"]
    assert seen.food == {(2, 2)} and seen.hazards == {(0, 0): 2}


def test_missing_fields_have_their_usual_values() -> None:
    seen = read_request({"board": {"width": 5, "height": 4}, "you": {"head": {"x": 2, "y": 3}}})
    assert (seen.you.cells, seen.you.health, seen.others, seen.turn) == (((2, 3),), 100, (), 0)
    assert not (seen.wrapped or seen.constrictor or seen.is_there)
    assert (
        timeout_of({}) == 0.5
        and timeout_of({"game": {"timeout": 0}}) == 0.5
        and timeout_of({"game": {"timeout": 80}}) == 0.08
    )


def test_unknown_fields_and_broken_snakes_are_left_out() -> None:
    told = duel() | {"weather": "bad"}
    told["board"]["snakes"] += [None, 3, {"id": "c"}, {"id": "d", "body": [{"x": "1"}]}]
    told["board"]["food"] += ["apple", {"x": 1}]
    seen = read_request(told)
    assert [one.id for one in seen.others] == ["you"] and len(seen.food) == 2


@pytest.mark.parametrize(
    ("here", "there", "latency"),
    [
        ("123", "123", 123),
        (None, "77", 77),
        (80, "77", 80),
        *((nonsense, nonsense, 0) for nonsense in ("", "soon", "nan", "inf", "-3", [1], None, "9" * 50)),
    ],
)
def test_the_latency_is_told_in_one_of_two_places(here, there, latency) -> None:
    told = asked(snake("me", [(1, 1)]))
    told["you"] = told["you"] | {"latency": here}
    told["board"]["snakes"][0]["latency"] = there
    assert read_request(told).you.latency == latency


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"board": {}},
        {"board": {"width": 11, "height": 11}},
        {"board": {"width": 0, "height": 5}, "you": snake("a", [(0, 0)])},
        {"board": {"width": 10**8, "height": 5}, "you": snake("a", [(0, 0)])},
        {"board": [], "you": snake("a", [(0, 0)])},
        {"board": {"width": True, "height": 11}, "you": snake("a", [(0, 0)])},
        {"board": {"width": 11, "height": 11}, "you": {"body": []}},
    ],
)
def test_what_shows_no_position_is_refused(told) -> None:
    with pytest.raises(ValueError):
        read_request(told)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b"1" * 10_000, b'{"a": ' * 5000]
)
def test_what_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError):
        json_object(body)


@given(st.dictionaries(st.sampled_from(["game", "board", "you", "turn"]), anything))
def test_anything_is_read_or_refused(told) -> None:
    assert 0 < timeout_of(told) <= 60
    try:
        seen = read_request(told)
    except ValueError:
        return
    assert 0 <= seen.you.latency <= 60_000
