"""Players that know solutions: `best` solves a small game beforehand and the rest of a large one, takes gifts; `solution` reads a file."""

import itertools
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import (
    CHANCE,
    TERMINAL,
    Goofspiel,
    Limits,
    SaddlePruning,
    SerialisedAlphaBeta,
    Soccer,
    StopToken,
    TicTacToe,
)
from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.matrix import solve_matrix
from saddlepoint.play.game import play_game
from saddlepoint.play.replay import game_json, to_line
from saddlepoint.players import solving
from saddlepoint.players.base import Answer, PlayerError, RandomPlayer
from saddlepoint.players.clock import ENDLESS, Clock
from saddlepoint.players.searching import SearchPlayer
from saddlepoint.players.solving import SolveFirst, SolveRest, TakeGifts, against_tremble, leave_unsolved
from saddlepoint.solvers.beforehand import solve_rest
from saddlepoint.solvers.general import Solution, Stage, save_solution
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
HASTY = Clock(0.001, 0.001)
"""No time to search a whole game in."""
FOUR = Goofspiel(4)
WHOLE = Solution.of(solve_positions(FOUR))
FIRST_PRIZE = FOUR.advance(FOUR.initial_state(), 1, -1)
CHOICES = [state for state in WHOLE.kept_states() if FOUR.players_to_act(state)]
MIXED = next(state for state in CHOICES if max(WHOLE.at(state).strategies[0].values()) < 0.8)
ELSEWHERE = FIRST_PRIZE._replace(points=1)
"""No play leads there."""
MATRICES = st.integers(1, 4).flatmap(
    lambda m: st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(-9, 9), min_size=n, max_size=n), min_size=m, max_size=m)
    )
)


def found_by(player, state, clock=HASTY):
    return Answer.of(player.choose(state, clock)).findings


def player_with(plan, seat=0, **options):
    player = SearchPlayer(SaddlePruning(), plans=[plan], choice="mixture", **options)
    player.begin(FOUR, seat, 1)
    return player


# -- a game that is solved before the clock runs --------------------------------------------------------------------------


@COMPILED_ONLY
@pytest.mark.parametrize("seat", [0, 1])
def test_best_knows_the_value_of_every_position(seat):
    player = make_player("best", FOUR)
    player.begin(FOUR, seat, 1)
    for state in itertools.islice(CHOICES, 0, None, 7):
        findings = found_by(player, state)
        assert findings.exact
        assert findings.value == pytest.approx(WHOLE.value_of(state), abs=1e-9)


@pytest.mark.parametrize(
    ("player", "clock"),
    [
        (make_player("best", FOUR), HASTY),
        pytest.param(SearchPlayer(SaddlePruning(), choice="mixture"), Clock(5.0, 5.0), marks=COMPILED_ONLY),
    ],
    ids=["from the solution", "by a search that reaches the end"],
)
def test_what_it_plays_is_drawn_from_the_mixture(player, clock):
    drawn = Counter()
    for seed in range(200):
        player.begin(FOUR, 0, seed)
        answer = Answer.of(player.choose(MIXED, clock))
        assert answer.findings.exact
        assert answer.findings.value == pytest.approx(WHOLE.value_of(MIXED), abs=1e-9)
        drawn[answer.action] += 1
    assert len(drawn) > 1
    for action, chance in WHOLE.at(MIXED).strategies[0].items():
        assert abs(drawn[action] / 200 - chance) < 0.15


def test_with_solve_false_it_searches():
    player = make_player("best(solve=false)", FOUR)
    player.begin(FOUR, 0, 1)
    assert found_by(player, FIRST_PRIZE).statistics.nodes > 0


def test_a_game_is_solved_once_for_all_games_of_a_process(monkeypatch):
    solved = []
    monkeypatch.setattr(solving, "_known", OrderedDict())
    monkeypatch.setattr(solving, "solve_beforehand", lambda game, *rest: solved.append(game))
    for seat in (0, 1, 0):
        SearchPlayer(SaddlePruning(), plans=[SolveFirst()]).begin(FOUR, seat, 1)
    assert solved == [FOUR]


def test_a_game_that_begins_elsewhere_is_solved_from_there():
    record = play_game(
        FOUR, (make_player("best", FOUR), RandomPlayer()), ELSEWHERE, (HASTY, HASTY), 3, tolerance=5.0
    )
    assert not any(record.faults)
    found = record.choices[0][0].answer.findings
    assert found.exact
    assert found.value == pytest.approx(solve_positions(FOUR, ELSEWHERE).value, abs=1e-9)


