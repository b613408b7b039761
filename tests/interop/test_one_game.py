"""What the environments of other libraries share: observations, chance, drawings as pixels. None of it needs their packages."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from helpers.random_trees import MIXED, RandomGame
from helpers.small_games import Guess
from saddlepoint import GameError, Goofspiel, LightRiders, TicTacToe, kernel
from saddlepoint.compiled.words import words_of_state
from saddlepoint.game.picture import Picture, Piece
from saddlepoint.games.catalogue.games import GAMES
from saddlepoint.interop.one_game import SIDE, Observer, OneGame, pixels_of

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


def test_what_a_player_sees() -> None:
    game = TicTacToe()
    state = game.next_state(game.next_state(game.initial_state(), 4), 0)
    planes = Observer(game)
    assert (planes.kind, planes.shape, planes.dtype, planes.highest) == ("planes", (2, 3, 3), np.uint8, 255)
    own, other = planes.seen(state, 0), planes.seen(state, 1)
    assert own.tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0], [0, 0, 0]]]
    assert (own == other[::-1]).all()
    assert Observer(game, "words").seen(state, 0).tolist() == words_of_state(state) == [16, 1]
    bits = Observer(game, "bits").seen(state, 0)
    assert np.nonzero(bits)[0].tolist() == [4, 64] and bits.shape == (128,)
    assert Observer(Guess()).kind == "bits"
    with pytest.raises(ValueError, match="Guess has no planes: take other observations"):
        Observer(Guess(), "planes")


def test_negative_numbers_and_fractions_as_bits() -> None:
    game = Guess()
    state = game.next_state(game.initial_state(), 0, 2)
    assert words_of_state(state) == [1, 2**64 - 1]
    assert Observer(game).seen(state, 0)[64:].all()


def test_chance_is_drawn_by_its_probabilities() -> None:
    """The first prize of a game with three cards is each of them in a third of the games; five standard deviations of 900 draws."""
    one, draw = OneGame(Goofspiel(3), None, None), np.random.default_rng(1)
    counts: dict[Any, int] = {}
    for _ in range(900):
        one.begin(draw)
        counts[tuple(words_of_state(one.state))] = counts.get(tuple(words_of_state(one.state)), 0) + 1
    assert len(counts) == 3 and all(abs(count - 300) < 5 * (900 * 2 / 9) ** 0.5 for count in counts.values())


def test_every_kind_of_position() -> None:
    """Random games in which both move, one of them or chance: the masks are the legal actions, the results the game's."""
    game, draw = RandomGame(), np.random.default_rng(2)
    one = OneGame(game, "words", None)
    for seed in range(20):
        start = game.initial_state(seed=seed, depth=5, kinds=MIXED)
        try:
            one.begin(draw, start)
        except GameError:  # chance alone plays it
            continue
        while not one.is_over:
            for player in (0, 1):
                assert np.nonzero(one.mask(player))[0].tolist() == sorted(
                    game.legal_actions(one.state, player)
                )
            one.play({player: game.legal_actions(one.state, player)[-1] for player in one.movers}, draw)
        assert one.result(0) == game.returns(one.state) == -one.result(1)


@pytest.mark.parametrize(
    ("actions", "forfeits", "results"),
    [({0: 1, 1: 9}, (1,), (1.0, -1.0)), ({0: 1}, (1,), (1.0, -1.0)), ({0: -5, 1: 9}, (0, 1), (0.0, 0.0))],
    ids=["one of them", "none is one too", "both"],
)
def test_an_illegal_action_loses_and_the_position_stays(
    actions: dict[int, int], forfeits: tuple[int, ...], results: tuple[float, float]
) -> None:
    one, draw = OneGame(Guess(), None, None), np.random.default_rng(1)
    one.begin(draw)
    before = one.state
    one.play(actions, draw)
    assert (one.forfeits, one.state, one.is_over) == (forfeits, before, True)
    assert (one.result(0), one.result(1)) == results


@dataclass(frozen=True)
class Numbered(Guess):
    """Its actions are not numbered as it says."""

    from_number: int = 0
    name: ClassVar[str] = "numbered"

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.size):
            out[action] = action + self.from_number
        return self.size


@pytest.mark.parametrize(("first", "wrong"), [(1, 3), (-2, -2)])
def test_actions_beyond_what_the_game_says_are_told(first: int, wrong: int) -> None:
    one = OneGame(Numbered(from_number=first), None, None)
    with pytest.raises(
        GameError,
        match=f"Numbered has the legal action {wrong}, and they are numbered from 0 to 2: set distinct_actions",
    ):
        one.mask(0)


class Grows(Guess):
    """Its planes fit at the start alone, or nowhere."""

    plane_shape: ClassVar[Any] = (1, 1, 1)
    name: ClassVar[str] = "grows"

    @kernel
    def planes(self, state, player, out):
        out[0, 0, state.round] = 1


@pytest.mark.parametrize("shape", [(1, 1, 0), (1, 1, 1), (1, 1, 2), (1, 3)])
def test_planes_that_do_not_fit_are_told_before_they_are_written(
    shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Grows, "plane_shape", shape)
    with pytest.raises(GameError, match="Grows.planes does not fit plane_shape"):
        Observer(Grows())
    monkeypatch.setattr(Grows, "plane_shape", (1, 1, 3))
    assert Observer(Grows()).shape == (1, 1, 3)


@pytest.mark.compiles_long
@pytest.mark.parametrize("entry", GAMES.values(), ids=lambda entry: entry.name)
def test_every_game_is_drawn_as_text_and_as_pixels_where_it_has_a_board(entry: Any) -> None:
    one, draw = OneGame(entry.game_class(), None, "rgb_array"), np.random.default_rng(1)
    one.begin(draw)
    for _ in range(5):
        if not one.is_over:
            one.play({player: int(np.nonzero(one.mask(player))[0][-1]) for player in one.movers}, draw)
    picture = one.game.picture(one.state)
    if picture.width:
        assert one.render().shape == (picture.height * SIDE, picture.width * SIDE, 3)
        assert len(np.unique(one.render().reshape(-1, 3), axis=0)) > 1
    else:
        with pytest.raises(GameError, match="draws no board"):
            one.render()
    one.render_mode = "ansi"
    assert one.render() == one.game.render(one.state)


def test_a_trail_is_drawn_as_long_as_it_is() -> None:
    one, draw = OneGame(LightRiders(6, 5), None, "rgb_array"), np.random.default_rng(1)
    one.begin(draw)
    first = one.render()
    one.play({0: 0, 1: 2}, draw)
    second = one.render()
    x, y = one.game.grid.position(one.game.initial_state().head0)
    middle = (y * SIDE + SIDE // 2, x * SIDE + SIDE // 2)
    assert tuple(first[middle]) == (31, 104, 178)
    assert tuple(second[middle]) == (165, 194, 224), "the trail is in the player's colour, lighter"


def test_digits_are_drawn_on_pieces() -> None:
    plain, labelled = (
        pixels_of(Picture(2, 1, pieces=(Piece(0, 0, 1, label=label),))) for label in ("", "17")
    )
    assert (plain != labelled).any()
    assert (labelled[:, SIDE:] == plain[:, SIDE:]).all()
