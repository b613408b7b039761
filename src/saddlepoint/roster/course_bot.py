"""A player of ours behind its bot file for the Tron-41 course (`protocols/asp/bot_process.py` says what is spoken).

    python -m saddlepoint.roster.course_bot PLAYER                 plays
    python -m saddlepoint.roster.course_bot PLAYER ROWS COLUMNS    compiles it for maps of a size, and ends
"""

import sys

from ..protocols.asp.bot_process import loaded, run
from .make import make_player


def main() -> None:
    """Play, or leave what is compiled in the cache."""
    player, *size = sys.argv[1:]
    if size:
        rows, columns = map(int, size)
        loaded(make_player, player, (rows, columns)).close()
    else:
        run(player, make_player)


if __name__ == "__main__":
    main()
