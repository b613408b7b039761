"""Compile a player for Tron-41 on maps of a size: python -m saddlepoint.protocols.asp.bot_compile PLAYER ROWS COLUMNS."""

import sys

from .bot_process import loaded


def main() -> None:
    """Compile what it needs, and leave it in the cache."""
    spec, rows, columns = sys.argv[1:4]
    loaded(spec, (int(rows), int(columns))).close()


if __name__ == "__main__":
    main()
