"""Whose turn it may be in a position, and the errors of positions and actions that a game does not have."""

from enum import IntEnum

NO_ACTION = -1
"""The action of a player without a choice at a node."""


class Node(IntEnum):
    """The values of `current_player` besides 0 and 1."""

    CHANCE = -1
    SIMULTANEOUS = -2
    TERMINAL = -4


CHANCE, SIMULTANEOUS, TERMINAL = int(Node.CHANCE), int(Node.SIMULTANEOUS), int(Node.TERMINAL)


class GameError(ValueError):
    """A position, text or option that the game does not have; the message says what was expected."""


class IllegalActionError(GameError):
    """An action that is not legal where it was tried; the message shows the position and the legal actions."""
