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
    """A position, text or option that the game does not have; the message says what was expected.

    >>> from saddlepoint import GameError, Goofspiel
    >>> try:
    ...     Goofspiel(cards=0)
    ... except GameError as error:
    ...     print(error)
    cards must be 1 to 13, not 0
    """


class IllegalActionError(GameError):
    """An action that is not legal where it was tried; the message shows the position and the legal actions.

    >>> from saddlepoint import IllegalActionError, TicTacToe
    >>> game = TicTacToe()
    >>> try:
    ...     game.next_state(game.initial_state(), 9)
    ... except IllegalActionError as error:
    ...     print(error)
    9 is not a legal action of player 0 here; legal: 0, 1, 2, 3, 4, 5, 6, 7, 8
    ...
    ...
    ...
    """
