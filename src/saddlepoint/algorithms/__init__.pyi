# The searches, and what all of them share. A search's own line is in `catalogue`.
from .algorithm import Algorithm as Algorithm, Memory as Memory, UnsupportedGameError as UnsupportedGameError
from .catalogue import *  # noqa: F403 (the searches)
from .catalogue import ALGORITHMS as ALGORITHMS
from .limits import Limits as Limits, StopToken as StopToken
from .result import (
    Iteration as Iteration,
    Partial as Partial,
    SearchResult as SearchResult,
    Statistics as Statistics,
)
from .sampling.selections import Selection as Selection
from .searcher import Searcher as Searcher, search as search
