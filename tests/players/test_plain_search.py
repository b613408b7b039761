"""The look-ahead in plain Python: what an exact search of the same depth finds, in every kind of game."""

import math
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from saddlepoint import search
from saddlepoint.algorithms import PrincipalVariation, SerialisedAlphaBeta
from saddlepoint.games import Battlesnake, ConnectFour, LightRiders, Simplexity, TicTacToe
from saddlepoint.nodes import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL
from saddlepoint.players.plain_search import DECIDED, PlainSearch
from sizes import COMPILED_ONLY, scaled

pytestmark = pytest.mark.plain

GAMES = [TicTacToe(), Simplexity(3, 4, 3, 3, 3), ConnectFour(4, 4), LightRiders(4, 4), Battlesnake(3, 3, max_rounds=20).quiet()]


def oracle(game: Any, state: Any, player: int, plies: int) -> float:
    """The worth of a position by its definition, without any cut; terminal results only, the sooner a win the better."""
    node = game.current_player(state)
    if node == TERMINAL:
        return (1 - 2 * player) * game.returns(state) * DECIDED
    if plies == 0:
        return 0.0
    if node in (SIMULTANEOUS, player):
        return max(worths_of(game, state, player, plies).values())
    return min(later(game, state, player, plies, NO_ACTION, action) for action in actions(game, state, node))


def worths_of(game: Any, state: Any, player: int, plies: int) -> dict[int, float]:
    """What each of the player's actions is worth, if the other knows it."""
    both = game.current_player(state) == SIMULTANEOUS
    answers = actions(game, state, 1 - player) if both else [NO_ACTION]
    return {own: min(later(game, state, player, plies, own, answer) for answer in answers) for own in actions(game, state, player)}


def later(game: Any, state: Any, player: int, plies: int, own: int, answer: int) -> float:
    pair = (own, answer) if player == 0 else (answer, own)
    after = game.next_state(state, *([max(pair)] if game.turn_based else pair))
    found = oracle(game, after, player, plies - 1)
    return found - math.copysign(1, found) if found else 0.0


def actions(game: Any, state: Any, player: int) -> list[int]:
    out = [0] * game.max_actions
    return [int(one) for one in out[: game.search_actions(state, player, out)]]


def some_position(game: Any, seed: int) -> Any:
    """A position after some random moves, in which somebody moves; the start where there is none such."""
    draw, start = random.Random(seed), game.initial_state()
    state = start
    for _ in range(draw.randrange(8)):
        node = game.current_player(state)
        chosen = [draw.choice(actions(game, state, mover)) for mover in ((0, 1) if node == SIMULTANEOUS else (node,))]
        after = game.next_state(state, *chosen)
        if game.current_player(after) == TERMINAL:
            break
        state = after
    return state


def mover_of(game: Any, state: Any) -> int:
    return max(0, game.current_player(state))


@settings(max_examples=scaled(60, 20), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 10**6), st.integers(1, 3), st.integers(0, 1))
def test_its_value_is_that_of_a_search_without_cuts_as_deep_and_its_action_has_it(game, seed, plies, player) -> None:
    rules = game.plain
    state = some_position(rules, seed)
    player = player if rules.current_player(state) == SIMULTANEOUS else mover_of(rules, state)
    look = PlainSearch(game, player)
    found = list(look.moves(state, plies))
    depth = len(found) - 1  # it ends sooner where a look farther is of no use
    assert 1 <= depth <= plies
    worths = worths_of(rules, state, player, depth)
    assert look.value == max(worths.values()) == worths[found[-1]]


@pytest.mark.compiles_long
@COMPILED_ONLY
@settings(max_examples=scaled(20, 8), deadline=None)
@given(st.integers(0, 10**6))
def test_where_players_take_turns_it_agrees_with_the_compiled_search_to_the_end(seed) -> None:
    game = TicTacToe()
    state = some_position(game.plain, seed)
    player = mover_of(game.plain, state)
    *_, action = PlainSearch(game, player).moves(state, 9)
    best, chosen = (search(game, one, PrincipalVariation()).value for one in (state, game.next_state(state, action)))
    assert round(chosen) == round(best)


@pytest.mark.compiles_long
@COMPILED_ONLY
@settings(max_examples=scaled(12, 4), deadline=None)
@given(st.integers(0, 10**6))
def test_where_both_move_at_once_it_agrees_with_the_compiled_search_that_commits_first(seed) -> None:
    game = LightRiders(4, 4)
    state = some_position(game.plain, seed)
    *_, action = PlainSearch(game, 0).moves(state, 20)
    after = [game.plain.next_state(state, action, answer) for answer in actions(game.plain, state, 1)]
    best, *chosen = (search(game, one, SerialisedAlphaBeta()).value for one in (state, *after))
    assert round(min(chosen)) == round(best)


def test_an_estimate_counts_where_the_looking_ends_and_is_player_0s() -> None:
    game = TicTacToe()
    for player, expected in ((0, 2.5), (1, -2.5)):
        state = game.initial_state() if player == 0 else game.plain.next_state(game.initial_state(), 4)
        look = PlainSearch(game, player, estimate=lambda rules, state: 2.5)
        list(look.moves(state, 2))
        assert look.value == expected


def test_what_chance_does_is_averaged() -> None:
    class Coin:
        """Action 1 wins three times of four, action 0 draws."""

        max_actions, max_outcomes, turn_based = 2, 2, True
        plain = property(lambda self: self)

        def current_player(self, state: str) -> int:
            return {"start": 0, "tossed": CHANCE}.get(state, TERMINAL)

        def search_actions(self, state: str, player: int, out: list[int]) -> int:
            out[:] = [0, 1]
            return 2

        def next_state(self, state: str, action: int) -> str:
            return ("draw", "tossed")[action] if state == "start" else ("lost", "won")[action]

        def chance_outcomes(self, state: str, out: list[int], shares: list[float]) -> int:
            out[:], shares[:] = [0, 1], [0.25, 0.75]
            return 2

        def returns(self, state: str) -> float:
            return {"won": 1.0, "lost": -1.0}.get(state, 0.0)

    look = PlainSearch(Coin(), 0)
    assert list(look.moves("start", 3))[-1] == 1
    assert look.value == pytest.approx(0.5 * DECIDED, rel=1e-5)


def test_there_is_a_move_at_once_and_the_time_is_kept() -> None:
    game = ConnectFour()
    assert list(PlainSearch(game, 0, until=0.0).moves(game.initial_state())) == [3]
    until = time.monotonic() + 0.05
    assert all(0 <= action < 7 for action in PlainSearch(game, 0, until=until).moves(game.initial_state()))
    assert time.monotonic() - until < 5.0


def test_a_certain_loss_comes_as_late_as_can_be_and_a_win_at_once() -> None:
    game = TicTacToe()
    # X at 0 and 1, O at 3 and 4: whoever moves wins at once.
    state = game.initial_state()
    for action in (0, 3, 1, 4):
        state = game.plain.next_state(state, action)
    assert list(PlainSearch(game, 0).moves(state))[-1] == 2
