"""Positions of three and four snakes: their rules, the moves that are looked at, what they are worth, and the requests they come from."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from helpers.snake_requests import asked, snake
from saddlepoint.algorithms import Limits, search
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.battlesnake import Battlesnake, SnakeProspects, best_search
from saddlepoint.games.battlesnake.crowd import CROWD, Crowd, CrowdProspects, crowd_of
from saddlepoint.games.battlesnake.requests import STEPS, read_request
from saddlepoint.games.battlesnake.state import cause_of, coiled_of, health_of, length_of, tail_of
from saddlepoint.games.battlesnake.thinking import (
    CrowdNeed,
    Mind,
    crowd_state_of,
    rules_of,
    safe_move,
    state_of,
)
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.preparation import Need
from saddlepoint.players.clock import ENDLESS

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
WAYS = tuple(STEPS.values())
MODES = ("standard", "wrapped", "royale")


class Referee:
    """The official rules for any number of snakes, over lists of cells."""

    def __init__(self, game, bodies, food, hazards):
        self.game, self.food, self.hazards = game, set(food), Counter(hazards)
        self.bodies = {name: list(body) for name, body in bodies.items()}
        self.health = dict.fromkeys(bodies, 100)

    def play(self, moves):
        game, width, height = self.game, self.game.width, self.game.height
        for name, body in self.bodies.items():
            x, y = body[0][0] + WAYS[moves[name]][0], body[0][1] + WAYS[moves[name]][1]
            body.insert(0, (x % width, y % height) if game.wrapped else (x, y))
            body.pop()
            harm = 0 if body[0] in self.food else game.hazard_damage * self.hazards[body[0]]
            self.health[name] = 100 if body[0] in self.food else max(0, self.health[name] - 1 - harm)
            if body[0] in self.food:
                body.append(body[-1])
        self.food -= {body[0] for body in self.bodies.values()}
        there = {
            name: body
            for name, body in self.bodies.items()
            if self.health[name] > 0 and 0 <= body[0][0] < width and 0 <= body[0][1] < height
        }
        self.bodies = {name: body for name, body in there.items() if not self._crashes(name, there)}

    @staticmethod
    def _crashes(name, there):
        head, length = there[name][0], len(there[name])
        others = [body for other, body in there.items() if other != name]
        into_body = any(head in body[1:] for body in there.values())
        return into_body or any(head == body[0] and len(body) >= length for body in others)

    def request(self, you):
        living = {name: snake(name, body, max(1, self.health[name])) for name, body in self.bodies.items()}
        told = asked(
            living[you],
            *(one for name, one in living.items() if name != you),
            size=self.game.width,
            food=sorted(self.food),
            hazards=sorted(self.hazards.elements()),
            mode=self.game.mode,
        )
        return read_request(told)


def crowd_seen(referee, you="0"):
    """The position of the referee, without its turn."""
    return crowd_state_of(referee.game, referee.request(you))._replace(round=0)


def summary(game, state):
    """What a position says of each snake that is alive, and of the boards."""
    bodies = [
        [*map(int, state.bodies)][k * game.grid.words : (k + 1) * game.grid.words] for k in range(CROWD)
    ]
    snakes = [
        (bodies[k], health_of(one), length_of(one), coiled_of(one), tail_of(one))
        for k, one in enumerate(map(int, state.snakes))
        if not cause_of(one)
    ]
    return sorted(snakes), *([*map(int, words)] for words in (state.food, state.low, state.high))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(MODES), st.integers(2, 4))
def test_a_round_is_the_official_one_for_any_number_of_snakes(seed, mode, count):
    draw = random.Random(seed)
    rules = Battlesnake(7, 7, mode=mode, hazard_damage=20)
    cells = [(x, y) for x in range(7) for y in range(7)]
    starts = draw.sample([(1, 1), (5, 5), (1, 5), (5, 1)], count)
    food = draw.sample(cells, 9)
    hazards = draw.sample(cells, 5) if mode == "royale" else []
    referee = Referee(rules, {str(k): [cell] * 3 for k, cell in enumerate(starts)}, food, hazards)
    game = Crowd(7, 7, mode=mode, hazard_damage=20)
    while "0" in referee.bodies and len(referee.bodies) > 1:
        state = crowd_seen(referee)
        order = [
            "0",
            *(one.id for one in sorted(referee.request("0").others, key=referee.request("0").distance)),
        ]
        safe = game.search_actions(state, 0) if draw.random() < 0.9 else range(4)
        action0, action1 = draw.choice(safe), draw.choice(game.search_actions(state, 1))
        moves = {name: (action1 << 2 | action0) >> 2 * k & 3 for k, name in enumerate(order)}
        referee.play(moves)
        after = game.next_state(state, action0, action1)
        assert cause_of(int(after.snakes[0])) == 0 or "0" not in referee.bodies
        if "0" in referee.bodies and len(referee.bodies) > 1:
            assert game.current_player(after) != TERMINAL
            assert summary(game, after) == summary(game, crowd_seen(referee))
    assert game.current_player(after) == TERMINAL
    alone, somebody = "0" in referee.bodies, bool(referee.bodies.keys() - {"0"})
    assert game.returns(after) == alone - somebody


FOUR = {
    "0": [(5, 5), (5, 4), (5, 3), (5, 2)],
    "1": [(7, 5), (8, 5), (9, 5), (9, 6), (9, 7)],
    "2": [(3, 6), (2, 6), (1, 6)],
    "3": [(5, 9), (4, 9), (3, 9), (2, 9), (1, 9)],
}


def four(**others):
    return Referee(Battlesnake(), {**FOUR, **others}, [(0, 0)], [])


def test_one_rival_at_a_time_leaves_its_likely_move_for_another_safe_one():
    game, state = Crowd(), crowd_seen(four())
    usual, *others = game.search_actions(state, 1)
    changed = [[usual >> 2 * k & 3 != other >> 2 * k & 3 for k in range(3)] for other in others]
    assert all(sum(one) == 1 for one in changed)
    assert len(others) == 6  # each rival has three safe moves
    near = Crowd(near=2).search_actions(state, 1)
    assert 1 < len(near) < 7 and set(near) <= {usual, *others}


def test_every_move_that_is_looked_at_is_safe_for_a_moment():
    game, state = Crowd(), crowd_seen(four())
    for action0 in game.search_actions(state, 0):
        for action1 in game.search_actions(state, 1):
            after = game.next_state(state, action0, action1)
            assert all(cause_of(int(one)) in (0, 6, 5) for one in after.snakes)


def test_with_one_rival_a_position_is_worth_what_it_is_worth_in_a_duel():
    referee = Referee(Battlesnake(), {name: FOUR[name] for name in "01"}, [(0, 0)], [])
    duel = state_of(referee.game, referee.request("0"))
    value = SnakeProspects().evaluate(Battlesnake(), duel)
    crowd = CrowdProspects().evaluate(Crowd(), crowd_of([duel]))
    assert crowd == pytest.approx(value, abs=1e-3)  # a duel's hyperbolic tangent is a quick one


def test_four_snakes_that_stand_alike_have_a_quarter_each():
    corners = {str(k): [cell] * 3 for k, cell in enumerate([(1, 1), (9, 9), (1, 9), (9, 1)])}
    state = crowd_seen(Referee(Battlesnake(), corners, [(5, 5)], []))
    assert CrowdProspects().evaluate(Crowd(), state) == pytest.approx(2 * 0.25 - 1)


def test_a_search_does_not_go_where_a_longer_third_snake_may_be_at_once():
    # Right of us is the only food; the snake that may take it is neither the nearest nor shorter.
    bodies = {
        "0": [(5, 5), (5, 4), (5, 3)],
        "1": [(3, 4), (2, 4), (1, 4)],
        "2": [(6, 7), (6, 8), (6, 9), (7, 9)],
    }
    referee = Referee(Battlesnake(), bodies, [(6, 6)], [])
    state = crowd_seen(referee)._replace(round=0)
    algorithm = replace(best_search(), evaluator=CrowdProspects())
    assert search(Crowd(), state, algorithm, Limits(depth=2)).best_action(0) in (0, 1, 3)
    after = Crowd().next_state(state, 0, 0)
    assert Crowd().current_player(after) != TERMINAL


def test_snakes_beyond_the_fourth_are_walls():
    bodies = {**FOUR, "4": [(9, 9), (10, 9), (10, 8), (10, 7)], "5": [(0, 4), (0, 3), (0, 2)]}
    referee = Referee(Battlesnake(), bodies, [], [])
    state = crowd_seen(referee)
    board = referee.game
    walls = [board.cell(*cell) for cell in ((10, 9), (10, 8), (9, 9))]
    words = state.bodies[3 * board.grid.words :]
    assert all(int(words[cell >> 6]) >> (cell & 63) & 1 for cell in walls)


@pytest.mark.parametrize("count", [2, 3])
def test_a_pile_of_hazards_that_kills_is_a_wall(count):
    names = [str(k) for k in range(count)]
    referee = Referee(Battlesnake(), {name: FOUR[name] for name in names}, [(0, 0)], [(5, 6)] * 9)
    seen = referee.request("0")
    rules = rules_of(seen)
    game = Battlesnake(hazard_stack=rules.hazard_stack)
    state = state_of(game, seen)
    assert 0 not in game.search_actions(state, 0)
    if count > 2:
        crowd = Crowd(hazard_stack=rules.hazard_stack)
        assert 0 not in crowd.search_actions(crowd_state_of(game, seen), 0)


def one_way_out(count, mode, **about):
    """A request in which up is the only direction that is no body: right is a body, left one, and down our neck."""
    mine = snake("me", [(5, 5), (5, 4), (5, 3), (4, 3)], 50)
    right = snake("right", [(8, 5), (7, 5), (6, 5), (6, 4), (6, 3)])
    left = snake("left", [(2, 5), (3, 5), (4, 5), (4, 6), (3, 6)])
    far = snake("far", [(9, 9), (9, 8), (9, 7)])
    return asked(mine, *(right, left, far)[:count], mode=mode, **about)


def mind_of(seen):
    limits = Limits(nodes=20)
    return Mind(lambda spec, game: make_player(spec, game, limits), "best", rules_of(seen), knows_crowds=True)


@pytest.mark.parametrize(
    "mode", ["standard", "royale", "wrapped", "constrictor", "wrapped_constrictor", "snail"]
)
@pytest.mark.parametrize("count", [2, 3])
def test_in_every_mode_the_only_way_out_is_found(mode, count):
    told = one_way_out(count, mode, hazards=[(0, 0)] * 5 + [(5, 7)])
    seen = read_request(told)
    mind = mind_of(seen)
    mind.begin()
    player, state = mind.asked(seen)
    assert player.choose(state, ENDLESS).action == 0
    assert safe_move(seen, rules_of(seen)) == "up"


@pytest.mark.parametrize("mode", ["constrictor", "wrapped_constrictor"])
def test_in_constrictor_the_nearest_rival_is_the_other_player(mode):
    seen = read_request(one_way_out(3, mode))
    mind = mind_of(seen)
    assert mind.asked(seen)[1] == state_of(mind.game, seen)


def test_in_constrictor_nobody_dies_with_the_nearest_rival_while_a_third_lives():
    near, third = snake("near", [(6, 6), (6, 7), (6, 8)]), snake("third", [(1, 9), (1, 10), (2, 10)])
    seen = read_request(asked(snake("me", [(5, 5), (5, 4), (5, 3)]), near, third, mode="constrictor"))
    mind = mind_of(seen)
    _, state = mind.asked(seen)
    assert mind.game.search_actions(state, 0) == [3]  # above and on the right the rival may be at once
    duel = read_request(asked(snake("me", [(5, 5), (5, 4), (5, 3)]), near, mode="constrictor"))
    assert mind.game.search_actions(mind.asked(duel)[1], 0) == [0, 1, 3]


def test_a_crowd_is_compiled_apart_from_the_duel_of_its_board():
    duel, crowd = Need(Battlesnake(7, 7), "best"), CrowdNeed(Crowd(7, 7), "best")
    assert duel.task != crowd.task != CrowdNeed(Crowd(), "best").task
