"""The search of `best` in a game without an own one: chosen by games between candidates, kept, and the same again."""

import random
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from helpers.small_games import Guess, Turns
from saddlepoint import ConnectFour, Limits, MonteCarlo, TicTacToe
from saddlepoint.cli.common import read_game
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue import measured, quick_fit, solved_games
from saddlepoint.games.catalogue.make import analysis_of, make_player, searches_of_best
from saddlepoint.games.catalogue.measured import Choice, kept_choice, measured_choice

pytestmark = pytest.mark.compiles_soon


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(solved_games, "cache_directory", lambda: tmp_path)
    return tmp_path / "measured"


def candidates(monkeypatch, *specs):
    """Only these, none with weights that are fitted first."""
    monkeypatch.setattr(measured, "CANDIDATES", dict.fromkeys((True, False), specs))
    monkeypatch.setattr(measured, "_quick_specs", lambda game, nodes: ())


def test_the_search_that_wins_is_chosen(monkeypatch):
    # Looking one step ahead without an evaluator takes any move that does not end the game.
    candidates(monkeypatch, "pvs", "mcts")
    monkeypatch.setattr(measured, "Limits", lambda nodes: Limits(depth=1, nodes=nodes))
    choice = measured_choice(TicTacToe(), nodes=300)
    assert choice.spec == "mcts"
    other, won, _, lost = choice.games[-1]
    assert other == "pvs"
    assert won > lost


def test_moves_limited_by_nodes_give_the_same_choice_each_time_and_on_any_number_of_cores(
    monkeypatch, own_folder
):
    candidates(monkeypatch, "mcts", "mcts(exploration=0.01)")
    monkeypatch.setattr(measured, "_NODES", 20_000)
    monkeypatch.setattr(measured, "usable_cores", lambda: 1)
    first = measured_choice(TicTacToe(), nodes=100)
    assert kept_choice(TicTacToe(), nodes=100) == first
    for cores in (2, 64):
        for file in own_folder.glob("*.json"):
            file.unlink()
        assert kept_choice(TicTacToe(), nodes=100) is None
        monkeypatch.setattr(measured, "usable_cores", lambda cores=cores: cores)
        assert measured_choice(TicTacToe(), nodes=100) == first
    assert sum(first.games[0][1:]) >= 8, "several pairs count"


def test_what_goes_wrong_in_a_game_ends_the_measurement(monkeypatch):
    def fail(*args, **more):
        raise MemoryError("no room for a game")

    candidates(monkeypatch, "mcts", "mcts(exploration=0.01)")
    monkeypatch.setattr(measured, "play_game", fail)
    with pytest.raises(MemoryError, match="no room for a game"):
        measured_choice(TicTacToe(), nodes=100)
    assert kept_choice(TicTacToe(), nodes=100) is None


def test_a_kept_choice_that_is_damaged_is_measured_again(monkeypatch, own_folder):
    candidates(monkeypatch, "mcts", "mcts(exploration=0.01)")
    monkeypatch.setattr(measured, "_NODES", 2_000)
    first = measured_choice(TicTacToe(), nodes=100)
    (file,) = own_folder.glob("*.json")
    file.write_bytes(file.read_bytes()[:-5])
    assert kept_choice(TicTacToe(), nodes=100) is None
    assert measured_choice(TicTacToe(), nodes=100) == first


@pytest.mark.compiles_long
def test_weights_that_are_fitted_first_are_a_candidate_as_long_as_they_are_there(monkeypatch, own_folder):
    monkeypatch.setattr(
        measured, "CANDIDATES", dict.fromkeys((True, False), ("mcts(exploration=0.0,batch=1)",))
    )
    monkeypatch.setattr(measured, "_NODES", 40_000)
    monkeypatch.setattr(quick_fit, "_POSITIONS_BY_NODES", 400)
    choice = measured_choice(ConnectFour(4, 4, 3), nodes=20)
    (weights,) = own_folder.glob("*/quick.weights")
    with_weights = quick_fit.searches_with(ConnectFour(), quick_fit.fitted_spec(weights))
    assert [parse_spec(spec).name for spec in with_weights] == ["pvs", "mcts"]
    assert choice.spec in with_weights
    assert 'evaluator=fitted(file="quick.weights")' in f"{choice}"
    assert kept_choice(ConnectFour(4, 4, 3), nodes=20) == choice
    weights.unlink()
    assert kept_choice(ConnectFour(4, 4, 3), nodes=20) is None


def test_a_solved_game_is_not_measured(monkeypatch):
    monkeypatch.setattr(measured, "measured_choice", None)
    make_player("best", Guess())


