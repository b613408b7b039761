"""The safe action in every game: always legal, and it never loses at once where another action does not."""

import random
import time
from collections.abc import Sequence
from typing import Any

import pytest

from helpers.sizes import scaled
from saddlepoint.game.nodes import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL
from saddlepoint.games import Battlesnake, ConnectFour, TicTacToe
from saddlepoint.games.catalogue.games import make_game, usable_games
from saddlepoint.players.safe_action import safe_action

pytestmark = [
    pytest.mark.plain,
    pytest.mark.filterwarnings("ignore:overflow encountered"),
]  # of words in NumPy, as compiled code has them

GAMES = [*(make_game(entry.name) for entry in usable_games()), Battlesnake(4, 4).quiet()]
LOST, OPEN, WON = -1, 0, 1


def actions(game: Any, state: Any, player: int) -> list[int]:
    out = [0] * game.max_actions
    return [int(one) for one in out[: game.plain.legal_actions(state, player, out)]]


def movers(game: Any, state: Any) -> Sequence[int]:
    node = game.plain.current_player(state)
    return (0, 1) if node == SIMULTANEOUS else (node,) if node >= 0 else ()


def after(game: Any, state: Any, player: int, own: int, other: int = NO_ACTION) -> Any:
    return game.plain.successor(state, *((own, other) if player == 0 else (other, own)))


def fates(game: Any, state: Any, player: int, action: int) -> list[int]:
    """What becomes of the player at once by an action, for each action that the other has at the same time."""
    both = game.plain.current_player(state) == SIMULTANEOUS
    found: list[int] = []
    for other in actions(game, state, 1 - player) if both else [NO_ACTION]:
        end = after(game, state, player, action, other)
        result = (
            (1 - 2 * player) * game.plain.returns(end) if game.plain.current_player(end) == TERMINAL else 0.0
        )
        found.append((result > 0) - (result < 0))
    return found


def may_lose(game: Any, state: Any, player: int, action: int) -> bool:
    """Whether the other can make the player lose, at the same time or by its reply."""
    if LOST in fates(game, state, player, action):
        return True
    if game.plain.current_player(state) == SIMULTANEOUS:
        return False
    state, other = after(game, state, player, action), 1 - player
    return other in movers(game, state) and any(
        WON in fates(game, state, other, reply) for reply in actions(game, state, other)
    )


def positions(game: Any, seed: int, plies: int) -> list[Any]:
    """The positions of a random game in which somebody chooses, as far as so many plies."""
    draw, state, found = random.Random(seed), game.initial_state(), []
    for _ in range(plies):
        if game.plain.current_player(state) == CHANCE:
            out, shares = [0] * game.max_outcomes, [0.0] * game.max_outcomes
            state = game.plain.successor(
                state, int(out[draw.randrange(game.plain.chance_outcomes(state, out, shares))]), NO_ACTION
            )
            continue
        joint = [NO_ACTION, NO_ACTION]
        for player in movers(game, state):
            joint[player] = draw.choice(actions(game, state, player))
        if joint == [NO_ACTION, NO_ACTION]:
            break
        found.append(state)
        state = game.plain.successor(state, *joint)
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_in_every_game_it_is_legal_and_does_not_lose_at_once_where_another_does_not(game: Any) -> None:
    for seed in range(scaled(64, 6)):
        for state in positions(game, seed, 40)[-3:]:
            for player in movers(game, state):
                chosen, legal = safe_action(game, state, player), actions(game, state, player)
                assert chosen in legal
                if game.has_chance:
                    continue
                certain = {action: set(fates(game, state, player, action)) for action in legal}
                assert certain[chosen] != {LOST} or all(fate == {LOST} for fate in certain.values()), (
                    game.to_text(state)
                )
                assert certain[chosen] == {WON} or {WON} not in certain.values(), game.to_text(state)
                if may_lose(game, state, player, chosen):
                    assert all(may_lose(game, state, player, action) for action in legal), game.to_text(state)


def test_when_the_time_is_over_the_first_action_is_the_answer() -> None:
    game = ConnectFour()
    assert safe_action(game, game.initial_state(), 0, until=0.0) == 3
    until = time.monotonic() + 0.05
    assert safe_action(game, game.initial_state(), 0, until) in range(7)


def test_a_win_comes_before_the_block_of_one() -> None:
    game = TicTacToe()
    state = game.initial_state()
    for action in (0, 3, 1, 4):  # X at 0 and 1, O at 3 and 4: whoever moves wins at once
        state = game.plain.next_state(state, action)
    assert safe_action(game, state, 0) == 2


def test_what_chance_does_next_is_taken_as_its_first_outcome() -> None:
    class Coin:
        """Action 1 wins where the coin falls as it first can, action 0 draws."""

        max_actions, max_outcomes = 2, 2
        plain = property(lambda self: self)

        def current_player(self, state: str) -> int:
            return {"start": 0, "tossed": CHANCE}.get(state, TERMINAL)

        def search_actions(self, state: str, player: int, out: list[int]) -> int:
            out[:] = [0, 1]
            return 2

        def successor(self, state: str, action0: int, action1: int) -> str:
            return ("draw", "tossed")[action0] if state == "start" else ("lost", "won")[action0]

        def chance_outcomes(self, state: str, out: list[int], shares: list[float]) -> int:
            out[:], shares[:] = [1, 0], [0.25, 0.75]
            return 2

        def returns(self, state: str) -> float:
            return {"won": 1.0, "lost": -1.0}.get(state, 0.0)

    assert safe_action(Coin(), "start", 0) == 1
