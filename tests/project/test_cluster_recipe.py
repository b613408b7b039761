"""The recipe for one machine in docs/cluster.md opens no port to the network."""

import shlex
import socket
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from helpers.programs import wait_until

pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

PAGE = Path(__file__).parents[2] / "docs" / "cluster.md"


def listening(process: "subprocess.Popen[bytes]") -> list[str]:
    """The addresses on which a process and what it started listen, once for every port."""
    parent, found = psutil.Process(process.pid), list[Any]()
    for each in (parent, *parent.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # one that has just ended
            found += each.net_connections(kind="inet")
    return [one.laddr.ip for one in found if one.status == psutil.CONN_LISTEN]


@pytest.mark.slow
def test_the_recipe_for_one_machine_listens_on_loopback_only(tmp_path: Path) -> None:
    part = PAGE.read_text(encoding="utf-8").partition("## Try it on one machine")[2].partition("\n## ")[0]
    lines = [line.strip() for line in part.splitlines() if line.strip().startswith("dask ")]
    assert [line.split()[1] for line in lines] == ["scheduler", "worker"]
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        ports = [str(free.getsockname()[1]) for free in (one, two)]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for line in lines:
            words = shlex.split(line.replace("8786", ports[0]).replace("8787", ports[1]))
            dask = str(Path(sys.executable).with_name("dask"))
            started.append(subprocess.Popen([dask, *words[1:]], cwd=tmp_path, stderr=subprocess.DEVNULL))
            wait_until(partial(listening, started[-1]))
        # Two workers, each with a nanny; every worker has a process, with a port for the others and one for its figures.
        wait_until(lambda: len(listening(started[1])) >= 6)
        for process in started:
            assert set(listening(process)) == {"127.0.0.1"}
    finally:
        for process in reversed(started):
            process.terminate()
        for process in reversed(started):
            process.wait(60)
