"""The player of Rubik's Flip that looks its turns up; without a database it searches."""

import random
from pathlib import Path
from typing import Any

import pytest

from helpers.flip_database import write_small_database
from helpers.flip_positions import minimax, played
from saddlepoint import LightRiders, Limits, RubiksFlip
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.rubiks_flip.database import Database, default_path, write_database
from saddlepoint.games.rubiks_flip.database_player import FlipDatabasePlayer
from saddlepoint.games.rubiks_flip.endgame import EndgameSolver
from saddlepoint.games.rubiks_flip.sweep import solve_layers
from saddlepoint.play.game import play_game
from saddlepoint.players.base import PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock

pytestmark = [pytest.mark.skipif(PLAIN_PYTHON, reason="millions of positions"), pytest.mark.compiles_long]
GAME = RubiksFlip("opponent")
BRIEF = Clock(0.05, 0.05)


def database_file(folder: Path, lowest: int) -> Path:
    """A database of the layers of so many tiles or more; the others are searched."""
    path = folder / "last.solved"
    write_database(path, "opponent", solve_layers(-1, lowest=lowest), highest=16)
    return path


@pytest.fixture(scope="module")
def last_layers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return database_file(tmp_path_factory.mktemp("solved"), 15)


@pytest.fixture(scope="module")
def last_layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Quickly made."""
    return database_file(tmp_path_factory.mktemp("solved"), 16)


def begun(player: Any, game: RubiksFlip, seat: int, seed: int = 1) -> Any:
    player.begin(game, seat, seed)
    return player


@pytest.mark.parametrize("tiles", [13, 14, 15])
def test_it_plays_a_best_turn_and_knows_its_worth(last_layers, tiles):
    player = begun(FlipDatabasePlayer(Database(last_layers)), GAME, tiles % 2)
    rng = random.Random(tiles)
    for _ in range(4 if tiles == 13 else 12):
        state = played(GAME, tiles, rng)
        turn, result, *_ = player.choose(state, Clock(60.0, 60.0))
        expected = minimax(GAME, state)
        assert minimax(GAME, GAME.next_state(state, turn)).before() == expected
        assert result.value == (expected.result if tiles % 2 == 0 else -expected.result)
        assert (result.exact, result.best_action(tiles % 2)) == (True, turn)


def test_of_turns_that_draw_it_plays_one_after_which_most_replies_lose(last_layers):
    player, rng = begun(FlipDatabasePlayer(Database(last_layers)), GAME, 0), random.Random(2)
    distinct_names = 0
    while distinct_names < 3:
        state = played(GAME, 14, rng)
        drawn = [line.action for line in player.turns(state) if line.outcome.result == 0]
        if minimax(GAME, state).result != 0:
            continue
        shares = {}
        for turn in drawn:
            after = GAME.next_state(state, turn)
            replies = GAME.legal_actions(after, 1) if GAME.players_to_act(after) else []
            lost = sum(minimax(GAME, GAME.next_state(after, reply)).before().result < 0 for reply in replies)
            shares[turn] = lost / max(1, len(replies))
        distinct_names += len(set(shares.values())) > 1
        assert shares[player.choose(state, BRIEF).action] == max(shares.values())


def test_equal_turns_are_drawn_from_the_seed(last_layers):
    state = played(GAME, 14, random.Random(5))
    one, two = (FlipDatabasePlayer(Database(last_layers)) for _ in range(2))
    chosen = [
        [begun(player, GAME, 0, seed).choose(state, BRIEF).action for seed in range(8)]
        for player in (one, two)
    ]
    assert chosen[0] == chosen[1]


def test_without_a_database_the_last_plies_are_exact_where_the_limits_allow_it():
    player, rng, endgame = FlipDatabasePlayer(None), random.Random(3), EndgameSolver(GAME)
    assert player.turns(GAME.initial_state()) is None
    for tiles in (10, 10, 11, 12, 13):
        state = played(GAME, tiles, rng)
        turn, result, *_ = begun(player, GAME, tiles % 2).choose(state, Clock(60.0, 60.0))
        assert result.exact
        assert endgame.outcome(GAME.next_state(state, turn)).before() == endgame.outcome(state)


@pytest.mark.parametrize("tiles", [0, 5, 10, 12])
@pytest.mark.parametrize("nodes", [1, 20, 200])
def test_without_a_database_it_visits_no_more_positions_than_it_may(nodes, tiles):
    player = begun(FlipDatabasePlayer(None, limits=Limits(nodes=nodes)), GAME, tiles % 2)
    state = played(GAME, tiles, random.Random(3))
    answer = player.choose(state, Clock(60.0, 60.0))
    assert answer.action in GAME.legal_actions(state, tiles % 2)
    assert 0 <= answer.statistics.nodes <= nodes


def test_one_player_plays_two_games_each_by_its_own_rules():
    """Lines of both players at once: a draw in one game, won by the mover in the other."""
    player = FlipDatabasePlayer(None)
    for double_lock in ("draw", "mover", "draw"):
        game = RubiksFlip(double_lock)
        state = played(game, 12, random.Random(3))
        result = begun(player, game, 0).choose(state, Clock(60.0, 60.0)).findings
        assert result.value == EndgameSolver(game).outcome(state).result


def test_without_a_database_it_keeps_to_the_clock_and_beats_random():
    players = [FlipDatabasePlayer(None), RandomPlayer()]
    for player in players:
        player.warm(GAME, GAME.initial_state())
    for number in range(4):
        ours = number % 2
        record = play_game(
            GAME, players[:: 1 - 2 * ours], GAME.initial_state(), (Clock(0.2, 0.2),) * 2, number, 0.2
        )
        assert record.faults == (None, None)
        assert record.result == 1.0 - 2.0 * ours


@pytest.mark.compiles_soon
@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        (
            'database(file="{}")',
            RubiksFlip(),
            "last.solved solves double_lock=opponent, the game is draw",
        ),
        ('database(file="{}.none")', RubiksFlip(), "there is no database"),
        ("database", LightRiders(), "database plays rubiks_flip, not light_riders"),
    ],
)
def test_the_wrong_rule_file_or_game_is_refused_in_a_sentence(last_layer, spec, game, message):
    with pytest.raises(SpecError, match=message) as error:
        make_player(spec.format(last_layer), game)
    assert "\n" not in str(error.value)


@pytest.mark.compiles_soon
def test_a_game_of_another_rule_is_refused_when_it_begins(last_layer):
    with pytest.raises(PlayerError, match="the database is one of .*opponent.*, not of .*draw"):
        FlipDatabasePlayer(Database(last_layer)).begin(RubiksFlip(), 0)


@pytest.mark.compiles_soon
def test_a_database_is_found_where_solve_puts_it(last_layer, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert make_player("database", GAME).database is None
    default_path("opponent").parent.mkdir()
    default_path("opponent").write_bytes(last_layer.read_bytes())
    assert (
        make_player("database", GAME).database.path
        == tmp_path / "saddlepoint" / "rubiks_flip-opponent.solved"
    )
    assert make_player("database", RubiksFlip("draw")).database is None
    assert make_player(f'database(file="{last_layer}")', GAME).database.path == last_layer


@pytest.mark.compiles_soon
def test_best_plays_what_is_there_and_solves_only_where_nothing_is(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(
        "saddlepoint.games.rubiks_flip.database_player.solve_to_file",
        lambda path, double_lock: (made.append(double_lock), write_small_database(path)),
    )
    start = GAME.initial_state()
    make_player("best", RubiksFlip()).warm(RubiksFlip(), start)  # the tests' own database
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for spec in ("database", "best(solve=false)"):
        make_player(spec, RubiksFlip()).warm(RubiksFlip(), start)
    assert made == []
    player = make_player("best", RubiksFlip())
    player.begin(RubiksFlip(), 0)
    assert (made, player.database.path) == (["draw"], default_path("draw"))
    make_player("best", RubiksFlip()).warm(RubiksFlip(), start)  # what was kept
    assert made == ["draw"]
    assert make_player("best(solve=false)", RubiksFlip()).database is None


@pytest.mark.compiles_soon
def test_best_searches_where_its_solution_cannot_be_kept(tmp_path, monkeypatch, capsys):
    (tmp_path / "saddlepoint").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    player = make_player("best", RubiksFlip())
    player.warm(RubiksFlip(), GAME.initial_state())
    assert player.database is None
    assert "could not be kept" in capsys.readouterr().err