def test_another_game_is_measured_for_itself(monkeypatch):
    monkeypatch.setattr(measured, "_quick_specs", lambda game, nodes: ())
    monkeypatch.setattr(measured, "choice_among", lambda game, specs, *_: Choice("pvs", (), repr(game)))
    assert measured_choice(TicTacToe()).limit == repr(TicTacToe())
    assert measured_choice(Turns()).limit == repr(Turns())
    assert kept_choice(TicTacToe(), nodes=100) is None


def test_at_another_clock_the_two_that_were_best_play_again(monkeypatch):
    asked: list[tuple[tuple[str, ...], float]] = []

    def chosen(game, specs, nodes, seconds):
        asked.append((tuple(specs), seconds))
        first = specs[0] if seconds == measured.A_MOVE else specs[1]
        return Choice(
            first, tuple((spec, 5, 0, lost) for lost, spec in enumerate(specs[1:])), f"{seconds:g} s"
        )

    candidates(monkeypatch, "mcts", "pvs", "mcts(prior=16)")
    monkeypatch.setattr(measured, "choice_among", chosen)
    assert measured_choice(TicTacToe(), seconds=0.5).spec == "mcts(prior=16)"
    assert asked == [
        (("mcts", "pvs", "mcts(prior=16)"), measured.A_MOVE),
        (("mcts", "mcts(prior=16)"), 0.5),
    ]
    assert measured_choice(TicTacToe()).spec == "mcts"
    assert measured_choice(TicTacToe(), seconds=0.5).spec == "mcts(prior=16)"
    assert len(asked) == 2


def test_a_search_that_samples_analyses_only_where_it_was_measured():
    game, start = Turns(), Turns().initial_state()
    found, algorithm = analysis_of(game, start)
    assert found is None and algorithm is not None
    assert algorithm.goes_by_depth
    assert searches_of_best(game, algorithm) == []
    file = measured.choice_file(game, None, True)
    file.parent.mkdir()
    file.write_bytes(msgspec.json.encode(Choice("mcts", (), "0.02 s")))
    assert analysis_of(game, start)[1] == MonteCarlo()
    assert searches_of_best(game, algorithm) == [(None, MonteCarlo())]


def test_best_asks_for_the_choice_at_its_clock(monkeypatch):
    def asked(game, nodes, seconds):
        raise LookupError(f"at {seconds:g} s")

    monkeypatch.setattr(measured, "measured_choice", asked)
    for spec, words in (
        ("best(solve=false)", "at 0.02 s"),
        ("best(solve=false,measured_at=0.5)", "at 0.5 s"),
    ):
        with pytest.raises(LookupError, match=words):
            make_player(spec, TicTacToe()).begin(TicTacToe(), 0)
    with pytest.raises(ValueError, match="measured_at is a number of seconds"):
        make_player("best(measured_at=0)", TicTacToe())


def test_two_measurements_at_once_fit_and_choose_once(monkeypatch):
    monkeypatch.setattr(measured, "fitted_file", lambda game: None)
    fitted: list[Path] = []

    def fit(game, file, by_nodes):
        fitted.append(file)
        time.sleep(0.2)
        file.write_bytes(b"weights")

    monkeypatch.setattr(measured, "fit_quickly", fit)
    monkeypatch.setattr(
        measured, "choice_among", lambda game, specs, *_: Choice(f"{specs[0]}{random.random()}", (), "")
    )
    with ThreadPoolExecutor(4) as pool:
        both = [
            pool.submit(measured_choice, TicTacToe(), None, with_fitted) for with_fitted in (True, False) * 2
        ]
        specs = [one.result().spec for one in both]
    assert len(fitted) == 1
    assert specs[0] == specs[2] and specs[1] == specs[3]


def test_weights_beside_a_game_that_are_not_its_own_are_no_candidates(tmp_path, capsys):
    file = tmp_path / "own.py"
    shutil.copy(Path(__file__).parents[3] / "examples" / "undercut.py", file)
    game = read_game(f"{file}:Undercut")
    assert measured.fitted_file(game) is None
    file.with_suffix(".weights").write_bytes(b"no weights")
    assert not any("fitted" in spec for spec in measured.candidates(game))
    assert "the weights beside the game are not used: " in capsys.readouterr().err


@pytest.mark.parametrize(("games", "is_sure"), [((34, 0, 6), True), ((6, 0, 4), False), ((0, 10, 0), False)])
def test_a_choice_says_whether_it_rests_on_enough_games(games, is_sure):
    choice = Choice("mcts", (("pvs", *games),), "0.02 s")
    assert choice.is_sure == is_sure
    assert ("too few games" in str(choice)) != is_sure
