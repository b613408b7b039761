from .evaluators import TronControl as TronControl, TronProspects as TronProspects
from .game import ACTIONS as ACTIONS, Tron41 as Tron41
from .published import (
    TronFreespace as TronFreespace,
    TronOwnFill as TronOwnFill,
    TronTwoFills as TronTwoFills,
)
from .rules import State as State
from .text import MAPS as MAPS, Layout as Layout, read_layout as read_layout
