"""A lost game in words: what ended it, the last chance, where it was lost; a person is told in the second person."""

import random
from collections.abc import Sequence

import pytest

from helpers.recorded_games import finished as played, in_turn
from saddlepoint import TERMINAL, Limits, OshiZumo, Othello, PrincipalVariation, TicTacToe, Tron
from saddlepoint.algorithms.analysis import GameReview, Standing, judge
from saddlepoint.play.record import reasons, said_of
from saddlepoint.play.replay import FinishedGame
from saddlepoint.play.review import review_finished
from saddlepoint.play.review_words import stands_on, story, verdict_words

UP, RIGHT, DOWN, LEFT = range(4)


def reviewed(one: FinishedGame, values: Sequence[float]) -> GameReview:
    """A review whose searches found these values of the positions before each step; of a game that was resigned the last one too."""
    standings = tuple(
        Standing(value, (value, value), 9, True, step=step, ended=True, best=({}, {}))
        for step, value in enumerate(values)
    )
    faults, game = (bool(one.faults[0]), bool(one.faults[1])), one.game
    known = values if one.given_up else [*values, one.result]
    assert len(known) == len(one.states)
    verdict = judge(
        known, one.result, game.min_utility, game.max_utility, faults=faults, resigned=one.given_up
    )
    return GameReview(standings, verdict, 9, True, ())


def told(one: FinishedGame, values: Sequence[float]) -> dict[str, tuple[int, str]]:
    return {kind: (step, " ".join(says)) for kind, step, says in story(one, reviewed(one, values))}


def test_what_ended_it_comes_first_then_the_last_chance_then_where_it_was_lost() -> None:
    one = played(TicTacToe(), in_turn(0, 1, 4, 8, 3, 5, 6), names=("best", "You"))
    steps = told(one, [0.0, 0.0, 0.6, 0.6, 0.6, 0.7, 1.0])
    assert list(steps) == ["end", "chance", "lost"]
    assert steps["end"] == (6, "best has three in a row.")
    mark = one.move(5, 1)
    assert steps["chance"] == (
        5,
        f"You stood clearly better than in the end for the last time in move 6 with {mark}: "
        "at \N{MINUS SIGN}0.70 before and at \N{MINUS SIGN}1.00 after it.",
    )
    assert steps["lost"] == (
        1,
        f"You lost the game in move 2 with {one.move(1, 1)}: you stood at 0.00 before and at \N{MINUS SIGN}0.60 after it, "
        "and never stood even again.",
    )


def test_moves_with_which_the_game_would_have_gone_on_are_told() -> None:
    one = played(Tron(4, 3), [(DOWN, LEFT), (DOWN, LEFT)])
    assert one.result == -1.0
    ((kind, (step, says)),) = told(one, [0.0, 0.0]).items()
    assert (kind, step) == ("end", 1), "one position is one step"
    assert says.startswith(
        "You were shut in. The last move was down; the game would have gone on with right. You lost the game in round 2"
    )


def test_nobody_lost_a_draw_and_a_fault_is_no_move() -> None:
    drawn = played(TicTacToe(), in_turn(0, 4, 8, 1, 7, 6, 2, 5, 3))
    assert drawn.result == 0.0
    assert told(drawn, [0.0] * 9) == {}
    assert stands_on(reviewed(drawn, [0.0] * 9)) == ""
    begun = played(TicTacToe(), in_turn(0, 4))
    late = FinishedGame(
        begun.game, begun.players, begun.states, begun.actions, -1.0, faults=("it was late", "")
    )
    assert told(late, [0.0, 0.0]) == {
        "end": (1, "You lost by a fault: it was late. Your moves are not to blame.")
    }


def test_who_resigns_is_told_where_it_was_lost_or_that_it_was_not() -> None:
    begun = played(TicTacToe(), in_turn(0, 4, 8, 1, 3))
    resigned = FinishedGame(begun.game, begun.players, begun.states, begun.actions, -1.0)
    steps = told(resigned, [0.0, 0.0, 0.0, 0.0, 0.0, -1.0])
    assert steps["end"] == (5, "You resigned.")
    assert steps["lost"][0] == 4, "the move after which it was lost, and not the one before"
    assert steps["lost"][1].startswith("You lost the game in move 5 with")
    given_away = "You resigned in a position that was not as good as lost: you stood at \N{MINUS SIGN}0.10."
    assert told(resigned, [*[0.0] * 5, -0.1]) == {"end": (5, given_away)}


def test_a_game_lost_by_a_few_points_is_told_by_those() -> None:
    game = Othello(4, "discs")
    state, joints = game.initial_state(), list[tuple[int, int]]()
    draw = random.Random(6)
    while game.current_player(state) != TERMINAL:
        mover = game.current_player(state)
        action = draw.choice(game.legal_actions(state, mover))
        joints.append((action, -1) if mover == 0 else (-1, action))
        state = game.advance(state, *joints[-1])
    one = played(game, joints)
    assert one.result is not None
    assert 0 < abs(one.result) < 8, "a seed that ends so"
    lost = one.result
    said = " ".join(verdict_words(one, reviewed(one, [0.0] * 4 + [lost] * (len(joints) - 4))))
    assert "lost the game in move 4" in said
    assert one.margin == 2 * abs(lost)


def test_a_reason_with_a_players_number_speaks_to_you() -> None:
    game = OshiZumo(4, size=1)
    one = played(game, [(1, 2), (1, 2)])
    said = " ".join(reasons(game, one.states, ("You", "best")))
    assert said == " ".join(reasons(game, one.states, ("Blue", "best"))).replace("Blue's", "your")
    assert "your " in said


@pytest.mark.parametrize(
    ("name", "reason", "said"),
    [
        ("You", "has three in a row", "You have three in a row"),
        ("You", "was shut in: no way on was left", "You were shut in: no way on was left"),
        ("You", "ran into its own trail", "You ran into your own trail"),
        ("best", "ran into its own trail", "best ran into its own trail"),
        (
            "You",
            "starved two cells from food: it had not eaten",
            "You starved two cells from food: you had not eaten",
        ),
        (
            "You",
            "lost its king: it was mated, it's over",
            "You lost your king: you were mated, it's over",
        ),
    ],
)
def test_a_person_is_told_in_the_second_person(name: str, reason: str, said: str) -> None:
    assert said_of(name, reason) == said


def test_who_took_over_a_lost_position_is_told_so_and_not_blamed_for_what_others_played() -> None:
    game = TicTacToe()
    begun = played(game, in_turn(0, 1, 4, 2, 8), names=("best", "You"))
    one = FinishedGame(game, begun.players, begun.states, begun.actions, begun.result, since=3)
    found = review_finished(one, PrincipalVariation(), Limits(depth=9))
    assert found is not None
    assert [standing.step for standing in found.standings] == [3, 4]
    assert all(turn.step >= 3 for turn in found.turns)
    said = " ".join(verdict_words(one, found))
    assert "You never stood even after you took over in move 4, and no turn changed much." in said
