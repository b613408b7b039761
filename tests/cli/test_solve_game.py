"""`saddlepoint solve GAME`, and what is done with the file that it writes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.cli_runs import cli
from helpers.solution_files import rewritten, values_in
from saddlepoint.game.base import GameError
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.solvers.general.checkpoint import TimeLeft

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
    assert "9 positions in " in out
    assert "; folded: of those that are worth the same, one" in out
    assert "best responses gain 0 from the start" in out
    assert f"{path}: " in out
    assert [p.name for p in tmp_path.iterdir()] == ["descending.sol"]
    code, again, _ = cli("solve", str(path))
    assert code == 0
    assert "Goofspiel(cards=3, order='descending', utility='win', lowest=1): 9 positions; folded" in again
    *stage, certificate = out.split("\n\n")[1].splitlines()[:-1]
    assert again.split("\n\n")[1].splitlines() == [
        *stage,
        f"the file claims, not checked, that {certificate}",
    ]


def test_json_tells_the_same_of_the_game_and_of_its_file(
    cli: Any, solved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "saddlepoint.solvers.checking.is_checked", lambda path, game: False
    )  # by another test, perhaps
    game, file = (json.loads(cli("solve", word, "--json")[1]) for word in (GAME, str(solved)))
    assert game["positions"] == game["chance_positions"] == file["positions"] == 28
    assert game["stages"] == 42  # in positions that follow chance and are not kept
    assert game["folded"] is file["folded"] is True
    for key in ("value", "position", "start", "certificate", "rules", "strategies"):
        assert game[key] == file[key], key
    assert not file["checked"]


def test_what_is_left_of_a_sum_that_is_0_is_shown_as_0_and_json_keeps_the_number(
    cli: Any, tmp_path: Path
) -> None:
    path = tmp_path / "points.sol"
    solved = cli("solve", "goofspiel(cards=4, utility=points)", "-j", "1", "-o", str(path))[
        1
    ]  # both have the same cards: worth 0
    for out in (solved, cli("solve", str(path))[1]):
        assert "value +0 for player 0" in out
        assert "the value is in [0, 0]" in out
        assert "e-" not in out.split("best responses gain")[0]
    assert abs(json.loads(cli("solve", str(path), "--json")[1])["value"]) < 1e-15


def test_without_folding_all_distinct_positions_are_solved(cli: Any, solved: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.sol"
    data = json.loads(cli("solve", GAME, "--no-fold", "-o", str(whole), "--json")[1])
    assert data["positions"] == data["stages"] + data["chance_positions"] == 263
    assert data["folded"] is False
    folded, unfolded = tmp_path / "folded.json", tmp_path / "unfolded.json"
    for source, target in ((solved, folded), (whole, unfolded)):
        assert cli("solve", str(source), "--export", str(target))[0] == 0
    values = [
        {row["position"]: row["value"] for row in json.loads(path.read_text())["positions"]}
        for path in (folded, unfolded)
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_a_file_is_checked_by_best_responses_and_in_fractions(cli: Any, solved: Path) -> None:
    code, out, _ = cli("solve", str(solved), "--check", "--exact", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["checked"]
    assert data["certificate"]["worst_gap"] < 1e-9
    assert data["exact"]["value"] == "0"
    assert data["exact"]["largest_error"] < 1e-12


def test_a_file_in_which_a_value_was_changed_is_damaged_and_unchecked_ones_only_claim(
    cli: Any, solved: Path, tmp_path: Path
) -> None:
    wrong, rng = tmp_path / "wrong.sol", np.random.default_rng(1)
    for _ in range(3):
        place = int(rng.integers(28))
        wrong.write_bytes(
            rewritten(
                solved.read_bytes(), lambda arrays, _, place=place: values_in(arrays).__setitem__(place, 0.25)
            )
        )
        for way in ("--check", "--exact"):
            code, out, err = cli("solve", str(wrong), way)
            assert (code, out) == (2, "")
            assert "is damaged: " in err
        code, out, _ = cli("solve", str(wrong))
        assert code == 0
        assert "what the file claims, not checked (--check compares every value with the rules):" in out
        assert "the file claims, not checked, that best responses gain" in out
    code, out, _ = cli("solve", str(solved), "--check")
    assert code == 0
    assert "claims" not in out
    assert "claims" not in cli("solve", str(solved))[1]  # checked here before
    assert json.loads(cli("solve", str(solved), "--json")[1])["checked"]


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
    assert data["certificate"]["positions"] == 28  # those that are kept


RULES = """
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
"""


@pytest.mark.slow
def test_a_game_of_ones_own_is_solved_and_its_file_runs_nothing_by_itself(
    cli: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pennies.py").write_text(RULES)
    code, out, _ = cli("solve", "./pennies.py:Pennies(rounds=2)", "-o", "pennies.sol", "--json")
    assert code == 0
    assert json.loads(out)["positions"] == 1 + 3
    asked = [sys.executable, "-m", "saddlepoint", "solve", "pennies.sol"]
    alone = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert alone.returncode == 2
    assert "give --game ./pennies.py:Pennies to run it" in alone.stderr
    code, out, _ = cli(
        "solve", "pennies.sol", "--game", "./pennies.py:Pennies(rounds=2)", "--exact", "--json"
    )
    assert code == 0
    assert json.loads(out)["exact"]["value"] == "2/5"


@pytest.mark.slow
def test_games_with_cycles_are_solved_and_their_files_asked_and_checked(cli: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "soccer.sol")
    game = "soccer(width=2, height=2)"
    data = json.loads(cli("solve", game, "--discount", "0.9", "-o", path, "--json")[1])
    assert (data["positions"], data["folded"], data["discount"], data["proven"], data["interval"]) == (
        157,
        True,
        0.9,
        True,
        None,
    )
    rules = "Soccer(width=2, height=2, draw=0.1, max_moves=1000, ball='given')"
    subject = f"{rules}, without its limit of moves, with the discount 0.9 for each move"
    code, out, _ = cli("solve", path, "--check")
    assert code == 0
    assert out.startswith(f"{subject}: 157 positions")
    assert cli("solve", game, "--discount", "0.9")[1].startswith(f"{subject}: 157 positions")
    told = json.loads(cli("solve", path, "--check", "--json")[1])
    assert (told["discount"], told["clock_left_out"], told["folded"]) == (0.9, True, True)
    code, _, err = cli("match", f'solution("{path}")', "random", "--game", game, "-n", "2")
    assert code == 2
    assert f"this is a solution of {subject}, and a match counts results in full" in err
    assert "best responses gain" in out
    code, out, err = cli("solve", path, "--exact")
    assert (code, out) == (2, "")
    assert "values of a game with cycles need not be fractions" in err
    code, out, _ = cli("solve", game, "--method", "values")
    assert code == 0
    assert "an endless play counts 0; by value iteration the value is in [" in out
    assert "; proven to " in out


def test_options_of_cycles_are_refused_where_they_make_no_sense(cli: Any) -> None:
    for options, said in (
        (["--discount", "2"], "a discount is above 0 and at most 1, not 2.0"),
        (["--method", "guess"], "method must be policies or values"),
        (
            ["--no-cycles", "--discount", "0.9"],
            "--discount has no use with induction; it goes with policies or values",
        ),
    ):
        code, out, err = cli("solve", "soccer(width=2, height=2)", *options)
        assert (code, out) == (2, "")
        assert said in err


def test_what_solving_with_cycles_cannot_use_is_refused(cli: Any, tmp_path: Path) -> None:
    """One thread, no checkpoints: whoever asks for another thing is told, before anything is solved."""
    output = ["-o", str(tmp_path / "soccer.sol")]
    for options, said in (
        (["-j", "2"], "-j has no use with policies"),
        (["--resume", *output], "--resume has no use with policies; it goes with induction"),
        (["--checkpoint", "5", *output], "--checkpoint has no use with policies; it goes with induction"),
    ):
        for game in (["soccer(width=2, height=2)"], [GAME, "--cycles"]):
            code, out, err = cli("solve", *game, *options)
            assert (code, out) == (2, "")
            assert said in err
    assert not list(tmp_path.iterdir())
    asked = "solve", "soccer(width=2, height=2)", "--discount", "0.9", "-j", "1", "--memory", "50", "--json"
    kept, whole = json.loads(cli(*asked)[1]), json.loads(cli(*asked, "--no-fold")[1])
    assert (kept["positions"], whole["positions"]) == (1 + 6 + 6 * 25, 1 + 24 + 24 * 25)


def test_options_without_use_are_refused_where_nothing_comes_back(cli: Any) -> None:
    for options, said in (
        (["--method", "values"], "policies and values are for games with cycles: give --cycles"),
        (["--checkpoint", "5"], "--checkpoint writes beside --output FILE; give the file, or leave it out"),
    ):
        code, out, err = cli("solve", GAME, *options)
        assert (code, out) == (2, "")
        assert said in err


@pytest.mark.slow
def test_with_no_cycles_the_limit_counts(cli: Any) -> None:
    asked = "solve", "soccer(width=2, height=2, max_moves=2)", "--no-cycles", "--json"
    kept, whole = json.loads(cli(*asked)[1]), json.loads(cli(*asked, "--no-fold")[1])
    assert whole["positions"] == 417
    assert kept["positions"] < whole["positions"]
    assert kept["value"] == pytest.approx(whole["value"], abs=1e-9) == pytest.approx(0.0, abs=1e-9)


def test_a_limit_of_memory_is_told_and_changes_nothing(cli: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("saddlepoint.cli.solve.memory_in_bytes", lambda megabytes: 1000.0)
    code, _, err = cli("solve", GAME, "-o", str(tmp_path / "small.sol"))
    assert code == 0
    assert "the table goes into a file now: " in err
    monkeypatch.undo()
    assert cli("solve", GAME, "-o", str(tmp_path / "usual.sol"))[0] == 0
    assert (tmp_path / "small.sol").read_bytes() == (tmp_path / "usual.sol").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def running(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", "solve", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )


def ended_in_the_middle(words: list[str], part: Path, number: signal.Signals) -> tuple[int, str]:
    """Start a run, and end it as soon as it has written a checkpoint: its exit code, and what it said."""
    before = part.stat().st_mtime_ns if part.exists() else 0
    program = running(*words)
    while program.poll() is None and (not part.exists() or part.stat().st_mtime_ns == before):
        time.sleep(0.002)
    program.send_signal(number)
    _, err = program.communicate(timeout=60)
    return program.returncode, err


@pytest.mark.slow
def test_killed_and_interrupted_it_goes_on_to_the_same_file(cli: Any, tmp_path: Path) -> None:
    """By SIGKILL twice, and by Ctrl-C; with other threads, and with a table in a file."""
    whole, output, part = (tmp_path / name for name in ("whole.sol", "a.sol", "a.sol.part"))
    words = ["goofspiel(cards=6)", "--no-fold", "--no-check", "--checkpoint", "0"]
    assert cli("solve", *words, "-o", str(whole))[0] == 0
    again = [*words, "-o", str(output), "--resume"]
    assert (
        ended_in_the_middle([*words, "-o", str(output), "-j", "1"], part, signal.SIGKILL)[0]
        == -signal.SIGKILL
    )
    assert ended_in_the_middle([*again, "-j", "3"], part, signal.SIGKILL)[0] == -signal.SIGKILL
    code, err = ended_in_the_middle([*again, "--memory", "1"], part, signal.SIGINT)
    assert code == 130
    assert "interrupted; the same command with --resume goes on: " in err
    assert f"{part} has " in err
    assert not output.exists()
    code, _, err = cli("solve", *words, "-o", str(output))
    assert code == 2
    assert (
        f"{part} is what an interrupted run has found: --resume goes on with it; to begin anew, delete it"
        in err
    )
    assert cli("solve", *again)[0] == 0
    assert output.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sol", "whole.sol"]


@pytest.mark.slow
def test_interrupted_without_a_file_it_leaves_nothing_behind() -> None:
    program = running("goofspiel(cards=9)", "--memory", "1")
    assert program.stderr is not None
    assert "the table goes into a file now" in program.stderr.readline()
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "interrupted; nothing was written" in err


def test_resume_needs_the_file_and_the_same_run(cli: Any, tmp_path: Path, solved: Path) -> None:
    code, _, err = cli("solve", GAME, "--resume")
    assert code == 2
    assert "--resume goes on with the checkpoint beside --output FILE; give the file" in err
    code, _, err = cli("solve", GAME, "-o", str(tmp_path / "new.sol"), "--resume")
    assert code == 0
    assert "new.sol.part: the game is solved from its start" in err
    assert (tmp_path / "new.sol").read_bytes() == solved.read_bytes()
    (tmp_path / "new.sol.part").write_bytes(b"anything")
    code, _, err = cli("solve", GAME, "-o", str(tmp_path / "new.sol"), "--resume")
    assert code == 2
    assert "new.sol.part' is no checkpoint, or damaged; delete it to begin anew" in err


def test_threads_write_the_same_file(cli: Any, tmp_path: Path, solved: Path) -> None:
    assert cli("solve", GAME, "-o", str(tmp_path / "three.sol"), "-j", "3")[0] == 0
    assert (tmp_path / "three.sol").read_bytes() == solved.read_bytes()


def test_the_time_left_is_told_where_branches_end_at_a_steady_pace() -> None:
    steady, slowing, early = TimeLeft(), TimeLeft(), TimeLeft()
    assert [steady.total(t, 100 * t, t / 40) for t in (2, 4, 8, 16, 20, 39)] == [
        None,
        None,
        None,
        4000,
        4000,
        4000,
    ]
    assert [slowing.total(t, 100 * t, (t / 40) ** 2) for t in (6, 12, 24, 39)] == [None] * 4
    assert early.total(30, 100, 0.0) is None


def test_a_solution_of_other_rules_is_refused(cli: Any, solved: Path) -> None:
    code, _, err = cli("solve", str(solved), "--game", "goofspiel(cards=4)")
    assert code == 2
    assert "is a solution of goofspiel(cards=3" in err
    assert GameError.__name__ not in err


def test_a_file_with_made_up_positions_is_refused_before_it_is_checked_or_exported(
    cli: Any, solved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "whole.sol"
    assert cli("solve", GAME, "--no-fold", "-o", str(path))[0] == 0
    for source in (path, solved):
        with np.load(source) as file:
            arrays = dict(file)
        root = int(arrays["order"].argmax())
        kept = np.arange(len(arrays["rows"])) != root - 1 + 2 * (root == 0)
        order = arrays["order"][kept].argsort().argsort().astype(np.uint32)
        header = json.loads(arrays["header"].tobytes()) | {"positions": int(kept.sum())}
        text = np.frombuffer(json.dumps(header).encode(), np.uint8)
        made_up: dict[str, Any] = {**arrays, "rows": arrays["rows"][kept], "order": order, "header": text}
        np.savez(tmp_path / "made_up", **made_up)
        for option in ("--check", "--export=-"):
            code, out, err = cli("solve", "file", str(tmp_path / "made_up.npz"), option)
            assert (code, out) == (2, "")
            assert "made_up.npz' is damaged: position " in err
            assert "writes it anew" in err


def test_options_that_mean_nothing_on_a_cluster_are_refused(cli: Any, tmp_path: Path) -> None:
    for words, said in (
        (
            ["--executor", "here"],
            "an executor is dask://HOST:PORT, the address of a Dask scheduler, not 'here'",
        ),
        (["--executor", "dask://here:1", "-j", "2"], "--resume and -j are for this machine"),
        (
            ["--executor", "dask://here:1", "--resume", "-o", str(tmp_path / "a.sol")],
            "--resume and -j are for this machine",
        ),
        (
            ["--executor", "dask://here:1", "--cycles"],
            "--executor has no use with policies; it goes with induction",
        ),
    ):
        code, _, err = cli("solve", GAME, *words)
        assert code == 2, words
        assert said in err, err
