from .game import DIRECTIONS as DIRECTIONS, LightRiders as LightRiders, State as State
