"""Where -o writes."""

import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import Program
from saddlepoint.arena.ledger import Ledger
from saddlepoint.system.files import check_folder, check_ledger, check_output, write_lines

PLAY = ["play", "light_riders", "random", "random", "--size", "8x6", "--seed", "2"]


def test_a_device_is_written_to_and_stays_a_device(cli: Program, tmp_path: Path) -> None:
    assert cli(*PLAY, "-o", "/dev/null")[0] == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_lines(str(pipe), ["one", "two"])
    reader.join(10)
    assert read == ["one\ntwo\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_is_followed_and_stays_and_permissions_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "file", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    write_lines(str(link), ["after"])
    assert link.is_symlink()
    assert target.read_text() == "after\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_dash_is_stdout_and_nothing_else_is_printed(
    cli: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = cli.printed(*PLAY, "-o", "-")
    assert all(line.startswith("{") for line in out.splitlines())
    (tmp_path / "game.jsonl").write_text(out)
    assert "result" in cli.printed("show", "game.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


@pytest.fixture
def protected(tmp_path: Path) -> Iterator[Path]:
    """A folder that takes no files, root's neither."""
    if os.geteuid():
        folder = tmp_path / "protected"
        folder.mkdir(0o555)
        yield folder
        folder.chmod(0o755)
    elif Path("/sys/kernel").is_dir():
        yield Path("/sys/kernel")  # Linux: files of the kernel, and no others
    else:
        pytest.skip("root may write everywhere here")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (PLAY, "-o"),
        (PLAY, "--logs"),
        (["referee", "{bot}", "{bot}"], "-o"),
        (["match", "{bot}", "{bot}", "-n", "2", "-j", "1"], "--ledger"),
        (["tournament", "{bot}", "random", "-n", "2", "-j", "1"], "--ledger"),
        (["tune", "smab(depth=2)", "--param", "depth=1..3", "--against", "{bot}"], "--ledger"),
        (["league", "add"], ""),
        (["solve", "goofspiel(cards=3)"], "-o"),
        (["solve", "rubiks_flip"], "-o"),
        (["solve", "soccer", "--discount", "0.9"], "-o"),
        (["report", "{there}"], "-o"),
        (["ledger", "merge", "{there}"], "-o"),
        (["ledger", "export", "{there}"], "-o"),
        (["tron41"], "--write-bot"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else value,
)
def test_where_nothing_can_be_written_is_said_before_anything_is_done(
    cli: Program, tmp_path: Path, protected: Path, arguments: list[str], option: str
) -> None:
    """A bot is not started, a ledger not read, nothing computed or shown."""
    started, there = tmp_path / "started", tmp_path / "there.db"
    Ledger(there).close()
    words = [word.format(bot=f"cmd:touch {started}", there=there) for word in arguments]
    words += [option] * bool(option) + [str(protected / "file")] + ["random"] * (arguments[0] == "league")
    said = cli.refused(*words)
    assert re.fullmatch(rf"saddlepoint: '{protected}/file' cannot be written: [A-Z][a-z -]+\n", said), said
    assert not started.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into protected files")
def test_a_ledger_that_is_write_protected_is_told(tmp_path: Path) -> None:
    (tmp_path / "games.db").touch(0o444)
    with pytest.raises(ValueError, match="the file is write-protected"):
        check_ledger(str(tmp_path / "games.db"))


def test_a_folder_for_logs_that_takes_no_files_is_named_itself(protected: Path) -> None:
    with pytest.raises(ValueError, match=f"^'{protected}' cannot be written: "):
        check_folder(protected)


def test_that_a_file_could_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_output(str(path))
    check_ledger(str(path))
    check_folder(tmp_path / "logs")
    assert [one.name for one in tmp_path.iterdir()] == ["logs"]
    assert not list((tmp_path / "logs").iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_one_sentence(cli: Program) -> None:
    code, _, err = cli(*PLAY, "-o", "/dev/full")
    assert (code, err) == (2, "saddlepoint: '/dev/full' cannot be written: No space left on device\n")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "saddlepoint", "players", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "SADDLEPOINT_QUIET": "1"},
        )
    assert (done.returncode, done.stderr) == (
        2,
        "saddlepoint: the output cannot be written: No space left on device\n",
    )


def test_nothing_is_left_of_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    def lines() -> Any:
        yield "the first line"
        raise OSError(28, "No space left on device")

    kept = tmp_path / "kept"
    kept.write_text("as it was")
    for name in ("new", "kept"):
        with pytest.raises(ValueError, match="cannot be written: No space left on device"):
            write_lines(str(tmp_path / name), lines())
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert kept.read_text() == "as it was"


def test_what_is_read_again_needs_a_file(cli: Program) -> None:
    for path in ("-", "/dev/null"):
        assert "cannot be read again" in cli.refused("solve", "rubiks_flip", "-o", path)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
