"""Compiled code is read from places alone that nobody else can write to, and what cannot be kept is used all the same."""

import os
import stat
from pathlib import Path

import pytest

from helpers.programs import compiled_files, output_of, run_python
from saddlepoint.compiled import directory
from saddlepoint.compiled.sources import package_digest

WHERE = "from saddlepoint.compiled import cache_directory; print(cache_directory())"
CALL = "from saddlepoint.compiled import jit\n@jit\ndef twice(x):\n    return 2 * x\nprint(twice(21))\n"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_made_for_this_user_alone_whatever_the_umask(tmp_path):
    code = "import os; os.umask(0)\n" + WHERE
    where = Path(output_of("-c", code, cache=tmp_path).strip())
    assert where.parent == tmp_path / "saddlepoint"
    assert mode(where) == mode(where.parent) == 0o700


def test_the_temporary_one_is_private_too(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    where = Path(output_of("-c", WHERE, cache=blocked, TMPDIR=str(tmp_path)).strip())
    assert where.parent == tmp_path / f"saddlepoint-{os.getuid()}"
    assert mode(where) == mode(where.parent) == 0o700


def test_one_that_others_can_write_to_is_emptied_of_compiled_code_and_closed(tmp_path):
    where, _ = directory._private(tmp_path / "saddlepoint", package_digest())
    assert where is not None
    planted, kept = where / "planted.nbc", where.parent / "notes"
    planted.write_bytes(b"")
    kept.write_text("the user's own")
    where.chmod(0o777)
    where.parent.chmod(0o777)
    assert Path(output_of("-c", WHERE, cache=tmp_path).strip()) == where
    assert not planted.exists()
    assert kept.exists()
    assert not (mode(where) | mode(where.parent)) & 0o022


def test_one_that_others_could_exchange_is_not_used(tmp_path):
    tmp_path.chmod(0o755)
    open_to_all = tmp_path / "shared"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    # Or nobody else comes through a folder above.
    assert directory._others_reach(open_to_all) or any(mode(one) & 0o011 == 0 for one in tmp_path.parents)


def test_a_folder_of_somebody_elses_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    made = tmp_path / "saddlepoint"
    made.mkdir()
    assert directory._claim(made) == f"{made} belongs to somebody else"
    assert "belongs to somebody else" in directory._others_reach(made) or os.stat("/").st_uid == 0
    found, reason = directory._private(made, "0" * 16)
    assert found is None
    assert reason


def test_a_link_of_somebody_elses_is_not_followed(tmp_path, monkeypatch):
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert directory._claim(link) == ""
    found = link.lstat()
    planted = os.stat_result((*found[:4], 12345, *found[5:]))
    monkeypatch.setattr(Path, "lstat", lambda self: planted)
    assert "link that somebody else made" in directory._claim(link)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_planted_code_does_not_run(tmp_path):
    """Somebody made the fallback's folder before us, and left a pickle in it."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    planted = tmp_path / f"saddlepoint-{os.getuid()}"
    planted.mkdir()
    os.chown(planted, 12345, 12345)
    done = run_python("-c", WHERE, cache=blocked, TMPDIR=str(tmp_path))
    where = Path(done.stdout.strip())
    assert not where.is_relative_to(planted)
    assert not where.exists()  # it was this process's own, and went with it
    assert done.stderr.count("\n") == 1
    assert "for this process alone" in done.stderr


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_of_the_users_is_left_alone(tmp_path):
    tmp_path.chmod(0o500)
    where = Path(output_of("-c", WHERE, cache=tmp_path).strip())
    assert not where.is_relative_to(tmp_path)


FULL_DISK = """
import errno, os
from saddlepoint.compiled import cache as kept
def full(*args, **named):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
kept.whole_file = full
"""


def test_on_a_full_disk_the_result_is_the_same_and_it_is_said_once(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(FULL_DISK + CALL + "print(twice(0.5))\n")
    done = run_python(program, cache=tmp_path / "cache", SADDLEPOINT_QUIET="1")
    assert done.stdout.split() == ["42", "1.0"], done.stderr
    (said,) = done.stderr.splitlines()
    assert "cannot be kept" in said
    assert not compiled_files(tmp_path)


@pytest.mark.slow
def test_a_compilation_that_the_machine_ends_is_a_machine_fault(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from saddlepoint.compiled import jit, run\nfrom saddlepoint.players.base import MachineFault\n"
        "from numba.core import compiler\n"
        "@jit\ndef twice(x):\n    return 2 * x\n"
        "def starved(*args, **kwargs):\n    raise MemoryError\n"
        "compiler.compile_extra = starved\n"
        "try:\n    run(twice, 1)\nexcept MachineFault as fault:\n    print(fault)\n"
    )
    assert output_of(program, cache=tmp_path / "cache").strip() == "twice could not be compiled: MemoryError"
