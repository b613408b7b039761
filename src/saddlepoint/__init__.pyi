__version__: str
# The public names: every search, every game, and what rules are written with.
# ruff: noqa: F403
from .algorithms import *
from .game import *
from .games import *
from .policies import (
    Policy as Policy,
    best_response as best_response,
    nash_conv as nash_conv,
    nash_conv_bound as nash_conv_bound,
    value_of as value_of,
)
from .solvers.whole_game import solve as solve
