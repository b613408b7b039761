"""The race of two snakes whose tails move on, against a definition over lists of cells."""

import pytest

from helpers import ways
from helpers.battlesnake_positions import random_positions
from helpers.sizes import COMPILED_ONLY
from saddlepoint.boards.bitboard import words_of_board
from saddlepoint.boards.grid import int_of
from saddlepoint.compiled import jit, run
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.snake_prospects import COUNT_NODES
from saddlepoint.games.battlesnake.voronoi import FAR, MOST_FREE, MOST_SPARE, NEAR, race

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAME = Battlesnake(7, 7)
CONSTRICTOR = Battlesnake(7, 7, mode="constrictor", map="empty")


@jit
def _race(game, state, nodes):
    found = race(game, state, nodes)
    grid = game.grid
    return (
        (
            words_of_board(grid, found.own0),
            words_of_board(grid, found.own1),
            words_of_board(grid, found.contested),
        ),
        (found.near0, found.near1),
        (found.food0, found.food1),
        (found.shut0, found.shut1),
        (found.spare0, found.spare1),
        (found.free0, found.free1),
    )


def told(game, state, nodes=0):
    """What the race says, with cells as sets of (x, y); `nodes` for a room that is counted."""
    boards, near, food, shut, spare, free = run(_race, game, state, nodes)
    cells = [range(game.grid.stride * game.height)] * 3
    sets = [
        {game.position(c) for c in them if int_of(board) >> c & 1}
        for them, board in zip(cells, boards, strict=True)
    ]
    return (
        sets,
        [tuple(int(n) for n in one) for one in near],
        [int(n) for n in food],
        [bool(one) for one in shut],
        (
            [int(n) for n in spare],
            [int(n) for n in free],
        ),
    )


def around(game, cells):
    """The cells on the board next to some."""
    return {there for cell in cells for there in ways.around(cell) if game.is_inside(*there)}


def defined(game, state):
    """The same by lists: round by round, the tails' ends dropped."""
    lists = [[game.position(c) for c in game.snake(state, player).cells] for player in (0, 1)]
    food_cells = {
        game.position(c) for c in range(game.grid.stride * game.height) if int_of(state.food) >> c & 1
    }
    reached = [{cells[0]} for cells in lists]
    shut, food, near, taken = [False, False], [FAR, FAR], [[], []], set()
    spare, free = [MOST_SPARE, MOST_SPARE], [MOST_FREE, MOST_FREE]
    lead = len(lists[0]) - len(lists[1])
    for steps in range(1, 200):
        still = {
            cell
            for cells in lists
            for cell in (cells if game.constrictor else cells[: max(len(cells) - steps, 0)])
        }
        new = [around(game, reached[p]) - still - taken if not shut[p] else set() for p in (0, 1)]
        if lead > 0:
            new[1] -= new[0]
        if lead < 0:
            new[0] -= new[1]
        moving = not game.constrictor and any(len(cells) > steps for cells in lists)
        for p in (0, 1):
            if not new[p]:
                free[p] = min(free[p], steps)
                if not reached[p] & set(lists[p][1:]):
                    spare[p] = max(0, min(spare[p], len(reached[p]) - steps))
            shut[p] = shut[p] or (
                not new[p] and len(reached[p]) <= steps and not reached[p] & set(lists[p][1:])
            )
            if food[p] == FAR and new[p] & food_cells:
                food[p] = steps
        if not new[0] and not new[1] and (all(shut) or not moving):
            break
        for p in (0, 1):
            reached[p] |= new[p]
            taken |= new[p]
        if steps in NEAR:
            for p in (0, 1):
                near[p].append(len(reached[p] - reached[1 - p]))
    contested = reached[0] & reached[1]
    own = [reached[p] - contested - {lists[p][0]} for p in (0, 1)]
    return [*own, contested], near, food, shut, (spare, free)


GREEDY = Battlesnake(7, 7, minimum_food=20)


