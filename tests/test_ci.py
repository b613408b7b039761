"""`.ci/run`: without Chromium it fails, unless it is told to go without; then it says so at its end."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from browser import MISSING

ROOT = Path(__file__).parents[1]


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """All commands that there are: no Chromium, no root, and a make that only says what it was asked for."""
    for name, program in (("bash", shutil.which("bash")), ("dirname", shutil.which("dirname")), ("python3", sys.executable)):
        assert program is not None
        (tmp_path / name).symlink_to(program)
    for name, text in (("id", "echo 1000"), ("make", 'echo "made $@"')):
        (tmp_path / name).write_text(f"#!{tmp_path}/bash\n{text}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run(commands: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """What `.ci/run` comes to where there are only these commands."""
    environment = {key: value for key, value in os.environ.items() if key != "SADDLEPOINT_NO_BROWSER"} | {"PATH": str(commands)} | more
    return subprocess.run(["bash", ROOT / ".ci/run"], env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_without_chromium_it_fails_in_a_sentence_with_the_way_out(commands: Path) -> None:
    done = run(commands)
    assert done.returncode != 0
    assert "made" not in done.stdout
    assert done.stderr.strip() == MISSING


def test_told_to_go_without_it_runs_all_else_and_says_at_its_end_what_was_not_tried(commands: Path) -> None:
    done = run(commands, SADDLEPOINT_NO_BROWSER="1")
    assert done.returncode == 0
    first, last = done.stdout.splitlines()
    assert first == "made lint test test-slow docs test-interop COVERAGE=1 TRAINING=1"
    assert last == "Not tried: the page in a browser (make test-web), because SADDLEPOINT_NO_BROWSER=1 says so."


def test_with_chromium_the_page_is_tried_too(commands: Path) -> None:
    (commands / "chromium").symlink_to(commands / "make")
    done = run(commands)
    assert done.returncode == 0
    assert done.stdout.strip() == "made lint test test-slow docs test-web test-export test-interop COVERAGE=1 TRAINING=1"
