"""Tron-41 once the players are separated: how to last longest, with what lies in one's own part of the board."""

from .survival import SurvivalResult, plan_survival, reach, stay_separated

__all__ = ["SurvivalResult", "plan_survival", "reach", "stay_separated"]