@COMPILED_ONLY
@pytest.mark.parametrize("game", [GAME, GREEDY, CONSTRICTOR], ids=["standard", "much food", "constrictor"])
def test_both_snakes_reach_what_the_definition_says(game):
    seen = set()
    for state in random_positions(game, 150, 7):
        sets, near, food, shut, waiting = told(game, state)
        expected, near_, food_, shut_, waiting_ = defined(game, state)
        assert sets == expected, game.to_text(state)
        assert food == food_ and shut == shut_, game.to_text(state)
        assert waiting == waiting_, game.to_text(state)
        for p in (0, 1):
            assert list(near[p])[: len(near_[p])] == near_[p]
        seen.add((*food, *shut))
    assert len(seen) > 3


WALL = "3,3 2,3 2,2 2,1 2,0 3,0 4,0 5,0"


@pytest.mark.parametrize(
    ("snake", "wall", "is_shut_in"),
    [
        ("0,0 0,1 1,1 1,0", WALL, False),  # it follows its tail
        ("0,0 0,1 1,1 1,0 1,0", WALL, True),  # it has just eaten
        ("0,3 1,3 1,4 0,4 0,5 1,5 1,6 0,6", f"{WALL} 6,0", False),  # three cells last until a tail opens more
        ("0,0 0,1 1,1 1,0 1,0", f"{WALL} 6,0", True),  # no cell is left
    ],
)
def test_room_lasts_until_a_tail_opens_more(snake, wall, is_shut_in):
    state = GAME.from_text(
        f"battlesnake 7x7 round 9\nsnake 0 health 100: {snake}\nsnake 1 health 100: {wall}"
    )
    assert told(GAME, state)[3] == [is_shut_in, False]


def lives_on(game, state, player):
    """Whether some way keeps the snake alive until all of both bodies is gone, the other waiting where its head is, nobody eating."""
    mine, other = ([game.position(cell) for cell in game.snake(state, p).cells] for p in (player, 1 - player))

    def goes_on(body, rounds):
        if rounds > len(mine) + len(other):
            return True
        still = {*body[: len(mine) - 1], *other[: max(len(other) - rounds - 1, 1)]}
        return any(goes_on([cell, *body], rounds + 1) for cell in around(game, body[:1]) - still)

    return goes_on(mine, 0)


ROOMS = {  # the cells would last until a tail opens the room; no way leads through enough of them
    """battlesnake 7x7 round 23
snake 0 health 99: 4,5 4,4 5,4 6,4 6,5 6,6 5,6 4,6 3,6 2,6 2,5 2,4 3,4 3,3 3,2
snake 1 health 100: 1,2 1,3 2,3 2,2 2,1 3,1 3,0 4,0 4,1 5,1 5,0 6,0 6,0""": 0,
    """battlesnake 7x7 round 25
snake 0 health 100: 1,4 1,5 1,6 2,6 2,5 3,5 3,4 3,3 4,3 5,3 6,3 6,4 5,4 5,5 4,5 4,5
snake 1 health 100: 2,1 2,0 1,0 1,1 1,2 2,2 3,2 3,1 3,0 4,0 5,0 6,0 6,1 6,2 6,2""": 0,
    """battlesnake 7x7 round 18
snake 0 health 100: 0,4 0,3 1,3 1,2 2,2 2,1 2,0 1,0 0,0 0,0
snake 1 health 100: 4,0 4,1 5,1 6,1 6,2 5,2 4,2 3,2 3,3 4,3 5,3 6,3 6,3""": 1,
}


@pytest.mark.parametrize(("text", "player"), ROOMS.items())
def test_a_room_of_its_own_is_counted(text, player):
    state = GAME.from_text(text)
    _, _, _, shut, (spare, _) = told(GAME, state, COUNT_NODES)
    assert shut[player] and spare[player] == 0
    assert not told(GAME, state)[3][player]
    assert not lives_on(GAME, state, player)


def test_a_search_that_runs_out_of_nodes_says_nothing():
    first, *others = (told(GAME, GAME.from_text(text), 1)[3][player] for text, player in ROOMS.items())
    assert first  # by its colours
    assert others == [False, False]


@COMPILED_ONLY
def test_whoever_is_shut_in_by_the_count_has_no_way_to_go_on():
    counted = 0
    for state in random_positions(GREEDY, 400, 9):
        by_cells, by_count = (told(GREEDY, state, nodes)[3] for nodes in (0, COUNT_NODES))
        for player in (0, 1):
            if by_count[player] and not by_cells[player]:
                counted += 1
                assert not lives_on(GREEDY, state, player)
    assert counted
