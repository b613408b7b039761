"""Positions as referees send them, as text and as pictures; and what is read of a request, with forgiveness."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from helpers.snake_requests import asked, duel, snake
from saddlepoint import Battlesnake, GameError
from saddlepoint.games.battlesnake.requests import (
    game_object,
    read_request,
    request,
    snake_object,
    snake_of,
    timeout_of,
)
from saddlepoint.system.foreign import json_object

DOCUMENTED = """{"game": {"id": "g", "ruleset": {"name": "standard", "version": "v1"}, "timeout": 500}, "turn": 4, "extra": [],
 "board": {"height": 11, "width": 11, "food": [{"x": 5, "y": 5}], "hazards": [], "snakes": [
  {"id": "b", "name": "other", "health": 95, "body": [{"x": 5, "y": 4}, {"x": 6, "y": 4}, {"x": 7, "y": 4}]},
  {"id": "a", "name": "me", "health": 54, "body": [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 2, "y": 0}], "length": 3}]},
 "you": {"id": "a"}}"""


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_request_is_a_position_whose_player_0_is_you():
    game = Battlesnake()
    state = game.from_text(DOCUMENTED)
    assert game.to_text(state).splitlines() == [
        "battlesnake 11x11 round 4",
        "snake 0 health 54: 0,0 1,0 2,0",
        "snake 1 health 95: 5,4 6,4 7,4",
        "food: 5,5",
    ]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_what_a_request_tells_of_the_rules():
    data = json.loads(DOCUMENTED)
    data["game"] |= {
        "map": "royale",
        "ruleset": {"name": "wrapped", "settings": {"minimumFood": 2, "royale": {"shrinkEveryNTurns": 7}}},
    }
    data["board"] |= {"width": 9, "hazards": [{"x": 0, "y": y} for y in range(11)] + [{"x": 3, "y": 3}] * 6}
    game = Battlesnake().fitted_to(json.dumps(data))
    assert game == Battlesnake(9, 11, "wrapped", "royale", minimum_food=2, shrink_every=7, hazard_stack=4)
    text = game.to_text(game.from_text(json.dumps(data)))
    assert "taken: left 1 right 0 bottom 0 top 0" in text
    assert text.count("3,3") == 4
    once = replace(game, hazard_stack=1)
    assert once.fitted_to(text) == once


@pytest.mark.plain
@pytest.mark.compiles_long
def test_rules_that_are_unknown_are_the_standard_ones():
    assert Battlesnake().fitted_to(DOCUMENTED.replace("standard", "duel")).mode == "standard"


def told_by(**changes):
    """The documented request, with some fields otherwise."""
    return json.dumps(json.loads(DOCUMENTED) | changes)


def told_with(*body):
    """The documented request, with another body of ours."""
    told = json.loads(DOCUMENTED)
    told["board"]["snakes"][1]["body"] = [{"x": x, "y": y} for x, y in body]
    return json.dumps(told)


SEVEN = "battlesnake 7x7 round 0\n"


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(
    ("size", "text", "message"),
    [
        (11, told_by(board=None), "'board' must be an object"),
        (11, told_by(you={"id": "c"}), "'you' has no body, and is not among the snakes"),
        (
            11,
            told_by(you={"id": "c", "body": [{"x": 9, "y": 9}], "health": 9}),
            "two snakes alive, `you` among them; this one has 2",
        ),
        (11, told_by(turn="4"), "'turn' must be a whole number"),
        (11, told_by(turn=-1), "'turn' must be a whole number"),
        (
            11,
            told_by(
                board={"width": 7, "height": 7, "snakes": []},
                you={"body": [{"x": 1, "y": 1}], "health": 9},
            ),
            "7x7, the game 11x11",
        ),
        (11, told_with((0, 0), (2, 0)), "goes from 2,0 to 0,0, which is no step"),
        (11, told_with((0, 0)), "2 cells or more"),
        (11, told_with((0, 0), (0, -1)), "off the 11x11 board"),
        (11, told_with((5, 5), (5, 4)), "crosses a snake on 5,4"),
        (7, f"{SEVEN}snake 0 health 8: 1,1 1,2", "needs two lines"),
        (7, f"{SEVEN}snake 2 health 8: 1,1 1,2", "is no line of a position"),
        (7, f"{SEVEN}snake 0 health 8 fright: 1,1 1,2", "is no line of a position"),
        (7, f"{SEVEN}food: 9,9", "9,9 is off the 7x7 board"),
        (7, f"{SEVEN}food: a", "is no line of a position"),
        (7, SEVEN, "needs two lines"),
        (
            7,
            f"{SEVEN}snake 0 health 8: 1,1 1,2\nsnake 1 health 7: 5,5 5,4\nfood: 3,3 5,4",
            "there is food under snake 1 at 5,4",
        ),
        (7, "snake 0 health 8: 1,1 1,2", "expected a first line"),
        (7, "", "expected a first line"),
    ],
)
def test_requests_and_texts_that_are_no_position_are_refused(size, text, message):
    with pytest.raises(GameError, match=message):
        Battlesnake(size, size).from_text(text)


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(
    ("way", "last", "head", "beyond"),
    [
        ("left", (0, 5), (-1, 5), (-2, 5)),
        ("right", (10, 5), (11, 5), (12, 5)),
        ("up", (4, 10), (4, 11), (4, 12)),
        ("down", (4, 0), (4, -1), (4, -2)),
    ],
)
def test_a_head_off_the_board_is_where_the_last_step_led(way, last, head, beyond):
    """The official program tells it so in the last turn."""
    game = Battlesnake()
    body = "{0},{1} {0},{1}".format(*last)
    state = game.from_text(
        f"battlesnake 11x11 round 0\nsnake 0 health 54: {body}\nsnake 1 health 95: 5,7 6,7 7,7"
    )
    after = game.advance(state, game.string_to_action(state, 0, way), game.string_to_action(state, 1, "left"))
    told = snake_object(game, after, 0, "me")
    assert told["head"] == told["body"][0] == {"x": head[0], "y": head[1]}
    cause = game.snake(after, 0).cause
    seen = read_request({"board": {"width": 11, "height": 11}, "you": told}).you
    assert snake_of(game, seen, cause) == game.snake(after, 0)
    with pytest.raises(GameError, match="off the 11x11 board"):
        snake_of(game, seen._replace(cells=(beyond, *seen.cells[1:])), cause)


@pytest.mark.plain
@pytest.mark.compiles_long
def test_royale_takes_255_columns_at_most():
    game = Battlesnake(7, 7, "standard", "royale")
    text = "battlesnake 7x7 round 9\nsnake 0 health 8: 1,1 1,2\nsnake 1 health 7: 5,5 5,4\nfood:\ntaken: left {} right 0 bottom 0 top 0"
    assert game.from_text(text.format(255))
    with pytest.raises(GameError, match="0 to 255"):
        game.from_text(text.format(256))


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("you", [0, 1])
def test_a_written_request_is_read_as_the_position(you):
    game = Battlesnake(7, 7, "royale", hazard_stack=2)
    state = game.from_text(
        "battlesnake 7x7 round 9\nsnake 0 health 8: 1,1 1,2 1,2\nsnake 1 health 7: 5,5 5,4 5,3\nfood: 0,0\nhazards: 6,6 6,6"
    )
    about = game_object(vars(Battlesnake()), "id")
    again = game.from_text(json.dumps(request(game, state, you, about)))
    assert [game.snake(again, p) for p in (0, 1)] == [game.snake(state, p) for p in (you, 1 - you)]
    kept = {"food": state.food, "hazards": state.hazards, "round": 9, "stacked": state.stacked}
    assert again._asdict() == again._asdict() | kept


@pytest.mark.plain
@pytest.mark.compiles_long
def test_it_is_drawn_with_directions_food_and_hazards():
    game = Battlesnake(7, 7)
    state = game.from_text(
        "battlesnake 7x7 round 2\nsnake 0 health 98: 2,1 1,1 1,1\nsnake 1 health 98 head-collision: 4,5 5,5 5,4\n"
        "food: 0,0 6,6\nhazards: 6,0 6,6"
    )
    assert game.render(state).splitlines() == [
        "round 2",
        "0: health 98, length 3 (1 to unfold)",
        "1: health 98, length 3, dead: head-collision",
        " .  .  .  .  .  . :*",
        " .  .  .  . 1@ 1<  .",
        " .  .  .  .  . 1^  .",
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        " . 0> 0@  .  .  .  .",
        " *  .  .  .  .  .  :",
    ]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_its_picture_tells_whose_tail_moves_on_and_where_moves_lead():
    game = Battlesnake(7, 7)
    picture = game.picture(
        game.from_text(
            "battlesnake 7x7 round 2\nsnake 0 health 98: 0,1 1,1 1,1\nsnake 1 health 90: 4,5 5,5 5,4"
        )
    )
    assert [trail.cells for trail in picture.trails] == [((1, 5), (0, 5)), ((5, 2), (5, 1), (4, 1))]
    assert all(trail.moves_on for trail in picture.trails)
    assert [(n.label, n.value, n.owner, n.most) for n in picture.numbers[:2]] == [
        ("health", 98, 0, 100),
        ("length", 3, 0, None),
    ]
    assert [(m.name, m.to) for m in picture.moves if m.player == 0] == [
        ("up", (0, 4)),
        ("right", (1, 5)),
        ("down", (0, 6)),
        ("left", None),
    ]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_analyze_takes_a_request(tmp_path, cli):
    file = tmp_path / "request.json"
    file.write_text(DOCUMENTED)
    game = ("--game", "battlesnake(food_spawn_chance=0, minimum_food=0)")
    out = cli.printed("analyze", str(file), *game, "--depth", "1")
    assert "health 54" in out
    assert "value" in out


# -- with forgiveness ----------------------------------------------------------------------------------------------------

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
