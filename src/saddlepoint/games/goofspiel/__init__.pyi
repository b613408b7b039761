from .evaluators import Hands as Hands
from .game import Goofspiel as Goofspiel, State as State
