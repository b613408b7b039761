"""The position that is searched, with the nearest rival as the other player; the safe move; compiling in a process of its own."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from helpers.programs import wait_until
from helpers.slow_players import make
from helpers.snake_requests import asked, duel, snake
from saddlepoint import SMAB, TERMINAL, Limits, search
from saddlepoint.games.battlesnake import Battlesnake, thinking
from saddlepoint.games.battlesnake.requests import STEPS, read_request
from saddlepoint.games.battlesnake.thinking import Compilation, EndedError, Rules, game_of, rules_of, state_of
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.preparation import Need
from saddlepoint.players.base import MakePlayer
from saddlepoint.players.clock import ENDLESS

UP, RIGHT, DOWN, LEFT = range(4)


def position(told):
    seen = read_request(told)
    game = game_of(rules_of(seen))
    return game, state_of(game, seen)


@pytest.mark.plain
def test_two_snakes_are_read_as_the_game_reads_them() -> None:
    told = duel(7, turn=4, hazards=[(0, 0)])
    game, state = position(told)
    assert game == Battlesnake(7, 7)
    assert state == game.from_text(json.dumps(told))


GIVEN = {
    "foodSpawnChance": 20,
    "minimumFood": 3,
    "hazardDamagePerTurn": 5,
    "royale": {"shrinkEveryNTurns": 7},
}
NONSENSE = {"foodSpawnChance": 10**6, "minimumFood": "many", "royale": None}


@pytest.mark.plain
@pytest.mark.parametrize(
    ("about", "rules"),
    [
        (
            {"map": "royale", "ruleset": {"name": "wrapped", "settings": GIVEN}},
            Rules(7, 7, "wrapped", "royale", 20, 3, 5, 7, hazard_stack=4),
        ),
        (
            {"map": "royale", "ruleset": {"name": "squad", "settings": NONSENSE}},
            Rules(7, 7, "standard", "royale", hazard_stack=4),
        ),
        ({}, Rules(7, 7, hazard_stack=4)),
    ],
)
def test_the_rules_of_a_request(about, rules) -> None:
    assert rules_of(read_request(duel(7, hazards=[(0, 0), (0, 0)]) | {"game": about})) == rules


@pytest.mark.plain
def test_the_nearest_rival_plays_and_the_others_are_walls() -> None:
    told = asked(
        snake("me", [(3, 3), (3, 2), (3, 1)], 80),
        snake("far", [(6, 6), (6, 5), (6, 4)]),
        snake("near", [(1, 4), (0, 4), (0, 3)], 90),
        size=7,
    )
    game, state = position(told)
    assert [game.position(c) for c in game.snake(state, 1).cells] == [(1, 4), (0, 4), (0, 3)]


@pytest.mark.plain
@pytest.mark.parametrize(("row", "dies"), [(6, True), (5, True), (4, False)])  # its tail moves on
def test_who_enters_a_third_snake_dies(row, dies) -> None:
    third, rival = snake("far", [(6, 6), (6, 5), (6, 4)]), snake("near", [(1, 4), (0, 4), (0, 3)], 90)
    game, state = position(asked(snake("me", [(5, row), (4, row)]), third, rival, size=7))
    assert (game.snake(game.next_state(state, RIGHT, DOWN), 0).cause_name == "snake-collision") == dies


@pytest.mark.plain
def test_what_only_a_third_head_should_enter_is_a_wall_while_there_is_another_way() -> None:
    third = snake("third", [(3, 5), (3, 6), (2, 6), (1, 6)])
    rival = snake("rival", [(2, 3), (1, 3), (0, 3)])
    game, state = position(asked(snake("me", [(3, 3), (4, 3), (5, 3)]), rival, third, size=7))
    assert game.snake(game.next_state(state, UP, DOWN), 0).cause_name == "snake-collision"
    boxed = [(3, 3), (3, 2), (4, 2), (4, 3), (4, 4), (5, 4)]
    rival = snake("rival", [(2, 3), (2, 4), (1, 4)])
    third = snake("third", [(3, 5), (3, 6), (2, 6), (1, 6), (0, 6), (0, 5), (0, 4)])
    game, state = position(asked(snake("me", boxed), rival, third, size=7))
    assert game.current_player(game.next_state(state, UP, DOWN)) != TERMINAL


@pytest.mark.plain
def test_in_constrictor_nobody_dies_with_the_nearest_rival_while_a_third_lives() -> None:
    me, near = snake("me", [(5, 5), (5, 4), (5, 3)]), snake("near", [(6, 6), (6, 7), (6, 8)])
    third = snake("third", [(1, 9), (1, 10), (2, 10)])
    game, state = position(asked(me, near, third, mode="constrictor"))
    assert game.search_actions(state, 0) == [LEFT]  # above and on the right the rival may be at once
    game, state = position(asked(me, near, mode="constrictor"))
    assert game.search_actions(state, 0) == [UP, RIGHT, LEFT]


@pytest.mark.plain
@pytest.mark.parametrize("count", [1, 2])
def test_a_pile_of_hazards_that_kills_is_a_wall(count: int) -> None:
    rivals = [snake("near", [(7, 5), (8, 5), (9, 5)]), snake("far", [(2, 8), (2, 9), (2, 10)])]
    me = snake("me", [(5, 5), (5, 4), (5, 3)])
    game, state = position(asked(me, *rivals[:count], hazards=[(5, 6)] * 9))
    assert game.search_actions(state, 0) == [RIGHT, LEFT]


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(
    "mode", ["standard", "royale", "wrapped", "constrictor", "wrapped_constrictor", "snail"]
)
@pytest.mark.parametrize("count", [2, 3])
def test_in_every_mode_the_only_way_out_among_several_snakes_is_found(mode: str, count: int) -> None:
    right = snake("right", [(8, 5), (7, 5), (6, 5), (6, 4), (6, 3)])
    left = snake("left", [(2, 5), (3, 5), (4, 5), (4, 6), (3, 6)])
    far = snake("far", [(9, 9), (9, 8), (9, 7)])
    me = snake("me", [(5, 5), (5, 4), (5, 3), (4, 3)], 50)
    told = asked(me, *(right, left, far)[:count], mode=mode, hazards=[(0, 0)] * 5 + [(5, 7)])
    game, state = position(told)
    player = make_player("best", game, Limits(nodes=20))
    player.begin(game, 0)
    assert player.choose(state, ENDLESS).action == UP
    assert safe_move(told) == "up"


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_search_keeps_away_from_walls() -> None:
    third = snake("third", [(6, 4), (6, 3), (5, 3), (4, 3), (4, 2), (4, 1), (3, 1)], 100)
    told = asked(snake("me", [(5, 1), (5, 0), (4, 0)]), snake("rival", [(0, 6), (0, 5)]), third, size=7)
    game, state = position(told)
    assert search(game.quiet(), state, SMAB(), Limits(depth=2)).best_action(0) in (UP, RIGHT)
    assert game.snake(game.next_state(state, LEFT, UP), 0).cause_name == "snake-collision"


@pytest.mark.plain
@pytest.mark.parametrize("turn", [0, 3, 999, 1000, 1001, 5000, 10**8])
def test_a_long_game_goes_on(turn: int) -> None:
    told = duel(7, turn=turn)
    game, state = position(told)
    assert game.current_player(state) != TERMINAL
    assert state.round <= 1000 and (turn - state.round) % game.shrink_every == 0
    told["game"]["ruleset"]["settings"]["royale"] = {"shrinkEveryNTurns": 10**6}  # never
    assert position(told)[1].round <= 1000


@pytest.mark.plain
@pytest.mark.parametrize(
    "told",
    [
        asked(snake("me", [(1, 1), (1, 2)]), size=7),  # nobody else
        asked(snake("me", [(1, 1)]), snake("b", [(3, 3), (3, 4)]), size=7),  # no neck
        asked(snake("me", [(1, 1), (5, 5)]), snake("b", [(3, 3), (3, 4)]), size=7),  # no body
        asked(snake("me", [(1, 1), (1, 2)]), snake("b", [(1, 1), (0, 1)]), size=7),  # two on a cell
        asked(snake("me", [(-1, 1), (0, 1)]), snake("b", [(3, 3), (3, 4)]), size=7),
        asked(snake("me", [(1, 1), (1, 2)], health=0), snake("b", [(3, 3), (3, 4)]), size=7),
        asked(snake("me", [(1, 1), (1, 2)]), snake("b", [(3, 3), (3, 4)]), size=26),
        asked(snake("me", [(0, 0), (0, 1)]), snake("b", [(1, 0), (1, 1)]), size=2),
    ],
)
def test_what_is_no_position_of_the_game_is_refused(told) -> None:
    with pytest.raises(ValueError):
        position(told)


@pytest.mark.plain
def test_states_have_the_games_words() -> None:
    game, state = position(
        asked(
            snake("me", [(12, 12), (12, 11)]),
            snake("b", [(3, 3), (3, 4)]),
            snake("c", [(24, 24), (24, 23), (23, 23)]),
            size=25,
        )
    )
    assert len(state.body1) == game.grid.words
    assert all(0 <= int(word) < 2**64 for word in state.body1)


def safe_move(told) -> str:
    """The safe move of a request."""
    seen = read_request(told)
    return thinking.safe_move(seen, rules_of(seen))


ME = snake("me", [(5, 5), (5, 4), (5, 3)])
CORNERED = snake("me", [(0, 0), (1, 0), (2, 0)])
AFAR = snake("b", [(8, 8), (8, 9)])
MOVES = [
    pytest.param(
        asked(CORNERED, snake("b", [(5, 5), (5, 6), (5, 7)])), ["up"], id="no walls and no own body"
    ),
    pytest.param(
        asked(
            snake("me", [(3, 3), (3, 2), (3, 1)]),
            snake("b", [(2, 5), (2, 4), (2, 3), (2, 2)]),
            snake("c", [(4, 6), (4, 5), (4, 4), (4, 3), (4, 2)]),
        ),
        ["up"],
        id="no other bodies",
    ),
    pytest.param(
        asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1)]), AFAR), ["up"], id="a tail that moves on is free"
    ),
    pytest.param(
        asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 1)]), AFAR),
        STEPS,
        id="any where every move kills",
    ),
    *(
        pytest.param(
            asked(ME, snake("b", [(5, y) for y in range(7, end)])),
            ["right", "left"],
            id=f"no cell that a head as long or longer may come to: {end - 7} cells",
        )
        for end in (10, 11)
    ),
    pytest.param(
        asked(
            ME,
            snake("b", [(3, 5), (2, 5)]),
            snake("c", [(6, 6), (7, 6), (8, 6), (9, 6), (10, 6)]),
        ),
        ["left"],
        id="nor that of a third snake",
    ),
    pytest.param(
        asked(
            ME | {"health": 1},
            snake("b", [(0, 10), (0, 9), (0, 8)]),
            food=[(6, 5)],
        ),
        ["right"],
        id="food before starving",
    ),
    pytest.param(
        asked(
            ME | {"health": 15},
            snake("b", [(0, 10), (0, 9)]),
            hazards=[(5, 6), (4, 5)],
        ),
        ["right"],
        id="no deadly hazard",
    ),
    pytest.param(
        asked(snake("me", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]), AFAR, mode="wrapped"),
        ["left", "down"],
        id="across an edge where it is wrapped",
    ),
    *(
        pytest.param(asked(CORNERED, *others, size=size), ["up"], id=f"{1 + len(others)} on {size}x{size}")
        for size in (11, 1000)  # which is too large for the rules
        for others in ([], [snake("b", [(size - 1, size - 1), (size - 1, size - 2)])])
    ),
    pytest.param(asked(snake("me", [(0, 0)]), size=1), ["up"], id="somewhere where there is nowhere to go"),
]


@pytest.mark.parametrize(("told", "moves"), MOVES)
def test_the_safe_move_is(told, moves) -> None:
    assert safe_move(told) in moves


cells = st.tuples(st.integers(-1, 8), st.integers(-1, 8))
bodies = st.lists(cells, min_size=1, max_size=12)


@pytest.mark.full
@given(
    st.lists(bodies, min_size=1, max_size=8),
    st.lists(cells, max_size=9),
    st.lists(cells, max_size=9),
    st.integers(0, 100),
    st.sampled_from(["standard", "wrapped", "constrictor", "royale", "unknown"]),
)
def test_whatever_is_on_the_board_there_is_a_move(snakes, food, hazards, health, mode) -> None:
    you, *others = (snake(f"s{k}", body, health) for k, body in enumerate(snakes))
    assert safe_move(asked(you, *others, size=7, food=food, hazards=hazards, mode=mode)) in STEPS


# -- compilation ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Need, "is_missing", True)


@pytest.mark.usefixtures("uncompiled")
def test_a_board_is_compiled_in_another_process_whatever_is_played_on_it(tmp_path: Path) -> None:
    Compilation(lambda: make, is_apart=True).compile(
        Rules(7, 7, "royale", "royale", 0, 0, 1, 1), str(tmp_path / "note")
    )
    assert (tmp_path / "note").read_text() == repr(Battlesnake(7, 7, hazard_stack=1))


@pytest.mark.usefixtures("uncompiled")
def test_what_cannot_be_compiled_is_the_affair_of_who_needs_it() -> None:
    Compilation(lambda: make, is_apart=True).compile(Rules(7, 7), "wrong")


@pytest.mark.usefixtures("uncompiled")
def test_what_is_compiled_already_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> MakePlayer:
        pytest.fail("a player was made")

    monkeypatch.setattr(Need, "is_missing", False)
    Compilation(load, is_apart=True).compile(Rules(7, 7), "best")


@pytest.mark.usefixtures("uncompiled")
def test_what_is_on_disk_does_not_wait_for_another_board_that_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Need, "is_missing", property(lambda need: need.game.width != 7))
    with under_way() as compilation:
        loads = threading.Thread(target=compilation.compile, args=(Rules(7, 7), "best"), daemon=True)
        loads.start()
        loads.join(60)
        assert not loads.is_alive()


@pytest.mark.slow
@pytest.mark.usefixtures("uncompiled")
def test_a_board_that_a_game_waits_for_is_compiled_beside_another_that_none_waits_for(tmp_path: Path) -> None:
    note = tmp_path / "note"
    with under_way() as compilation:
        compilation.compile(Rules(7, 7), str(note), is_awaited=True)
        assert note.read_text() == repr(Battlesnake(7, 7))


@contextmanager
def under_way() -> Iterator[Compilation]:
    """A compilation that is at a board of 11 x 11 for ten minutes."""
    compilation = Compilation(lambda: make, is_apart=True)

    def compile_() -> None:
        with suppress(EndedError):
            compilation.compile(Rules(11, 11), "slow")

    thread = threading.Thread(target=compile_, daemon=True)
    thread.start()
    wait_until(lambda: compilation.is_under_way, 60)
    try:
        yield compilation
    finally:
        compilation.close()
        thread.join(60)
    assert not thread.is_alive()


@pytest.mark.usefixtures("uncompiled")
def test_it_ends_with_the_server() -> None:
    with under_way() as compilation:
        compilation.close()
        with pytest.raises(EndedError):
            compilation.compile(Rules(7, 7), "best")
