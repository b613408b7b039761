"""Compile a player for Tron-41 on maps of a size: python -m saddlepoint.protocols.asp_compile PLAYER ROWS COLUMNS."""

import sys

from ..players.make import make_player
from .asp_process import room


def main() -> None:
    """Compile what it needs, and leave it in the cache."""
    spec, rows, columns = sys.argv[1:4]
    game = room((int(rows), int(columns)))
    player = make_player(spec, game)
    player.warm(game, game.initial_state(), (0, 1))
    player.close()


if __name__ == "__main__":
    main()
