"""`saddlepoint solve GAME --method ...`: games in turn by search, and by their own solvers."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli
from saddlepoint.games import ConnectFour, TicTacToe
from saddlepoint.solvers.turns import METHODS, bounds_in_words

__all__ = ["cli"]  # a fixture


@pytest.mark.compiles_long
def test_a_position_is_solved_with_its_best_first_moves(cli: Any, tmp_path: Path) -> None:
    game = TicTacToe()
    state = game.initial_state()
    for action in (0, 4, 2, 1, 7, 3):
        state = game.next_state(state, action)
    position = tmp_path / "position.txt"
    position.write_text(game.to_text(state))
    whole = cli("solve", "tic_tac_toe", "--position", str(position), "--json")[1]
    for method in METHODS:
        options = ["solve", "tic_tac_toe", "--position", str(position), "--method", method]
        code, out, _ = cli(*options, "--all-moves", "--json")
        data = json.loads(out)
        assert (code, data["proven"], data["bounds"], data["all_moves"]) == (
            0,
            True,
            [data["value"]] * 2,
            True,
        )
        assert data["value"] == json.loads(whole)["value"]
        code, out, _ = cli(*options)
        assert code == 0
        assert f"value {data['value']:+.9g} for player 0, proven" in out
        assert "best first move" in out


def test_bounds_are_told_in_words() -> None:
    game = ConnectFour()
    assert bounds_in_words(game, -1.0, 1.0) == "not known"
    assert bounds_in_words(game, 0.0, 0.0) == "+0"
    assert bounds_in_words(game, 0.0, 1.0) == "at least +0"
    assert bounds_in_words(game, -1.0 + 1e-16, 1.0 - 1e-16) == "above -1 and below +1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["tic_tac_toe", "--method", "guess"],
            "method must be induction, alpha_beta, proof_number or own, not 'guess'",
        ),
        (
            ["tic_tac_toe", "--method", "alpha_beta", "-o", "t.sol"],
            "--output has no use with alpha_beta; it goes with induction or own",
        ),
        (
            ["tic_tac_toe", "--method", "proof_number", "-j", "2"],
            "-j has no use with proof_number; it goes with induction or own",
        ),
        (
            ["tic_tac_toe", "--all-moves"],
            "--all-moves has no use with induction; it goes with alpha_beta or proof_number",
        ),
        (
            ["tic_tac_toe", "--time", "3"],
            "--time has no use with induction; it goes with alpha_beta or proof_number or own",
        ),
        (["tic_tac_toe", "--method", "alpha_beta", "--time", "0"], "--time takes seconds above 0"),
        (["tic_tac_toe", "--method", "own"], "TicTacToe has no solver of its own"),
        (["goofspiel(cards=3)", "--method", "alpha_beta"], "alpha_beta searches turn-based games"),
        (
            ["simplexity(rows=4, cols=4)", "--method", "own", "-o", "s.sol"],
            "without --output, or --method induction",
        ),
        (
            ["rubiks_flip(double_lock=opponent)", "--position", "-"],
            "Rubik's Flip is solved as a whole: without --position",
        ),
        (
            ["rubiks_flip(double_lock=opponent)", "--memory", "100"],
            "Rubik's Flip is solved as a whole, in as much memory as that takes",
        ),
        (
            ["simplexity(rows=4, cols=4)", "--method", "own", "-j", "4"],
            "are searched for with one thread: without -j",
        ),
        (
            ["tic_tac_toe", "--method", "alpha_beta", "--no-check"],
            "--check has no use with alpha_beta; it goes with induction",
        ),
        (
            ["soccer", "--method", "proof_number"],
            "positions come back: leave --method out, or give --no-cycles",
        ),
    ],
)
def test_what_a_method_cannot_do_is_refused_in_one_sentence(
    cli: Any, monkeypatch: Any, options: list[str], message: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("..../..../..../...."))
    code, out, err = cli("solve", *options)
    assert (code, out) == (2, "")
    assert message in err


def test_rubiks_flip_with_parameters_is_solved_by_its_own_solver(
    cli: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    asked: list[Any] = []

    def solved(path: Path, rule: str, **options: Any) -> None:
        asked.append((path, rule, options["workers"]))

    monkeypatch.setattr("saddlepoint.games.rubiks_flip.database.solve_to_file", solved)
    cli("solve", "rubiks_flip(double_lock=opponent)", "-o", str(tmp_path / "flip.solved"), "-j", "2")
    assert asked == [(tmp_path / "flip.solved", "opponent", 2)]


@pytest.mark.compiles_long
def test_simplexity_is_solved_by_its_own_solver_in_the_same_form(cli: Any) -> None:
    board = "simplexity(rows=3, cols=3, win=3, round=2, square=3)"
    data = json.loads(cli("solve", board, "--method", "own", "--json")[1])
    assert (data["value_for_white"], data["plies"], data["exact"]) == (-1, 8, True)
