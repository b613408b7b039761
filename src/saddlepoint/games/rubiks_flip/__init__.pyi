from .evaluators.ace import Ace as Ace
from .evaluators.bob import Bob as Bob
from .game import RubiksFlip as RubiksFlip, State as State, action_of as action_of
