"""The parameters of the games: taken up to their limits, refused right behind them; what follows from them. Texts that are no position."""

from dataclasses import astuple
from typing import Any

import pytest

from saddlepoint import (
    Battlesnake,
    BiasedRPS,
    ConnectFour,
    Game,
    GameError,
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
)

pytestmark = pytest.mark.plain

TAKEN: list[tuple[type[Game], list[tuple[Any, ...]]]] = [
    (LightRiders, [(4, 3), (32, 3), (4, 32), (32, 32), (16, 16, 0), (16, 16, 1)]),
    (Simplexity, [(1, 1, 1), (48, 1, 4), (1, 48, 4), (48, 48, 4), (6, 3, 4), (3, 6, 4)]),
    (Simplexity, [(6, 7, 4, 0, 0), (6, 7, 4, 0, 1), (6, 7, 6), (6, 7, 7)]),
    (OshiZumo, [(1, 1, 1), (1000, 1000, 1000)]),
    (Battlesnake, [(3, 3), (25, 3), (3, 25), (25, 25)]),
    (Tron, [(32, 1), (1, 32)]),
    (Goofspiel, [(1,), (13,)]),
]


@pytest.mark.parametrize(
    ("game", "parameters"), [(game, one) for game, several in TAKEN for one in several], ids=str
)
def test_parameters_are_taken_up_to_their_limits(game: type[Game], parameters: tuple[Any, ...]) -> None:
    made = game(*parameters)
    assert astuple(made)[: len(parameters)] == parameters
    assert made.from_text(made.to_text(made.initial_state())) == made.initial_state()


REFUSED: list[tuple[type[Game], str, list[tuple[Any, ...]]]] = [
    (LightRiders, "must be", [(3, 3), (4, 2), (33, 3), (4, 33), (16, 16, -1)]),
    (Simplexity, "1 to 48 rows and columns, not 0x7", [(0, 7)]),
    (Simplexity, "1 to 48 rows and columns", [(6, 0), (49, 7), (6, 49)]),
    (Simplexity, "no line of 4 fits on a board of 3x3", [(3, 3)]),
    (Simplexity, "no line of 8 fits", [(6, 7, 8)]),
    (Simplexity, "win must be 1 or more", [(6, 7, 0)]),
    (Simplexity, "piece counts must be 0 or more", [(6, 7, 4, -1, 0), (6, 7, 4, 0, -1)]),
    (Simplexity, "supply must be same or own, not 'both'", [(6, 7, 4, 1, 1, "both")]),
    (OshiZumo, "coins must be", [(0,), (1001, 3)]),
    (OshiZumo, "size must be", [(5, 0), (5, 1001), (1000, 1001)]),
    (OshiZumo, "min_bid must be 1 to coins = 10.*not 11", [(10, 3, 11), (10, 3, 11, "win", 3)]),
    (OshiZumo, "or 0 with a horizon such as 1000", [(5, 3, 0)]),
    (OshiZumo, "horizon must be 0", [(5, 3, 1, "win", -1)]),
    (OshiZumo, "utility must be win or field", [(5, 3, 1, "points")]),
    (Battlesnake, "3 to 25", [(2, 3), (3, 2), (26, 25), (25, 26)]),
    (Tron, "sides of 1 to 32", [(0, 5), (5, 0), (33, 5), (5, 33)]),
    (Tron, "two cells", [(1, 1)]),
    (Tron, "two cells such as", [(3, 3, "0,0")]),
    (Tron, "there twice", [(3, 3, "0,0 0,0")]),
    (Tron, "start must be cells", [(3, 3, "middle")]),
    (Tron, "outside the 3x3", [(3, 3, "0,0 3,1")]),
    (Tron, "is an obstacle", [(3, 3, "corners", "0,0")]),
    (ConnectFour, "must", [(9, 7), (7, 0), (7, 6, 1)]),
    (Goofspiel, "must be", [(0,), (14,), (4, "up"), (4, "1 2 3"), (4, "1 2 3 3"), (4, "random", "loss")]),
    (Othello, "size must be", [(5,)]),
    (Othello, "utility must be", [(8, "points")]),
    (RandomGame, "actions must be", [(0,)]),
    (RandomGame, "depth must be", [(2, 0)]),
    (RandomGame, "utility must be", [(2, 2, "points")]),
    (RandomGame, "seed must be", [(2, 2, "sums", -1)]),
    (Soccer, "width must be", [(1,)]),
    (Soccer, "height must be", [(5, 0)]),
    (Soccer, "draw must be 0 to 1", [(5, 4, 1.5)]),
    (Soccer, "max_moves", [(5, 4, 0.1, 0)]),
    (Soccer, "the width must be odd, not 4", [(4, 4, 0.1, 1000, "loose")]),
    (Soccer, "ball must be given or loose", [(5, 4, 0.1, 1000, "mine")]),
    (PursuitEvasion, "width must be 2", [(1, 4)]),
    (PursuitEvasion, "depth must be", [(4, 4, 0)]),
    (PursuitEvasion, "two others", [(4, 4, 4, "0,0 1,1"), (4, 4, 4, "0,0 0,0 1,1")]),
    (PursuitEvasion, "outside the 4x4", [(4, 4, 4, "0,0 4,0 1,1")]),
    (BiasedRPS, "must be 1 to 1,000,000", [(0, 1, 1)]),
]


