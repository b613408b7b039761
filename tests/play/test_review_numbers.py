"""A review in numbers: accuracy, mistakes by size, and what a result was made of, which adds up and tells luck from choices."""

import math
import random
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.recorded_games import finished as played, in_turn, random_game
from helpers.sizes import scaled
from helpers.small_games import Guess, State, Turns
from saddlepoint import (
    BackwardInduction,
    BiasedRPS,
    ConnectFour,
    Goofspiel,
    Limits,
    PrincipalVariation,
    RandomGame,
    StopToken,
    TicTacToe,
    kernel,
    solve,
)
from saddlepoint.algorithms.analysis import GameReview, ReviewedTurn, Standing, game_review, judge
from saddlepoint.algorithms.analysis.verdict import column_loss, row_loss
from saddlepoint.game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from saddlepoint.matrix import solve_matrix
from saddlepoint.play.replay import FinishedGame
from saddlepoint.play.review import review_finished, review_json
from saddlepoint.play.review_numbers import (
    Balance,
    balance,
    balance_rows,
    balance_words,
    judged_words,
    mistakes,
    number_rows,
    numbers,
    rounded,
)
from saddlepoint.play.review_words import stands_on

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


def later(one: FinishedGame) -> FinishedGame:
    """The game from its third move on, whose positions are searched to the end much sooner."""
    return replace(one, states=one.states[2:], actions=one.actions[2:])


LOST = later(played(TicTacToe(), in_turn(0, 4, 1, 3, 8, 5)))

FAR = Limits(depth=12)


class Calm(Turns):
    """Chance deals 0, with which player 0 loses, or 5, with which it wins; an odd end is its own. In one form chance deals 0."""

    name: ClassVar[str] = "calm_turns"

    @kernel
    def next_state(self, state, action):
        return State(0, 5 * action) if state.round < 0 else State(state.round + 1, state.lead + action + 1)

    @kernel
    def returns(self, state):
        return -1.0 if state.lead % 2 == 0 else 1.0

    @kernel
    def quiet_outcome(self, state):
        return 0


def at_random(game: Game, seed: int) -> FinishedGame:
    """A game in which everybody draws a move."""
    return played(game, random_game(game, random.Random(seed))[1])


def reviewed(one: FinishedGame, limits: Limits = FAR) -> GameReview:
    algorithm = PrincipalVariation() if one.game.turn_based else BackwardInduction()
    found = review_finished(one, algorithm, limits)
    assert found is not None
    return found


@cache
def lost_game_reviewed() -> GameReview:
    """Of LOST, as far as its end."""
    return reviewed(LOST)


def with_losses(one: FinishedGame, *losses: tuple[float, dict[int, float]]) -> GameReview:
    """A review that found of player 0's moves, one a step, what was lost and what each move would have lost."""
    turns = tuple(
        ReviewedTurn(
            step,
            0.0,
            (0, -1),
            ({min(choices, key=choices.__getitem__): 1.0}, {}),
            one.actions[step],
            (loss, 0.0),
            1,
            True,
            -loss,
            (choices, {}),
        )
        for step, (loss, choices) in enumerate(losses)
    )
    return GameReview((), judge([0.0] * len(one.states), one.result, -1.0, 1.0), 1, True, (), turns)


def adds_up(one: FinishedGame, found: GameReview) -> Balance:
    made = balance(one, found)
    assert math.fsum(made.parts.values()) == pytest.approx(made.result, abs=1e-9)
    for player in (0, 1):
        *parts, whole = (round(100 * float(row[1 + player])) for row in balance_rows(one, made))
        assert sum(parts) == whole, "the numbers add up as they are shown, too"
    return made


# -- accuracy and mistakes --------------------------------------------------------------------------------------------


