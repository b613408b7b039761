"""A game from a file of one's own that says nothing but text: Connect Four without the library's picture and names of columns."""

from dataclasses import dataclass
from typing import ClassVar

from saddlepoint import Game
from saddlepoint.games import ConnectFour


@dataclass(frozen=True)
class TextConnectFour(ConnectFour):
    """Connect Four as its rows of characters."""

    name: ClassVar[str] = "text_connect_four"
    picture = Game.picture
    action_to_string = Game.action_to_string
    string_to_action = Game.string_to_action
