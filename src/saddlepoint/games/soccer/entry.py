"""What soccer brings besides its rules."""

from ..interface import Description

GAME = Description(replay_formats=("game:EPISODE",))
