"""What a network looks at: found from positions alone, with what the game's symmetries do to it."""

import random
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from helpers.small_games import AllActions
from saddlepoint import (
    SIMULTANEOUS,
    TERMINAL,
    ConnectFour,
    Game,
    Goofspiel,
    LightRiders,
    Othello,
    Soccer,
    Symmetry,
    TicTacToe,
    kernel,
)
from saddlepoint.compiled import popcount
from saddlepoint.evaluators.network.file import input_rows, scaled_inputs, words_of
from saddlepoint.evaluators.network.inputs import Inputs, find_inputs, random_positions

pytestmark = pytest.mark.plain
GAMES = 120


@dataclass(frozen=True)
class OwnCorners(TicTacToe):
    """A set and a number."""

    @kernel
    def features(self, state, player):
        own = state.crosses if player == 0 else state.noughts
        return own & np.uint64(0b101000101), popcount(own)


KINDS: list[Any] = [
    TicTacToe(),
    OwnCorners(),
    pytest.param(ConnectFour(4, 4, 3), marks=pytest.mark.slow),
    pytest.param(Goofspiel(4), marks=pytest.mark.slow),
    pytest.param(Othello(6), marks=pytest.mark.slow),
    pytest.param(LightRiders(6, 6), marks=pytest.mark.slow),
    pytest.param(Soccer(), marks=pytest.mark.slow),
]


def looked_at(inputs: Inputs, words: Any) -> tuple[set[int], Any]:
    """The rows that are there in a position, and its scaled inputs."""
    return set(input_rows(inputs.coding, words)[0].tolist()), scaled_inputs(inputs.coding, words)[0]


@dataclass(frozen=True)
class OneNumber(TicTacToe):
    @kernel
    def features(self, state, player):
        return 1


@dataclass(frozen=True)
class WithoutEnd(TicTacToe):
    @kernel
    def features(self, state, player):
        return 1.0, np.inf if state.crosses > np.uint64(7) else 0.0