@pytest.mark.parametrize(
    ("game", "said", "parameters"),
    [(game, said, one) for game, said, several in REFUSED for one in several],
    ids=str,
)
def test_parameters_that_make_no_game_are_refused_in_one_sentence(
    game: type[Game], said: str, parameters: tuple[Any, ...]
) -> None:
    with pytest.raises(GameError, match=said) as refused:
        game(*parameters)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("game", "longest"),
    [
        (
            LightRiders(4, 3),
            (12 - 2) // 2 + 1,
        ),  # every round blocks two cells more; in the last one somebody dies
        (LightRiders(16, 16), 128),
        (LightRiders(16, 16, 128), 128),
        (LightRiders(16, 16, 129), 128),
        (LightRiders(16, 16, 127), 127),
        (LightRiders(16, 16, 1), 1),
        (Simplexity(), 42),
        (Simplexity(6, 7, 4, 3, 4), 14),
        (Simplexity(6, 7, 4, 0, 0), 1),  # nobody can move: over at once, but a search wants a step
        (OshiZumo(5, 2, 0, horizon=2), 2),
        (OshiZumo(5, 2, 1, horizon=2), 2),
        (OshiZumo(5, 2, 2, horizon=9), 3),
        (Goofspiel(7), 14),
    ],
    ids=repr,
)
def test_the_longest_game_follows_from_the_parameters(game: Game, longest: int) -> None:
    assert game.max_depth == longest


