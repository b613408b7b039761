from .game import OshiZumo as OshiZumo, State as State
from .purses import Purses as Purses, purses_of as purses_of
