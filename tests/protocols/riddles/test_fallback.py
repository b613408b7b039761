"""The fallback's moves: never into an obstacle while there is a free cell, and towards the larger space."""

import random

from saddlepoint.games.light_riders import DIRECTIONS, LightRiders, State
from saddlepoint.protocols.riddles.fallback import fallback_move
from sizes import scaled

GAME = LightRiders(10, 9)


def test_it_takes_the_larger_space() -> None:
    rows = [
        "..x.....",
        "..x.....",
        "xx0.....",
        "..x.....",
        "........",
        ".......1",
    ]
    assert fallback_move(rows, 0) == "right"


def test_no_free_neighbour_or_no_head_is_a_pass() -> None:
    assert fallback_move(["0x..", "x...", "...1"], 0) == "pass"
    assert fallback_move(["....", "...1"], 0) == "pass"


def test_it_survives_as_long_as_one_step_can_tell() -> None:
    draw = random.Random(5)
    for _ in range(scaled(20, least=5)):
        state = GAME.initial_state(draw.randint(1, 3), draw.randint(1, 7))
        while GAME.players_to_act(state):
            moves = [0, 0]
            for player in (0, 1):
                free = GAME.search_actions(state, player)
                name = fallback_move(GAME.field(state), player)
                moves[player] = free[0] if name == "pass" else DIRECTIONS.index(name)
                assert moves[player] in free
            state = GAME.next_state(state, *moves)


def survivors(state: State, player: int, rounds: int) -> int:
    """1 where the player wins by force within so many rounds though its moves are known before, -1 where it loses, else 0."""
    if not GAME.players_to_act(state):
        return int(GAME.returns(state)) * (1 if player == 0 else -1)
    if rounds == 0:
        return 0
    return max(after(state, player, mine, rounds) for mine in GAME.search_actions(state, player))


def after(state: State, player: int, mine: int, rounds: int) -> int:
    """What comes of a move, whatever the other does."""
    theirs = GAME.search_actions(state, 1 - player)
    joint = [(mine, other) if player == 0 else (other, mine) for other in theirs]
    return min(survivors(GAME.next_state(state, *moves), player, rounds - 1) for moves in joint)


def test_it_finds_what_wins_by_force_the_soonest_and_leaves_what_loses() -> None:
    draw, seen = random.Random(8), dict.fromkeys((-1, 0, 1), 0)
    while min(seen[0], seen[1]) < 2:
        state = GAME.initial_state(draw.randint(1, 3), draw.randint(1, 7))
        for _ in range(draw.randrange(6, 16)):
            if GAME.players_to_act(state):
                state = GAME.next_state(state, *(draw.choice(GAME.search_actions(state, player)) for player in (0, 1)))
        player = draw.randrange(2)
        if not GAME.players_to_act(state) or len(GAME.search_actions(state, player)) < 2:
            continue
        results = {mine: after(state, player, mine, 3) for mine in GAME.search_actions(state, player)}
        if len(set(results.values())) == 1 or seen[max(results.values())] >= 2:
            continue
        seen[max(results.values())] += 1
        chosen = DIRECTIONS.index(fallback_move(GAME.field(state), player, 600))
        assert results[chosen] == max(results.values()), GAME.render(state)


def test_a_rider_that_can_be_shut_in_within_five_rounds_is_shut_in() -> None:
    rows = [
        "xxxxxxxx",
        "x....x.x",
        "1.x0..xx",
        "xxxxx..x",
        "xxxxxxxx",
    ]
    assert fallback_move(rows, 0, 600) in ("up", "right")
