from .game import STEPS as STEPS, Soccer as Soccer, State as State
