from .evaluators import (
    TronControl as TronControl,
    TronFreespace as TronFreespace,
    TronOwnFill as TronOwnFill,
    TronTwoFills as TronTwoFills,
)
from .game import ACTIONS as ACTIONS, Tron41 as Tron41
from .prospects import TronProspects as TronProspects
from .rules import State as State
from .text import MAPS as MAPS, Layout as Layout, read_layout as read_layout
