"""Tron-41 once the players are separated: how to last longest, with what lies in one's own part of the board."""

from .lasting import LastingResult, plan_lasting, reach, stay_separated

__all__ = ["LastingResult", "plan_lasting", "reach", "stay_separated"]
