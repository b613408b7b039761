"""The library's own line protocol, docs/protocol.md: its words, our bot that speaks it, a program that does."""

from typing import Any

from ..protocol import Protocol


def _player(command: str, game: Any, isolation: Any) -> Any:
    from .player import LinesPlayer

    return LinesPlayer(command, isolation)


LINES = Protocol("lines", player=_player)
"""Its bot is made with the game: see `bot.py`."""
