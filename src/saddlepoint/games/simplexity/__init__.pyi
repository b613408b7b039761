from .evaluators import BrokenRuns as BrokenRuns, CentreDistance as CentreDistance, Lines as Lines
from .game import Simplexity as Simplexity
from .state import (
    DRAW as DRAW,
    RED as RED,
    RED_WON as RED_WON,
    ROUND as ROUND,
    SQUARE as SQUARE,
    UNDECIDED as UNDECIDED,
    WHITE as WHITE,
    WHITE_WON as WHITE_WON,
    State as State,
)
