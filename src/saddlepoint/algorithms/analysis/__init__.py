"""Analysis of positions and games: depths and counters of a running search, values of all alternatives,
reviews.
"""

from ..chance import searched_form as searched_form
from .alternatives import (
    Alternatives as Alternatives,
    BestMove as BestMove,
    as_proven as as_proven,
    find_alternatives as find_alternatives,
)
from .fair import (
    Analysis as Analysis,
    Counters as Counters,
    FoundDepth as FoundDepth,
)
from .game_review import (
    GameReview as GameReview,
    Moment as Moment,
    Standing as Standing,
    review_game as review_game,
)
from .review import ReviewedTurn as ReviewedTurn, review as review
from .verdict import (
    Kind as Kind,
    TurningPoint as TurningPoint,
    Verdict as Verdict,
    judge as judge,
    turning_points as turning_points,
)
