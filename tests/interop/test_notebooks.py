"""The notebooks of examples/notebooks run from top to bottom, and show what they promise."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.interop
NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook: Any = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without what they print"
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    last = notebook.cells[-1].outputs
    assert last, "the last cell shows nothing"


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["exploitability", "goofspiel", "why_did_my_bot_lose"]
