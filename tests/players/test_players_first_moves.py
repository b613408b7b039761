"""Every player is ready before its clock runs: meanwhile nothing is compiled, loaded from disk or imported in its first game."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import first_moves
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import GAMES, GameEntry
from saddlepoint.games.catalogue.players import roster
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.players.base import next_choice
from saddlepoint.solvers.general import Solution, save_solution
from saddlepoint.solvers.general.solve import solve_positions

SOLVED = Goofspiel(4, utility="points")
SEARCHES = (
    ("light_riders(width=6, height=6)", "do_alphabeta(evaluator=voronoi)"),
    ("othello(size=6)", "mcts"),
    ("tic_tac_toe", "dfpn"),
    ("tic_tac_toe", "pvs(choice=mixture)"),
    ("soccer", "smab"),
    ("goofspiel(cards=13, utility=points)", "best"),
)
"""Searches as players, of every kind."""


def meanwhile(spec: str, *games: str) -> str:
    """What happens while the clock of a player runs, in a process of its own."""
    done = subprocess.run(
        [sys.executable, first_moves.__file__, spec, *games],
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
        env=os.environ | {"SADDLEPOINT_QUIET": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solved") / "goofspiel4.sol"
    save_solution(path, Solution.of(solve_positions(SOLVED, fold=True)))
    return path


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="it is about compiled code")
def test_a_solution_is_ready_for_positions_whose_image_is_kept(solution: Path) -> None:
    """The first position of the game is kept itself; those in which the players are exchanged need more of the rules."""
    game = "goofspiel(cards=4, utility=points)"
    meanwhile(f'solution("{solution}")', game)  # what is compiled once is on disk now
    assert meanwhile(f'solution("{solution}")', game) == ""


@pytest.mark.skipif(PLAIN_PYTHON, reason="it is about compiled code")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "spec"),
    [(entry.game or "goofspiel(cards=4)", entry.name) for entry in roster() if entry.is_complete]
    + list(SEARCHES),
)
def test_nothing_is_compiled_loaded_or_imported_while_a_players_clock_runs(game: str, spec: str) -> None:
    assert meanwhile(spec, game) == ""


@pytest.mark.skipif(PLAIN_PYTHON, reason="it is about compiled code")
@pytest.mark.slow
@pytest.mark.parametrize("entry", GAMES.values(), ids=lambda entry: entry.name)
def test_nothing_is_compiled_while_the_clock_of_best_runs_at_any_size_and_option_of_a_game(
    entry: GameEntry,
) -> None:
    assert meanwhile("best", *first_moves.sizes_of(entry)) == ""


@pytest.mark.plain
def test_where_chance_moves_first_a_player_is_warmed_where_it_chooses() -> None:
    game = Goofspiel(3)
    start = game.initial_state()
    assert list(game.players_to_act(start)) == []
    for player in (0, 1):
        assert player in game.players_to_act(next_choice(game, start, player))
