"""Tron-41 once the players are apart: how to last longest, with what lies in one's own part of the board."""

from .alone import AloneResult, last_alone, reach, stay_apart

__all__ = ["AloneResult", "last_alone", "reach", "stay_apart"]
