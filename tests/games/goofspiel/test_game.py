"""Goofspiel: its bounds, chances, parameters and text; and what its positions have in common."""

import random
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given, strategies as some

from helpers.recorded_games import random_game
from helpers.sizes import COMPILED_ONLY
from saddlepoint.compiled import run
from saddlepoint.game.base import CHANCE
from saddlepoint.games.goofspiel import Goofspiel, State
from saddlepoint.solvers.general import Solution, certificate_of
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.compiles_long
GAMES = (
    Goofspiel(1),
    Goofspiel(4),
    pytest.param(Goofspiel(4, "random", "points"), marks=pytest.mark.compiles_soon),
    Goofspiel(5, "descending"),
    Goofspiel(5, "ascending", "points"),
    Goofspiel(5, "3 1 5 2 4"),
    Goofspiel(4, "descending", "points", lowest=0),
    Goofspiel(13, "ascending", lowest=2),
    Goofspiel(6, "random", "points", lowest=-3),
    Goofspiel(13, "descending", "points", lowest=-100),
)


@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_nobody_gets_further_than_by_all_prizes_that_are_left(game):
    draw = random.Random(3)
    for _ in range(12):
        states, _ = random_game(game, draw)
        for state in states:
            left = [card for card in range(game.cards) if state.deck >> card & 1 or state.prize == card]
            reach = sum(abs(card + game.lowest) for card in left)
            bounds = [state.points - reach, state.points + reach]
            assert list(game.bounds(state)) == (bounds if game.utility == "points" else [*np.sign(bounds)])
            if game.current_player(state) == CHANCE:
                shares = [share for _, share in game.chance_outcomes(state)]
                assert shares == pytest.approx([1 / len(left)] * len(left))
        assert game.min_utility <= game.returns(states[-1]) <= game.max_utility
        assert len(states) - 1 == (2 if game.order == "random" else 1) * game.cards <= game.max_depth


@pytest.mark.plain
def test_parameters():
    assert (Goofspiel(5).max_utility, Goofspiel(5, "random", "points").max_utility) == (1, 15)
    assert Goofspiel(4, "random", "points", lowest=0).min_utility == -6
    assert Goofspiel(3, "2 0 1", lowest=0).initial_state() == State(7, 7, 0b011, 2, 0)


@pytest.mark.plain
@COMPILED_ONLY
def test_different_positions_of_a_game_have_different_hashes():
    game = Goofspiel(6)
    states = [
        State(a, b, c, prize, points)
        for a in (0, 1, 5, 63)
        for b in (0, 1, 5, 63)
        for c in (0, 1, 5, 63)
        for prize in range(-1, 6)
        for points in range(-21, 22)
    ]
    assert len({int(game.hash(state)) for state in states}) == len(states)


@pytest.mark.plain
def test_text():
    game = Goofspiel(3, lowest=2)
    state = State(0b101, 0b011, 0b010, 2, -2)
    assert game.render(state) == "prize 4   left 3   0: 2 4   1: 2 3   points -2"
    assert game.render(State(0, 0b111, 0, -1, 0)) == "prize -   left -   0: -   1: 2 3 4   points +0"
    assert game.action_to_string(state, 0, 2) == "4"
    assert game.to_text(state) == "goofspiel hand0=5 hand1=3 deck=2 prize=2 points=-2"
    assert game.from_text(" goofspiel hand1=3 hand0=5 deck=2 points=-2 prize=2\n") == state
    assert game.from_text("goofspiel hand0=0 hand1=0 deck=0 prize=-1 points=0") == State(0, 0, 0, -1, 0)


# -- folding -------------------------------------------------------------------------------------------------------------


def order_of(hand0: int, hand1: int, cards: int) -> str:
    """Both hands from the lowest card on: whose each worth is."""
    held = [(hand0 >> card & 1) + 2 * (hand1 >> card & 1) for card in range(cards)]
    return "".join(" 01="[owner] for owner in held).replace(" ", "")