def test_accuracy_is_what_was_kept_of_what_could_have_been_given_away() -> None:
    one = played(TicTacToe(), [(0, -1), (1, -1), (2, -1)])
    a, b = numbers(
        one,
        with_losses(one, (0.5, {0: 0.5, 1: 0.0, 2: 2.0}), (0.0, {0: 0.0, 1: 0.0}), (0.0, {2: 0.0, 3: 1.0})),
    )
    assert (a.judged, b.judged) == (2, 0), "a move is judged where another one is worth something else"
    assert a.accuracy == pytest.approx(100 * (1 - 0.5 / 3.0))
    assert a.mean_loss == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("loss", "accuracy", "told", "size"),
    [
        (0.0, 100.0, "100 %", ""),
        (0.008, 99.6, "99 %", ""),
        (0.05, 97.5, "98 %", ""),
        (0.09, 95.5, "96 %", ""),
        (0.1, 95.0, "95 %", "small"),
        (0.39, 80.5, "80 %", "small"),
        (0.4, 80.0, "80 %", "medium"),
        (0.79, 60.5, "60 %", "medium"),
        (0.8, 60.0, "60 %", "large"),
        (1.0, 50.0, "50 %", "large"),
        (1.992, 0.4, "1 %", "large"),
        (2.0, 0.0, "0 %", "large"),
    ],
)
def test_accuracy_mean_loss_and_mistakes_count_the_same_losses(
    loss: float, accuracy: float, told: str, size: str
) -> None:
    """The range of results is 2: a twentieth, a fifth and two fifths of it are mistakes; all or nothing is not rounded to."""
    one = played(TicTacToe(), [(0, -1)])
    found = with_losses(one, (loss, {0: loss, 1: 0.0, 2: 2.0}))
    found = replace(found, turns=(replace(found.turns[0], mixtures=({0: 0.5, 1: 0.5}, {})),))
    own = numbers(one, found)[0]
    assert (own.accuracy, own.mean_loss) == (pytest.approx(accuracy), loss)
    assert number_rows(one, found)[0][1] == told
    assert [mistake.size for mistake in mistakes(one, found)] == ([size] if size else [])
    assert sum(own.mistakes) == bool(size)


def test_where_nothing_was_judged_there_is_no_number() -> None:
    one = played(Guess(size=1), [(0, 0), (0, 0)])
    found = reviewed(one)
    for own in numbers(one, found):
        assert (own.judged, own.accuracy, own.mean_loss, sum(own.mistakes)) == (0, None, None, 0)
    assert number_rows(one, found) == []
    assert judged_words(one, found) == [
        "No move was judged: in every position the moves were worth the same, or there was only one."
    ]
    assert mistakes(one, found) == []
    adds_up(one, found)


def test_a_move_of_the_equilibriums_mixture_is_no_mistake() -> None:
    one = played(BiasedRPS(), [(0, 1)])
    found = reviewed(one)
    assert mistakes(one, found) == []
    made = adds_up(one, found)
    assert made.parts["luck"] == pytest.approx(made.result), "all of the result is how both moves met"
    assert made.exact


# -- what the result was made of --------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(
        [Goofspiel(cards=3), Goofspiel(cards=3, utility="points"), Guess(), Turns(), TicTacToe()]
    ),
    st.integers(0, 10**6),
)
def test_the_parts_add_up_to_the_result_of_any_game_however_shallow_the_search(game: Game, seed: int) -> None:
    one = at_random(game, seed)
    found = reviewed(one, Limits(nodes=200))
    adds_up(one, found)
    for own in numbers(one, found):
        assert own.accuracy is None or 0.0 <= own.accuracy <= 100.0


def test_what_chance_draws_brings_nothing_on_average() -> None:
    """Over all prizes that may come first, by their probabilities."""
    game, brought = Goofspiel(cards=3, utility="points"), 0.0
    for outcome, probability in game.chance_outcomes(game.initial_state()):
        state, joints = game.advance(game.initial_state(), outcome, NO_ACTION), [(outcome, NO_ACTION)]
        found = reviewed(replace(played(game, joints), result=0.0))
        turn = next(one for one in found.turns if one.step == 0)
        brought += probability * (turn.after - turn.value)
        assert game.current_player(state) == SIMULTANEOUS
    assert brought == pytest.approx(0.0, abs=1e-9)


