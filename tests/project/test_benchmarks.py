"""The programs in benchmarks/ follow the library: each of them can be loaded, and what makes files or weights makes them still."""

import re
from pathlib import Path

import pytest

from helpers.programs import output_of
from saddlepoint import solve
from saddlepoint.arena.openings import openings_from
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.solvers.general import save_solution

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
def test_the_benchmarks_load() -> None:
    programs = sorted(path.stem for path in FOLDER.glob("*.py"))
    assert "search_speed" in programs
    load = "import importlib, sys; sys.path.insert(0, sys.argv[1]); print(*map(importlib.import_module, sys.argv[2:]))"
    output_of("-c", load, FOLDER, *programs)


@pytest.mark.slow
def test_openings_with_long_snakes_are_made_and_the_same_again(tmp_path: Path) -> None:
    game, files = Battlesnake(7, 7), (tmp_path / "one.txt", tmp_path / "two.txt")
    board, bounds = (
        ("--width", "7", "--height", "7"),
        ("--games", "6", "--nodes", "60", "--long", "14", "--most", "2"),
    )
    for file in files:
        output_of(FOLDER / "battlesnake_openings.py", file, *board, *bounds)
    states = [game.from_text(text) for text in openings_from(game, files[0])]
    assert states
    assert all(len(game.snake(state, 0).cells) + len(game.snake(state, 1).cells) >= 14 for state in states)
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("fit_counts.py", game, "--games", "40", "--rounds", "1", "--depth", "1"),
            ("round 1: ", "new against old, 20 games: "),
        )
        for game in ("othello", "connect_four")
    ]
    + [
        (
            ("fit_hands.py", "--points", "6", "--win", "6"),
            ("points, 6 cards, weights: ", "win, 6 cards, weights and spread: "),
        )
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_weights_are_fitted(words: tuple[str, ...], told: tuple[str, str]) -> None:
    found = output_of(FOLDER / words[0], *words[1:])
    assert told[0] in found and told[1] in found


@pytest.mark.slow
def test_losses_are_told_by_a_solution(tmp_path: Path) -> None:
    game = Goofspiel(5)
    save_solution(tmp_path / "five.sol", solve(game))
    asked = ("--nodes", "200", "--games", "2")
    found = output_of(
        FOLDER / "losses_to_solution.py",
        str(tmp_path / "five.sol"),
        "goofspiel(cards=5)",
        "best",
        "random",
        *asked,
    )
    losses = re.findall(r"^(\w+): ([\d.]+) \+- ", found, re.MULTILINE)
    assert [name for name, _ in losses] == ["best", "random"]
    assert float(losses[0][1]) < 1e-6 < 0.1 < float(losses[1][1])
