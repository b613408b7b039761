"""Games for a fit: what each position is worth is by its definition, and the same task gives the same games."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.fitted_files import random_weights
from saddlepoint import Game, Goofspiel, TicTacToe
from saddlepoint.evaluators.network.file import words_of
from saddlepoint.learning.games import Plan, Task, openings_of, play_games

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


def plan_of(game: Game, trace: float = 0.5, nodes: int = 50) -> Plan:
    return Plan(game, "pvs" if game.turn_based else "saddle", None, nodes, 2, 0.1, trace)


GAMES: list[Any] = [TicTacToe(), pytest.param(Goofspiel(4), marks=pytest.mark.slow)]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_same_task_gives_the_same_games_and_another_seed_others(game: Game) -> None:
    tasks = [Task(plan_of(game), None, None, 6, (1, seed)) for seed in (1, 1, 2)]
    one, two, other = map(play_games, tasks)
    assert np.array_equal(one.words, two.words)
    assert np.array_equal(one.targets, two.targets)
    assert not np.array_equal(one.words, other.words)
    assert len(one.words) == len(one.targets) > 12
    assert np.abs(one.targets).max() <= 1.0


def test_games_begin_in_openings_that_are_given() -> None:
    """Half of them, drawn by the seed, after two random moves at most; the others as they would without."""
    game = TicTacToe()
    openings = openings_of(game, "moves: 4 0 8 2", 1)
    drawn = openings.drawn(8, random.Random(1))
    assert drawn.count(None) == 4
    assert drawn == openings.drawn(8, random.Random(1)) != openings.drawn(8, random.Random(2))
    task = Task(plan_of(game), None, None, 4, (1, 1), (openings.positions[0],) * 4)
    found = play_games(task)
    first = words_of(game, [game.from_text(openings.positions[0])])[0]
    assert all((row[:2] & first[:2] == first[:2]).all() for row in found.words)
    assert np.array_equal(found.words, play_games(task).words)
    assert np.array_equal(
        play_games(task._replace(openings=(None,) * 4)).words, play_games(task._replace(openings=())).words
    )


def test_openings_are_known_by_what_they_are(tmp_path: Path) -> None:
    game, file = TicTacToe(), tmp_path / "late.txt"
    identities: list[Any] = []
    for text in ("moves: 5 1\n", "moves: 5 1\n\n\n", "moves: 5 2\n"):
        file.write_text(text)
        identities.append(openings_of(game, str(file), 1).identity)
    assert identities[0] == identities[1]
    assert identities[0] != identities[2]
    assert (identities[0]["asked"], identities[0]["positions"]) == ("late.txt", 1)
    assert openings_of(game, "random:4", 1).identity["asked"] == "random:4"


@pytest.mark.slow
def test_a_rival_plays_every_fourth_game() -> None:
    """The games of the learner alone are what they are without a rival."""
    game = TicTacToe()
    rivals = None, random_weights(game)
    alone, met = (play_games(Task(plan_of(game), None, rival, 4, (1, 1))) for rival in rivals)
    count = min(len(alone.words), len(met.words))
    same = [np.array_equal(alone.words[k], met.words[k]) for k in range(count)]
    assert all(same[:12])
    assert len(alone.words) != len(met.words) or not all(same)


def test_positions_that_are_proven_count_as_what_they_are() -> None:
    """Near its end noughts and crosses is searched to the end: targets there are results."""
    found = play_games(Task(plan_of(TicTacToe(), nodes=5000), None, None, 4, (3, 1)))
    marks = np.array([int(first).bit_count() + int(second).bit_count() for first, second, _ in found.words])
    assert set(np.round(found.targets[marks >= 6], 6)) <= {-1.0, 0.0, 1.0}


def test_as_long_as_values_say_nothing_only_what_is_proven_and_results_count() -> None:
    """Every second move is a random one, and nothing is known before the end: a position is worth what came of its game."""
    plan = plan_of(TicTacToe(), nodes=10)._replace(knows_values=False, random_share=0.5)
    found = play_games(Task(plan, None, None, 12, (2, 1)))
    assert np.abs(found.targets).mean() > 0.3
    assert set(np.round(found.targets, 6)) <= {-1.0, 0.0, 1.0}
    knowing = play_games(Task(plan._replace(knows_values=True), None, None, 12, (2, 1)))
    assert np.abs(knowing.targets).mean() < np.abs(found.targets).mean()
