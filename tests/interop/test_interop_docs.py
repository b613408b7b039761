"""The code on docs/open_spiel.md and docs/interop.md runs, and says what the pages say."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("nashpy")
pytestmark = pytest.mark.interop

ROOT = Path(__file__).parents[2]
PAGE = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("open_spiel.md", "interop.md"))
BLOCKS = [
    block
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    if re.search("pyspiel|open_spiel|nashpy", block) and "kaggle_environments" not in block
]
FILE = next(block for block in BLOCKS if block.startswith("# theirs.py"))


@pytest.mark.parametrize("number", range(len(BLOCKS)))
@pytest.mark.usefixtures("here")
def test_a_block_runs(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, Any] = {"__name__": "docs_of_open_spiel"}
    monkeypatch.setitem(sys.modules, "docs_of_open_spiel", type(sys)("docs_of_open_spiel"))
    exec(compile(BLOCKS[number], f"docs/open_spiel.md and interop.md, block {number}", "exec"), known)


def test_the_numbers_on_the_page_are_those_that_come_out() -> None:
    import nashpy  # pyright: ignore[reportMissingImports]

    from saddlepoint import nash_conv, solve
    from saddlepoint.interop.nashpy import from_nashpy
    from saddlepoint.interop.open_spiel import from_open_spiel
    from saddlepoint.policies import UniformPolicy

    game = from_open_spiel("oshi_zumo(coins=6,min_bid=1)")
    assert solve(game).value == pytest.approx(0.0, abs=1e-12)
    assert f"{nash_conv(game, UniformPolicy(game)):.4f}" == "1.7889"
    assert len(from_open_spiel("tic_tac_toe").tables().node) == 5478
    assert solve(from_nashpy(nashpy.Game([[3, 0], [1, 2]]))).value == pytest.approx(1.5, abs=1e-12)


COMMANDS = re.findall(r"^saddlepoint (.*theirs\.py:.*)$", PAGE.replace("\\\n", " "), re.MULTILINE)
SMALLER = {"rows=4,": "rows=3,", "-n 10": "-n 2 --seed 1"}
"""What is put in place of numbers on the page, so that its commands are quick."""
SAID = {"solve": "value +0 for player 0", "exploit": "1.78889", "match": "random against best: 0 won"}


def test_what_is_tried_in_their_place_stands_on_the_page() -> None:
    assert [command.split()[0] for command in COMMANDS] == list(SAID)
    assert all(any(written in command for command in COMMANDS) for written in SMALLER)


def run(folder: Path, *words: str) -> str:
    """What the program prints, with the page's file beside it."""
    (folder / "theirs.py").write_text(FILE)
    done = subprocess.run(
        [sys.executable, "-m", "saddlepoint", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_its_commands_run(number: int, tmp_path: Path) -> None:
    text = COMMANDS[number]
    for written, smaller in SMALLER.items():
        text = text.replace(written, smaller)
    command = shlex.split(text)
    assert SAID[command[0]] in run(tmp_path, *command)


def test_a_ledger_and_a_file_of_a_solved_game_know_theirs_again(tmp_path: Path) -> None:
    game = './theirs.py:Turns(game="nim(pile_sizes=1;2;3)")'
    run(tmp_path, "match", "random", "best", "--game", game, "-n", "2", "--ledger", "t.db", "--seed", "1")
    assert "random" in run(tmp_path, "ledger", "show", "t.db", "1", "--game", "./theirs.py:Turns")
    run(tmp_path, "solve", game, "-o", "nim.sol")
    assert "value -1 for player 0" in run(tmp_path, "solve", "nim.sol", "--game", game)


@pytest.mark.parametrize(
    ("name", "asks"), [("pyspiel", "open_spiel"), ("nashpy", "nashpy"), ("gymnasium.spaces", "gymnasium")]
)
def test_a_library_that_is_broken_is_not_told_as_missing(
    name: str, asks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from saddlepoint.interop import library

    top = name.partition(".")[0]
    for known in [known for known in sys.modules if known.partition(".")[0] == top]:
        monkeypatch.delitem(sys.modules, known)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"{top}.py").write_text("import a_module_that_there_is_not")
    with pytest.raises(ModuleNotFoundError, match="a_module_that_there_is_not"):
        library(name, asks)
    (tmp_path / f"{top}.py").write_text(f"import {top}.parts")
    with pytest.raises(ModuleNotFoundError, match=f"{top}.parts"):
        library(name, asks)