LOOSE, RIDERS = Soccer(draw=0.0, ball="loose"), LightRiders(6, 4)
CARDS = "goofspiel hand0=5 hand1=3 deck=2 prize=2 points=0"
NO_POSITIONS: list[tuple[Game, str, list[str]]] = [
    (Simplexity(), "expected 6 rows of 7 cells, bottom row first", ["", "w......"]),
    (Simplexity(), "'x' in row 0, column 0 is no cell", ["x....../......./......./......./......./......."]),
    (
        Simplexity(),
        "the piece in row 1, column 0 hangs in the air",
        ["......./w....../......./......./......./......."],
    ),
    (
        Simplexity(),
        "as many pieces on the board as Red or one more, not -1 more",
        ["r....../......./......./......./......./......."],
    ),
    (Simplexity(), "one more, not 2 more", ["ww...../......./......./......./......./......."]),
    (Simplexity(), "expected moves like 3r,3s,0r", ["3r,3x"]),
    (
        Simplexity(round=2, square=1),
        "there are 1 more red square pieces on the board than there are",
        ["wWrRwR./......./......./......./......./......."],
    ),
    (
        ConnectFour(4, 4),
        "expected 4 rows of 4 marks|player 0 begins",
        ["", "....\n....\n....", "x...\n....\n....\n....\nx...", "x...\nx...\nx...\nx..."],
    ),
    (
        Goofspiel(3),
        r"expected 'goofspiel hand0=|no position of Goofspiel",
        [
            "",
            "goof",
            CARDS.replace("goofspiel", "simplexity"),
            CARDS.replace(" points=0", ""),
            CARDS.replace("prize=2", "prize=x"),
            f"{CARDS} more=1",
        ],
    ),
    (
        Goofspiel(3),
        "no position of Goofspiel with 3 cards",
        [
            CARDS.replace(*change)
            for change in (
                ("hand0=5", "hand0=8"),
                ("hand0=5", "hand0=-1"),
                ("hand0=5", "hand0=7"),
                ("hand1=3", "hand1=8"),
                ("hand1=3", "hand1=1"),
                ("deck=2", "deck=8"),
                ("deck=2", "deck=-1"),
                ("deck=2", "deck=3"),
                ("prize=2", "prize=3"),
                ("prize=2", "prize=-2"),
            )
        ],
    ),
    (
        Goofspiel(3, "descending"),
        "no position of Goofspiel with 3 cards",
        ["goofspiel hand0=3 hand1=3 deck=3 prize=-1 points=0"],
    ),
    (OshiZumo(), "position of", ["(11, 0, 0)", "(1, 1, 5)", "(1, 1)", "nothing", ")", "(3, 4, -1, 1)"]),
    (OshiZumo(5, 2, horizon=7), "position of", ["(3, 4, -1)", "(3, 4, -1, 8)"]),
    (
        Othello(4),
        "rows of 4",
        ["", "..../.ox./.xo./....", "..../.ox./.xo./..../z", ".../.ox./.xo./..../x"],
    ),
    (RandomGame(), "(no|a) position of", ["(1, 5, 0)", "(1, 1, 2)", "(1, 1)"]),
    (
        Soccer(draw=0.0),
        "expected 4 rows of 5 cells",
        [
            "",
            "...../..... 0",
            "...../...B./.A.../..... 0",
            "...../...b./.A.../..... 0 up",
            "...../...b./.a.../..... 0 up up",
            "...../...b./.A.../.....",
            "...../.ab../..o../..... 0",
        ],
    ),
    (
        LOOSE,
        "expected 4 rows",
        ["...../.ab../..O../..... 0", "...../.Ab../..o../..... 0", "...../.ab../.oo../..... 0"],
    ),
    (
        TicTacToe(),
        r"^expected three rows of x, o and \.",
        ["x.o/.x.", "xxx/.../...", "a../.../...", "o../.../..."],
    ),
    (
        PursuitEvasion(),
        "position of|of this pursuit",
        ["(0, 3, 5, 0)", "(0, 4, 5, 0, False)", "(0, 0, 8, 0, False)", "(0, 3, 8, 5, False)"],
    ),
    (BiasedRPS(), "expected ", ["(-1, 0)", "(3, 0)", "()"]),
    (Tron(3, 3), "expected 3 rows of 3 cells", ["0.1"]),
    (Tron(3, 3), "needs both heads", ["0..\n...\n..."]),
    (Tron(3, 3), "player 0 has two heads", ["0.1\n.0.\n...", "0*1\n...\n..."]),
    (Tron(3, 3), r"'#' at \(1, 1\) is no cell", ["0.1\n.#.\n..."]),
    (
        RubiksFlip(),
        "expected four rows of four squares",
        ["", "RB../.W../....", "RB../.W../..../...X"],
    ),
    (RubiksFlip(), "red/blue begins", ["WW../..../..../....", "RR../..../..../...."]),
    (
        RIDERS,
        "expected 4 rows of 6 cells",
        ["......\n.0..1.\n......", ".....\n.0..1.\n......\n......"],
    ),
    (RIDERS, r"'\?' at \(4, 1\) is no cell", ["......\n.0..?.\n......\n......"]),
    (
        RIDERS,
        "player 0 has two heads",
        ["......\n.0..0.\n......\n......", "......\n.*..0.\n......\n......"],
    ),
    (RIDERS, "needs both heads", ["......\n.0....\n......\n......"]),
    (
        RIDERS,
        "the position is 6x5, the game 6x4",
        ["light_riders 6x5 round 0 facing right left alive 01\n......"],
    ),
    (
        RIDERS,
        "facing takes two of",
        ["light_riders 6x4 round 0 facing right back alive 01\n......\n.0..1.\n......\n......"],
    ),
]


@pytest.mark.parametrize(
    ("game", "said", "text"),
    [(game, said, one) for game, said, several in NO_POSITIONS for one in several],
    ids=repr,
)
def test_text_that_is_no_position_is_refused(game: Game, said: str, text: str) -> None:
    with pytest.raises(GameError, match=said):
        game.from_text(text)


@pytest.mark.parametrize(
    ("game", "position", "player", "words"),
    [
        (Simplexity(), "-", 0, ["7r", "3x"]),
        (Simplexity(), "0r,0s,0r,0s,0r,0s", 0, ["0r"]),
        (ConnectFour(), "\n".join([*["......."] * 5, "...x..."]), 1, ["0", "8", "x"]),
        (Othello(4), "..../.ox./.xo./..../x", 0, ["a1", "pass", "z9"]),
        (PursuitEvasion(), "(2, 0, 27, 2, False)", 0, ["up up"]),
        (PursuitEvasion(), "(2, 0, 27, 2, False)", 1, ["up", "up there"]),
        (BiasedRPS(), "(-1, -1)", 0, ["well"]),
    ],
    ids=repr,
)
def test_words_for_no_legal_action_are_refused(
    game: Game, position: str, player: int, words: list[str]
) -> None:
    for text in words:
        with pytest.raises(GameError, match="is not a legal action"):
            game.string_to_action(game.from_text(position), player, text)
