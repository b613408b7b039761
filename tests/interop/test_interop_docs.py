"""The code on docs/open_spiel.md and docs/interop.md, the notebooks and the script of examples run, and show what the pages say."""

import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import played
from helpers.page_examples import block_after, run_examples
from helpers.programs import output_of
from saddlepoint import DoubleOracle, search
from saddlepoint.games import BiasedRPS

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


# -- notebooks -----------------------------------------------------------------------------------------------------------

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook: Any = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), (
        "notebooks are kept without what they print"
    )
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert notebook.cells[-1].outputs, "the last cell shows nothing"


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["exploitability", "goofspiel", "why_did_my_bot_lose"]


KERNEL_CELL = """
from saddlepoint import Limits, search
from saddlepoint.algorithms import SMAB
from saddlepoint.games import LightRiders
game = LightRiders()
search(game, game.initial_state(), SMAB(), Limits(depth=1))
print("searching", flush=True)
search(game, game.initial_state(), SMAB(), Limits(depth=30))
"""


def reply(client: Any, cell: str) -> dict[str, Any]:
    """What the kernel says of a cell's end."""
    while (message := client.get_shell_msg(timeout=10.0))["parent_header"]["msg_id"] != cell:
        pass
    return message["content"]


def test_a_cell_of_a_notebook_is_interrupted_and_the_next_one_runs() -> None:
    manager, client = pytest.importorskip("jupyter_client.manager").start_new_kernel()
    try:
        # By default a kernel drops the cells that arrive while it reports an error.
        cell = client.execute(KERNEL_CELL, stop_on_error=False)
        while (message := client.get_iopub_msg(timeout=120))["content"].get("text") != "searching\n":
            assert message["msg_type"] != "error", message["content"]
        time.sleep(0.4)
        manager.interrupt_kernel()
        assert reply(client, cell)["ename"] == "KeyboardInterrupt"
        assert reply(client, client.execute("1 + 1"))["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_the_examples_of_gymnasium_and_pettingzoo_run() -> None:
    run_examples("interop.md", "Gymnasium", "PettingZoo")


def test_the_plots_of_a_notebook_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    game, players = BiasedRPS(), ("random", "safe")
    found = search(game, game.initial_state(), DoubleOracle())
    known = {"game": game, "found": found, "outcome": played(*players)[0], "players": players}
    before = len(pyplot.get_fignums())
    exec(block_after("interop.md", "Plots take one line each"), known)
    assert len(pyplot.get_fignums()) == before + 3
    pyplot.close("all")
    assert game.picture(game.initial_state()).to_svg().startswith("<svg")


SCRIPT = Path(__file__).parents[2] / "examples" / "train_ppo.py"


def test_the_script_is_short() -> None:
    assert len(SCRIPT.read_text().splitlines()) < 150


def test_a_network_that_is_trained_beats_random() -> None:
    pytest.importorskip("sb3_contrib", reason="its learner is not installed: make test-interop TRAINING=1")
    told = output_of(str(SCRIPT), "--steps", "100000", "--games", "200")
    before, after = (
        tuple(map(int, found)) for found in re.findall(r"(\d+) wins, (\d+) draws, (\d+) losses", told)
    )
    assert sum(before) == sum(after) == 200
    assert after[0] > 160, told
    assert after[0] > before[0], told
