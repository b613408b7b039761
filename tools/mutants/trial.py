"""Tests of a changed source, in a process of their own.

The process is a fork of this one, in which the libraries are loaded already and the package is not: it imports
a copy of the package in which one file is changed, and so do the programs that the tests start. The checkout stays as it is.
"""

import contextlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .rooms import CHECKOUT, PACKAGE

LONGEST_TEST = 5.0
"""Seconds on a core: slower tests than that, as plain Python, are left out."""
_MEMORY = 12 << 30  # bytes of address space: a change may allocate without end


@dataclass
class Baseline:
    """What the tests do with nothing changed."""

    seconds: dict[str, float] = field(default_factory=dict)
    """Of each test that passes and is quick enough."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Tests that do not count, and why."""

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


@dataclass(frozen=True)
class Verdict:
    """How a trial ended."""

    outcome: str
    """killed, timeout or survived."""
    by: str
    """The test that failed, or what else happened."""
    seconds: float


class TooSlow(BaseException):
    """A test used more than `LONGEST_TEST`; no test takes this for an error of its own."""


def _too_slow(*_: object) -> None:
    raise TooSlow


class Recorder:
    """A plugin of pytest: runs the chosen tests, the quickest first, and keeps what each of them did.

    Without a choice all tests run, and slow ones are broken off.
    """

    def __init__(self, report: Path, chosen: dict[str, float] | None) -> None:
        self.report, self.chosen = report, chosen
        self.seconds: dict[str, float] = {}
        self.problems: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self.chosen is not None:
            chosen = self.chosen
            items[:] = sorted(
                (item for item in items if item.nodeid in chosen), key=lambda item: chosen[item.nodeid]
            )

    def pytest_runtest_setup(self) -> None:
        if self.chosen is None:
            signal.signal(signal.SIGPROF, _too_slow)
            signal.setitimer(signal.ITIMER_PROF, LONGEST_TEST)

    def pytest_runtest_teardown(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.outcome != "passed" and report.nodeid not in self.problems:
            self.problems[report.nodeid] = "too slow" if "TooSlow" in str(report.longrepr) else report.outcome

    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome == "failed":
            self.problems[report.nodeid or "collection"] = "failed"

    def pytest_sessionfinish(self) -> None:
        self.report.write_text(json.dumps({"seconds": self.seconds, "problems": self.problems}))


class Place:
    """A copy of the package, and one process at a time that tests it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.folder.chmod(0o755)  # some tests become another user, who reads there
        self.package = self.folder / "overlay" / PACKAGE.name
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.report = self.folder / "report.json"
        self.pid = 0
        self._changed: Path | None = None
        self._started = self._limit = 0.0

    def start(
        self, tests: list[Path], chosen: dict[str, float] | None, limit: float, source: Path | None, text: str
    ) -> None:
        """Begin the tests with that source replaced by a text (None: with nothing changed)."""
        if source is not None:
            self._changed = self.package / source.relative_to(PACKAGE)
            self._changed.write_text(text)
        self.report.unlink(missing_ok=True)
        self._started, self._limit = time.monotonic(), limit
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self._run(tests, chosen)

    def _run(self, tests: list[Path], chosen: dict[str, float] | None) -> None:
        code = 70
        try:
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(
                    number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
                )
            output = os.open(self.folder / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(output, stream)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            with contextlib.suppress(ValueError, OSError):  # macOS has no such limit
                resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            work = self.folder / "work"
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            work.chmod(0o1777)  # as usual for the folder of temporary files, which it is
            os.chdir(work)
            overlay = str(self.package.parent)
            os.environ["PYTHONPATH"] = overlay
            os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(work / "hypothesis")
            os.environ["TMPDIR"] = str(work)
            tempfile.tempdir = None
            sys.path.insert(0, overlay)
            import pytest

            arguments = [
                "-q",
                "-m",
                "not slow",
                "-p",
                "no:cacheprovider",
                "-W",
                "ignore::pytest.PytestAssertRewriteWarning",
            ]
            arguments += ["--rootdir", str(CHECKOUT), "-c", str(CHECKOUT / "pyproject.toml")]
            arguments += [] if chosen is None else ["-x"]
            code = int(pytest.main([*arguments, *map(str, tests)], plugins=[Recorder(self.report, chosen)]))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def poll(self) -> tuple[int | None, dict[str, Any]] | None:
        """The exit code (None: stopped for taking too long) and what was recorded; None while it runs."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        late = time.monotonic() - self._started > self._limit
        if pid == 0 and not late:
            return None
        # What a test started must not outlive it.
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if pid == 0:
            os.waitpid(self.pid, 0)
        self.pid = 0
        if self._changed is not None:
            shutil.copyfile(PACKAGE / self._changed.relative_to(self.package), self._changed)
            self._changed = None
        recorded = (
            json.loads(self.report.read_text()) if self.report.exists() else {"seconds": {}, "problems": {}}
        )
        return (os.waitstatus_to_exitcode(status) if pid else None), recorded

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._started

    def close(self) -> None:
        """End what runs, remove the copy."""
        if self.pid:
            self._limit = 0.0
            self.poll()
        shutil.rmtree(self.folder, ignore_errors=True)


def wait(place: Place) -> tuple[int | None, dict[str, Any]]:
    """The end of what runs there."""
    while (ended := place.poll()) is None:
        time.sleep(0.02)
    return ended


def baseline(place: Place, tests: Path) -> Baseline:
    """Run the tests of a file with nothing changed. Raises RuntimeError where none of them can be used."""
    place.start([tests], None, 1800.0, None, "")
    _, recorded = wait(place)
    found = Baseline()
    for test, seconds in recorded["seconds"].items():
        if test in recorded["problems"]:
            found.left_out[test] = recorded["problems"][test]
        else:
            found.seconds[test] = round(seconds, 3)
    if not found.seconds:
        raise RuntimeError(f"no test of {tests} passes:\n{(place.folder / 'output.txt').read_text()[-3000:]}")
    return found


def verdict(place: Place, code: int | None, recorded: dict[str, Any]) -> Verdict:
    """What the end of a trial means."""
    failed = [test for test, outcome in recorded["problems"].items() if outcome == "failed"]
    seconds = round(place.elapsed, 2)
    if code is None:
        return Verdict("timeout", "took too long", seconds)
    if code == 0:
        # Tests that were skipped before are not among those that are run: the change took away what they need.
        skipped = [test for test, outcome in recorded["problems"].items() if outcome == "skipped"]
        return (
            Verdict("killed", f"skipped: {skipped[0]}", seconds)
            if skipped
            else Verdict("survived", "", seconds)
        )
    return Verdict("killed", failed[0] if failed else f"ended with code {code}", seconds)
