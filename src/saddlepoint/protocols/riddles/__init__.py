"""riddles.io's Light Riders: its words, our bot, a program that is one, and the contest's referee."""

from typing import Any

from ..protocol import Protocol


def _player(command: str, game: Any, isolation: Any) -> Any:
    from .player import ProcessPlayer

    return ProcessPlayer(command, game, isolation)


def _claims(command: str, file: Any) -> bool:
    from ...programs.python_file import defines_player

    return file is None or not defines_player(file)


def _bot(player: str, load: Any, source: Any, answers: Any) -> bool:
    from .bot import run_bot

    return run_bot(player, load, source, answers)


RIDDLES = Protocol("riddles", "light_riders", _player, _claims, _bot)
