from .evaluators import Ace as Ace, Bob as Bob
from .game import RubiksFlip as RubiksFlip, State as State, action_of as action_of
