"""A player in one game after the other, by whatever rules each of them has."""

from typing import TYPE_CHECKING

from .crowd import Rules, game_of

if TYPE_CHECKING:  # a bot answers before the searches are loaded
    from ....players.base import MakePlayer, Player
    from .. import Battlesnake


class Playing:
    """The player, made anew where the rules of a game are others than those before; that compiles nothing on a board of the same size.

    Raises what making the player raises.
    """

    def __init__(self, make_player: "MakePlayer", spec: str, rules: Rules) -> None:
        self._make_player, self._spec = make_player, spec
        self._match: object = None
        self._is_fresh = False
        self._refused: set[Rules] = set()
        self._make(rules)

    def warm(self) -> None:
        """Compile, or load, all that a move needs."""
        self.player.warm(self.game, self.game.initial_state(), (0,))

    def make_ready(self) -> None:
        """Be ready for the first move of any game."""
        self.player.begin(self.game, 0)
        self._is_fresh = True

    def turn_to(self, match: object, rules: Rules) -> bool:
        """Be ready for the next move of that game; False where the player cannot play by its rules."""
        if rules in self._refused:
            return False
        if rules != self._rules:
            try:
                self._make(rules)
            except ValueError:
                self._refused.add(rules)
                return False
            self.make_ready()
        if match is not self._match and not self._is_fresh:
            self.make_ready()
        self._match, self._is_fresh = match, False
        return True

    def forget(self) -> None:
        """The player failed: the next move begins anew."""
        self._match, self._is_fresh = None, False

    def close(self) -> None:
        """End the player."""
        self.player.close()

    def _make(self, rules: Rules) -> None:
        game: Battlesnake = game_of(rules)
        self.player: Player = self._make_player(self._spec, game)
        self.game, self._rules = game, rules
