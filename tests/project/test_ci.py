"""`.ci/run`: a part for every change, all of it every night; without Chromium it fails, or says at its end what it left out."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.browser import MISSING

ROOT = Path(__file__).parents[2]


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


def run(commands: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What `.ci/run` comes to where there are only these commands."""
    environment = (
        {key: value for key, value in os.environ.items() if key != "SADDLEPOINT_NO_BROWSER"}
        | {"PATH": str(commands)}
        | more
    )
    return subprocess.run(
        ["bash", ROOT / ".ci/run", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def made(commands: Path, *arguments: str, **more: str) -> set[str]:
    """The targets and settings that make was asked for."""
    done = run(commands, *arguments, **more)
    assert done.returncode == 0
    return set(done.stdout.splitlines()[0].removeprefix("made ").split())


def test_without_chromium_it_fails_in_a_sentence_with_the_way_out(commands: Path) -> None:
    done = run(commands)
    assert done.returncode != 0
    assert "made" not in done.stdout
    assert done.stderr.strip() == MISSING


@pytest.mark.parametrize(
    ("arguments", "left_out"), [((), "test-web"), (("all",), "test-web test-export")], ids=["a change", "all"]
)
def test_told_to_go_without_it_runs_all_else_and_says_at_its_end_what_was_not_tried(
    commands: Path, arguments: tuple[str, ...], left_out: str
) -> None:
    first, last = run(commands, *arguments, SADDLEPOINT_NO_BROWSER="1").stdout.splitlines()
    assert last == f"Not tried: {left_out}, because SADDLEPOINT_NO_BROWSER=1 says so."
    (commands / "chromium").symlink_to(commands / "make")
    assert made(commands, *arguments) - set(first.split()) == set(left_out.split())


def test_what_is_no_argument_is_refused(commands: Path) -> None:
    done = run(commands, "everything")
    assert done.returncode == 2
    assert done.stderr == "usage: .ci/run [all]\n"
    assert not done.stdout


def test_what_contributing_says_that_it_runs_is_what_it_runs(commands: Path) -> None:
    """By the targets of CONTRIBUTING's table, and the sentences below it."""
    (commands / "chromium").symlink_to(commands / "make")
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `make ([\w-]+)", text, re.M)) | {"lint"}
    said = re.search(r"this table except (.*?)\. .*?`\.ci/run all` also runs (.*?)[,;:.]", text, re.S)
    assert said
    left_out, more = (set(re.findall(r"`make ([\w-]+)", part)) for part in said.groups())
    assert more < left_out < table
    assert made(commands) == table - left_out
    assert {word for word in made(commands, "all") if "=" not in word} == table - left_out | more
    targets = set(
        re.findall(r"^([\w-]+)(?:[\w -]*):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    )
    assert table <= targets
