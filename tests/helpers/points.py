"""What a player gets of games against another one, with either side in every other game."""

import gc
import math
from collections.abc import Sequence
from typing import Any

from saddlepoint.game.base import Game
from saddlepoint.play.game import play_game
from saddlepoint.players.base import Player
from saddlepoint.players.clock import ENDLESS, Clock


def points(
    game: Game,
    players: tuple[Player, Player],
    games: int,
    clocks: tuple[Clock, Clock] = (ENDLESS, ENDLESS),
    wanted: float = math.inf,
    starts: Sequence[Any] = (None,),
) -> float:
    """Of so many games what the first player gets: a win counts 1, a draw a half; with `wanted` what is decided is not played on.

    Two games, one with either side, begin at each of `starts` in turn.
    """
    middle, found = (game.min_utility + game.max_utility) / 2, 0.0
    gc.collect()
    gc.freeze()  # as in the arena: to look through what a worker of the tests has compiled for garbage takes seconds
    try:
        for number in range(games):
            side = 1 - 2 * (number % 2)
            record = play_game(
                game,
                players[::side],
                starts[number // 2 % len(starts)],
                clocks[::side],
                number // 2,
                tolerance=5.0,
            )
            assert not any(record.faults), record.faults
            result = side * (record.result - middle)
            found += 0.5 if result == 0 else float(result > 0)
            if found >= wanted:
                break
    finally:
        gc.unfreeze()
    return found
