"""What `new` writes: a small game or bot that works, and its test. NAME and CLASS stand for the file's name and the game's class."""

GAME = '''"""NAME: both choose rock, paper or scissors, some rounds long; who is ahead at the end wins. Make it your own game.

    saddlepoint check ./NAME.py:CLASS        # are the rules sound?
    saddlepoint play ./NAME.py:CLASS         # play it in the terminal
    saddlepoint serve ./NAME.py:CLASS        # or in the browser
    saddlepoint solve ./NAME.py:CLASS        # its value, exactly
    saddlepoint match best random --game ./NAME.py:CLASS
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel

LABELS = ("rock", "paper", "scissors")


class State(NamedTuple):
    """A position: numbers, truth values, and tuples of them. It never changes; a rule makes a new one."""

    round: int
    lead: int  # how many more rounds player 0 has won than player 1


@dataclass(frozen=True)
class CLASS(Game):
    """Both choose rock, paper or scissors at the same time; who has won more rounds at the end wins."""

    rounds: int = 3  # a parameter: CLASS(rounds=5), or './NAME.py:CLASS(rounds=5)' on the command line

    max_actions: ClassVar[int] = 3  # the most moves that a player has in any position

    @property
    def max_depth(self) -> int:  # the most moves of a game
        return self.rounds

    def initial_state(self) -> State:
        return State(0, 0)

    # The rules that a search calls are kernels: plain Python that is compiled.

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(3):
            out[action] = action
        return 3  # so many are in `out`

    @kernel
    def next_state(self, state, action0, action1):
        won = (action0 - action1) % 3  # 1: player 0 has the better one, 2: player 1
        gain = 1 if won == 1 else -1 if won == 2 else 0
        return State(state.round + 1, state.lead + gain)

    @kernel
    def returns(self, state):  # player 0's result, -1 to 1; player 1's is its negative
        return 1.0 if state.lead > 0 else -1.0 if state.lead < 0 else 0.0

    # What follows is for people, and not compiled. `picture` would draw a board: docs/writing-a-game.md.

    def action_to_string(self, state, player, action):
        return LABELS[action]
'''

TURNS_GAME = '''"""NAME: take one, two or three counters from a heap, in turn; who takes the last one wins. Make it your own game.

    saddlepoint check ./NAME.py:CLASS        # are the rules sound?
    saddlepoint play ./NAME.py:CLASS         # play it in the terminal
    saddlepoint serve ./NAME.py:CLASS        # or in the browser
    saddlepoint solve ./NAME.py:CLASS        # its value, exactly
    saddlepoint match best random --game ./NAME.py:CLASS
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import TERMINAL, Game, kernel


class State(NamedTuple):
    """A position: numbers, truth values, and tuples of them. It never changes; a rule makes a new one."""

    heap: int
    to_move: int


@dataclass(frozen=True)
class CLASS(Game):
    """Take one, two or three counters from the heap, in turn; who takes the last one wins."""

    counters: int = 10  # a parameter: CLASS(counters=20), or './NAME.py:CLASS(counters=20)' on the command line

    max_actions: ClassVar[int] = 3  # the most moves that a player has in any position

    @property
    def max_depth(self) -> int:  # the most moves of a game
        return self.counters

    def initial_state(self) -> State:
        return State(self.counters, 0)

    # The rules that a search calls are kernels: plain Python that is compiled.

    @kernel
    def current_player(self, state):
        return TERMINAL if state.heap == 0 else state.to_move

    @kernel
    def legal_actions(self, state, player, out):
        count = min(3, state.heap)
        for action in range(count):
            out[action] = action
        return count  # so many are in `out`

    @kernel
    def next_state(self, state, action):
        return State(state.heap - action - 1, 1 - state.to_move)

    @kernel
    def returns(self, state):  # player 0's result, -1 to 1; player 1's is its negative
        return 1.0 if state.to_move == 1 else -1.0  # player 0 took the last one

    # What follows is for people, and not compiled. `picture` would draw a board: docs/writing-a-game.md.

    def action_to_string(self, state, player, action):
        return f"take {action + 1}"
'''

GAME_TEST = '''"""The rules of NAME.py, held to what every game promises. Run: pytest test_NAME.py"""

from NAME import CLASS

from saddlepoint import DoubleOracle, search
from saddlepoint.testing import check_game


def test_the_rules_are_sound():
    check_game(CLASS())


def test_nobody_has_the_better_start():
    game = CLASS()
    assert search(game, game.initial_state(), DoubleOracle()).value == 0.0
'''

TURNS_GAME_TEST = '''"""The rules of NAME.py, held to what every game promises. Run: pytest test_NAME.py"""

from NAME import CLASS

from saddlepoint import PrincipalVariation, search
from saddlepoint.testing import check_game


def test_the_rules_are_sound():
    check_game(CLASS())


def test_who_must_take_from_four_loses():
    game = CLASS(counters=4)
    assert search(game, game.initial_state(), PrincipalVariation()).value == -1.0
'''

BOT = '''"""NAME: a bot for every game that two players play. Make it your own.

    saddlepoint check ./NAME.py                       # does it start, answer in time, play legal moves?
    saddlepoint match ./NAME.py random -n 20 --swap   # in Light Riders; --game goofspiel for another game
    saddlepoint play tic_tac_toe human ./NAME.py      # play against it
"""

import random

from saddlepoint import TERMINAL


def choose(game, state, clock, player):
    """An action for this player: a number of `game.legal_actions(state, player)`.

    `clock.bank` is how many seconds it may take at most. In a game of turns a move that wins at once is taken.
    """
    actions = game.legal_actions(state, player)
    if game.turn_based:
        for action in actions:
            after = game.next_state(state, action)
            if game.current_player(after) == TERMINAL and game.returns(after) * (1 - 2 * player) > 0:
                return action
    return random.choice(actions)
'''

BOT_TEST = '''"""NAME.py plays legal moves to the end of a game. Run: pytest test_NAME.py"""

from NAME import choose

from saddlepoint import TicTacToe


def test_it_plays_to_the_end():
    game = TicTacToe()
    state = game.initial_state()
    while players := game.players_to_act(state):
        action = choose(game, state, None, players[0])
        assert action in game.legal_actions(state, players[0])
        state = game.next_state(state, action)


def test_it_takes_a_win():
    game = TicTacToe()
    state = game.initial_state()
    for action in (0, 3, 1, 4):
        state = game.next_state(state, action)
    assert choose(game, state, None, 0) == 2
'''
