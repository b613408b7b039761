"""A Dask cluster of real processes on this machine, for the tests."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from helpers.programs import wait_until

_TESTS = Path(__file__).resolve().parents[1]
SOURCES = _TESTS.parent / "src"


class Cluster:
    """A scheduler, and workers that are started and killed by their names; use it in a `with` statement."""

    def __init__(self, folder: Path, sources: Path = SOURCES, **settings: str) -> None:
        self.folder, self._settings = folder, settings
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        file = folder / "scheduler.json"
        # Should the tests be killed, it ends by itself, and its workers with it.
        options = ["--port", "0", "--scheduler-file", str(file), "--idle-timeout", "5 minutes"]
        self._start("scheduler", ["scheduler", *options], sources)
        wait_until(lambda: file.exists() and file.read_text().strip().endswith("}"))
        from distributed import Client

        self.client = Client(scheduler_file=str(file), set_as_default=False)
        self.address = self.client.scheduler.address.removeprefix("tcp://")
        self.executor = f"dask://{self.address}"

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        self.client.close()
        for name in reversed(list(self._processes)):
            self.kill(name)

    def start_worker(self, name: str, nanny: bool = False, sources: Path = SOURCES, threads: int = 1) -> None:
        """Start a worker; it takes a while until it joins."""
        keeper = "--nanny" if nanny else "--no-nanny"
        options = ["--name", name, "--nthreads", str(threads), "--local-directory", str(self.folder / name)]
        self._start(
            name, ["worker", f"tcp://{self.address}", keeper, "--death-timeout", "60", *options], sources
        )

    def wait_for(self, *names: str) -> None:
        """Wait until these are the workers."""
        wait_until(lambda: set(self.workers()) == set(names))

    def workers(self) -> dict[str, str]:
        """The addresses of the workers that have joined, by their names."""
        return {
            info["name"]: address
            for address, info in self.client.scheduler_info(n_workers=-1)["workers"].items()
        }

    def process(self, name: str) -> psutil.Process:
        """The process, of the scheduler or of a worker or its nanny."""
        return psutil.Process(self._processes[name].pid)

    def kill(self, name: str) -> None:
        """SIGKILL to the process and its children, as if the machine had lost its power."""
        process = self._processes.pop(name)
        try:
            family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        except psutil.NoSuchProcess:
            family = []
        for member in family:
            try:
                member.kill()
            except psutil.NoSuchProcess:
                pass
        process.wait()

    def tasks(self) -> int:
        """Tasks that the scheduler knows."""
        return sum(len(keys) for keys in self.client.processing().values())

    def _start(self, name: str, arguments: list[str], sources: Path = SOURCES) -> None:
        environment = dict(
            os.environ, PYTHONPATH=os.pathsep.join((str(sources), str(_TESTS))), **self._settings
        )
        with (self.folder / f"{name}.log").open("wb") as log:
            self._processes[name] = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "dask",
                    *arguments,
                    "--host",
                    "127.0.0.1",
                    "--dashboard-address",
                    "127.0.0.1:0",
                ],
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self.folder,
            )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with two workers."""
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        for name in ("first", "second"):
            cluster.start_worker(name)
        cluster.wait_for("first", "second")
        yield cluster