def solved(game: Goofspiel, fold: bool) -> Solution:
    return Solution.of(solve_positions(game, fold=fold))


def stages_and_chances(game: Goofspiel) -> int:
    """How many positions are solved, whether kept or within one of chance."""
    counts = solve_positions(game, fold=True).counts()
    assert counts.positions == counts.chance_positions
    return counts.stages + counts.chance_positions


@given(hand0=some.integers(0, 2**13 - 1), hand1=some.integers(0, 2**13 - 1), deck=some.integers(0, 2**13 - 1))
def test_the_lowest_cards_of_the_same_order_stand_for_all(hand0: int, hand1: int, deck: int) -> None:
    game, state = Goofspiel(13), State(hand0, hand1, deck, 3, -2)
    plain = run(game.kernels["relabelled"], game, state)
    assert order_of(int(plain.hand0), int(plain.hand1), 13) == order_of(hand0, hand1, 13)
    held = int(plain.hand0 | plain.hand1)
    assert held & (held + 1) == 0  # no worth is left out
    assert plain[2:] == state[2:]


@COMPILED_ONLY
def test_of_five_cards_with_points_1391_positions_are_solved_of_which_356_are_kept() -> None:
    """4,381 as long as cards keep their worths: counted by a program of its own, from the rules. What follows a prize is not kept."""
    game = Goofspiel(5, utility="points")
    assert stages_and_chances(game) == 1391
    assert len(solved(game, True)) == 356


@COMPILED_ONLY
@pytest.mark.parametrize("cards", [3, 6, 7])
def test_with_points_as_many_positions_are_kept_as_there_are_decks_and_joint_orders(cards: int) -> None:
    """Of k cards each, e of them equal, there are (2k - e)! / ((k - e)!^2 e!) orders, if the worths suffice; both sides see one."""
    kept = 0
    for k in range(1, cards + 1):
        orders = sum(
            factorial(2 * k - e) // (factorial(k - e) ** 2 * factorial(e))
            for e in range(k + 1)
            if 2 * k - e <= cards
        )
        kept += comb(cards, k) * (orders + 1) // 2
    assert len(solved(Goofspiel(cards, utility="points"), True)) == kept


@COMPILED_ONLY
@pytest.mark.parametrize(("cards", "needed"), [(3, 70), (4, 542), (5, 4333)])
def test_who_wins_or_loses_needs_the_lead_until_it_is_decided(cards: int, needed: int) -> None:
    """Counted by that program too: what differs in the order of hands, the deck, the prize or the lead, and is not decided."""
    assert stages_and_chances(Goofspiel(cards)) == needed


@COMPILED_ONLY
def test_a_decided_position_is_worth_what_its_leader_has_won_and_every_action_is_as_good() -> None:
    game, solution = Goofspiel(4), solved(Goofspiel(4), True)
    state = State(0b0011, 0b1100, 0b0001, 1, 7)  # seven points ahead, three left
    stage = solution.at(state)
    assert (stage.value, stage.matrix) == (1.0, ((1.0, 1.0), (1.0, 1.0)))
    assert [sum(mixture.values()) for mixture in stage.strategies] == [1.0, 1.0]
    assert [[*mixture] for mixture in stage.strategies] == [[0, 1], [2, 3]]
    assert solution.has(state)
    assert solved(game, False).at(state).matrix == stage.matrix


@COMPILED_ONLY
def test_a_start_that_is_decided_is_solved_as_any_other() -> None:
    game = Goofspiel(4)
    start = State(0b0011, 0b1100, 0b0001, 1, 7)
    kept = Solution.of(solve_positions(game, start, fold=True))
    assert (kept.value, len(kept), certificate_of(kept).gap) == (1.0, 1, 0.0)
    assert set(kept.states()) == set(Solution.of(solve_positions(game, start)).states())
