"""axe-core in a page of a test. It comes from npm, for these tests only."""

import shutil
import subprocess
from typing import Any

import pytest

AXE = "axe-core@4.10.3"


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is missing: install it (Debian: apt-get install npm)")
    folder = tmp_path_factory.mktemp("axe")
    command = [npm, "install", AXE, "--no-save", "--prefix", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        pytest.skip(f"npm gave no {AXE}: {done.stderr.strip().splitlines()[-1:]}")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def look(page: Any, axe: str) -> None:
    """Let axe look at the page as it is."""
    page.add_script_tag(content=axe)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    told = [
        f"{one['id']}: {one['help']}: {node['html'][:200]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]
    assert not told, "\n".join(told)
