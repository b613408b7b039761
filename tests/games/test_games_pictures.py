"""Pictures: every legal action once on the board, exchanged players exchanged, and the same as the text shows."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st
from undercut import Undercut

from helpers.sizes import COMPILED_ONLY
from helpers.small_games import TextConnectFour
from saddlepoint import (
    CHANCE,
    TERMINAL,
    ConnectFour,
    Game,
    Goofspiel,
    LightRiders,
    OshiZumo,
    Othello,
    PursuitEvasion,
    RandomGame,
    RubiksFlip,
    Simplexity,
    Soccer,
    Tron,
    Tron41,
)
from saddlepoint.compiled.endless_loops import Patience
from saddlepoint.game.picture import Move, Picture, Trail, continued, shown_from
from saddlepoint.game.probe import BrokenPromise, Probe
from saddlepoint.game.promises import check_picture
from saddlepoint.games.biased_rps import HANDS, BiasedRPS

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
GAMES: list[Any] = [
    LightRiders(7, 6),
    LightRiders(5, 4, max_rounds=4),
    Simplexity(4, 5, win=3, round=5, square=5),
    Simplexity(3, 3, win=3, round=2, square=2),
    Tron41("small_room"),
    Tron41("hunger_games"),
    Goofspiel(4),
    Goofspiel(3, "ascending", "points", lowest=2),
    pytest.param(RubiksFlip(), marks=COMPILED_ONLY),
    ConnectFour(4, 4, 3),
    TextConnectFour(4, 4, 3),
    Undercut(3, 2),
    Tron(4, 3, obstacles="1,1"),
    PursuitEvasion(3, 3, 3),
    BiasedRPS(),
    RandomGame(2, 3, "sums"),
    RandomGame(2, 2),
    RandomGame(13, 2),
    Othello(4),
    OshiZumo(5, 2),
    OshiZumo(5, 13),
]


def broken_promise(game: Game, state: Any, picture: Any) -> str:
    """The rule that the picture of a position breaks; empty where it keeps all."""
    try:
        check_picture(Probe(game, Patience(), seed=0), state, picture)
    except BrokenPromise as broken:
        return broken.rule
    return ""


def positions(game: Game, draw: st.DrawFn | Any) -> Iterator[Any]:
    """The positions of a game whose moves are drawn."""
    state = game.initial_state()
    yield state
    while (node := game.current_player(state)) != TERMINAL:
        if node == CHANCE:
            state = game.next_state(
                state, draw(st.sampled_from([outcome for outcome, _ in game.chance_outcomes(state)]))
            )
        else:
            joint = [
                draw(st.sampled_from(game.legal_actions(state, player)))
                for player in game.players_to_act(state)
            ]
            state = game.next_state(state, *joint)
        yield state


@pytest.mark.parametrize("game", GAMES, ids=repr)
@given(data=st.data())
def test_pictures_keep_their_promises_and_so_do_those_that_go_on(game: Game, data: st.DataObject) -> None:
    before: Picture | None = None
    for state in positions(game, data.draw):
        now = game.picture(state)
        assert broken_promise(game, state, now) == ""
        assert now.text == game.render(state)
        before = now if before is None else continued(before, now)
        assert broken_promise(game, state, before) == ""
        assert (before.width, before.height, before.numbers, before.moves) == (
            now.width,
            now.height,
            now.numbers,
            now.moves,
        )


@pytest.mark.parametrize("game", [*GAMES, Soccer(draw=0.3, max_moves=12)], ids=repr)
@given(data=st.data())
def test_pictures_from_one_on_are_those_that_go_on_from_the_start(game: Game, data: st.DataObject) -> None:
    states = list(positions(game, data.draw))
    whole = [game.picture(states[0])]
    for state in states[1:]:
        whole.append(continued(whole[-1], game.picture(state)))
    first = data.draw(st.integers(0, len(states) - 1))
    known = data.draw(st.sets(st.integers(0, len(states) - 1)))
    last = len(states) - 1
    assert shown_from(first, last, lambda at: game.picture(states[at])) == whole[first:]
    assert (
        shown_from(
            first, last, lambda at: game.picture(states[at]), lambda at: whole[at] if at in known else None
        )
        == whole[first:]
    )


@pytest.mark.parametrize(
    ("game", "most"), [(Soccer(draw=0.0), 5), (ConnectFour(), 5), (Othello(), 5)], ids=repr
)
def test_of_a_game_without_trails_no_more_pictures_are_made_than_are_asked_for(game: Game, most: int) -> None:
    states, asked = [game.initial_state()], list[int]()
    while len(states) < 20:
        state = states[-1]
        moves = [
            game.legal_actions(state, player)[-1] for player in game.players_to_act(state)
        ]  # soccer's players stand
        states.append(game.next_state(state, *(moves or [0])))

    def drawn(at: int) -> Picture:
        asked.append(at)
        return game.picture(states[at])

    shown_from(17, 19, drawn)
    assert len(asked) <= most


@given(data=st.data())
def test_light_riders_are_drawn_as_their_field_and_trails_take_the_walls(data: st.DataObject) -> None:
    game, before = LightRiders(7, 6), None
    for state in positions(game, data.draw):
        now = game.picture(state)
        before = now if before is None else continued(before, now)
        field = [
            (x, y) for y, row in enumerate(game.field(state)) for x, mark in enumerate(row) if mark != "."
        ]
        assert sorted({*now.walls, *(trail.cells[-1] for trail in now.trails)}) == sorted(field)
        trails = {owner: [one.cells for one in before.trails if one.owner == owner] for owner in (0, 1)}
        assert sorted({*before.walls, *(cell for one in before.trails for cell in one.cells)}) == sorted(
            field
        )
        for player, head in enumerate((state.head0, state.head1)):
            alive = state.alive >> player & 1
            (cells,) = trails[player]
            assert len(cells) == state.round + 1 if alive else len(cells) <= state.round + 1
            assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in itertools.pairwise(cells))
            assert (cells[-1] == game.grid.position(head)) or not alive
        crosses = [one for one in before.pieces if one.shape == "cross"]
        assert bool(crosses) == (state.alive != 3)
    assert before.moves == ()


@pytest.mark.parametrize("game", [LightRiders(6, 6), Tron41("small_room")], ids=repr)
@given(data=st.data())
def test_exchanged_players_are_drawn_exchanged(game: Game, data: st.DataObject) -> None:
    for state in positions(game, data.draw):
        exchanged = [one.state for one in game.symmetries(state) if one.swap]
        image = next(
            one for one in exchanged if (one[0], one.head0, one.head1) == (state[0], state.head1, state.head0)
        )
        here, there = game.picture(state), game.picture(image)
        assert {(trail.owner, trail.cells) for trail in there.trails} == {
            (1 - _owner(trail), trail.cells) for trail in here.trails
        }
        assert (set(there.walls), {(one.x, one.y, one.label) for one in there.marks}) == (
            set(here.walls),
            {(one.x, one.y, one.label) for one in here.marks},
        )
        assert {(move.player, move.action, move.to) for move in there.moves} == {
            (1 - m.player, m.action, m.to) for m in here.moves
        }
        assert {(one.owner, one.label, one.value) for one in there.numbers} == {
            (one.owner if one.owner is None else 1 - one.owner, one.label, one.value) for one in here.numbers
        }


def _owner(trail: Trail) -> int:
    assert trail.owner is not None
    return trail.owner


SIMPLEXITY = Simplexity(4, 5, win=3, round=5, square=5)
FLIP = RubiksFlip()
LETTERS = {(0, "disc"): "w", (0, "square"): "W", (1, "disc"): "r", (1, "square"): "R"}


@pytest.mark.parametrize(
    ("game", "rows_of", "letter_of", "winners_in"),
    [
        (
            SIMPLEXITY,
            lambda state: SIMPLEXITY.render(state).replace(" ", "").split("\n")[:4],
            lambda piece: LETTERS[piece.owner, piece.shape],
            lambda state: {None} if state.result in (1, 2) else set(),
        ),
        (
            FLIP,
            FLIP.board,
            lambda piece: piece.label,
            lambda state: {player for player in (0, 1) if int(FLIP.rows(state)) >> player & 1},
        ),
    ],
    ids=["simplexity", "rubiks_flip"],
)
@given(data=st.data())
def test_pieces_are_drawn_as_their_text_and_the_lines_that_won_are_marked(
    game: Game, rows_of: Any, letter_of: Any, winners_in: Any, data: st.DataObject
) -> None:
    for state in positions(game, data.draw):
        picture = game.picture(state)
        rows = [["."] * picture.width for _ in range(picture.height)]
        for one in picture.pieces:
            rows[one.y][one.x] = letter_of(one)
        assert ["".join(row) for row in rows] == rows_of(state)
        assert {mark.owner for mark in picture.marks if mark.kind == "winning"} == winners_in(state)


def test_a_turn_of_rubiks_flip_tumbles_and_places() -> None:
    moves = {move.name: move for move in FLIP.picture(FLIP.from_text("..../.R../..../....")).moves}
    move = moves["b2>c2 a4Y"]
    assert (move.start, move.via, move.to) == ((1, 1), (2, 1), (0, 3))
    assert (move.piece.owner, move.piece.label) == (1, "Y")


DEALT, COINS = Goofspiel(3), OshiZumo(10, 2)
CARDS = {(0, 0, "1"), (0, 1, "2"), (1, 1, "2"), (1, 2, "3"), (None, 0, "1"), (None, 2, "3")}
"""Of either hand and of the prizes, in the columns of their worth."""
PLAYED = {(0, 2, "last"), (1, 0, "last")}


@pytest.mark.parametrize(
    ("game", "position", "steps", "pieces", "marks", "numbers"),
    [
        (DEALT, DEALT.initial_state(), [(1,), (2, 0)], CARDS, PLAYED, {("lead", 2, 0)}),
        (  # what was just played is shown until the next cards are played
            DEALT,
            DEALT.initial_state(),
            [(1,), (2, 0), (0,)],
            CARDS,
            PLAYED | {(None, 0, "target")},
            {("lead", 2, 0), ("prize", 1, None)},
        ),
        (  # two of five fields from the centre towards player 1, and beyond each end who wins with him there
            COINS,
            COINS.initial_state(),
            [(3, 1), (2, 1)],
            {(None, 5, "W")},
            {(1, 0, "target"), (0, 6, "target")},
            {("coins", 5, 0), ("coins", 8, 1)},
        ),
        (  # he was pushed off
            OshiZumo(3, 1),
            OshiZumo(3, 1).from_text("(1, 0, 1)"),
            [(1, 0)],
            {(None, 4, "W")},
            {(1, 0, "target"), (0, 4, "target")},
            {("coins", 0, 0), ("coins", 0, 1)},
        ),
        (  # rock, paper and scissors of either player, and what was shown
            BiasedRPS(),
            BiasedRPS().initial_state(),
            [(0, 2)],
            {(player, x, HANDS[x][0].upper()) for player in (0, 1) for x in range(3)},
            {(0, 0, "target"), (1, 2, "target")},
            set(),
        ),
    ],
)
def test_cards_coins_and_hands_are_shown_with_what_was_just_played(
    game: Game, position: Any, steps: Any, pieces: Any, marks: Any, numbers: Any
) -> None:
    shown = game.picture(position)
    for step in steps:
        position = game.next_state(position, *step)
        shown = continued(shown, game.picture(position))
    assert {(one.owner, one.x, one.label) for one in shown.pieces} == pieces
    assert {(one.owner, one.x, one.kind) for one in shown.marks} == marks
    assert {(one.label, one.value, one.owner) for one in shown.numbers} == numbers


def test_random_game_shows_what_is_known_of_the_stage() -> None:
    sums = RandomGame(3, 2, "sums", seed=5)
    state = sums.next_state(sums.initial_state(), 1, 2)
    picture = sums.picture(state)
    assert (picture.width, picture.height) == (3, 3)
    gained = {(one.x, one.y): int(one.label) for one in picture.marks}
    for row, column in itertools.product(range(3), repeat=2):
        assert gained[column, row] == sums.next_state(state, row, column).sum - state.sum
    uniform = RandomGame(3, 2, seed=5)
    start = uniform.initial_state()
    assert {one.label for one in uniform.picture(start).marks} == {"?"}
    last = uniform.next_state(start, 0, 0)
    for one in uniform.picture(last).marks:
        assert float(one.label) == pytest.approx(
            uniform.returns(uniform.next_state(last, one.y, one.x)), abs=0.005
        )


def test_a_crash_is_marked() -> None:
    game = Tron41("joust")
    states = [game.initial_state(1)]
    for action in (0, 2, 0, 2, 0, 2, 0, 2, 0):  # player 0 rides up the middle until the wall is met
        if game.current_player(states[-1]) != TERMINAL:
            states.append(game.next_state(states[-1], action))
    last = shown_from(len(states) - 1, len(states) - 1, lambda at: game.picture(states[at]))[0]
    crashed = [one.owner for one in last.pieces if one.shape == "cross"]
    assert crashed == [player for player, head in enumerate((states[-1].head0, states[-1].head1)) if head < 0]


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        (lambda moves: Picture(moves=tuple(moves[1:])), "1 time less"),
        (lambda moves: Picture(moves=(*moves, *moves[:1])), "1 time more"),
        (lambda moves: Picture(2, 2, moves=tuple(moves)), "must lie on the board"),
        (lambda moves: Picture(9, 9, "wood", moves=tuple(moves)), "board must be one of"),
        (lambda moves: Picture(moves=tuple(Move(m.player, m.action, "x") for m in moves)), "name must be"),
        (
            lambda moves: Picture(moves=tuple(Move(m.player, m.action, m.name, arrow="up") for m in moves)),
            "must be one move",
        ),
        (lambda moves: moves, "must give a Picture"),
        (lambda moves: Picture(4, 3, trails=(Trail(2, ((0, 0),)),), moves=tuple(moves)), "an owner must be"),
    ],
)
def test_what_a_picture_must_not_be(broken: Any, rule: str) -> None:
    game = Goofspiel(3, "ascending")
    state = game.initial_state()
    assert rule in broken_promise(game, state, broken(list(game.picture(state).moves)))
