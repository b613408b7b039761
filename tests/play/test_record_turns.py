"""Turns as people count them."""

import pytest

from saddlepoint import TERMINAL, Battlesnake, Goofspiel, LightRiders, TicTacToe
from saddlepoint.play.record import Turns

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


def line(game, state, *actions):
    states = [state]
    for joint in actions:
        states.append(game.next_state(states[-1], *joint))
    return states


def test_in_games_of_turns_a_move_is_a_turn_and_the_first_one_has_the_number_1():
    game = TicTacToe()
    turns = Turns(game, line(game, game.initial_state(), (4,), (0,), (8,)))
    assert [turns.label(step) for step in range(3)] == ["move 1", "move 2", "move 3"]
    assert (turns.count, turns.after(2)) == (3, "after 2 of 3 moves")


def test_what_chance_does_is_no_turn():
    game = Goofspiel(cards=3)
    states = [game.initial_state()]  # chance shows the first prize
    while game.current_player(states[-1]) != TERMINAL:
        state = states[-1]
        actions = [game.legal_actions(state, player)[0] for player in game.players_to_act(state)] or [
            game.chance_outcomes(state)[0][0]
        ]
        states.append(game.next_state(state, *actions))
    turns = Turns(game, states)
    assert turns.count < len(states) - 1
    assert turns.count == sum(len(game.players_to_act(state)) == 2 for state in states)
    assert (turns.label(0), turns.label(1)) == ("round 1", "round 1")  # the prize, and the bids for it


def test_light_riders_counts_rounds_from_0_as_the_contest_tells_bots():
    game = LightRiders()
    states = line(game, game.initial_state(), (1, 3), (1, 3))
    assert [Turns(game, states).number(step) for step in range(3)] == [0, 1, 2]
    assert Turns(game, states[1:]).label(0) == "round 1"  # a game from there on


def test_battlesnake_has_the_official_numbers():
    game = Battlesnake(7, 7)
    text = (
        "battlesnake 7x7 round 451\nsnake 0 health 90: 1,1 1,2 1,3\nsnake 1 health 90: 5,5 5,4 5,3\nfood: 3,3"
    )
    state = game.from_text(text)
    states = line(game, state, (1, 3))
    states = line(game, states[-1], (0,))
    turns = Turns(game, [state, *states])
    assert [turns.number(step) for step in range(3)] == [451, 452, 452]
    assert turns.step_after(452) == 2  # the position in which the snakes move, not chance
    assert turns.span(0, 2) == "turns 451 to 452"
    with pytest.raises(ValueError, match="451 to 452 turns, not 5"):
        turns.step_after(5)
