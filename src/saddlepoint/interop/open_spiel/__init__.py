"""OpenSpiel, both ways: our games there and theirs here, and players. It needs the extra `open_spiel`; see docs/open_spiel.md."""

from .bots import BotPlayer as BotPlayer, SaddlepointBot as SaddlepointBot, bot_of as bot_of
from .ours import (
    SaddlepointGame as SaddlepointGame,
    SaddlepointState as SaddlepointState,
    as_open_spiel as as_open_spiel,
)
from .theirs import (
    OpenSpielRounds as OpenSpielRounds,
    OpenSpielTurns as OpenSpielTurns,
    from_open_spiel as from_open_spiel,
)
from .walk import NotOnePosition as NotOnePosition
