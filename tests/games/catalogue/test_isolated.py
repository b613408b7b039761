"""Players in processes of their own play as they do at home."""

from pathlib import Path

import pytest

from helpers.small_games import Guess
from saddlepoint import BiasedRPS, Game, Goofspiel, LightRiders
from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.arena.ledger import Ledger
from saddlepoint.game.own_games import described
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.isolated import IsolatedPlayer
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import GameRecord, play_game
from saddlepoint.players.base import Player, PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.human import HumanPlayer
from saddlepoint.players.programs.isolation import Isolation

GAME = Goofspiel(5, "descending")
AMPLE = Clock(30.0, 1.0)


def play(player: Player, seat: int, game: Game = GAME) -> GameRecord:
    players = [RandomPlayer(), RandomPlayer()]
    players[seat] = player  # type: ignore[call-overload]
    return play_game(game, players, clocks=(AMPLE, AMPLE), seed=1)


def test_what_a_file_prints_is_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(
        "import os\n"
        "def choose(game, state, clock, player):\n"
        "    print('move 99')\n    os.write(1, b'move 98\\n')\n    os.system('echo move 97')\n"
        "    return game.action_to_string(state, player, game.legal_actions(state, player)[-1])\n"
    )
    player = make_player(str(file), GAME)
    record = play(player, 1)
    player.close()
    assert record.faults == (None, None)
    assert [joint[1] for joint in record.actions] == [4, 3, 2, 1, 0]


@pytest.mark.slow
def test_a_file_may_define_a_class_and_bring_modules(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("INDEX = 1\n")
    file = tmp_path / "bot.py"
    file.write_text(
        "from helper import INDEX\n"
        "from saddlepoint.players.base import Player as Base\n"
        "class Player(Base):\n"
        "    def begin(self, game, player, seed=None):\n        super().begin(game, player, seed)\n        self.moves = 0\n"
        "    def choose(self, state, clock):\n        self.moves += 1\n        assert self.seed is not None\n"
        "        legal = self.game.legal_actions(state, self.player)\n        return legal[min(INDEX, len(legal) - 1)]\n"
    )
    player = make_player(str(file), GAME)
    for _ in range(2):
        record = play(player, 0)
        assert record.faults == (None, None)
        assert [joint[0] for joint in record.actions] == [1, 2, 3, 4, 0]
    player.close()


def test_an_isolated_player_plays_as_it_does_at_home_and_tells_what_it_found() -> None:
    game = LightRiders(8, 6)
    spec = "alphabeta(evaluator=voronoi, nodes=300)"
    isolated = make_player(spec, game, isolation=Isolation())
    assert isinstance(isolated, IsolatedPlayer)
    clocks = (AMPLE, AMPLE)
    isolated.warm(game, game.initial_state(), (0,))
    away = play_game(game, (isolated, make_player("random", game)), clocks=clocks, seed=4)
    isolated.close()
    home = play_game(game, (make_player(spec, game), make_player("random", game)), clocks=clocks, seed=4)
    assert away.actions == home.actions
    assert away.faults == (None, None)
    assert [found and found[1:] for found in away.searches[0]] == [
        found and found[1:] for found in home.searches[0]
    ]
    assert any(found is not None and found.nodes for found in away.searches[0])
    assert set(away.searches[1]) == {None}


def test_the_habits_of_a_ledger_are_those_of_the_games_that_another_process_has_just_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in SQLite's log beside the file until its writer closes it; a link to the file leads to them, too."""
    game, rock, paper = BiasedRPS(), 0, 1
    opening = game.to_text(game.initial_state())
    monkeypatch.chdir(tmp_path)
    Path("link.db").symlink_to("games.db")
    with Ledger("games.db") as ledger:
        number = ledger.begin("match", ("anna", "bob"), {"terms": {"game": described(game)}}, 40)
        before = Path("games.db").read_bytes()
        for n in range(40):
            job = Job(n, n, (("anna", "bob"), ("bob", "anna"))[n % 2], opening, 0)
            ledger.add(number, PlayedGame(job, 0.0, 0.5, "", actions=((rock, rock),)))
        assert Path("games.db").read_bytes() == before
        for name in ("games.db", "link.db"):
            spec = f'best(risk=100,habits="{name}",of=anna)'
            player = make_player(spec, game, isolation=Isolation())
            assert isinstance(player, IsolatedPlayer)
            record = play_game(game, (player, RandomPlayer()), clocks=(AMPLE, AMPLE), seed=1)
            player.close()
            assert record.faults == (None, None)
            assert record.actions[0][0] == paper


def test_the_librarys_own_players_keep_what_they_compile() -> None:
    for mode in ("auto", "namespaces", "supervisor"):
        player = make_player("random", GAME, isolation=Isolation(memory=10**9, mode=mode))
        assert isinstance(player, IsolatedPlayer)
        assert player.isolation == Isolation(memory=10**9, mode="supervisor")
        player.close()
    assert isinstance(make_player("random", GAME, isolation=Isolation(programs_only=True)), RandomPlayer)


def test_without_isolation_a_player_plays_here() -> None:
    assert isinstance(make_player("random", GAME), RandomPlayer)
    assert isinstance(make_player("human", GAME, isolation=Isolation()), HumanPlayer)


@pytest.mark.parametrize("spec", ["rndom", "random(depth=2)", "riders_smab", "alphabeta(tabel=true)"])
def test_what_cannot_be_made_is_refused_before_a_process_is_started(spec: str) -> None:
    with pytest.raises(SpecError) as here:
        make_player(spec, GAME)
    with pytest.raises(SpecError) as isolated:
        make_player(spec, GAME, isolation=Isolation())
    assert str(isolated.value) == str(here.value)


@pytest.mark.slow
def test_a_game_of_a_users_own_is_sent_along() -> None:
    game = Guess()
    player = make_player("random", game, isolation=Isolation())
    record = play(player, 0, game)
    player.close()
    assert record.faults == (None, None)
    assert record.actions == play(RandomPlayer(), 0, game).actions


def test_a_game_that_no_other_process_can_import_is_refused() -> None:
    typed = type("Typed", (Guess,), {"__module__": "__main__"})
    with pytest.raises(SpecError, match="Typed must be in a module that can be imported"):
        make_player("random", typed(), isolation=Isolation())


@pytest.mark.slow
def test_what_goes_wrong_in_a_warm_up_costs_the_first_game(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("def choose(game, state, clock): ...\nraise RuntimeError('not today')\n")
    player = make_player(str(file), GAME)
    player.warm(GAME, GAME.initial_state())
    with pytest.raises(PlayerError, match="RuntimeError: not today"):
        player.begin(GAME, 0, 1)
    fault = play(player, 1).faults[1]
    assert (fault.text, fault.step) == ("RuntimeError: not today", None), "before its first move"
    player.close()
