"""Light Riders by its rules: thousands of random games beside a reference that knows nothing of the kernels."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from helpers.reference_light_riders import DOWN, LEFT, NAMES, RIGHT, UP, Riders, starts
from helpers.sizes import scaled
from saddlepoint import check_game
from saddlepoint.boards.grid import int_of
from saddlepoint.game.base import TERMINAL, GameError
from saddlepoint.games.light_riders import LightRiders

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

STEPS = (UP, RIGHT, DOWN, LEFT)  # by the action's number
GAMES = (LightRiders(4, 3), LightRiders(5, 5, 1), LightRiders(7, 4, 5), LightRiders(9, 5), LightRiders())
"""Few, because each is compiled: both parities, one word of cells and several, with a limit and without."""


def cells_of(field):
    """All cells of a game or a position."""
    return [(x, y) for x in range(field.width) for y in range(field.height)]


def written(position):
    """The position as text."""
    rows = [
        "".join(
            str(position.heads.index((x, y)))
            if (x, y) in position.heads
            else "x"
            if (x, y) in position.blocked
            else "."
            for x in range(position.width)
        )
        for y in range(position.height)
    ]
    facing = " ".join(NAMES[direction] for direction in position.facing)
    return "\n".join(
        [
            f"light_riders {position.width}x{position.height} round {position.round} facing {facing} alive 01",
            *rows,
        ]
    )


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
    return Riders(
        width, height, walls, tuple(heads), facing, round=draw.choice((0, 0, 1, 4)), max_rounds=limit
    )


def drawn_answer(draw, position, player, caution):
    """A direction, or None: a pass."""
    free = position.free(player)
    return draw.choice(free if free and draw.random() < caution else [*STEPS, *STEPS, None])


def drawn_game(draw, start):
    """The positions of a random game, and the answers between them."""
    caution = draw.choice((0.0, 0.9, 1.0))
    positions, answers = [start], []
    while not positions[-1].over:
        answers.append(tuple(drawn_answer(draw, positions[-1], player, caution) for player in (0, 1)))
        positions.append(positions[-1].after(answers[-1]))
    return positions, answers


def told(game, state):
    """What the game says of a position."""
    over = game.current_player(state) == TERMINAL
    walls = int_of(state.walls)
    return {
        "result": game.returns(state) if over else None,
        "round": state.round,
        "alive": (state.alive & 1, state.alive >> 1),
        "heads": (state.head0, state.head1),
        "facing": (STEPS[state.direction0], STEPS[state.direction1]),
        "blocked": {cell for cell in cells_of(game) if walls >> game.grid.cell(*cell) & 1},
        "legal": None if over else [game.legal_actions(state, player) for player in (0, 1)],
        "searched": None if over else [game.search_actions(state, player) for player in (0, 1)],
    }


def expected(position, before, game):
    """The same by the rules; a rider that left the field is shown on its last cell."""
    inside = [head for head in position.heads if head in cells_of(game)]
    heads = [head if head in inside else before.heads[p] for p, head in enumerate(position.heads)]
    searched = [sorted(map(STEPS.index, position.free(p) or [position.facing[p]])) for p in (0, 1)]
    return {
        "result": position.result if position.over else None,
        "round": position.round,
        "alive": tuple(position.alive),
        "heads": tuple(game.grid.cell(*head) for head in heads),
        "facing": tuple(position.facing),
        "blocked": position.blocked | set(inside),
        "legal": None if position.over else [[0, 1, 2, 3]] * 2,
        "searched": None if position.over else searched,
    }


@pytest.mark.compiles_long
def test_ten_thousand_random_games_go_as_the_rules_say():
    draw = random.Random(2024)
    seen = Counter()
    for number in range(scaled(10_000)):
        game = GAMES[-1] if number % 20 == 0 else draw.choice(GAMES[:-1])
        positions, answers = drawn_game(draw, drawn_start(draw, game))
        state, before = game.from_text(written(positions[0])), None
        for position, both in zip(positions, [*answers, None]):
            assert told(game, state) == expected(position, before, game), (number, positions[0], answers)
            if both is not None:
                words = ["pass" if answer is None else NAMES[answer] for answer in both]
                actions = [game.string_to_action(state, player, words[player]) for player in (0, 1)]
                state, before = game.next_state(state, *actions), position
        assert len(answers) <= game.max_depth
        count(seen, positions, answers)
    # A test that never saw a rule proves nothing of it.
    assert min(seen.values()) > 0
    assert set(seen) == {"wins", "draws", "met", "out", "reversed", "ignored", "passed", "limit"}


def count(seen, positions, answers):
    """What there was to see in a game."""
    end = positions[-1]
    kinds = {
        "wins": end.result,
        "draws": not end.result,
        "met": end.heads[0] == end.heads[1],
        "out": any(head not in cells_of(end) for head in end.heads),
        "limit": all(end.alive),
    }
    seen.update(kind for kind, is_there in kinds.items() if is_there)
    for position, both in zip(positions, answers):
        for (dx, dy), answer in zip(position.facing, both):
            if answer == (-dx, -dy):
                seen["ignored" if position.round else "reversed"] += 1
            seen["passed"] += answer is None


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


@pytest.mark.parametrize(
    ("where", "heads"),
    [
        ({"x": 2, "y": 3}, ((2, 3), (6, 3))),
        ({"heads": ((0, 0), (8, 4))}, ((0, 0), (8, 4))),
        ({}, ((3, 2), (5, 2))),
    ],
)
def test_a_start_is_where_it_was_asked_for(where, heads):
    game = LightRiders(9, 5)
    state = game.initial_state(**where)
    assert (game.grid.position(state.head0), game.grid.position(state.head1)) == heads
    walls = int_of(state.walls)
    assert {cell for cell in cells_of(game) if walls >> game.grid.cell(*cell) & 1} == set(heads)
    assert (state.round, state.alive) == (0, 3)


@pytest.mark.parametrize(
    "heads", [((9, 0), (1, 1)), ((1, 1), (0, 5)), ((-1, 0), (1, 1)), ((0, -1), (1, 1)), ((1, 1), (1, 1))]
)
def test_a_start_outside_or_for_both_on_one_cell_is_refused(heads):
    with pytest.raises(GameError, match=r"outside the 9x5 field|both players cannot start"):
        LightRiders(9, 5).initial_state(heads=heads)


@pytest.mark.compiles_soon
@pytest.mark.parametrize(
    ("rows", "round_", "directions"),
    [
        (["......", ".0..1.", "......", "......"], 0, (RIGHT, LEFT)),
        # Two rounds: player 0 went up twice, and player 1 down.
        ([".0....", ".x....", ".x..x.", "....1."], 2, (UP, DOWN)),
        # Where the trail fits the first direction, that is the guess.
        (["......", ".x01x.", "......", "......"], 1, (RIGHT, LEFT)),
        # A rider has no trail before it has moved: three blocked cells are two rounds.
        (["x.....", "xx0..1", "......", "......"], 2, (RIGHT, LEFT)),
    ],
)
def test_a_field_without_a_header_tells_the_round_and_guesses_directions(rows, round_, directions):
    game = LightRiders(6, 4)
    state = game.from_text("\n".join(rows))
    assert (state.round, STEPS[state.direction0], STEPS[state.direction1]) == (round_, *directions)
    assert game.from_field(rows, 7).round == 7


def test_positions_and_actions_as_text():
    game = LightRiders(6, 4)
    state = game.next_state(game.next_state(game.initial_state(1, 1), 1, 0), 2, 3)
    text = "light_riders 6x4 round 2 facing down left alive 01\n...1x.\n.xx.x.\n..0...\n......"
    assert game.to_text(state) == text
    assert game.from_text(text) == state
    assert game.from_text(text.replace("x.", "x,.")) == state
    assert game.render(state) == ". . . 1 x .\n. x x . x .\n. . 0 . . .\n. . . . . ."
    assert [game.action_to_string(state, 0, k) for k in range(4)] == ["up", "right", "down", "left"]
    assert [game.string_to_action(state, p, " PASS ") for p in (0, 1)] == [2, 3]
    assert game.string_to_action(state, 1, "Left") == 3
    met = game.next_state(game.from_text("......\n.0.1..\n......\n......"), 1, 3)
    assert game.to_text(met).splitlines()[2] == ".x*x.."
    assert game.from_text(game.to_text(met)) == met


def test_cells_that_nobody_reaches_are_blocked_also_before_both_crash() -> None:
    """In this game a head that has left the field lies beside cells that were out of reach."""
    check_game(LightRiders(4, 3), seed=2407542878)
