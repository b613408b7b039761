"""Positions written by moves: every game has the form, and no code for it."""

import random
from pathlib import Path
from typing import Any

import pytest

from helpers.random_trees import MIXED, RandomGame
from helpers.recorded_games import random_game
from saddlepoint import LightRiders, TicTacToe
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import NO_ACTION, GameError
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.play.position_text import position_of_text, positions_of_text, text_of_moves

UNDERCUT = Path(__file__).resolve().parents[2] / "examples" / "undercut.py"


@pytest.mark.parametrize("name", GAMES)
def test_random_play_is_written_and_read_back_in_every_game(name: str) -> None:
    game, draw = make_game(name), random.Random(name)
    for _ in range(3):
        states, actions = random_game(game, draw, 40)
        text = text_of_moves(game, states, actions)
        assert text.startswith("moves:")
        assert "#" not in text  # every action, and every outcome of chance, has a name
        assert positions_of_text(game, text) == states
        middle = len(actions) // 2
        later = text_of_moves(
            game, states[middle:], actions[middle:]
        )  # it does not begin at the game's start
        assert position_of_text(game, later) == states[-1]


@pytest.mark.parametrize("seed", range(5))
def test_nodes_of_every_kind_are_written_and_read_back(seed: int) -> None:
    game = RandomGame()
    start = game.initial_state(seed, depth=12, kinds=MIXED)
    states, actions = random_game(game, random.Random(seed), 40, start)
    assert positions_of_text(game, text_of_moves(game, states, actions)) == states


def test_a_game_of_ones_own_needs_no_code_for_it() -> None:
    game = read_game(f"{UNDERCUT}:Undercut")
    states = positions_of_text(game, "moves: 4/3 1/1")
    assert states[-1] == game.next_state(
        game.next_state(game.initial_state(), 3, 2), 0, 0
    )  # its numbers begin at 1
    assert text_of_moves(game, states, [(3, 2), (0, 0)]) == "moves: 4/3 1/1"


def test_moves_are_written_as_people_write_them() -> None:
    goofspiel, othello = make_game("goofspiel", cards=3), make_game("othello")
    assert goofspiel.to_text(position_of_text(goofspiel, "moves: prize_2 1/3")) == goofspiel.to_text(
        goofspiel.next_state(goofspiel.next_state(goofspiel.initial_state(), 1), 0, 2)
    )
    assert position_of_text(othello, "moves: D3\n c5") == position_of_text(othello, " moves:d3 c5 ")
    assert position_of_text(othello, "moves:") == othello.initial_state()
    riders = LightRiders()
    start = riders.initial_state(4, 7)
    assert position_of_text(riders, f"{riders.to_text(start)}\nmoves: up/up") == riders.next_state(
        start, 0, 0
    )


class _Odd(TicTacToe):
    """Names that are no words: with blanks, with the mark between two moves, with that of numbers, twice the same, none at all."""

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return ("go on", "a/b", "#3", "same", "same", "", "g", "h", "i")[action]


def test_names_that_are_no_words_are_written_with_marks_or_numbers() -> None:
    game = _Odd()
    state = game.initial_state()
    for action, word in enumerate(("go_on", "#1", "#2", "#3", "#4", "#5")):
        after = game.advance(state, action, NO_ACTION)
        assert text_of_moves(game, [state, after], [(action, NO_ACTION)]) == f"moves: {word}"
        assert position_of_text(game, f"moves: {word}") == after


@pytest.mark.parametrize(
    ("spec", "text", "said"),
    [
        ("tic_tac_toe", "moves: {0} {0}", "move 2 of 2: '{0}' is no legal move of player 1 there; legal: "),
        ("light_riders", "moves: up/up up", "move 2 of 2: both players move here, so it is written like up/"),
        (
            "connect_four",
            "moves: 1/2",
            "move 1 of 1: only player 0 moves here, so it is written like 1, not '1/2'",
        ),
        (
            "goofspiel",
            "moves: prize_1 14/2",
            "move 2 of 2: '14' is no legal move of player 0 there; legal: 1, 2, 3",
        ),
        (
            "goofspiel",
            "moves: 99",
            "move 1 of 1: '99' is no outcome of chance there; possible: prize_1, prize_2, prize_3, prize_4",
        ),
        (
            "biased_rps",
            "moves: rock/paper rock/rock",
            "move 2 of 2: 'rock/rock' comes after the end of the game",
        ),
        ("connect_four", "nonsense\nmoves: 1", ""),
    ],
)
def test_what_is_wrong_is_said_with_the_place_and_what_is_legal_there(
    spec: str, text: str, said: str
) -> None:
    game = make_game(spec)
    first = (
        game.action_to_string(game.initial_state(), 0, game.legal_actions(game.initial_state(), 0)[0])
        if "{0}" in text
        else ""
    )
    with pytest.raises(GameError) as caught:
        position_of_text(game, text.format(first))
    assert str(caught.value).startswith(said.format(first))
    if said:
        assert "\n" not in str(caught.value)