def test_a_game_in_turn_without_chance_has_no_luck() -> None:
    made = adds_up(LOST, lost_game_reviewed())
    assert list(made.parts) == ["start", "choices 0", "choices 1"]
    assert made.exact
    said = " ".join(balance_words(LOST, made))
    assert "uck" not in said and "about" not in said
    assert (
        said
        == f"Your own choices cost {-made.parts['choices 0']:.2f}. The choices of best cost {made.parts['choices 1']:.2f}."
    )


def test_what_is_only_estimated_is_said_with_about_and_how_far_the_searches_saw() -> None:
    assert judged_words(LOST, lost_game_reviewed()) == []
    for depth in (1, 2):
        found = reviewed(LOST, Limits(depth=depth))
        made = adds_up(LOST, found)
        assert not made.exact
        said = " ".join(balance_words(LOST, made))
        assert "about" in said or "that the searches saw" in said
        assert judged_words(LOST, found)[-1] == f"These numbers are as good as searches to depth {depth}."


def test_a_resignation_and_a_fault_are_parts_of_their_own() -> None:
    begun = later(played(TicTacToe(), in_turn(0, 4, 8, 1, 7)))
    for ended, label in (
        (replace(begun, result=-1.0), "the resignation"),
        (replace(begun, result=-1.0, faults=("it was late", "")), "the fault"),
    ):
        made = adds_up(ended, reviewed(ended))
        assert made.parts["ended"] == pytest.approx(-1.0), "the position was even"
        assert balance_rows(ended, made)[-2][0] == label


def test_of_a_game_that_goes_on_no_result_is_told_but_its_moves_are_judged() -> None:
    one = played(TicTacToe(), in_turn(0, 1, 4, 3))
    found = reviewed(one)
    assert balance(one, found) is None
    assert balance_rows(one, None) == balance_words(one, None) == []
    assert numbers(one, found)[1].mistakes[-1] == 1


def test_a_mistake_is_told_with_what_every_move_would_have_given_away() -> None:
    told = review_json(LOST, lost_game_reviewed())
    last = next(mistake for mistake in told["mistakes"] if mistake["step"] == 2)
    assert (last["player"], last["move"], last["loss"], last["size"], last["exact"]) == (
        0,
        "8",
        2.0,
        "large",
        True,
    )
    losses = {choice["name"]: choice["loss"] for choice in last["choices"]}
    assert losses["2"] == 0.0 and losses["8"] == 2.0
    assert set(losses) == {"2", "5", "6", "7", "8"}


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8))
def test_rounded_numbers_add_up_and_are_off_by_a_hundredth_at_most(values: list[float]) -> None:
    whole = math.fsum(values)
    shown = rounded(values, whole)
    assert round(100 * sum(shown)) == round(100 * whole)
    assert all(abs(a - b) < 0.0101 for a, b in zip(values, shown, strict=True))
    assert rounded([0.0, 1 / 3, 1 / 3, 1 / 3], 1.0)[0] == 0.0, "what is nothing stays nothing"


# -- no more is said than is known ------------------------------------------------------------------------------------


def value_of(game: Game, state: Any, known: dict[Any, float]) -> float:
    """What a position is worth, from the rules alone."""
    if state not in known:
        node = game.current_player(state)
        if node == TERMINAL:
            known[state] = float(game.returns(state))
        elif node == CHANCE:
            drawn = [(p, game.advance(state, one, NO_ACTION)) for one, p in game.chance_outcomes(state)]
            known[state] = math.fsum(p * value_of(game, after, known) for p, after in drawn)
        else:
            known[state] = float(solve_matrix(matrix_of(game, state, known)).value)
    return known[state]


