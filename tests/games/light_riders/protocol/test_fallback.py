"""The fallback's moves: never into an obstacle while there is a free cell, and towards the larger space."""

import random

import pytest

from saddlepoint.games.light_riders import DIRECTIONS, LightRiders, State
from saddlepoint.games.light_riders.protocol import fallback
from saddlepoint.games.light_riders.protocol.fallback import fallback_move
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
                name = fallback_move(GAME.field(state), player, 0.005)
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


def territory(state: State, player: int) -> int:
    """The free cells nearer to the player's head than to the other's, less those nearer to the other's, counted cell by cell."""
    field = GAME.field(state)
    free = {(x, y) for y, row in enumerate(field) for x, mark in enumerate(row) if mark == "."}

    def steps(mark: str) -> dict[tuple[int, int], int]:
        front = {(row.index(mark), y) for y, row in enumerate(field) if mark in row}
        found: dict[tuple[int, int], int] = {}
        while front:
            near = {(x + dx, y + dy) for x, y in front for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            front = {cell for cell in near if cell in free and cell not in found}
            distance = max(found.values(), default=0) + 1
            found |= dict.fromkeys(front, distance)
        return found

    mine, theirs = steps(str(player)), steps(str(1 - player))
    return sum((mine.get(cell, 99) < theirs.get(cell, 99)) - (theirs.get(cell, 99) < mine.get(cell, 99)) for cell in free)


def kept(state: State, player: int, rounds: int) -> int:
    """The most territory after so many rounds if the other knows each move before it is made; a million for a win."""
    if not GAME.players_to_act(state):
        return 1_000_000 * survivors(state, player, 0)
    if rounds == 0:
        return territory(state, player)
    return max(kept_after(state, player, mine, rounds) for mine in GAME.search_actions(state, player))


def kept_after(state: State, player: int, mine: int, rounds: int) -> int:
    """What comes of a move, whatever the other does."""
    joint = [(mine, other) if player == 0 else (other, mine) for other in GAME.search_actions(state, 1 - player)]
    return min(kept(GAME.next_state(state, *moves), player, rounds - 1) for moves in joint)


def test_it_keeps_the_most_territory_some_rounds_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallback, "_ROUNDS", 2)
    draw, seen = random.Random(4), 0
    while seen < scaled(12, least=4):
        state = GAME.initial_state(draw.randint(1, 3), draw.randint(1, 7))
        for _ in range(draw.randrange(2, 14)):
            if GAME.players_to_act(state):
                state = GAME.next_state(state, *(draw.choice(GAME.search_actions(state, player)) for player in (0, 1)))
        player = draw.randrange(2)
        if not GAME.players_to_act(state) or len(GAME.search_actions(state, player)) < 2:
            continue
        worth = {mine: kept_after(state, player, mine, 2) for mine in GAME.search_actions(state, player)}
        if max(map(abs, worth.values())) > 1000 or len(set(worth.values())) == 1:
            continue
        seen += 1
        chosen = DIRECTIONS.index(fallback_move(GAME.field(state), player, 600))
        assert worth[chosen] == max(worth.values()), GAME.render(state)


def test_a_rider_that_can_be_shut_in_within_five_rounds_is_shut_in() -> None:
    rows = [
        "xxxxxxxx",
        "x....x.x",
        "1.x0..xx",
        "xxxxx..x",
        "xxxxxxxx",
    ]
    assert fallback_move(rows, 0, 600) in ("up", "right")
