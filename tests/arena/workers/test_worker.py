"""Games in one process."""

import gc

from arena_games import NODES, SMALL
from saddlepoint.arena.job import Job, PlayedGame
from saddlepoint.arena.workers.worker import PlayerPool


def test_a_move_is_not_charged_for_collecting_what_was_there_before_the_game() -> None:
    left_out = []
    pool = PlayerPool(NODES)
    job = Job(0, 0, ("random", "random"), SMALL.to_text(SMALL.initial_state()), 1)
    try:
        for _ in range(2):
            played = pool.play(job, lambda state, actions: left_out.append(gc.get_freeze_count()))
            assert isinstance(played, PlayedGame)
            assert gc.get_freeze_count() == 0
    finally:
        pool.close()
    assert left_out and min(left_out) > 10_000