def test_where_the_whole_game_is_too_large_an_opening_gets_a_tenth_of_its_budget(monkeypatch):
    asked: list[tuple[object, float]] = []
    monkeypatch.setattr(solving, "_known", OrderedDict())
    monkeypatch.setattr(
        solving, "solve_beforehand", lambda game, start, budget, *rest: asked.append((start, budget.work))
    )
    for _ in range(2):
        player_with(SolveFirst()).follow(ELSEWHERE, ENDLESS, (0.0, 0.0))
    assert asked == [(FOUR.initial_state(), 5.0), (ELSEWHERE, 0.5)]


def test_where_it_was_not_solved_the_search_plays():
    player = make_player("best", FOUR)
    player.begin(FOUR, 0, 1)  # as a protocol does that tells no position before it asks
    answer = Answer.of(player.choose(ELSEWHERE, HASTY))
    assert answer.action in FOUR.legal_actions(ELSEWHERE, 0)
    assert answer.findings.statistics.nodes > 0


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_best_of_tic_tac_toe_never_loses(seat):
    game, best = TicTacToe(), make_player("best", TicTacToe())
    if PLAIN_PYTHON:
        pytest.skip("the whole tree takes long in plain Python")
    waiting = [game.initial_state()]
    best.begin(game, seat, 1)
    while waiting:
        state = waiting.pop()
        mover = game.current_player(state)
        if mover == TERMINAL:
            assert game.returns(state) * (1 - 2 * seat) >= 0
        elif mover == seat:
            waiting.append(game.next_state(state, Answer.of(best.choose(state, HASTY)).action))
        else:
            waiting += [game.next_state(state, action) for action in game.legal_actions(state, mover)]


def test_any_search_takes_the_plan():
    player = SearchPlayer(SerialisedAlphaBeta(), plans=[SolveFirst()])
    player.begin(FOUR, 1, 1)
    assert found_by(player, FIRST_PRIZE).exact


# -- the rest of a game that is too large ---------------------------------------------------------------------------------


def worst(cells, mixture, tremble=0.0):
    """What a mixture is worth against the worst that an opponent can do who trembles so much."""
    return ((1 - tremble) * mixture @ cells).min() + tremble * (mixture @ cells).mean()


@settings(max_examples=scaled(200), deadline=None)
@given(MATRICES, st.sampled_from([0.0, 0.1, 0.35, 0.9]), st.sampled_from([0, 1]))
def test_nobody_gets_more_against_one_who_trembles(matrix, tremble, player):
    """Of all mixtures none is worth more against the worst that a trembling opponent can do; without a tremble that is the equilibrium."""
    given_cells = np.array(matrix, float)
    cells = given_cells if player == 0 else -given_cells.T
    stage = Stage(
        0.0,
        tuple(dict.fromkeys(range(size), 0.0) for size in given_cells.shape),
        tuple(map(tuple, given_cells.tolist())),
    )
    mine = np.array(list(against_tremble(stage, player, tremble).values()))
    assert mine.sum() == pytest.approx(1) and mine.min() >= 0
    equilibrium = solve_matrix(cells)
    others = [*np.eye(len(cells)), np.full(len(cells), 1 / len(cells)), equilibrium.row_strategy]
    assert all(worst(cells, mine, tremble) >= worst(cells, other, tremble) - 1e-9 for other in others)
    assert tremble or worst(cells, mine) == pytest.approx(equilibrium.value, abs=1e-9)


@pytest.mark.parametrize("limits", [None, Limits(nodes=100_000), Limits(depth=1, nodes=100_000)])
def test_what_fits_is_played_from_its_solution(limits):
    found = found_by(player_with(SolveRest(), limits=limits), FIRST_PRIZE, ENDLESS)
    assert found.exact
    assert found.value == pytest.approx(WHOLE.value_of(FIRST_PRIZE), abs=1e-9)
    ours = np.array([found.strategies[0].get(action, 0.0) for action in range(4)])
    assert worst(np.array(WHOLE.at(FIRST_PRIZE).matrix), ours) == pytest.approx(found.value, abs=1e-9)


def test_later_moves_of_the_same_game_are_in_the_same_solution():
    player = player_with(plan := SolveRest(), limits=Limits(nodes=100_000))
    first = plan._found(player, FIRST_PRIZE, ENDLESS).solution
    later = FOUR.advance(FOUR.advance(FIRST_PRIZE, 0, 3), 0, -1)
    assert plan._found(player, later, ENDLESS).solution is first
    player.begin(FOUR, 0, 2)
    assert plan._found(player, later, ENDLESS).solution is not first


