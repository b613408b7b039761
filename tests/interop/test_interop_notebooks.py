"""The notebooks of examples/notebooks run from top to bottom, and show what they promise; a search in a cell can be interrupted."""

import time
from pathlib import Path
from typing import Any

import pytest

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
    last = notebook.cells[-1].outputs
    assert last, "the last cell shows nothing"


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
    manager_of = pytest.importorskip("jupyter_client.manager")
    manager, client = manager_of.start_new_kernel()
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
