"""Policies as objects, and how far they are from an equilibrium."""

from .evaluation import (
    BestResponse as BestResponse,
    best_response as best_response,
    nash_conv as nash_conv,
    value_of as value_of,
)
from .policy import (
    Joined as Joined,
    Policy as Policy,
    PolicyError as PolicyError,
    Searched as Searched,
    Solved as Solved,
    Table as Table,
    Uniform as Uniform,
    probabilities as probabilities,
)
