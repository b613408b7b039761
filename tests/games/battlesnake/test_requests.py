"""Positions as referees send them, as text and as pictures."""

import json
from dataclasses import replace

import pytest

from saddlepoint.game.base import GameError
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.requests import game_object, read_request, request, snake_object, snake_of

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

DOCUMENTED = """{"game": {"id": "g", "ruleset": {"name": "standard", "version": "v1"}, "timeout": 500}, "turn": 4, "extra": [],
 "board": {"height": 11, "width": 11, "food": [{"x": 5, "y": 5}], "hazards": [], "snakes": [
  {"id": "b", "name": "other", "health": 95, "body": [{"x": 5, "y": 4}, {"x": 6, "y": 4}, {"x": 7, "y": 4}]},
  {"id": "a", "name": "me", "health": 54, "body": [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 2, "y": 0}], "length": 3}]},
 "you": {"id": "a"}}"""


def test_a_request_is_a_position_whose_player_0_is_you():
    game = Battlesnake()
    state = game.from_text(DOCUMENTED)
    assert game.to_text(state).splitlines() == [
        "battlesnake 11x11 round 4",
        "snake 0 health 54: 0,0 1,0 2,0",
        "snake 1 health 95: 5,4 6,4 7,4",
        "food: 5,5",
    ]


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
        (7, "snake 0 health 8: 1,1 1,2", "expected a first line"),
        (7, "", "expected a first line"),
    ],
)
def test_requests_and_texts_that_are_no_position_are_refused(size, text, message):
    with pytest.raises(GameError, match=message):
        Battlesnake(size, size).from_text(text)


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
        f"battlesnake 11x11 round 4\nsnake 0 health 54: {body}\nsnake 1 health 95: 5,7 6,7 7,7"
    )
    after = game.advance(state, game.string_to_action(state, 0, way), game.string_to_action(state, 1, "left"))
    told = snake_object(game, after, 0, "me")
    assert told["head"] == told["body"][0] == {"x": head[0], "y": head[1]}
    cause = game.snake(after, 0).cause
    seen = read_request({"board": {"width": 11, "height": 11}, "you": told}).you
    assert snake_of(game, seen, cause) == game.snake(after, 0)
    with pytest.raises(GameError, match="off the 11x11 board"):
        snake_of(game, seen._replace(cells=(beyond, *seen.cells[1:])), cause)


def test_royale_takes_255_columns_at_most():
    game = Battlesnake(7, 7, "standard", "royale")
    text = "battlesnake 7x7 round 9\nsnake 0 health 8: 1,1 1,1\nsnake 1 health 7: 5,5 5,4\nfood:\ntaken: left {} right 0 bottom 0 top 0"
    assert game.from_text(text.format(255))
    with pytest.raises(GameError, match="0 to 255"):
        game.from_text(text.format(256))


def test_a_written_request_is_read_as_the_position():
    game = Battlesnake(7, 7, "royale", hazard_stack=2)
    state = game.from_text(
        "battlesnake 7x7 round 9\nsnake 0 health 8: 1,1 1,1 1,1\nsnake 1 health 7: 5,5 5,4 5,3\nfood: 0,0\nhazards: 6,6 6,6"
    )
    about = game_object(vars(Battlesnake()), "id")
    for you in (0, 1):
        again = game.from_text(json.dumps(request(game, state, you, about)))
        assert [game.snake(again, p) for p in (0, 1)] == [game.snake(state, p) for p in (you, 1 - you)]
        kept = {"food": state.food, "hazards": state.hazards, "round": 9, "stacked": state.stacked}
        assert again._asdict() == again._asdict() | kept


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


def test_analyze_takes_a_request(tmp_path, cli):
    file = tmp_path / "request.json"
    file.write_text(DOCUMENTED)
    game = ("--game", "battlesnake(food_spawn_chance=0, minimum_food=0)")
    out = cli.printed("analyze", str(file), *game, "--depth", "1")
    assert "health 54" in out
    assert "value" in out
