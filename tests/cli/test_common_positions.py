"""A position written by its moves is taken wherever a position is, and printed so that it can be pasted back."""

from pathlib import Path

import pytest

from helpers.cli_runs import Program
from saddlepoint.arena.openings import make_openings, openings_from
from saddlepoint.game.base import GameError
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.play.position_text import position_of_text
from saddlepoint.web.catalogue import KnownGames
from saddlepoint.web.positions import position_of

pytestmark = pytest.mark.plain
GAME = "goofspiel(cards=3)"
MOVES = "moves: prize_1 1/1 prize_3"
"""Prize 1, a card 1 by each, and prize 3: two cards are left to each, and the higher wins it."""


@pytest.fixture
def replay(cli: Program, tmp_path: Path) -> str:
    path = str(tmp_path / "game.jsonl")
    assert cli("play", GAME, "random", "random", "--seed", "3", "-o", path)[0] == 0
    return path


def after(text: str = MOVES) -> str:
    return Goofspiel(3).to_text(position_of_text(Goofspiel(3), text))


def test_analyze_takes_moves_and_prints_them(cli: Program) -> None:
    assert f"\n{MOVES}\n" in cli.printed("analyze", MOVES, "--game", GAME)
    data = cli.data("analyze", MOVES, "--game", GAME)
    assert data["position"] == after()
    assert data["strategies"] == [{"3": 1.0, "2": 0.0}] * 2


@pytest.mark.parametrize("word", ["solve", "file"])
def test_solve_takes_moves(cli: Program, tmp_path: Path, word: str) -> None:
    path = str(tmp_path / "g.sol")
    asked = [GAME] if word == "solve" else [path]
    if word == "file":
        cli("solve", GAME, "-o", path)
    assert cli.data("solve", *asked, "--position", MOVES)["position"] == after()


@pytest.mark.compiles_long
def test_the_solvers_of_one_game_take_moves(cli: Program) -> None:
    assert cli.printed(
        "solve", "tron", "--width", "4", "--height", "4", "--position", "moves: right/left"
    ).startswith("x0..\n....\n....\n..1x\n")
    moves = ("--position", "moves: 3r 3r 3r 3s")
    own = cli.data("solve", "simplexity", *moves, "--plies", "2", "--memory", "8")
    general = ("solve", "simplexity(rows=6, cols=7)", "--method", "own", *moves, "--time", "0.1")
    assert own["position"] == cli.data(*general)["position"]


def test_openings_and_the_page_take_moves(tmp_path: Path) -> None:
    game, path = Goofspiel(3), tmp_path / "openings.txt"
    path.write_text(f"{MOVES}\n\n{game.to_text(game.initial_state())}\n")
    assert openings_from(game, path) == [after(), game.to_text(game.initial_state())]
    assert make_openings(game, MOVES, 5, 1) == [after()]
    with pytest.raises(GameError, match="--openings: the game is over there"):
        make_openings(game, "moves: prize_1 1/1 prize_2 2/2 prize_3 3/3", 5, 1)
    with pytest.raises(
        GameError, match="--openings: move 2 of 2: '4' is no legal move of player 1 there; legal: 1, 2, 3"
    ):
        make_openings(game, "moves: prize_1 1/4", 5, 1)
    known = KnownGames().find(GAME)
    assert known.game.to_text(position_of(known.game, MOVES)) == after()


def test_what_show_games_and_review_print_is_taken_back(cli: Program, replay: str, tmp_path: Path) -> None:
    shown = cli.printed("show", replay, "--turn", "2").splitlines()[-1]
    told = cli.data("show", replay, "--turn", "2")
    assert (shown, after(shown)) == (told["moves_to_it"], told["position"])
    ledger = str(tmp_path / "games.db")
    cli(
        "match",
        "random",
        "random",
        "--game",
        GAME,
        "-n",
        "1",
        "-j",
        "1",
        "--seed",
        "1",
        "--openings",
        "start",
        "--ledger",
        ledger,
    )
    moves = cli.printed("ledger", "show", ledger, "1", "--step", "3").splitlines()[-1]
    assert len(moves.split()) == 1 + 3
    assert after(moves)
    for moment in cli.data("review", replay, "--nodes", "2000")["moments"]:
        assert len(moment["position"].split()) == 1 + moment["step"]
        assert moment["position"] in cli.printed("review", replay, "--nodes", "2000")
