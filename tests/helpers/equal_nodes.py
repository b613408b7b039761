"""Games of two players with as many nodes a move, where the clock plays no part and each run is the same."""

from saddlepoint.algorithms import Limits
from saddlepoint.arena.openings import random_openings
from saddlepoint.game.base import Game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.players.clock import ENDLESS


def points_of_first(game: Game, specs: tuple[str, str], nodes: int, openings: int) -> float:
    """What the first player gets of two games from each opening, one with either side; a win counts 1, a draw a half."""
    players, points = [make_player(spec, game, Limits(nodes=nodes)) for spec in specs], 0.0
    for number, opening in enumerate(random_openings(game, 4, openings, seed=1)):
        for swap in (False, True):
            seated = players[::-1] if swap else players
            record = play_game(
                game, seated, game.from_text(opening), (ENDLESS, ENDLESS), number, tolerance=5.0
            )
            assert record.faults == (None, None)
            points += 0.5 + 0.5 * (-record.result if swap else record.result)
    return points
