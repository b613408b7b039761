"""A table's game: choices stay hidden until all are made, nothing is undone without the other, clocks count who is thought about."""

import itertools
from typing import Any

import pytest
from msgspec.structs import replace

from saddlepoint.web.catalogue import KnownGames
from saddlepoint.web.friends.table import Table, chosen, declined, lost, set_up, timed, wished
from saddlepoint.web.limits import Refused
from saddlepoint.web.positions import ReferencedPositions

pytestmark = pytest.mark.plain
CARDS = "goofspiel(cards=3)"
START = "goofspiel hand0=7 hand1=7 deck=7 prize=-1 points=0"


@pytest.fixture(scope="module")
def rules() -> ReferencedPositions:
    return ReferencedPositions(KnownGames())


def table(rules: ReferencedPositions, game: str = CARDS, start: str = START, **more: Any) -> Table:
    return set_up(Table(game=game, start=start, names=("Ann", "Bob"), **more), rules)


def both(one: Table, rules: ReferencedPositions, first: int, second: int) -> Table:
    """After both have chosen."""
    move = len(one.moves)
    return chosen(chosen(one, 0, move, first, rules), 1, move, second, rules)


def test_chance_draws_before_anybody_is_asked_and_after_both_have_chosen(rules: ReferencedPositions) -> None:
    one = table(rules)
    assert len(one.moves) == 1
    after = both(one, rules, 0, 1)
    assert after.moves[1] == (0, 1)
    assert len(after.moves) == 3
    assert after.to_act == (0, 1)


@pytest.mark.parametrize("first", [0, 1])
def test_the_order_of_two_choices_decides_nothing(rules: ReferencedPositions, first: int) -> None:
    one, actions = table(rules), (2, 0)
    half = chosen(one, first, 1, actions[first], rules)
    assert half.moves == one.moves
    assert half.waits_for() == (1 - first,)
    assert chosen(half, 1 - first, 1, actions[1 - first], rules).moves[1] == actions


