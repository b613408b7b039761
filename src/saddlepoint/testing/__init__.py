"""The conformance test that every game passes, and that any third party's game can call.

    from saddlepoint.testing import check_game
    check_game(MyGame(size=5))
"""

from .conformance import check_game

__all__ = ["check_game"]