def test_each_bit_of_a_set_among_features_is_an_input() -> None:
    game = OwnCorners()
    coding = find_inputs(game, 1, 60).coding
    assert coding.masks[2:].tolist() == [0b101000101, 0, 0b101000101, 0, 0]
    assert coding.scaled[:2, 0].tolist() == [3, 5]  # winning sets follow
    state = game.next_state(game.next_state(game.initial_state(), 8, -1), -1, 4)
    assert words_of(game, [state])[0, [2, 4]].tolist() == [1 << 8, 0]


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (OneNumber(), r"OneNumber\.features must give a tuple of numbers, not 1"),
        (WithoutEnd(), "one of the game's features is not always finite"),
    ],
)
def test_features_are_a_tuple_of_finite_numbers(game: Game, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        find_inputs(game, 1, 20)


def test_what_only_played_games_meet_is_an_input_too() -> None:
    """Random drivers leave the road at the first bend: from their games alone a network would know no other place of it."""
    game = Soccer()
    played = random_positions(game, 30, 300, random.Random(5))
    alone, both = find_inputs(game, 1, 1).coding, find_inputs(game, 1, 1, played).coding
    seen = {tuple(input_rows(both, words_of(game, [state]))[0].tolist()) for state in played}
    assert alone.rows < both.rows
    assert len(seen) == len(set(played))


@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_each_symmetry_maps_the_inputs_of_positions_that_were_not_looked_at(game: Game) -> None:
    inputs = find_inputs(game, 1, GAMES)
    symmetries, states = inputs.symmetries, random_positions(game, 30, 300, random.Random(99))
    images = [game.symmetries(state) for state in states]
    listed = [[words_of(game, [one.state]) for one in found] for found in images]
    count = len(listed[0])
    assert len(symmetries.swaps) <= count + 1
    used: set[int] = set()
    wrong = 0
    for state_images, state in zip(listed, states, strict=True):
        rows, scaled = looked_at(inputs, words_of(game, [state]))
        for number in range(1, len(symmetries.swaps)):
            wanted = {int(symmetries.rows[number, row]) for row in rows}
            turned = np.zeros_like(scaled)
            turned[symmetries.scaled_rows[number]] = scaled * symmetries.scaled_signs[number]
            same = [
                k
                for k, image in enumerate(state_images)
                if looked_at(inputs, image)[0] == wanted
                and np.allclose(looked_at(inputs, image)[1], turned, atol=1e-4)
            ]
            wrong += not same
            used.update(same)
    assert len(symmetries.swaps) == 1 or used
    assert wrong <= 0.02 * len(states) * len(symmetries.swaps)


def test_a_games_own_symmetries_are_all_used() -> None:
    """Eight motions of the square in noughts and crosses, of which one is the identity."""
    inputs = find_inputs(TicTacToe(), 1, GAMES)
    assert len(inputs.symmetries.swaps) == 1 + len(TicTacToe().symmetries(TicTacToe().initial_state()))
    assert not inputs.exchanges
    assert inputs.coding.rows == 18 + 2  # nine cells of either player, and who moves


@pytest.mark.slow
@pytest.mark.parametrize("game", [ConnectFour(4, 4, 3), Othello(4), Goofspiel(4)], ids=repr)
def test_players_are_exchanged_where_the_game_says_how(game: Game) -> None:
    assert find_inputs(game, 1, GAMES).exchanges


class Counters(NamedTuple):
    wide: int
    lead: int
    share: float
    flag: bool
    bits: np.uint64
    same: int


@dataclass(frozen=True)
class Counting(AllActions):
    """Kinds of numbers that a state may have; who adds more in five rounds wins."""

    max_depth = 5

    def initial_state(self) -> Counters:
        return Counters(0, 0, 0.0, False, np.uint64(0), 7)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.bits & np.uint64(16) != np.uint64(0) else SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        bits = (state.bits << np.uint64(1)) | np.uint64(1)
        return Counters(
            state.wide * 7 + 300 * action0,
            state.lead + action0 - action1,
            state.share + 0.25 * action0,
            action0 == action1,
            bits,
            7,
        )

    @kernel
    def returns(self, state):
        return float(state.lead)

    def symmetries(self, state: Counters) -> list[Symmetry]:
        return [Symmetry(state._replace(wide=0, lead=-state.lead, share=0.0), (0, 1), (0, 1), True)]


def test_each_kind_of_number_has_its_inputs() -> None:
    coding = find_inputs(Counting(), 1, GAMES).coding
    words = {"wide": 0, "lead": 1, "share": 2, "flag": 3, "bits": 4, "same": 5, "mover": 6}
    chosen = {int(word): (int(low), int(count)) for word, low, count, _ in coding.choices}
    assert chosen == {words["lead"]: (-4, 9), words["flag"]: (0, 2)}
    assert [word for word in range(7) if coding.masks[word]] == [words["wide"], words["bits"]]
    assert coding.scaled.tolist() == [[words["wide"], 0], [words["lead"], 0], [words["share"], 1]]


def test_what_is_no_exchange_of_inputs_is_not_used() -> None:
    """The images above lose numbers: they are not worth the same, and no reordering of inputs makes them."""
    inputs = find_inputs(Counting(), 1, GAMES)
    assert not inputs.exchanges
    assert inputs.symmetries.swaps.tolist() == [False]


def test_the_same_seed_finds_the_same_inputs() -> None:
    one, two = (find_inputs(TicTacToe(), 3, GAMES) for _ in range(2))
    assert all(
        np.array_equal(a, b)
        for a, b in zip((*one.coding, *one.symmetries), (*two.coding, *two.symmetries), strict=True)
    )


@pytest.mark.plain
def test_a_state_of_pythons_own_integers_has_the_words_of_machine_words() -> None:
    """Games may make states of them: `next_state` of plain rules does."""
    game = Othello(6)
    state = game.initial_state()
    own = type(state)(*map(int, state))
    assert (words_of(game, [own]) == words_of(game, [state])).all()
