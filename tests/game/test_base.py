"""What Python sees of a game: checked methods, errors that show the position, text for every game."""

import numpy as np
import pytest

from helpers.small_games import Guess, Large, LargeState, State, Turns
from saddlepoint import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Game,
    GameError,
    Goofspiel,
    IllegalActionError,
    LightRiders,
)
from saddlepoint.game.base import NO_ACTION

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
TURNS = Turns()
GUESS = Guess()


def test_constants_are_open_spiels():
    assert (CHANCE, SIMULTANEOUS, TERMINAL) == (-1, -2, -4)


@pytest.mark.compiles_soon
def test_a_simultaneous_game():
    game = Guess(size=3, rounds=1)
    start = game.initial_state()
    assert game.current_player(start) == SIMULTANEOUS
    assert game.players_to_act(start) == (0, 1)
    assert game.legal_actions(start, 0) == game.search_actions(start, 1) == [0, 1, 2]
    assert game.chance_outcomes(start) == []
    end = game.next_state(start, 2, 1)
    assert (game.current_player(end), game.returns(end)) == (TERMINAL, 1.0)
    assert game.players_to_act(end) == ()
    assert game.legal_actions(end, 0) == game.search_actions(end, 0) == []


@pytest.mark.compiles_soon
def test_a_game_of_turns_with_chance():
    start = TURNS.initial_state()
    assert Turns.turn_based
    assert not Guess.turn_based
    assert TURNS.chance_outcomes(start) == [(0, 0.25), (1, 0.75)]
    assert TURNS.legal_actions(start, 0) == []
    state = TURNS.next_state(start, 1)
    assert (TURNS.current_player(state), TURNS.legal_actions(state, 1)) == (0, [])
    state = TURNS.next_state(state, 1)
    assert TURNS.current_player(state) == 1
    # Searches always speak of two actions; so may callers.
    assert TURNS.next_state(state, 0) == TURNS.next_state(state, NO_ACTION, 0)
    with pytest.raises(TypeError, match=r"^Game.chance_outcomes\(\) takes 2 positional arguments"):
        TURNS.chance_outcomes(start, [], [])  # as the kernel takes them


@pytest.mark.parametrize("player", [SIMULTANEOUS, 2, None, "0"])
def test_a_player_that_is_none_is_refused_and_not_answered_with_no_actions(player):
    start = GUESS.initial_state()
    for rule in (GUESS.legal_actions, GUESS.search_actions):
        with pytest.raises(GameError, match="a player is 0 or 1, not"):
            rule(start, player)


@pytest.mark.parametrize(
    ("game", "state", "actions", "message"),
    [
        (
            Guess(),
            State(0, 0),
            (3, 0),
            r"3 is not a legal action of player 0 here; legal: 0, 1, 2\nround  0\nlead   0",
        ),
        (Guess(), State(0, 0), (0, -1), r"-1 is not a legal action of player 1"),
        (Guess(), State(0, 0), (0,), r"both players move here: expected two actions, got 1"),
        (Guess(), State(0, 0), (0, 1, 2), r"expected two actions, got 3"),
        (Turns(), State(-1, 0), (2,), "2 is no possible outcome here"),
        (Turns(), State(0, 0), (2,), "2 is not a legal action of player 0"),
        (Turns(), State(0, 0), (0, 1), "one action is expected here, got 2"),
        (Turns(), State(5, 6), (0,), "the game is over; nobody moves any more"),
    ],
)
def test_illegal_actions_are_refused_with_the_position(game, state, actions, message):
    with pytest.raises(IllegalActionError, match=message):
        game.next_state(state, *actions)


def test_positions_of_any_game_are_text():
    assert GUESS.to_text(State(np.int64(1), -1)) == "(1, -1)"
    assert GUESS.from_text(" (1, -1)\n") == State(1, -1)
    assert GUESS.render(State(1, -1)) == "round  1\nlead   -1"


AS = r"expected a position of Guess as \(round, lead\), not"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, AS) for text in ("", "(1,)", "(1, 2, 3)", "(1, 'a')", "(1, 2.5)", "[1, 2]", "1", "(1, (2")),
        ("State(1, 2)", AS),
        (f"({'-' * 15_000}1, 1)", AS),  # nested too deeply
        (f"({'1+' * 9_000}1, 1)", AS),
        (f"{'(' * 9_000}1, 1{')' * 9_000}", AS),
        ("-" * 2_000_001, r"^a position of Guess is never as long as 2000001 characters$"),
    ],
    ids=lambda text: text[:20],
)
def test_text_that_is_no_position(text, message):
    with pytest.raises(GameError, match=message):
        Guess().from_text(text)


def test_a_large_state_is_read_however_long_its_text_is():
    state = LargeState(0, (2**40,) * 10_000)
    assert len(Large().to_text(state)) > 100_000
    assert Large().from_text(Large().to_text(state)) == state


def test_actions_of_any_game_are_text():
    assert GUESS.string_to_action(State(0, 0), 0, " 2 ") == 2
    with pytest.raises(
        IllegalActionError, match="'two' is not a legal action of player 1 here; legal: 0, 1, 2"
    ):
        GUESS.string_to_action(State(0, 0), 1, "two")


def test_a_game_must_say_how_it_starts():
    class Nothing(Game):
        pass

    with pytest.raises(NotImplementedError, match="Nothing does not say how it starts"):
        Nothing().initial_state()


def test_a_game_without_hash_or_bounds():
    assert int(TURNS.hash(State(0, 0))) == int(TURNS.hash(State(0, 0))) != int(TURNS.hash(State(1, 0)))
    assert tuple(TURNS.bounds(State(0, 0))) == (-1.0, 1.0)
    assert TURNS.symmetries(State(0, 0)) == []


def test_games_compare_and_print_by_parameters():
    assert Goofspiel(5) == Goofspiel(cards=5) != Goofspiel(6)
    assert repr(LightRiders(8, 6)) == "LightRiders(width=8, height=6, max_rounds=0)"


def test_symmetries_of_light_riders():
    assert len(LightRiders(6, 5).symmetries(LightRiders(6, 5).initial_state())) == 7
    square = LightRiders(6, 6)
    start = square.initial_state()
    images = square.symmetries(start)
    assert len(images) == 15
    # Mirrored left to right with the riders exchanged, a start is itself.
    assert (start, True) in [(image.state, image.swap) for image in images]
