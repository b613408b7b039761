"""Our players as bot files for the Tron-41 course's own runner."""

import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ....game import GameError
from ....players.base import MakePlayer
from ....spec import COMMAND, HUMAN, SpecError, parse_spec
from .bot_process import compile_apart, loaded, room
from .limits import MAX_WAIT

COURSE_SIZES = ((17, 17), (13, 13), (7, 7))
"""Rows and columns of the course's maps, the border included."""

_TEMPLATE = Path(__file__).with_name("bot_file.py")
_PACKAGES = Path(__file__).resolve().parents[4]


def bot_file(player: str, make: MakePlayer, max_wait: float = MAX_WAIT, sizes: Sequence[Sequence[int]] = COURSE_SIZES) -> str:
    """The text of a bot file for the course's runner, with the class StudentBot.

    `max_wait` is the seconds of a move where the runner has set no timer; maps of these sizes are made ready when the
    bot is made. Raises SpecError for what is no player of ours.
    """
    if parse_spec(player).name in (COMMAND, HUMAN, "asp"):
        raise SpecError(f"a bot file is written for a player of this library, {player!r} is none")
    make(player, room(sizes[0])).close()
    if not 0 < max_wait < math.inf:
        raise ValueError(f"max_wait takes seconds above 0, not {max_wait}")
    text = _TEMPLATE.read_text(encoding="utf-8")
    values = {
        "PYTHON": sys.executable, "PATH": str(_PACKAGES), "PLAYER": player, "MAX_WAIT": float(max_wait),
        "SIZES": [list(size) for size in sizes],
    }  # fmt: skip
    for name, value in values.items():
        line = f"{name} = {value!r}"
        text, count = re.subn(rf"^{name} = .*$", lambda _, line=line: line, text, flags=re.MULTILINE)
        assert count == 1
    return text


def write_bot(
    file: str,
    player: str,
    make: MakePlayer,
    max_wait: float,
    sizes: Sequence[Sequence[int]],
    announce: Callable[[Sequence[int]], object],
) -> None:
    """Compile the player for maps of these sizes, then write its bot file; `announce` is told what is compiled.

    A file that is there already is only replaced where it is one of ours. Raises GameError.
    """
    text, path = bot_file(player, make, max_wait, sizes), Path(file)
    if path.is_file() and text.split("\n", 1)[0] not in path.read_text(encoding="utf-8", errors="replace"):
        raise GameError(f"{file} is there and was not written by this command; give another name")
    if not path.parent.is_dir():
        raise GameError(f"there is no directory {str(path.parent)!r} to write {path.name} to")
    for size in sizes:
        if not compile_apart(player, size, lambda size=size: announce(size)):
            loaded(make, player, size).close()  # here, then; what is wrong shows
    path.write_text(text, encoding="utf-8")
