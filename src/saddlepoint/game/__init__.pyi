from .base import (
    CHANCE as CHANCE,
    SIMULTANEOUS as SIMULTANEOUS,
    TERMINAL as TERMINAL,
    Ending as Ending,
    Game as Game,
    GameError as GameError,
    IllegalActionError as IllegalActionError,
    KernelError as KernelError,
    Symmetry as Symmetry,
    constant as constant,
    kernel as kernel,
    parameter as parameter,
    with_item as with_item,
)
from .checker import check_game as check_game
