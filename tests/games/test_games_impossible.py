"""Positions that no game comes to: each is refused, with the reason."""

import re

import pytest

from saddlepoint import (
    Battlesnake,
    ConnectFour,
    Goofspiel,
    LightRiders,
    OshiZumo,
    Othello,
    PursuitEvasion,
    RandomGame,
    RubiksFlip,
    Simplexity,
    Soccer,
    TicTacToe,
    Tron,
    Tron41,
)
from saddlepoint.game.base import Game, GameError

pytestmark = pytest.mark.plain

ROOM = "#######\n#1   2#\n#######"
SNAKES = "battlesnake 7x7 round 0\nsnake 0 health 100: {0}\nsnake 1 health 100: {1}\nfood:"

REFUSED: list[tuple[Game, str, str]] = [
    (TicTacToe(), "xxx/ooo/...", "both have a line"),
    (TicTacToe(), "xxx/oo./o..", "x has a line, and the other went on"),
    (TicTacToe(), "xx./xx./...", "x as often as o or once more"),
    (ConnectFour(4, 4), "....\n....\nx...\n....", "the x in row 3 from the top, column 1 hangs in the air"),
    (ConnectFour(4, 4), "....\n....\nxxxx\noooo", "both x and o have one"),
    (Othello(4), "..../.o../.xo./..../x", "the four cells in the middle are always taken, and c2 is empty"),
    (Othello(4), "..../.xo./.ox./..../x", "the first four discs do not lie like this"),
    (Othello(4), "..../.ox./.xo./..../o", "x begins"),
    (
        Othello(),
        "......../.x....../......../...ox.../...xo.../......../......../......../o",
        "from b2 no discs lead",
    ),
    (Othello(4), "..../oxo./.xo./..../o", "no first move to a2 leads here"),
    (
        Othello(),
        "......../......../...x..../...xx.../...xo.../......../......../......../x",
        "no first move to d3",
    ),
    (
        Othello(),
        "......../......../...x..../...xx.../...xo.../...x..../......../......../x",
        "no disc of o can be the last one",
    ),
    (
        Simplexity(),
        "wwww.../rrrr.../......./......./......./.......",
        "no last piece of Red makes all that are here",
    ),
    (Simplexity(), "WWWr.../......./......./......./......./.......", "White must have as many pieces"),
    (RubiksFlip(), "RRRW/WWWR/WWWR/RRRW", "no last turn of white/yellow leads to 'RRRW/WWWR/WWWR/RRRW'"),
    (RubiksFlip(), "RR../..../..../....", "it has as many tiles as white/yellow or one more"),
    (Goofspiel(4), "goofspiel hand0=14 hand1=14 deck=15 prize=-1 points=0", "no position of Goofspiel"),
    (
        Goofspiel(4),
        "goofspiel hand0=15 hand1=15 deck=11 prize=3 points=0",
        "the prize 4 is on the table, so it is not in the deck",
    ),
    (Goofspiel(4), "goofspiel hand0=15 hand1=15 deck=7 prize=3 points=2", "a lead of 2"),
    (Goofspiel(4), "goofspiel hand0=7 hand1=14 deck=7 prize=-1 points=-4", "a lead of -4"),
    (Goofspiel(4), "goofspiel hand0=7 hand1=14 deck=7 prize=-1 points=0", "a lead of 0"),
    (Goofspiel(4), "goofspiel hand0=7 hand1=7 deck=7 prize=-1 points=4", "a lead of 4"),
    (Goofspiel(4), "goofspiel hand0=15 hand1=0 deck=0 prize=-1 points=0", "no position of Goofspiel"),
    (
        Goofspiel(4, order="descending"),
        "goofspiel hand0=15 hand1=15 deck=14 prize=0 points=0",
        "the prizes come in the order descending, and these do not come next",
    ),
    (OshiZumo(5, 2), "(4, 5, 1)", "player 0 has spent 1 coin and player 1 0"),
    (OshiZumo(5, 2), "(3, 4, -1)", "player 1 has spent 1 coin and player 0 2"),
    (
        OshiZumo(5, 2, min_bid=0, horizon=9),
        "(5, 4, 1, 3)",
        "which does not bring the wrestler to the field 1",
    ),
    (OshiZumo(5, 2, min_bid=0, horizon=9), "(3, 5, 2, 1)", "in 1 round nobody comes to (3, 5, 2, 1)"),
    (OshiZumo(5, 2, horizon=9), "(4, 3, -1, 2)", "in 2 rounds nobody comes to"),
    (PursuitEvasion(), "(0, 0, 27, 2, False)", "no position of this pursuit"),
    (
        PursuitEvasion(),
        "(18, 0, 27, 1, False)",
        "nobody may stay, so 1 move cannot bring evader from 2,2 to 2,2",
    ),
    (PursuitEvasion(), "(0, 3, 24, 0, False)", "0 moves cannot bring evader from 2,2 to 0,0"),
    (PursuitEvasion(), "(18, 0, 27, 2, True)", "no pursuer is at the evader or beside it"),
    (Soccer(), "...../.a.b./...../..... 3", "after the kick-off a large A or B has the ball"),
    (
        Soccer(),
        "...../A...b/...../..... 9 goal of 0",
        "who makes a goal has the ball before it, and A does not",
    ),
    (Soccer(), "...../....a/B..../..... 9 goal of 0", "and A does not"),
    (Soccer(), "...../...b./A..../..... 0", "0 moves cannot bring A from 1,2 to 0,2"),
    (Soccer(), "...../....A/b..../..... 4 goal of 0", "4 moves cannot bring A from 1,2 to 4,1"),
    (Soccer(draw=0.0), "...../.A.b./...../..... 3 drawn", "no draw is declared where its probability is 0"),
    (
        Soccer(ball="loose"),
        "o..../...b./.a.../..... 0",
        "the ball lies in the middle column, in a row of the goals",
    ),
    (Soccer(), "...../.A.B./...../..... 3", "large who has the ball"),
    (RandomGame(), "(1, 0, 0)", "before the first stage there is only"),
    (Tron(4, 3, obstacles="1,1"), "0...\n....\n...1", "the obstacle on 1,1 is missing"),
    (Tron(4, 3), "0..1\n....\n...1", "player 1 has two heads, at (3, 0) and (3, 2)"),
    (Tron(4, 3), "0...\n....\n....", "the position needs both heads"),
    (
        LightRiders(4, 3),
        "light_riders 4x3 round 1 facing right left alive 01\nx*..\n....\n....",
        "both heads are on one cell, (1, 0), so both have crashed",
    ),
    (
        LightRiders(4, 3),
        "light_riders 4x3 round 0 facing right left alive 1\n0...\n....\n...1",
        "before the first round nobody has crashed",
    ),
    (
        LightRiders(4, 3),
        "light_riders 4x3 round 3 facing right left alive 01\nxxx0\n....\n1xx.",
        "after 3 rounds trails and heads take 8 cells at least, and here 7 are taken",
    ),
    (
        LightRiders(4, 3),
        "light_riders 4x3 round 1 facing right left alive 1\n0...\n....\n...1",
        "after 1 round trails and heads take 3 cells at least",
    ),
    (
        LightRiders(4, 3, 2),
        "light_riders 4x3 round 3 facing right left alive 01\nxxx0\n....\n1xxx",
        "a game has 2 rounds, and this is after 3",
    ),
    (
        Tron41(map=ROOM),
        f"tron41 turn 1 armor 0 0 speed 0 2 trap none\n{ROOM}",
        "player 2 has 2 of its fast moves left, so player 1 does not move",
    ),
    (Tron41(map=ROOM), "#######\n#x   x#\n#######", "needs a player"),
    (Tron41(map=ROOM), "#######\n#1 # 2#\n#######", "the walls of the position are not the map's at (1, 3)"),
    (
        Battlesnake(7, 7),
        SNAKES.format("1,1 1,1 1,1", "5,5 5,4 5,3").replace("round 0", "round 4"),
        "after 4 rounds snake 0 is still coiled up on 1,1",
    ),
    (Battlesnake(7, 7), SNAKES.format("1,1 1,3", "5,5 5,5"), "snake 0 goes from"),
    (Battlesnake(7, 7), SNAKES.format("1,1 1,2 1,3", "1,3 1,4 1,5"), "crosses a snake on"),
]


