"""The programs in benchmarks/ follow the library: each of them can be loaded, and what made weights makes them still."""

from pathlib import Path

import pytest

from programs import output_of
from saddlepoint.evaluators.network.file import load_weights
from saddlepoint.games.battlesnake import SnakeProspects

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.slow
def test_the_benchmarks_load() -> None:
    programs = sorted(path.stem for path in FOLDER.glob("*.py"))
    assert "search_speed" in programs
    load = "import importlib, sys; sys.path.insert(0, sys.argv[1]); print(*map(importlib.import_module, sys.argv[2:]))"
    output_of("-c", load, FOLDER, *programs)


@pytest.mark.slow
def test_games_of_battlesnake_are_played_and_fitted_to(tmp_path: Path) -> None:
    program, games, weights = FOLDER / "fit_battlesnake.py", tmp_path / "games.npz", tmp_path / "x.weights"
    output_of(program, "play", games, "--games", "2", "--nodes", "20")
    output_of(program, "fit", games, "--epochs", "1", "-o", weights)
    assert "fit_battlesnake.py play games.npz --games 2 --nodes 20" in str(load_weights(weights).record)
    assert SnakeProspects(weights=str(weights)).is_fitted


@pytest.mark.slow
@pytest.mark.parametrize("game", ["othello", "connect_four"])
def test_counts_are_fitted_to_games(game: str) -> None:
    found = output_of(FOLDER / "fit_counts.py", game, "--games", "40", "--rounds", "1", "--depth", "1")
    assert "round 1: " in found and "new against old, 20 games: " in found


@pytest.mark.slow
def test_hands_are_fitted_to_values() -> None:
    assert "3 cards: weights " in output_of(FOLDER / "fit_hands.py", "--positions", "10", "--most", "3")
