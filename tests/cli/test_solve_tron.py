"""`saddlepoint solve tron`."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from helpers.cli_runs import cli, program

__all__ = ["cli"]  # a fixture


@pytest.mark.slow
def test_a_start_is_solved_for_its_value(cli: Any) -> None:
    code, out, _ = cli("solve", "tron", "--width", "5", "--height", "4", "--no-symmetry")
    assert code == 0
    assert out.startswith("0....\n.....\n.....\n....1\n\nvalue 0 for player 0: a draw\n")
    data = json.loads(cli("solve", "tron", "--width", "5", "--height", "4", "--json")[1])
    assert (data["value"], data["fraction"], data["by_symmetry"], data["positions"]) == (0.0, "0", True, 1)
    data = json.loads(cli("solve", "tron", "--width", "5", "--height", "4", "--no-symmetry", "--json")[1])
    assert data["value"] == 0.0
    assert data["positions"] > 1


def test_a_position_is_solved_wherever_its_heads_are(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("0x.\nxx.\n..1\n")
    data = json.loads(cli("solve", "tron", "--position", str(path), "--json")[1])
    assert (data["value"], data["width"], data["height"], data["position"]) == (-1.0, 3, 3, "0x.\nxx.\n..1")
    code, out, _ = cli("solve", "tron", "--width", "3", "--height", "3", "--heads", "1,1 0,0")
    assert code == 0
    assert "value 1/2 for player 0\n" in out


def test_every_start_is_counted(cli: Any) -> None:
    code, out, _ = cli("solve", "tron", "--width", "3", "--height", "4", "--every-start")
    assert code == 0
    assert "132 pairs of cells" in out
    data = json.loads(cli("solve", "tron", "--width", "3", "--height", "4", "--every-start", "--json")[1])
    assert {row["fraction"]: row["starts"] for row in data["values"]} == {
        "1": 22,
        "1/3": 4,
        "0": 80,
        "-1/3": 4,
        "-1": 22,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--width", "40"], "the field must have sides of 1 to 32 cells"),
        (["--heads", "1,1"], "--heads takes two cells such as '0,0 8,8', not '1,1'"),
        (["--heads", "1,1 1,1"], "both heads cannot be on 1,1"),
        (["--heads", "9,9 1,1"], "the head 9,9 is outside the 9x9 field"),
        (["--heads", "1,1 2,2", "--every-start"], "--every-start takes neither --heads nor --position"),
        (["--heads", "1,1 2,2", "--position", "-"], "a --position has its heads"),
        (["--time", "0"], "--time takes seconds above 0"),
        (
            ["--width", "15", "--height", "15", "--no-symmetry", "--time", "0.05", "--memory", "1"],
            "the value is not known after 0.05 s",
        ),
    ],
)
def test_what_cannot_be_solved_is_one_sentence(
    cli: Any, monkeypatch: Any, arguments: list[str], message: str
) -> None:
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    code, out, err = cli("solve", "tron", *arguments)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.slow
def test_ctrl_c_ends_it_at_once(cli: Any) -> None:
    large = ("solve", "tron", "--width", "15", "--height", "15", "--no-symmetry")
    assert cli(*large, "--time", "0.05", "--memory", "1")[0] == 2  # now it is compiled
    process = program(*large)
    while sum(psutil.Process(process.pid).cpu_times()[:2]) < 6.0:  # it starts in two of these seconds
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert "interrupted; the value is not known" in err
