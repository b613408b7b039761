"""Evaluators: estimates of a position's value before the game has ended.

Here are those for kinds of games; one for a single game lies with it. To add one, write a file here, and its line in the list,
`__init__.pyi`. `needs` names what a game must have for it. Each is loaded when it is first asked for: a player needs one or two of them,
and starts the sooner.
"""

from ..system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
