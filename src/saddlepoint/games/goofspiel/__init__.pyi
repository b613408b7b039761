from .game import Goofspiel as Goofspiel, State as State
from .hands import Hands as Hands
