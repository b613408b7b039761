"""What soccer brings besides its rules."""

from ...description import Description

GAME = Description(replay_formats=("kaggle:EPISODE",))
