"""A quick move sees what wins and loses by force within five plies: compared with a plain search of the whole tree."""

import random
import time

import pytest

from games.simplexity.protocol.csl_positions import start, winner
from saddlepoint.games.simplexity.protocol.board import Parameters, Position, replay
from saddlepoint.games.simplexity.protocol.request import ThinkRequest
from sizes import COMPILED_ONLY

pytestmark = pytest.mark.plain

SMALL = Parameters(4, 4, 3, 4, 4)


def best(position: Position) -> tuple[int, int]:
    """The last of the moves, with all the time that it takes."""
    return [*position.looked_ahead(5, time.monotonic() + 600)][-1]


def result(position: Position, player: int, plies: int) -> int:
    """1 where the player wins by force within so many plies, -1 where the other does, 0 else."""
    won = winner(position)
    if won is not None:
        return 1 if won == player else -1
    if plies == 0 or not position.moves():
        return 0
    choose = max if position.mover == player else min
    return choose(result(position.after(*move), player, plies - 1) for move in position.moves())


def middle_first(position: Position) -> list[tuple[int, int]]:
    """The legal moves, columns from the middle outwards, in each the own shape first: what a drawn number means must not change."""
    middle = position.parameters.cols // 2
    return sorted(position.moves(), key=lambda move: (abs(move[0] - middle), move[0], move[1] != position.mover))


@pytest.mark.slow
def test_it_wins_where_five_plies_win_and_does_not_lose_where_four_need_not():
    draw, seen = random.Random(3), dict.fromkeys((-1, 0, 1), 0)
    for _ in range(20):
        position = start(SMALL)
        for _ in range(draw.randrange(2, 9)):
            if not position.over():
                position = position.after(*draw.choice(middle_first(position)))
        if position.over():
            continue
        own = position.mover
        expected = max(result(position.after(*move), own, 4) for move in position.moves())
        answer = position.after(*best(position))
        if expected == 1:
            assert result(answer, own, 4) == 1, position.text()
        else:
            holds = max(result(position.after(*move), own, 3) for move in position.moves())
            assert result(answer, own, 3) == holds, position.text()
        seen[expected] += 1
    assert seen[1] > 2
    assert seen[0] > 2


@pytest.mark.parametrize(
    ("moves", "wins"),
    [
        ("3r,3s,2r,2s", {(1, 0), (4, 0)}),  # an open three in the bottom row, which cannot be stopped at both ends
        ("3r,0s,2r,0s,4r,0s", {(1, 0), (5, 0), (1, 1), (5, 1)}),  # at once
    ],
)
def test_a_move_that_wins_by_force_is_found_on_the_usual_board(moves, wins):
    assert best(replay(Parameters(), moves)) in wins


@COMPILED_ONLY
def test_a_move_that_loses_by_force_is_not_made():
    position = replay(Parameters(), "3r,3s,2r")  # two of White's in the bottom row: one more with both ends free, and it is over
    answer = best(position)
    assert result(position.after(*answer), 0, 3) < 1
    assert any(result(position.after(*move), 0, 3) == 1 for move in position.moves())


def test_what_is_found_in_time_counts():
    position = replay(Parameters(33, 42, 20, 400, 500), "3r,3s,2r,2s")
    began = time.monotonic()
    found = list(position.looked_ahead(5, began + 0.05))
    assert all(move in position.moves() for move in found)
    assert time.monotonic() - began < 20


def test_the_looking_ends_before_the_answer_and_then_nobody_waits_for_the_player():
    position, said = replay(Parameters(), "3r,3s,2r,2s"), []
    request = ThinkRequest("g", "r", position, position.text(), 60.0, time.monotonic(), said.append)
    request.look()
    request.look_ahead_meanwhile()
    request.give_up()
    deadline = time.monotonic() + 30
    while not said:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert said[0] in ("move g r 1 r", "move g r 4 r")
    assert request.why == "it is not ready yet"
