"""Tron-41 as its course plays it: the course's bot files run here, our players as its bot files, its runner."""

from typing import Any

from ..protocol import Protocol


def _player(command: str, game: Any, isolation: Any) -> Any:
    from .player import asp_player

    return asp_player(command, isolation=isolation)


def _claims(command: str, file: Any) -> bool:
    """`FILE.py` and `FILE.py:CLASS`, unless the file defines a player of this library and no bot of the course's."""
    from ...programs.python_file import defines_class, defines_player, words_of
    from .host import CLASSES

    if file is not None:
        return defines_class(file, CLASSES) or not defines_player(file)
    words = words_of(command)
    return len(words) == 1 and words[0].rpartition(":")[0 if ":" in words[0] else 2].endswith(".py")


ASP = Protocol("asp", "tron41", _player, _claims)