STOPPED = StopToken()
STOPPED.stop()


@pytest.mark.parametrize(
    ("options", "clock"),
    [
        ({"limits": Limits(nodes=20)}, ENDLESS),
        ({"limits": Limits(depth=1)}, ENDLESS),
        ({"stop": STOPPED}, ENDLESS),
        ({}, Clock(0.004, 0.004)),
    ],
    ids=["few nodes", "a depth alone", "stopped", "no time"],
)
def test_the_search_plays_where_it_does_not_fit(options, clock):
    player = player_with(plan := SolveRest(), **options)
    assert plan.choose(player, FIRST_PRIZE, clock) is None


def test_a_game_whose_positions_come_back_has_no_rest():
    game = Soccer()
    assert solve_rest(game, game.initial_state(), 1e9, None, lambda: True) is None


@pytest.mark.compiles_soon
@COMPILED_ONLY
def test_solving_ends_when_it_is_told_to():
    asked = []

    def keep_going():
        asked.append(1)
        return len(asked) < 3

    game = Goofspiel(6)
    assert solve_rest(game, game.initial_state(), 1e9, None, keep_going) is None
    assert len(asked) == 3


def test_what_took_longer_than_expected_is_expected_to_take_longer(monkeypatch):
    asked = []

    def slow(game, state, work, solved, keep_going):
        asked.append(work)
        while keep_going():
            pass

    player = player_with(plan := SolveRest(), limits=Limits(seconds=0.02))
    monkeypatch.setattr("saddlepoint.players.solving.solve_rest", slow)
    for _ in range(3):
        assert plan.choose(player, FIRST_PRIZE, ENDLESS) is None
    assert asked == pytest.approx([0.012, 0.006, 0.003])


@pytest.mark.parametrize("tremble", [0.0, 0.35])
@pytest.mark.parametrize("seat", [0, 1])
def test_its_mixture_is_what_it_plays_by(tremble, seat):
    """`exploit` asks for it: with a limit of nodes the same everywhere, and best against a tremble where it plays so."""
    stage = WHOLE.at(FIRST_PRIZE)
    player = player_with(plan := SolveRest(tremble), seat, limits=Limits(nodes=100_000))
    expected = against_tremble(stage, seat, tremble) if tremble else stage.strategies[seat]
    assert plan.mixture(player, FIRST_PRIZE) == pytest.approx(expected, abs=1e-9)


@COMPILED_ONLY
def test_best_of_goofspiel_with_13_cards_solves_the_last_ones():
    """What stands beside its search is told by name: an export, which leaves it out, says so."""
    game = Goofspiel(13)
    player, other = (make_player(spec, game, Limits(nodes=5_000)) for spec in ("best", "random"))
    assert [type(plan).__name__ for plan in player.plans] == ["SolveFirst", "SolveRest"]
    assert play_game(game, (player, other), seed=3).result is not None
    late = game.from_text("goofspiel hand0=31 hand1=124 deck=23 prize=3 points=2")
    player.begin(game, 0, 1)
    assert found_by(player, late, ENDLESS).exact
    assert not found_by(player, game.advance(game.initial_state(), 1, -1), ENDLESS).exact


# -- a solution's file ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solved") / "goofspiel4.sol"
    save_solution(path, WHOLE)
    return path


def test_it_plays_whole_games_from_its_file_and_the_same_again_from_the_same_seed(file: Path) -> None:
    players = [make_player(f'solution("{file}")', FOUR) for _ in range(2)]
    games: list[list[int]] = []
    for _ in range(2):
        for player, one in enumerate(players):
            one.begin(FOUR, player, 7)
        state, played = FOUR.initial_state(), list[int]()
        while (node := FOUR.current_player(state)) != TERMINAL:
            if node == CHANCE:
                state = FOUR.next_state(state, FOUR.chance_outcomes(state)[0][0])
                continue
            answers = [one.choose(state, Clock(1.0, 1.0)) for one in players]
            assert all(answer.findings.exact for answer in answers)
            played += [answer.action for answer in answers]
            state = FOUR.next_state(state, *(answer.action for answer in answers))
        games.append(played)
    assert games[0] == games[1]
    assert len(games[0]) == 8