def matrix_of(game: Game, state: Any, known: dict[Any, float]) -> Any:
    to_act = game.players_to_act(state)
    rows, columns = (list(game.legal_actions(state, p)) if p in to_act else [NO_ACTION] for p in (0, 1))
    return np.array([[value_of(game, game.advance(state, a, b), known) for b in columns] for a in rows])


def made_of(one: FinishedGame) -> dict[str, float]:
    """The parts of a result, step by step, from the rules alone."""
    game, known = one.game, dict[Any, float]()
    sums = {"start": value_of(game, one.states[0], known), "choices 0": 0.0, "choices 1": 0.0, "luck": 0.0}
    for state, joint, after in zip(one.states, one.actions, one.states[1:], strict=False):
        change, node = value_of(game, after, known) - value_of(game, state, known), game.current_player(state)
        if node == CHANCE:
            sums["luck"] += change
            continue
        matrix, to_act = matrix_of(game, state, known), game.players_to_act(state)
        places = [list(game.legal_actions(state, p)).index(joint[p]) if p in to_act else 0 for p in (0, 1)]
        a = row_loss(matrix, value_of(game, state, known), places[0])
        b = column_loss(matrix, value_of(game, state, known), places[1])
        sums["choices 0"] -= a
        sums["choices 1"] += b
        sums["luck"] += change + a - b
    return sums


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from([Goofspiel(cards=3), Goofspiel(cards=3, utility="points"), Guess(), Turns()]),
    st.integers(0, 10**6),
)
def test_each_part_of_a_solved_game_is_the_sum_of_its_steps(game: Game, seed: int) -> None:
    one = at_random(game, seed)
    made = adds_up(one, reviewed(one))
    assert made.exact or isinstance(game, Turns)  # after chance an early win leaves bounds around the value
    assert made.parts["choices 0"] <= 0.0 <= made.parts["choices 1"], "nobody gains by choosing"
    for kind, value in made_of(one).items():
        assert made.parts[kind] == pytest.approx(value, abs=1e-4), kind


def shallow(monkeypatch: pytest.MonkeyPatch, **changed: Any) -> None:
    """Let the moves be compared by a search that saw less than that of the positions."""
    looked = game_review.review

    def review(*args: Any, **options: Any) -> Any:
        return (replace(turn, exact=False, depth=1, **changed) for turn in looked(*args, **options))

    monkeypatch.setattr(game_review, "review", review)


@pytest.mark.parametrize("proven", [True, False], ids=["proven of the round", "proven of the position alone"])
def test_where_the_values_before_and_after_a_round_are_proven_no_luck_is_made_of_a_search(
    monkeypatch: pytest.MonkeyPatch, proven: bool
) -> None:
    one = played(Guess(rounds=3), [(0, 1), (0, 1), (0, 0)])
    losses = ({0: 0.2, 1: 0.0, 2: 0.0}, {0: 0.0, 1: 0.0, 2: 0.0})
    shallow(monkeypatch, value=0.3, after=0.1, loss=(0.2, 0.0), losses=losses)
    if not proven:
        monkeypatch.setattr(game_review._Reviewer, "_proven", lambda *_: None)
    found = reviewed(one)
    assert found.turns[-1].loss == (0.0, 0.0)
    made = adds_up(one, found)
    if proven:
        last = found.turns[-1]
        assert (last.step, last.value, last.after) == (2, -1.0, -1.0)
        assert made.parts["choices 0"] == pytest.approx(-0.2), "what the proven values leave of the losses"
        assert made.parts["luck"] == pytest.approx(-1.0 + 0.2)


