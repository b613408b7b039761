from .evaluators.control import TronControl as TronControl
from .evaluators.fills import TronOwnFill as TronOwnFill, TronTwoFills as TronTwoFills
from .evaluators.freespace import TronFreespace as TronFreespace
from .game import ACTIONS as ACTIONS, Tron41 as Tron41
from .layout import MAPS as MAPS, Layout as Layout, read_layout as read_layout
from .state import State as State
