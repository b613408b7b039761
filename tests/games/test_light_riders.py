"""Light Riders by its rules: thousands of random games beside a reference that knows nothing of the kernels."""

import random
from dataclasses import replace

import numpy as np
import pytest

from reference_light_riders import DOWN, LEFT, NAMES, RIGHT, UP, Riders, starts
from saddlepoint.boards.grid import int_of
from saddlepoint.compiled import jit, run
from saddlepoint.game import SIMULTANEOUS, TERMINAL
from saddlepoint.games.light_riders import LightRiders
from sizes import scaled

pytestmark = pytest.mark.plain

STEPS = (UP, RIGHT, DOWN, LEFT)  # by the action's number
GAMES = (LightRiders(4, 3), LightRiders(5, 5, 1), LightRiders(7, 4, 5), LightRiders(6, 6), LightRiders(9, 5), LightRiders())
"""Few, because each is compiled: both parities, one word of cells and several, with a limit and without."""


@jit
def replay(game, state, answers, records, out):
    """Play the answers, shape (rounds, 2); what holds before each round and after the last goes into `records`.

    A record is: current_player, the result where the game is over, round, alive; of each player the legal and the
    searched actions (as bits), head and direction. Returns the last position.
    """
    for k in range(len(answers) + 1):
        record = records[k]
        record[0] = game.current_player(state)
        record[1] = int(game.returns(state)) if record[0] == TERMINAL else 0
        record[2], record[3] = state.round, state.alive
        for player in range(2):
            record[4 + player] = 0
            for j in range(game.legal_actions(state, player, out)):
                record[4 + player] |= 1 << out[j]
            record[6 + player] = 0
            for j in range(game.search_actions(state, player, out)):
                record[6 + player] |= 1 << out[j]
        record[8], record[9] = state.head0, state.head1
        record[10], record[11] = state.direction0, state.direction1
        if k < len(answers):
            state = game.next_state(state, answers[k, 0], answers[k, 1])
    return state


def cells_of(field):
    """All cells of a game or a position."""
    return [(x, y) for x in range(field.width) for y in range(field.height)]


def written(position):
    """The position as text."""
    rows = [
        "".join(
            str(position.heads.index((x, y))) if (x, y) in position.heads else "x" if (x, y) in position.blocked else "."
            for x in range(position.width)
        )
        for y in range(position.height)
    ]
    facing = " ".join(NAMES[direction] for direction in position.facing)
    return "\n".join([f"light_riders {position.width}x{position.height} round {position.round} facing {facing} alive 01", *rows])


def drawn_start(draw, game):
    """A start of the contest, or heads and walls anywhere, in the first round or a later one."""
    width, height, limit = game.width, game.height, game.max_rounds
    if draw.random() < 0.4 and starts(width, height):
        return replace(draw.choice(starts(width, height)), max_rounds=limit)
    cells = cells_of(game)
    heads = draw.sample(cells, 2)
    density = draw.choice((0.0, 0.1, 0.3))
    walls = frozenset(cell for cell in cells if cell not in heads and draw.random() < density)
    facing = (draw.choice(STEPS), draw.choice(STEPS))
    return Riders(width, height, walls, tuple(heads), facing, round=draw.choice((0, 0, 1, 4)), max_rounds=limit)


def drawn_answer(draw, position, player, caution):
    free = position.free(player)
    return draw.choice(free) if free and draw.random() < caution else draw.choice(STEPS)


def drawn_game(draw, start):
    """The positions of a random game, and the answers between them."""
    caution = draw.choice((0.0, 0.9, 1.0))
    positions, answers = [start], []
    while not positions[-1].over:
        answers.append(tuple(drawn_answer(draw, positions[-1], player, caution) for player in (0, 1)))
        positions.append(positions[-1].after(answers[-1]))
    return positions, answers