def test_a_move_that_is_proven_a_mistake_is_not_told_as_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    shallow(monkeypatch, loss=(0.0, 0.0), mixtures=({8: 1.0}, {}), best=(8, -1))
    found = reviewed(LOST)
    turn = next(turn for turn in found.turns if turn.step == 2)
    assert turn.loss[0] == 2.0
    assert turn.best[0] == max(turn.mixtures[0]) != 8
    last = next(told for told in review_json(LOST, found)["mistakes"] if told["step"] == 2)
    assert {choice["action"]: choice["share"] for choice in last["choices"]}[8] == 0.0


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(
        [
            Goofspiel(cards=3),
            Goofspiel(cards=4),
            Guess(),
            BiasedRPS(),
            RandomGame(3, 3),
            RandomGame(4, 3, "sums"),
        ]
    ),
    st.integers(0, 10**6),
    st.sampled_from([Limits(nodes=200), Limits(depth=1), Limits(depth=2), FAR]),
)
def test_what_an_equilibrium_plays_gives_nothing_away_however_shallow_the_search(
    game: Game, seed: int, limits: Limits
) -> None:
    """Against every equilibrium strategy of the other it is a best reply; so neither accuracy nor mistakes need a rule of their own."""
    for turn in reviewed(at_random(game, seed), limits).turns:
        for player in (0, 1):
            lost = {
                action: turn.losses[player].get(action, 0.0)
                for action, share in turn.mixtures[player].items()
                if share > 1e-6
            }
            assert not any(lost.values()), (turn.step, player, lost)


def test_strategies_beside_a_proven_value_have_this_value() -> None:
    """In a game in turn: a shallower search of the turns would play what loses."""
    one = played(TicTacToe(), in_turn(5, 4, 2, 7, 0, 6, 1))
    solution, seen = solve(one.game), 0
    for turn in reviewed(one, Limits(depth=9)).turns:
        state = one.states[turn.step]
        mixture = turn.mixtures[one.game.current_player(state)] if turn.exact and not any(turn.loss) else {}
        for action in (action for action, share in mixture.items() if share > 0.0):
            value = solution.value_of(one.game.next_state(state, action))
            assert value == pytest.approx(turn.value, abs=1e-9)
            seen += 1
    assert seen >= 3


def test_nothing_is_proven_of_a_game_that_was_searched_without_its_chance_even_where_chance_never_moved() -> (
    None
):
    whole = played(Calm(), [(1, -1), (0, -1)])
    assert not adds_up(whole, reviewed(whole)).exact
    one = replace(whole, states=whole.states[1:], actions=whole.actions[1:])
    found = reviewed(one)
    assert found.without_chance and all(standing.exact for standing in found.standings)
    assert stands_on(found) == "These values are proven for the game in which chance does nothing."
    assert not adds_up(one, found).exact
    assert not any(told["exact"] or told["choices_exact"] for told in review_json(one, found)["mistakes"])
    assert (
        judged_words(one, found)[-1] == "These numbers are proven for the game in which chance does nothing."
    )
    assert not reviewed(at_random(Turns(), 0)).without_chance


def recorded(monkeypatch: pytest.MonkeyPatch) -> tuple[list[Any], list[Limits]]:
    """What looks at the positions of reviews, and the limits of each search of a position."""
    made, limits, fair = list[Any](), list[Limits](), game_review.fair_searcher

    def searcher(*args: Any) -> Any:
        made.append(fair(*args))
        search = made[-1].search

        def noted(state: Any, own: Limits, **options: Any) -> Any:
            if options["deepen"]:
                limits.append(own)
            return search(state, own, **options)

        made[-1].search = noted
        return made[-1]

    monkeypatch.setattr(game_review, "fair_searcher", searcher)
    return made, limits


