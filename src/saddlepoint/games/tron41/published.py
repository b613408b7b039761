"""How published players of Tron-41 search, where they differ from the usual."""

from dataclasses import dataclass

from ...compiled import kernel
from ...game import TERMINAL
from ...players.published import Manner


@dataclass(frozen=True)
class SafeMoves(Manner):
    """Looks at moves that are safe without armor, like all of the course's bots."""

    @kernel
    def actions(self, game, state, player, out):
        count = 0
        for action in range(4):
            if game.is_safe(state, player, action, False):
                out[count] = action
                count += 1
        if count == 0:
            out[0] = 0
            count = 1
        return count


@dataclass(frozen=True)
class CutoffByRoom(Manner):
    """tron_freespace: one view for both players, and a depth that follows the room that is left."""

    @kernel
    def actions(self, game, state, player, out):
        return game.search_actions(state, player, out)

    @kernel
    def end(self, game, state, root):
        return game.returns(state) if root == 0 else -game.returns(state)

    @kernel
    def leaf(self, game, state, root):
        value = self.evaluator.evaluate(game, state)
        return value if root == 0 else -value

    @kernel
    def depth(self, game, state, depth):
        return self.evaluator.cutoff_depth(game, state) if game.current_player(state) != TERMINAL else depth