@pytest.mark.parametrize(
    ("player", "move", "action", "sentence"),
    [(0, 0, 0, "gone on"), (0, 2, 0, "gone on"), (0, 1, 3, "not legal"), (0, 1, -1, "not legal")],
)
def test_a_choice_is_for_the_position_that_is_there_and_legal(
    rules: ReferencedPositions, player: int, move: int, action: int, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        chosen(table(rules), player, move, action, rules)


def test_nobody_chooses_twice_out_of_turn_alone_or_after_the_end(rules: ReferencedPositions) -> None:
    one = chosen(table(rules), 0, 1, 0, rules)
    with pytest.raises(Refused, match="chosen already"):
        chosen(one, 0, 1, 1, rules)
    with pytest.raises(Refused, match="not your turn"):
        chosen(table(rules, "tic_tac_toe", ".../.../..."), 1, 0, 4, rules)
    with pytest.raises(Refused, match="seat is still empty"):
        chosen(replace(table(rules), names=("Ann", "")), 0, 1, 0, rules)
    with pytest.raises(Refused, match="is over"):
        chosen(lost(one, 1, "resigned"), 1, 1, 0, rules)


def test_a_choice_that_nobody_has_seen_is_taken_back_at_once_a_move_only_with_the_other(
    rules: ReferencedPositions,
) -> None:
    one = table(rules)
    assert wished(chosen(one, 0, 1, 2, rules), 0, "back", rules) == one
    with pytest.raises(Refused, match="no move"):
        wished(one, 0, "back", rules)
    after = both(one, rules, 0, 1)
    asked = wished(after, 1, "back", rules)
    assert (asked.moves, asked.wish) == (after.moves, ("back", 1))
    assert wished(asked, 1, "back", rules).moves == after.moves  # asking twice is no consent
    assert declined(asked) == after
    undone = wished(asked, 0, "back", rules)
    assert (undone.moves, undone.wish) == (one.moves, None)


def test_a_wish_is_gone_when_the_game_goes_on(rules: ReferencedPositions) -> None:
    asked = wished(both(table(rules), rules, 0, 1), 0, "back", rules)
    assert both(asked, rules, 1, 0).wish is None


def test_a_further_game_changes_the_sides_and_keeps_the_score(rules: ReferencedPositions) -> None:
    over = lost(table(rules), 1, "resigned")
    assert (over.points, over.score, over.games) == (1.0, (1.0, 0.0), 1)
    again = wished(wished(over, 0, "again", rules), 1, "again", rules)
    assert (again.swapped, again.points, again.ended) == (True, None, None)
    won = lost(again, again.player_of(0), "resigned")
    assert won.score == (1.0, 1.0)


def test_a_last_move_taken_back_takes_its_point_back(rules: ReferencedPositions) -> None:
    one = table(rules, "tic_tac_toe", "xx./oo./...")
    over = chosen(one, 0, 0, 2, rules)
    assert (over.points, over.score, over.to_act) == (1.0, (1.0, 0.0), ())
    undone = wished(wished(over, 1, "back", rules), 0, "back", rules)
    assert undone == one


def test_in_a_room_nothing_is_taken_back_or_repeated(rules: ReferencedPositions) -> None:
    one = both(table(rules, room=1), rules, 0, 1)
    for wish in ("back", "again"):
        with pytest.raises(Refused, match="in a room"):
            wished(one, 0, wish, rules)


def test_only_who_is_thought_about_loses_time_and_a_choice_gives_the_increment(
    rules: ReferencedPositions,
) -> None:
    one = table(rules, minutes=1.0, increment=2.0)
    later, late = timed(one, 10.0)
    assert (later.left, late) == ((50.0, 50.0), None)
    half = chosen(later, 0, 1, 0, rules)
    assert half.left == (52.0, 50.0)
    assert timed(half, 20.0) == (replace(half, left=(52.0, 30.0)), None)
    assert timed(half, 50.0)[1] == 1
    assert timed(replace(one, names=("Ann", "")), 100.0) == (replace(one, names=("Ann", "")), None)
    over = lost(half, 1, "late")
    assert (over.points, over.ended) == (1.0, ("late", 1))
    assert timed(over, 100.0) == (over, None)


def test_whoever_had_less_time_is_late_first(rules: ReferencedPositions) -> None:
    one = replace(table(rules, minutes=1.0), left=(5.0, 4.0))
    assert timed(one, 9.0)[1] == 1


@pytest.mark.parametrize("game", [CARDS, "tic_tac_toe", "biased_rps"])
def test_a_game_played_to_its_end_has_the_points_of_the_rules(rules: ReferencedPositions, game: str) -> None:
    known = rules.games.find(game).game
    one = table(rules, game, known.to_text(known.initial_state()))
    for _ in itertools.count():
        if one.is_over:
            break
        _, state = rules.state(one.reference)
        player = one.waits_for()[0]
        one = chosen(one, player, len(one.moves), known.legal_actions(state, player)[0], rules)
    _, state = rules.state(one.reference)
    result = known.returns(state)
    middle = (known.min_utility + known.max_utility) / 2
    assert one.points == (0.5 if result == middle else float(result > middle))


def test_a_choice_that_stopped_a_clock_stays(rules: ReferencedPositions) -> None:
    """Else somebody would choose at once, think on while no clock runs, and choose again."""
    half = chosen(table(rules, minutes=1.0, increment=60.0), 0, 1, 0, rules)
    with pytest.raises(Refused, match="clock stays"):
        wished(half, 0, "back", rules)


def test_who_has_chosen_can_agree_that_the_move_before_is_taken_back(rules: ReferencedPositions) -> None:
    one = table(rules)
    half = chosen(both(one, rules, 0, 1), 0, 3, 2, rules)
    agreed = wished(wished(half, 1, "back", rules), 0, "back", rules)
    assert (agreed.moves, agreed.chosen, agreed.wish) == (one.moves, (None, None), None)