@pytest.mark.parametrize("nodes", [30, 3000])
def test_the_numbers_take_nothing_from_the_verdict_and_half_as_much_again_at_most(
    monkeypatch: pytest.MonkeyPatch, nodes: int
) -> None:
    (searchers, limits), count = recorded(monkeypatch), len(LOST.actions)
    reviewed(LOST, Limits(nodes=nodes))
    assert {own.nodes for own in limits[:count]} == {nodes * count // (count + 100)}
    assert {own.nodes for own in limits[count:]} <= {10 * nodes * count // (count + 100)}
    assert searchers[0].nodes <= 1.5 * nodes * count + 9, "and what one position takes to depth 1"


def test_to_a_depth_alone_the_numbers_may_be_given_half_of_the_verdicts_nodes_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of less than 20,000 nodes is made 10,000, here none: where the search is quick, all moves are looked at."""
    monkeypatch.setattr(game_review, "_LEAST_BESIDES", 0)
    one = played(ConnectFour(4, 4, 3), in_turn(0, 3, 1, 3, 0, 3))
    (searchers, _), found, spent = recorded(monkeypatch), list[GameReview](), list[int]()
    for besides in (None, 0.0, 0.5):
        made = review_finished(one, PrincipalVariation(), Limits(depth=5), besides=besides)
        assert made is not None
        found.append(made)
        spent.append(searchers[-1].nodes)
    whole, least, half = found
    assert whole.verdict == least.verdict == half.verdict and whole.moments == least.moments == half.moments
    assert not whole.unjudged, "all of it is looked at where nothing else is said"
    assert spent[2] <= 1.5 * spent[1] + 60 < spent[0], "and what a position that was begun takes to depth 1"
    again = review_finished(one, PrincipalVariation(), Limits(depth=5), besides=0.5)
    assert again == half, "nodes make it the same every time"


def test_moves_for_which_no_time_is_left_are_not_judged_and_that_is_said() -> None:
    found = reviewed(LOST, Limits(nodes=2))
    assert found.unjudged > 0
    assert found.unjudged + len(found.turns) == len(LOST.actions)
    assert not adds_up(LOST, found).exact
    assert any("were not looked at" in words for words in judged_words(LOST, found))


def test_a_stop_after_the_verdict_leaves_out_only_what_comes_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, stop = replace(played(TicTacToe(), in_turn(0, 3, 1, 4, 8)), result=-1.0), StopToken()
    whole, share, left = reviewed(one, Limits(nodes=500)), game_review._Reviewer._share, [2]

    def stopping(reviewer: Any, among: int) -> Limits | None:
        left[0] -= 1
        if left[0] < 0:
            stop.stop()
        return share(reviewer, among)

    monkeypatch.setattr(game_review._Reviewer, "_share", stopping)
    found = review_finished(one, PrincipalVariation(), Limits(nodes=500), stop=stop)
    assert found is not None and stop.stopped
    assert found.verdict == whole.verdict and found.standings == whole.standings
    assert 0 < found.unjudged < len(one.actions)
    review_json(one, found)


@settings(max_examples=scaled(10, 3), deadline=None)
@given(
    st.sampled_from([Calm(), Turns(), Goofspiel(cards=3), TicTacToe()]),
    st.integers(0, 10**6),
    st.sampled_from([FAR, Limits(nodes=50)]),
)
def test_no_more_searches_are_done_than_were_expected(game: Game, seed: int, limits: Limits) -> None:
    one, told = at_random(game, seed), list[tuple[int, int]]()
    algorithm = PrincipalVariation() if game.turn_based else BackwardInduction()
    review_finished(
        one, algorithm, limits, on_standing=lambda _, done, expected: told.append((done, expected))
    )
    assert all(done <= expected for done, expected in told)


def test_of_a_resignation_of_which_the_last_position_was_not_looked_at_nothing_is_made() -> None:
    begun = replace(played(TicTacToe(), in_turn(0, 4)), result=-1.0)
    standing = Standing(0.0, (0.0, 0.0), 1, step=0, ended=False, best=({}, {}))
    assert balance(begun, replace(with_losses(begun), standings=(standing,), left=None)) is None


def test_a_game_without_a_move_is_not_over_and_says_so_whatever_the_time() -> None:
    game = TicTacToe()
    played = FinishedGame(game, ("ann", "bob"), [game.initial_state()], [], None)
    found = review_finished(played, PrincipalVariation(), Limits(seconds=0.1))
    assert found is not None
    assert review_json(played, found)["says"] == ["The game is not over."]
