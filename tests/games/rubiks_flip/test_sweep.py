"""The backward sweep over Rubik's Flip: the numbering of positions, one layer's step, the last layers."""

import itertools
import random
from math import comb

import numpy as np
import pytest

from helpers.flip_positions import minimax, oracle, outcome_of_end, played, tiles_on, worth
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.rubiks_flip import RubiksFlip, State
from saddlepoint.games.rubiks_flip.endgame import Outcome
from saddlepoint.games.rubiks_flip.patterns import (
    Layer,
    number_of_patterns,
    position_number,
)
from saddlepoint.games.rubiks_flip.sweep import SolvedLayer, solve_layers

pytestmark = pytest.mark.compiles_long

GAME = RubiksFlip()
compiled_only = pytest.mark.skipif(PLAIN_PYTHON, reason="hundreds of millions of positions")


def positions(tiles: int) -> list[State]:
    """All arrangements of that many tiles."""
    first, found = (tiles + 1) // 2, []
    for squares0 in itertools.combinations(range(16), first):
        for squares1 in itertools.combinations(sorted(set(range(16)) - set(squares0)), tiles - first):
            for faces in itertools.product((0, 1), repeat=tiles):
                turned = sum(face << square for face, square in zip(faces, squares0 + squares1, strict=True))
                found.append(State(sum(1 << s for s in squares0), sum(1 << s for s in squares1), turned))
    return found


def number_of(layer: Layer, state: State) -> int:
    return int(position_number(layer.classes, layer.entries_per_class, *map(int, state)))


def value_of(solved: SolvedLayer, state: State) -> Outcome:
    value = int(solved.values[number_of(solved.layer, state)])
    return Outcome(0, None) if value == 0 else Outcome(1 if value > 0 else -1, 64 - abs(value))


def test_two_positions_share_a_number_only_if_they_are_images_of_each_other():
    layer = Layer(3)
    by_number: dict[int, set[State]] = {}
    for state in positions(3):
        by_number.setdefault(number_of(layer, state), set()).add(state)
    assert sum(map(len, by_number.values())) == 13_440  # the positions after three turns, of the rules page
    assert sorted(by_number) == list(range(layer.entries))
    for same in by_number.values():
        state = next(iter(same))
        assert same <= {state, *(symmetry.state for symmetry in GAME.symmetries(state))}


@pytest.mark.plain
def test_every_image_of_a_position_has_its_number():
    layer, rng = Layer(4), random.Random(1)
    for _ in range(40):
        state = played(GAME, 4, rng)
        images = [state, *(symmetry.state for symmetry in GAME.symmetries(state))]
        patterns = {(image.tiles0, image.tiles1) for image in images}
        # Only a pattern that is its own image under a motion may have a number for each of them.
        assert len({number_of(layer, image) for image in images}) <= 8 // len(patterns)


@compiled_only
def test_all_positions_are_counted():
    # raw positions of the whole game, and its classes: of the rules page
    assert sum(number_of_patterns(tiles) << tiles for tiles in range(17)) == 32_956_254_945
    assert sum(Layer(tiles).entries for tiles in range(17)) == pytest.approx(1.03e9, rel=0.005)


def best_by_the_rules(game: RubiksFlip, state: State, above: SolvedLayer) -> Outcome:
    """Over all turns, with the values of the layer above."""
    if game.current_player(state) < 0:
        return outcome_of_end(game, state)
    after = [
        game.next_state(state, action) for action in game.legal_actions(state, game.current_player(state))
    ]
    return max((value_of(above, a).before() for a in after), key=worth)


@pytest.mark.plain
@pytest.mark.parametrize("tiles", range(3) if PLAIN_PYTHON else range(9))
def test_a_layer_follows_from_the_one_above_by_the_rules(tiles):
    # Made-up values above, good ones for the mover rare, so that every turn may matter.
    layer, rng = Layer(tiles + 1), np.random.default_rng(tiles)
    chances = [0.55, 0.2, 0.15, 0.04, 0.03, 0.02, 0.01]
    values = rng.choice(np.array([63, 60, 57, 0, -55, -60, -62], np.int8), layer.entries, p=chances)
    above = SolvedLayer(layer, values, {})
    game = RubiksFlip("opponent")
    (solved,) = solve_layers(game.double_lock_for_mover, lowest=tiles, after=(layer, values), workers=2)
    assert sum(solved.positions.values()) == comb(16, tiles) * comb(tiles, tiles // 2) * 2**tiles
    draw, outcomes = random.Random(tiles), set()
    for _ in range(20 if PLAIN_PYTHON else 60):
        state = played(game, tiles, draw)
        outcomes.add(value_of(solved, state))
        assert value_of(solved, state) == best_by_the_rules(game, state, above), game.to_text(state)
    assert len(outcomes) > 1 or tiles < 2


@compiled_only
@pytest.mark.parametrize("rule", ["draw", "opponent"])
def test_the_last_layers_agree_with_minimax_and_with_the_solved_positions(rule):
    game, rng = RubiksFlip(rule), random.Random(5)
    lowest = 14 if rule == "draw" else 15
    layers = {
        solved.layer.tiles: solved for solved in solve_layers(game.double_lock_for_mover, lowest=lowest)
    }
    for tiles, solved in layers.items():
        assert sum(solved.positions.values()) == number_of_patterns(tiles) << tiles
    known = [(text, value) for kind, text, value in oracle(lowest) if kind == rule]
    assert len(known) > 70
    for text, value in known:
        state = game.from_text(text)
        assert str(value_of(layers[tiles_on(state)], state)) == value, text
    for tiles in range(lowest, 16):
        for _ in range(15):
            state = played(game, tiles, rng)
            assert value_of(layers[tiles], state) == minimax(game, state), game.to_text(state)


@pytest.mark.compiles_soon
@pytest.mark.plain
def test_an_interrupted_sweep_ends():
    def interrupt(entries: int) -> None:
        raise KeyboardInterrupt

    layer = Layer(3)
    with pytest.raises(KeyboardInterrupt):
        list(solve_layers(0, after=(layer, np.zeros(layer.entries, np.int8)), on_progress=interrupt))
