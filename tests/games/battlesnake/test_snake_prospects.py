"""The network's view of two snakes, and the race of snakes whose tails move on against a definition over lists of cells."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from helpers import reference_boards
from helpers.sizes import COMPILED_ONLY
from helpers.snake_requests import random_positions
from saddlepoint.algorithms import Limits
from saddlepoint.boards.bitboard import words_of_board
from saddlepoint.boards.grid import int_of
from saddlepoint.boards.longest_path import solve_fill
from saddlepoint.compiled import jit, run
from saddlepoint.games import battlesnake
from saddlepoint.games.battlesnake import Battlesnake, Snake, SnakeProspects
from saddlepoint.games.battlesnake.snake_prospects import COUNT_NODES, SmallBoards, SnakeNetwork
from saddlepoint.games.battlesnake.voronoi import FAR, MOST_FREE, MOST_SPARE, NEAR, race
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.clock import ENDLESS

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
GAME = Battlesnake(7, 7, minimum_food=3)
CONSTRICTOR = Battlesnake(7, 7, mode="constrictor", map="empty")
PROSPECTS = SnakeProspects()
FOLDER = Path(battlesnake.__file__).parent


def mirrored(game, state, exchanged):
    """The position upside down (False), or with the players exchanged (True)."""

    def there(cell):
        x, y = game.position(cell)
        return cell if exchanged else game.cell(x, game.height - 1 - y)

    snakes = [game.snake(state, player) for player in ((1, 0) if exchanged else (0, 1))]
    snakes = [Snake(tuple(there(cell) for cell in snake.cells), snake.health) for snake in snakes]
    food = [there(cell) for cell in range(game.grid.stride * game.height) if int(state.food[0]) >> cell & 1]
    return game.state_of(snakes, food, (), state.round)


@pytest.mark.parametrize("game", [GAME, CONSTRICTOR], ids=["standard", "constrictor"])
def test_it_is_bounded_and_does_not_care_who_is_who_or_which_way_is_up(game):
    values = set()
    for state in random_positions(game, 60, 3):
        value = PROSPECTS.evaluate(game, state)
        assert -1.0 <= value <= 1.0
        assert PROSPECTS.evaluate(game, mirrored(game, state, exchanged=True)) == pytest.approx(
            -value, abs=1e-5
        )
        assert PROSPECTS.evaluate(game, mirrored(game, state, exchanged=False)) == pytest.approx(
            value, abs=1e-5
        )
        values.add(round(value, 3))
    assert len(values) > 20


@dataclass(frozen=True)
class Standard(SnakeNetwork):
    """The weights of 11x11 on any board."""

    weights_file: ClassVar[str] = "standard.weights"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", str(FOLDER / self.weights_file))
        super().__post_init__()


@pytest.mark.parametrize(("side", "network"), [(8, SmallBoards), (9, Standard)])
def test_boards_of_at_most_64_cells_have_weights_of_their_own_and_the_others_those_of_11x11(side, network):
    game = Battlesnake(side, side, minimum_food=3)
    for state in random_positions(game, 5, 2):
        lead = 2 * network(count_nodes=0).lead(game, state)
        assert SnakeProspects(scale=0.0, count_nodes=0).evaluate(game, state) == pytest.approx(lead, abs=1e-5)


def test_weights_of_a_file_are_for_all_boards():
    given = SnakeProspects(scale=0.0, weights=str(FOLDER / "standard.weights"))
    for state in random_positions(GAME, 5, 2):
        assert given.evaluate(GAME, state) == pytest.approx(2 * Standard().lead(GAME, state), abs=1e-5)
        assert given.evaluate(GAME, state) != SnakeProspects(scale=0.0).evaluate(GAME, state)


def position(text):
    return GAME.from_text("battlesnake 7x7 round 30\n" + text)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        # Food is four steps away along the edge, and so is the end: any step aside starves.
        ("snake 0 health 4: 1,0 0,0 0,1 0,2\nsnake 1 health 90: 3,6 4,6 5,6\nfood: 5,0", "right"),
        # Below is the one cell that the longer snake's head may come to as well.
        ("snake 0 health 90: 3,2 3,3 2,3\nsnake 1 health 90: 3,0 4,0 5,0 6,0 6,1\nfood: 0,6", "not down"),
    ],
    ids=["starving", "a longer head"],
)
def test_best_finds_the_good_move(text, good):
    state = position(text)
    player = make_player("best", GAME, Limits(depth=4))
    player.begin(GAME, 0, 1)
    chosen = GAME.action_to_string(state, 0, player.choose(state, ENDLESS).action)
    assert chosen != good.removeprefix("not ") if good.startswith("not ") else chosen == good
    player.close()


SEPARATED = """battlesnake 11x11 round 35
snake 0 health 100: 7,4 8,4 8,5 7,5 6,5 6,4 5,4 5,3 4,3 4,4 4,5 5,5 5,6 4,6 3,6 3,7 3,8 3,9 3,10 4,10 5,10 6,10 7,10 8,10 9,10 10,10 \
10,9 10,8 9,8 9,7 8,7 8,8 7,8 7,9 8,9 9,9 9,9
snake 1 health 100: 10,3 9,3 9,2 10,2 10,1 10,0 9,0 9,1 8,1 8,0 7,0 6,0 5,0 4,0 3,0 2,0 1,0 0,0 0,1 1,1 1,2 0,2 0,3 0,4 1,4 2,4 3,4 \
3,5 2,5 1,5 1,6 2,6 2,7 1,7 1,8 1,9 1,9
"""


def test_in_constrictor_close_endgames_of_separated_snakes_are_counted():
    # By the bounds of blocks and colours player 0 can make a step more; both can make 18.
    game = Battlesnake(mode="constrictor", map="empty")
    state = game.from_text(SEPARATED)
    walls = tuple(
        int(a) | int(b) | int(c) for a, b, c in zip(state.body0, state.body1, game.outside, strict=True)
    )
    assert [
        (one.lower, one.upper)
        for one in (solve_fill(game.grid, walls, int(game.head(state, p))) for p in (0, 1))
    ] == [(18, 18)] * 2
    assert PROSPECTS.evaluate(game, state) == 0.0


# -- the race ------------------------------------------------------------------------------------------------------------

HUNGRY = Battlesnake(7, 7)


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
    return {there for cell in cells for there in reference_boards.around(cell) if game.is_inside(*there)}


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
@pytest.mark.parametrize("game", [HUNGRY, GREEDY, CONSTRICTOR], ids=["standard", "much food", "constrictor"])
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
    state = HUNGRY.from_text(
        f"battlesnake 7x7 round 9\nsnake 0 health 100: {snake}\nsnake 1 health 100: {wall}"
    )
    assert told(HUNGRY, state)[3] == [is_shut_in, False]


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
    state = HUNGRY.from_text(text)
    _, _, _, shut, (spare, _) = told(HUNGRY, state, COUNT_NODES)
    assert shut[player] and spare[player] == 0
    assert not told(HUNGRY, state)[3][player]
    assert not lives_on(HUNGRY, state, player)


def test_a_search_that_runs_out_of_nodes_says_nothing():
    first, *others = (told(HUNGRY, HUNGRY.from_text(text), 1)[3][player] for text, player in ROOMS.items())
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
