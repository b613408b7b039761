"""`saddlepoint solve GAME`, and what is done with the file that it writes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli_runs import cli
from saddlepoint.game import GameError
from saddlepoint.games.goofspiel import Goofspiel

__all__ = ["cli"]  # a fixture
GAME = "goofspiel(cards=3)"


@pytest.fixture
def solved(cli: Any, tmp_path: Path) -> Path:
    path = tmp_path / "goofspiel3.sol"
    assert cli("solve", GAME, "-o", str(path))[0] == 0
    return path


def test_a_game_is_solved_into_a_file_that_says_what_is_played(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "descending.sol"
    code, out, _ = cli("solve", "goofspiel(cards=3, order=descending)", "-o", str(path))
    assert code == 0
    assert "41 positions in " in out
    assert "best responses gain 0 from the start" in out
    assert f"{path}: " in out
    assert [p.name for p in tmp_path.iterdir()] == ["descending.sol"]
    code, again, _ = cli("solve", str(path))
    assert code == 0
    assert "Goofspiel(cards=3, order='descending', utility='win', lowest=1): 41 positions" in again
    assert out.split("\n\n")[1].splitlines()[:-1] == again.split("\n\n")[1].splitlines()


def test_json_tells_the_same_of_the_game_and_of_its_file(cli: Any, solved: Path) -> None:
    game, file = (json.loads(cli("solve", word, "--json")[1]) for word in (GAME, str(solved)))
    assert game["positions"] == game["stages"] + game["chance_positions"] == file["positions"] == 263
    for key in ("value", "position", "start", "certificate", "rules", "strategies"):
        assert game[key] == file[key], key
    assert not file["checked"]


def test_a_file_is_checked_by_best_responses_and_in_fractions(cli: Any, solved: Path) -> None:
    code, out, _ = cli("solve", str(solved), "--check", "--exact", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["checked"]
    assert data["certificate"]["worst_gap"] < 1e-9
    assert data["exact"]["value"] == "0"
    assert data["exact"]["largest_error"] < 1e-12


def test_any_position_can_be_asked(cli: Any, solved: Path, tmp_path: Path) -> None:
    game = Goofspiel(3)
    state = game.next_state(game.initial_state(), 2)
    position = tmp_path / "position.txt"
    position.write_text(game.to_text(state))
    data = json.loads(cli("solve", str(solved), "--position", str(position), "--json")[1])
    assert data["position"] == game.to_text(state)
    assert [sum(mixture.values()) for mixture in data["strategies"]] == pytest.approx([1.0, 1.0])
    position.write_text(game.to_text(state._replace(points=4)))
    code, out, err = cli("solve", str(solved), "--position", str(position))
    assert (code, out) == (2, "")
    assert "this position cannot come about from the start that was solved" in err


def test_all_positions_are_exported_as_json(cli: Any, solved: Path, tmp_path: Path) -> None:
    target = tmp_path / "all.json"
    assert cli("solve", str(solved), "--export", str(target))[0] == 0
    data = json.loads(target.read_text())
    assert len(data["positions"]) == 263
    assert len({row["position"] for row in data["positions"]}) == 263
    assert data["certificate"]["positions"] == 263


RULES = '''
from dataclasses import dataclass
from typing import NamedTuple
from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel

class State(NamedTuple):
    round: int
    lead: int

@dataclass(frozen=True)
class Pennies(Game):
    rounds: int = 3
    max_actions = 2
    max_depth = 9
    max_utility = 9.0
    min_utility = -9.0

    def initial_state(self):
        return State(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        out[1] = 1
        return 2

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, state.lead + (1 + action0 if action0 == action1 else -1))

    @kernel
    def returns(self, state):
        return float(state.lead)
'''


def test_a_game_of_ones_own_is_solved_and_its_file_runs_nothing_by_itself(cli: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pennies.py").write_text(RULES)
    code, out, _ = cli("solve", "./pennies.py:Pennies(rounds=2)", "-o", "pennies.sol", "--json")
    assert code == 0
    assert json.loads(out)["positions"] == 1 + 3
    asked = [sys.executable, "-m", "saddlepoint", "solve", "pennies.sol"]
    alone = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert alone.returncode == 2
    assert "give --game ./pennies.py:Pennies to run it" in alone.stderr
    code, out, _ = cli("solve", "pennies.sol", "--game", "./pennies.py:Pennies(rounds=2)", "--exact", "--json")
    assert code == 0
    assert json.loads(out)["exact"]["value"] == "2/5"


def test_a_limit_of_memory_is_told_and_changes_nothing(cli: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("saddlepoint.cli.solve.any_game._half_of_what_is_free", lambda: 1000.0)
    code, _, err = cli("solve", GAME, "-o", str(tmp_path / "small.sol"))
    assert code == 0
    assert "the table goes into a file now: " in err
    monkeypatch.undo()
    assert cli("solve", GAME, "-o", str(tmp_path / "usual.sol"))[0] == 0
    assert (tmp_path / "small.sol").read_bytes() == (tmp_path / "usual.sol").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.slow
def test_interrupted_it_leaves_nothing_behind(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", "solve", "goofspiel(cards=9)", "-o", str(tmp_path / "large.sol")],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )  # fmt: skip
    time.sleep(10)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "interrupted; nothing was written" in err
    assert list(tmp_path.iterdir()) == []


def test_a_solution_of_other_rules_is_refused(cli: Any, solved: Path) -> None:
    code, _, err = cli("solve", str(solved), "--game", "goofspiel(cards=4)")
    assert code == 2
    assert "is a solution of Goofspiel(cards=3" in err
    assert GameError.__name__ not in err
