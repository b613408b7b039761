"""What a search saw, while it runs: depths and counters, what every alternative is worth, and where a game was decided."""

from .alternatives import (
    Alternatives as Alternatives,
    Line as Line,
    StageValues as StageValues,
    TurnValues as TurnValues,
    find_alternatives as find_alternatives,
)
from .game_review import (
    GameReview as GameReview,
    Moment as Moment,
    Standing as Standing,
    review_game as review_game,
)
from .live import Analysis as Analysis, Counters as Counters, FoundDepth as FoundDepth
from .proven import as_proven as as_proven
from .review import ReviewedTurn as ReviewedTurn, review as review
from .turning_points import TurningPoint as TurningPoint, turning_points as turning_points
from .verdict import Kind as Kind, Verdict as Verdict, judge as judge
from .without_chance import searched_form as searched_form
