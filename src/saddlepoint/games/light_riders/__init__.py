"""Light Riders: two riders leave walls behind them; both choose at the same time (riddles.io)."""

from ..interface import attach

__getattr__, __dir__ = attach(__name__, __file__)
