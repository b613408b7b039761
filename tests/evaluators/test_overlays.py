"""Overlays show what the evaluators count: cells reached first, parts that single cells divide, paths, cells that win."""

import random
from itertools import pairwise

import pytest

from helpers import reference_boards as reference
from helpers.sizes import scaled
from helpers.tron_positions import random_positions
from saddlepoint import Goofspiel, LightRiders, RubiksFlip, Simplexity, StopToken, Tron41
from saddlepoint.boards.longest_path import solve_fill
from saddlepoint.evaluators.overlays import overlay, overlay_names

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

RIDERS = LightRiders(9, 7)


def riders_positions(count):
    """Positions of random games, finished ones too."""
    draw = random.Random(5)
    found = []
    while len(found) < count:
        state = RIDERS.initial_state(draw.randrange(1, 4), draw.randrange(1, 6))
        while RIDERS.players_to_act(state):
            found.append(state)
            state = RIDERS.next_state(state, *(draw.choice(RIDERS.search_actions(state, p)) for p in (0, 1)))
        found.append(state)
    return found[:count]


def free_of(state):
    return {(x, y) for y, row in enumerate(RIDERS.field(state)) for x, mark in enumerate(row) if mark == "."}


def heads_of(state):
    return [RIDERS.grid.position(state.head0), RIDERS.grid.position(state.head1)]


def areas_of(found):
    return {owner: set(cells) for owner, cells in found.areas}


def test_which_games_have_which_overlays():
    territory = ("territory", "chambers", "longest path")
    assert [
        overlay_names(game) for game in (LightRiders(), Tron41(), Simplexity(), Goofspiel(), RubiksFlip())
    ] == [territory, territory, ("threats",), (), ()]
    with pytest.raises(
        ValueError, match="'threats' is no overlay of this game; it has: territory, chambers, longest path"
    ):
        overlay(LightRiders(), LightRiders().initial_state(), "threats")


def test_a_territory_is_what_a_player_reaches_first():
    for state in riders_positions(scaled(200, 30)):
        expected = reference.territories(*heads_of(state), free_of(state))
        found = areas_of(overlay(RIDERS, state, "territory"))
        assert [found.get(owner, set()) for owner in (0, 1, None)] == [set(cells) for cells in expected]


def test_where_players_move_in_turn_nothing_is_contested_and_speed_counts():
    """Against a flood step by step, whose turns go as the game's."""
    game, states = random_positions("joust", scaled(60, 10), seed=3)
    for state in states:
        rows = game.field(state)
        free = {
            (x, y)
            for y, row in enumerate(rows[1:-1])
            for x, mark in enumerate(row[1:-1])
            if mark not in "#x12"
        }
        reached, fronts, left = (
            [set(), set()],
            [{game.grid.position(int(game.head(state, p)))} for p in (0, 1)],
            set(free),
        )
        extra, player = [int(state.speed0), int(state.speed1)], int(state.turn)
        while fronts[0] or fronts[1]:
            fronts[player] = {
                there for cell in fronts[player] for there in reference.around(cell) if there in left
            }
            reached[player] |= fronts[player]
            left -= fronts[player]
            if extra[player]:
                extra[player] -= 1
            else:
                player = 1 - player
        found = areas_of(overlay(game, state, "territory"))
        assert [found.get(owner, set()) for owner in (0, 1, None)] == [*reached, set()]


def test_points_are_those_cells_whose_loss_divides_a_territory_and_chambers_lie_between_them():
    for state in riders_positions(scaled(120, 20)):
        expected = set()
        owned = reference.territories(*heads_of(state), free_of(state))
        for player in (0, 1):
            region = set(owned[player]) | {heads_of(state)[player]}
            expected |= reference.articulation_points(region) & set(owned[player])
        found = overlay(RIDERS, state, "chambers")
        assert set(found.points) == expected
        for owner, cells in found.areas:
            assert set(cells) <= set(owned[owner]) - expected
        shown = [cell for _, cells in found.areas for cell in cells]
        assert len(shown) == len(set(shown))
        assert set(shown) == (set(owned[0]) | set(owned[1])) - expected


def test_a_longest_path_goes_step_by_step_over_cells_that_the_player_may_count_on():
    """All it can reach where the riders are separated, and as long as the solver's; else its territory."""
    for state in riders_positions(scaled(60, 12)):
        free, heads = free_of(state), heads_of(state)
        owned = reference.territories(*heads, free)
        separated = not set(reference.distances(heads[0], free)) & set(reference.distances(heads[1], free))
        for player, path in overlay(RIDERS, state, "longest path").paths:
            assert path[0] == heads[player]
            assert len(set(path)) == len(path)
            assert all(after in reference.around(before) for before, after in pairwise(path))
            assert set(path[1:]) <= (free if separated else set(owned[player]))
            if separated:
                best = solve_fill(
                    RIDERS.grid, RIDERS.walls(state), RIDERS.grid.cell(*heads[player]), nodes=2000
                )
                assert len(path) - 1 >= best.lower or not best.exact


def test_a_stopped_path_is_one_that_was_found_at_once():
    stop = StopToken()
    stop.stop()
    assert len(overlay(RIDERS, RIDERS.initial_state(), "longest path", stop=stop).paths) == 2


def test_a_player_who_has_crashed_has_nothing():
    game = Tron41("joust", start="random")
    state = game.initial_state()
    while game.players_to_act(state):
        state = game.next_state(state, 0)
    for name in overlay_names(game):
        found = overlay(game, state, name)
        assert len({owner for owner, _ in (*found.areas, *found.paths)}) <= 1


def test_threats_are_the_cells_where_a_drop_would_win():
    """Against trying every legal drop of whoever moves, at all positions of random games."""
    game, draw = Simplexity(), random.Random(8)
    for _ in range(scaled(12, 4)):
        state = game.initial_state()
        while (player := game.current_player(state)) in (0, 1):
            found = overlay(game, state, "threats")
            mine, filled = areas_of(found).get(player, set()), int(state.filled[0])
            after = {action: game.next_state(state, action) for action in game.legal_actions(state, player)}
            lowest = {
                column: sum(filled >> game.columns.cell(row, column) & 1 for row in range(game.rows))
                for column in {action >> 1 for action in after}
            }
            cells = {column: (column, game.rows - 1 - height) for column, height in lowest.items()}
            landing = set(cells.values())
            won = 1.0 if player == 0 else -1.0
            wins = {
                cells[action >> 1]
                for action, child in after.items()
                if not game.players_to_act(child) and game.returns(child) == won
            }
            assert wins <= mine & landing
            assert set(found.points) <= landing
            for cell in (
                mine & landing - wins
            ):  # the same drop completes a line of the other player's, which counts first
                assert cell in areas_of(found).get(1 - player, set())
            state = game.next_state(state, draw.choice(game.legal_actions(state, player)))


def test_an_overlay_is_plain_data():
    found = overlay(RIDERS, RIDERS.initial_state(), "territory").to_json()
    assert found["name"] == "territory"
    assert [owner for owner, _ in found["areas"]] == [0, 1, None]
    assert "paths" not in found
