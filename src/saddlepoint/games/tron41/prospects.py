"""The evaluator of `best` of Tron-41: a small network compares two territories and what lies in them."""

from dataclasses import dataclass
from typing import ClassVar

from ..interface import (
    FeatureNetwork,
    board_of,
    count,
    empty,
    features_of,
    free_cells,
    kernel,
    kernel_inline,
    neighbours,
    quick_tanh,
    single,
)
from .evaluators import LARGEST, TronControl

_NEAR = 3
"""Power-ups are near within this many steps and one."""


@dataclass(frozen=True)
class TronProspects(TronControl, FeatureNetwork):
    """An estimate of the expected result: `tron_control` where the players are separated, else a small network.

    The network compares the players by the features of `prospects` in the territories that the turns give, and by armor,
    moves in a row, power-ups of each kind in the territory and those near the head; for both, by the power-ups on the board.

    The weights were fitted to 150,000 positions of three generations of games (`saddlepoint fit`, 1,000 nodes a move) that began on
    empty_room, joust and hunger_games, at cells drawn at random.
    """

    weights_file: ClassVar[str] = "prospects.weights"

    def __post_init__(self) -> None:
        super().__post_init__()
        FeatureNetwork.__post_init__(self)

    @kernel
    def is_decided(self, game, state):
        """Whether the players are separated."""
        return self.found(game, state).separated

    @kernel_inline
    def goods_of_player(self, game, state, player, own):
        """The network's numbers of what one player has and can pick up."""
        grid, head = game.grid, game.head(state, player)
        near = neighbours(grid, single(grid, head)) & own
        for _ in range(_NEAR):
            near = near | (neighbours(grid, near) & own)
        return (
            float(game.armor(state, player)),
            float(game.speed(state, player)),
            float(count(own & board_of(grid, state.armors))),
            float(count(own & board_of(grid, state.speeds))),
            float(count(own & board_of(grid, state.bombs))),
            float(count(own & board_of(grid, state.traps))),
            float(count(near & board_of(grid, game.powerups(state)))),
        )

    @kernel_inline
    def features_in(self, game, state, found):
        """`features`, where the territories are known."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        own0, own1 = found.territory0, found.territory1
        head0, head1 = game.head(state, 0), game.head(state, 1)
        first, second, both = features_of(grid, head0, head1, own0, own1, empty(grid), free)
        shared = (
            *both,
            float(count(board_of(grid, state.armors))),
            float(count(board_of(grid, state.speeds))),
            float(count(board_of(grid, state.bombs))),
            float(count(board_of(grid, state.traps))),
        )
        goods0, goods1 = (
            self.goods_of_player(game, state, 0, own0),
            self.goods_of_player(game, state, 1, own1),
        )
        return (*first, *goods0), (*second, *goods1), shared

    @kernel
    def features(self, game, state):
        """The network's features: of player 0, of player 1, of both."""
        return self.features_in(game, state, self.found(game, state))

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        found = self.found(game, state)
        if found.separated:
            return self.result_of(self.lead_by_life(game, state, found), self.scale_separated)
        features0, features1, shared = self.features_in(game, state, found)
        return LARGEST * quick_tanh(self.compared(game, state, features0, features1, shared))
