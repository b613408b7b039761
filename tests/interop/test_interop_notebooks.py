"""The notebooks and the script of examples, and the examples of docs/interop.md that need Gymnasium, PettingZoo and matplotlib."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import played
from helpers.page_examples import block_after, run_examples
from helpers.programs import output_of
from saddlepoint import DoubleOracle, search
from saddlepoint.games import BiasedRPS

pytestmark = pytest.mark.interop
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
        cell = client.execute(KERNEL_CELL)
        while (message := client.get_iopub_msg(timeout=120))["content"].get("text") != "searching\n":
            assert message["msg_type"] != "error", message["content"]
        time.sleep(0.4)
        manager.interrupt_kernel()
        assert reply(client, cell)["ename"] == "KeyboardInterrupt"
        assert reply(client, client.execute("1 + 1"))["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


# -- Gymnasium, PettingZoo and matplotlib --------------------------------------------------------------------------------


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


# -- training ------------------------------------------------------------------------------------------------------------

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
