"""The programs in benchmarks/ follow the library: each of them can be loaded, and what makes files or weights makes them still."""

from pathlib import Path

import pytest

from programs import output_of
from saddlepoint.arena.openings import openings_from
from saddlepoint.games.battlesnake import Battlesnake

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.slow
def test_the_benchmarks_load() -> None:
    programs = sorted(path.stem for path in FOLDER.glob("*.py"))
    assert "search_speed" in programs
    load = "import importlib, sys; sys.path.insert(0, sys.argv[1]); print(*map(importlib.import_module, sys.argv[2:]))"
    output_of("-c", load, FOLDER, *programs)


@pytest.mark.slow
def test_openings_with_long_snakes_are_made_and_the_same_again(tmp_path: Path) -> None:
    game, files = Battlesnake(7, 7), (tmp_path / "one.txt", tmp_path / "two.txt")
    board, bounds = ("--width", "7", "--height", "7"), ("--games", "6", "--nodes", "60", "--long", "14", "--most", "2")
    for file in files:
        output_of(FOLDER / "battlesnake_openings.py", file, *board, *bounds)
    states = [game.from_text(text) for text in openings_from(game, files[0])]
    assert states
    assert all(len(game.snake(state, 0).cells) + len(game.snake(state, 1).cells) >= 14 for state in states)
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["othello", "connect_four"])
def test_counts_are_fitted_to_games(game: str) -> None:
    found = output_of(FOLDER / "fit_counts.py", game, "--games", "40", "--rounds", "1", "--depth", "1")
    assert "round 1: " in found and "new against old, 20 games: " in found


@pytest.mark.slow
def test_hands_are_fitted_to_values() -> None:
    assert "3 cards: weights " in output_of(FOLDER / "fit_hands.py", "--positions", "10", "--most", "3")