@pytest.mark.parametrize("spec", ["best(choice=best)", 'solution(file="{file}", choice=best)'])
def test_the_likeliest_action_if_asked(spec: str, file: Path) -> None:
    player = make_player(spec.format(file=file), FOUR)
    player.begin(FOUR, 0, 1)
    mixture = WHOLE.at(FIRST_PRIZE).strategies[0]
    assert mixture[Answer.of(player.choose(FIRST_PRIZE, HASTY)).action] == max(mixture.values())


def test_a_position_that_cannot_come_about_is_told(file: Path) -> None:
    player = make_player(f'solution(file="{file}")', FOUR)
    player.begin(FOUR, 0, 1)
    with pytest.raises(PlayerError, match="cannot come about"):
        player.choose(FOUR.initial_state()._replace(hand0=1, prize=0), Clock(1.0, 1.0))


# -- gifts ---------------------------------------------------------------------------------------------------------------

ONE_SECOND = Clock(1.0, 0.0)


def answered(
    spec: str, name: str = "biased_rps", games: int = 60, other: int = 0, **options: Any
) -> list[int]:
    """What a player does as player 0, in game after game of one turn against somebody who always does the same."""
    game = make_game(name, **options)
    player, found = make_player(spec, game), []
    for seed in range(games):
        player.begin(game, 0, seed)
        state = game.initial_state()
        player.follow(state, ONE_SECOND, (0.0, 0.0))
        found.append(player.choose(state, ONE_SECOND).action)  # pyright: ignore[reportAttributeAccessIssue]
        player.follow(game.next_state(state, found[-1], other), ONE_SECOND, (0.0, 0.0))
        player.end(0.0)
    player.close()
    return found


def test_with_a_price_it_turns_to_the_answer_to_what_it_meets_and_without_one_it_does_not() -> None:
    paper = 1
    assert answered("best(risk=100)")[5:] == [paper] * 55
    assert set(answered("best(risk=0)")) == {0, 1, 2}
    assert set(answered("best")) == {0, 1, 2}
    assert answered("best(risk=100)", other=paper)[5:] != [paper] * 55


def test_the_habits_of_a_name_come_from_a_file_of_games(here: Path) -> None:
    game = make_game("biased_rps")
    opening = game.to_text(game.initial_state())
    lines = [
        to_line(
            game_json(
                game,
                PlayedGame(Job(n, n, names, opening, 0), 0.0, 0.5, "", actions=(joint,)),
                names,
                opening,
                0,
            )
        )
        for n in range(40)
        for names, joint in (((("anna", "bob"), (0, 1)), (("bob", "anna"), (1, 0)))[n % 2],)
    ]
    Path("games.jsonl").write_text("\n".join(lines) + "\n")
    rock, paper, scissors = 0, 1, 2
    assert answered('best(risk=100,habits="games.jsonl",of=anna)', games=1) == [paper]
    assert answered('best(risk=100,habits="games.jsonl",of=bob)', games=1) == [scissors]
    assert rock not in answered('best(risk=100,habits="games.jsonl",of=bob)', games=1)
    for nobody in ('best(habits="games.jsonl",of=carl)', 'best(habits="games.jsonl",of="./anna.py")'):
        with pytest.raises(SpecError, match="has no game of"):
            make_player(nobody, game)


@pytest.mark.parametrize(
    ("spec", "name", "sentence"),
    [
        ("best(risk=-1)", "biased_rps", "0 or more"),
        ('best(habits="nowhere.jsonl")', "biased_rps", "habits takes a ledger, or a file of games"),
        ("best(risk=lots)", "biased_rps", "risk"),
        ("best(of=anna)", "biased_rps", "habits="),
        ("best(risk=0)", "rubiks_flip", "database"),
        ("best(of=anna)", "rubiks_flip", "database"),
        ('solution(file="{file}")', "tic_tac_toe", "is a solution of"),
        ('solution(file="nowhere.sol")', "goofspiel", "cannot be read"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(spec: str, name: str, sentence: str, file: Path) -> None:
    with pytest.raises(SpecError, match=sentence):
        make_player(spec.format(file=file), make_game(name))


def test_a_price_is_a_number() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        TakeGifts(float("nan"))


def test_no_price_is_promised_in_a_game_that_is_not_solved() -> None:
    game = make_game("light_riders")
    leave_unsolved(game)
    player = make_player("best(risk=0)", game)
    player.begin(game, 0, 1)
    with pytest.raises(PlayerError, match="solved games only"):
        player.follow(game.initial_state(), ONE_SECOND, (0.0, 0.0))
