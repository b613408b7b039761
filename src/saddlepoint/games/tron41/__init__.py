"""Tron-41, the alternating Tron with power-ups of a university course (rules of 2018 to 2021)."""

from .game import ACTIONS, Tron41
from .layout import MAPS, Layout, read_layout
from .state import State

__all__ = ["ACTIONS", "MAPS", "Layout", "State", "Tron41", "read_layout"]
