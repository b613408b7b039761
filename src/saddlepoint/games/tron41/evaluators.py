"""Evaluators of Tron-41: territories that follow the turns, and that of `best`, a small network that compares them."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from ..interface import (
    FeatureNetwork,
    Squashed,
    board_of,
    count,
    edges,
    empty,
    features_of,
    fillable_bound,
    flooded,
    free_cells,
    is_empty,
    jit_inline,
    kernel,
    kernel_inline,
    lowest,
    neighbours,
    quick_tanh,
    single,
    value_by_blocks,
)
from .rules import BOMB_REACH, square


class TurnTerritories(NamedTuple):
    """Boards of the cells each player arrives at first; heads are in none of them."""

    territory0: Any
    territory1: Any
    separated: bool
    """Whether no cell can be reached by both."""


@jit_inline
def advanced(grid, front, reached, left):
    """(the cells of `left` next to the front, what is reached with them, what is left then)."""
    front = neighbours(grid, front) & left
    return front, reached | front, left & ~front


@jit_inline
def turn_voronoi(grid, head0, head1, free, turn, extra0, extra1):
    """Divide the free cells by the player that arrives first when both take shortest ways in turn.

    `turn` moves first; a player whose `extra` is above 0 keeps the turn after a move, and has one extra less. No two
    arrive at the same moment, so nothing is contested.
    """
    front0, front1 = single(grid, head0), single(grid, head1)
    left = free & ~(front0 | front1)
    reached0, reached1 = empty(grid), empty(grid)
    player = turn
    while extra0 > 0 or extra1 > 0:
        if player == 0:
            front0, reached0, left = advanced(grid, front0, reached0, left)
            if extra0 > 0:
                extra0 -= 1
            else:
                player = 1
        else:
            front1, reached1, left = advanced(grid, front1, reached1, left)
            if extra1 > 0:
                extra1 -= 1
            else:
                player = 0
    if player == 1:
        front1, reached1, left = advanced(grid, front1, reached1, left)
    while True:
        front0, reached0, left = advanced(grid, front0, reached0, left)
        front1, reached1, left = advanced(grid, front1, reached1, left)
        if is_empty(front0 | front1):
            break
    # One of them may have had all of a region that both can enter.
    shared = neighbours(grid, reached0 | single(grid, head0)) & reached1
    shared = shared | (neighbours(grid, single(grid, head1)) & reached0)
    return TurnTerritories(reached0, reached1, is_empty(shared))


LARGEST = 0.98
"""Estimates stay below it, so that a loss however far away is worse than any of them."""


@dataclass(frozen=True)
class TronControl(Squashed):
    """Turn-based territory with the power-ups in it; where the players are separated, how long each can survive.

    Not separated: cells by a flood that follows the turns, with the moves in a row that a speed counter gives. A territory
    counts its cells and their free neighbours (with `chambers` by the best way through its chambers), and the
    power-ups in it: `armors`, `speeds`, `bombs` and `traps` are the weights of a power-up that lies on the board (plural),
    `armor` is that of armor that the player holds (singular).

    Separated: the bound of the steps each can make, less those that a speed counter makes it waste, half a
    step less for the player to move; free neighbours of free cells, because a ragged region is not filled up
    to its bound. Armor is a step through a barrier and half of the cells it may open. A bomb in reach counts
    for all cells that its square will free: with a smaller weight it is used too early (with 1, and small
    edges, plans last half as long again as with 1/4). A trap costs the other player a few cells. Speed has a
    negative weight.

    All weights are in cells. `scale` and `scale_separated` squash a lead to a result: lead / (scale + |lead|),
    which distinguishes even the largest leads, where a tanh would be flat.
    """

    scale: float = 40.0
    scale_separated: float = 5.0
    edge: float = 0.3
    chambers: bool = False
    armor: float = 6.0
    armors: float = 4.0
    speeds: float = 3.0
    bombs: float = 1.0
    traps: float = 3.0
    armor_separated: float = 1.5
    bomb_separated: float = 1.0
    trap_separated: float = 3.0
    speed_separated: float = -1.0
    edge_separated: float = 0.05

    @kernel
    def found(self, game, state):
        free = free_cells(game.grid, game.walls(state))
        turn = 1 if game.current_player(state) == 1 else 0
        return turn_voronoi(
            game.grid,
            game.head(state, 0),
            game.head(state, 1),
            free,
            turn,
            game.speed(state, 0),
            game.speed(state, 1),
        )

    @kernel
    def territory_value(self, grid, head, own, near_other, free):
        """The value of a territory to the player at `head`, in cells."""
        if not self.chambers:
            return count(own) + self.edge * edges(grid, own, free)
        return value_by_blocks(grid, head, own, own & near_other, free, 1.0, self.edge)

    @kernel
    def goods(self, game, state, own):
        """The value of the power-ups in a territory while the players are not separated."""
        grid = game.grid
        value = self.armors * count(own & board_of(grid, state.armors))
        value += self.speeds * count(own & board_of(grid, state.speeds))
        value += self.bombs * count(own & board_of(grid, state.bombs))
        return value + self.traps * count(own & board_of(grid, state.traps))

    @kernel
    def lead_by_territory(self, game, state, found):
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head0, head1 = game.head(state, 0), game.head(state, 1)
        near0 = neighbours(grid, found.territory1 | single(grid, head1))
        near1 = neighbours(grid, found.territory0 | single(grid, head0))
        lead = self.territory_value(grid, head0, found.territory0, near0, free)
        lead -= self.territory_value(grid, head1, found.territory1, near1, free)
        lead += self.goods(game, state, found.territory0) - self.goods(game, state, found.territory1)
        return lead + self.armor * (game.armor(state, 0) - game.armor(state, 1))

    @kernel
    def life(self, game, state, player, own):
        """About how many steps a player has left in its part of the board, and how many it takes from the other."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head = game.head(state, player)
        steps = float(fillable_bound(grid, head, free) - game.speed(state, player))
        steps += self.edge_separated * edges(grid, own, free)
        if game.armor(state, player) > 0:
            gates = neighbours(grid, own | single(grid, head)) & board_of(grid, state.barriers)
            behind = neighbours(grid, gates) & free & ~own
            steps += 1.0
            if not is_empty(behind):
                steps += 0.5 * count(flooded(grid, behind, free & ~own))
        bombs = own & board_of(grid, state.bombs)
        while not is_empty(bombs):
            bomb = lowest(bombs)
            bombs = bombs & ~single(grid, bomb)
            steps += self.bomb_separated * count(
                square(grid, bomb, BOMB_REACH) & (own | board_of(grid, state.barriers))
            )
        steps += self.speed_separated * count(own & board_of(grid, state.speeds))
        steps += self.armor_separated * count(own & board_of(grid, state.armors))
        return steps + self.trap_separated * count(own & board_of(grid, state.traps))

    @kernel
    def lead_by_life(self, game, state, found):
        player = game.current_player(state)
        tempo = -0.5 if player == 0 else 0.5 if player == 1 else 0.0
        return (
            self.life(game, state, 0, found.territory0) - self.life(game, state, 1, found.territory1) + tempo
        )

    @kernel
    def lead(self, game, state, found):
        return (
            self.lead_by_life(game, state, found)
            if found.separated
            else self.lead_by_territory(game, state, found)
        )

    @kernel
    def raw(self, game, state):
        return self.lead(game, state, self.found(game, state))

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions with its own squashing function."""
        found = self.found(game, state)
        lead = self.lead(game, state, found)
        if self.scale == 0.0:
            return lead
        return self.result_of(lead, self.scale_separated if found.separated else self.scale)

    @kernel_inline
    def result_of(self, lead, scale):
        """The expected result of a lead: its share of itself and the scale."""
        return LARGEST * lead / (scale + abs(lead))

    def steps_of(self, value: float) -> float:
        """The lead in steps that an evaluation of a separated position stands for; of an ended game as many as on any board."""
        most = self.largest_raw
        return max(-most, min(most, self.scale_separated * value / max(LARGEST - abs(value), 1e-9)))


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
