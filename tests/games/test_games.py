"""Every game keeps what all games promise; `best` where the usual board has a network; which games share their compiled code."""

from typing import Any

import pytest
from undercut import Undercut

from helpers.points import points
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import (
    BiasedRPS,
    Game,
    Goofspiel,
    LightRiders,
    Limits,
    OshiZumo,
    PursuitEvasion,
    RandomGame,
    RubiksFlip,
    Simplexity,
    Soccer,
    TicTacToe,
    Tron,
    Tron41,
    check_game,
)
from saddlepoint.arena.openings import random_openings
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import algorithm_of, make_player, search_of, stage_search_of
from saddlepoint.games.catalogue.searches import EVALUATORS
from saddlepoint.games.connect_four import ConnectFour, ConnectFourNetwork, Threats
from saddlepoint.games.othello import Mobility, Othello, OthelloNetwork


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "best", "names", "fitted", "usual", "others"),
    [
        (
            ConnectFour(),
            ConnectFourNetwork(),
            ["threats", "connect_four_network"],
            "columns=7, rows=6, line=4",
            Threats(),
            [ConnectFour(8, 6), ConnectFour(7, 6, 5), ConnectFour(5, 4)],
        ),
        (
            Othello(),
            OthelloNetwork(),
            ["mobility", "othello_network"],
            "size=8, utility='win'",
            Mobility(),
            [Othello(6), Othello(8, "discs"), Othello(4)],
        ),
    ],
)
def test_the_usual_board_has_the_network_and_others_have_not(
    game: Game, best: Any, names: list[str], fitted: str, usual: Any, others: list[Game]
) -> None:
    assert algorithm_of("best", game).evaluator == best
    assert EVALUATORS.own_of(game) == names
    for analysing in (search_of(game), stage_search_of(game)):
        assert (analysing.algorithm.evaluator, analysing.player) == (best, "best")
    for other in others:
        assert algorithm_of("best", other).evaluator == usual
        assert EVALUATORS.own_of(other) == names[:1]
        with pytest.raises(SpecError, match=rf"is fitted to {game.name} with {fitted}, not to"):
            make_player(f"pvs(evaluator={names[1]})", other)


@pytest.mark.plain
@COMPILED_ONLY
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "names", "nodes", "openings", "least"),
    [
        (ConnectFour(), ("connect_four_network", "threats"), 20_000, 20, 20),  # of 40
        (Othello(), ("othello_network", "mobility"), 5_000, 10, 12),  # of 20
    ],
)
def test_it_beats_the_same_search_with_the_other_evaluator_at_equal_nodes(
    game: Game, names: tuple[str, str], nodes: int, openings: int, least: int
) -> None:
    first, second = (make_player(f"pvs(evaluator={name})", game, Limits(nodes=nodes)) for name in names)
    starts = [game.from_text(opening) for opening in random_openings(game, 4, openings, seed=1)]
    assert points(game, (first, second), 2 * openings, starts=starts) > least


# -- what every game promises --------------------------------------------------------------------------------------------

LONG, FULL = pytest.mark.compiles_long, pytest.mark.full
CONFORMING = [
    pytest.param(TicTacToe(), scaled(10, 3), marks=[FULL, COMPILED_ONLY]),
    pytest.param(BiasedRPS(), 5, marks=LONG),
    pytest.param(BiasedRPS(1, 1, 1), 5, marks=LONG),
    pytest.param(PursuitEvasion(3, 4, 3), 5, marks=[LONG, COMPILED_ONLY]),
    pytest.param(PursuitEvasion(3, 3, 5, "1,1 0,0 0,0"), 5, marks=[LONG, COMPILED_ONLY]),
    pytest.param(Tron(4, 3), scaled(10, 3), marks=LONG),
    pytest.param(Tron(5, 4, "0,0 4,0", "2,1 2,2"), scaled(5, 2), marks=LONG),
    pytest.param(RandomGame(3, 3), 5, marks=LONG),
    pytest.param(RandomGame(2, 4, "sums", 3), 5, marks=LONG),
    pytest.param(ConnectFour(4, 4, 3), 5, marks=[LONG, COMPILED_ONLY]),
    pytest.param(ConnectFour(), 2, marks=[LONG, COMPILED_ONLY]),
    pytest.param(Othello(4), 4, marks=[pytest.mark.slow, COMPILED_ONLY]),
    pytest.param(Othello(6, "discs"), 2, marks=[pytest.mark.slow, COMPILED_ONLY]),
    *(
        pytest.param(game, scaled(8, 2), marks=[FULL, COMPILED_ONLY])
        for game in (
            Soccer(max_moves=6),
            Soccer(3, 3, 0.0, 5),
            Soccer(2, 1, 0.5, 4),
            Soccer(4, 3, 1.0, 7),
            Soccer(max_moves=8, ball="loose"),
            Soccer(3, 3, 0.0, 6, "loose"),
            Soccer(3, 2, 0.2, 7, "loose"),
        )
    ),
    (
        Soccer(),
        3,
    ),  # positions near the limit may be followed by as many moves again, since what ends it is a goal
    *(
        pytest.param(game, 10, marks=COMPILED_ONLY)
        for game in (
            OshiZumo(4, 1),
            OshiZumo(5, 2, 2, "field"),
            OshiZumo(4, 1, 0, horizon=5),
            OshiZumo(5, 2, 2, "field", 2),
            OshiZumo(3, 2, 0, "field", 40),
        )
    ),
]
"""Games, and how many random games are looked at; further ones are in their folders, where only some positions can be."""


@pytest.mark.plain
@pytest.mark.parametrize(("game", "playouts"), CONFORMING, ids=repr)
def test_a_game_keeps_what_every_game_promises(game: Game, playouts: int) -> None:
    check_game(game, playouts=playouts)


# -- shared code ---------------------------------------------------------------------------------------------------------

SAME = [
    (Goofspiel(), Goofspiel(9, "descending", "points", 0)),
    (LightRiders(), LightRiders(max_rounds=50)),
    (RubiksFlip(), RubiksFlip("mover")),
    (Simplexity(), Simplexity(round=3, square=8, supply="own")),
    (Tron41("joust"), Tron41("divider", start="random")),
    (Undercut(), Undercut(top=9, rounds=7)),
]
OTHER = [
    (LightRiders(), LightRiders(16, 15)),
    (Simplexity(), Simplexity(7, 6)),
    (Tron41("joust"), Tron41("empty_room_13")),
    (ConnectFour(), ConnectFour(6, 5, 3)),
]


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda game: type(game).__name__)
def test_another_parameter_needs_no_other_code(one: Game, other: Game):
    assert one != other
    assert one._numba_type_ == other._numba_type_


@pytest.mark.parametrize(("one", "other"), OTHER, ids=lambda game: type(game).__name__)
def test_another_board_does(one: Game, other: Game):
    assert one._numba_type_ != other._numba_type_


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda game: type(game).__name__)
def test_each_is_played_by_its_own_parameters(one: Game, other: Game):
    for game in (one, other, one):
        start = game.initial_state()
        assert game.bounds(start) == game.plain.bounds(start)
