"""What a search saw, while it runs: depths and counters, what every alternative is worth, and where a game was decided."""

from .alternatives import (
    Alternatives as Alternatives,
    StageValues as StageValues,
    TurnValues as TurnValues,
    find_alternatives as find_alternatives,
)
from .live import Analysis as Analysis, Counters as Counters, FoundDepth as FoundDepth
from .losing_move import LosingMove as LosingMove, losing_move as losing_move
from .quiet import searched_form as searched_form
from .review import ReviewedTurn as ReviewedTurn, review as review
from .turning_points import TurningPoint as TurningPoint, turning_points as turning_points
