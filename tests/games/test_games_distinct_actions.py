"""How many numbers actions have, which other libraries ask: no action is beyond it in random games."""

import random

import pytest

from saddlepoint.game.base import CHANCE, TERMINAL
from saddlepoint.games.catalogue.games import GAMES, make_game

pytestmark = pytest.mark.plain
TRIED = [(name, {}) for name, entry in GAMES.items() if entry.point is None]
TRIED += [
    ("oshi_zumo", {"coins": 5, "min_bid": 0, "horizon": 9}),
    ("othello", {"size": 4}),
    ("soccer", {"ball": "loose"}),
]


@pytest.mark.parametrize(("name", "parameters"), TRIED)
def test_actions_are_below_it_and_outcomes_below_theirs(name: str, parameters: dict[str, object]) -> None:
    game, draw = make_game(name, **parameters), random.Random(2)
    state = game.initial_state()
    for _ in range(150):
        node = game.current_player(state)
        if node == TERMINAL:
            state = game.initial_state()
            continue
        if node == CHANCE:
            outcomes = [one for one, _ in game.chance_outcomes(state)]
            assert max(outcomes) < game.max_outcomes
            state = game.next_state(state, draw.choice(outcomes))
            continue
        own = [game.legal_actions(state, player) for player in game.players_to_act(state)]
        assert max(map(max, own)) < game.distinct_actions
        state = game.next_state(state, *map(draw.choice, own))
