"""What has to be compiled before something can be answered."""

import time

from ..play.preparation import BusyError, Preparation
from ..players.needs import Need
from .errors import Refused, StillCompiling, first_line
from .games import KnownGame

MOST = 8
"""Players that may wait to be compiled."""
RULES = "random"
"""The player that needs nothing but the rules."""


def missing(preparation: Preparation, known: KnownGame, player: str) -> StillCompiling | None:
    """What of a player in a game is not compiled yet, which this call sees to; None where it may play.

    Raises Refused where it cannot be compiled.
    """
    try:
        task = preparation.missing(Need(known.game, player))
    except BusyError:
        raise Refused("too much is being compiled already; try again in a moment", 503) from None
    except Exception as error:
        raise Refused(f"{player} cannot play {known.spec}: {first_line(error)}") from None
    return None if task is None else StillCompiling(
        f"{known.spec}: {player}", round(time.monotonic() - task.asked, 1), preparation.ahead(task)
    )
