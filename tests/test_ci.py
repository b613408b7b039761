"""`.ci/run`: without Chromium it fails, unless it is told to go without; then it says so at its end."""

import os
import re
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
    for name, program in (
        ("bash", shutil.which("bash")),
        ("dirname", shutil.which("dirname")),
        ("python3", sys.executable),
    ):
        assert program is not None
        (tmp_path / name).symlink_to(program)
    for name, text in (("id", "echo 1000"), ("make", 'echo "made $@"')):
        (tmp_path / name).write_text(f"#!{tmp_path}/bash\n{text}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run(commands: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """What `.ci/run` comes to where there are only these commands."""
    environment = (
        {key: value for key, value in os.environ.items() if key != "SADDLEPOINT_NO_BROWSER"}
        | {"PATH": str(commands)}
        | more
    )
    return subprocess.run(
        ["bash", ROOT / ".ci/run"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


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
    left_out = "the page in a browser (make test-web) and what is exported (make test-export)"
    assert last == f"Not tried: {left_out}, because SADDLEPOINT_NO_BROWSER=1 says so."


def test_with_chromium_the_page_is_tried_too(commands: Path) -> None:
    (commands / "chromium").symlink_to(commands / "make")
    done = run(commands)
    assert done.returncode == 0
    assert (
        done.stdout.strip()
        == "made lint test test-slow docs test-web test-export test-interop COVERAGE=1 TRAINING=1"
    )


def test_what_contributing_says_that_it_leaves_out_is_what_it_leaves_out() -> None:
    """The targets of CONTRIBUTING's table, of the sentences below it, and of the two calls of make."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `make ([\w-]+)", text, re.M)) | {"lint"}
    said = re.search(r"this table except (.*?)\. It needs.*?then it also leaves out (.*?)\.\n", text, re.S)
    assert said
    never, without_browser = (set(re.findall(r"`make ([\w-]+)", part)) for part in said.groups())
    short, full = (
        {word for word in line.split() if "=" not in word}
        for line in re.findall(
            r"^\s*(?:exec )?make (.*)$", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.M
        )
    )
    targets = set(
        re.findall(r"^([\w-]+)(?:[\w -]*):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    )
    assert full == table - never and short == full - without_browser
    assert table <= targets and never and without_browser
