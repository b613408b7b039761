"""A position written by its moves is taken wherever a position is, and printed so that it can be pasted back."""

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli
from saddlepoint.arena.openings import make_openings, openings_from
from saddlepoint.game.base import GameError
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.play.position_text import position_of_text
from saddlepoint.web.catalogue import KnownGames
from saddlepoint.web.positions import position_of

__all__ = ["cli"]  # a fixture
pytestmark = pytest.mark.plain
GAME = "goofspiel(cards=3)"
MOVES = "moves: prize_1 1/1 prize_3"
"""Prize 1, a card 1 by each, and prize 3: two cards are left to each, and the higher wins it."""


@pytest.fixture
def replay(cli: Any, tmp_path: Path) -> str:
    path = str(tmp_path / "game.jsonl")
    assert cli("play", GAME, "random", "random", "--seed", "3", "-o", path)[0] == 0
    return path


def after(text: str = MOVES) -> str:
    return Goofspiel(3).to_text(position_of_text(Goofspiel(3), text))


def test_analyze_takes_moves_and_prints_them(cli: Any) -> None:
    code, out, _ = cli("analyze", MOVES, "--game", GAME)
    assert code == 0
    assert f"\n{MOVES}\n" in out
    data = json.loads(cli("analyze", MOVES, "--game", GAME, "--json")[1])
    assert data["position"] == after()
    assert data["strategies"] == [{"3": 1.0, "2": 0.0}] * 2


@pytest.mark.parametrize("word", ["solve", "file"])
def test_solve_takes_moves(cli: Any, tmp_path: Path, word: str) -> None:
    path = str(tmp_path / "g.sol")
    asked = [GAME] if word == "solve" else [path]
    if word == "file":
        cli("solve", GAME, "-o", path)
    assert json.loads(cli("solve", *asked, "--position", MOVES, "--json")[1])["position"] == after()


@pytest.mark.compiles_long
def test_the_solvers_of_one_game_take_moves(cli: Any) -> None:
    tron = cli("solve", "tron", "--width", "4", "--height", "4", "--position", "moves: right/left")[1]
    assert tron.startswith("x0..\n....\n....\n..1x\n")
    simplexity = json.loads(
        cli(
            "solve",
            "simplexity",
            "--position",
            "moves: 3r 3r 3r 3s",
            "--plies",
            "2",
            "--memory",
            "8",
            "--json",
        )[1]
    )
    assert (
        simplexity["position"]
        == json.loads(
            cli(
                "solve",
                "simplexity(rows=6, cols=7)",
                "--method",
                "own",
                "--position",
                "moves: 3r 3r 3r 3s",
                "--time",
                "0.1",
                "--json",
            )[1]
        )["position"]
    )


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


def test_what_show_games_and_review_print_is_taken_back(cli: Any, replay: str, tmp_path: Path) -> None:
    shown = cli("show", replay, "--turn", "2")[1].splitlines()[-1]
    told = json.loads(cli("show", replay, "--turn", "2", "--json")[1])
    assert shown == told["moves_to_it"]
    assert after(shown) == told["position"]
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
    moves = cli("ledger", "show", ledger, "1", "--step", "3")[1].splitlines()[-1]
    assert len(moves.split()) == 1 + 3
    assert after(moves)
    reviewed = json.loads(cli("review", replay, "--nodes", "2000", "--json")[1])
    for moment in reviewed["moments"]:
        assert len(moment["position"].split()) == 1 + moment["step"]
        assert moment["position"] in cli("review", replay, "--nodes", "2000")[1]


@pytest.mark.parametrize("words", [["analyze", "--game", GAME], ["solve", GAME, "--position"]])
def test_a_move_that_is_not_legal_is_one_sentence(cli: Any, words: list[str]) -> None:
    code, out, err = cli(*words, "moves: prize_1 1/1 prize_1")
    assert (code, out) == (2, "")
    assert (
        err
        == "saddlepoint: move 3 of 3: 'prize_1' is no outcome of chance there; possible: prize_2, prize_3\n"
    )


@pytest.mark.parametrize("words", [["analyze", "--game", GAME], ["solve", GAME, "--position"]])
def test_moves_without_their_mark_are_told_how_they_are_written(cli: Any, words: list[str]) -> None:
    code, _, err = cli(*words, "1 1/1")
    assert (code, err) == (
        2,
        "saddlepoint: there is no file '1 1/1'; a position given by its moves is written 'moves: 3/5 2/4'\n",
    )
