"""Starts the process by which a game's contest has one of our players play, without the command line.

python -m saddlepoint.games.catalogue.process GAME ARGUMENT...
"""

import sys

from .games import GAMES
from .make import make_player


def main() -> None:
    """Run the process that the game of that name brings (`Description.process`)."""
    game, *arguments = sys.argv[1:]
    entry = GAMES[game]
    entry.load(entry.description.process)(make_player, arguments)


if __name__ == "__main__":
    main()
