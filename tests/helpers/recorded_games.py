"""Games of random players as lines of replay files."""

from typing import Any

from saddlepoint import Game
from saddlepoint.play.game import play_game
from saddlepoint.play.replay import game_json
from saddlepoint.players.base import RandomPlayer
from saddlepoint.players.clock import Clock


def line_of(game: Game, seed: int = 3) -> dict[str, Any]:
    """The line of a game of random players."""
    start = game.initial_state()
    record = play_game(game, (RandomPlayer(), RandomPlayer()), start, (Clock(10.0), Clock(10.0)), seed=seed)
    return game_json(game, record, ("a", "b"), game.to_text(start), seed)
