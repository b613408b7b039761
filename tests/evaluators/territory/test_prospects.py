"""The evaluator of `best` of Light Riders against its definition over sets of cells."""

import math
import sys

import numpy as np
import pytest

from helpers import reference_boards as reference
from helpers.board_positions import Position, front_of, raws
from helpers.sizes import PLAIN_ONLY, scaled
from saddlepoint.evaluators import Endgame, Prospects
from saddlepoint.evaluators.network.file import HIGHEST
from saddlepoint.evaluators.territory.prospects import FEATURES, SHARED_FEATURES
from saddlepoint.games.light_riders import LightRiders, State

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


def odds(mine, yours, shared):
    """The logarithm of the odds by the evaluator's network, in 64-bit floats."""
    network, numbers = Prospects(), np.array((*mine, *yours, *shared))
    hidden = np.clip(network.first_bias + numbers @ network.first, 0.0, HIGHEST)
    outputs = np.clip(network.second_bias + hidden @ network.second, 0.0, HIGHEST)
    return 2.0 * float(outputs @ network.last + network.last_bias)


def joined_nearby(cell, region):
    """Whether the cell's neighbours in the region hang together within the square of nine cells around it."""
    x, y = cell
    ring = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & region - {cell}
    beside = [there for there in reference.around(cell) if there in ring]
    return not beside or set(beside) <= {beside[0], *reference.distances(beside[0], ring)}


def fill_lead(position):
    """The close bounds' difference; by colours alone for who is behind by them, and behind the other's close bound."""
    rough = []
    for head, reached in zip(position.heads, position.reached, strict=True):
        like = sum((sum(cell) - sum(head)) % 2 == 0 for cell in reached if cell != head)
        unlike = sum((sum(cell) - sum(head)) % 2 == 1 for cell in reached)
        rough.append(2 * like + 1 if unlike > like else 2 * unlike)
    close = [reference.fillable(head, position.free) for head in position.heads]
    if rough[0] >= rough[1]:
        return close[0] - (rough[1] if close[0] > rough[1] else close[1])
    return (rough[0] if close[1] > rough[0] else close[0]) - close[1]


def features_of(game, position, player):
    """The features in the order of their description."""
    cells, steps = 256 / (game.width * game.height), 16 / math.sqrt(game.width * game.height)
    own, other = position.division()[player], position.division()[1 - player]
    free, head = position.free, position.heads[player]
    beside = {cell: sum(there in free for there in reference.around(cell)) for cell in own}
    front = front_of(own, other | position.equal, position.heads[1 - player])
    cuts = {cell for cell in own if not joined_nearby(cell, own | {head})}
    chokes = reference.choke_points(own, free)
    colours = [(sum(cell) - sum(head)) % 2 for cell in own]
    layers = reference.distances(head, own)
    chamber = set(reference.distances(head, own - cuts))
    way = reference.chamber_worth(head, own, chokes, front, position.reached[player], len, 1)
    x, y = head
    return (
        cells * len(own),
        cells * sum(n == 4 for n in beside.values()),
        cells * sum(n <= 2 for n in beside.values()),
        cells * len(chokes),
        cells * len(cuts),
        cells * sum(not joined_nearby(cell, free | {head}) for cell in own),
        cells * sum(own.issuperset(reference.around(cell)) for cell in own),
        cells * sum(beside.values()),
        cells * (colours.count(1) - colours.count(0)),
        *(cells * sum(layers[cell] <= most for cell in own) for most in (2, 4, 8)),
        steps * len(front),
        steps * sum(beside[cell] == 4 for cell in front),
        steps * sum(not position.equal.isdisjoint(reference.around(cell)) for cell in own),
        cells * way,
        cells * len(chamber),
        steps * len(chamber & front),
        sum(there in free for there in reference.around(head)),
        steps * (abs(x - (game.width - 1) / 2) + abs(y - (game.height - 1) / 2)),
    )


@pytest.mark.parametrize(
    ("width", "height", "number"),
    [
        (7, 7, 2000),
        pytest.param(16, 16, 1500, marks=pytest.mark.slow),
        pytest.param(17, 15, 500, marks=PLAIN_ONLY),
    ],
)
def test_a_position_is_worth_what_the_network_says_of_its_features(width, height, number):
    game, number = LightRiders(width, height), scaled(number)
    walls, heads = reference.random_positions(game.grid, number, seed=width + 2)
    found, endgame = raws(game, Prospects(), walls, heads), raws(game, Endgame(), walls, heads)
    in_touch = 0
    sys.setrecursionlimit(10_000)  # of the reference
    for k in range(number):
        position = Position(game.grid, walls[k], heads[k])
        if position.apart:
            assert np.sign(found[k]) == np.sign(endgame[k])
            assert found[k] == fill_lead(position)
            continue
        in_touch += 1
        features = [features_of(game, position, player) for player in (0, 1)]
        across, down = (abs(a - b) for a, b in zip(*position.heads, strict=True))
        cells, steps = 256 / (width * height), 16 / math.sqrt(width * height)
        shared = (
            len(position.free) / (width * height),
            cells * len(position.equal),
            steps * (across + down),
            (across + down) % 2,
            steps * max(across, down),
        )
        assert (len(features[0]), len(shared)) == (FEATURES, SHARED_FEATURES)
        assert found[k] == pytest.approx(
            odds(*features, shared), rel=1e-4, abs=2e-3
        )  # it computes in 32 bits
        state = State(tuple(walls[k]), int(heads[k, 0]), int(heads[k, 1]), 0, 0, 0, 3)
        if in_touch < 20:
            assert Prospects().evaluate(game, state) == pytest.approx(math.tanh(found[k] / 2), abs=1e-9)
    assert in_touch > number // 10