@pytest.mark.parametrize(
    ("game", "text", "reason"), REFUSED, ids=lambda one: one if isinstance(one, str) else ""
)
def test_what_no_game_comes_to_is_refused_with_the_reason(game: Game, text: str, reason: str) -> None:
    with pytest.raises(GameError, match=re.escape(reason)):
        game.from_text(text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (Goofspiel(4), "goofspiel hand0=7 hand1=14 deck=7 prize=-1 points=4"),
        (Goofspiel(4), "goofspiel hand0=7 hand1=7 deck=7 prize=-1 points=0"),
        (Goofspiel(3), "goofspiel hand0=0 hand1=0 deck=0 prize=-1 points=4"),
        (OshiZumo(5, 2), "(3, 4, 1)"),
        (OshiZumo(5, 2, min_bid=0, horizon=9), "(5, 4, -1, 3)"),
        (Othello(4), "..../.ox./.xo./..../x"),
        (Othello(4), ".x../.xx./.xo./..../o"),
        (Soccer(), "...../....A/b..../..... 5 goal of 0"),
        (PursuitEvasion(), "(10, 1, 26, 1, False)"),
        (Tron41(map=ROOM), f"tron41 turn 1 armor 0 0 speed 0 4 trap none\n{ROOM}"),
        (Simplexity(), "wwww.../rrr..../......./......./......./......."),
        (Tron(4, 3, obstacles="1,1"), "0...\n.x..\n...1"),
    ],
    ids=str,
)
def test_what_a_game_comes_to_is_taken(game: Game, text: str) -> None:
    assert game.from_text(game.to_text(game.from_text(text))) == game.from_text(text)


def test_the_last_turn_of_rubiks_flip_may_have_tumbled_the_tile_that_won() -> None:
    """Every position of random games is taken; each one that is over has a turn that led there."""
    game = RubiksFlip()
    for number in range(40):
        state, played = game.initial_state(), 0
        while game.players_to_act(state):
            (player,) = game.players_to_act(state)
            legal = game.legal_actions(state, player)
            state = game.advance(state, legal[(7 * number + 13 * played) % len(legal)], -1)
            played += 1
            assert game.from_text(game.to_text(state)) == state