def expected_record(position, before, game):
    """What `replay` must write; a rider that left the field is shown on its last cell."""
    heads = [
        head if head in cells_of(game) else before.heads[player]
        for player, head in enumerate(position.heads)
    ]
    over = position.over
    searched = [sum(1 << STEPS.index(d) for d in position.free(p) or [position.facing[p]]) for p in (0, 1)]
    return [
        TERMINAL if over else SIMULTANEOUS, position.result, position.round, position.alive[0] + 2 * position.alive[1],
        0b1111, 0b1111, *([] if over else searched),
        *(game.grid.cell(*head) for head in heads), *(STEPS.index(direction) for direction in position.facing),
    ]  # fmt: skip


def test_ten_thousand_random_games_go_as_the_rules_say():
    draw = random.Random(2024)
    seen = {"games": 0, "wins": 0, "draws": 0, "met": 0, "out": 0, "reversed": 0, "ignored": 0, "limit": 0}
    records, out = np.zeros((130, 12), np.int64), np.zeros(4, np.int64)
    for number in range(scaled(10_000)):
        game = GAMES[-1] if number % 20 == 0 else draw.choice(GAMES[:-1])
        start = drawn_start(draw, game)
        positions, answers = drawn_game(draw, start)
        state = game.from_text(written(start))
        moves = np.array([[STEPS.index(answer) for answer in both] for both in answers], np.int64).reshape(-1, 2)
        last = run(replay, game, state, moves, records, out)
        for k, position in enumerate(positions):
            expected = expected_record(position, positions[k - 1] if k else None, game)
            found = records[k].tolist()
            if position.over:
                del found[6:8]
            assert found == expected, (number, k, written(start), answers)
        end = positions[-1]
        walls = int_of(last.walls)
        blocked = {cell for cell in cells_of(game) if walls >> game.grid.cell(*cell) & 1}
        assert blocked == end.blocked | {head for head in end.heads if head in cells_of(game)}, (number, written(start), answers)
        count(seen, positions, answers)
    # A test that never saw a rule proves nothing of it.
    assert min(seen.values()) > 0, seen


def count(seen, positions, answers):
    """What there was to see in a game."""
    end = positions[-1]
    seen["games"] += 1
    seen["wins" if end.result else "draws"] += 1
    seen["met"] += end.heads[0] == end.heads[1]
    seen["out"] += any(head not in cells_of(end) for head in end.heads)
    seen["limit"] += all(end.alive)
    for position, both in zip(positions, answers):
        for (dx, dy), answer in zip(position.facing, both):
            if answer == (-dx, -dy):
                seen["ignored" if position.round else "reversed"] += 1


def test_a_pass_goes_straight_on_and_the_longest_game_is_as_long_as_max_depth_says():
    draw = random.Random(5)
    game = LightRiders(6, 6)
    for _ in range(30):
        positions, answers = drawn_game(draw, drawn_start(draw, game))
        state = game.from_text(written(positions[0]))
        for position, both in zip(positions, answers):
            passed = [draw.random() < 0.3 for _ in both]
            if any(passed):
                after = position.after([None if skipped else answer for skipped, answer in zip(passed, both)])
                words = ["pass" if skipped else NAMES[answer] for skipped, answer in zip(passed, both)]
                told = game.next_state(state, *(game.string_to_action(state, p, words[p]) for p in (0, 1)))
                assert (told.alive & 1, told.alive >> 1) == after.alive
                assert (STEPS[told.direction0], STEPS[told.direction1]) == after.facing
            state = game.next_state(state, *(STEPS.index(answer) for answer in both))
        assert len(answers) <= game.max_depth


@pytest.mark.parametrize("size", [(4, 3), (5, 4), (7, 6), (16, 16)])
def test_the_starts_are_the_contests(size):
    game = LightRiders(*size)
    expected = {(game.grid.cell(*start.heads[0]), game.grid.cell(*start.heads[1])) for start in starts(*size)}
    found = [(state.head0, state.head1) for state in game.starts()]
    assert len(found) == len(set(found))
    if expected:
        assert set(found) == expected
    for seed in range(50):
        drawn = game.initial_state(seed=seed)
        assert (drawn.head0, drawn.head1) in found
        assert (STEPS[drawn.direction0], STEPS[drawn.direction1]) == (RIGHT, LEFT)
